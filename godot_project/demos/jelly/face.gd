extends Node2D
## A face: the eyes look at the mouse and blink, the mouth opens when it falls fast.

## How far the pupils move in the eyes, in px.
const LOOK := 3.0

## How fast a fall is that makes it wonder, in px/s.
const FAST := 260.0

const BLINK_SECONDS := 0.12

var _blink_in := 2.0

@onready var _eyes: Array[Node2D] = [$LeftEye, $RightEye]
@onready var _body: SoftBody2D = get_parent()


func _process(delta: float) -> void:
	_blink_in -= delta
	if _blink_in < -BLINK_SECONDS:
		_blink_in = randf_range(1.5, 4.0)
	var open := 0.15 if _blink_in < 0.0 else 1.0
	for eye in _eyes:
		var pupil: Node2D = eye.get_child(0)
		var way := eye.to_local(get_global_mouse_position())
		pupil.position = way.limit_length(LOOK)
		eye.scale.y = open
	var wonders := _body.linear_velocity.length() > FAST
	$Smile.visible = not wonders
	$Wonder.visible = wonders
