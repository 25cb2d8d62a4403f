extends Node2D
## Lets a rope down into a box, where it coils up, and winds it up again.

const SHORTEST := 16.0

## In px/s.
const LOWERING_SPEED := 90.0
const WINDING_SPEED := 130.0

## Seconds at either end.
const REST_SECONDS := 2.5

const SHEAVE_RADIUS := 8.0

## How long the rope is when it lies in the box.
@export var full_length := 560.0

var _lowers := true
var _rest := 0.0

@onready var _rope: VerletRope2D = $Rope
@onready var _sheave: Node2D = $Sheave


func _physics_process(delta: float) -> void:
	if _rest > 0.0:
		_rest -= delta
		return
	var to := full_length if _lowers else SHORTEST
	var speed := LOWERING_SPEED if _lowers else WINDING_SPEED
	var before := _rope.length
	_rope.length = move_toward(before, to, speed * delta)
	_sheave.rotation += (_rope.length - before) / SHEAVE_RADIUS
	if _rope.length == to:
		_lowers = not _lowers
		_rest = REST_SECONDS
