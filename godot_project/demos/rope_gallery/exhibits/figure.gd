extends Node2D
## Runs to and fro, jumps and turns round. The scarf and the hair are ropes, children of what they
## grow from, and know nothing of all this.

const SPEED := 215.0
const ACCELERATION := 620.0
const BRAKING := 900.0
const JUMP_SPEED := 400.0
const GRAVITY := 980.0

## The speed that the animation of running is made for.
const STRIDE_SPEED := 215.0

const REST_SECONDS := 1.3

## Where it turns, in the parent's coordinates.
@export var from_x := 120.0
@export var to_x := 760.0

## What it jumps over.
@export var obstacle_x := 540.0

var _direction := 1.0
var _velocity := Vector2.ZERO
var _rest := 0.8
var _ground := 0.0

@onready var _body: Node2D = $Body
@onready var _scarf: VerletRope2D = $Body/Hips/Torso/Scarf
@onready var _shadow: Node2D = $Shadow
@onready var _player: AnimationPlayer = $AnimationPlayer


func _ready() -> void:
	_ground = position.y
	_scarf.apply_preset("Scarf")
	for strand: VerletRope2D in $Body/Hips/Torso/Head/Hair.get_children():
		strand.apply_preset("Hair")
	_player.play(&"idle")


func _physics_process(delta: float) -> void:
	_steer(delta)
	position.x += _velocity.x * delta
	if position.y < _ground or _velocity.y < 0.0:
		_velocity.y += GRAVITY * delta
		position.y = minf(position.y + _velocity.y * delta, _ground)
		if position.y >= _ground:
			_velocity.y = 0.0
	var height := _ground - position.y
	_shadow.position.y = height
	_shadow.self_modulate.a = 1.0 - height / 160.0
	_animate()


func _steer(delta: float) -> void:
	if _rest > 0.0:
		_rest -= delta
		if _rest <= 0.0:
			_turn()
		return
	if not _is_braking():
		_velocity.x = move_toward(_velocity.x, SPEED * _direction, ACCELERATION * delta)
	else:
		_velocity.x = move_toward(_velocity.x, 0.0, BRAKING * delta)
		if _velocity.x == 0.0:
			_rest = REST_SECONDS
	var flight := 2.0 * JUMP_SPEED / GRAVITY
	var to_obstacle := (obstacle_x - position.x) * _direction
	if absf(to_obstacle - flight * 0.5 * SPEED) < 3.0 and position.y >= _ground:
		_velocity.y = -JUMP_SPEED


## Looks towards where it has to go.
func _turn() -> void:
	_direction = 1.0 if absf(position.x - to_x) > absf(position.x - from_x) else -1.0
	_body.scale.x = _direction


func _animate() -> void:
	var wanted := &"run"
	if position.y < _ground:
		wanted = &"jump"
	elif absf(_velocity.x) < 20.0:
		wanted = &"idle"
	elif _is_braking():
		wanted = &"brake"
	if _player.current_animation != wanted:
		_player.play(wanted, 0.12)
	_player.speed_scale = absf(_velocity.x) / STRIDE_SPEED if wanted == &"run" else 1.0


## Whether it would not stop in time any more.
func _is_braking() -> bool:
	var left := ((to_x if _direction > 0.0 else from_x) - position.x) * _direction
	return left <= _velocity.x * _velocity.x / (2.0 * BRAKING) + 4.0
