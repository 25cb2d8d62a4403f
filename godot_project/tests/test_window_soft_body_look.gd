extends "res://tests/support/soft_test.gd"
## How a soft body looks in a picture: where it is, without gaps, with a texture, between two
## ticks, and as its child.

const RED := Color(1, 0, 0)
const GREEN := Color(0, 1, 0)
const BLUE := Color(0, 0, 1)
const PLAIN := {
	color = GREEN, outline_color = RED, antialiased = false, shine = 0, gravity_scale = 0
}


func before_each() -> void:
	RenderingServer.set_default_clear_color(Color.BLACK)


func after_each() -> void:
	RenderingServer.set_default_clear_color(
		ProjectSettings.get_setting("rendering/environment/defaults/default_clear_color")
	)
	await super()


func plain(properties: Dictionary = {}) -> SoftBody2D:
	var settings := PLAIN.duplicate()
	settings.merge(properties, true)
	return await soft(settings)


## Pushes its points about, and stops it in the midst of that.
func deform(body: SoftBody2D, strength: float = 25.0) -> void:
	for i in body.get_point_count():
		body.apply_point_impulse(i, Vector2.RIGHT.rotated(i * 2.4) * strength * body.mass / 5.0)
	await ticks(5)
	body.process_mode = Node.PROCESS_MODE_DISABLED
	await ticks(1)


func test_filling_and_line_have_no_gap_and_do_not_leave_each_other() -> void:
	var kinds: Array[Dictionary] = [
		{},
		{smooth_outline = false},
		{particle_count = Vector2i(10, 10)},
		{source = SoftBody2D.SOURCE_ELLIPSE, size = Vector2(160, 90)},
		{source = SoftBody2D.SOURCE_ELLIPSE, spacing = 60},
		{antialiased = true},
		{scale = Vector2(-2, 1.5), rotation = 0.4},
	]
	for i in kinds.size():
		for deformed: bool in [false, true]:
			var body := await plain(kinds[i].merged({outline_width = 5}))
			if deformed:
				await deform(body)
			var image := await picture("soft_look_%d_%s" % [i, deformed])
			check_rays(image, body, "%s, deformed %s" % [kinds[i], deformed])
			body.free()


## From its middle outwards it is first green, then red, then black.
func check_rays(image: Image, body: SoftBody2D, what: String) -> void:
	var center := body.get_center()
	for turn in 90:
		var way := Vector2.RIGHT.rotated(TAU * turn / 90)
		var seen := 0
		var red := 0
		for step in range(0, 600):
			var color := image.get_pixelv(Vector2i((center + way * step * 0.5).floor()))
			var kind := 0 if color.g > 0.5 else (1 if color.r > 0.3 else 2)
			if color.r + color.g < 0.3:
				kind = 2
			red += int(kind == 1)
			if kind < seen and not (kind == 0 and color.g < 0.9):
				fail(
					(
						"%s: ray %d goes back from %d to %d at %s"
						% [what, turn, seen, kind, center + way * step * 0.5]
					)
				)
				break
			seen = maxi(seen, kind)
		check_ge(red, 4, "%s: red on ray %d" % [what, turn])


func test_it_is_drawn_where_its_points_are() -> void:
	for properties: Dictionary in [
		{}, {source = SoftBody2D.SOURCE_ELLIPSE}, {size = Vector2(220, 60)}
	]:
		var body := await plain(properties.merged({outline_width = 0}))
		await deform(body)
		var image := await picture("soft_look_points_%d" % properties.hash())
		var outline := body.get_outline()
		var count := outline.size()
		for i in count:
			var bend := absf(
				(outline[i] - outline[i - 1]).angle_to(outline[(i + 1) % count] - outline[i])
			)
			var side := (outline[(i + 1) % count] - outline[i - 1]).normalized().orthogonal()
			var depth := 3.0 if bend < 0.8 else 9.0
			var inside := outline[i] - side * depth
			var beyond := outline[i] + side * 4.0
			check_eq(image.get_pixelv(Vector2i(inside)), GREEN, "inside of point %d" % i)
			check_eq(image.get_pixelv(Vector2i(beyond)), Color.BLACK, "outside of point %d" % i)
		body.free()


