extends "res://tests/support/soft_presence_test.gd"
## Players stand on soft bodies, dent them, walk over them and jump off them.


## Moves a node up and down, before anything else moves.
class Shaker:
	extends Node
	var node: Node2D
	var height := 10.0
	var rate := 3.0
	var _start := NAN
	var _time := 0.0

	func _init() -> void:
		process_physics_priority = -100

	func _physics_process(delta: float) -> void:
		if is_nan(_start):
			_start = node.position.y
		_time += delta
		node.position.y = _start + height * sin(TAU * rate * _time)


func time_limit() -> float:
	return 120.0


## A body on the ground.
func _resting(properties: Dictionary = {}) -> SoftBody2D:
	var size: Vector2 = properties.get("size", Vector2(100, 100))
	var settings := {position = Vector2(576, GROUND - 0.5 * size.y - 1.0)}
	settings.merge(properties, true)
	var body := await soft(settings)
	await seconds(1.0)
	return body


func _stand(body: SoftBody2D, box: bool = false) -> Walker:
	var walker := make_walker(
		Vector2(body.global_position.x, top_of(body, body.global_position.x) - 2), box
	)
	await seconds(2.0)
	return walker


func test_a_player_stands_on_a_body_and_dents_it() -> void:
	ground()
	for box: bool in [false, true]:
		var dents := PackedFloat64Array()
		for mass: float in [0.0, 1.0, 5.0]:
			var body := await _resting({character_mass = mass})
			var walker := await _stand(body, box)
			var what := "%s kg, %s: " % [mass, "box" if box else "capsule"]
			check_true(walker.is_on_floor(), what + "on the floor")
			walker.count_anew()
			await seconds(1.0)
			check_ge(walker.floor_part(), 0.99, what + "the part of the time on the floor")
			var top := top_of(body, walker.global_position.x)
			check_near(walker.global_position.y + 30.0, top - 1.0, 3.0, what + "its feet")
			dents.append(top - (GROUND - 100.0))
			walker.free()
			body.free()
			await ticks(2)
		check_gt(dents[1], dents[0] + 1.5, "1 kg dents it")
		check_gt(dents[2], dents[1] + 1.5, "5 kg more")


func test_a_player_stays_on_a_body_that_wobbles() -> void:
	for rate: int in [60, 30, 120]:
		await set_ticks_per_second(rate)
		for box: bool in [false, true]:
			var body := await soft(
				{
					pin_mode = SoftBody2D.PIN_SIDES,
					pin_sides = 4,
					stiffness = 2000.0,
					position = Vector2(576, 300)
				}
			)
			var walker := await _stand(body, box)
			var shaker := Shaker.new()
			shaker.node = body
			add(shaker)
			await seconds(0.5)
			walker.count_anew()
			var worst := 0.0
			var low := -INF
			var high := INF
			var before := Vector2(walker.global_position.y, top_of(body, walker.global_position.x))
			for i in 3 * rate:
				await after_step()
				var now := Vector2(walker.global_position.y, top_of(body, walker.global_position.x))
				worst = maxf(worst, absf((now.x - before.x) - (now.y - before.y)))
				low = maxf(low, now.y)
				high = minf(high, now.y)
				before = now
			await ticks(1)
			var what := "%s at %d ticks: " % ["box" if box else "capsule", rate]
			check_ge(low - high, 18.0, what + "how far the top moves")
			check_ge(walker.floor_part(), 0.99, what + "on the floor")
			# What is foreseen at 30 ticks a second is coarser.
			check_lt(worst, 1.0 if rate > 30 else 4.5, what + "how far it is shaken in a tick")
			walker.free()
			shaker.free()
			body.free()
			await ticks(2)


func test_a_player_walks_over_a_row_of_bodies() -> void:
	ground()
	for rate: int in [60, 30, 120]:
		await set_ticks_per_second(rate)
		var nodes: Array[Node] = []
		for i in 10:
			var place := Vector2(100 + 103 * i, GROUND - 31)
			nodes.append(add(make_soft({size = Vector2(100, 60), position = place})))
		nodes.append(
			body_at(StaticBody2D.new(), Vector2(-100, GROUND - 31), rectangle(Vector2(290, 62)))
		)
		await seconds(1.0)
		var walker := make_walker(Vector2(0, GROUND - 64))
		nodes.append(walker)
		walker.floor_snap_length = 6.0
		await seconds(0.5)
		walker.count_anew()
		walker.pace = 300.0
		for i in 6 * rate:
			await ticks(1)
			if walker.global_position.x > 1090:
				break
		var what := "at %d ticks: " % rate
		check_gt(walker.global_position.x, 1090.0, what + "how far it got")
		check_le(walker.stuck_ticks, 1, what + "ticks in which it did not get on")
		check_lt(float(walker.ticks) / rate, 1.1 * 1090 / 300.0, what + "how long it took")
		for node in nodes:
			node.free()
		await ticks(2)


