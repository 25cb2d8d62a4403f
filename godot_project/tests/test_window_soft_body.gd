extends "res://tests/support/soft_test.gd"
## Soft bodies as they are seen, and dragged by the mouse in a window.

const FILL := Color(0, 1, 0)


func before_each() -> void:
	RenderingServer.set_default_clear_color(Color.BLACK)


func after_each() -> void:
	RenderingServer.set_default_clear_color(
		ProjectSettings.get_setting("rendering/environment/defaults/default_clear_color")
	)
	await super()


func test_the_mouse_drags_what_is_seen() -> void:
	var body := await soft({gravity_scale = 0, mouse_grab = true, color = FILL, outline_width = 0})
	check_shown(await picture("soft_body_at_rest"), body, "at rest")
	var from := body.position
	await move_mouse(from)
	await press(from)
	await drag_on(from, from + Vector2(200, -80), 0.5)
	check_shown(await picture("soft_body_dragged"), body, "dragged")
	await seconds(1.0)
	check_gt(body.position.x, 740.0, "it comes after the mouse")
	check_shown(await picture("soft_body_held"), body, "held")
	await let_go(from + Vector2(200, -80))
	await seconds(1.0)
	check_shown(await picture("soft_body_let_go"), body, "let go")


func test_it_is_drawn_on_its_moved_and_turned_node_at_once() -> void:
	var body := await soft({gravity_scale = 0, color = FILL, outline_width = 0})
	await seconds(2.0)
	body.transform = Transform2D(0.6, Vector2(300, 200))
	check_shown(await picture("soft_body_moved"), body, "moved")


## Its middle is seen, and nothing to the left and above of its outline.
func check_shown(image: Image, body: SoftBody2D, what: String) -> void:
	var outline := body.get_outline()
	var least := outline[0]
	for corner in outline:
		least = least.min(corner)
	check_eq(image.get_pixelv(Vector2i(body.get_center())), FILL, what + ": its middle")
	check_eq(image.get_pixelv(Vector2i(least) - Vector2i(6, 6)), Color.BLACK, what + ": outside")
	for i in range(0, outline.size(), 3):
		var inside := outline[i].move_toward(body.get_center(), 8.0)
		check_eq(image.get_pixelv(Vector2i(inside)), FILL, "%s: inside of point %d" % [what, i])
