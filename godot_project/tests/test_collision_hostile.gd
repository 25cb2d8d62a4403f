extends "res://tests/support/collision_test.gd"
## Hostile shapes, bodies and moments: nothing panics, nothing is poisoned, nothing is printed.


func polygon(points: Array) -> ConvexPolygonShape2D:
	var shape := ConvexPolygonShape2D.new()
	shape.points = PackedVector2Array(points)
	return shape


## The rope is sound, and a floor below still holds it.
func check_sound(rope: VerletRope2D, what: String) -> void:
	check_true(all_finite(rope.get_points()), what + ": points are finite")
	check_lt(worst_strain(rope), 0.05, what + ": stretch")
	check_eq(monitor("recoveries"), 0.0, what + ": recoveries")


func test_degenerate_shapes_are_harmless() -> void:
	floor_at(500.0)
	var concave := ConcavePolygonShape2D.new()
	concave.segments = PackedVector2Array(
		[Vector2(0, 0), Vector2(0, 0), Vector2(5, 5), Vector2(5, 5)]
	)
	var empty := ConcavePolygonShape2D.new()
	var flat_capsule := CapsuleShape2D.new()
	flat_capsule.radius = 0.0
	flat_capsule.height = 0.0
	var shapes: Array[Shape2D] = [
		polygon([Vector2.ZERO, Vector2.ZERO, Vector2.ZERO]),
		polygon([Vector2(-50, 0), Vector2(0, 0), Vector2(50, 0)]),
		polygon([Vector2(-50, 0), Vector2(50, 0)]),
		polygon([Vector2(0, -9), Vector2(9, 9), Vector2(-9, 9), Vector2(0, -9), Vector2(9, 9)]),
		circle(0.0),
		circle(1e-6),
		rectangle(Vector2(0, 0)),
		rectangle(Vector2(100, 0)),
		segment(Vector2.ZERO, Vector2.ZERO),
		concave,
		empty,
		flat_capsule,
	]
	for shape in shapes:
		var body := body_at(StaticBody2D.new(), Vector2(576, 450), shape)
		var rope := await loose_rope(400.0)
		await seconds(0.8)
		check_sound(rope, "%s %s" % [shape.get_class(), shapes.find(shape)])
		check_le(lowest(rope), 499.0, "above the floor")
		rope.free()
		body.free()


func test_zero_scale_and_skew_are_harmless() -> void:
	floor_at(500.0)
	var body := body_at(StaticBody2D.new(), Vector2(576, 450), rectangle(Vector2(100, 20)))
	var rope := await loose_rope(380.0, {can_sleep = false})
	# The engine itself complains of transforms that cannot be inverted.
	expect_error('Condition "det == 0" is true.', 4)
	for transform: Transform2D in [
		Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2(576, 450)),
		Transform2D(Vector2.RIGHT, Vector2.ZERO, Vector2(576, 450)),
		Transform2D(Vector2.ZERO, Vector2.DOWN, Vector2(576, 450)),
		Transform2D(Vector2.RIGHT, Vector2.RIGHT, Vector2(576, 450)),
		Transform2D(Vector2.RIGHT * 1e-7, Vector2.DOWN * 1e-7, Vector2(576, 450)),
		Transform2D(Vector2.RIGHT * 1e5, Vector2.DOWN * 1e-5, Vector2(576, 450)),
	]:
		body.transform = transform
		await seconds(0.3)
		check_sound(rope, str(transform))
	body.transform = Transform2D(0.0, Vector2(576, 450))
	rope.reset()
	await seconds(0.5)
	check_near(_height_at(rope, 576.0), 438.0, DEEPEST, "back to normal")


func test_a_body_far_away_and_one_that_is_not_finite_are_harmless() -> void:
	floor_at(500.0)
	var far := body_at(StaticBody2D.new(), Vector2(1e7, 1e7), circle(100.0))
	var rope := await loose_rope(440.0, {can_sleep = false})
	await seconds(0.5)
	check_sound(rope, "with a far body")
	# A huge one all around, larger than any number of cells.
	var huge := body_at(StaticBody2D.new(), Vector2(576, 2e6 + 480), rectangle(Vector2(4e6, 4e6)))
	rope.reset()
	await seconds(1.0)
	check_sound(rope, "on a huge body")
	check_near(lowest(rope), 478.0, DEEPEST, "height on the huge body")
	far.free()
	huge.free()


