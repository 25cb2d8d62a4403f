extends "res://tests/support/rope_test.gd"
## What a rope is drawn with: pictures, colours and widths along it, caps, links, smooth edges.

const RED := Color(1, 0, 0)
const GREEN := Color(0, 1, 0)
const BLUE := Color(0, 0, 1)

const TEXTURES := "res://addons/supple/textures/"


func before_each() -> void:
	RenderingServer.set_default_clear_color(Color.BLACK)


func after_each() -> void:
	RenderingServer.set_default_clear_color(
		ProjectSettings.get_setting("rendering/environment/defaults/default_clear_color")
	)
	await super()


# --- Textures along it -----------------------------------------------------------------------


func test_no_seam_and_no_hole_shows_along_a_bent_rope_in_tiles() -> void:
	for kind: String in ["whole", "region", "antialiased"]:
		var texture: Texture2D = _stripes([RED, RED])
		if kind == "region":
			texture = _region(_stripes([BLUE, RED, RED, BLUE]), Rect2(8, 0, 16, 16))
		var rope := await _swinging({width = 14.0, texture = texture, default_color = Color.WHITE})
		rope.antialiased = kind == "antialiased"
		var image := await picture("look_seams_" + kind)
		_check_covered(image, rope, 4.0, kind)
		check_eq(_count(image, BLUE), 0, kind + ": pixels from beyond the region")
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
	_check_covered(image, rope, 3.0, "folds")


func test_a_texture_in_tiles_stays_on_the_rope_while_it_swings() -> void:
	# 20 px long at a width of 10: one colour a link of 10 px.
	for part: bool in [false, true]:
		var texture: Texture2D = _stripes([RED, GREEN])
		if part:
			texture = _region(_stripes([BLUE, RED, GREEN, BLUE]), Rect2(8, 0, 16, 8))
		else:
			texture = _stripes([RED, GREEN], 8)
		var rope := await _swinging({width = 10.0, texture = texture, default_color = Color.WHITE})
		var differed := 0
		for round: int in 4:
			var image := await picture("look_swing_%d_%d" % [int(part), round])
			var points := rope.get_points()
			for link in points.size() - 1:
				var expected := GREEN if (points.size() - 2 - link) % 2 == 0 else RED
				var middle := (points[link] + points[link + 1]) / 2.0
				var color := image.get_pixelv(Vector2i(middle.floor()))
				differed += int(not _alike(color, expected))
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
			texture = _stripes([RED, GREEN], 8),
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
			check_true(_alike(image.get_pixelv(at), expected), "length %d, stripe %d" % [length, i])


func test_a_tile_has_the_proportions_of_its_picture() -> void:
	var rope := await hang_asleep(
		{
			width = 8.0,
			length = 240,
			texture = _stripes([RED, GREEN], 16),
			default_color = Color.WHITE
		}
	)
	# 16 x 16 px, so 8 px long.
	check_eq(_changes(await picture("look_proportions_8"), rope), 59, "changes of colour")
	rope.width = 24.0
	check_eq(_changes(await picture("look_proportions_24"), rope), 19, "changes of colour, wider")


func test_a_stretched_texture_shows_once_and_none_not_at_all() -> void:
	for part: bool in [false, true]:
		var texture: Texture2D = _stripes([RED, GREEN])
		if part:
			texture = _region(_stripes([BLUE, RED, GREEN, BLUE]), Rect2(8, 0, 16, 16))
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
		check_true(_alike(image.get_pixel(576, 110), RED), "its first half at the start")
		check_true(_alike(image.get_pixel(576, 190), RED), "its first half before the middle")
		check_true(_alike(image.get_pixel(576, 210), GREEN), "its second half after the middle")
		check_true(_alike(image.get_pixel(576, 290), GREEN), "its second half at the end")
		check_eq(_count(image, BLUE), 0, "pixels from beyond the region")
		rope.texture_mode = VerletRope2D.TEXTURE_NONE
		image = await picture("look_no_texture")
		check_near(image.get_pixel(576, 200), Color.WHITE, 0.02, "no texture")
		rope.free()


