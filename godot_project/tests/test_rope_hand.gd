extends "res://tests/support/rope_test.gd"
## Hands on ropes: of the player, by mouse and fingers, and of scripts.


func test_the_mouse_takes_the_rope_along_and_lets_it_go() -> void:
	var rope := await hang_asleep({mouse_grab = true})
	var at := tip(rope)
	await move_mouse(at)
	await press(at)
	await drag_on(at, at + Vector2(90, -80), 0.3)
	check_near(tip(rope), at + Vector2(90, -80), 1.0, "end under the mouse")
	await seconds(0.5)
	check_near(tip(rope), at + Vector2(90, -80), 1.0, "end under the resting mouse")
	check_lt(worst_strain(rope), EXACT, "strain")
	await let_go(at + Vector2(90, -80))
	await seconds(0.6)
	check_gt(tip(rope).distance_to(at + Vector2(90, -80)), 30.0, "way after letting go")
	await until_asleep([rope])
	check_near(tip(rope), at, 1.0, "end at rest")


func test_it_is_grabbed_between_points_and_within_its_radius_only() -> void:
	for radius: float in [4.0, 20.0, 60.0]:
		for distance: float in [radius - 2.0, radius + 2.0]:
			var rope := await hang_asleep(
				{mouse_grab = true, grab_radius = radius, segments = 4, length = 200}
			)
			# Farther from both points than from the rope.
			var at := rope.get_point_position(3) + Vector2(distance, 25)
			await press(at)
			await drag_on(at, at + Vector2(60, -20), 0.2)
			var moved := not rope.sleeping
			check_eq(moved, distance < radius, "grabbed at %s px of %s" % [distance, radius])
			await let_go(at + Vector2(60, -20))
			rope.free()


func test_only_a_rope_that_may_be_grabbed_is() -> void:
	var off := await hang_asleep({})
	var hidden := await hang_asleep({mouse_grab = true, position = Vector2(700, 100)})
	hidden.visible = false
	var stopped := await hang_asleep({mouse_grab = true, position = Vector2(800, 100)})
	stopped.process_mode = Node.PROCESS_MODE_DISABLED
	await ticks(2)
	for rope: VerletRope2D in [off, hidden, stopped]:
		var before := rope.get_points()
		await _pull(tip(rope))
		check_eq(rope.get_points(), before, "points of a rope that cannot be grabbed")
	off.mouse_grab = true
	hidden.visible = true
	stopped.process_mode = Node.PROCESS_MODE_INHERIT
	await ticks(2)
	for rope: VerletRope2D in [off, hidden, stopped]:
		var before := tip(rope)
		await _pull(before)
		check_gt(tip(rope).distance_to(before), 20.0, "way when it can be grabbed again")


func test_another_button_does_not_grab() -> void:
	var rope := await hang_asleep({mouse_grab = true})
	for button: MouseButton in [MOUSE_BUTTON_RIGHT, MOUSE_BUTTON_MIDDLE]:
		var at := tip(rope)
		await press(at, button)
		await drag_on(at, at + Vector2(50, 0), 0.2, button)
		await let_go(at + Vector2(50, 0), button)
		check_true(rope.sleeping, "asleep")


func test_the_nearest_of_several_ropes_is_grabbed() -> void:
	var ropes: Array[VerletRope2D] = []
	for i in 3:
		ropes.append(await hang_asleep({mouse_grab = true, position = Vector2(500 + 14 * i, 100)}))
	var at := tip(ropes[1]) + Vector2(4, 0)
	await press(at)
	await drag_on(at, at + Vector2(0, -60), 0.2)
	check_true(ropes[0].sleeping and ropes[2].sleeping, "the others sleep")
	check_near(tip(ropes[1]), at + Vector2(-4, -60), 1.0, "the nearest")
	await let_go(at + Vector2(0, -60))


func test_what_is_held_stays_under_the_mouse_while_the_camera_moves() -> void:
	var camera: Camera2D = add(Camera2D.new())
	camera.position = Vector2(576, 300)
	for zoom: float in [1.0, 2.0, 0.5]:
		camera.zoom = Vector2(zoom, zoom)
		camera.position = Vector2(576, 300)
		await frames(2)
		var rope := await hang_asleep({mouse_grab = true, end_mass = 0.2})
		var at := tip(rope)
		await press(at)
		await drag_on(at, at + Vector2(40, -90), 0.2)
		check_near(tip(rope), at + Vector2(40, -90), 1.5, "under the mouse at zoom %s" % zoom)
		for i in 20:
			camera.position += Vector2(2, -1)
			await ticks(1)
		await ticks(2)
		# The mouse has not moved on the screen.
		check_near(tip(rope), at + Vector2(80, -110), 3.0, "with the camera, zoom %s" % zoom)
		await let_go(at + Vector2(80, -110))
		rope.free()


