extends "res://tests/support/rope_test.gd"
## What tests of rigid bodies on ropes share.

const GRAVITY := 980.0


## A square crate of [param mass] kg at [param at].
func crate(mass: float, at: Vector2, half := 20.0) -> RigidBody2D:
	var body := RigidBody2D.new()
	body.mass = mass
	body.position = at
	var shape := CollisionShape2D.new()
	var square := RectangleShape2D.new()
	square.size = Vector2.ONE * half * 2.0
	shape.shape = square
	body.add_child(shape)
	return add(body)


## A rope of 1 kg and 200 px at [param at] that pulls at [param body] where it is tied.
func tied(at: Vector2, body: RigidBody2D, offset: Vector2, mass := 1.0) -> VerletRope2D:
	var rope := VerletRope2D.new()
	rope.position = at
	rope.mass = mass
	rope.length = 200.0
	add(rope)
	rope.attach_end(body, offset)
	return rope


## How hard the last piece of a rope pulls, as a mass in kg.
func carried(rope: VerletRope2D) -> float:
	return rope.get_tension(rope.get_point_count() - 2) / GRAVITY
