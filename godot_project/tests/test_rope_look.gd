extends "res://tests/support/rope_test.gd"
## The properties of a rope's look: defaults, saving, and what must not upset it. What they show is
## tested in windows.


func test_the_look_has_the_defaults_of_the_manual() -> void:
	var rope: VerletRope2D = add(VerletRope2D.new())
	check_eq(rope.texture_mode, VerletRope2D.TEXTURE_TILE, "texture_mode")
	check_eq(rope.begin_cap_mode, VerletRope2D.CAP_ROUND, "begin_cap_mode")
	check_eq(rope.end_cap_mode, VerletRope2D.CAP_ROUND, "end_cap_mode")
	check_eq(rope.draw_mode, VerletRope2D.DRAW_STRIP, "draw_mode")
	for property: String in ["antialiased", "debug_enabled"]:
		check_eq(rope.get(property), false, property)
	for property: String in [
		"width_curve", "gradient", "texture", "segment_texture", "segment_alternate"
	]:
		check_eq(rope.get(property), null, property)
	check_eq(
		[VerletRope2D.TEXTURE_NONE, VerletRope2D.TEXTURE_STRETCH, VerletRope2D.CAP_NONE],
		[0, 2, 0],
		"constants"
	)
	check_eq([VerletRope2D.CAP_BOX, VerletRope2D.DRAW_SEGMENTS], [1, 1], "more constants")


func test_a_saved_scene_keeps_the_look() -> void:
	var look := {
		width_curve = Curve.new(),
		gradient = Gradient.new(),
		texture = PlaceholderTexture2D.new(),
		texture_mode = VerletRope2D.TEXTURE_STRETCH,
		begin_cap_mode = VerletRope2D.CAP_BOX,
		end_cap_mode = VerletRope2D.CAP_NONE,
		draw_mode = VerletRope2D.DRAW_SEGMENTS,
		segment_texture = PlaceholderTexture2D.new(),
		segment_alternate = PlaceholderTexture2D.new(),
		antialiased = true,
		debug_enabled = true,
	}
	var rope := make_rope(look)
	var scene := PackedScene.new()
	scene.pack(rope)
	rope.free()
	var loaded: VerletRope2D = add(scene.instantiate())
	await ticks(3)
	for property: String in look:
		check_eq(loaded.get(property), look[property], property)


func test_a_hostile_look_does_no_harm() -> void:
	var curve := Curve.new()
	curve.min_value = -1000.0
	curve.add_point(Vector2(0, -5))
	curve.add_point(Vector2(0.5, 1e30))
	var gradient := Gradient.new()
	gradient.offsets = PackedFloat32Array([NAN, 2.0, -3.0, INF, 0.5, 0.5])
	gradient.colors = PackedColorArray(
		[Color.RED, Color(INF, NAN, -1), Color.BLUE, Color.RED, Color.RED, Color.GREEN]
	)
	var atlas := AtlasTexture.new()
	var texture := PlaceholderTexture2D.new()
	texture.size = Vector2(1, 100_000)
	atlas.atlas = texture
	for mode: int in [VerletRope2D.DRAW_STRIP, VerletRope2D.DRAW_SEGMENTS]:
		var rope := await hang({width_curve = curve, gradient = gradient, draw_mode = mode})
		rope.texture = atlas
		rope.segment_texture = atlas
		for region: Rect2 in [
			Rect2(0, 0, 1e-6, 1), Rect2(-1, -1, INF, 1), Rect2(0, 0, 1, 99_999), Rect2(NAN, 0, 1, 1)
		]:
			atlas.region = region
			for width: float in [0.0, 1e-3, 10_000.0]:
				rope.width = width
				rope.antialiased = not rope.antialiased
				rope.debug_enabled = not rope.debug_enabled
				await ticks(1)
				await frames(1)
		check_true(all_finite(rope.get_points()), "points are finite")
		rope.free()


func test_a_rope_whose_script_overrides_everything_is_debugged_and_listens() -> void:
	var gradient := Gradient.new()
	var rope: VerletRope2D = override_everything(make_rope({gradient = gradient}))
	add(rope)
	await ticks(3)
	gradient.set_color(0, Color.RED)
	rope.debug_enabled = true
	await frames(3)
	check_gt(rope.calls.get("_draw", 0), 1, "drawn anew")
