extends "res://tests/support/contact_test.gd"
## Friction and bounce: ropes hold on slopes, slide down them, and jump up from floors, as the
## materials say.

const GRAVITY := 980.0

## How far the angle at which a rope begins to slide may be from that of its friction, in degrees.
const ANGLE := 3.0

## By which part a bounce may differ from its material's.
const BOUNCE := 0.1

const FRICTIONS: Array[float] = [0.2, 0.5, 1.0]
const BOUNCES: Array[float] = [0.25, 0.5, 0.8]

const MIDDLE := Vector2(576, 324)

const FLOOR := Vector2(1600, 40)


func time_limit() -> float:
	return 120.0


func test_a_rope_holds_on_a_slope_that_is_less_steep_than_its_friction() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for friction in FRICTIONS:
			var degrees := rad_to_deg(atan(friction)) - ANGLE
			var what := "friction %s, %.1f degrees, %d ticks" % [friction, degrees, rate]
			var rope := _lie_on_slope(deg_to_rad(degrees), friction)
			await seconds(1.0)
			var before := center_of(rope)
			await seconds(3.0)
			check_lt(center_of(rope).distance_to(before), 1.0, what + ": px slid in 3 s")
			await clear()


func test_a_rope_slides_on_a_slope_that_is_steeper_than_its_friction() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for friction in FRICTIONS:
			var critical := atan(friction)
			for more: float in [ANGLE, 10.0]:
				var angle := critical + deg_to_rad(more)
				var what := "friction %s, %.1f degrees" % [friction, rad_to_deg(angle)]
				what += ", %d ticks" % rate
				var rope := _lie_on_slope(angle, friction)
				await seconds(0.2)
				var before := drift_of(rope)
				await seconds(0.6)
				var along := Vector2.from_angle(angle)
				var gained := (drift_of(rope) - before).dot(along) / 0.6
				check_gt(gained, 0.0, what + ": acceleration")
				# What friction it has had by its acceleration.
				var had := tan(angle) - gained / (GRAVITY * cos(angle))
				var slides_at := rad_to_deg(atan(had))
				check_near(
					slides_at, rad_to_deg(critical), ANGLE, what + ": slides from, in degrees"
				)
				await clear()


func test_the_smaller_friction_counts_whosever_it_is() -> void:
	for case: Array in [[0.2, 1.0, true], [1.0, 0.2, true], [0.7, 0.7, false], [0.2, -0.7, false]]:
		# A rough surface's friction counts even if it is the greater one; a negative one stands for it.
		var of_floor := material(absf(case[1]))
		of_floor.rough = case[1] < 0.0
		var rope := _lie_on_slope(deg_to_rad(25.0), case[0], of_floor)
		await seconds(0.3)
		var before := center_of(rope)
		await seconds(0.7)
		var way := center_of(rope).distance_to(before)
		var what := "friction of the rope %s, of the slope %s" % [case[0], case[1]]
		check_eq(way > 20.0, case[2], "%s: slides (%.1f px)" % [what, way])
		await clear()


func test_a_dropped_rope_jumps_as_high_as_its_material_says() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for bounce in BOUNCES:
			await _check_bounce(material(1.0, bounce), null, bounce, "rope, %d ticks" % rate)
			await _check_bounce(null, material(1.0, bounce), bounce, "floor, %d ticks" % rate)


func test_bounces_add_up() -> void:
	await _check_bounce(material(1.0, 0.3), material(1.0, 0.3), 0.6, "both")
	var absorbs := material(1.0, 0.3)
	absorbs.absorbent = true
	await _check_bounce(material(1.0, 0.8), absorbs, 0.5, "absorbent floor")


func test_a_rope_without_a_bounce_does_not_jump() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		var rope := _drop(null, null)
		await seconds(0.9)
		check_near(center_of(rope).y, MIDDLE.y - RADIUS, 0.5, "%d ticks: height" % rate)
		check_lt(fastest(rope), 20.0, "%d ticks: speed" % rate)
		await clear()


