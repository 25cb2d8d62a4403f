extends Node2D
## A shelf of soft toys, one of each preset and of each source.
##
## They fall over slopes and pegs, again and again.

const Toy := preload("res://demos/jelly/toy.gd")

## How fast a shaken toy flies up, in px/s, and how fast it turns at most, in rad/s.
const SHAKE := 520.0
const SPIN := 5.0

## What leaves this is put back.
@export var place := Rect2(0, 0, 980, 763)


func _physics_process(_delta: float) -> void:
	for toy in toys():
		if not place.has_point(to_local(toy.global_position)):
			toy.respawn()


## All toys.
func toys() -> Array[Toy]:
	var found: Array[Toy] = []
	found.assign(get_children().filter(func(child: Node) -> bool: return child is Toy))
	return found


## All toys begin anew.
func reset() -> void:
	for toy in toys():
		toy.respawn()


## Throws them all up.
func shake() -> void:
	for toy in toys():
		toy.linear_velocity = Vector2(randf_range(-0.4, 0.4), -1.0) * SHAKE
		toy.angular_velocity = randf_range(-SPIN, SPIN)


## Makes all of them stiffer, or softer, than their presets.
func set_firmness(factor: float) -> void:
	for toy in toys():
		toy.set_firmness(factor)
