extends CharacterBody2D
## A player as most games have it: walks, falls, jumps. It counts what happens to it.

## Px/s that it wants to walk, to the right.
var pace := 0.0
var gravity := 980.0
var jump_speed := 400.0
## It jumps in the next tick in which it is on the floor.
var wants_to_jump := false
## Keys are read: left, right, up.
var reads_keys := false

## Ticks since the counts began, those on the floor, and those in which it did not get on.
var ticks := 0
var floor_ticks := 0
var stuck_ticks := 0
## Its place after each tick.
var trail := PackedVector2Array()

var _born := Engine.get_physics_frames()


func _physics_process(delta: float) -> void:
	# With physics on a thread of its own the engine does not know it in its first tick.
	if Engine.get_physics_frames() <= _born + 1:
		return
	if reads_keys:
		pace = 200.0 * (Input.get_axis(&"ui_left", &"ui_right"))
		wants_to_jump = wants_to_jump or Input.is_action_just_pressed(&"ui_up")
	var before := global_position
	velocity.x = pace
	if not is_on_floor():
		velocity.y += gravity * delta
	elif wants_to_jump:
		wants_to_jump = false
		velocity.y = -jump_speed
	move_and_slide()
	ticks += 1
	floor_ticks += int(is_on_floor())
	var way := (global_position.x - before.x) * signf(pace)
	stuck_ticks += int(pace != 0.0 and way < 0.25 * absf(pace) * delta)
	trail.append(global_position)


func count_anew() -> void:
	ticks = 0
	floor_ticks = 0
	stuck_ticks = 0
	trail.clear()


func floor_part() -> float:
	return float(floor_ticks) / maxi(1, ticks)
