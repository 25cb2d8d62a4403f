extends "res://tests/support/rope_test.gd"
## The base of the tests of what ropes collide with.

## How deep a rope may be in something, in px.
const DEEPEST := 1.0


## A body with one shape, in the test's tree.
func body_at(
	body: CollisionObject2D, position: Vector2, shape: Shape2D, shape_transform := Transform2D()
) -> CollisionObject2D:
	body.position = position
	add_shape(body, shape, shape_transform)
	return add(body)


## One more shape of a body.
func add_shape(
	body: CollisionObject2D, shape: Shape2D, transform := Transform2D()
) -> CollisionShape2D:
	var node := CollisionShape2D.new()
	node.shape = shape
	node.transform = transform
	body.add_child(node)
	return node


func rectangle(size: Vector2) -> RectangleShape2D:
	var shape := RectangleShape2D.new()
	shape.size = size
	return shape


func circle(radius: float) -> CircleShape2D:
	var shape := CircleShape2D.new()
	shape.radius = radius
	return shape


func segment(from: Vector2, to: Vector2) -> SegmentShape2D:
	var shape := SegmentShape2D.new()
	shape.a = from
	shape.b = to
	return shape


## A floor whose top is at this height.
func floor_at(height: float, width: float = 2000.0) -> StaticBody2D:
	return body_at(StaticBody2D.new(), Vector2(576, height + 50), rectangle(Vector2(width, 100)))


## A rope that nothing holds, laid out level from (476, height).
func loose_rope(height: float, properties: Dictionary = {}) -> VerletRope2D:
	var settings := {
		position = Vector2(476, height),
		end_position = Vector2(200, 0),
		start_pinned = false,
		linear_damp = 3.0,
	}
	settings.merge(properties, true)
	return await hang(settings)


## The lowest point of a rope.
func lowest(rope: VerletRope2D) -> float:
	var y := -INF
	for point in rope.get_points():
		y = maxf(y, point.y)
	return y


## The highest point of a rope.
func highest(rope: VerletRope2D) -> float:
	var y := INF
	for point in rope.get_points():
		y = minf(y, point.y)
	return y


## A rope of 4 px lies on something whose top is at this height.
func check_lies_on(rope: VerletRope2D, height: float, what: String) -> void:
	check_near(lowest(rope), height - 2.0, DEEPEST, what + ": the lowest point")


func monitor(monitor_name: String) -> float:
	return Performance.get_custom_monitor("supple/" + monitor_name)


## Tiles of 32 px: the first is solid, the second one-way, the third has no polygon.
func tile_set(layer: int = 1) -> TileSet:
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(32, 32)
	tiles.add_physics_layer()
	tiles.set_physics_layer_collision_layer(0, layer)
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(96, 32, false, Image.FORMAT_RGBA8)
	)
	source.texture_region_size = Vector2i(32, 32)
	tiles.add_source(source, 0)
	for i in 3:
		source.create_tile(Vector2i(i, 0))
	for i in 2:
		var data := source.get_tile_data(Vector2i(i, 0), 0)
		data.add_collision_polygon(0)
		data.set_collision_polygon_points(
			0,
			0,
			PackedVector2Array(
				[Vector2(-16, -16), Vector2(16, -16), Vector2(16, 16), Vector2(-16, 16)]
			)
		)
		data.set_collision_polygon_one_way(0, 0, i == 1)
	return tiles


## A tile map with a row of one kind of tile; its top is at `height`.
func tile_row(height: float, kind: int = 0, layer: int = 1) -> TileMapLayer:
	var map := TileMapLayer.new()
	map.tile_set = tile_set(layer)
	map.position = Vector2(0, height)
	for x in range(8, 30):
		map.set_cell(Vector2i(x, 0), 0, Vector2i(kind, 0))
	return add(map)
