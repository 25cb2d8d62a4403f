extends SoftBody2D
## A slime that crawls, hops, and makes itself flat to squeeze through gaps.
##
## All of it is impulses and forces on the body: it is 1 kg, so they are changes of velocity.

## It hopped, or was thrown by a pad; with so much of its strength.
signal hopped(strength: float)

## It landed, so fast, in px/s.
signal landed(speed: float)

const CRAWL_SPEED := 210.0
const CRAWL_ACCELERATION := 1500.0
const AIR_ACCELERATION := 700.0

## How fast it leaves the floor after a tap, and after it has squatted as long as it can, in px/s.
const HOP_SPEEDS := Vector2(400.0, 640.0)

## How long it squats at least and at most, in s.
const SQUAT_SECONDS := Vector2(0.07, 0.45)

## How hard its upper side is pulled down while it squats or is flat, in px/s².
const SQUAT_PULL := 5200.0
const FLAT_PULL := 5200.0

## What is left of its firmness while it is flat.
const FLAT_FIRMNESS := 0.25

## How far down it feels for a gap, in px, and how hard it is drawn together over one, in px/s².
const GAP_DEPTH := 70.0
const DRIP_PULL := 6000.0

## So far it feels for the floor, in px.
const FEEL := 7.0

## With how much it pushes on when it is stuck, as a multiple of crawling.
const PUSH := 2.0

## So long after it has left the floor it can still hop, in s.
const COYOTE_SECONDS := 0.1

## Whether it is flat, and for how long it has squatted, in s; below 0 it does not.
var is_flat := false
var squat := -1.0

var _since_floor := 0.0
var _firmness := 0.0
var _memory := 0.0
var _fall := 0.0


func _ready() -> void:
	_firmness = stiffness
	_memory = shape_memory


func _physics_process(delta: float) -> void:
	var floor_now := stands()
	if floor_now and _since_floor > 0.15:
		landed.emit(_fall)
	_since_floor = 0.0 if floor_now else _since_floor + delta
	_fall = linear_velocity.y
	is_flat = Input.is_action_pressed(&"move_down")
	stiffness = _firmness * (FLAT_FIRMNESS if is_flat else 1.0)
	shape_memory = 0.0 if is_flat else _memory
	_crawl(Input.get_axis(&"move_left", &"move_right"), floor_now, delta)
	_hop(delta)
	if is_flat and _is_above_gap():
		_drip()
	elif is_flat:
		_pull_down(FLAT_PULL)


## Whether there is something below it, also where it leans on a wall.
func stands() -> bool:
	var space := get_world_2d().direct_space_state
	var outline := get_outline()
	for i in range(0, outline.size(), 2):
		var from := outline[i] - Vector2(0, FEEL)
		var ray := PhysicsRayQueryParameters2D.create(
			from, from + Vector2(0, 2.0 * FEEL), collision_mask
		)
		if outline[i].y > global_position.y and space.intersect_ray(ray):
			return true
	return false


## Throws it up, as a pad does.
func throw_up(speed: float) -> void:
	squat = -1.0
	linear_velocity = Vector2(linear_velocity.x, -speed)
	hopped.emit(1.0)


func _crawl(side: float, floor_now: bool, delta: float) -> void:
	var wanted := side * CRAWL_SPEED - linear_velocity.x
	var acceleration := CRAWL_ACCELERATION if floor_now else AIR_ACCELERATION * absf(side)
	if floor_now and side and absf(linear_velocity.x) < CRAWL_SPEED * 0.3:
		acceleration *= PUSH
	var change := clampf(wanted, -acceleration * delta, acceleration * delta)
	if change:
		apply_central_impulse(Vector2(change, 0.0) * mass)


func _hop(delta: float) -> void:
	if squat < 0.0:
		if Input.is_action_just_pressed(&"move_jump") and _since_floor < COYOTE_SECONDS:
			squat = 0.0
		return
	squat += delta
	_pull_down(SQUAT_PULL)
	if not Input.is_action_pressed(&"move_jump") and squat >= SQUAT_SECONDS.x:
		var strength := clampf(squat / SQUAT_SECONDS.y, 0.0, 1.0)
		squat = -1.0
		if _since_floor < COYOTE_SECONDS:
			_since_floor = COYOTE_SECONDS
			linear_velocity.y = -lerpf(HOP_SPEEDS.x, HOP_SPEEDS.y, strength)
			hopped.emit(strength)


## Whether it lies over a gap in the floor, or in one.
func _is_above_gap() -> bool:
	var down := Vector2(0, GAP_DEPTH)
	var ray := PhysicsRayQueryParameters2D.create(
		global_position, global_position + down, collision_mask
	)
	return get_world_2d().direct_space_state.intersect_ray(ray).is_empty()


## Draws it together to a drop, that falls through the gap.
func _drip() -> void:
	var points := get_points()
	var each := mass / points.size()
	for i in points.size():
		var aside := clampf((points[i].x - global_position.x) / (size.x * 0.5), -1.0, 1.0)
		apply_point_force(i, Vector2(-aside, 0.4) * DRIP_PULL * each)


## Pulls its upper side down: with the floor below, that makes it flat.
func _pull_down(acceleration: float) -> void:
	var points := get_points()
	var each := mass / points.size()
	var top := INF
	var bottom := -INF
	for point in points:
		top = minf(top, point.y)
		bottom = maxf(bottom, point.y)
	for i in points.size():
		var part := inverse_lerp(bottom, top, points[i].y)
		apply_point_force(i, Vector2(0, acceleration * part * each))
