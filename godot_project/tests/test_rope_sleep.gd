extends "res://tests/support/rope_test.gd"
## A rope at rest sleeps, costs nothing, and wakes when anything touches it.


func after_each() -> void:
	_set_gravity(980.0)
	await super()


func test_it_comes_to_rest_and_sleeps() -> void:
	for degrees: float in [0.0, 10.0, 80.0]:
		var rope := await hang({end_position = released_at(degrees)})
		await until_asleep([rope], 20.0)
		check_true(rope.sleeping, "asleep within 20 s, released from %s degrees" % degrees)
		check_near(tip(rope), rope.position + Vector2(0, 200), 1.5, "tip")
		check_eq(fastest(rope), 0.0, "speed")
		rope.free()


func test_a_bridge_a_long_rope_and_a_relaxed_one_sleep_too() -> void:
	var ropes: Array[VerletRope2D] = [
		await hang({end_pinned = true, end_position = Vector2(150, 40)}),
		await hang({length = 1000, segments = 100, end_position = released_at(5.0)}),
		await hang({solver = 1, segments = 20}),
		await hang({gravity_scale = 0.0}),
		await hang({gravity_scale = -1.0}),
	]
	await until_asleep(ropes, 40.0)
	for i in ropes.size():
		check_true(ropes[i].sleeping, "asleep within 40 s: rope %d" % i)


func test_a_sleeping_rope_does_not_move() -> void:
	for interpolated: bool in [false, true]:
		var what := ", interpolation %s" % interpolated
		get_tree().physics_interpolation = interpolated
		var rope := await hang({end_position = released_at(5.0)})
		await until_asleep([rope])
		await ticks(3)
		var before := rope.get_points()
		var hash_before := rope.get_state_hash()
		await ticks(60)
		check_eq(rope.get_points(), before, "points" + what)
		check_eq(rope.get_state_hash(), hash_before, "hash of the state" + what)
		rope.free()


func test_switching_physics_interpolation_leaves_a_rope_as_it_is() -> void:
	var rope := await hang_asleep({end_position = released_at(30.0)})
	var before := rope.get_points()
	get_tree().physics_interpolation = true
	await ticks(3)
	get_tree().physics_interpolation = false
	await ticks(3)
	check_lt(largest_distance(rope.get_points(), before), 0.5, "way of a point")


func test_a_rope_that_may_not_sleep_does_not() -> void:
	var rope := await hang({can_sleep = false})
	await seconds(5.0)
	check_true(not rope.sleeping, "awake")
	rope.can_sleep = true
	await until_asleep([rope], 3.0)
	check_true(rope.sleeping, "asleep when it may")
	rope.can_sleep = false
	await ticks(WAKES_WITHIN)
	check_true(not rope.sleeping, "awake when it may not any more")


func test_changed_properties_wake_it() -> void:
	var changes := {
		length = 230.0,
		segments = 7,
		segment_length = 23.0,
		start_pinned = false,
		end_pinned = true,
		end_position = Vector2(30, 100),
		mass = 2.0,
		gravity_scale = 0.5,
		linear_damp = 0.1,
		air_drag = 2.0,
		wind_scale = 0.0,
		solver = 1,
		iteration_count = 3,
		substeps = 2,
		position = Vector2(600, 100),
		rotation = 0.3,
		scale = Vector2(1.5, 1.5),
		sleeping = false,
	}
	for property: StringName in changes:
		var rope := await hang_asleep()
		rope.set(property, changes[property])
		await check_wakes(rope, property)
		rope.free()


func test_touched_points_wake_it() -> void:
	var touches := {
		apply_point_impulse = [10, Vector2(1, 0)],
		apply_point_force = [10, Vector2(100, 0)],
		set_point_position = [10, Vector2(600, 190)],
		set_point_pinned = [10, true],
		reset = [],
	}
	for method: StringName in touches:
		var rope := await hang_asleep()
		rope.callv(method, touches[method])
		await check_wakes(rope, method)
		rope.free()
	var held := await hang_asleep()
	held.set_pin_position(0, Vector2(580, 95))
	await check_wakes(held, "set_pin_position")


func test_a_moved_ancestor_wakes_it() -> void:
	var grandparent: Node2D = add(Node2D.new())
	var parent := Node2D.new()
	grandparent.add_child(parent)
	var rope := make_rope()
	parent.add_child(rope)
	for moved: Node2D in [grandparent, parent]:
		await until_asleep([rope])
		moved.position += Vector2(2, 0)
		await check_wakes(rope, "moved parent")


func test_a_moved_or_freed_node_of_a_pin_wakes_it() -> void:
	var hook: Node2D = add(Node2D.new())
	var rope := await hang({end_position = Vector2(100, 20), length = 150})
	rope.set_point_pinned(5, true, str(rope.get_path_to(hook)))
	await until_asleep([rope])
	check_true(rope.sleeping, "asleep")
	hook.position += Vector2(3, 0)
	await check_wakes(rope, "moved node of a pin")
	await until_asleep([rope])
	check_true(rope.sleeping, "asleep again")
	hook.free()
	await check_wakes(rope, "freed node of a pin")


func test_the_world_s_gravity_wakes_it() -> void:
	var rope := await hang_asleep({end_pinned = true, end_position = Vector2(150, 0)})
	_set_gravity(-980.0)
	await check_wakes(rope, "gravity turned round")
	await seconds(2.0)
	check_lt(rope.get_point_position(10).y, rope.position.y, "height of the middle")


