extends "res://tests/support/contact_test.gd"
## Ropes that lie on something come to rest, sleep, and wake when that changes.

## Within so many seconds a rope that was dropped sleeps.
const LIMIT := 15.0

const MIDDLE := Vector2(576, 324)


func time_limit() -> float:
	return 180.0


func test_a_rope_comes_to_rest_on_all_kinds_of_floors() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for floor_name: String in _floors():
			await _check_rests(floor_name, MIDDLE + Vector2(80, -60), "%d ticks, level" % rate)
			await _check_rests(floor_name, MIDDLE + Vector2(40, -180), "%d ticks, aslant" % rate)
			await _check_rests(floor_name, MIDDLE + Vector2(-80, -300), "%d ticks, upright" % rate)


func test_a_rope_over_an_edge_comes_to_rest() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for end_mass: float in [0.0, 5.0]:
			solid(rectangle(Vector2(120, 80)), MIDDLE + Vector2(0, 40))
			var rope := held(
				MIDDLE + Vector2(-160, -30), MIDDLE + Vector2(140, -30), {end_mass = end_mass}
			)
			var measured := probe()
			var what := "%d ticks, load of %s kg" % [rate, end_mass]
			await _check_sleeps(rope, what)
			check_contacts(measured, what)
			await clear()


func test_a_rope_in_a_notch_comes_to_rest() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		solid(convex([Vector2(-150, 0), Vector2(0, 150), Vector2(-150, 150)]), MIDDLE)
		solid(convex([Vector2(150, 0), Vector2(150, 150), Vector2(0, 150)]), MIDDLE)
		var rope := loose(MIDDLE + Vector2(-120, -40), MIDDLE + Vector2(140, -30))
		await _check_sleeps(rope, "%d ticks" % rate)
		await clear()


func test_a_rope_that_may_not_sleep_lies_still() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		solid(rectangle(Vector2(600, 40)), MIDDLE + Vector2(0, 20))
		var rope := loose(
			MIDDLE + Vector2(-100, -60), MIDDLE + Vector2(60, -90), {can_sleep = false}
		)
		await seconds(8.0)
		var before := rope.get_points()
		var speed := 0.0
		for i in 2 * rate:
			await ticks(1)
			speed = maxf(speed, fastest(rope))
		check_lt(speed, 2.0, "%d ticks: speed of the fastest point, px/s" % rate)
		var way := largest_distance(before, rope.get_points())
		check_lt(way, 0.2, "%d ticks: px moved in 2 s" % rate)
		await clear()


func test_asleep_on_a_platform_it_wakes_when_that_changes() -> void:
	var changes := {
		"moves up": func(body: AnimatableBody2D) -> void: body.position.y -= 3.0,
		"moves down": func(body: AnimatableBody2D) -> void: body.position.y += 3.0,
		"moves sideways": func(body: AnimatableBody2D) -> void: body.position.x += 3.0,
		"turns": func(body: AnimatableBody2D) -> void: body.rotation += 0.05,
		"is freed": func(body: AnimatableBody2D) -> void: body.queue_free(),
		"leaves the tree": func(body: AnimatableBody2D) -> void: _take_out(body),
		"loses its shape": func(body: AnimatableBody2D) -> void: body.get_child(0).queue_free(),
		"has its shape disabled":
		func(body: AnimatableBody2D) -> void: body.get_child(0).disabled = true,
		"gets a smaller shape":
		func(body: AnimatableBody2D) -> void: body.get_child(0).shape.size.y = 12.0,
		"gets another shape":
		func(body: AnimatableBody2D) -> void: body.get_child(0).shape = rectangle(Vector2(300, 12)),
		"has its shape moved":
		func(body: AnimatableBody2D) -> void: body.get_child(0).position.y = 4.0,
		"changes its layer": func(body: AnimatableBody2D) -> void: body.collision_layer = 2,
	}
	for change: String in changes:
		var rope := await _sleep_on_a_platform()
		var body: AnimatableBody2D = get_node(^"Platform")
		changes[change].call(body)
		await check_wakes(rope, "the platform " + change)
		await clear()