func _jump_height(body: SoftBody2D, walker: Walker, rising: float) -> float:
	if rising > 0.0:
		# Upwards with the whole body, at a steady pace.
		var mover := create_tween().set_process_mode(Tween.TWEEN_PROCESS_PHYSICS)
		mover.tween_property(body, "position:y", body.position.y - 2.0 * rising, 2.0)
		await seconds(0.5)
	check_true(walker.is_on_floor(), "on the floor before the jump at %s px/s" % rising)
	var from := walker.global_position.y
	walker.wants_to_jump = true
	var highest := from
	for i in 60:
		await ticks(1)
		highest = minf(highest, walker.global_position.y)
	return from - highest


func test_a_player_jumps_higher_from_a_surface_that_rises() -> void:
	var heights := PackedFloat64Array()
	for rising: float in [0.0, 0.15 * 400.0]:
		var body := await soft(
			{pin_mode = SoftBody2D.PIN_SIDES, pin_sides = 5, position = Vector2(576, 400)}
		)
		var walker := await _stand(body)
		heights.append(await _jump_height(body, walker, rising))
		walker.free()
		body.free()
		await ticks(2)
	check_near(heights[0], 400.0 ** 2 / 2.0 / 980.0, 6.0, "a jump from a surface at rest")
	check_ge(heights[1] / heights[0], 1.3, "how much higher from one that rises")


func test_who_lands_on_a_body_is_felt_and_not_thrown() -> void:
	ground()
	for stiffness: float in [50.0, 200.0, 2000.0, 100000.0]:
		var body := await _resting({stiffness = stiffness})
		var walker := make_walker(Vector2(576, GROUND - 300))
		var top := top_of(body, 576)
		var deepest := -INF
		var highest := INF
		var landed := false
		for i in 180:
			await ticks(1)
			landed = landed or walker.is_on_floor()
			deepest = maxf(deepest, top_of(body, 576) - top)
			if landed:
				highest = minf(highest, walker.global_position.y + 30)
		var what := "stiffness %s: " % stiffness
		check_true(landed, what + "it has landed")
		if stiffness <= 200:
			check_gt(deepest, 5.0, what + "how deep it dents the body")
		check_gt(highest, top - 60.0, what + "how high it is thrown")
		check_sound(body, what)
		walker.free()
		body.free()
		await ticks(2)


func test_a_light_jelly_bears_a_heavy_player() -> void:
	ground()
	for rate: int in [60, 30, 240]:
		await set_ticks_per_second(rate)
		for stiffness: float in [0.0, 12.0, 200.0, 2000.0, 1e6]:
			var body := await _resting({stiffness = stiffness, character_mass = 50.0})
			var walker := await _stand(body)
			await seconds(2.0)
			var what := "stiffness %s at %d ticks: " % [stiffness, rate]
			check_sound(body, what)
			walker.count_anew()
			var fastest := 0.0
			for i in rate:
				await ticks(1)
				for point in body.get_point_count():
					fastest = maxf(fastest, body.get_point_velocity(point).length())
			check_lt(fastest, 60.0, what + "how fast a point goes")
			check_ge(walker.floor_part(), 0.95, what + "on the floor")
			check_near(walker.global_position.x, 576.0, 60.0, what + "where it stands")
			walker.free()
			await seconds(2.0)
			check_gt(body.get_area(), 8000.0, what + "area when it has left")
			body.free()
			await ticks(2)


