extends Node2D
## A lamp on a cable: the rope carries it, with its light, and it turns as the rope does.

const FIRST_PUSH := 260.0

@onready var _cable: VerletRope2D = $Cable


func _ready() -> void:
	_cable.apply_preset("Cable")
	_cable.apply_central_impulse(Vector2(FIRST_PUSH, 0.0))
