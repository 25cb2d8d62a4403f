@tool
extends StaticBody2D
## Ground of the level: a polygon with rounded corners, and moss where one can stand.

const EARTH := Color(0.29, 0.22, 0.38)
const DEEP := Color(0.14, 0.11, 0.23)
const MOSS := Color(0.36, 0.66, 0.49)
const LIGHT := Color(0.6, 0.86, 0.58)

## There is about one pebble on so much of it, in px².
const PEBBLE_AREA := 5000.0

## How steep moss grows at most: the least part of a side that goes sideways.
const GROWS := 0.55

## Corners, clockwise, in px.
@export var polygon := PackedVector2Array():
	set(value):
		polygon = value
		_build()

## How round the corners are, in px.
@export var roundness := 24.0:
	set(value):
		roundness = value
		_build()

var _outline := PackedVector2Array()
var _shape: CollisionPolygon2D


func _ready() -> void:
	_shape = CollisionPolygon2D.new()
	add_child(_shape)
	_build()


func _build() -> void:
	if not _shape or polygon.size() < 3:
		return
	_outline = _rounded()
	_shape.polygon = _outline
	queue_redraw()


## Cuts each corner off by a small arc.
func _rounded() -> PackedVector2Array:
	var result := PackedVector2Array()
	var count := polygon.size()
	for i in count:
		var corner := polygon[i]
		var to_last := polygon[(i - 1 + count) % count] - corner
		var to_next := polygon[(i + 1) % count] - corner
		var from := corner + to_last.limit_length(minf(roundness, to_last.length() * 0.45))
		var to := corner + to_next.limit_length(minf(roundness, to_next.length() * 0.45))
		for step in 6:
			var part := step / 5.0
			result.append(from.lerp(corner, part).lerp(corner.lerp(to, part), part))
	return result


func _draw() -> void:
	if _outline.is_empty():
		return
	var colors := PackedColorArray()
	for point in _outline:
		colors.append(EARTH.lerp(DEEP, clampf((point.y + position.y - 340.0) / 420.0, 0.0, 1.0)))
	draw_polygon(_outline, colors)
	_draw_pebbles()
	for i in _outline.size():
		_draw_edge(_outline[i], _outline[(i + 1) % _outline.size()])


func _draw_pebbles() -> void:
	var box := _box()
	var rng := RandomNumberGenerator.new()
	rng.seed = polygon.size() * 1000 + int(polygon[0].x)
	for i in int(box.get_area() / PEBBLE_AREA):
		var at := box.position + box.size * Vector2(rng.randf(), rng.randf())
		var radius := rng.randf_range(4.0, 16.0)
		var free := true
		for way: Vector2 in [Vector2.UP, Vector2.DOWN, Vector2.LEFT, Vector2.RIGHT]:
			free = free and Geometry2D.is_point_in_polygon(at + way * (radius + 18.0), _outline)
		if free:
			draw_set_transform(at, rng.randf() * TAU, Vector2(1.0, rng.randf_range(0.5, 0.9)))
			draw_circle(Vector2.ZERO, radius, Color(1, 1, 1, rng.randf_range(0.03, 0.07)))
	draw_set_transform(Vector2.ZERO)


func _draw_edge(from: Vector2, to: Vector2) -> void:
	var way := to - from
	if way.x > way.length() * GROWS:
		draw_line(from + Vector2(0, 5), to + Vector2(0, 5), MOSS, 12.0)
		draw_circle(to + Vector2(0, 5), 6.0, MOSS)
		var tufts := int(way.length() / 16.0)
		for i in tufts:
			var at := from + way * (i + 0.5) / tufts
			draw_circle(at + Vector2(0, 8), 6.0 + 3.0 * absf(sin(at.x * 0.7)), MOSS)
		draw_line(from + Vector2(0, 1), to + Vector2(0, 1), LIGHT, 3.0, true)
	else:
		draw_line(from, to, DEEP.lightened(0.22), 3.0, true)


func _box() -> Rect2:
	var box := Rect2(_outline[0], Vector2.ZERO)
	for point in _outline:
		box = box.expand(point)
	return box