func test_a_rope_on_a_canvas_layer_is_grabbed_where_it_is_seen() -> void:
	var camera: Camera2D = add(Camera2D.new())
	camera.position = Vector2(2000, 900)
	var layer: CanvasLayer = add(CanvasLayer.new())
	layer.offset = Vector2(100, 50)
	layer.scale = Vector2(0.5, 0.5)
	await frames(2)
	var rope := make_rope({mouse_grab = true})
	layer.add_child(rope)
	await until_asleep([rope])
	var before := tip(rope)
	# The helpers take places of the world.
	var world := get_viewport().canvas_transform.affine_inverse()
	var at := world * (layer.transform * before)
	await press(at)
	await drag_on(at, at + Vector2(30, -40), 0.2)
	check_near(tip(rope), before + Vector2(60, -80), 2.0, "end under the mouse")
	await let_go(at + Vector2(30, -40))


func test_a_rope_in_a_sub_viewport_is_grabbed_where_it_is_seen() -> void:
	var container: SubViewportContainer = add(SubViewportContainer.new())
	container.position = Vector2(200, 100)
	container.size = Vector2(600, 400)
	var viewport := SubViewport.new()
	viewport.size = Vector2i(600, 400)
	container.add_child(viewport)
	var rope := make_rope({mouse_grab = true, position = Vector2(200, 50)})
	viewport.add_child(rope)
	await until_asleep([rope])
	var before := tip(rope)
	var at := before + container.position
	await press(at)
	await drag_on(at, at + Vector2(70, -50), 0.2)
	check_near(tip(rope), before + Vector2(70, -50), 1.5, "end under the mouse")
	await let_go(at + Vector2(70, -50))
	await seconds(0.3)
	check_gt(tip(rope).distance_to(before + Vector2(70, -50)), 5.0, "let go")


func test_a_control_above_takes_the_click() -> void:
	var rope := await hang_asleep({mouse_grab = true})
	var panel := ColorRect.new()
	panel.position = Vector2(400, 250)
	panel.size = Vector2(400, 100)
	add(panel)
	await frames(2)
	await _pull(tip(rope))
	check_true(rope.sleeping, "asleep below a control")
	panel.mouse_filter = Control.MOUSE_FILTER_IGNORE
	var before := tip(rope)
	await _pull(before)
	check_gt(tip(rope).distance_to(before), 20.0, "way below a control that ignores the mouse")


func test_a_click_beside_the_rope_is_left_to_others() -> void:
	var rope := await hang_asleep({mouse_grab = true})
	var script := GDScript.new()
	script.source_code = (
		"extends Node\nvar seen := 0\nfunc _unhandled_input(event):\n"
		+ "\tif event is InputEventMouseButton and event.pressed:\n\t\tseen += 1\n"
	)
	script.reload()
	var other := Node.new()
	other.set_script(script)
	get_tree().root.add_child(other)
	get_tree().root.move_child(other, 0)
	await click(Vector2(300, 500))
	check_eq(other.get("seen"), 1, "clicks beside the rope")
	await click(tip(rope))
	check_eq(other.get("seen"), 1, "clicks that took the rope")
	other.free()


func test_fingers_take_the_rope_each_its_own_place() -> void:
	var rope := await hang_asleep({mouse_grab = true, length = 300})
	var first := rope.get_point_position(12)
	var second := tip(rope)
	_touch(0, first, true)
	_touch(1, second, true)
	await ticks(2)
	for i in 20:
		first += Vector2(3, -1)
		second += Vector2(-2, -3)
		_drag(0, first)
		_drag(1, second)
		await ticks(1)
	await ticks(2)
	check_near(rope.get_point_position(12), first, 1.0, "the first finger")
	check_near(tip(rope), second, 1.0, "the second finger")
	_touch(1, second, false)
	await seconds(0.4)
	check_near(rope.get_point_position(12), first, 1.0, "the first finger alone")
	check_gt(tip(rope).distance_to(second), 20.0, "what the second let go")
	_touch(0, first, false)
	check_true(await until_asleep([rope]), "asleep in the end")


func test_a_paused_game_lets_nothing_be_grabbed_unless_the_rope_goes_on() -> void:
	var rope := await hang_asleep({mouse_grab = true})
	var lively := await hang_asleep({mouse_grab = true, position = Vector2(800, 100)})
	lively.process_mode = Node.PROCESS_MODE_ALWAYS
	await ticks(2)
	get_tree().paused = true
	var before := rope.get_points()
	await _pull(tip(rope))
	check_eq(rope.get_points(), before, "points of the paused rope")
	var at := tip(lively)
	await press(at)
	await drag_on(at, at + Vector2(70, -50), 0.2)
	check_near(tip(lively), at + Vector2(70, -50), 2.0, "a rope that is not paused")
	await let_go(at + Vector2(70, -50))
	get_tree().paused = false
	await ticks(3)
	await check_works(rope, "afterwards")