func test_a_concave_shape_of_10000_segments() -> void:
	var segments := PackedVector2Array()
	var before := Vector2(-500, 0)
	for i in 10000:
		var next := Vector2(-500 + 0.1 * (i + 1), 10.0 * sin(i * 0.01))
		segments.append_array([before, next])
		before = next
	var shape := ConcavePolygonShape2D.new()
	shape.segments = segments
	body_at(StaticBody2D.new(), Vector2(576, 400), shape)
	var rope := await loose_rope(340.0, {can_sleep = false})
	await seconds(1.5)
	check_sound(rope, "on 10,000 segments")
	check_near(lowest(rope), 398.0, 12.0, "height on it")
	check_lt(monitor("collide_ms"), 1.0, "time of finding colliders in ms")


func test_shapes_changed_removed_and_added_in_every_tick() -> void:
	floor_at(500.0)
	var body := body_at(StaticBody2D.new(), Vector2(576, 450), circle(20.0))
	var rope := await loose_rope(400.0, {can_sleep = false, contact_monitor = true})
	for i in 120:
		match i % 6:
			0:
				add_shape(body, rectangle(Vector2(10 + i, 10)))
			1:
				body.get_child(0).free()
			2:
				body.get_child(0).shape = polygon(
					[Vector2(-i, 0), Vector2(0, -20), Vector2(i + 1, 5)]
				)
			3:
				body.get_child(0).rotation += 0.5
			4:
				body.get_child(0).free()
				add_shape(body, circle(5.0 + i * 0.1))
			5:
				body.get_child(0).disabled = not body.get_child(0).disabled
		await ticks(1)
	check_sound(rope, "after 120 changes")


func test_a_shared_shape_freed_and_reused() -> void:
	floor_at(500.0)
	var shape := circle(20.0)
	var bodies: Array[StaticBody2D] = []
	for i in 5:
		bodies.append(body_at(StaticBody2D.new(), Vector2(480 + 45 * i, 470), shape))
	var rope := await loose_rope(400.0, {can_sleep = false})
	await seconds(0.5)
	for body in bodies:
		body.free()
		await ticks(1)
	shape.radius = 30.0
	var late := body_at(StaticBody2D.new(), Vector2(576, 470), shape)
	shape = null
	await seconds(0.5)
	check_sound(rope, "after it")
	late.free()


func test_shapes_added_by_the_server_to_the_body_of_a_node() -> void:
	var body := body_at(StaticBody2D.new(), Vector2(576, 450), circle(5.0))
	var shape := PhysicsServer2D.rectangle_shape_create()
	PhysicsServer2D.shape_set_data(shape, Vector2(300, 20))
	PhysicsServer2D.body_add_shape(body.get_rid(), shape)
	var rope := await loose_rope(400.0, {can_sleep = false})
	await seconds(1.0)
	check_lies_on(rope, 430.0, "a shape without an owner")
	# The node's own shape goes: the index of the other changes.
	body.get_child(0).free()
	await seconds(0.5)
	check_lies_on(rope, 430.0, "after the node's shape has gone")
	PhysicsServer2D.free_rid(shape)
	await seconds(0.3)
	check_gt(highest(rope), 440.0, "falls")


func test_spinning_and_jumping_bodies() -> void:
	floor_at(500.0)
	var box := body_at(AnimatableBody2D.new(), Vector2(576, 470), rectangle(Vector2(80, 20)))
	box.sync_to_physics = false
	var rope := await loose_rope(400.0, {can_sleep = false})
	for i in 120:
		box.rotation += 2.9
		if i % 20 == 0:
			box.position.x = 400.0 + fmod(i * 97.0, 300.0)
		if i % 30 == 0:
			box.scale = Vector2(-box.scale.x, box.scale.y)
		await ticks(1)
	check_true(all_finite(rope.get_points()), "points are finite")
	check_eq(monitor("recoveries"), 0.0, "recoveries")


