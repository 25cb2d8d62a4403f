extends CharacterBody2D
## Runs, jumps, and is thrown up by soft bodies.
##
## [method move_and_slide] stands on a soft body as on any floor, and sinks in. All that is asked of
## the soft body is how its surface moves: that much he is thrown, and a jump in that moment adds.

## He was thrown off a soft body, so fast, in px/s; with a jump at the right moment or without.
signal thrown(speed: float, timed: bool)

const RUN_SPEED := 240.0
const RUN_ACCELERATION := 1700.0
const AIR_ACCELERATION := 1100.0
const JUMP_SPEED := 400.0
const GRAVITY := 980.0

## How much of its speed a soft floor gives him when he does not jump.
const LOOSE := 0.75

## How much of its speed it adds to a jump: the sooner it comes up, the higher he goes.
const TIMED_JUMP := 1.8

## A jump is asked for so long before it can be had, and had so long after the floor was left, in s.
const EARLY := 0.12
const COYOTE := 0.1

## So long after a jump no floor holds him, also if it comes after him, in s.
const LEAVES := 0.25

## Faster than this a surface throws him, in px/s.
const THROWS := 110.0

## He is not thrown faster than this, in px/s.
const MOST_SPEED := 1150.0

## The soft body that he stands on, or null.
var soft_floor: SoftBody2D

var _asked := INF
var _since_floor := INF
var _since_jump := INF

@onready var _figure: Node2D = $Figure


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"move_jump") or event.is_action_pressed(&"move_up"):
		_asked = 0.0


func _physics_process(delta: float) -> void:
	var side := Input.get_axis(&"move_left", &"move_right")
	var acceleration := RUN_ACCELERATION if is_on_floor() else AIR_ACCELERATION
	if side or is_on_floor():
		velocity.x = move_toward(velocity.x, side * RUN_SPEED, acceleration * delta)
	velocity.y += GRAVITY * delta
	_asked += delta
	_since_jump += delta
	_since_floor = 0.0 if is_on_floor() else _since_floor + delta
	if soft_floor:
		_leave_soft_floor()
	elif _asked < EARLY and _since_floor < COYOTE:
		_jump(JUMP_SPEED)
	move_and_slide()
	_find_soft_floor()
	_figure.pose(self, side, false)


## How fast the soft body below him comes up, in px/s.
func rises() -> float:
	return -soft_floor.get_surface_velocity(global_position).y if soft_floor else 0.0


func _jump(speed: float) -> void:
	_asked = INF
	_since_floor = INF
	_since_jump = 0.0
	soft_floor = null
	velocity.y = -minf(speed, MOST_SPEED)


## He goes up with its surface, and jumps off it.
func _leave_soft_floor() -> void:
	var speed := rises()
	if speed > THROWS:
		velocity.y = minf(velocity.y, -minf(speed * LOOSE, MOST_SPEED))
	if _asked < EARLY:
		_jump(JUMP_SPEED + maxf(speed, 0.0) * TIMED_JUMP)
		thrown.emit(-velocity.y, speed > THROWS)


func _find_soft_floor() -> void:
	if _since_floor > COYOTE:
		soft_floor = null
	if _since_jump < LEAVES:
		return
	for i in get_slide_collision_count():
		var collision := get_slide_collision(i)
		if collision.get_normal().y < -0.4:
			soft_floor = collision.get_collider() as SoftBody2D
			_since_floor = 0.0
