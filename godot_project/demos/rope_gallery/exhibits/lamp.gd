extends Node2D
## A lamp on a cable: the rope carries it, with its light, and it turns as the rope does.

## What pushes it at first, in kg px/s, and the draught that keeps it swinging, in kg px/s2.
const FIRST_PUSH := 320.0
const DRAUGHT := 240.0

## Radians a second: about that of a pendulum of this length.
const RHYTHM := 2.9

var _time := 0.0

@onready var _cable: VerletRope2D = $Cable


func _ready() -> void:
	_cable.apply_preset("Cable")
	_cable.apply_central_impulse(Vector2(FIRST_PUSH, 0.0))


func _physics_process(delta: float) -> void:
	_time += delta
	var push := Vector2(DRAUGHT * sin(_time * RHYTHM), 0.0)
	_cable.apply_point_force(_cable.get_point_count() - 1, push)