func test_a_player_who_runs_against_a_body_pushes_it() -> void:
	ground()
	for count: int in [5, 12]:
		var body := await _resting(
			{particle_count = Vector2i(count, count), physics_material_override = material(0.2)}
		)
		var walker := make_walker(Vector2(450, GROUND - 1))
		walker.pace = 150.0
		await seconds(2.0)
		check_gt(body.global_position.x, 600.0, "where the body of %d points is" % count)
		check_gt(body.global_position.x - walker.global_position.x, 55.0, "it is before the player")
		check_sound(body, "pushed")
		walker.free()
		body.free()
		await ticks(2)


func test_a_body_under_a_player_comes_to_rest_and_sleeps() -> void:
	ground()
	var body := await _resting()
	var walker := await _stand(body)
	await seconds(6.0)
	check_true(body.sleeping, "it sleeps")
	check_true(walker.is_on_floor(), "the player stands")
	walker.pace = 100.0
	await ticks(6)
	check_true(not body.sleeping, "awake when the player walks")
	var top := top_of(body, 576)
	walker.free()
	await seconds(3.0)
	check_lt(top_of(body, 576), top - 2.0, "it rises when the player is gone")


func test_players_are_no_colliders_of_the_simulation_too() -> void:
	ground()
	var body := await _resting({contact_monitor = true})
	var walker := await _stand(body)
	check_true(not walker in body.get_colliding_bodies(), "who is met in the simulation")
	body.collision_layer = 0
	await seconds(1.0)
	check_true(walker.global_position.y > GROUND - 100.0, "without a layer it gives way")


func test_what_falls_on_a_player_lies_on_its_head() -> void:
	for rate: int in [60, 30, 120]:
		await set_ticks_per_second(rate)
		for box: bool in [false, true]:
			for off: float in [0.0, 20.0, 45.0]:
				ground()
				var walker := make_walker(Vector2(576, GROUND), box)
				await ticks(2)
				var body := await soft({position = Vector2(576 + off, GROUND - 250)})
				var home := walker.global_position
				var farthest := 0.0
				for tick in 4 * rate:
					await ticks(1)
					farthest = maxf(farthest, walker.global_position.distance_to(home))
				var what := "%s, %s px aside, %d ticks" % ["box" if box else "capsule", off, rate]
				check_le(farthest, 2.0, what + ": how far the player is pushed")
				check_true(walker.is_on_floor(), what + ": it stands")
				check_sound(body, what)
				check_near(body.get_area(), 10_000.0, 500.0, what + ": area")
				for child in get_children():
					child.free()
				await ticks(2)


func test_bodies_rain_on_a_player_who_walks_and_jumps() -> void:
	for rate: int in [60, 30, 120]:
		await set_ticks_per_second(rate)
		seed(3)
		ground()
		for side: float in [-1.0, 1.0]:
			var wall := rectangle(Vector2(100, 3000))
			body_at(StaticBody2D.new(), Vector2(576 + side * 350, GROUND - 1500), wall)
		var bodies: Array[SoftBody2D] = []
		for i in 14:
			var at := Vector2(576 + randf_range(-220, 220), GROUND - 200 - 110 * i)
			bodies.append(add(make_soft({position = at, size = Vector2(70, 70)})))
		var walker := make_walker(Vector2(576, GROUND))
		var deepest := 0.0
		var home := walker.global_position.y
		for tick in 10 * rate:
			walker.pace = 200.0 if tick / rate % 2 == 0 else -200.0
			if tick % (rate / 2) == 0 and walker.is_on_floor():
				walker.velocity.y = -350.0
			await ticks(1)
			deepest = maxf(deepest, walker.global_position.y - home)
		var what := "%d ticks: " % rate
		check_le(deepest, 3.0, what + "how deep the player is pushed into the ground")
		check_true(absf(walker.global_position.x - 576) < 300.0, what + "it is between the walls")
		for body in bodies:
			check_sound(body, what)
			check_gt(body.get_area(), 3500.0, what + "area")
		for child in get_children():
			child.free()
		await ticks(2)


func test_pressed_and_released_tell_of_a_player() -> void:
	ground()
	var body := await _resting()
	var pressed := count_emissions(body, "pressed")
	var released := count_emissions(body, "released")
	await seconds(1.0)
	check_eq(pressed, [], "the ground does not press")
	var walker := await _stand(body)
	check_eq(pressed.size(), 1, "pressed")
	check_eq(pressed[0][0], walker, "by whom")
	check_ge(pressed[0][1], 2.0, "how deep")
	check_eq(released, [], "released")
	walker.wants_to_jump = true
	await seconds(0.3)
	check_eq(released.size(), 1, "released")
	check_eq(released[0][0], walker, "by whom")
	await seconds(1.5)
	check_ge(float(pressed.size()), 2.0, "pressed again")


