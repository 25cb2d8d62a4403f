extends Node2D
## The face of a slime: looks where it goes, blinks, and is pressed flat together with the body.

const INK := Color(0.07, 0.2, 0.13)

## How tall the body is at rest, in px.
@export var height := 68.0

var _blink_in := 1.5
var _look := Vector2.ZERO
var _flat := 1.0
var _joy := 0.0

@onready var _body: SoftBody2D = get_parent()


func _process(delta: float) -> void:
	_blink_in -= delta
	_joy = maxf(0.0, _joy - delta)
	if _blink_in < -0.12:
		_blink_in = randf_range(1.2, 4.0)
	var aim := (_body.linear_velocity / 300.0).limit_length(1.0)
	_look = _look.lerp(aim, 1.0 - exp(-10.0 * delta))
	var top := INF
	var bottom := -INF
	for point in _body.get_outline():
		top = minf(top, point.y)
		bottom = maxf(bottom, point.y)
	_flat = clampf((bottom - top) / height, 0.3, 1.5)
	# In the middle of what is seen, not of the points.
	position = Vector2(0, (top + bottom) * 0.5 - _body.global_position.y - height * 0.06)
	queue_redraw()


## It is glad for a while.
func cheer() -> void:
	_joy = 0.8


func _draw() -> void:
	var squeeze := clampf(_flat, 0.55, 1.25)
	draw_set_transform(_look * Vector2(9, 5), 0.0, Vector2(1.0 / sqrt(squeeze), squeeze))
	for side: float in [-1.0, 1.0]:
		var eye := Vector2(side * 14.0, -4.0)
		if _joy > 0.0:
			draw_arc(eye + Vector2(0, 4), 6.0, PI, TAU, 12, INK, 3.0, true)
		elif _blink_in < 0.0:
			draw_line(eye + Vector2(-6, 0), eye + Vector2(6, 0), INK, 3.0, true)
		else:
			_ellipse(eye, Vector2(6.0, 8.5), INK)
			draw_circle(eye + Vector2(2, -3) + _look * 1.5, 2.6, Color.WHITE)
		_ellipse(eye + Vector2(side * 8.0, 13), Vector2(5, 3), Color(1, 0.5, 0.5, 0.45))
	var mouth := Vector2(0, 7)
	if _joy > 0.0:
		_ellipse(mouth + Vector2(0, 2), Vector2(6, 5), INK)
		_ellipse(mouth + Vector2(0, 4.5), Vector2(4, 2.5), Color(1, 0.5, 0.5))
	elif absf(_body.linear_velocity.y) > 330.0:
		_ellipse(mouth + Vector2(0, 2), Vector2(4, 5), INK)
	else:
		draw_arc(mouth - Vector2(0, 2), 5.0, 0.3, PI - 0.3, 10, INK, 2.5, true)


func _ellipse(at: Vector2, radii: Vector2, colour: Color) -> void:
	var points := PackedVector2Array()
	for i in 20:
		points.append(at + Vector2.from_angle(i * TAU / 20.0) * radii)
	draw_colored_polygon(points, colour)
