@tool
extends StaticBody2D
## A block of the level: a rectangle of stone, with grass on it or hung up.

enum Look { GROUND, BEAM, STONE }

const MOSS := Color(0.36, 0.62, 0.4)

@export var size := Vector2(100, 100):
	set(value):
		size = value
		_form.size = value
		queue_redraw()

@export var look := Look.GROUND

var _form := RectangleShape2D.new()


func _ready() -> void:
	# The node is at the upper left corner.
	var shape := CollisionShape2D.new()
	shape.shape = _form
	shape.position = size * 0.5
	add_child(shape)


func _draw() -> void:
	if look == Look.BEAM:
		_draw_beam()
	else:
		_draw_stone()


func _draw_beam() -> void:
	for x: float in [14.0, size.x - 14.0]:
		for y in range(-900, 0, 12):
			draw_rect(Rect2(x - 1.5, y, 3, 9), Color(0.33, 0.33, 0.43))
	draw_rect(Rect2(Vector2.ZERO, size), Color(0.5, 0.35, 0.27))
	draw_rect(Rect2(0, 0, size.x, 5), Color(0.64, 0.46, 0.34))
	for x: float in [14.0, size.x - 14.0]:
		draw_rect(Rect2(x - 5, 0, 10, size.y), Color(0.27, 0.26, 0.34))
		draw_circle(Vector2(x, size.y * 0.5), 2.5, Color(0.6, 0.6, 0.7))


func _draw_stone() -> void:
	var light := Color(0.35, 0.33, 0.45)
	var dark := Color(0.13, 0.12, 0.22)
	var deep := light.lerp(dark, clampf(size.y / 380.0, 0.2, 1.0))
	# What hangs is lit from below the clouds, what stands from above.
	var upper := deep if look == Look.STONE else light
	var lower := light if look == Look.STONE else deep
	draw_polygon(
		[Vector2.ZERO, Vector2(size.x, 0), size, Vector2(0, size.y)], [upper, upper, lower, lower]
	)
	# Joints of the masonry.
	var row := 0
	for y in range(28, int(size.y), 28):
		var depth := size.y - y if look == Look.STONE else float(y)
		var fade := Color(0.08, 0.07, 0.15, 0.35 * clampf(1.0 - depth / 420.0, 0.0, 1.0))
		draw_line(Vector2(0, y), Vector2(size.x, y), fade, 2.0)
		for x in range(30 + 28 * (row % 2), int(size.x), 56):
			draw_line(Vector2(x, y - 28), Vector2(x, y), fade, 2.0)
		row += 1
	draw_line(Vector2(1, 0), Vector2(1, size.y), Color(1, 1, 1, 0.07), 2.0)
	if look == Look.STONE:
		draw_rect(Rect2(0, 0, size.x, 3), Color(0.56, 0.54, 0.66))
		draw_rect(Rect2(0, size.y - 3, size.x, 3), Color(0.45, 0.43, 0.56))
	if look == Look.GROUND:
		draw_rect(Rect2(0, 0, size.x, 7), MOSS)
		for x in range(4, int(size.x) - 4, 9):
			var blade := 5.0 + 5.0 * absf(sin(x * 12.9898 + global_position.x))
			draw_rect(Rect2(x - 3, 5, 7, blade), MOSS)
		draw_rect(Rect2(0, 0, size.x, 2.5), MOSS.lightened(0.3))