func test_textures_without_an_area_are_drawn_plainly() -> void:
	var placeholder := PlaceholderTexture2D.new()
	placeholder.size = Vector2.ZERO
	var beyond := _region(_stripes([BLUE, BLUE]), Rect2(500, 0, 16, 16))
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
	wrapped.diffuse_texture = _stripes([GREEN, GREEN])
	var nested := _region(
		_region(_stripes([BLUE, BLUE, GREEN, BLUE]), Rect2(8, 0, 0, 0)), Rect2(8, 0, 8, 0)
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


# --- Width, colours, ends --------------------------------------------------------------------


func test_a_gradient_shows_where_its_colours_are_however_few_pieces_there_are() -> void:
	for segments: int in [1, 3, 40]:
		var gradient := Gradient.new()
		gradient.offsets = PackedFloat32Array([0.0, 0.3, 1.0])
		gradient.colors = PackedColorArray([RED, GREEN, BLUE])
		var rope := await hang_asleep(
			{width = 20.0, length = 200, segments = segments, gradient = gradient}
		)
		var image := await picture("look_gradient_%d" % segments)
		for part: float in [0.05, 0.2, 0.3, 0.5, 0.95]:
			var at := Vector2i(576, roundi(100 + 200 * part))
			check_near(image.get_pixelv(at), gradient.sample(part), 0.04, "colour at %.2f" % part)
		for mode: int in [
			Gradient.GRADIENT_INTERPOLATE_CONSTANT, Gradient.GRADIENT_INTERPOLATE_CUBIC
		]:
			gradient.interpolation_mode = mode
			image = await picture("look_gradient_%d_%d" % [segments, mode])
			for part: float in [0.1, 0.29, 0.31, 0.65, 0.98]:
				var at := Vector2i(576, floori(100 + 200 * part))
				var expected := gradient.sample(part)
				check_near(
					image.get_pixelv(at), expected, 0.05, "mode %d, colour at %.2f" % [mode, part]
				)
		rope.free()


func test_a_width_curve_shows_where_it_is_however_few_pieces_there_are() -> void:
	for segments: int in [1, 4, 40]:
		var curve := Curve.new()
		curve.add_point(Vector2(0, 1), 0, 0, Curve.TANGENT_LINEAR, Curve.TANGENT_LINEAR)
		curve.add_point(Vector2(0.5, 0.2), 0, 0, Curve.TANGENT_LINEAR, Curve.TANGENT_LINEAR)
		curve.add_point(Vector2(1, 0.6), 0, 0, Curve.TANGENT_LINEAR, Curve.TANGENT_LINEAR)
		var rope := await hang_asleep(
			{
				width = 50.0,
				length = 300,
				default_color = RED,
				segments = segments,
				width_curve = curve
			}
		)
		var image := await picture("look_width_%d" % segments)
		for part: float in [0.1, 0.25, 0.5, 0.75, 0.9]:
			var row := _row(image, roundi(100 + 300 * part), RED)
			check_near(row.size(), 50.0 * curve.sample(part), 2.0, "pixels across at %.2f" % part)
		rope.free()


func test_a_hair_tapers_to_nothing() -> void:
	var curve := Curve.new()
	curve.add_point(Vector2(0, 1))
	curve.add_point(Vector2(1, 0))
	var rope := await hang_asleep(
		{width = 12.0, length = 200, default_color = RED, width_curve = curve}
	)
	for smooth: bool in [false, true]:
		rope.antialiased = smooth
		var image := await picture("look_hair_%s" % smooth)
		check_near(_red_across(image, 105), 12.0, 1.5, "pixels at the root")
		check_lt(_red_across(image, 298), 1.0, "pixels at the tip")
		check_eq(_red_across(image, 303), 0.0, "pixels beyond the tip")


func test_caps_are_as_long_as_they_say() -> void:
	var rope := await hang_asleep(
		{width = 30.0, length = 200, default_color = RED, begin_cap_mode = VerletRope2D.CAP_NONE}
	)
	check_eq(rope.end_cap_mode, VerletRope2D.CAP_ROUND, "the end is round")
	for smooth: bool in [false, true]:
		rope.antialiased = smooth
		var suffix := "_smooth" if smooth else ""
		rope.end_cap_mode = VerletRope2D.CAP_ROUND
		var image := await picture("look_cap_round" + suffix)
		check_eq(_row(image, 97, RED).size(), 0, "pixels before a start without a cap")
		check_near(_row(image, 102, RED).size(), 30.0, 1.0, "pixels at the start")
		# Chords of a circle.
		check_near(_row(image, 304, RED).size(), 28.6, 1.5, "4.5 px beyond the end, round")
		check_near(_row(image, 309, RED).size(), 23.2, 1.5, "9.5 px beyond the end, round")
		check_eq(_row(image, 316, RED).size(), 0, "16 px beyond the end, round")
		rope.end_cap_mode = VerletRope2D.CAP_BOX
		image = await picture("look_cap_box" + suffix)
		check_near(_row(image, 313, RED).size(), 30.0, 1.0, "13 px beyond the end, box")
		check_eq(_row(image, 316, RED).size(), 0, "16 px beyond the end, box")
		rope.end_cap_mode = VerletRope2D.CAP_NONE
		image = await picture("look_cap_none" + suffix)
		check_near(_row(image, 298, RED).size(), 30.0, 1.0, "at the end, none")
		check_eq(_row(image, 302, RED).size(), 0, "2 px beyond the end, none")


func test_smooth_edges_fade_and_weigh_as_much() -> void:
	for width: float in [1.0, 3.0, 10.0]:
		var weights: Array[float] = []
		var faint: Array[int] = []
		for smooth: bool in [false, true]:
			var rope := await hang(
				{
					position = Vector2(300, 120),
					width = width,
					default_color = RED,
					antialiased = smooth,
					begin_cap_mode = VerletRope2D.CAP_NONE,
					end_cap_mode = VerletRope2D.CAP_NONE,
					end_position = Vector2(500, 130),
					end_pinned = true,
					length = 100,
				}
			)
			await ticks(3)
			var image := await picture("look_smooth_%d_%s" % [width, smooth])
			var weight := 0.0
			var count := 0
			for y in range(100, 300):
				for x in range(280, 820):
					var red := image.get_pixel(x, y).r
					weight += red
					count += int(red > 0.1 and red < 0.9)
			weights.append(weight)
			faint.append(count)
			rope.free()
		check_eq(faint[0], 0, "faint pixels without")
		check_gt(faint[1], 500, "faint pixels with, width %d" % width)
		var area := width * Vector2(500, 130).length()
		check_near(weights[1] / area, 1.0, 0.05, "colour with, width %d" % width)


# --- Link by link ----------------------------------------------------------------------------


func test_each_link_shows_its_picture_in_its_middle() -> void:
	# 20 px across and 10 px long.
	var rope := await hang_asleep(
		{
			width = 20.0,
			length = 250,
			segments = 5,
			default_color = Color.WHITE,
			draw_mode = VerletRope2D.DRAW_SEGMENTS,
			segment_texture = _stripes([GREEN], 16),
		}
	)
	var image := await picture("look_links")
	for link in 5:
		var middle := 125 + 50 * link
		check_near(_row(image, middle, GREEN).size(), 20.0, 1.0, "pixels across link %d" % link)
		check_near(_column(image, middle - 25, middle + 25, GREEN), 10.0, 1.0, "pixels along")
		check_true(_alike(image.get_pixel(576, middle + 4), GREEN), "its lower half")
		check_true(_alike(image.get_pixel(576, middle - 5), GREEN), "its upper half")
	rope.segment_alternate = _stripes([RED], 16)
	image = await picture("look_links_alternate")
	for link in 5:
		var expected := GREEN if link % 2 == 0 else RED
		check_true(
			_alike(image.get_pixel(576, 125 + 50 * link), expected), "picture of link %d" % link
		)
	rope.segment_alternate = null
	image = await picture("look_links_again")
	check_true(_alike(image.get_pixel(576, 175), GREEN), "one picture again")
	rope.segment_texture = _region(_stripes([BLUE, GREEN, BLUE], 16), Rect2(8, 0, 8, 16))
	image = await picture("look_links_region")
	check_near(_column(image, 100, 350, GREEN), 50.0, 5.0, "pixels along a region")
	rope.segment_texture = null
	rope.default_color = RED
	image = await picture("look_links_plain")
	check_near(_column(image, 100, 350, RED), 240.0, 4.0, "pixels along plain plates")
	rope.draw_mode = VerletRope2D.DRAW_STRIP
	image = await picture("look_links_strip")
	check_near(_column(image, 100, 350, RED), 250.0, 1.0, "pixels along the strip")


func test_pictures_of_links_turn_with_them() -> void:
	var rope := await _swinging(
		{
			width = 10.0,
			default_color = Color.WHITE,
			draw_mode = VerletRope2D.DRAW_SEGMENTS,
			segment_texture = _stripes([RED, GREEN], 16),
		}
	)
	var image := await picture("look_links_turned")
	var points := rope.get_points()
	for i in points.size() - 1:
		var middle := (points[i] + points[i + 1]) / 2.0
		var way := (points[i + 1] - points[i]).normalized()
		check_true(
			_alike(image.get_pixelv(Vector2i(middle - 2.5 * way)), RED), "link %d, first half" % i
		)
		check_true(
			_alike(image.get_pixelv(Vector2i(middle + 2.5 * way)), GREEN), "link %d, second" % i
		)


func test_every_second_link_is_under_the_others() -> void:
	# As long as two links each.
	await hang_asleep(
		{
			width = 20.0,
			length = 200,
			segments = 10,
			default_color = Color.WHITE,
			draw_mode = VerletRope2D.DRAW_SEGMENTS,
			segment_texture = _stripes([GREEN, GREEN], 16),
			segment_alternate = _stripes([RED, RED, RED], 16),
		}
	)
	var image := await picture("look_links_over")
	check_near(_column(image, 100, 300, GREEN), 100.0, 3.0, "pixels of the first picture, whole")


# --- What it costs ---------------------------------------------------------------------------


func test_a_rope_is_one_draw_call_whatever_it_is_drawn_with() -> void:
	var texture := _stripes([RED, GREEN])
	var looks: Array[Dictionary] = [
		{},
		{texture = texture},
		{texture = _region(texture, Rect2(2, 2, 9, 9))},
		{antialiased = true, width = 30.0},
		{gradient = Gradient.new(), width_curve = Curve.new()},
		{draw_mode = VerletRope2D.DRAW_SEGMENTS, segment_texture = texture},
	]
	var empty := await _draw_calls()
	for look in looks:
		var ropes: Array[VerletRope2D] = []
		for i in 10:
			ropes.append(await hang(look.merged({position = Vector2(100 + 60 * i, 100)})))
		check_eq(await _draw_calls() - empty, 10, "draw calls of 10 ropes with %s" % look)
		for rope in ropes:
			rope.free()


# --- Changes while the game runs -------------------------------------------------------------


func test_a_changed_resource_shows_on_a_sleeping_rope() -> void:
	var gradient := Gradient.new()
	gradient.colors = PackedColorArray([RED, RED])
	var curve := Curve.new()
	curve.add_point(Vector2(0, 1))
	curve.add_point(Vector2(1, 1))
	var source := _stripes([Color.WHITE, Color.WHITE])
	var region := _region(source, Rect2(0, 0, 16, 16))
	var rope := await hang_asleep(
		{width = 20.0, gradient = gradient, width_curve = curve, texture = region}
	)
	var image := await picture("look_before")
	check_near(image.get_pixel(576, 200), RED, 0.02, "colour before")
	gradient.set_color(0, GREEN)
	gradient.set_color(1, GREEN)
	image = await picture("look_gradient_changed")
	check_near(image.get_pixel(576, 200), GREEN, 0.02, "a gradient's new colour")
	curve.set_point_value(0, 0.5)
	curve.set_point_value(1, 0.5)
	image = await picture("look_curve_changed")
	check_near(_row(image, 200, GREEN).size(), 10.0, 1.0, "a curve's new width")
	region.atlas = _stripes([Color.BLACK, Color.BLACK])
	image = await picture("look_atlas_changed")
	check_near(image.get_pixel(576, 200), Color.BLACK, 0.02, "a region's new texture")
	check_true(rope.sleeping, "still asleep")


func test_a_replaced_or_freed_resource_is_let_go() -> void:
	var rope := await hang_asleep({width = 20.0, default_color = RED})
	var texture := _stripes([GREEN, GREEN])
	for property: String in ["width_curve", "gradient", "texture", "segment_texture"]:
		var before: Resource = (
			Curve.new()
			if property == "width_curve"
			else (Gradient.new() if property == "gradient" else texture)
		)
		rope.set(property, before)
		rope.set(property, before)
		check_eq(before.changed.get_connections().size(), 1, property + ": listeners")
		rope.set(property, null)
		check_eq(before.changed.get_connections().size(), 0, property + ": listeners, removed")
		before.emit_changed()
	# One resource in two places is listened to until both are gone.
	rope.texture = texture
	rope.segment_texture = texture
	rope.texture = null
	check_eq(texture.changed.get_connections().size(), 1, "listeners of the second place")
	rope.segment_texture = null
	check_eq(texture.changed.get_connections().size(), 0, "listeners of none")
	rope.texture = _stripes([BLUE, BLUE])
	var held: WeakRef = weakref(rope.texture)
	rope.texture = null
	check_true(held.get_ref() == null, "a replaced texture is freed")
	var image := await picture("look_let_go")
	check_near(image.get_pixel(576, 200), RED, 0.02, "plain again")
	rope.texture = texture
	rope.free()
	check_eq(texture.changed.get_connections().size(), 0, "listeners after the rope was freed")
	texture.emit_changed()


func test_a_look_that_is_set_outside_the_tree_or_on_a_thread_shows() -> void:
	var gradient := Gradient.new()
	gradient.colors = PackedColorArray([GREEN, GREEN])
	var ropes: Array[VerletRope2D] = []
	var thread := Thread.new()
	thread.start(
		func() -> void:
			ropes.append(make_rope({width = 20.0, gradient = gradient, antialiased = true}))
	)
	thread.wait_to_finish()
	add(ropes[0])
	await until_asleep(ropes)
	var image := await picture("look_thread")
	check_near(image.get_pixel(576, 200), GREEN, 0.02, "colour")
	remove_child(ropes[0])
	gradient.colors = PackedColorArray([RED, RED])
	add(ropes[0])
	image = await picture("look_reentered")
	check_near(image.get_pixel(576, 200), RED, 0.02, "colour that was changed outside the tree")


func test_a_rope_that_jumps_out_of_its_box_shows_in_the_same_frame() -> void:
	var rope := await hang_asleep(
		{
			position = Vector2(100, 100),
			length = 60,
			end_pinned = true,
			end_position = Vector2(30, 0),
			default_color = RED,
			width = 6.0,
		}
	)
	var blank := 0
	for way: Vector2 in [Vector2(900, 300), Vector2(40, 0), Vector2(0, 500), Vector2(700, 10)]:
		await ticks(1)
		rope.end_position = way
		rope.length = way.length() + 10.0
		await RenderingServer.frame_post_draw
		for frame in 3:
			var image := get_viewport().get_texture().get_image()
			if _count(image, RED) < way.length():
				blank += 1
				image.save_png(pictures_folder.path_join("look_blank_%d.png" % blank))
			await RenderingServer.frame_post_draw
	check_eq(blank, 0, "frames in which it was not whole")


func test_the_texture_repeats_as_the_node_says() -> void:
	var rope := await hang_asleep(
		{width = 20.0, texture = _stripes([GREEN, RED]), default_color = Color.WHITE}
	)
	var image := await picture("look_repeat_inherited")
	check_gt(_count(image, GREEN), 1000, "green pixels in tiles")
	rope.texture_repeat = CanvasItem.TEXTURE_REPEAT_DISABLED
	image = await picture("look_repeat_disabled")
	check_lt(_count(image, RED), 400, "red pixels where the user wants no repeating")
	rope.texture_repeat = CanvasItem.TEXTURE_REPEAT_PARENT_NODE
	image = await picture("look_repeat_again")
	check_gt(_count(image, GREEN), 1000, "green pixels in tiles again")


func test_debug_drawing_shows_points_and_goes_again() -> void:
	var rope := await hang_asleep({width = 1.0, default_color = BLUE})
	var plain := await picture("look_debug_off")
	rope.debug_enabled = true
	var image := await picture("look_debug_on")
	check_gt(_different(plain, image), 100, "pixels of the debug drawing")
	rope.debug_enabled = false
	check_eq(_different(plain, await picture("look_debug_off_again")), 0, "pixels that stay")
	rope.debug_enabled = true
	rope.global_position.x += 200.0
	await until_asleep([rope])
	image = await picture("look_debug_moved")
	check_eq(_count(image.get_region(Rect2i(560, 90, 32, 240)), BLUE), 0, "pixels left behind")
	var white := 0
	for point in rope.get_points():
		white += int(image.get_pixelv(Vector2i(point.floor())).get_luminance() > 0.25)
	check_gt(white, 15, "points that show")


# --- What comes with the addon ---------------------------------------------------------------


func test_the_pictures_of_the_addon_look_good() -> void:
	RenderingServer.set_default_clear_color(Color(0.36, 0.5, 0.62))
	var white := {default_color = Color.WHITE}
	var load_texture := func(name: String) -> Texture2D: return load(TEXTURES + name + ".svg")
	var rope: Texture2D = load_texture.call("rope")
	_show(Vector2(60, 60), 240, white.merged({texture = rope, width = 16.0}))
	_show(Vector2(60, 130), 240, white.merged({texture = rope, width = 9.0}))
	var chain := {
		draw_mode = VerletRope2D.DRAW_SEGMENTS,
		segment_texture = load_texture.call("chain_link"),
		segment_alternate = load_texture.call("chain_link_side"),
	}
	_show(Vector2(340, 60), 240, white.merged(chain.merged({width = 20.0, segment_length = 21.0})))
	_show(Vector2(340, 130), 240, white.merged(chain.merged({width = 10.0, segment_length = 10.0})))
	var planks := {
		draw_mode = VerletRope2D.DRAW_SEGMENTS,
		segment_texture = load_texture.call("plank"),
	}
	_show(Vector2(620, 60), 240, white.merged(planks.merged({width = 28.0, segment_length = 16.5})))
	_show(Vector2(620, 130), 240, white.merged(planks.merged({width = 16.0, segment_length = 9.5})))
	_show(Vector2(60, 250), 240, white.merged({texture = load_texture.call("scarf"), width = 32.0}))
	_show(Vector2(60, 330), 240, white.merged({texture = load_texture.call("scarf"), width = 20.0}))
	_show(Vector2(340, 250), 240, white.merged({texture = load_texture.call("vine"), width = 32.0}))
	_show(Vector2(340, 330), 240, white.merged({texture = load_texture.call("vine"), width = 22.0}))
	var cable: Texture2D = load_texture.call("cable")
	_show(Vector2(620, 260), 240, white.merged({texture = cable, width = 12.0}))
	_show(Vector2(620, 330), 240, white.merged({texture = cable, width = 6.0, antialiased = true}))
	_show(Vector2(900, 60), 200, {})
	_show(Vector2(900, 110), 200, {antialiased = true})
	_show(Vector2(900, 160), 200, {antialiased = true, width = 1.5})
	_show(Vector2(900, 210), 200, {draw_mode = VerletRope2D.DRAW_SEGMENTS, width = 12.0})
	_show(
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
	check_gt(_different(image, await _blank(image)), 20_000, "pixels that show")


## A rope between two points at the same height, and asleep soon.
func _show(at: Vector2, span: float, properties: Dictionary) -> void:
	var settings := {position = at, length = span * 1.08, end_pinned = true, linear_damp = 8.0}
	settings.end_position = Vector2(span, 0)
	settings.merge(properties)
	add(make_rope(settings))


func _blank(like: Image) -> Image:
	var image := Image.create_empty(like.get_width(), like.get_height(), false, like.get_format())
	image.fill(like.get_pixel(2, 2))
	return image


# --- Textures and pictures -------------------------------------------------------------------


## A texture of upright stripes, each 8 px long along the rope.
func _stripes(colors: Array[Color], height: int = 16) -> ImageTexture:
	var image := Image.create_empty(8 * colors.size(), height, false, Image.FORMAT_RGBA8)
	for i in colors.size():
		image.fill_rect(Rect2i(8 * i, 0, 8, height), colors[i])
	return ImageTexture.create_from_image(image)


func _region(texture: Texture2D, region: Rect2) -> AtlasTexture:
	var part := AtlasTexture.new()
	part.atlas = texture
	part.region = region
	return part


## A rope in the middle of its swing, which has stopped.
func _swinging(properties: Dictionary) -> VerletRope2D:
	var rope := await hang(properties.merged({length = 400, end_position = released_at(80.0)}))
	await seconds(0.45)
	rope.process_mode = Node.PROCESS_MODE_DISABLED
	return rope


func _draw_calls() -> int:
	await RenderingServer.frame_post_draw
	await RenderingServer.frame_post_draw
	return RenderingServer.viewport_get_render_info(
		get_viewport().get_viewport_rid(),
		RenderingServer.VIEWPORT_RENDER_INFO_TYPE_CANVAS,
		RenderingServer.VIEWPORT_RENDER_INFO_DRAW_CALLS_IN_FRAME
	)


## Fails if the background, or part of it, shows within `reach` px of the rope's points or between them.
func _check_covered(image: Image, rope: VerletRope2D, reach: float, what: String) -> void:
	var holes := 0
	var points := rope.get_points()
	for i in points.size() - 1:
		var aside := (points[i + 1] - points[i]).normalized().orthogonal() * reach
		for part in 10:
			var at := points[i].lerp(points[i + 1], part / 10.0)
			for side: Vector2 in [at - aside, at, at + aside]:
				holes += int(not _alike(image.get_pixelv(Vector2i(side.floor())), RED))
	check_eq(holes, 0, what + ": places along the rope that it does not cover")


func _alike(one: Color, other: Color) -> bool:
	return _distance(one, other) < 0.25


func _count(image: Image, color: Color) -> int:
	var count := 0
	for y in image.get_height():
		for x in image.get_width():
			count += int(_alike(image.get_pixel(x, y), color))
	return count


func _different(one: Image, other: Image) -> int:
	var count := 0
	for y in one.get_height():
		for x in one.get_width():
			count += int(_distance(one.get_pixel(x, y), other.get_pixel(x, y)) > 0.02)
	return count


func _row(image: Image, y: int, color: Color) -> PackedInt32Array:
	var found := PackedInt32Array()
	for x in image.get_width():
		if _distance(image.get_pixel(x, y), color) < 0.5:
			found.append(x)
	return found


## How much red there is in a row, in pixels.
func _red_across(image: Image, y: int) -> float:
	var sum := 0.0
	for x in image.get_width():
		sum += image.get_pixel(x, y).r
	return sum


## How many pixels in the middle column have this colour.
func _column(image: Image, from: int, to: int, color: Color) -> int:
	var count := 0
	for y in range(from, to):
		count += int(_alike(image.get_pixel(576, y), color))
	return count


## How often the colour changes along a rope that hangs straight.
func _changes(image: Image, rope: VerletRope2D) -> int:
	var changes := 0
	for y in range(rope.position.y + 1, rope.position.y + rope.length - 1):
		var red := image.get_pixel(576, y).r
		changes += int((red > 0.5) != (image.get_pixel(576, y + 1).r > 0.5))
	return changes
