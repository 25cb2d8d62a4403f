extends Node2D
## Pours bodies out of a spout: soft ones, and some that are rigid.

## There are never more than this.
const MOST := 70

## Time between two, in s.
const PAUSE := 0.13

const COLORS: PackedColorArray = [
	Color(1, 0.42, 0.55, 0.93),
	Color(1, 0.68, 0.32, 0.93),
	Color(0.99, 0.86, 0.36, 0.93),
	Color(0.5, 0.86, 0.48, 0.93),
	Color(0.4, 0.72, 1, 0.93),
	Color(0.76, 0.55, 0.98, 0.93),
]

## How large a jelly is, in px: the least and the most.
const SIZES := Vector2(50.0, 70.0)

## How fast they come out, in px/s.
const SPEED := 200.0

## Where they come out, one after the other, in px: none into the one before it.
const LANES: PackedFloat32Array = [-160.0, 0.0, 160.0, -80.0, 80.0]

## What can be poured. Those that come more often are in it more often.
@export var kinds: Array[PackedScene] = []

## Whether it pours now.
var pours := false

var _pause := 0.0
var _number := 0


func _physics_process(delta: float) -> void:
	_pause -= delta
	if pours and _pause <= 0.0 and count() < MOST:
		_pause = PAUSE
		pour()


## Lets one fall.
func pour() -> void:
	var body: Node2D = kinds[_number % kinds.size()].instantiate()
	body.position = Vector2(LANES[_number % LANES.size()] + randf_range(-12.0, 12.0), 0.0)
	body.rotation = randf_range(-0.6, 0.6)
	var jelly := body as SoftBody2D
	if jelly:
		jelly.color = COLORS[_number % COLORS.size()]
		jelly.outline_color = Color(jelly.color.darkened(0.4), 1.0)
		jelly.size = jelly.size * randf_range(SIZES.x, SIZES.y) / jelly.size.x
		jelly.linear_velocity = Vector2(0, SPEED)
	elif body is RigidBody2D:
		(body as RigidBody2D).linear_velocity = Vector2(0, SPEED)
	_number += 1
	add_child(body)


## Everything that was poured.
func bodies() -> Array[Node]:
	return get_children()


## How much of it there is.
func count() -> int:
	return get_child_count()


## The jelly that lies on top, or null.
func highest() -> SoftBody2D:
	var found: SoftBody2D = null
	for body in bodies():
		var jelly := body as SoftBody2D
		if jelly and (not found or jelly.global_position.y < found.global_position.y):
			found = jelly
	return found


## Takes all of it away.
func clear() -> void:
	for body in bodies():
		body.queue_free()
