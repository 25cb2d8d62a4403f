extends "res://tests/support/soft_test.gd"
## Hands on soft bodies: of the player, by mouse and fingers, and of scripts.


func test_the_mouse_drags_the_body_and_lets_it_go() -> void:
	var body := await soft({gravity_scale = 0, mouse_grab = true})
	var at := body.get_point_position(12) + Vector2(3, 2)
	await move_mouse(at)
	await press(at)
	await drag_on(at, at + Vector2(150, -60), 0.5)
	await seconds(0.5)
	check_near(
		body.get_point_position(12), at + Vector2(147, -62), 1.5, "the point under the mouse"
	)
	check_near(body.position.x, 726.0, 30.0, "the node goes along")
	await let_go(at + Vector2(150, -60))
	body.gravity_scale = 1
	await seconds(0.5)
	check_gt(body.position.y, 300.0, "falls when let go")


func test_it_is_grabbed_inside_and_within_its_radius_only() -> void:
	# From the outline, to the right.
	var grabs := {-50.0: true, -5.0: true, 15.0: true, 25.0: false}
	for distance: float in grabs:
		var body := await soft({gravity_scale = 0, mouse_grab = true, grab_radius = 20})
		var at := Vector2(626 + distance, 300)
		await press(at)
		await drag_on(at, at + Vector2(40, 0), 0.2)
		check_eq(body.position.x > 577.0, grabs[distance], "grabbed at %s px" % distance)
		await let_go(at + Vector2(40, 0))
		body.free()


func test_only_a_body_that_may_be_grabbed_is() -> void:
	var body := await soft({gravity_scale = 0})
	await press(body.position)
	await drag_on(body.position, body.position + Vector2(40, 0), 0.2)
	check_near(body.position, Vector2(576, 300), 0.1, "not grabbed")
	await let_go(body.position + Vector2(40, 0))


func test_scripts_grab_drag_and_release() -> void:
	var body := await soft({gravity_scale = 0})
	check_eq(body.grab(Vector2(100, 100), 20), -1, "nothing near")
	var hand := body.grab(Vector2(526, 250), 5)
	check_ge(hand, 0.0, "handle")
	for i in 30:
		body.drag(hand, Vector2(526 + 3 * i, 250))
		await ticks(1)
	check_near(body.get_point_position(0), Vector2(613, 250), 1.0, "held corner")
	body.release(hand)
	body.release(hand)
	expect_soft_error(body, "drag(): handle %d holds nothing" % hand)
	body.drag(hand, Vector2.ZERO)


func test_a_weak_hand_slips() -> void:
	var body := await soft({grab_force = 200.0})
	var hand := body.grab(body.position, 30)
	for i in 40:
		body.drag(hand, Vector2(576, 300))
		await ticks(1)
	check_gt(body.position.y, 330.0, "too heavy for the hand")
	var strong := await soft({grab_force = 50000.0})
	hand = strong.grab(strong.position, 30)
	for i in 40:
		strong.drag(hand, Vector2(576, 300))
		await ticks(1)
	check_near(strong.position, Vector2(576, 300), 60.0, "held by a strong one")


func test_a_finger_drags_it() -> void:
	var body := await soft({gravity_scale = 0, mouse_grab = true})
	var at := Vector2(576, 300)
	_touch(at, true)
	await ticks(1)
	for i in 20:
		_drag_finger(at + Vector2(3 * i, 0))
		await ticks(1)
	check_gt(body.position.x, 600.0, "dragged")
	_touch(at + Vector2(57, 0), false)
	await ticks(1)


func _touch(at: Vector2, pressed: bool) -> void:
	var event := InputEventScreenTouch.new()
	event.index = 1
	event.position = _in_window(at)
	event.pressed = pressed
	Input.parse_input_event(event)


func _drag_finger(at: Vector2) -> void:
	var event := InputEventScreenDrag.new()
	event.index = 1
	event.position = _in_window(at)
	Input.parse_input_event(event)
