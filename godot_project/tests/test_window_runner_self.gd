extends "res://tests/support/supple_test.gd"
## Tests of the runner in a window.


func test_a_picture_shows_what_was_drawn() -> void:
	var square: Polygon2D = add(Polygon2D.new())
	square.polygon = PackedVector2Array(
		[Vector2(100, 100), Vector2(400, 100), Vector2(400, 300), Vector2(100, 300)]
	)
	square.color = Color.ORANGE
	var image: Image = await picture("runner_square")
	check_eq(image.get_size(), Vector2i(1152, 648), "size")
	check_near(image.get_pixel(250, 200), Color.ORANGE, 0.02, "colour inside")
	var outside := image.get_pixel(600, 500)
	check_gt(absf(outside.r - Color.ORANGE.r), 0.1, "difference of the colour outside")


func test_a_click_reaches_a_button() -> void:
	var button: Button = add(Button.new())
	button.position = Vector2(300, 300)
	button.size = Vector2(200, 80)
	var presses: Array[bool] = []
	button.pressed.connect(func() -> void: presses.append(true))
	await frames(2)
	await click(Vector2(400, 340))
	check_eq(presses.size(), 1, "presses")


func test_ticks_are_exact_in_a_window() -> void:
	var start := Engine.get_physics_frames()
	await ticks(25)
	check_eq(Engine.get_physics_frames() - start, 25, "ticks")


func test_every_virtual_is_called_in_a_window() -> void:
	var node: Node = override_everything(Sprite2D.new())
	add(node)
	await frames(3)
	check_gt(node.calls.get(&"_draw", 0), 0, "calls of _draw")
