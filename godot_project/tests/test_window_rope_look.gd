extends "res://tests/support/look_test.gd"
## What a rope is drawn with: colours and widths along it, caps, links, smooth edges.


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
				var expected := gradient.sample(part).clamp()
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
			var row := row_of(image, roundi(100 + 300 * part), RED)
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
		check_near(red_across(image, 105), 12.0, 1.5, "pixels at the root")
		check_lt(red_across(image, 298), 1.0, "pixels at the tip")
		check_eq(red_across(image, 303), 0.0, "pixels beyond the tip")


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
		check_eq(row_of(image, 97, RED).size(), 0, "pixels before a start without a cap")
		check_near(row_of(image, 102, RED).size(), 30.0, 1.0, "pixels at the start")
		# Chords of a circle.
		check_near(row_of(image, 304, RED).size(), 28.6, 1.5, "4.5 px beyond the end, round")
		check_near(row_of(image, 309, RED).size(), 23.2, 1.5, "9.5 px beyond the end, round")
		check_eq(row_of(image, 316, RED).size(), 0, "16 px beyond the end, round")
		rope.end_cap_mode = VerletRope2D.CAP_BOX
		image = await picture("look_cap_box" + suffix)
		check_near(row_of(image, 313, RED).size(), 30.0, 1.0, "13 px beyond the end, box")
		check_eq(row_of(image, 316, RED).size(), 0, "16 px beyond the end, box")
		rope.end_cap_mode = VerletRope2D.CAP_NONE
		image = await picture("look_cap_none" + suffix)
		check_near(row_of(image, 298, RED).size(), 30.0, 1.0, "at the end, none")
		check_eq(row_of(image, 302, RED).size(), 0, "2 px beyond the end, none")


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


func test_each_link_shows_its_picture_in_its_middle() -> void:
	# 20 px across and 10 px long.
	var rope := await hang_asleep(
		{
			width = 20.0,
			length = 250,
			segments = 5,
			default_color = Color.WHITE,
			draw_mode = VerletRope2D.DRAW_SEGMENTS,
			segment_texture = stripes([GREEN], 16),
		}
	)
	var image := await picture("look_links")
	for link in 5:
		var middle := 125 + 50 * link
		check_near(row_of(image, middle, GREEN).size(), 20.0, 1.0, "pixels across link %d" % link)
		check_near(column_of(image, middle - 25, middle + 25, GREEN), 10.0, 1.0, "pixels along")
		check_true(alike(image.get_pixel(576, middle + 4), GREEN), "its lower half")
		check_true(alike(image.get_pixel(576, middle - 5), GREEN), "its upper half")
	rope.segment_alternate = stripes([RED], 16)
	image = await picture("look_links_alternate")
	for link in 5:
		var expected := GREEN if link % 2 == 0 else RED
		check_true(
			alike(image.get_pixel(576, 125 + 50 * link), expected), "picture of link %d" % link
		)
	rope.segment_alternate = null
	image = await picture("look_links_again")
	check_true(alike(image.get_pixel(576, 175), GREEN), "one picture again")
	rope.segment_texture = region_of(stripes([BLUE, GREEN, BLUE], 16), Rect2(8, 0, 8, 16))
	image = await picture("look_links_region")
	check_near(column_of(image, 100, 350, GREEN), 50.0, 5.0, "pixels along a region")
	rope.segment_texture = null
	rope.default_color = RED
	image = await picture("look_links_plain")
	check_near(column_of(image, 100, 350, RED), 240.0, 4.0, "pixels along plain plates")
	rope.draw_mode = VerletRope2D.DRAW_STRIP
	image = await picture("look_links_strip")
	check_near(column_of(image, 100, 350, RED), 250.0, 1.0, "pixels along the strip")


func test_pictures_of_links_turn_with_them() -> void:
	var rope := await swinging(
		{
			width = 10.0,
			default_color = Color.WHITE,
			draw_mode = VerletRope2D.DRAW_SEGMENTS,
			segment_texture = stripes([RED, GREEN], 16),
		}
	)
	var image := await picture("look_links_turned")
	var points := rope.get_points()
	for i in points.size() - 1:
		var middle := (points[i] + points[i + 1]) / 2.0
		var way := (points[i + 1] - points[i]).normalized()
		check_true(
			alike(image.get_pixelv(Vector2i(middle - 2.5 * way)), RED), "link %d, first half" % i
		)
		check_true(
			alike(image.get_pixelv(Vector2i(middle + 2.5 * way)), GREEN), "link %d, second" % i
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
			segment_texture = stripes([GREEN, GREEN], 16),
			segment_alternate = stripes([RED, RED, RED], 16),
		}
	)
	var image := await picture("look_links_over")
	check_near(column_of(image, 100, 300, GREEN), 100.0, 3.0, "pixels of the first picture, whole")


