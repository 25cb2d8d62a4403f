extends Node2D
## What a rope hangs from: a ring that follows the pointer while it is held.

const RADIUS := 12.0

## How fast it closes up to the pointer, 1/s. Pointers jump from event to event; a hand does not.
const GRIP := 30.0

const CALM := Color(0.6, 0.65, 0.76)
const LIVELY := Color(0.36, 0.86, 0.9)

## Where it goes, in the parent's coordinates.
var target := Vector2.ZERO

## Whether it is drawn as held.
var lively := false:
	set(value):
		if lively != value:
			lively = value
			queue_redraw()


func _ready() -> void:
	target = position


func _physics_process(delta: float) -> void:
	position = position.lerp(target, 1.0 - exp(-GRIP * delta))


func _draw() -> void:
	draw_circle(Vector2.ZERO, RADIUS, LIVELY if lively else CALM, false, 2.0, true)


## Puts it somewhere at once.
func place(at: Vector2) -> void:
	position = at
	target = at
