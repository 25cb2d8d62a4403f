extends "res://tests/support/wind_test.gd"
## The arrow and the circle of a [Wind2D].


func before_each() -> void:
	RenderingServer.set_default_clear_color(Color.BLACK)


func after_each() -> void:
	get_tree().debug_collisions_hint = false
	RenderingServer.set_default_clear_color(
		ProjectSettings.get_setting("rendering/environment/defaults/default_clear_color")
	)
	await super()


func test_its_arrow_is_shown_with_the_collision_shapes_only() -> void:
	for shown: bool in [false, true]:
		get_tree().debug_collisions_hint = shown
		var wind := turbulent(Vector2(400, 0))
		wind.position = Vector2(300, 300)
		wind.radius = 60.0
		# Sizes are global, whatever the scale; the radius goes with it.
		wind.scale = Vector2(4, 1)
		var image := await picture("wind_shown_%s" % shown)
		for at: Vector2i in [Vector2i(350, 300), Vector2i(395, 300), Vector2i(300, 420)]:
			check_eq(_is_lit(image, at), shown, "shown %s: lit at %s" % [shown, at])
		check_true(not _is_lit(image, Vector2i(410, 300)), "beyond the arrow")
		wind.rotation = PI / 2
		image = await picture("wind_turned_%s" % shown)
		check_eq(_is_lit(image, Vector2i(300, 390)), shown, "shown %s: turned" % shown)
		check_true(not _is_lit(image, Vector2i(390, 300)), "where it was")
		wind.free()


func _is_lit(image: Image, at: Vector2i) -> bool:
	for y in range(-2, 3):
		for x in range(-2, 3):
			if image.get_pixelv(at + Vector2i(x, y)).b > 0.3:
				return true
	return false
