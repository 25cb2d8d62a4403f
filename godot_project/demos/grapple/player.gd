extends CharacterBody2D
## Runs, jumps, swings on a hook and climbs ropes.
##
## The ropes need nothing of this script: they take the player back to their length after he has
## moved, and take out of his velocity what leads farther. Here is only what he wants himself.

const Hook := preload("res://demos/grapple/hook.gd")
const ClimbingRope := preload("res://demos/grapple/climbing_rope.gd")
const TieRope := preload("res://demos/grapple/tie_rope.gd")

const RUN_SPEED := 230.0
const RUN_ACCELERATION := 1800.0
const AIR_ACCELERATION := 700.0
const JUMP_SPEED := 430.0
const GRAVITY := 980.0

## How hard he pumps a swing, in px/s², and up to which speed, in px/s.
const PUMP := 420.0
const PUMPED_SPEED := 640.0

## What a swing loses to the air, per second.
const SWING_DAMP := 0.15

const CLIMB_SPEED := 130.0

## How hard he pushes a crate, in kg px/s², and up to which speed, in px/s.
const PUSH := 30000.0
const PUSHED_SPEED := 90.0

## So long after he has left the floor he can still jump, in s.
const COYOTE_TIME := 0.1

## From how far he gets hold of a rope, in px.
const ARM := 34.0

## With whom he ties himself together, by which rope.
@export var friend: CharacterBody2D
@export var tie: TieRope

var _since_floor := 0.0
var _climbing: ClimbingRope

@onready var _hook: Hook = $Hook
@onready var _hand: Node2D = $Hand
@onready var _figure: Node2D = $Figure


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"grapple_shoot"):
		leave()
		# Where the event is, not where the mouse is by now: it may also come from a finger.
		_hook.shoot(get_canvas_transform().affine_inverse() * event.position)
	elif event.is_action_pressed(&"grapple_jump"):
		_jump()
	elif event.is_action_pressed(&"grapple_up") and not is_holding() and not _take_rope():
		_jump()
	elif event.is_action_pressed(&"grapple_use") and not _take_rope():
		tie.tie_or_untie(friend, self)


func _physics_process(delta: float) -> void:
	var side := Input.get_axis(&"grapple_left", &"grapple_right")
	var down := Input.get_axis(&"grapple_up", &"grapple_down")
	var stands := is_on_floor() or (is_on_wall() and tie.visible and tie.is_taut())
	_since_floor = 0.0 if stands else _since_floor + delta
	velocity.y += GRAVITY * delta
	_hook.brace(is_on_floor())
	if is_on_floor():
		velocity.x = move_toward(velocity.x, side * RUN_SPEED, RUN_ACCELERATION * delta)
	elif is_hanging():
		_swing(side, delta)
	elif side * velocity.x < RUN_SPEED:
		# Without a key he keeps what the swing gave him.
		velocity.x = move_toward(
			velocity.x, side * RUN_SPEED, absf(side) * AIR_ACCELERATION * delta
		)
	if _climbing:
		_climbing.climb(down * CLIMB_SPEED * delta)
	elif _hook.is_holding():
		_hook.wind(down * _hook.wind_speed * delta)
	elif not is_on_floor():
		tie.wind(down * CLIMB_SPEED * delta)
	move_and_slide()
	_push_crates(delta)
	_figure.pose(self, side, is_holding())


## Whether he has a rope in his hand.
func is_holding() -> bool:
	return _climbing != null or _hook.is_holding()


## Whether a rope holds him up.
func is_hanging() -> bool:
	return not is_on_floor() and (_climbing != null or _hook.pulls())


## Where the rope leads that he holds, seen from his hand.
func rope_direction() -> Vector2:
	var rope := _climbing.leash if _climbing else _hook.rope
	var before_last := rope.get_point_position(rope.get_point_count() - 2)
	return _hand.global_position.direction_to(before_last)


## Lets go of everything that he holds; what he has of speed he keeps.
func leave() -> void:
	_hook.let_go()
	if _climbing:
		_climbing.let_go()
	_climbing = null


func _swing(side: float, delta: float) -> void:
	velocity *= 1.0 - SWING_DAMP * delta
	# Above what he hangs from there is nothing to pump.
	if rope_direction().y < -0.2 and side * velocity.x < PUMPED_SPEED:
		velocity.x += side * PUMP * delta


func _jump() -> void:
	if is_holding():
		# Off a rope he climbs he pushes himself, off the hook he flies as he swings.
		var push := JUMP_SPEED * 0.6 if _climbing or is_on_floor() else 0.0
		leave()
		velocity.y -= push
	elif _since_floor < COYOTE_TIME:
		_since_floor = COYOTE_TIME
		velocity.y = -JUMP_SPEED


func _take_rope() -> bool:
	for rope: ClimbingRope in get_tree().get_nodes_in_group(&"climbing_ropes"):
		if not _climbing and rope.take(_hand, ARM):
			_hook.let_go()
			_climbing = rope
			return true
	return false


## The engine stops him at crates as at walls: so he gives them a push.
func _push_crates(delta: float) -> void:
	for i in get_slide_collision_count():
		var collision := get_slide_collision(i)
		var crate := collision.get_collider() as RigidBody2D
		if crate and absf(collision.get_normal().x) > 0.7:
			if crate.linear_velocity.dot(-collision.get_normal()) < PUSHED_SPEED:
				crate.apply_central_impulse(-collision.get_normal() * PUSH * delta)