func test_corners_of_a_polygon_stay_and_a_rectangle_is_rounded_off() -> void:
	var star := PackedVector2Array()
	for i in 10:
		star.append(Vector2.UP.rotated(TAU * i / 10) * (100 if i % 2 == 0 else 45))
	var body := await plain({source = SoftBody2D.SOURCE_POLYGON, polygon = star, outline_width = 0})
	var image := await picture("soft_look_star")
	for i in range(0, 10, 2):
		check_eq(image.get_pixelv(Vector2i(body.position + star[i] * 0.95)), GREEN, "tip %d" % i)
	for i in range(1, 10, 2):
		check_eq(
			image.get_pixelv(Vector2i(body.position + star[i] * 1.1)), Color.BLACK, "notch %d" % i
		)
	body.free()
	body = await plain({outline_width = 0})
	image = await picture("soft_look_rounded")
	check_eq(image.get_pixelv(Vector2i(body.position + Vector2(48, 48))), Color.BLACK, "corner")
	body.smooth_outline = false
	image = await picture("soft_look_sharp")
	check_eq(image.get_pixelv(Vector2i(body.position + Vector2(48, 48))), GREEN, "sharp corner")


func quarters() -> ImageTexture:
	var image := Image.create(64, 64, false, Image.FORMAT_RGBA8)
	image.fill_rect(Rect2i(0, 0, 32, 32), RED)
	image.fill_rect(Rect2i(32, 0, 32, 32), GREEN)
	image.fill_rect(Rect2i(0, 32, 32, 32), BLUE)
	image.fill_rect(Rect2i(32, 32, 32, 32), Color.WHITE)
	return ImageTexture.create_from_image(image)


func test_a_texture_and_a_region_of_one_cover_the_box() -> void:
	var body := await plain({texture = quarters(), color = Color.WHITE, outline_width = 0})
	# An array, since a lambda takes down what a variable was.
	var seen: Array[Image] = [await picture("soft_look_texture")]
	var at := func(x: float, y: float) -> Color:
		return seen[0].get_pixelv(Vector2i(body.position + Vector2(x, y)))
	check_near(at.call(-40, -30), RED, 0.02, "upper left")
	check_near(at.call(5, -5), GREEN, 0.02, "upper right")
	check_near(at.call(-5, 5), BLUE, 0.02, "lower left")
	check_near(at.call(30, 40), Color.WHITE, 0.02, "lower right")
	var atlas := AtlasTexture.new()
	atlas.atlas = quarters()
	atlas.region = Rect2(32, 0, 32, 64)
	body.texture = atlas
	seen[0] = await picture("soft_look_atlas")
	check_near(at.call(-40, -30), GREEN, 0.02, "upper half of the region")
	check_near(at.call(40, 30), Color.WHITE, 0.02, "lower half of the region")
	atlas.region = Rect2(0, 0, 32, 64)
	seen[0] = await picture("soft_look_atlas_moved")
	check_near(at.call(-40, -30), RED, 0.02, "another region")
	for nothing: Texture2D in [AtlasTexture.new(), ImageTexture.new(), PlaceholderTexture2D.new()]:
		if nothing is PlaceholderTexture2D:
			(nothing as PlaceholderTexture2D).size = Vector2.ZERO
		body.texture = nothing
		await ticks(1)
		seen[0] = await picture("soft_look_no_size")
		check_near(at.call(0, 0), Color.WHITE, 0.02, "a texture without a size is none")


