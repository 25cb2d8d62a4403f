@tool
extends StaticBody2D
## A jar of glass that is open above.

const GLASS := Color(0.85, 0.95, 1.0)

## Its inside, in px.
@export var size := Vector2(560, 420)

## How thick the glass is, in px.
@export var thickness := 40.0

## How round the lower corners are, in px.
@export var roundness := 90.0


func _ready() -> void:
	var walls := [
		Rect2(-size.x * 0.5 - thickness, -size.y, thickness, size.y + thickness),
		Rect2(size.x * 0.5, -size.y, thickness, size.y + thickness),
		Rect2(-size.x * 0.5, 0, size.x, thickness),
	]
	for wall: Rect2 in walls:
		var shape := CollisionShape2D.new()
		var form := RectangleShape2D.new()
		form.size = wall.size
		shape.shape = form
		shape.position = wall.get_center()
		add_child(shape)
	for side: float in [-1.0, 1.0]:
		var corner := CollisionPolygon2D.new()
		corner.polygon = _corner(side)
		add_child(corner)


## What is between the round corner and the square one.
func _corner(side: float) -> PackedVector2Array:
	var middle := Vector2(side * (size.x * 0.5 - roundness), -roundness)
	var points := PackedVector2Array([Vector2(side * size.x * 0.5, 0)])
	for i in 9:
		var angle := PI * 0.5 * i / 8.0
		points.append(middle + Vector2(side * sin(angle), cos(angle)) * roundness)
	return points


func _draw() -> void:
	var inner := _around(0.0)
	var outer := _around(14.0)
	draw_colored_polygon(inner, Color(GLASS, 0.1))
	var ring := outer.duplicate()
	var back := inner.duplicate()
	back.reverse()
	ring.append_array(back)
	draw_colored_polygon(ring, Color(GLASS, 0.32))
	draw_polyline(inner, Color(1, 1, 1, 0.55), 2.0, true)
	draw_polyline(outer, Color(1, 1, 1, 0.8), 3.0, true)
	for side: float in [-1.0, 1.0]:
		draw_circle(Vector2(side * (size.x * 0.5 + 7.0), -size.y), 11.0, Color(GLASS, 0.85))
	var x := -size.x * 0.5 + 26.0
	draw_line(Vector2(x, -size.y + 50), Vector2(x, -140), Color(1, 1, 1, 0.3), 12.0)
	draw_line(Vector2(x + 20, -size.y + 50), Vector2(x + 20, -200), Color(1, 1, 1, 0.18), 6.0)


## The line of the glass from the left upper end to the right one, so far outside of its inside.
func _around(outside: float) -> PackedVector2Array:
	var points := PackedVector2Array([Vector2(-size.x * 0.5 - outside, -size.y)])
	for side: float in [-1.0, 1.0]:
		var middle := Vector2(side * (size.x * 0.5 - roundness), -roundness)
		for i in 13:
			var part := i / 12.0 if side > 0.0 else 1.0 - i / 12.0
			var angle := PI * 0.5 * part
			points.append(middle + Vector2(side * sin(angle), cos(angle)) * (roundness + outside))
	points.append(Vector2(size.x * 0.5 + outside, -size.y))
	return points