func test_a_load_draws_the_slack_of_a_rope_over_an_edge() -> void:
	# Friction round a bend holds so many times what pulls on its other side: e to the power of
	# friction times angle, which is 14 in the last case. The load weighs 25 times the slack.
	var shapes: Array[Shape2D] = [rectangle(Vector2(120, 80)), wedge(30.0, 200.0)]
	for i in shapes.size():
		for friction: float in [0.1, 0.3, 0.6, 1.0]:
			solid(shapes[i], MIDDLE + Vector2(0, 40.0 if i == 0 else 0.0))
			var settings := {end_mass = 5.0, physics_material_override = material(friction)}
			var from := MIDDLE + Vector2(-200, -20)
			var rope := held(from, MIDDLE + Vector2(130, -20), settings)
			await seconds(1.0)
			# Nearer to the edge, by its own way: there is slack now.
			for tick in 60:
				rope.position.x += 1.0
				await ticks(1)
			await seconds(4.0)
			var what := "%s, friction %s: sag in px" % [shapes[i].get_class(), friction]
			check_lt(_sag(rope, MIDDLE.x - 62.0), 12.0, what)
			await clear()


func test_a_rope_is_carried_by_what_it_lies_on() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		var moved := platform(rectangle(Vector2(400, 20)), MIDDLE)
		var from := MIDDLE + Vector2(-80, -13)
		var rope := loose(from, from + Vector2(160, 0), {can_sleep = false})
		await seconds(0.5)
		drive(moved, Vector2(300, 0), 100.0)
		await seconds(0.5)
		var before := center_of(rope).x - moved.global_position.x
		await seconds(2.0)
		var slid := absf(center_of(rope).x - moved.global_position.x - before)
		check_lt(slid, 2.0, "%d ticks: px slid in 2 s" % rate)
		await clear()


func test_a_conveyor_carries_a_rope() -> void:
	var belt := solid(rectangle(FLOOR), MIDDLE + Vector2(0, FLOOR.y * 0.5))
	belt.constant_linear_velocity = Vector2(80, 0)
	var from := MIDDLE + Vector2(-200, -RADIUS - 1.0)
	var rope := loose(from, from + Vector2(160, 0))
	await seconds(1.0)
	check_near(drift_of(rope), Vector2(80, 0), 4.0, "velocity")


## How far the points of a rope up to there are from the straight line between them.
func _sag(rope: VerletRope2D, to_x: float) -> float:
	var points := rope.get_points()
	var last := 0
	while last + 1 < points.size() and points[last + 1].x < to_x:
		last += 1
	var sag := 0.0
	for i in last:
		var on_line := Geometry2D.get_closest_point_to_segment(points[i], points[0], points[last])
		sag = maxf(sag, points[i].distance_to(on_line))
	return sag


## A loose rope along a slope that falls to the right, a little above it.
func _lie_on_slope(angle: float, friction: float, of_slope: PhysicsMaterial = null) -> VerletRope2D:
	var slope := solid(rectangle(Vector2(3000, 40)), Vector2.ZERO)
	slope.rotation = angle
	slope.position = MIDDLE + Vector2(0, 20).rotated(angle)
	slope.physics_material_override = of_slope
	var along := Vector2.from_angle(angle)
	var above := MIDDLE + along.orthogonal() * (RADIUS + 0.1)
	var settings := {
		linear_damp = 0.0,
		air_drag = 0.0,
		physics_material_override = material(friction),
	}
	return loose(above - along * 80.0, above + along * 80.0, settings)


func _drop(of_rope: PhysicsMaterial, of_floor: PhysicsMaterial) -> VerletRope2D:
	var ground := solid(rectangle(FLOOR), MIDDLE + Vector2(0, FLOOR.y * 0.5))
	ground.physics_material_override = of_floor
	var from := MIDDLE + Vector2(-80, -150.0)
	var settings := {linear_damp = 0.0, air_drag = 0.0, physics_material_override = of_rope}
	return loose(from, from + Vector2(160, 0), settings)


## Drops a level rope, and looks how fast it comes up again.
func _check_bounce(
	of_rope: PhysicsMaterial, of_floor: PhysicsMaterial, bounce: float, what: String
) -> void:
	var rope := _drop(of_rope, of_floor)
	var down := 0.0
	var up := 0.0
	for i in Engine.physics_ticks_per_second:
		await ticks(1)
		# Energy against mass: a tick's height and speed belong together.
		var height := MIDDLE.y - RADIUS - center_of(rope).y
		var speed := drift_of(rope).y
		if up == 0.0 and speed > 0.0:
			down = sqrt(speed * speed + 2.0 * GRAVITY * maxf(height, 0.0))
		elif speed < 0.0:
			up = maxf(up, sqrt(speed * speed + 2.0 * GRAVITY * maxf(height, 0.0)))
	var text := "%s, bounce %s: speed up over speed down" % [what, bounce]
	check_near(up / down, bounce, BOUNCE * bounce, text)
	await clear()
