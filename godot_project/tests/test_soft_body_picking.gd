extends "res://tests/support/soft_presence_test.gd"
## The mouse over soft bodies: entered, exited, and events.


## A body that hangs in the air and keeps still.
func _floating(at: Vector2, properties: Dictionary = {}) -> SoftBody2D:
	var settings := {gravity_scale = 0.0, position = at}
	settings.merge(properties, true)
	var body := await soft(settings)
	await ticks(1)
	return body


## What the mouse does to a body, in words.
func _listen(body: SoftBody2D, log: Array, word: String = "") -> void:
	body.mouse_entered.connect(func() -> void: log.append(word + "in"))
	body.mouse_exited.connect(func() -> void: log.append(word + "out"))
	body.input_event.connect(
		func(_viewport: Node, event: InputEvent, shape: int) -> void:
			if event is InputEventMouseButton and event.pressed:
				log.append(word + "click %d" % shape)
	)


func before_each() -> void:
	await move_mouse(Vector2(2, 2))
	await ticks(2)


func test_the_mouse_comes_clicks_and_goes() -> void:
	var body := await _floating(Vector2(300, 300))
	var log := []
	_listen(body, log)
	await move_mouse(Vector2(100, 300))
	await ticks(2)
	check_eq(log, [], "beside it")
	await move_mouse(Vector2(300, 300))
	await ticks(2)
	check_eq(log, ["in"], "on it")
	await click(Vector2(310, 310))
	check_eq(log, ["in", "click 0"], "clicked")
	await move_mouse(Vector2(400, 300))
	await ticks(2)
	check_eq(log, ["in", "click 0", "out"], "gone")
	await click(Vector2(420, 300))
	check_eq(log.size(), 3, "clicked beside it")


func test_hollows_are_not_clicked() -> void:
	var letter := PackedVector2Array(
		[
			Vector2(-60, -60),
			Vector2(60, -60),
			Vector2(60, -25),
			Vector2(-25, -25),
			Vector2(-25, 25),
			Vector2(60, 25),
			Vector2(60, 60),
			Vector2(-60, 60)
		]
	)
	var body := await _floating(
		Vector2(300, 300),
		{source = SoftBody2D.SOURCE_POLYGON, polygon = letter, spacing = 12.0, collision_layer = 0}
	)
	var log := []
	_listen(body, log)
	await click(Vector2(330, 300))
	check_eq(log, [], "the hollow")
	await click(Vector2(255, 300))
	check_eq(log, ["in", "click 0"], "the back")


func test_a_body_that_moves_below_the_mouse_is_noticed() -> void:
	var body := await _floating(Vector2(300, 300))
	var log := []
	_listen(body, log)
	await move_mouse(Vector2(500, 300))
	await ticks(40)
	check_eq(log, [], "away from it")
	body.linear_velocity = Vector2(300, 0)
	await seconds(0.6)
	check_eq(log, ["in"], "it comes")
	await seconds(0.6)
	check_eq(log, ["in", "out"], "and goes")


func test_the_topmost_is_told_first_and_may_keep_it() -> void:
	var names := ["low", "high", "layer"]
	var log := []
	var bodies: Array[SoftBody2D] = []
	for i in 3:
		bodies.append(await _floating(Vector2(300 + 5 * i, 300)))
		_listen(bodies[i], log, names[i] + " ")
	# The first in the tree is raised; the last is on a layer below all.
	bodies[1].z_index = 3
	var layer := CanvasLayer.new()
	layer.layer = -5
	add(layer)
	bodies[2].reparent(layer)
	await ticks(3)
	log.clear()
	await click(Vector2(305, 300))
	log = log.filter(func(word: String) -> bool: return word.contains("click"))
	check_eq(log, ["high click 0", "low click 0", "layer click 0"], "in order")
	var other := []
	for i in 3:
		bodies[i].input_event.connect(
			func(viewport: Viewport, event: InputEvent, _shape: int) -> void:
				if event is InputEventMouseButton:
					other.append(names[i])
					viewport.set_input_as_handled()
		)
	await click(Vector2(306, 300))
	check_eq(other.filter(func(word: String) -> bool: return word != "high"), [], "kept by the topmost")
	get_viewport().physics_object_picking_first_only = true
	await move_mouse(Vector2(2, 2))
	await ticks(3)
	var entered := [0]
	for body in bodies:
		body.mouse_entered.connect(func() -> void: entered[0] += 1)
	await move_mouse(Vector2(305, 300))
	await ticks(3)
	check_eq(entered[0], 1, "how many are entered")
	get_viewport().physics_object_picking_first_only = false