func test_an_avalanche_of_bodies_that_come_and_go() -> void:
	floor_at(500.0)
	var rope := await loose_rope(400.0, {contact_monitor = true})
	var bodies: Array[Node] = []
	for i in 200:
		var body: PhysicsBody2D = RigidBody2D.new() if i % 3 else StaticBody2D.new()
		bodies.append(body_at(body, Vector2(450 + i * 37 % 250, 380), circle(4.0 + i % 9)))
		if bodies.size() > 20:
			if i % 2:
				bodies.pop_front().queue_free()
			else:
				bodies.pop_front().free()
		await ticks(1)
	check_true(all_finite(rope.get_points()), "points are finite")
	check_eq(monitor("recoveries"), 0.0, "recoveries")


func test_a_rope_laid_inside_a_body_gets_out() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(430.0)
	await seconds(1.0)
	check_sound(rope, "out of the floor")
	body.free()


func test_a_huge_rope_in_a_huge_world() -> void:
	floor_at(400.0)
	var rope := await hang(
		{length = 1e6, end_position = Vector2(7e5, 7e5), segments = 50, can_sleep = false}
	)
	await ticks(10)
	check_true(all_finite(rope.get_points()), "points are finite")
	check_lt(monitor("collide_ms"), 100.0, "time of finding colliders in ms")


func test_a_rope_far_from_the_origin_collides() -> void:
	body_at(StaticBody2D.new(), Vector2(1e6, 1e6 + 450), rectangle(Vector2(600, 100)))
	var rope := await loose_rope(0.0, {position = Vector2(1e6 - 100, 1e6 + 370)})
	await seconds(1.5)
	check_near(lowest(rope), 1e6 + 398.0, DEEPEST + 0.1, "height on it")


func test_bad_values_of_the_collision_properties_are_refused() -> void:
	var rope := await hang()
	await check_refused(
		rope, {collision_radius = [-1.0, NAN, INF], impact_threshold = [-1.0, NAN, INF]}
	)


func test_no_engine_call_after_a_body_was_freed_by_the_server() -> void:
	floor_at(500.0)
	var shape := PhysicsServer2D.circle_shape_create()
	PhysicsServer2D.shape_set_data(shape, 20.0)
	var body := PhysicsServer2D.body_create()
	PhysicsServer2D.body_set_mode(body, PhysicsServer2D.BODY_MODE_KINEMATIC)
	PhysicsServer2D.body_add_shape(body, shape)
	PhysicsServer2D.body_set_space(body, get_viewport().world_2d.space)
	PhysicsServer2D.body_set_state(
		body, PhysicsServer2D.BODY_STATE_TRANSFORM, Transform2D(0.0, Vector2(576, 470))
	)
	var rope := await loose_rope(400.0)
	check_true(await until_asleep([rope]), "it comes to rest")
	PhysicsServer2D.free_rid(shape)
	PhysicsServer2D.free_rid(body)
	await check_wakes(rope, "freed")
	await seconds(0.5)
	check_sound(rope, "after it")


func test_the_world_ends_while_ropes_touch() -> void:
	var viewport := SubViewport.new()
	viewport.world_2d = World2D.new()
	add(viewport)
	var body := StaticBody2D.new()
	body.position = Vector2(576, 450)
	add_shape(body, rectangle(Vector2(600, 100)))
	viewport.add_child(body)
	var rope := make_rope(
		{
			position = Vector2(476, 390),
			end_position = Vector2(200, 0),
			start_pinned = false,
			contact_monitor = true
		}
	)
	viewport.add_child(rope)
	await seconds(0.5)
	check_eq(rope.get_colliding_bodies(), [body], "touched")
	viewport.free()
	await ticks(5)
	check_true(not is_instance_valid(rope), "gone")


func _height_at(rope: VerletRope2D, x: float) -> float:
	var points := rope.get_points()
	var y := INF
	for i in points.size() - 1:
		var one := points[i]
		var other := points[i + 1]
		if (one.x - x) * (other.x - x) <= 0.0 and one.x != other.x:
			y = minf(y, lerpf(one.y, other.y, (x - one.x) / (other.x - one.x)))
	return y


func test_a_material_that_is_not_finite_is_harmless() -> void:
	var body := floor_at(400.0)
	body.physics_material_override = PhysicsMaterial.new()
	var rope := await loose_rope(340.0, {can_sleep = false})
	for value: float in [NAN, INF, -INF]:
		body.physics_material_override.friction = value
		body.physics_material_override.bounce = value
		rope.reset()
		await seconds(0.5)
		check_sound(rope, "friction and bounce %s" % value)
		check_lies_on(rope, 400.0, "friction and bounce %s" % value)