func test_a_game_that_is_paused_while_a_rope_is_held_goes_on_well() -> void:
	var rope := await hang_asleep({mouse_grab = true})
	var at := tip(rope)
	await press(at)
	await drag_on(at, at + Vector2(60, -40), 0.2)
	get_tree().paused = true
	await drag_on(at + Vector2(60, -40), at + Vector2(-60, -80), 0.2)
	get_tree().paused = false
	await ticks(3)
	check_near(tip(rope), at + Vector2(-60, -80), 2.0, "where the mouse is now")
	get_tree().paused = true
	await let_go(at + Vector2(-60, -80))
	get_tree().paused = false
	await seconds(0.5)
	check_gt(tip(rope).distance_to(at + Vector2(-60, -80)), 20.0, "let go in the pause")


func test_what_is_held_may_be_freed_hidden_cut_and_switched_off() -> void:
	for what: String in ["free", "hide", "cut", "off", "remove", "reset", "state", "wind"]:
		var rope := await hang_asleep({mouse_grab = true})
		var other := await hang_asleep({mouse_grab = true, position = Vector2(900, 100)})
		var at := tip(rope)
		await press(at)
		await drag_on(at, at + Vector2(30, -30), 0.1)
		match what:
			"free":
				rope.free()
			"hide":
				rope.hide()
			"cut":
				rope.cut(10)
			"off":
				rope.mouse_grab = false
			"remove":
				remove_child(rope)
			"reset":
				rope.reset()
			"state":
				rope.set_state(rope.get_state())
			"wind":
				rope.length = 60.0
		await drag_on(at + Vector2(30, -30), at + Vector2(60, -60), 0.1)
		if what == "cut":
			var rest: VerletRope2D = get_child(1)
			check_near(tip(rest), at + Vector2(60, -60), 1.5, "the rest is held on")
		await let_go(at + Vector2(60, -60))
		await ticks(3)
		var before := tip(other)
		await _pull(before)
		check_gt(tip(other).distance_to(before), 20.0, what + ": another rope afterwards")
		if is_instance_valid(rope):
			rope.free()
		for child in get_children():
			child.free()


func test_a_weak_hand_cannot_lift_a_heavy_load_nor_tear_the_rope() -> void:
	var rope := await hang_asleep(
		{mouse_grab = true, end_mass = 3.0, grab_force = 1500.0, break_force = 5000.0}
	)
	var torn := count_emissions(rope, &"torn")
	var at := tip(rope)
	await press(at)
	await drag_on(at, at + Vector2(0, -150), 0.5)
	await seconds(1.0)
	check_gt(tip(rope).y, at.y - 20.0, "height of the load")
	await drag_on(at + Vector2(0, -150), at + Vector2(0, 300), 0.5)
	await seconds(0.5)
	check_eq(torn.size(), 0, "torn")
	await let_go(at + Vector2(0, 300))


func test_a_script_grabs_drags_and_releases() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var rope := await hang_asleep({length = 300.0})
		var place := rope.get_point_position(15) + Vector2(6, 2)
		var hand := rope.grab(place, 30.0)
		check_ge(hand, 0, "handle")
		for i in rate / 2:
			place += Vector2(120.0 / rate, -60.0 / rate)
			rope.drag(hand, place)
			await ticks(1)
			check_near(rope.get_point_position(15), place - Vector2(6, 2), 0.6, "%d ticks" % rate)
		rope.release(hand)
		await ticks(4)
		check_true(not rope.is_point_pinned(15), "let go")
		check_gt(rope.get_point_velocity(15).length(), 5.0, "it flies on")
		rope.free()


func test_a_hand_at_a_held_end_leaves_it_held() -> void:
	var rope := await hang_asleep({end_pinned = true, end_position = Vector2(120, 0)})
	var end := tip(rope)
	var hand := rope.grab(end, 6.0)
	if hand >= 0:
		rope.drag(hand, end + Vector2(40, 40))
		await ticks(5)
		rope.release(hand)
	await ticks(5)
	check_near(tip(rope), end, 0.01, "end")
	check_true(rope.end_pinned, "end_pinned")


func _pull(at: Vector2) -> void:
	await press(at)
	await drag_on(at, at + Vector2(60, -30), 0.2)
	await let_go(at + Vector2(60, -30))


func _touch(finger: int, at: Vector2, pressed: bool) -> void:
	var event := InputEventScreenTouch.new()
	event.index = finger
	event.position = _in_window(at)
	event.pressed = pressed
	Input.parse_input_event(event)


func _drag(finger: int, at: Vector2) -> void:
	var event := InputEventScreenDrag.new()
	event.index = finger
	event.position = _in_window(at)
	Input.parse_input_event(event)
