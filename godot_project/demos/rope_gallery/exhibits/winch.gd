extends Node2D
## A winch: the rope's length changes each tick, and the drum turns with it.

## The shortest and the longest rope, how fast it is wound, and how long it rests at either end.
const SHORTEST := 74.0
const LONGEST := 316.0
const SPEED := 62.0
const ACCELERATION := 90.0
const REST_SECONDS := 1.6

const DRUM_RADIUS := 22.0
const SHEAVE_RADIUS := 9.0

var _direction := 1.0
var _speed := 0.0
var _rest := 0.5

@onready var _rope: VerletRope2D = $Rope
@onready var _drum: Node2D = $Drum
@onready var _sheaves: Array[Node2D] = [$Sheave, $Sheave2]


func _ready() -> void:
	_rope.apply_preset("Rope")
	_rope.length = SHORTEST


func _physics_process(delta: float) -> void:
	if _rest > 0.0:
		_rest -= delta
		return
	# As fast as lets it stop in time.
	var left := (LONGEST if _direction > 0.0 else SHORTEST) - _rope.length
	var wanted := minf(SPEED, sqrt(2.0 * ACCELERATION * absf(left))) * signf(left)
	_speed = move_toward(_speed, wanted, ACCELERATION * delta)
	_wind(_speed * delta)
	if absf(left) < 0.5:
		_speed = 0.0
		_rest = REST_SECONDS
		_direction = -_direction


func _wind(step: float) -> void:
	_rope.length += step
	_drum.rotation -= step / DRUM_RADIUS
	for sheave in _sheaves:
		sheave.rotation -= step / SHEAVE_RADIUS
