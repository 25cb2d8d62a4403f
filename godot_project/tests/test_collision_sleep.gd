extends "res://tests/support/collision_test.gd"
## A sleeping rope wakes when what it touches changes, or something comes, and not otherwise.


## A rope asleep on a body with one rectangle, whose top is at 400.
func asleep_on(body: CollisionObject2D, properties: Dictionary = {}) -> VerletRope2D:
	body_at(body, Vector2(576, 450), rectangle(Vector2(600, 100)))
	var rope := await loose_rope(380.0, properties)
	check_true(await until_asleep([rope]), "it comes to rest")
	return rope


func test_it_stays_asleep_while_nothing_changes() -> void:
	var rope := await asleep_on(StaticBody2D.new())
	var changes := count_emissions(rope, "sleeping_state_changed")
	# Things that move elsewhere, also in the same cell and under the floor.
	var crates: Array[RigidBody2D] = []
	for i in 5:
		crates.append(body_at(RigidBody2D.new(), Vector2(300 - 40 * i, 100), circle(10.0)))
	var walker := body_at(CharacterBody2D.new(), Vector2(200, 600), circle(20.0))
	var lift := body_at(AnimatableBody2D.new(), Vector2(576, 540), rectangle(Vector2(100, 20)))
	for i in 120:
		walker.position.x += 5.0
		lift.position.y += sin(i * 0.1)
		await ticks(1)
	check_eq(changes.size(), 0, "changes of sleep in 2 s")


func test_it_stays_asleep_while_something_moves_in_its_box_without_touching() -> void:
	# A wide arc: a character walks under it.
	var rope := await hang_asleep(
		{length = 700.0, end_position = Vector2(400, 0), end_pinned = true, linear_damp = 5.0}
	)
	var changes := count_emissions(rope, "sleeping_state_changed")
	var walker := body_at(CharacterBody2D.new(), Vector2(776, 150), circle(20.0))
	for i in 60:
		walker.position.y += 2.0
		await ticks(1)
	check_eq(changes.size(), 0, "changes of sleep while something moves inside the arc")
	walker.position = Vector2(776, 330)
	for i in 60:
		walker.position.y += 2.0
		await ticks(1)
	check_true(not rope.sleeping, "awake when it is pushed down")


func test_it_wakes_when_a_platform_of_any_kind_moves() -> void:
	for body: PhysicsBody2D in [StaticBody2D.new(), AnimatableBody2D.new(), CharacterBody2D.new()]:
		var rope := await asleep_on(body)
		body.position.y -= 3.0
		await check_wakes(rope, body.get_class() + " moved up")
		check_true(await until_asleep([rope]), "it comes to rest")
		body.position.y += 3.0
		await check_wakes(rope, body.get_class() + " moved down")
		check_true(await until_asleep([rope]), "it comes to rest")
		body.rotation = 0.1
		await check_wakes(rope, body.get_class() + " turned")
		rope.free()
		body.free()


func test_it_wakes_when_a_rigid_body_under_it_is_pushed() -> void:
	var body := RigidBody2D.new()
	body.gravity_scale = 0.0
	body.mass = 1e6
	var rope := await asleep_on(body)
	body.apply_central_impulse(Vector2(0, -50) * body.mass)
	# The engine moves it in the physics step of this tick.
	await ticks(1)
	await check_wakes(rope, "rigid body pushed")


func test_it_wakes_when_its_support_vanishes() -> void:
	var ways := {
		freed = func(body: StaticBody2D) -> void: body.free(),
		removed = func(body: StaticBody2D) -> void: body.get_parent().remove_child(body),
		disabled = func(body: StaticBody2D) -> void: body.get_child(0).disabled = true,
		shape_freed = func(body: StaticBody2D) -> void: body.get_child(0).free(),
		put_away = func(body: StaticBody2D) -> void: body.position = Vector2(9000, 9000),
		other_layer = func(body: StaticBody2D) -> void: body.collision_layer = 8,
		mode_disabled =
		func(body: StaticBody2D) -> void: body.process_mode = Node.PROCESS_MODE_DISABLED,
	}
	for way: String in ways:
		var body := StaticBody2D.new()
		var rope := await asleep_on(body)
		ways[way].call(body)
		await check_wakes(rope, way)
		await seconds(0.5)
		check_gt(highest(rope), 420.0, way + ": it falls")
		rope.free()
		if is_instance_valid(body):
			body.free()


