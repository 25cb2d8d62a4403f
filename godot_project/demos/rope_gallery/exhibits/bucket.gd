extends Node2D
## A bucket on a rope that can be cut. It falls into the well, and a new one is let down.

## Seconds until what is left is wound up, how fast, and how fast the new rope is let down, in px/s.
const RENEW_SECONDS := 2.5
const WINDING_SPEED := 120.0
const LOWERING_SPEED := 90.0
const SHORTEST := 14.0

## Seconds that the cut-off part is kept: it falls behind the street.
const FALLING_SECONDS := 2.5

const ROPE := preload("res://demos/rope_gallery/exhibits/bucket_rope.tscn")

## How long the rope is when the bucket hangs over the well.
@export var full_length := 172.0

## Where the water is, in the node's coordinates.
@export var water := 250.0

## Whether the rope shows its points.
var shows_points := false:
	set(shown):
		shows_points = shown
		if _rope:
			_rope.debug_enabled = shown

var _rope: VerletRope2D
var _sheave: Node2D
var _falling: Node2D
var _stump: VerletRope2D


func _ready() -> void:
	_sheave = $Sheave
	_hang(full_length)


func _physics_process(delta: float) -> void:
	if _rope and _rope.length < full_length:
		var step := minf(LOWERING_SPEED * delta, full_length - _rope.length)
		_rope.length += step
		_sheave.rotation += step / 9.0
	if _stump:
		_stump.length -= WINDING_SPEED * delta
		if _stump.length <= SHORTEST:
			_stump.queue_free()
			_stump = null
			_hang(SHORTEST)
	if is_instance_valid(_falling) and to_local(_falling.global_position).y > water:
		_falling = null
		$Splash.restart()


## Cuts the rope where the stroke crosses it; false if it does not.
func stroke(from: Vector2, to: Vector2) -> bool:
	return _rope != null and _rope.cut_line(from, to) > 0


## Cuts it in the middle.
func cut() -> void:
	if _rope:
		var middle := _rope.sample_baked(_rope.length * 0.4)
		stroke(middle + Vector2(-8.0, 0.0), middle + Vector2(8.0, 0.0))


func _hang(length: float) -> void:
	_rope = ROPE.instantiate()
	add_child(_rope)
	_rope.apply_preset("Rope")
	_rope.length = length
	_rope.debug_enabled = shows_points
	_rope.split.connect(_on_split)


func _on_split(rest: VerletRope2D) -> void:
	_falling = _rope.get_node(^"Bucket")
	var stump := _rope
	_rope = null
	get_tree().create_timer(FALLING_SECONDS, false, true).timeout.connect(rest.queue_free)
	get_tree().create_timer(RENEW_SECONDS, false, true).timeout.connect(_wind_up.bind(stump))


## What is left of a cut rope is wound up, and then there is a new one.
func _wind_up(stump: VerletRope2D) -> void:
	_stump = stump
