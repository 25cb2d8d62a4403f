extends "res://tests/support/soft_test.gd"
## A soft body and its node: the one moves the other.


func test_a_rectangle_is_laid_out_around_its_node_row_by_row() -> void:
	var body := await soft(
		{size = Vector2(80, 40), particle_count = Vector2i(5, 3), gravity_scale = 0}
	)
	check_eq(body.get_point_count(), 15, "points")
	var points := body.get_points()
	for i in 15:
		var rest := body.position + Vector2(-40 + 20 * (i % 5), -20 + 20 * (i / 5))
		check_near(points[i], rest, 0.01, "point %d" % i)
		check_eq(body.get_point_position(i), points[i], "position %d" % i)
	check_near(body.get_center(), body.position, 0.01, "center")
	check_near(body.get_area(), 3200.0, 1.0, "area")
	check_eq(body.get_outline().size(), 12, "outline")
	check_near(body.get_current_stretch(), 0.0, 0.001, "stretch")


func test_it_falls_and_takes_its_node_and_its_children_along() -> void:
	var body := make_soft({linear_damp = 0})
	var sprite := Sprite2D.new()
	sprite.position = Vector2(10, -5)
	body.add_child(sprite)
	var camera := Camera2D.new()
	body.add_child(camera)
	add(body)
	for i in 30:
		await ticks(1)
		check_near(body.global_position, middle(body), 0.01, "node on the middle")
		check_near(sprite.global_position, middle(body) + Vector2(10, -5), 0.01, "sprite")
	check_gt(body.position.y, 400.0, "way of the fall")
	check_near(body.position.x, 576.0, 0.01, "straight down")
	check_near(body.linear_velocity, Vector2(0, 490), 30.0, "velocity")


func test_a_node_that_is_put_elsewhere_takes_the_body_along_with_its_velocity() -> void:
	var body := await soft()
	await seconds(0.3)
	var velocity := body.linear_velocity
	body.global_position = Vector2(200, 100)
	check_near(middle(body), Vector2(200, 100), 0.01, "points at once")
	await ticks(1)
	check_near(body.linear_velocity, velocity, 30.0, "velocity")
	check_near(body.global_position.x, 200.0, 0.1, "x")
	check_lt(deformation(body), 1.0, "deformation")
	body.global_rotation = PI / 2
	await ticks(1)
	check_near(body.global_rotation, PI / 2, 0.001, "rotation")
	check_near(body.get_point_position(0), body.to_global(Vector2(-50, -50)), 1.0, "first corner")


func test_velocities_are_read_and_set_as_those_of_a_rigid_body() -> void:
	var body := await soft({gravity_scale = 0, linear_damp = 0})
	body.linear_velocity = Vector2(120, -60)
	check_near(body.linear_velocity, Vector2(120, -60), 0.1, "velocity")
	await seconds(1.0)
	check_near(body.global_position, Vector2(696, 240), 1.0, "place after a second")
	body.linear_velocity = Vector2.ZERO
	body.angular_velocity = 1.0
	check_near(body.angular_velocity, 1.0, 0.01, "angular velocity")
	await ticks(6)
	check_gt(body.global_rotation, 0.05, "turned")


func test_scale_and_skew_of_the_node_stay_as_they_are() -> void:
	for scale: Vector2 in [Vector2(2, 2), Vector2(1.5, 0.7), Vector2(-1, 1), Vector2(1, -2)]:
		var parent: Node2D = add(Node2D.new())
		parent.position = Vector2(100, 50)
		parent.rotation = 0.4
		var body := make_soft({scale = scale, skew = 0.2, rotation = 0.3, gravity_scale = 0.5})
		parent.add_child(body)
		await ticks(1)
		var before := body.global_transform
		var skew := body.skew
		for i in 30:
			await ticks(1)
		check_eq(body.scale, scale, "scale")
		check_eq(body.skew, skew, "skew")
		check_near(body.global_transform.x, before.x, 0.001, "x axis at %s" % scale)
		check_near(body.global_transform.y, before.y, 0.001, "y axis at %s" % scale)
		check_near(body.global_position, middle(body), 0.1, "on the middle at %s" % scale)
		check_lt(deformation(body), 1.0, "deformation at %s" % scale)
		parent.free()


