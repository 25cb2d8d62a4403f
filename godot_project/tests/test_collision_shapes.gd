extends "res://tests/support/collision_test.gd"
## Every type of shape, body and transform is met where it is.


func test_a_rope_lies_on_a_floor_and_sleeps() -> void:
	floor_at(400.0)
	var rope := await loose_rope(300.0)
	check_true(await until_asleep([rope]), "it comes to rest")
	check_lies_on(rope, 400.0, "floor")
	check_lt(worst_strain(rope), 0.01, "stretch")


func test_all_types_of_shapes_hold_a_rope() -> void:
	var convex := ConvexPolygonShape2D.new()
	convex.points = PackedVector2Array([Vector2(-200, 20), Vector2(0, -20), Vector2(200, 20)])
	var concave := ConcavePolygonShape2D.new()
	concave.segments = PackedVector2Array(
		[Vector2(-200, 0), Vector2(0, -20), Vector2(0, -20), Vector2(200, 0)]
	)
	var boundary := WorldBoundaryShape2D.new()
	boundary.normal = Vector2.UP
	boundary.distance = 20.0
	var capsule := CapsuleShape2D.new()
	capsule.radius = 20.0
	capsule.height = 200.0
	var ray := SeparationRayShape2D.new()
	ray.length = 50.0
	# The shape, how it is turned, where its top is above the middle of the rope.
	var cases := [
		[circle(20.0), 0.0, 20.0],
		[rectangle(Vector2(400, 40)), 0.0, 20.0],
		[capsule, 0.0, 100.0],
		[capsule, PI / 2, 20.0],
		[segment(Vector2(-200, -20), Vector2(200, -20)), 0.0, 20.0],
		[boundary, 0.0, 20.0],
		[convex, 0.0, 20.0],
		[concave, 0.0, 20.0],
		[ray, PI, NAN],
	]
	for case: Array in cases:
		var what: String = case[0].get_class()
		var transform := Transform2D(case[1], Vector2.ZERO)
		var body := body_at(StaticBody2D.new(), Vector2(576, 400), case[0], transform)
		var rope := await loose_rope(400.0 - (20.0 if is_nan(case[2]) else case[2]) - 40.0)
		await seconds(1.5)
		if is_nan(case[2]):
			check_gt(lowest(rope), 480.0, what + ": is let through")
		else:
			var height := _middle_height(rope, 576.0)
			check_near(height, 400.0 - case[2] - 2.0, DEEPEST, what + ": height on it")
		rope.free()
		body.free()


func test_scaled_turned_and_mirrored_bodies_are_met_where_they_are() -> void:
	var triangle := ConvexPolygonShape2D.new()
	triangle.points = PackedVector2Array([Vector2(-100, 0), Vector2(300, 0), Vector2(-100, -40)])
	var body := body_at(StaticBody2D.new(), Vector2(576, 400), triangle)
	# How the body is, and how high it stands at x = 576.
	var cases := [
		[Transform2D(Vector2.RIGHT, Vector2.DOWN, Vector2(576, 400)), 30.0],
		[Transform2D(Vector2.LEFT, Vector2.DOWN, Vector2(576, 400)), 30.0],
		[Transform2D(Vector2.RIGHT, Vector2.DOWN * 2.0, Vector2(576, 400)), 60.0],
		[Transform2D(Vector2.RIGHT, Vector2.UP, Vector2(576, 400)), 0.0],
		[Transform2D(0.2, Vector2(576, 400)), NAN],
		[Transform2D(Vector2(1, 0.3), Vector2(0.2, 1), Vector2(576, 400)), NAN],
	]
	for case: Array in cases:
		body.transform = case[0]
		var rope := await hang(
			{
				position = Vector2(506, 300),
				end_position = Vector2(140, 0),
				end_pinned = true,
				length = 400.0,
				linear_damp = 4.0,
			}
		)
		await seconds(2.0)
		var what := str(case[0])
		var corners := PackedVector2Array()
		for point in triangle.points:
			corners.append(body.global_transform * point)
		var worst := INF
		for point in rope.get_points():
			worst = minf(worst, _distance_to(corners, point))
		check_near(worst, 2.0, DEEPEST, what + ": least distance")
		if not is_nan(case[1]):
			check_near(_middle_height(rope, 576.0), 398.0 - case[1], 3.0, what + ": height on it")
		rope.free()


func test_scaled_and_skewed_collision_shapes_are_met_where_they_are() -> void:
	var body := body_at(
		StaticBody2D.new(),
		Vector2(576, 400),
		rectangle(Vector2(20, 20)),
		Transform2D(Vector2(20, 0), Vector2(4, 3), Vector2(0, -10))
	)
	var rope := await loose_rope(300.0)
	await seconds(2.0)
	# The top is 10 x 3 px above the shape's middle.
	check_lies_on(rope, 400.0 - 10.0 - 30.0, "scaled and skewed shape")
	body.free()


