extends Node2D
## Balls roll down a ramp, through the ropes that hang over it, and into a bin.

const BALL := preload("res://demos/rope_world/exhibits/ball.tscn")

## Where they come out, and with which velocity.
const SPOUT := Vector2(-80, -111)
const VELOCITY := Vector2(60, 0)

## Seconds between two of them.
const PERIOD := 1.5

## How far down they are in the bin.
const BOTTOM := -14.0

var _wait := 0.4

@onready var _balls: Node2D = $Balls


func _physics_process(delta: float) -> void:
	_wait -= delta
	if _wait <= 0.0:
		_wait += PERIOD
		var ball: RigidBody2D = BALL.instantiate()
		ball.position = SPOUT
		ball.linear_velocity = VELOCITY
		_balls.add_child(ball)
	for ball: RigidBody2D in _balls.get_children():
		if ball.position.y > BOTTOM:
			ball.queue_free()
