extends Node2D
## A grappling hook: flies where it is shot, bites into the first body on its way, and from then on
## a rope holds the player there.

const SPEED := 1900.0

## How far it flies, in px.
const REACH := 430.0

## Shorter than this it is not wound, in px.
const SHORTEST := 36.0

## A slack rope pulls with less than this: its own weight, in kg px/s².
const WEIGHT := 1000.0

## Heavier crates than this pull the player, in kg.
const STRENGTH := 40.0

## So much farther than the rope is long a crate is stuck, in px.
const STUCK := 5.0

## What a step of the wheel winds, in px.
const STEP := 24.0

const LONGEST := 520.0

const TEXTURE := preload("res://addons/supple/textures/rope.svg")

## The hand that holds the end of the rope; below a CharacterBody2D.
@export var hand: Node2D

## What it bites into, and what its rope wraps round.
@export_flags_2d_physics var mask := 0b101

## How fast it is wound, in px/s.
@export var wind_speed := 240.0

## The rope, while the hook holds.
var rope: VerletRope2D

## What it has bitten into, if that gives way.
var _crate: RigidBody2D
var _velocity := Vector2.ZERO


func _ready() -> void:
	# The hook stays where it has bitten, while the player moves on.
	top_level = true


func _physics_process(delta: float) -> void:
	if _velocity == Vector2.ZERO:
		return
	var to := global_position + _velocity * delta
	var query := PhysicsRayQueryParameters2D.create(global_position, to, mask)
	var hit := get_world_2d().direct_space_state.intersect_ray(query)
	if hit:
		_bite(hit.collider, hit.position + hit.normal * 3.0)
	elif hand.global_position.distance_to(to) > REACH:
		let_go()
	else:
		global_position = to


func _process(_delta: float) -> void:
	if is_holding():
		# A crate takes it along.
		global_position = rope.get_point_position(0)
	queue_redraw()


## The wheel winds it by steps; keys, which are held, are up to the player.
func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.is_action_pressed(&"grapple_up"):
		wind(-STEP)
	elif event is InputEventMouseButton and event.is_action_pressed(&"grapple_down"):
		wind(STEP)


## Shoots it from the hand towards a global position.
func shoot(target: Vector2) -> void:
	let_go()
	global_position = hand.global_position
	_velocity = hand.global_position.direction_to(target) * SPEED


## Whether it has bitten into something.
func is_holding() -> bool:
	return rope != null


## Tells whether the player stands firm. Then he is not held: what he winds comes to him, unless it
## is too heavy, or stuck.
func brace(firm: bool) -> void:
	if is_holding():
		var comes := hand.global_position.distance_to(global_position) < rope.length + STUCK
		rope.hold_characters = not (firm and comes and _crate and _crate.mass < STRENGTH)


## Whether the hand hangs on it: its rope is neither slack nor loose.
func pulls() -> bool:
	return is_holding() and rope.get_end_force(1).length() > WEIGHT


## Winds the rope by so many px: in, if they are less than 0.
func wind(by: float) -> void:
	if is_holding():
		rope.length = clampf(rope.length + by, minf(rope.length, SHORTEST), LONGEST)


## The hand lets the rope go, which falls and fades.
func let_go() -> void:
	_velocity = Vector2.ZERO
	if not is_holding():
		return
	rope.attach_end(null)
	var fade := rope.create_tween()
	fade.tween_property(rope, ^"modulate:a", 0.0, 0.5)
	fade.tween_callback(rope.queue_free)
	rope = null


func _bite(body: Node2D, at: Vector2) -> void:
	_velocity = Vector2.ZERO
	global_position = at
	rope = VerletRope2D.new()
	rope.texture = TEXTURE
	rope.default_color = Color.WHITE
	rope.width = 5.0
	rope.collision_mask = mask
	rope.position = at
	rope.end_position = hand.global_position - at
	rope.length = at.distance_to(hand.global_position)
	# Beside the level, not below the player: the node's own place is where it hangs.
	owner.get_parent().add_child(rope)
	rope.attach_end(hand)
	_crate = body as RigidBody2D
	if _crate:
		# A rope pulls at what it is tied to. What never moves needs no tie: the rope
		# would go through it.
		rope.attach_start(_crate, _crate.to_local(at))
		rope.detached.connect(func(_end: int) -> void: let_go())


func _draw() -> void:
	if _velocity == Vector2.ZERO and not is_holding():
		return
	var back := to_local(hand.global_position)
	if not is_holding():
		# On its way the rope is only drawn: in waves, the shorter the farther it has flown.
		var waves := PackedVector2Array()
		var height := 14.0 * (1.0 - back.length() / REACH)
		for i in 25:
			var wave := sin(i * 0.9) * sin(i * PI / 24.0) * height
			waves.append(back * (i / 24.0) + back.orthogonal().normalized() * wave)
		draw_polyline(waves, Color(0.79, 0.64, 0.43), 4.0, true)
	var along := _velocity.normalized()
	if is_holding():
		along = rope.get_point_position(1).direction_to(global_position)
	draw_set_transform(Vector2.ZERO, along.angle())
	for side: float in [-1.0, 1.0]:
		var claw := PackedVector2Array([Vector2(-8, 0), Vector2(0, 8 * side), Vector2(6, 4 * side)])
		draw_polyline(claw, Color(0.82, 0.86, 0.92), 3.0, true)
	draw_circle(Vector2(-8, 0), 3.5, Color(0.62, 0.67, 0.76))