func test_it_falls_when_what_it_slept_on_is_gone() -> void:
	var rope := await _sleep_on_a_platform()
	get_node(^"Platform").free()
	await seconds(1.0)
	check_gt(center_of(rope).y, MIDDLE.y + 200.0, "height")


func test_asleep_on_a_tile_map_it_wakes_when_its_tiles_are_erased() -> void:
	var tiles := tile_map(["##########"], MIDDLE + Vector2(-160, 0))
	var rope := loose(MIDDLE + Vector2(-60, -20), MIDDLE + Vector2(60, -20))
	await _check_sleeps(rope, "on tiles")
	for x in range(3, 7):
		tiles.erase_cell(Vector2i(x, 0))
	await check_wakes(rope, "its tiles were erased")


func test_a_rope_above_wakes_when_something_comes_under_it() -> void:
	var rope := await hang_asleep({position = MIDDLE, can_sleep = true})
	var body := platform(rectangle(Vector2(100, 20)), MIDDLE + Vector2(-400, 150))
	await seconds(0.2)
	body.position.x = MIDDLE.x - 45.0
	await check_wakes(rope, "a platform came into it")


func test_asleep_on_a_platform_it_stays_asleep() -> void:
	var rope := await _sleep_on_a_platform()
	var body: AnimatableBody2D = get_node(^"Platform")
	var far := platform(rectangle(Vector2(60, 20)), MIDDLE + Vector2(0, 400), "Far")
	drive(far, Vector2(200, 0), 100.0)
	var other := platform(rectangle(Vector2(60, 20)), MIDDLE + Vector2(-100, -20), "OtherLayer")
	other.collision_layer = 4
	drive(other, Vector2(200, 0), 100.0)
	var before := rope.get_points()
	var woke := 0
	for i in 5 * Engine.physics_ticks_per_second:
		await ticks(1)
		woke += int(not rope.sleeping)
		if i == 60:
			body.modulate.a = 0.5
			body.visible = false
	check_eq(woke, 0, "ticks in which it was awake")
	check_eq(rope.get_points(), before, "points")


func test_it_lies_as_high_as_it_is_thick() -> void:
	# What is set, and how high above the floor its middle line lies.
	var cases: Array[Array] = [
		[{width = 12.0}, 6.0],
		[{width = 12.0, collision_radius = 3.0}, 3.0],
		[{collision_radius = 10.0}, 10.0],
		[{scale = Vector2(2, 2)}, 4.0],
		[{scale = Vector2(0.5, 2.0), collision_radius = 5.0}, 5.0],
		[{scale = Vector2(-1, 1), rotation = PI}, 2.0],
	]
	for case in cases:
		solid(rectangle(Vector2(1600, 40)), MIDDLE + Vector2(0, 20))
		var rope := loose(MIDDLE + Vector2(-40, -60), MIDDLE + Vector2(80, -60), case[0])
		await _check_sleeps(rope, str(case[0]))
		var lowest := -INF
		for point in rope.get_points():
			lowest = maxf(lowest, point.y)
		check_near(MIDDLE.y - lowest, case[1], 1.0, "%s: height" % case[0])
		await clear()


func test_a_rope_under_a_crate_stays_on_its_floor_and_is_not_thrown_about() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		# Not quite the same each time: crates rest a hair to the left or to the right.
		for shift: float in [0.0, 3.0, 6.0]:
			solid(rectangle(Vector2(600, 40)), MIDDLE + Vector2(0, 20))
			var rope := loose(MIDDLE + Vector2(-90, -10), MIDDLE + Vector2(90, -10))
			await seconds(0.5)
			var at := MIDDLE + Vector2(shift, -150)
			body_with(RigidBody2D.new(), at, [rectangle(Vector2(60, 60))], "Crate")
			var speed := 0.0
			for i in 3 * rate:
				await ticks(1)
				speed = maxf(speed, fastest(rope))
			var what := "%d ticks, %s px aside" % [rate, shift]
			# Hardly faster than the crate that falls on it.
			check_lt(speed, 1000.0, what + ": speed of the fastest point")
			check_le(worst_strain(rope), STRETCH, what + ": strain")
			check_near(center_of(rope).y, MIDDLE.y - RADIUS, 6.0, what + ": height")
			await clear()


