extends "res://tests/support/contact_test.gd"
## Ropes over corners, walls, notches, tiles and moving bodies: on no tick is one deep in them, nor
## is it stretched.

## Of the world that each test builds.
const MIDDLE := Vector2(576, 300)

## What swings a rope's holder to and fro, in px and px/s: enough to drag the rope over its corner.
const SWING := 80.0
const SWING_SPEED := 90.0

## A load that makes a rope taut, in kg.
const LOAD := 5.0

## How fast no load may be once it has come down, in px/s: it is moved with 90 px/s, and a blow out
## of nothing makes it much faster.
const CALM := 500.0
const CALM_AFTER := 3.0


func time_limit() -> float:
	return 400.0 if thorough else 120.0


func test_what_measures_here_is_right() -> void:
	var circle := CircleShape2D.new()
	circle.radius = 20.0
	var capsule := CapsuleShape2D.new()
	capsule.radius = 10.0
	capsule.height = 60.0
	var boundary := WorldBoundaryShape2D.new()
	boundary.normal = Vector2.UP
	var edges := ConcavePolygonShape2D.new()
	edges.segments = [Vector2(-30, 0), Vector2(30, 0)]
	# Shape, a line, and its least distance from the shape.
	var cases := [
		[circle, Vector2(-40, 5), Vector2(60, 5), -15.0],
		[circle, Vector2(-40, 25), Vector2(60, 25), 5.0],
		[capsule, Vector2(-40, 0), Vector2(30, 0), -10.0],
		[capsule, Vector2(-30, 36), Vector2(34, 36), 6.0],
		[rectangle(Vector2(40, 20)), Vector2(-40, 4), Vector2(44, 4), -6.0],
		[rectangle(Vector2(40, 20)), Vector2(23, -14), Vector2(30, -14), 5.0],
		[wedge(90.0, 40.0), Vector2(-30, 10), Vector2(30, 10), -10.0 * sqrt(0.5)],
		[segment(Vector2(-30, 0), Vector2(30, 0)), Vector2(0, 3), Vector2(0, 30), 3.0],
		[edges, Vector2(4, -9), Vector2(20, 9), 0.0],
		[boundary, Vector2(4, -9), Vector2(20, 9), -9.0],
	]
	for turn: float in [0.0, 0.7, -2.0]:
		for case: Array in cases:
			var body := solid(case[0], MIDDLE)
			body.rotation = turn
			var solids := Solids.new()
			solids.take_in(self)
			var line: PackedVector2Array = [case[1], case[2]]
			var distance: float = solids.nearest(body.transform * line, INF)[0]
			check_near(distance, case[3], 0.1, "%s at %s" % [case[0].get_class(), case[1]])
			body.free()


func test_a_draped_rope_lies_on_a_box() -> void:
	await _watch_all(_draped_over.bind(rectangle(Vector2(120, 80)), Vector2(0, 40), 0.0))


func test_a_draped_rope_lies_on_an_edge_of_90_degrees() -> void:
	await _watch_all(_draped_over.bind(wedge(90.0, 120.0), Vector2.ZERO, 0.0))


func test_a_draped_rope_lies_on_an_edge_of_30_degrees() -> void:
	await _watch_all(_draped_over.bind(wedge(30.0, 200.0), Vector2.ZERO, 0.0))


func test_a_taut_rope_holds_on_a_box() -> void:
	await _watch_all(_draped_over.bind(rectangle(Vector2(120, 80)), Vector2(0, 40), LOAD))


func test_a_taut_rope_holds_on_an_edge_of_90_degrees() -> void:
	await _watch_all(_draped_over.bind(wedge(90.0, 120.0), Vector2.ZERO, LOAD))


func test_a_taut_rope_holds_on_an_edge_of_30_degrees() -> void:
	await _watch_all(_draped_over.bind(wedge(30.0, 200.0), Vector2.ZERO, LOAD))


func test_a_draped_rope_lies_on_a_wall_of_2_px() -> void:
	await _watch_all(_draped_over.bind(rectangle(Vector2(2, 300)), Vector2(0, 150), 0.0))


