extends "res://tests/support/solid_test.gd"
## The base of the tests of what ropes collide with.


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
	return tile_set_of([full_tile(), full_tile(), PackedVector2Array()], [1], layer)


## A tile map with a row of one kind of tile; its top is at `height`.
func tile_row(height: float, kind: int = 0, layer: int = 1) -> TileMapLayer:
	var map := TileMapLayer.new()
	map.tile_set = tile_set(layer)
	map.position = Vector2(0, height)
	for x in range(8, 30):
		map.set_cell(Vector2i(x, 0), 0, Vector2i(kind, 0))
	return add(map)
