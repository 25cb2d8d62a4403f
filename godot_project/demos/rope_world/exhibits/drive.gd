extends Node
## Moves its parent without end: along a way to and fro, and round.

## To the other end of the way, in px.
@export var way := Vector2.ZERO

## Seconds to there and back.
@export var period := 5.0

## Radians a second.
@export var turning := 0.0

## What the speed is multiplied by.
var pace := 1.0

var _time := 0.0
var _home := Vector2.ZERO

@onready var _moved: Node2D = get_parent()


func _ready() -> void:
	_home = _moved.position


func _physics_process(delta: float) -> void:
	_time += delta * pace
	var part := 0.5 - 0.5 * cos(TAU * _time / period)
	_moved.transform = Transform2D(turning * _time, _home + way * part)