func test_a_taut_rope_holds_on_a_wall_of_2_px() -> void:
	await _watch_all(_draped_over.bind(rectangle(Vector2(2, 300)), Vector2(0, 150), LOAD))


func test_a_rope_lies_in_a_notch() -> void:
	await _watch_all(_in_a_notch.bind(0.0))


func test_a_loaded_rope_lies_in_a_notch() -> void:
	await _watch_all(_in_a_notch.bind(LOAD))


func test_ropes_lie_on_a_box_that_spins_with_2_radians_a_second() -> void:
	await _watch_all(_on_a_spinning_box.bind(2.0))


func test_ropes_lie_on_a_box_that_spins_with_6_radians_a_second() -> void:
	await _watch_all(_on_a_spinning_box.bind(6.0))


func test_ropes_lie_on_a_lift() -> void:
	await _watch_all(_on_a_platform.bind(Vector2(0, -150)))


func test_ropes_lie_on_a_sliding_platform() -> void:
	await _watch_all(_on_a_platform.bind(Vector2(200, 0)))


func test_a_rope_that_hangs_straight_gives_way_to_a_lift() -> void:
	await _watch_all(_above_a_lift)


func test_a_rope_that_is_let_down_onto_a_floor_lies_on_it() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for itself: bool in [false, true]:
			solid(rectangle(Vector2(400, 40)), MIDDLE + Vector2(0, 20))
			var from := MIDDLE + Vector2(0, -150)
			var rope := held(from, from + Vector2(0, 20), {self_collision = itself})
			var measured := probe()
			while rope.length < 450.0:
				rope.length += 90.0 / rate
				await ticks(1)
			await seconds(2.0)
			var what := "%d ticks, with itself %s" % [rate, itself]
			check_le(measured.depth, DEEPEST, "%s: px deep (%s)" % [what, measured.depth_at])
			check_near(
				rope.get_current_length(), rope.length, STRETCH * rope.length, what + ": length"
			)
			check_lt(center_of(rope).y, MIDDLE.y, what + ": height")
			await clear()


func test_balls_fly_through_hanging_ropes() -> void:
	await _watch_all(_under_balls.bind(400.0))


func test_fast_balls_fly_through_hanging_ropes() -> void:
	# What bounces off a wall of the engine's is elsewhere than was foreseen, for a tick.
	await _watch_all(_under_balls.bind(2000.0), 2800.0)


func test_a_rope_is_dragged_over_tiles() -> void:
	await _watch_all(_over_tiles)


## Builds a world at each tick rate, and watches it. `build` gives back the bodies that move; what
## bounces with `speed` may be deep by its way in a tick.
func _watch_all(build: Callable, speed := 0.0) -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		var movers: Array[Node2D] = await build.call()
		var measured := probe(movers)
		measured.calm_from = roundi(CALM_AFTER * rate)
		await seconds(watch_seconds())
		check_contacts(measured, "%d ticks" % rate, DEEPEST + speed / rate)
		check_lt(measured.speed, CALM, "%d ticks: speed of a load (%s)" % [rate, measured.speed_at])
		await clear()


## A rope over the upper edge of a body, which is dragged to and fro over it by its holder; with a
## load it is slippery enough to stay taut.
func _draped_over(shape: Shape2D, offset: Vector2, end_mass: float) -> Array[Node2D]:
	solid(shape, MIDDLE + offset)
	var from := MIDDLE + Vector2(-160, -30)
	var to := MIDDLE + Vector2(260, -30)
	var settings := {can_sleep = false, end_mass = end_mass}
	if end_mass:
		to.x = MIDDLE.x + 160.0
		settings.physics_material_override = material(0.2)
	var rope := held(from, to, settings)
	drive(rope, Vector2(-SWING, SWING * 0.5), SWING_SPEED)
	return []


