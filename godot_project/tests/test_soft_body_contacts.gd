extends "res://tests/support/soft_test.gd"
## What soft bodies touch, the signals of it, and what they let through.


func test_entered_and_exited_tell_what_it_touches() -> void:
	var solid := _floor()
	var body := await soft({contact_monitor = true})
	var entered := count_emissions(body, "body_entered")
	var exited := count_emissions(body, "body_exited")
	check_eq(body.get_colliding_bodies(), [], "in the air")
	await seconds(1.0)
	check_eq(entered[0], [solid], "entered")
	check_true(await _until_asleep(body), "it comes to rest")
	check_eq(body.get_colliding_bodies(), [solid], "bodies while it sleeps")
	check_eq(entered.size(), exited.size() + 1, "entered once more than exited")
	var before := exited.size()
	body.apply_central_impulse(Vector2(0, -400))
	await ticks(15)
	check_eq(exited.size(), before + 1, "exited after a jump")
	check_eq(body.get_colliding_bodies(), [], "in the air again")


func test_it_rests_on_a_floor_upright_and_sleeps() -> void:
	_floor()
	var body := await soft()
	check_true(await _until_asleep(body, 6.0), "asleep")
	check_near(body.global_rotation, 0.0, 0.02, "upright")
	check_near(_lowest(body), 400.0, 2.0, "lowest point")
	var points := body.get_points()
	var transform := body.global_transform
	await seconds(1.0)
	check_eq(body.get_points(), points, "points while asleep")
	check_eq(body.global_transform, transform, "node while asleep")


func test_a_sleeping_body_wakes_when_its_floor_goes_or_it_is_moved() -> void:
	var solid := _floor()
	var body := await soft()
	check_true(await _until_asleep(body), "asleep")
	body.position.y -= 60.0
	await ticks(4)
	check_true(not body.sleeping, "awake when it was moved")
	check_true(await _until_asleep(body), "asleep again")
	solid.position.y += 100.0
	await ticks(6)
	check_true(not body.sleeping, "awake when the floor went")
	check_true(await _until_asleep(body), "asleep below")
	solid.free()
	await seconds(0.5)
	check_gt(body.position.y, 460.0, "falls")


func test_impacts_are_told_of_once() -> void:
	var solid := _floor()
	var body := await soft({position = Vector2(576, 200), impact_threshold = 10.0})
	var impacts := []
	body.impact.connect(
		func(other: Node2D, point: int, at: Vector2, normal: Vector2, impulse: float) -> void:
			impacts.append([other, point, at, normal, impulse])
	)
	await seconds(0.7)
	check_ge(impacts.size(), 1.0, "impacts")
	if impacts:
		check_eq(impacts[0][0], solid, "body")
		check_near(impacts[0][2].y, 400.0, 5.0, "height")
		check_near(impacts[0][3], Vector2.UP, 0.01, "normal")
		check_gt(impacts[0][4], 10.0, "impulse")
		check_true(impacts[0][1] >= 0 and impacts[0][1] < 25, "point")


func test_layers_and_exceptions_let_it_through() -> void:
	var solid := _floor()
	var masked := await soft({collision_mask = 2})
	var excepted := await soft()
	excepted.add_collision_exception_with(solid)
	check_eq(excepted.get_collision_exceptions(), [solid], "exceptions")
	await seconds(0.7)
	check_gt(masked.position.y, 420.0, "another layer")
	check_gt(excepted.position.y, 420.0, "an exception")
	masked.set_collision_mask_value(1, true)
	check_eq(masked.collision_mask, 3, "mask")
	check_true(masked.get_collision_mask_value(2), "layer 2")


func test_its_own_children_are_let_through() -> void:
	var body := make_soft({gravity_scale = 0.0, contact_monitor = true})
	var child := StaticBody2D.new()
	add_shape(child, circle(20.0))
	body.add_child(child)
	add(body)
	await seconds(0.5)
	check_eq(body.get_colliding_bodies(), [], "touches nothing")
	check_near(body.position, Vector2(576, 300), 0.1, "stays")
	check_lt(deformation(body), 0.5, "deformation")


func test_its_material_makes_it_bounce() -> void:
	_floor()
	# What is soft takes up most of it by itself.
	var stiff := {stiffness = 20000.0}
	var dull := await soft(stiff)
	stiff.merge({position = Vector2(800, 300), physics_material_override = material(1, 0.9)})
	var lively := await soft(stiff)
	# From the strike on.
	await seconds(0.35)
	var fastest := [0.0, 0.0]
	for i in 30:
		await ticks(1)
		fastest[0] = maxf(fastest[0], -dull.linear_velocity.y)
		fastest[1] = maxf(fastest[1], -lively.linear_velocity.y)
	check_gt(fastest[1], fastest[0] + 20.0, "it bounces faster")


func test_a_body_that_leaves_the_tree_exits() -> void:
	var solid := _floor()
	var body := await soft({contact_monitor = true})
	check_true(await _until_asleep(body), "asleep")
	var exited := count_emissions(body, "body_exited")
	remove_child(body)
	check_eq(exited, [[solid]], "exited")
	add_child(body)
	await ticks(4)
	check_eq(body.get_colliding_bodies(), [solid], "touches it again")
	solid.free()
	check_eq(exited.size(), 2, "exited when the floor was freed")


func _floor() -> StaticBody2D:
	return body_at(StaticBody2D.new(), Vector2(576, 450), rectangle(Vector2(2000, 100)))


func _lowest(body: SoftBody2D) -> float:
	var y := -INF
	for point in body.get_points():
		y = maxf(y, point.y)
	return y


func _until_asleep(body: SoftBody2D, limit: float = 10.0) -> bool:
	for i in ceili(limit * Engine.physics_ticks_per_second):
		if body.sleeping:
			return true
		await ticks(1)
	return body.sleeping