func test_it_wakes_when_its_support_changes_its_shape() -> void:
	var ways := {
		size = func(holder: CollisionShape2D) -> void: holder.shape.size = Vector2(600, 60),
		place = func(holder: CollisionShape2D) -> void: holder.position.y = 20.0,
		turn = func(holder: CollisionShape2D) -> void: holder.rotation = 0.2,
		other_shape = func(holder: CollisionShape2D) -> void: holder.shape = circle(50.0),
		body_scale = func(holder: CollisionShape2D) -> void: holder.get_parent().scale.y = 0.5,
	}
	for way: String in ways:
		var body := StaticBody2D.new()
		var rope := await asleep_on(body)
		ways[way].call(body.get_child(0))
		await check_wakes(rope, way)
		rope.free()
		body.free()


func test_it_wakes_when_something_arrives() -> void:
	var rope := await asleep_on(StaticBody2D.new())
	# Out of nowhere.
	var box := body_at(StaticBody2D.new(), Vector2(576, 390), rectangle(Vector2(20, 30)))
	await ticks(1)
	await check_wakes(rope, "a body that appeared")
	box.free()
	check_true(await until_asleep([rope]), "it comes to rest")
	# From afar, at 3000 px/s, through the rope's end.
	var ball := body_at(AnimatableBody2D.new(), Vector2(3000, 396), circle(6.0))
	ball.sync_to_physics = false
	while rope.sleeping and ball.position.x > -500.0:
		ball.position.x -= 50.0
		await ticks(1)
	check_gt(ball.position.x, 450.0, "where the ball is when the rope wakes")


func test_it_wakes_when_a_body_lands_on_it() -> void:
	var rope := await asleep_on(StaticBody2D.new())
	var crate := body_at(RigidBody2D.new(), Vector2(576, 200), rectangle(Vector2(30, 30)))
	var woken := count_emissions(rope, "sleeping_state_changed")
	for i in 120:
		await ticks(1)
		if not rope.sleeping:
			break
	check_eq(woken.size(), 1, "changes of sleep")
	check_gt(crate.position.y, 340.0, "height of the crate when it wakes")


func test_a_rope_put_to_sleep_wakes_too() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(380.0, {can_sleep = false})
	await seconds(1.0)
	rope.can_sleep = true
	rope.sleeping = true
	await ticks(10)
	check_true(rope.sleeping, "put to sleep")
	body.free()
	await check_wakes(rope, "support freed")


func test_a_sleeper_that_was_away_notices_what_changed_meanwhile() -> void:
	var body := StaticBody2D.new()
	var rope := await asleep_on(body)
	remove_child(rope)
	await ticks(5)
	add(rope)
	await ticks(10)
	check_true(rope.sleeping, "back among the same")
	remove_child(rope)
	body.free()
	await ticks(5)
	add(rope)
	await check_wakes(rope, "back, and the floor is gone")


func test_a_paused_sleeper_notices_what_changed_meanwhile() -> void:
	var body := StaticBody2D.new()
	var rope := await asleep_on(body)
	rope.process_mode = Node.PROCESS_MODE_DISABLED
	await ticks(5)
	body.free()
	await ticks(20)
	rope.process_mode = Node.PROCESS_MODE_INHERIT
	await ticks(2)
	await check_wakes(rope, "support freed while it was paused")
	await seconds(0.5)
	check_gt(highest(rope), 420.0, "it falls")


func test_a_moving_exception_does_not_wake_it() -> void:
	var rope := await asleep_on(StaticBody2D.new())
	var ghost := body_at(AnimatableBody2D.new(), Vector2(400, 396), circle(10.0))
	ghost.sync_to_physics = false
	rope.add_collision_exception_with(ghost)
	check_true(await until_asleep([rope]), "it comes to rest")
	var changes := count_emissions(rope, "sleeping_state_changed")
	for i in 60:
		ghost.position.x += 4.0
		await ticks(1)
	check_eq(changes.size(), 0, "changes of sleep")