func test_all_bodies_are_met() -> void:
	for body: CollisionObject2D in [
		StaticBody2D.new(), AnimatableBody2D.new(), CharacterBody2D.new(), RigidBody2D.new()
	]:
		if body is RigidBody2D:
			body.gravity_scale = 0.0
			# It floats, and would be pushed down.
			body.mass = 1e6
		body_at(body, Vector2(576, 450), rectangle(Vector2(600, 100)))
		var rope := await loose_rope(340.0)
		await seconds(2.0)
		check_lies_on(rope, 400.0, body.get_class())
		rope.free()
		body.free()


func test_areas_are_no_obstacles() -> void:
	body_at(Area2D.new(), Vector2(576, 450), rectangle(Vector2(600, 100)))
	var rope := await loose_rope(340.0)
	await seconds(0.5)
	check_gt(highest(rope), 400.0, "falls through")


func test_bodies_without_nodes_are_met() -> void:
	var shape := PhysicsServer2D.rectangle_shape_create()
	PhysicsServer2D.shape_set_data(shape, Vector2(300, 50))
	var body := PhysicsServer2D.body_create()
	PhysicsServer2D.body_set_mode(body, PhysicsServer2D.BODY_MODE_STATIC)
	PhysicsServer2D.body_add_shape(body, shape)
	PhysicsServer2D.body_set_space(body, get_viewport().world_2d.space)
	PhysicsServer2D.body_set_state(
		body, PhysicsServer2D.BODY_STATE_TRANSFORM, Transform2D(0.0, Vector2(576, 450))
	)
	var rope := await loose_rope(340.0, {contact_monitor = true})
	var entered := count_emissions(rope, "body_entered")
	check_true(await until_asleep([rope]), "it comes to rest")
	check_lies_on(rope, 400.0, "node-less body")
	check_eq(entered.size(), 0, "signals of bodies without nodes")
	PhysicsServer2D.shape_set_data(shape, Vector2(300, 20))
	await check_wakes(rope, "its shape changed")
	await seconds(1.0)
	check_lies_on(rope, 430.0, "flatter")
	PhysicsServer2D.free_rid(body)
	PhysicsServer2D.free_rid(shape)
	await seconds(0.5)
	check_gt(highest(rope), 450.0, "falls when it is freed")


func test_more_than_2048_shapes_nearby_all_count() -> void:
	var body := StaticBody2D.new()
	var shape := rectangle(Vector2(4, 4))
	for x in 100:
		for y in 30:
			var owner_id := body.create_shape_owner(body)
			body.shape_owner_add_shape(owner_id, shape)
			body.shape_owner_set_transform(owner_id, Transform2D(0.0, Vector2(4 * x, 4 * y)))
	body.position = Vector2(376, 400)
	add(body)
	var rope := await loose_rope(340.0)
	await seconds(1.5)
	check_lies_on(rope, 398.0, "3000 shapes")


func test_many_shapes_of_other_layers_do_not_hide_the_floor() -> void:
	var shape := circle(2.0)
	for i in 2500:
		var area := Area2D.new()
		area.collision_layer = 2
		body_at(area, Vector2(380 + i % 50 * 8, 200 + i / 50 * 4), shape)
	floor_at(400.0)
	var rope := await loose_rope(340.0)
	await seconds(1.5)
	check_lies_on(rope, 400.0, "among 2500 areas")


func test_a_moved_replaced_disabled_shape_is_seen_in_the_next_tick() -> void:
	var body := body_at(StaticBody2D.new(), Vector2(576, 450), rectangle(Vector2(600, 100)))
	var holder: CollisionShape2D = body.get_child(0)
	var rope := await loose_rope(340.0, {can_sleep = false})
	await seconds(1.5)
	check_lies_on(rope, 400.0, "at first")
	holder.shape.size.y = 60.0
	await seconds(1.0)
	check_lies_on(rope, 420.0, "changed size")
	holder.position.y = 10.0
	await seconds(1.0)
	check_lies_on(rope, 430.0, "moved shape")
	holder.shape = rectangle(Vector2(600, 20))
	await seconds(1.0)
	check_lies_on(rope, 450.0, "replaced shape")
	holder.set_deferred("disabled", true)
	await seconds(0.5)
	check_gt(highest(rope), 480.0, "disabled shape")


## Height of the rope above a place.
func _middle_height(rope: VerletRope2D, x: float) -> float:
	var points := rope.get_points()
	var y := INF
	for i in points.size() - 1:
		var one := points[i]
		var other := points[i + 1]
		if (one.x - x) * (other.x - x) <= 0.0 and one.x != other.x:
			y = minf(y, lerpf(one.y, other.y, (x - one.x) / (other.x - one.x)))
	return y


func _distance_to(polygon: PackedVector2Array, point: Vector2) -> float:
	var least := INF
	for i in polygon.size():
		var next := polygon[(i + 1) % polygon.size()]
		var nearest := Geometry2D.get_closest_point_to_segment(point, polygon[i], next)
		least = minf(least, nearest.distance_to(point))
	return -least if Geometry2D.is_point_in_polygon(point, polygon) else least