func test_squashed_tells_of_each_time_it_is_pressed_flat() -> void:
	ground()
	var body := await _resting({squash_threshold = 0.9})
	var squashed := count_emissions(body, "squashed")
	await seconds(1.0)
	check_eq(squashed, [], "at rest")
	body.position.y -= 250.0
	await seconds(2.0)
	check_ge(squashed.size(), 1, "when it falls")
	check_lt(squashed[0][0], 0.9, "the ratio")
	check_lt(float(squashed.size()), 4.0, "how often")
	body.squash_threshold = 0.0
	var before := squashed.size()
	body.position.y -= 250.0
	await seconds(2.0)
	check_eq(squashed.size(), before, "when it is off")
	expect_soft_error(body, "squash_threshold: NaN is not a value, it stays as it was")
	body.squash_threshold = NAN


func test_the_surface_s_velocity_and_the_floor_are_told() -> void:
	ground()
	var body := await soft({position = Vector2(576, 200), gravity_scale = 0.0})
	check_true(not body.is_on_floor(), "in the air")
	body.linear_velocity = Vector2(30, -40)
	body.angular_velocity = 1.0
	await ticks(1)
	check_near(
		body.get_surface_velocity(body.global_position + Vector2(0, -200)),
		Vector2(80, -40),
		3.0,
		"top"
	)
	expect_error("get_surface_velocity(): position", 1)
	check_eq(body.get_surface_velocity(Vector2(NAN, 0)), Vector2.ZERO, "nowhere")
	expect_error("is_on_floor(): max_angle", 1)
	check_true(not body.is_on_floor(NAN), "at no angle")
	body.gravity_scale = 1.0
	await seconds(2.0)
	check_true(body.is_on_floor(), "on the ground")
	check_true(body.is_on_floor(0.0), "on level ground")


func test_handlers_may_do_anything() -> void:
	ground()
	for act: Callable in [
		func(body: SoftBody2D) -> void: body.queue_free(),
		func(body: SoftBody2D) -> void: body.collision_layer = 0,
		func(body: SoftBody2D) -> void: body.get_parent().remove_child(body),
		func(body: SoftBody2D) -> void: body.size = Vector2(50, 50),
		func(body: SoftBody2D) -> void: body.reset(),
	]:
		var body := await _resting({squash_threshold = 1.0})
		var count := [0]
		body.pressed.connect(
			func(_other: Node2D, _depth: float) -> void:
				count[0] += 1
				act.call(body)
		)
		var walker := make_walker(Vector2(576, GROUND - 180))
		await seconds(1.5)
		check_ge(float(count[0]), 1.0, "pressed")
		walker.free()
		if is_instance_valid(body):
			body.free()
		await ticks(2)


func test_a_player_freed_in_the_handler_of_pressed_is_forgotten() -> void:
	ground()
	var body := await _resting()
	body.pressed.connect(func(other: Node2D, _depth: float) -> void: other.free())
	var released := count_emissions(body, "released")
	make_walker(Vector2(576, GROUND - 180))
	await seconds(2.0)
	check_eq(released, [], "nobody is left to leave")
	check_near(top_of(body, 576), GROUND - 100.0, 6.0, "the top is free again")


func test_a_layer_taken_away_under_a_player_lets_it_down() -> void:
	ground()
	var body := await _resting({collision_mask = 1})
	var walker := await _stand(body)
	body.collision_layer = 2
	await seconds(1.0)
	check_sound(body, "after")
	check_gt(walker.global_position.y, GROUND - 70.0, "the player has come down")
	body.collision_layer = 1
	await seconds(0.5)
	check_true(walker.global_position.is_finite(), "the player is somewhere")


func test_a_mass_of_characters_that_is_no_number_is_refused() -> void:
	var body := await soft()
	check_eq(body.character_mass, 5.0, "the default")
	expect_soft_error(body, "character_mass: NaN is not a value, it stays as it was")
	body.character_mass = NAN
	expect_soft_error(body, "character_mass: -3 is not in 0 to 100000, it becomes 0")
	body.character_mass = -3.0
	check_eq(body.character_mass, 0.0, "clamped")