func test_a_rope_that_walls_push_together_is_not_thrown_about() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for itself: bool in [false, true]:
			solid(rectangle(Vector2(600, 40)), MIDDLE + Vector2(0, 20))
			var rope := loose(
				MIDDLE + Vector2(-130, -10), MIDDLE + Vector2(130, -5), {self_collision = itself}
			)
			await seconds(0.5)
			var walls: Array[Node2D] = []
			for side: float in [-1.0, 1.0]:
				var at := MIDDLE + Vector2(150.0 * side, -151)
				walls.append(platform(rectangle(Vector2(20, 300)), at, "Wall"))
				drive(walls[-1], Vector2(-110.0 * side, 0), 40.0)
			var measured := probe(walls)
			var speed := 0.0
			for i in 5 * rate:
				await ticks(1)
				speed = maxf(speed, fastest(rope))
			var what := "%d ticks, with itself %s" % [rate, itself]
			check_contacts(measured, what)
			# It buckles, and what has buckled falls over.
			check_lt(speed, 700.0, what + ": speed of the fastest point")
			await clear()


func test_a_crate_that_sleeps_beside_it_lets_it_sleep() -> void:
	solid(rectangle(Vector2(600, 40)), MIDDLE + Vector2(0, 20))
	var crate := RigidBody2D.new()
	body_with(crate, MIDDLE + Vector2(0, -20), [rectangle(Vector2(40, 40))], "Crate")
	await seconds(2.0)
	var rope := loose(MIDDLE + Vector2(-90, -80), MIDDLE + Vector2(90, -80))
	await _check_sleeps(rope, "over a crate")
	crate.apply_central_impulse(Vector2(300, 0))
	await check_wakes(rope, "the crate was pushed")


## Makers of floors whose surface is at the height of [constant MIDDLE].
func _floors() -> Dictionary:
	return {
		"rectangle": func() -> void: solid(rectangle(Vector2(800, 40)), MIDDLE + Vector2(0, 20)),
		"world boundary": func() -> void: solid(WorldBoundaryShape2D.new(), MIDDLE),
		"segment": func() -> void: solid(segment(Vector2(-400, 0), Vector2(400, 0)), MIDDLE),
		"tiles": func() -> void: tile_map(["####################"], MIDDLE + Vector2(-320, 0)),
	}


func _check_rests(floor_name: String, to: Vector2, how: String) -> void:
	_floors()[floor_name].call()
	var rope := loose(MIDDLE + Vector2(-80, -60), to)
	var what := "%s, %s" % [floor_name, how]
	await _check_sleeps(rope, what)
	var lowest := -INF
	for point in rope.get_points():
		lowest = maxf(lowest, point.y)
	check_near(lowest, MIDDLE.y - RADIUS, 1.0, what + ": height of the lowest point")
	await clear()


func _check_sleeps(rope: VerletRope2D, what: String) -> bool:
	var asleep := await until_asleep([rope], LIMIT)
	return check_true(asleep, "%s: asleep (fastest point %s px/s)" % [what, fastest(rope)])


func _sleep_on_a_platform() -> VerletRope2D:
	platform(rectangle(Vector2(300, 20)), MIDDLE + Vector2(0, 10))
	var rope := loose(MIDDLE + Vector2(-80, -20), MIDDLE + Vector2(80, -20))
	await _check_sleeps(rope, "on the platform")
	return rope


func _take_out(body: Node) -> void:
	remove_child(body)
	body.queue_free()
