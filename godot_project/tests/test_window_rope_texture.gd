extends "res://tests/support/look_test.gd"
## Pictures along a rope, and those that come with the addon.

const TEXTURES := "res://addons/supple/textures/"


func test_no_seam_and_no_hole_shows_along_a_bent_rope_in_tiles() -> void:
	for kind: String in ["whole", "region", "antialiased"]:
		var texture: Texture2D = stripes([RED, RED])
		if kind == "region":
			texture = region_of(stripes([BLUE, RED, RED, BLUE]), Rect2(8, 0, 16, 16))
		var rope := await swinging({width = 14.0, texture = texture, default_color = Color.WHITE})
		rope.antialiased = kind == "antialiased"
		var image := await picture("look_seams_" + kind)
		check_covered(image, rope, 4.0, kind)
		check_eq(count_of(image, BLUE), 0, kind + ": pixels from beyond the region")
		rope.free()


func test_a_broad_rope_has_no_hole_at_sharp_folds() -> void:
	var rope := await hang({width = 30.0, default_color = RED, length = 400, segments = 20})
	rope.gravity_scale = 0.0
	# A zigzag with folds up to 150 degrees.
	var at := rope.global_position
	var points := PackedVector2Array()
	for i in range(1, 21):
		var way := (
			Vector2.RIGHT if i < 6 else Vector2.RIGHT.rotated(deg_to_rad(150 if i < 11 else 15))
		)
		at += way * 20.0
		points.append(at)
	for i in range(1, 21):
		rope.set_point_pinned(i, true)
		rope.set_pin_position(i, points[i - 1])
	await ticks(4)
	rope.process_mode = Node.PROCESS_MODE_DISABLED
	var image := await picture("look_folds")
	check_covered(image, rope, 11.0, "folds")
	# Corners stand out a little, spikes would do so by 30 px.
	var spikes := 0
	for y in image.get_height():
		for x in image.get_width():
			if alike(image.get_pixel(x, y), RED):
				spikes += int(distance_to(rope.get_points(), Vector2(x, y)) > 21.0)
	check_eq(spikes, 0, "pixels far from the line")


func test_a_texture_in_tiles_stays_on_the_rope_while_it_swings() -> void:
	# 20 px long at a width of 10: one colour a link of 10 px.
	for part: bool in [false, true]:
		var texture: Texture2D = stripes([RED, GREEN])
		if part:
			texture = region_of(stripes([BLUE, RED, GREEN, BLUE]), Rect2(8, 0, 16, 8))
		else:
			texture = stripes([RED, GREEN], 8)
		var rope := await swinging({width = 10.0, texture = texture, default_color = Color.WHITE})
		var differed := 0
		for round: int in 4:
			var image := await picture("look_swing_%d_%d" % [int(part), round])
			var points := rope.get_points()
			for link in points.size() - 1:
				var expected := GREEN if (points.size() - 2 - link) % 2 == 0 else RED
				var middle := (points[link] + points[link + 1]) / 2.0
				var color := image.get_pixelv(Vector2i(middle.floor()))
				differed += int(not alike(color, expected))
			rope.process_mode = Node.PROCESS_MODE_INHERIT
			await seconds(0.2)
			rope.process_mode = Node.PROCESS_MODE_DISABLED
		check_eq(differed, 0, "links in another colour, region %s" % part)
		rope.free()


func test_a_texture_in_tiles_holds_on_to_the_end_when_the_rope_grows() -> void:
	var rope := await hang_asleep(
		{
			width = 10.0,
			length = 200,
			texture = stripes([RED, GREEN], 8),
			default_color = Color.WHITE
		}
	)
	for length: float in [200.0, 207.0, 213.0, 331.0, 120.0]:
		rope.length = length
		await until_asleep([rope])
		var image := await picture("look_wound_%d" % length)
		for i in 8:
			var at := Vector2i(tip(rope) - Vector2(0, 5 + 10 * i))
			var expected := GREEN if i % 2 == 0 else RED
			check_true(alike(image.get_pixelv(at), expected), "length %d, stripe %d" % [length, i])


func test_a_rope_that_is_wound_in_every_tick_is_whole_in_every_frame() -> void:
	var looks: Array[Dictionary] = [
		{texture = stripes([RED, GREEN], 8)},
		{texture = region_of(stripes([BLUE, RED, GREEN, BLUE]), Rect2(8, 0, 16, 8))},
		{antialiased = true, texture = stripes([RED, GREEN], 8)},
	]
	for look in looks:
		var rope := await hang(
			look.merged({width = 10.0, length = 60, default_color = Color.WHITE, linear_damp = 9.0})
		)
		var torn := 0
		for frame in 40:
			rope.length += 7.3 if frame < 25 else -9.1
			await RenderingServer.frame_post_draw
			var image := get_viewport().get_texture().get_image()
			# Less a pixel, since the rope may still swing a little.
			for y in range(102, floori(tip(rope).y) - 1):
				var color := image.get_pixel(576, y)
				torn += int(color.r + color.g < 0.7 or color.b > 0.1)
			if frame % 10 == 0:
				image.save_png(pictures_folder.path_join("look_winding_%d.png" % frame))
		check_eq(torn, 0, "pixels that are not the rope's, with %s" % look)
		rope.free()