func test_a_rope_is_one_draw_call_whatever_it_is_drawn_with() -> void:
	var texture := stripes([RED, GREEN])
	var looks: Array[Dictionary] = [
		{},
		{texture = texture},
		{texture = region_of(texture, Rect2(2, 2, 9, 9))},
		{antialiased = true, width = 30.0},
		{gradient = Gradient.new(), width_curve = Curve.new()},
		{draw_mode = VerletRope2D.DRAW_SEGMENTS, segment_texture = texture},
	]
	var empty := await draw_calls()
	for look in looks:
		var ropes: Array[VerletRope2D] = []
		for i in 10:
			ropes.append(await hang(look.merged({position = Vector2(100 + 60 * i, 100)})))
		check_eq(await draw_calls() - empty, 10, "draw calls of 10 ropes with %s" % look)
		for rope in ropes:
			rope.free()


func test_a_changed_resource_shows_on_a_sleeping_rope() -> void:
	var gradient := Gradient.new()
	gradient.colors = PackedColorArray([RED, RED])
	var curve := Curve.new()
	curve.add_point(Vector2(0, 1))
	curve.add_point(Vector2(1, 1))
	var source := stripes([Color.WHITE, Color.WHITE])
	var region := region_of(source, Rect2(0, 0, 16, 16))
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
	check_near(row_of(image, 200, GREEN).size(), 10.0, 1.0, "a curve's new width")
	region.atlas = stripes([Color.BLACK, Color.BLACK])
	image = await picture("look_atlas_changed")
	check_near(image.get_pixel(576, 200), Color.BLACK, 0.02, "a region's new texture")
	check_true(rope.sleeping, "still asleep")


func test_a_replaced_or_freed_resource_is_let_go() -> void:
	var rope := await hang_asleep({width = 20.0, default_color = RED})
	var texture := stripes([GREEN, GREEN])
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
	rope.texture = stripes([BLUE, BLUE])
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


func test_a_rope_that_jumps_into_the_picture_shows_in_the_same_frame() -> void:
	# The engine has seen it left of the window only.
	var rope := await hang_asleep(
		{
			position = Vector2(-400, 200),
			length = 60,
			end_pinned = true,
			end_position = Vector2(-50, 0),
			default_color = RED,
			width = 6.0,
		}
	)
	await frames(3)
	for way: Vector2 in [Vector2(900, 100), Vector2(-50, 0), Vector2(1200, 50)]:
		await ticks(1)
		rope.end_position = way
		rope.length = way.length() + 1.0
		for frame in 3:
			await RenderingServer.frame_post_draw
			var image := get_viewport().get_texture().get_image()
			image.save_png(pictures_folder.path_join("look_jump_%d.png" % frame))
			var seen := maxf(0.0, way.x - 400.0)
			check_ge(count_of(image, RED), seen * 4.0, "pixels, frame %d, end at %s" % [frame, way])


func test_debug_drawing_shows_points_and_goes_again() -> void:
	var rope := await hang_asleep({width = 1.0, default_color = BLUE})
	var plain := await picture("look_debug_off")
	rope.debug_enabled = true
	var image := await picture("look_debug_on")
	check_gt(differing(plain, image), 100, "pixels of the debug drawing")
	rope.debug_enabled = false
	check_eq(differing(plain, await picture("look_debug_off_again")), 0, "pixels that stay")
	rope.debug_enabled = true
	rope.global_position.x += 200.0
	await ticks(3)
	await until_asleep([rope])
	image = await picture("look_debug_moved")
	check_eq(count_of(image.get_region(Rect2i(560, 90, 32, 240)), BLUE), 0, "pixels left behind")
	var white := 0
	for point in rope.get_points():
		white += int(image.get_pixelv(Vector2i(point.floor())).get_luminance() > 0.25)
	check_gt(white, 15, "points that show")
	rope.free()
	get_tree().debug_collisions_hint = true
	rope = await hang_asleep({width = 1.0, default_color = BLUE})
	image = await picture("look_debug_hint")
	get_tree().debug_collisions_hint = false
	check_gt(differing(plain, image), 100, "pixels by the tree's hint")
