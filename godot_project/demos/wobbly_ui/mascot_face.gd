extends Node2D
## Eyes that look at the mouse, each where the body has carried its place.

const INK := Color(0.12, 0.08, 0.2)

## Where the eyes and the cheeks are at rest, in px.
const EYES: PackedVector2Array = [Vector2(-52, -38), Vector2(52, -38)]

var _blink_in := 2.0
var _mouse := Vector2.ZERO
var _bound := PackedInt32Array()
var _offsets := PackedVector2Array()

@onready var _body: SoftBody2D = get_parent()


func _ready() -> void:
	for eye in EYES:
		var point := _body.get_closest_point_index(_body.to_global(eye), 1000.0)
		_bound.append(point)
		_offsets.append(eye - _body.to_local(_body.get_point_position(point)))


func _input(event: InputEvent) -> void:
	var mouse := event as InputEventMouse
	if mouse:
		_mouse = get_canvas_transform().affine_inverse() * mouse.position


func _process(delta: float) -> void:
	_blink_in -= delta
	if _blink_in < -0.12:
		_blink_in = randf_range(1.5, 4.0)
	queue_redraw()


func _draw() -> void:
	var mouse := to_local(_mouse)
	for i in EYES.size():
		var eye := to_local(_body.get_point_position(_bound[i])) + _offsets[i]
		var side := signf(EYES[i].x)
		draw_circle(eye + Vector2(side * 26.0, 34), 15.0, Color(1, 0.45, 0.5, 0.35))
		if _blink_in < 0.0:
			draw_line(eye - Vector2(20, 0), eye + Vector2(20, 0), INK, 6.0, true)
			continue
		draw_circle(eye, 27.0, Color.WHITE)
		draw_arc(eye, 27.0, 0.0, TAU, 40, Color(INK, 0.5), 3.0, true)
		var pupil := eye + (mouse - eye).limit_length(12.0)
		draw_circle(pupil, 14.0, INK)
		draw_circle(pupil + Vector2(5, -5), 4.5, Color.WHITE)