## A loose rope over a notch between two bodies, and one that hangs down into it from above.
func _in_a_notch(end_mass: float) -> Array[Node2D]:
	var left: Array[Vector2] = [Vector2(-150, 0), Vector2(0, 150), Vector2(-150, 150)]
	var right: Array[Vector2] = [Vector2(150, 0), Vector2(150, 150), Vector2(0, 150)]
	solid(convex(left), MIDDLE, "Left")
	solid(convex(right), MIDDLE, "Right")
	var settings := {can_sleep = false}
	loose(MIDDLE + Vector2(-200, -20), MIDDLE + Vector2(220, -20), settings)
	settings.end_mass = end_mass
	var hanging := held(MIDDLE + Vector2(-20, -220), MIDDLE + Vector2(10, 100), settings)
	drive(hanging, Vector2(60, 20), SWING_SPEED)
	return []


## A rope that is held at both ends and hangs over the box, one held at its start, and a loose one.
func _on_a_spinning_box(turning: float) -> Array[Node2D]:
	var box := platform(rectangle(Vector2(80, 80)), MIDDLE, "Box")
	drive(box, Vector2.ZERO, 0.0, turning)
	var above := MIDDLE + Vector2(0, -80)
	# The corners lift it from below.
	var spanned := {length = 310.0, end_pinned = true, can_sleep = false}
	held(above + Vector2(-150, 0), above + Vector2(150, 0), spanned)
	held(above + Vector2(-120, -20), above + Vector2(120, -20), {can_sleep = false})
	loose(above + Vector2(-60, -10), above + Vector2(60, -10), {can_sleep = false})
	return [box]


## A loose rope on a platform that moves with 100 px/s, and one that hangs down to it.
func _on_a_platform(way: Vector2) -> Array[Node2D]:
	var moved := platform(rectangle(Vector2(300, 20)), MIDDLE)
	drive(moved, way, 100.0)
	var above := MIDDLE + Vector2(0, -20)
	loose(above + Vector2(-80, 0), above + Vector2(80, 0), {can_sleep = false})
	held(above + Vector2(20, -180), above + Vector2(260, -180), {can_sleep = false})
	return [moved]


## A long rope whose holder moves to and fro over hills and holes of tiles.
func _over_tiles() -> Array[Node2D]:
	var rows: PackedStringArray = [
		"               #    ",
		"    #         /##   ",
		"   ##\\   /#\\  ###   ",
		"  ####\\ /####   ##  ",
		"####################",
	]
	tile_map(rows, Vector2(200, 300))
	var rope := held(Vector2(260, 250), Vector2(600, 250), {length = 400.0, can_sleep = false})
	drive(rope, Vector2(480, 0), 100.0)
	return []


## Balls that fly to and fro for ever, through ropes that hang from one line.
func _under_balls(speed: float) -> Array[Node2D]:
	for side: float in [-1.0, 1.0]:
		var wall := solid(rectangle(Vector2(40, 400)), MIDDLE + Vector2(side * 320.0, 0), "Wall")
		wall.physics_material_override = material(0.0, 1.0)
		# Not for ropes: between a wall and a ball there would be no room for them.
		wall.collision_layer = 2
	for i in 3:
		var ball := RigidBody2D.new()
		var shape := CircleShape2D.new()
		shape.radius = 14.0
		ball.gravity_scale = 0.0
		ball.linear_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
		ball.collision_mask = 2
		ball.continuous_cd = RigidBody2D.CCD_MODE_CAST_RAY
		ball.physics_material_override = material(0.0, 0.0)
		ball.linear_velocity = Vector2(speed * (1.0 + 0.2 * i), 0)
		body_with(ball, MIDDLE + Vector2(-250, 40.0 * i), [shape], "Ball")
	for i in 7:
		var from := MIDDLE + Vector2(-210.0 + 60.0 * i, -120)
		held(from, from + Vector2(0, 230), {can_sleep = false})
	return []


## Ropes that hang straight down, and a lift that comes up below them.
func _above_a_lift() -> Array[Node2D]:
	var lift := platform(rectangle(Vector2(300, 20)), MIDDLE)
	drive(lift, Vector2(0, -120), 60.0)
	for i in 3:
		var from := MIDDLE + Vector2(60.0 * (i - 1), -180)
		held(from, from + Vector2(0, 100.0 + 30.0 * i), {can_sleep = i == 0})
	return [lift]
