extends "res://tests/support/soft_test.gd"
## Points of soft bodies: reading, moving, pushing and pinning them; and what holds the body.


func test_pin_modes_hold_the_points_that_they_say() -> void:
	var held := {
		"none": [{}, []],
		"top": [{pin_mode = SoftBody2D.PIN_SIDES}, [0, 1, 2, 3, 4]],
		"right and left":
		[{pin_mode = SoftBody2D.PIN_SIDES, pin_sides = 10}, [0, 4, 5, 9, 10, 14, 15, 19, 20, 24]],
		"every 4th": [{pin_mode = SoftBody2D.PIN_TOP_EVERY}, [0, 4]],
		"every 2nd": [{pin_mode = SoftBody2D.PIN_TOP_EVERY, pin_interval = 2}, [0, 2, 4]],
		"corners": [{pin_mode = SoftBody2D.PIN_CORNERS}, [0, 4, 20, 24]],
		"custom":
		[
			{pin_mode = SoftBody2D.PIN_CUSTOM, pinned_points = PackedInt32Array([12, 3, 99, -1])},
			[3, 12]
		],
	}
	for what: String in held:
		var body := await soft(held[what][0])
		check_eq(pinned(body), held[what][1], what)
		await seconds(0.5)
		for i: int in held[what][1]:
			var rest := Vector2(576, 300) + Vector2(-50 + 25 * (i % 5), -50 + 25 * (i / 5))
			check_near(body.get_point_position(i), rest, 0.01, "%s: point %d" % [what, i])
		body.free()


func test_a_body_that_its_node_holds_is_led_by_it() -> void:
	var body := await soft({pin_mode = SoftBody2D.PIN_SIDES})
	for i in 30:
		body.position.x += 4.0
		await ticks(1)
		check_near(
			body.get_point_position(0), body.position + Vector2(-50, -50), 0.01, "first corner"
		)
	check_eq(body.position, Vector2(696, 300), "node")
	body.pin_mode = SoftBody2D.PIN_NONE
	await seconds(0.5)
	check_gt(body.position.y, 350.0, "way of the fall")


func test_pins_change_while_it_runs() -> void:
	var body := await soft({pin_mode = SoftBody2D.PIN_CORNERS})
	body.pin_mode = SoftBody2D.PIN_SIDES
	check_eq(pinned(body), [0, 1, 2, 3, 4], "top")
	body.pin_sides = 4
	check_eq(pinned(body), [20, 21, 22, 23, 24], "bottom")
	body.particle_count = Vector2i(3, 3)
	check_eq(pinned(body), [6, 7, 8], "bottom of 3x3 points")
	body.reset()
	check_eq(pinned(body), [6, 7, 8], "after reset")


func test_a_point_is_pinned_by_the_node_and_let_go() -> void:
	var body := await soft()
	body.set_point_pinned(12, true)
	check_true(body.is_point_pinned(12), "pinned")
	var at := body.get_point_position(12)
	await seconds(1.0)
	check_near(body.get_point_position(12), at, 0.01, "held point")
	body.set_pin_position(12, at + Vector2(30, 0))
	await ticks(2)
	check_near(body.get_point_position(12), at + Vector2(30, 0), 0.01, "moved pin")
	body.set_point_pinned(12, false)
	await seconds(0.5)
	check_gt(body.position.y, 350.0, "way of the fall")


func test_a_pin_on_another_node_moves_and_turns_with_it_until_that_is_freed() -> void:
	var body := await soft({gravity_scale = 0.2})
	var hook: Node2D = add(Node2D.new())
	hook.position = Vector2(540, 240)
	body.set_point_pinned(0, true, str(body.get_path_to(hook)))
	var local := hook.to_local(body.get_point_position(0))
	for i in 20:
		hook.position.x += 3.0
		hook.rotation += 0.05
		await ticks(1)
		check_near(body.get_point_position(0), hook.to_global(local), 0.01, "held corner")
	check_gt(body.position.x, 590.0, "the node goes along")
	hook.free()
	await ticks(2)
	check_true(not body.is_point_pinned(0), "let go")


func test_a_free_point_is_put_elsewhere_and_comes_back() -> void:
	var body := await soft({gravity_scale = 0})
	body.set_point_position(0, Vector2(500, 220))
	check_near(body.get_point_position(0), Vector2(500, 220), 0.01, "at once")
	await seconds(3.0)
	check_lt(deformation(body), 1.0, "deformation after a while")


func test_the_closest_point_is_found_within_a_distance() -> void:
	var body := await soft({gravity_scale = 0})
	check_eq(body.get_closest_point_index(Vector2(576, 300)), 12, "in the middle")
	check_eq(body.get_closest_point_index(Vector2(500, 200)), 0, "far out")
	check_eq(body.get_closest_point_index(Vector2(500, 200), 10.0), -1, "nothing near")


func test_impulses_and_forces_push_points_and_the_whole() -> void:
	var body := await soft({gravity_scale = 0, mass = 2, linear_damp = 0})
	body.apply_central_impulse(Vector2(200, 0))
	check_near(body.linear_velocity, Vector2(100, 0), 0.5, "central impulse")
	body.reset()
	body.apply_impulse(Vector2(0, 100), body.position + Vector2(50, 0))
	check_near(body.linear_velocity, Vector2(0, 50), 0.5, "impulse beside the middle")
	check_gt(body.angular_velocity, 0.1, "which turns it")
	body.reset()
	body.apply_point_impulse(0, Vector2(10, 0))
	check_gt(body.get_point_velocity(0).x, 50.0, "a point's impulse")
	body.reset()
	body.apply_point_force(0, Vector2(5000, 0))
	await ticks(1)
	check_gt(body.linear_velocity.x, 10.0, "a point's force")
	body.reset()
	body.apply_radial_impulse(body.position + Vector2(0, 80), 400, 300)
	check_lt(body.linear_velocity.y, -20.0, "a blast from below")


func test_an_anchor_rides_on_a_point_and_drives_one() -> void:
	var body := await soft({gravity_scale = 0.5})
	var anchor := PointAnchor2D.new()
	anchor.point = 24
	body.add_child(anchor)
	for i in 20:
		await ticks(1)
		check_near(anchor.global_position, body.get_point_position(24), 0.01, "riding anchor")
	var hand := PointAnchor2D.new()
	hand.mode = PointAnchor2D.MODE_DRIVE
	hand.point = 0
	hand.body = ^"../SoftBody2D"
	body.name = "SoftBody2D"
	hand.position = body.get_point_position(0)
	add(hand)
	for i in 20:
		hand.position += Vector2(2, -2)
		await ticks(1)
	check_near(body.get_point_position(0), hand.position, 2.5, "driven point")


func test_a_body_below_another_goes_its_own_way() -> void:
	# Siblings that come and go change the order in which bodies are moved.
	var first := await soft({collision_mask = 0})
	var outer := await soft({position = Vector2(200, 0), collision_mask = 0, gravity_scale = 0.0})
	var inner := SoftBody2D.new()
	inner.collision_mask = 0
	inner.gravity_scale = 0.0
	inner.position = Vector2(0, 100)
	outer.add_child(inner)
	await ticks(2)
	first.free()
	outer.linear_velocity = Vector2(60, 0)
	await seconds(1.0)
	check_gt(outer.position.x, 220.0, "the outer moves")
	check_near(inner.get_center().x, 200.0, 2.0, "the inner stays")
