extends Node2D
## A winch: winds a rope that runs over a wheel and lifts a crate.

const DRUM_RADIUS := 17.0
const WHEEL_RADIUS := 26.0

## How far outside of the wheel the rope's middle is laid: half its width, and a little for the
## corners of its pieces.
const ROPE_RADIUS := 3.5

## How far the crate is lifted, from 0 (on the ground) to 1.
@export_range(0.0, 1.0) var lifted := 0.4

## The rope when the crate is on the ground, and when it is lifted all the way, in px.
@export var longest := 850.0
@export var shortest := 370.0

## How fast the rope is wound at most, in px/s, and how fast that changes, in px/s².
@export var speed := 150.0
@export var acceleration := 300.0

var _speed := 0.0

@onready var _rope: VerletRope2D = $Rope
@onready var _drum: Node2D = $Drum
@onready var _wheel: Node2D = $Wheel
@onready var _crate: Node2D = $Crate


func _ready() -> void:
	_lay_over_wheel()


func _physics_process(delta: float) -> void:
	# As fast as lets it stop in time.
	var left := lerpf(longest, shortest, lifted) - _rope.length
	var wanted := minf(speed, sqrt(2.0 * acceleration * absf(left))) * signf(left)
	_speed = move_toward(_speed, wanted, acceleration * delta)
	var step := minf(absf(_speed * delta), absf(left)) * signf(left)
	_rope.length += step
	_drum.rotation -= step / DRUM_RADIUS
	_wheel.rotation += step / WHEEL_RADIUS


## Lays the rope from the drum over the wheel to the crate: straight it would pass below the wheel.
func _lay_over_wheel() -> void:
	var way := Curve2D.new()
	way.add_point(_rope.position)
	for i in 17:
		var around := Vector2.from_angle(PI + i * PI / 16.0) * (WHEEL_RADIUS + ROPE_RADIUS)
		way.add_point(_wheel.position + around)
	way.add_point(_crate.position + _rope.end_offset)
	_rope.length = way.get_baked_length()
	var last := _rope.get_point_count() - 1
	for i in range(1, last):
		var place := way.sample_baked(way.get_baked_length() * i / last)
		_rope.set_point_position(i, to_global(place))