func test_a_node_that_is_mirrored_or_scaled_keeps_the_body_as_it_is_until_reset() -> void:
	for scale: Vector2 in [Vector2(-1, 1), Vector2(1, -1), Vector2(2, 2)]:
		var body := await soft({gravity_scale = 0})
		await ticks(5)
		var points := body.get_points()
		body.scale = scale
		await ticks(5)
		check_near(body.rotation, 0.0, 0.001, "rotation at %s" % scale)
		check_eq(body.scale, scale, "scale")
		check_lt(largest_distance(body.get_points(), points), 0.1, "points at %s" % scale)
		body.reset()
		await ticks(5)
		check_near(
			body.get_point_position(0), body.to_global(Vector2(-50, -50)), 0.1, "after reset"
		)
		check_near(body.rotation, 0.0, 0.001, "rotation after reset at %s" % scale)
		body.free()


func test_a_body_that_does_not_move_its_node_leaves_it_where_it_is() -> void:
	var body := await soft({move_node = false})
	await seconds(0.3)
	check_eq(body.position, Vector2(576, 300), "node")
	check_gt(middle(body).y, 320.0, "points")
	body.position = Vector2(100, 300)
	await ticks(1)
	check_near(middle(body).x, 576.0, 0.1, "points stay")


func test_a_parent_that_moves_takes_the_body_along() -> void:
	var parent: Node2D = add(Node2D.new())
	var body := make_soft({gravity_scale = 0})
	parent.add_child(body)
	await ticks(5)
	parent.position = Vector2(50, -20)
	await ticks(1)
	check_near(middle(body), Vector2(626, 280), 0.1, "points")
	check_near(body.position, Vector2(576, 300), 0.1, "place below the parent")


func test_teleport_lays_it_out_at_rest_or_carries_it_along() -> void:
	var body := await soft()
	await seconds(0.3)
	var velocity := body.linear_velocity
	body.teleport(Transform2D(0.5, Vector2(300, 100)), true)
	check_near(middle(body), Vector2(300, 100), 0.1, "carried")
	check_near(body.linear_velocity, velocity, 1.0, "velocity kept")
	body.teleport(Transform2D(0, Vector2(400, 100)))
	check_near(middle(body), Vector2(400, 100), 0.1, "laid out")
	check_eq(body.linear_velocity, Vector2.ZERO, "at rest")
	await ticks(1)
	check_near(body.global_position, Vector2(400, 100), 1.0, "node")


func test_a_script_that_overrides_everything_switches_nothing_off() -> void:
	var body: SoftBody2D = override_everything(make_soft())
	add(body)
	await seconds(0.3)
	check_gt(body.position.y, 320.0, "way of the fall")


func test_a_paused_body_stands_still_and_goes_on() -> void:
	var body := await soft()
	await ticks(10)
	body.process_mode = Node.PROCESS_MODE_DISABLED
	await ticks(1)
	var points := body.get_points()
	await ticks(10)
	check_eq(body.get_points(), points, "points while paused")
	body.process_mode = Node.PROCESS_MODE_INHERIT
	await ticks(10)
	check_gt(body.get_points()[0].y, points[0].y + 1.0, "goes on")


func test_it_leaves_the_tree_and_comes_back() -> void:
	var body := await soft()
	await ticks(10)
	var points := body.get_points()
	remove_child(body)
	await ticks(5)
	add_child(body)
	check_eq(body.get_points(), points, "points")
	await ticks(10)
	check_gt(body.get_points()[0].y, points[0].y + 1.0, "goes on")
