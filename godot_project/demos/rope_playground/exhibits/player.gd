extends CharacterBody2D
## A player who walks with A and D, jumps with the space bar, pushes what is in the way, and weighs
## on what it stands on.

const SPEED := 200.0
const ACCELERATION := 1600.0
const JUMP_SPEED := 470.0

## In kg.
const MASS := 25.0

## How hard it pushes crates, in kg px/s².
const PUSH := 7000.0

## What is light is not pushed harder than this, in px/s²: it would be shot away.
const HARDEST := 2500.0

var _stride := 0.0

@onready var _look: Node2D = $Look
@onready var _legs: Array[Node2D] = [$Look/LegA, $Look/LegB]


func _physics_process(delta: float) -> void:
	var way := 0.0
	if Input.is_physical_key_pressed(KEY_D) or Input.is_physical_key_pressed(KEY_RIGHT):
		way += 1.0
	if Input.is_physical_key_pressed(KEY_A) or Input.is_physical_key_pressed(KEY_LEFT):
		way -= 1.0
	velocity.x = move_toward(velocity.x, way * SPEED, ACCELERATION * delta)
	velocity += get_gravity() * delta
	if is_on_floor() and Input.is_physical_key_pressed(KEY_SPACE):
		velocity.y = -JUMP_SPEED
	move_and_slide()
	for i in get_slide_collision_count():
		_push(get_slide_collision(i))
	_walk(way, delta)


func _push(collision: KinematicCollision2D) -> void:
	var body := collision.get_collider() as RigidBody2D
	if not body:
		return
	var below := collision.get_normal().y < -0.7
	var force := get_gravity() * MASS if below else -collision.get_normal() * PUSH
	force = force.limit_length(HARDEST * body.mass)
	body.apply_force(force, collision.get_position() - body.global_position)


func _walk(way: float, delta: float) -> void:
	if way:
		_look.scale.x = way
	_stride = _stride + absf(velocity.x) * delta / 9.0 if absf(velocity.x) > 5.0 else 0.0
	var swing := 0.8 * sin(_stride) if is_on_floor() else 0.6
	_legs[0].rotation = swing
	_legs[1].rotation = -swing
	$Look/Body.position.y = -absf(sin(_stride)) * 1.5