func test_cameras_layers_and_viewports_count() -> void:
	var camera := Camera2D.new()
	camera.position = Vector2(1000, 500)
	camera.zoom = Vector2(2, 2)
	add(camera)
	camera.make_current()
	var body := await _floating(Vector2(1000, 500))
	await frames(2)
	var log := []
	_listen(body, log)
	await click(Vector2(1045, 500))
	check_eq(log, ["in", "click 0"], "by a camera that zooms")
	await click(Vector2(1056, 500))
	check_eq(log, ["in", "click 0", "out"], "beside it")
	camera.free()
	log.clear()
	var layer := CanvasLayer.new()
	layer.transform = Transform2D(0.0, Vector2(0.5, 0.5), 0.0, Vector2(100, 100))
	add(layer)
	body.reparent(layer, false)
	body.teleport(Transform2D(0.0, Vector2(400, 400)))
	await ticks(3)
	await click(Vector2(300, 300))
	check_eq(log, ["in", "click 0"], "on a layer")
	body.free()
	var container := SubViewportContainer.new()
	container.position = Vector2(200, 100)
	container.size = Vector2(300, 300)
	container.stretch = true
	var viewport := SubViewport.new()
	viewport.physics_object_picking = true
	container.add_child(viewport)
	add(container)
	var inner: SoftBody2D = make_soft({gravity_scale = 0.0, position = Vector2(150, 150)})
	viewport.add_child(inner)
	await ticks(3)
	log.clear()
	_listen(inner, log)
	await click(Vector2(350, 250))
	check_eq(log, ["in", "click 0"], "in a viewport of its own")
	viewport.physics_object_picking = false
	await click(Vector2(350, 250))
	check_eq(log.count("click 0"), 1, "when the viewport does not pick")


func test_hidden_paused_and_deaf_bodies_are_not_told() -> void:
	var body := await _floating(Vector2(300, 300))
	var log := []
	_listen(body, log)
	body.input_pickable = false
	await click(Vector2(300, 300))
	check_eq(log, [], "not pickable")
	body.input_pickable = true
	await click(Vector2(300, 300))
	check_eq(log, ["in", "click 0"], "pickable again")
	body.hide()
	await ticks(2)
	check_eq(log.back(), "out", "hidden")
	await click(Vector2(300, 300))
	check_eq(log.size(), 3, "clicked while it is hidden")
	body.show()
	body.process_mode = Node.PROCESS_MODE_DISABLED
	await click(Vector2(300, 300))
	check_eq(log.size(), 3, "clicked while it is disabled")


func test_what_the_interface_takes_does_not_reach_the_body() -> void:
	var body := await _floating(Vector2(300, 300))
	var log := []
	_listen(body, log)
	var panel := Panel.new()
	panel.position = Vector2(280, 280)
	panel.size = Vector2(100, 100)
	add(panel)
	await frames(1)
	await click(Vector2(300, 300))
	check_eq(log.count("click 0"), 0, "below a panel")
	await click(Vector2(265, 265))
	check_eq(log.count("click 0"), 1, "beside the panel")


func test_handlers_of_the_mouse_may_do_anything() -> void:
	for signal_name: StringName in [&"mouse_entered", &"mouse_exited", &"input_event"]:
		for act: Callable in [
			func(body: SoftBody2D) -> void: body.queue_free(),
			func(body: SoftBody2D) -> void: body.get_parent().remove_child(body),
			func(body: SoftBody2D) -> void: body.collision_layer = 0,
			func(body: SoftBody2D) -> void: body.input_pickable = false,
			func(body: SoftBody2D) -> void: body.source = SoftBody2D.SOURCE_ELLIPSE,
			func(body: SoftBody2D) -> void: body.reparent(body.get_viewport()),
		]:
			var body := await _floating(Vector2(300, 300))
			var above := await _floating(Vector2(310, 300))
			var count := [0]
			var id := body.get_instance_id()
			var handler := func() -> void:
				count[0] += 1
				var there := instance_from_id(id) as SoftBody2D
				if there and not there.is_queued_for_deletion() and there.get_parent():
					act.call(there)
			if signal_name == &"input_event":
				above.input_event.connect(func(_v: Node, _e: InputEvent, _s: int) -> void: handler.call())
			else:
				above.connect(signal_name, handler)
			body.input_event.connect(func(_v: Node, _e: InputEvent, _s: int) -> void: pass)
			body.mouse_exited.connect(func() -> void: pass)
			await click(Vector2(305, 300))
			await move_mouse(Vector2(2, 2))
			await ticks(3)
			check_ge(float(count[0]), 1.0, "%s" % signal_name)
			above.free()
			if is_instance_valid(body):
				body.free()
			await ticks(1)


func test_a_body_freed_below_the_mouse_is_forgotten() -> void:
	var body := await _floating(Vector2(300, 300))
	_listen(body, [])
	await move_mouse(Vector2(300, 300))
	await ticks(2)
	body.free()
	await ticks(40)
	var next := await _floating(Vector2(300, 300))
	var log := []
	_listen(next, log)
	await ticks(40)
	check_eq(log, ["in"], "another in its place")


func test_a_finger_is_told_of_too() -> void:
	var body := await _floating(Vector2(300, 300))
	var touches := []
	body.input_event.connect(
		func(_viewport: Node, event: InputEvent, _shape: int) -> void:
			if event is InputEventScreenTouch:
				touches.append(event.pressed)
	)
	for pressed: bool in [true, false]:
		var event := InputEventScreenTouch.new()
		event.position = Vector2(300, 300)
		event.pressed = pressed
		get_viewport().push_input(event)
	check_eq(touches, [true, false], "a finger goes down and up")