func test_a_platform_that_starts_under_a_sleeper_never_gets_into_it() -> void:
	for body: PhysicsBody2D in [StaticBody2D.new(), AnimatableBody2D.new(), CharacterBody2D.new()]:
		if body is AnimatableBody2D:
			body.sync_to_physics = false
		var rope := await asleep_on(body)
		for i in 20:
			body.position.y -= 5.0
			await ticks(1)
			var top := body.position.y - 50.0
			check_le(lowest(rope), top - 2.0 + DEEPEST, "%s: lowest point" % body.get_class())
		rope.free()
		body.free()


func test_a_thousand_sleeping_ropes_cost_next_to_nothing() -> void:
	floor_at(400.0, 20000.0)
	var ropes: Array[VerletRope2D] = []
	for i in 1000:
		var rope := make_rope(
			{
				position = Vector2(-4000 + 8 * i, 390),
				length = 60.0,
				end_position = Vector2(60, 0),
				start_pinned = false,
				linear_damp = 8.0
			}
		)
		add(rope)
		ropes.append(rope)
	check_true(await until_asleep(ropes, 20.0), "all sleep")
	await ticks(10)
	var gather := 0.0
	var queries := 0.0
	for i in 120:
		await ticks(1)
		gather += monitor("gather_ms") / 120.0
		queries += monitor("queries") / 120.0
	print("1000 sleepers: %.4f ms, %.2f queries a tick" % [gather, queries])
	check_lt(gather, 0.1, "time of gathering in ms")
	check_lt(queries, 5.0, "questions a tick")


func test_it_wakes_when_what_it_lies_on_gets_another_surface() -> void:
	var slope := StaticBody2D.new()
	slope.rotation = 0.2
	slope.physics_material_override = PhysicsMaterial.new()
	var rope := await asleep_on(slope)
	var before := highest(rope)
	slope.physics_material_override.friction = 0.0
	# What seldom changes is read every few ticks.
	await ticks(4)
	await check_wakes(rope, "friction 0")
	await seconds(0.5)
	check_gt(highest(rope), before + 2.0, "it slides: its highest point")
	rope.free()
	slope.free()
	var conveyor := StaticBody2D.new()
	rope = await asleep_on(conveyor)
	var from := rope.get_point_position(0).x
	conveyor.constant_linear_velocity = Vector2(60, 0)
	await ticks(4)
	await check_wakes(rope, "conveyor switched on")
	await seconds(1.0)
	check_gt(rope.get_point_position(0).x, from + 20.0, "it is carried: its start")
	rope.free()
	conveyor.free()
	var gate := StaticBody2D.new()
	rope = await asleep_on(gate)
	gate.get_child(0).one_way_collision = true
	await ticks(4)
	await check_wakes(rope, "one-way switched on")


func test_what_is_put_elsewhere_wakes_nothing_on_the_line_of_its_jump() -> void:
	floor_at(1500.0)
	var rope := await loose_rope(1480.0)
	check_true(await until_asleep([rope]), "it comes to rest")
	var changes := count_emissions(rope, "sleeping_state_changed")
	var ball := body_at(AnimatableBody2D.new(), Vector2(0, 1080), circle(40.0))
	ball.sync_to_physics = false
	# At all turns of what is looked at every third tick.
	for i in 6:
		await ticks(5 + i)
		ball.position = Vector2(340, 1300)
		await ticks(6)
		ball.position = Vector2(0, 1080)
	check_eq(changes.size(), 0, "changes of sleep")


func test_it_wakes_when_it_grows_into_a_wall() -> void:
	body_at(StaticBody2D.new(), Vector2(606, 250), rectangle(Vector2(40, 400)))
	var rope := await hang_asleep({linear_damp = 5.0})
	rope.collision_radius = 20.0
	await check_wakes(rope, "collision_radius")
	check_true(await until_asleep([rope]), "it comes to rest")
	check_le(tip(rope).x, 586.0 - 20.0 + DEEPEST, "its end is pushed off")


func test_one_woken_by_a_method_and_by_a_change_is_stepped_once() -> void:
	var body := AnimatableBody2D.new()
	body.sync_to_physics = false
	var rope := await asleep_on(body)
	rope.sleeping = false
	body.position.y -= 3.0
	for i in 5:
		await ticks(1)
		check_eq(monitor("awake"), 1.0, "ropes stepped in tick %d" % i)