func test_a_tile_has_the_proportions_of_its_picture() -> void:
	var rope := await hang_asleep(
		{
			width = 8.0,
			length = 240,
			texture = stripes([RED, GREEN], 16),
			default_color = Color.WHITE
		}
	)
	# 16 x 16 px, so 8 px long.
	check_eq(changes_along(await picture("look_proportions_8"), rope), 59, "changes of colour")
	rope.width = 24.0
	check_eq(
		changes_along(await picture("look_proportions_24"), rope), 19, "changes of colour, wider"
	)


func test_a_stretched_texture_shows_once_and_none_not_at_all() -> void:
	for part: bool in [false, true]:
		var texture: Texture2D = stripes([RED, GREEN])
		if part:
			texture = region_of(stripes([BLUE, RED, GREEN, BLUE]), Rect2(8, 0, 16, 16))
		var rope := await hang_asleep(
			{
				width = 20.0,
				length = 200,
				texture = texture,
				texture_mode = VerletRope2D.TEXTURE_STRETCH,
				default_color = Color.WHITE,
			}
		)
		var image := await picture("look_stretched")
		check_true(alike(image.get_pixel(576, 110), RED), "its first half at the start")
		check_true(alike(image.get_pixel(576, 190), RED), "its first half before the middle")
		check_true(alike(image.get_pixel(576, 210), GREEN), "its second half after the middle")
		check_true(alike(image.get_pixel(576, 290), GREEN), "its second half at the end")
		check_eq(count_of(image, BLUE), 0, "pixels from beyond the region")
		rope.texture_mode = VerletRope2D.TEXTURE_NONE
		image = await picture("look_no_texture")
		check_near(image.get_pixel(576, 200), Color.WHITE, 0.02, "no texture")
		rope.free()


func test_textures_without_an_area_are_drawn_plainly() -> void:
	var placeholder := PlaceholderTexture2D.new()
	placeholder.size = Vector2.ZERO
	var beyond := region_of(stripes([BLUE, BLUE]), Rect2(500, 0, 16, 16))
	var circle := AtlasTexture.new()
	var inner := AtlasTexture.new()
	inner.atlas = circle
	var empties: Array[Texture2D] = [
		placeholder,
		ImageTexture.new(),
		AtlasTexture.new(),
		beyond,
		inner,
		PortableCompressedTexture2D.new()
	]
	for texture in empties:
		var rope := await hang_asleep({width = 20.0, default_color = RED, texture = texture})
		for mode: int in [VerletRope2D.TEXTURE_TILE, VerletRope2D.TEXTURE_STRETCH]:
			rope.texture_mode = mode
			var image := await picture("look_empty")
			check_near(image.get_pixel(576, 200), RED, 0.02, "%s as a strip" % texture)
		rope.draw_mode = VerletRope2D.DRAW_SEGMENTS
		rope.segment_texture = texture
		rope.segment_alternate = texture
		var image := await picture("look_empty_segments")
		check_near(image.get_pixel(576, 205), RED, 0.02, "%s as links" % texture)
		rope.free()


func test_every_kind_of_texture_shows() -> void:
	var ramp := Gradient.new()
	ramp.colors = PackedColorArray([GREEN, GREEN])
	var gradient := GradientTexture2D.new()
	gradient.gradient = ramp
	var line := GradientTexture1D.new()
	line.gradient = ramp
	var wrapped := CanvasTexture.new()
	wrapped.diffuse_texture = stripes([GREEN, GREEN])
	var nested := region_of(
		region_of(stripes([BLUE, BLUE, GREEN, BLUE]), Rect2(8, 0, 0, 0)), Rect2(8, 0, 8, 0)
	)
	var kinds: Array[Texture2D] = [gradient, line, wrapped, nested]
	for texture in kinds:
		var rope := await hang_asleep(
			{width = 20.0, default_color = Color.WHITE, texture = texture}
		)
		var image := await picture("look_kind_%s" % texture.get_class())
		for y in range(95, 310, 5):
			check_near(image.get_pixel(576, y), GREEN, 0.1, "%s at %d" % [texture, y])
		rope.free()


