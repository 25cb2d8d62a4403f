extends Node2D
## A face: the eyes look at the mouse and blink, the mouth opens when it falls fast.

## How far the pupils move in the eyes, in px.
const LOOK := 3.0

## How fast a fall is that makes it wonder, in px/s.
const FAST := 260.0

const BLINK_SECONDS := 0.12

## How high a shut eye is, as a part of an open one.
const SHUT := 0.15

var _blink_in := 2.0

@onready var _eyes: Array[Node2D] = [$LeftEye, $RightEye]
@onready var _body: SoftBody2D = get_parent()


func _process(delta: float) -> void:
	_blink_in -= delta
	if _blink_in < -BLINK_SECONDS:
		_blink_in = randf_range(1.5, 4.0)
	for eye in _eyes:
		var pupil: Node2D = eye.get_node(^"Pupil")
		pupil.position = eye.to_local(get_global_mouse_position()).limit_length(LOOK)
		pupil.visible = _blink_in > 0.0
		var lid: Node2D = eye.get_node(^"White")
		lid.scale.y = lid.scale.x * (1.0 if _blink_in > 0.0 else SHUT)
	var wonders := _body.linear_velocity.length() > FAST
	$Smile.visible = not wonders
	$Wonder.visible = wonders
