extends Node2D
## Small eyes, that blink, and grow when their body is moved fast.

const INK := Color(0.16, 0.1, 0.2)

var _blink_in := randf_range(0.5, 4.0)
var _fright := 0.0

@onready var _body: SoftBody2D = get_parent()


func _process(delta: float) -> void:
	var was_awake := _fright > 0.05 or _blink_in < 0.0
	_blink_in -= delta
	if _blink_in < -0.12:
		_blink_in = randf_range(1.5, 5.0)
	var speed := clampf(_body.linear_velocity.length() / 500.0, 0.0, 1.0)
	_fright = lerpf(_fright, speed, 1.0 - exp(-9.0 * delta))
	# At rest it is drawn anew only for a blink.
	if was_awake or _fright > 0.05 or _blink_in < 0.0:
		queue_redraw()


func _draw() -> void:
	for side: float in [-9.0, 9.0]:
		var eye := Vector2(side, -4)
		if _blink_in < 0.0:
			draw_line(eye - Vector2(4, 0), eye + Vector2(4, 0), INK, 2.0, true)
		else:
			draw_circle(eye, 4.0 + _fright * 2.0, INK)
			draw_circle(eye + Vector2(1.3, -1.5), 1.5, Color.WHITE)
	if _fright > 0.4:
		draw_circle(Vector2(0, 5), 1.5 + _fright * 2.5, INK)
	else:
		draw_arc(Vector2(0, 2), 4.0, 0.4, PI - 0.4, 8, INK, 2.0, true)