func test_colours_widths_and_highlight_show_on_a_sleeping_body() -> void:
	var body := await plain()
	body.sleeping = true
	await frames(2)
	body.color = BLUE
	body.outline_width = 0
	var image := await picture("soft_look_recoloured")
	check_eq(image.get_pixelv(Vector2i(body.position)), BLUE, "middle")
	check_eq(image.get_pixelv(Vector2i(body.position + Vector2(0, -49))), BLUE, "no line")
	body.shine = 1.0
	image = await picture("soft_look_shine")
	check_gt(image.get_pixelv(Vector2i(body.position + Vector2(-33, -33))).r, 0.4, "highlight")
	check_true(body.sleeping, "still asleep")


func test_between_two_ticks_the_picture_and_children_move_evenly_together() -> void:
	await set_ticks_per_second(20)
	get_tree().physics_interpolation = true
	var body := make_soft(PLAIN.merged({outline_width = 0, position = Vector2(200, 200)}))
	var mark := Polygon2D.new()
	mark.polygon = [Vector2(-5, -5), Vector2(5, -5), Vector2(5, 5), Vector2(-5, 5)]
	mark.color = BLUE
	body.add_child(mark)
	add(body)
	body.linear_velocity = Vector2(400, 0)
	body.linear_damp = 0
	await ticks(4)
	var places := PackedFloat32Array()
	for i in 12:
		await RenderingServer.frame_post_draw
		var image := get_viewport().get_texture().get_image()
		var green := span(image, GREEN)
		var blue := span(image, BLUE)
		check_near(
			(green.x + green.y) / 2,
			(blue.x + blue.y) / 2,
			1.01,
			"mark in the middle in frame %d" % i
		)
		places.append(green.x)
	for i in range(2, places.size()):
		check_near(places[i] - places[i - 1], 400.0 / 60.0, 1.6, "way in frame %d" % i)


## The first and the last pixel of a colour in the row of the middle of the picture's body.
func span(image: Image, color: Color) -> Vector2:
	var first := -1
	var last := -1
	for y: int in [170, 200]:
		for x in image.get_width():
			if _distance(image.get_pixel(x, y), color) < 0.1:
				first = x if first < 0 else mini(first, x)
				last = maxi(last, x)
	return Vector2(first, last)


func test_a_child_polygon_is_the_picture_while_it_falls() -> void:
	body_at(StaticBody2D.new(), Vector2(576, 620), rectangle(Vector2(1000, 40)))
	var body := make_soft({source = SoftBody2D.SOURCE_CHILD_POLYGON, spacing = 15})
	var child := Polygon2D.new()
	child.polygon = [Vector2(0, 0), Vector2(128, 0), Vector2(128, 128), Vector2(0, 128)]
	child.position = Vector2(-64, -64)
	child.texture = quarters()
	child.texture_scale = Vector2(0.5, 0.5)
	body.add_child(child)
	add(body)
	var shown := 0
	for i in 90:
		await ticks(1)
		if i % 9 == 8:
			body.process_mode = Node.PROCESS_MODE_DISABLED
			await frames(2)
			var image := await picture("soft_look_child_%d" % i)
			var frame := body.global_transform
			for part: Array in [
				[-25, -25, RED], [25, -25, GREEN], [-25, 25, BLUE], [25, 25, Color.WHITE]
			]:
				var at := Vector2i(frame * Vector2(part[0], part[1]))
				check_near(image.get_pixelv(at), part[2], 0.1, "quarter %s in tick %d" % [part, i])
			for corner in body.get_outline():
				var inside := Vector2i(corner.move_toward(body.get_center(), 6.0))
				check_gt(
					_distance(image.get_pixelv(inside), Color.BLACK),
					0.3,
					"inside of %s in tick %d" % [corner, i]
				)
				var beyond := Vector2i(corner.move_toward(body.get_center(), -5.0))
				check_near(
					image.get_pixelv(beyond),
					Color.BLACK,
					0.05,
					"outside of %s in tick %d" % [corner, i]
				)
			shown += 1
			body.process_mode = Node.PROCESS_MODE_INHERIT
	check_eq(shown, 10, "pictures")
