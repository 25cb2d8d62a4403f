extends "res://tests/support/picture_test.gd"
## The base of the tests of how a [VerletRope2D] looks: textures, and what is in a picture.


## A rope between two points at the same height, and asleep soon.
func show_rope(at: Vector2, span: float, properties: Dictionary) -> void:
	var settings := {position = at, length = span * 1.08, end_pinned = true, linear_damp = 8.0}
	settings.end_position = Vector2(span, 0)
	settings.merge(properties)
	add(make_rope(settings))


func blank_like(like: Image) -> Image:
	var image := Image.create_empty(like.get_width(), like.get_height(), false, like.get_format())
	image.fill(like.get_pixel(2, 2))
	return image


## A texture of upright stripes, each 8 px long along the rope.
func stripes(colors: Array[Color], height: int = 16) -> ImageTexture:
	var image := Image.create_empty(8 * colors.size(), height, false, Image.FORMAT_RGBA8)
	for i in colors.size():
		image.fill_rect(Rect2i(8 * i, 0, 8, height), colors[i])
	return ImageTexture.create_from_image(image)


func region_of(texture: Texture2D, region: Rect2) -> AtlasTexture:
	var part := AtlasTexture.new()
	part.atlas = texture
	part.region = region
	return part


## A rope in the middle of its swing, which has stopped.
func swinging(properties: Dictionary) -> VerletRope2D:
	var rope := await hang(properties.merged({length = 400, end_position = released_at(80.0)}))
	await seconds(0.45)
	rope.process_mode = Node.PROCESS_MODE_DISABLED
	return rope


func draw_calls() -> int:
	await RenderingServer.frame_post_draw
	await RenderingServer.frame_post_draw
	return RenderingServer.viewport_get_render_info(
		get_viewport().get_viewport_rid(),
		RenderingServer.VIEWPORT_RENDER_INFO_TYPE_CANVAS,
		RenderingServer.VIEWPORT_RENDER_INFO_DRAW_CALLS_IN_FRAME
	)


## Fails if the background shows within `reach` px of the rope's points or between them.
func check_covered(image: Image, rope: VerletRope2D, reach: float, what: String) -> void:
	var holes := 0
	var points := rope.get_points()
	for i in points.size() - 1:
		var aside := (points[i + 1] - points[i]).normalized().orthogonal() * reach
		for part in 10:
			var at := points[i].lerp(points[i + 1], part / 10.0)
			for side: Vector2 in [at - aside, at, at + aside]:
				holes += int(not alike(image.get_pixelv(Vector2i(side.floor())), RED))
	check_eq(holes, 0, what + ": places along the rope that it does not cover")


func alike(one: Color, other: Color) -> bool:
	return _distance(one, other) < 0.25


func count_of(image: Image, color: Color) -> int:
	var count := 0
	for y in image.get_height():
		for x in image.get_width():
			count += int(alike(image.get_pixel(x, y), color))
	return count


func differing(one: Image, other: Image) -> int:
	var count := 0
	for y in one.get_height():
		for x in one.get_width():
			count += int(_distance(one.get_pixel(x, y), other.get_pixel(x, y)) > 0.02)
	return count


func row_of(image: Image, y: int, color: Color) -> PackedInt32Array:
	var found := PackedInt32Array()
	for x in image.get_width():
		if _distance(image.get_pixel(x, y), color) < 0.5:
			found.append(x)
	return found


## How much red there is in a row, in pixels.
func red_across(image: Image, y: int) -> float:
	var sum := 0.0
	for x in image.get_width():
		sum += image.get_pixel(x, y).r
	return sum


## How many pixels in the middle column have this colour.
func column_of(image: Image, from: int, to: int, color: Color) -> int:
	var count := 0
	for y in range(from, to):
		count += int(alike(image.get_pixel(576, y), color))
	return count


## How often the colour changes along a rope that hangs straight.
func changes_along(image: Image, rope: VerletRope2D) -> int:
	var changes := 0
	for y in range(rope.position.y + 1, rope.position.y + rope.length - 1):
		var red := image.get_pixel(576, y).r
		changes += int((red > 0.5) != (image.get_pixel(576, y + 1).r > 0.5))
	return changes


## Of a place to a line of points.
func distance_to(points: PackedVector2Array, at: Vector2) -> float:
	var nearest := INF
	for i in points.size() - 1:
		var on_line := Geometry2D.get_closest_point_to_segment(at, points[i], points[i + 1])
		nearest = minf(nearest, on_line.distance_to(at))
	return nearest