func test_the_texture_repeats_as_the_node_says() -> void:
	var rope := await hang_asleep(
		{width = 20.0, texture = stripes([GREEN, RED]), default_color = Color.WHITE}
	)
	var image := await picture("look_repeat_inherited")
	check_gt(count_of(image, GREEN), 1000, "green pixels in tiles")
	rope.texture_repeat = CanvasItem.TEXTURE_REPEAT_DISABLED
	image = await picture("look_repeat_disabled")
	check_lt(count_of(image, RED), 400, "red pixels where the user wants no repeating")
	rope.texture_repeat = CanvasItem.TEXTURE_REPEAT_PARENT_NODE
	image = await picture("look_repeat_again")
	check_gt(count_of(image, GREEN), 1000, "green pixels in tiles again")


func test_the_pictures_of_the_addon_look_good() -> void:
	RenderingServer.set_default_clear_color(Color(0.36, 0.5, 0.62))
	var white := {default_color = Color.WHITE}
	var load_texture := func(name: String) -> Texture2D: return load(TEXTURES + name + ".svg")
	var rope: Texture2D = load_texture.call("rope")
	show_rope(Vector2(60, 60), 240, white.merged({texture = rope, width = 16.0}))
	show_rope(Vector2(60, 130), 240, white.merged({texture = rope, width = 9.0}))
	var chain := {
		draw_mode = VerletRope2D.DRAW_SEGMENTS,
		segment_texture = load_texture.call("chain_link"),
		segment_alternate = load_texture.call("chain_link_side"),
	}
	show_rope(
		Vector2(340, 60), 240, white.merged(chain.merged({width = 20.0, segment_length = 21.0}))
	)
	show_rope(
		Vector2(340, 130), 240, white.merged(chain.merged({width = 10.0, segment_length = 10.0}))
	)
	var planks := {
		draw_mode = VerletRope2D.DRAW_SEGMENTS,
		segment_texture = load_texture.call("plank"),
	}
	show_rope(
		Vector2(620, 60), 240, white.merged(planks.merged({width = 28.0, segment_length = 16.5}))
	)
	show_rope(
		Vector2(620, 130), 240, white.merged(planks.merged({width = 16.0, segment_length = 9.5}))
	)
	show_rope(
		Vector2(60, 250), 240, white.merged({texture = load_texture.call("scarf"), width = 32.0})
	)
	show_rope(
		Vector2(60, 330), 240, white.merged({texture = load_texture.call("scarf"), width = 20.0})
	)
	show_rope(
		Vector2(340, 250), 240, white.merged({texture = load_texture.call("vine"), width = 32.0})
	)
	show_rope(
		Vector2(340, 330), 240, white.merged({texture = load_texture.call("vine"), width = 22.0})
	)
	var cable: Texture2D = load_texture.call("cable")
	show_rope(Vector2(620, 260), 240, white.merged({texture = cable, width = 12.0}))
	show_rope(
		Vector2(620, 330), 240, white.merged({texture = cable, width = 6.0, antialiased = true})
	)
	show_rope(Vector2(900, 60), 200, {})
	show_rope(Vector2(900, 110), 200, {antialiased = true})
	show_rope(Vector2(900, 160), 200, {antialiased = true, width = 1.5})
	show_rope(Vector2(900, 210), 200, {draw_mode = VerletRope2D.DRAW_SEGMENTS, width = 12.0})
	show_rope(
		Vector2(900, 260),
		200,
		{antialiased = true, width = 12.0, texture = rope, default_color = Color.WHITE}
	)
	var taper := Curve.new()
	taper.add_point(Vector2(0, 1))
	taper.add_point(Vector2(1, 0))
	var colors := Gradient.new()
	colors.colors = PackedColorArray([Color(0.25, 0.1, 0.05), Color(0.95, 0.55, 0.2)])
	for i in 12:
		var hair := make_rope(
			{
				position = Vector2(900 + 7 * i, 400),
				width = 9.0,
				length = 120 + 12 * (i % 4),
				width_curve = taper,
				gradient = colors,
				antialiased = true,
				end_position = Vector2.DOWN.rotated(0.25 - 0.05 * i),
			}
		)
		add(hair)
	for i in 3:
		var loose := make_rope(
			(
				white
				. merged(
					{
						position = Vector2(120 + 220 * i, 430),
						length = 170,
						end_position = Vector2(1, 0.2),
						texture = [rope, load_texture.call("scarf"), load_texture.call("vine")][i],
						width = [12.0, 26.0, 26.0][i],
					}
				)
			)
		)
		add(loose)
	await seconds(0.45)
	var image := await picture("look_gallery")
	check_gt(differing(image, await blank_like(image)), 20_000, "pixels that show")
