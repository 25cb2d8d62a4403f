extends "res://tests/support/rigid_test.gd"
## Rigid bodies and ropes sleep together, and wake together.


func hanging_asleep() -> Array:
	var body := crate(5.0, Vector2(0, 220))
	var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
	await seconds(2.0)
	check_true(body.sleeping and rope.sleeping, "both sleep")
	return [body, rope]


func test_a_sleeping_crate_falls_when_its_rope_lets_go() -> void:
	var ways := {
		cut = func(rope: VerletRope2D) -> void: rope.cut(5),
		cut_line = func(rope: VerletRope2D) -> void: rope.cut_line(Vector2(-9, 99), Vector2(9, 99)),
		detached = func(rope: VerletRope2D) -> void: rope.attach_end(null),
		freed = func(rope: VerletRope2D) -> void: rope.free(),
		removed = func(rope: VerletRope2D) -> void: remove_child(rope),
		unpinned = func(rope: VerletRope2D) -> void: rope.start_pinned = false,
		holds =
		func(rope: VerletRope2D) -> void: rope.end_mode = VerletRope2D.ATTACH_NODE_HOLDS_ROPE,
	}
	for way: String in ways:
		var hanging: Array = await hanging_asleep()
		var body: RigidBody2D = hanging[0]
		ways[way].call(hanging[1])
		await seconds(0.5)
		check_gt(body.position.y, 280.0, "%s: it falls" % way)
		for child in get_children():
			child.free()
		if is_instance_valid(hanging[1]):
			hanging[1].free()


func test_a_sleeping_crate_follows_its_rope() -> void:
	var hanging: Array = await hanging_asleep()
	var body: RigidBody2D = hanging[0]
	var rope: VerletRope2D = hanging[1]
	rope.length = 150.0
	await seconds(3.0)
	check_near(body.position, Vector2(0, 170), 2.0, "wound up")
	await seconds(1.5)
	rope.position.x = 40.0
	await seconds(0.3)
	check_true(not body.sleeping, "it swings when the rope's node moves")


func test_a_struck_crate_wakes_its_rope() -> void:
	var hanging: Array = await hanging_asleep()
	var body: RigidBody2D = hanging[0]
	var rope: VerletRope2D = hanging[1]
	var ball := crate(5.0, Vector2(-200, 220), 10.0)
	ball.linear_velocity = Vector2(800, -100)
	ball.gravity_scale = 0.0
	await seconds(0.4)
	check_gt(body.position.x, 20.0, "it was struck")
	check_true(not rope.sleeping, "its rope is awake")
	check_lt(body.to_global(Vector2(0, -20)).length(), 201.0, "it stays in reach")


func test_what_sleeps_on_a_bridge_falls_when_that_is_cut() -> void:
	var rope := VerletRope2D.new()
	rope.length = 440.0
	rope.end_position = Vector2(400, 0)
	rope.end_pinned = true
	add(rope)
	var body := crate(5.0, Vector2(200, 40), 15.0)
	var slept := false
	for second in 20:
		await seconds(1.0)
		slept = slept or (body.sleeping and rope.sleeping)
	check_true(slept, "both sleep")
	rope.cut(10)
	await seconds(1.0)
	check_gt(body.position.y, 200.0, "it falls")


func test_one_touched_rope_wakes_the_whole_net_and_nothing_falls() -> void:
	var bodies: Array[RigidBody2D] = []
	var ropes: Array[VerletRope2D] = []
	for i in 3:
		var body := crate(2.0, Vector2(0, 220 + 240 * i))
		var above := Vector2(0, 240 * i)
		var rope := tied(above, body, Vector2(0, -20))
		if i > 0:
			rope.attach_start(bodies[i - 1], Vector2(0, 20))
		bodies.append(body)
		ropes.append(rope)
	await seconds(2.5)
	for rope in ropes:
		check_true(rope.sleeping, "all sleep")
	ropes[2].apply_point_impulse(8, Vector2(0.5, 0))
	var lowest := 0.0
	for tick in 60:
		await ticks(1)
		lowest = maxf(lowest, bodies[2].position.y)
	check_lt(lowest, 701.0, "nothing falls")


func test_ropes_on_one_floor_sleep_and_stay_asleep() -> void:
	var ground := StaticBody2D.new()
	ground.position = Vector2(0, 300)
	var shape := CollisionShape2D.new()
	shape.shape = WorldBoundaryShape2D.new()
	ground.add_child(shape)
	add(ground)
	var ropes: Array[VerletRope2D] = []
	for i in 4:
		var rope := VerletRope2D.new()
		rope.start_pinned = false
		rope.position = Vector2(300 * i, 200 + 20 * i)
		rope.end_position = Vector2(150, 30 * i)
		ropes.append(add(rope))
	await seconds(8.0)
	var changes: Array[int] = []
	for rope in ropes:
		check_true(rope.sleeping, "%s sleeps" % rope.name)
		rope.sleeping_state_changed.connect(changes.append.bind(1))
	await seconds(3.0)
	check_eq(changes.size(), 0, "changes of sleep")


func test_a_rope_held_by_a_frozen_body_sleeps() -> void:
	var body := crate(5.0, Vector2(0, 100))
	body.freeze = true
	var rope := tied(Vector2.ZERO, body, Vector2.ZERO)
	await seconds(6.0)
	check_true(rope.sleeping, "it sleeps")


func test_a_rope_put_to_sleep_does_not_stop_what_flies_by() -> void:
	var rope := VerletRope2D.new()
	add(rope)
	var ball := crate(1.0, Vector2(30, 40), 8.0)
	ball.gravity_scale = 0.0
	ball.linear_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
	ball.linear_velocity = Vector2(0, 200)
	await ticks(5)
	rope.sleeping = true
	await ticks(10)
	check_near(ball.linear_velocity, Vector2(0, 200), 1.0, "its velocity")
