extends CharacterBody2D
## A friend who goes after the player as long as a rope ties him to the player, and waits at edges.

const RUN_SPEED := 200.0
const ACCELERATION := 1500.0
const JUMP_SPEED := 430.0
const GRAVITY := 980.0

## So near he stays, in px.
const NEAR := 70.0

@export var player: CharacterBody2D
@export var tie: VerletRope2D

@onready var _figure: Node2D = $Figure
@onready var _ahead: RayCast2D = $Ahead


func _physics_process(delta: float) -> void:
	velocity.y += GRAVITY * delta
	var side := 0.0
	var way := player.global_position - global_position
	if tie.visible and absf(way.x) > NEAR:
		side = signf(way.x)
	if is_on_floor():
		# At an edge he stops and holds the rope; if the player stands beyond, he jumps.
		_ahead.position.x = 16.0 * side
		_ahead.force_raycast_update()
		var edge := side != 0.0 and not _ahead.is_colliding()
		if player.is_on_floor() and (edge or (is_on_wall() and way.y < 20.0)):
			velocity.y = -JUMP_SPEED
		elif edge:
			side = 0.0
		velocity.x = move_toward(velocity.x, side * RUN_SPEED, ACCELERATION * delta)
	elif side * velocity.x < RUN_SPEED:
		velocity.x += side * 300.0 * delta
	move_and_slide()
	_figure.pose(self, side, false)