func test_the_signal_tells_of_sleeping_and_waking_once_each() -> void:
	var rope := await hang()
	var states: Array[bool] = []
	rope.sleeping_state_changed.connect(func() -> void: states.append(rope.sleeping))
	await until_asleep([rope])
	await ticks(5)
	check_eq(states, [true], "states told")
	rope.apply_point_impulse(5, Vector2(1, 0))
	await ticks(5)
	check_eq(states, [true, false], "states told")


func test_sleeping_can_be_set() -> void:
	var rope := await hang({end_position = released_at(60.0)})
	var states: Array[bool] = []
	rope.sleeping_state_changed.connect(func() -> void: states.append(rope.sleeping))
	await seconds(0.2)
	rope.sleeping = true
	var before := rope.get_points()
	await seconds(0.5)
	check_eq(rope.get_points(), before, "points asleep in the middle of a swing")
	rope.sleeping = false
	await ticks(3)
	check_gt(largest_distance(before, rope.get_points()), 0.1, "way when awake again")
	check_eq(states, [true, false], "states told")


func test_a_handler_may_free_ropes() -> void:
	var ropes: Array[VerletRope2D] = []
	for i in 6:
		ropes.append(await hang())
	await ticks(1)
	# All of them are about to tell in the same tick; the first to do so frees all.
	var told: Array[int] = []
	for i in 6:
		ropes[i].sleeping_state_changed.connect(
			func() -> void:
				told.append(i)
				for k in 6:
					if k == i:
						ropes[k].queue_free()
					elif is_instance_valid(ropes[k]):
						ropes[k].free()
		)
		ropes[i].sleeping = true
	await ticks(5)
	check_eq(told.size(), 1, "ropes that told")
	check_true(not is_instance_valid(ropes[0]), "freed")
	var rope := await hang()
	await check_works(rope, "a rope added later")


func test_a_handler_may_add_ropes_and_call_any_method() -> void:
	var rope := await hang()
	var added: Array[VerletRope2D] = []
	rope.sleeping_state_changed.connect(
		func() -> void:
			rope.length = 150.0
			rope.set_point_pinned(3, true)
			rope.set_point_pinned(3, false)
			rope.reset()
			for i in 20:
				added.append(add(make_rope({end_position = released_at(40.0)}))),
		CONNECT_ONE_SHOT
	)
	await until_asleep([rope])
	await ticks(2)
	check_eq(added.size(), 20, "added ropes")
	for other in added:
		await check_works(other, "a rope added in the handler")
	await check_works(rope, "the rope itself")


func test_a_handler_may_change_the_scene() -> void:
	var packed := scene_with_ropes(3)
	get_tree().change_scene_to_packed(packed)
	await ticks(3)
	var first := get_tree().current_scene
	var rope: VerletRope2D = first.get_child(0)
	rope.sleeping_state_changed.connect(
		func() -> void: get_tree().change_scene_to_packed(packed), CONNECT_ONE_SHOT
	)
	rope.sleeping = true
	await ticks(3)
	var second := get_tree().current_scene
	check_true(second != null and not is_instance_valid(first), "the scene was changed")
	await check_works(second.get_child(0), "a rope of the new scene")


func _set_gravity(size: float) -> void:
	var space := get_viewport().find_world_2d().space
	PhysicsServer2D.area_set_param(space, PhysicsServer2D.AREA_PARAM_GRAVITY, size)


func test_a_handler_may_do_what_notifies_every_node() -> void:
	var rope := await hang({end_position = released_at(5.0)})
	var calls := [0]
	rope.sleeping_state_changed.connect(
		func() -> void:
			calls[0] += 1
			get_tree().root.propagate_notification(12345)
			var locale := TranslationServer.get_locale()
			TranslationServer.set_locale("de")
			TranslationServer.set_locale(locale)
	)
	rope.sleeping = true
	await ticks(5)
	check_gt(calls[0], 0, "calls of the handler")
	await check_works(rope, "afterwards")


func test_monitors_count_all_worlds_and_forget_them() -> void:
	var rope := await hang()
	var viewport := SubViewport.new()
	viewport.world_2d = World2D.new()
	add(viewport)
	viewport.add_child(make_rope())
	viewport.add_child(make_rope())
	await ticks(3)
	check_eq(Performance.get_custom_monitor(&"supple/bodies"), 3.0, "bodies in two worlds")
	viewport.free()
	rope.free()
	await ticks(3)
	check_eq(Performance.get_custom_monitor(&"supple/bodies"), 0.0, "bodies when all are gone")


func test_the_notifications_a_script_asked_for_stay_on() -> void:
	var rope := await hang()
	rope.set_notify_local_transform(true)
	rope.sleeping = true
	await ticks(3)
	rope.sleeping = false
	await ticks(3)
	check_true(rope.is_local_transform_notification_enabled(), "asked for by a script")
	rope.set_notify_local_transform(false)
	rope.sleeping = true
	await ticks(3)
	rope.position += Vector2(20, 0)
	await ticks(1)
	check_true(not rope.sleeping, "awake in the tick in which it was moved")
	rope.sleeping = false
	await ticks(3)
	check_true(not rope.is_local_transform_notification_enabled(), "not asked for by a script")
