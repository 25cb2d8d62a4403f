extends Node2D
## Two ledges that are met from above only: a rope jumps up through them, and falls when they open.

## How fast the rope jumps, in px/s.
const JUMP := 640.0

## Seconds that it lies on the floor, and above, and that the ledges stay open.
const REST_SECONDS := 1.6
const STAY_SECONDS := 2.6
const OPEN_SECONDS := 0.9

const OPEN_TINT := Color(1, 1, 1, 0.25)

@onready var _rope: VerletRope2D = $Rope
@onready var _ledges: Array[Node2D] = [$Upper, $Lower]


func _ready() -> void:
	var life := create_tween().set_loops()
	life.set_process_mode(Tween.TWEEN_PROCESS_PHYSICS)
	life.tween_interval(REST_SECONDS)
	life.tween_callback(_jump)
	life.tween_interval(STAY_SECONDS)
	life.tween_callback(_open.bind(true))
	life.tween_interval(OPEN_SECONDS)
	life.tween_callback(_open.bind(false))


func _jump() -> void:
	_rope.apply_central_impulse(Vector2(0.0, -JUMP) * _rope.mass)


func _open(opened: bool) -> void:
	for ledge in _ledges:
		ledge.get_node(^"Shape").disabled = opened
		ledge.modulate = OPEN_TINT if opened else Color.WHITE
