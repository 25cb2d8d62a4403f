extends AnimatableBody2D
## A spoon to stir with: it follows the mouse while it is held, and hangs at its hook otherwise.

## How fast it goes at most, in px/s.
const SPEED := 700.0

## How far from its bowl and its handle it can be taken, in px.
const REACH := 34.0

## How much it leans with its way, in rad for each px/s, and at most.
const LEAN := 0.0009
const MOST_LEAN := 0.5

const WOOD := Color(0.78, 0.55, 0.34)

var is_held := false

var _grip := Vector2.ZERO
var _mouse := Vector2.ZERO

@onready var _home := position


func _unhandled_input(event: InputEvent) -> void:
	var mouse := event as InputEventMouse
	if not mouse:
		return
	_mouse = get_canvas_transform().affine_inverse() * mouse.position
	var click := event as InputEventMouseButton
	if not click or click.button_index != MOUSE_BUTTON_LEFT:
		return
	if click.pressed and _is_near(to_local(_mouse)):
		is_held = true
		_grip = global_position - _mouse
		get_viewport().set_input_as_handled()
	elif not click.pressed:
		is_held = false


func _physics_process(delta: float) -> void:
	# At its hook, and on the way back, nothing meets it.
	collision_layer = 1 if is_held else 0
	var to := _mouse + _grip if is_held else _home
	var way := (to - position).limit_length(SPEED * delta)
	position += way
	var lean := clampf(way.x / delta * LEAN, -MOST_LEAN, MOST_LEAN)
	rotation = lerp_angle(rotation, lean, 1.0 - exp(-8.0 * delta))


func _is_near(at: Vector2) -> bool:
	var on_handle := Geometry2D.get_closest_point_to_segment(at, Vector2.ZERO, Vector2(0, -250))
	return at.distance_to(on_handle) < REACH


func _draw() -> void:
	draw_line(Vector2(3, -8), Vector2(3, -250), Color(0, 0, 0, 0.15), 14.0)
	draw_line(Vector2(0, -10), Vector2(0, -250), WOOD, 13.0)
	draw_line(Vector2(-4, -10), Vector2(-4, -250), WOOD.lightened(0.2), 3.0)
	draw_circle(Vector2(0, -250), 6.5, WOOD)
	var bowl := PackedVector2Array()
	for i in 32:
		bowl.append(Vector2.from_angle(i * TAU / 32.0) * Vector2(36, 28))
	draw_colored_polygon(bowl, WOOD)
	draw_set_transform(Vector2(0, 2), 0.0, Vector2(0.74, 0.7))
	draw_colored_polygon(bowl, WOOD.darkened(0.16))
	draw_set_transform(Vector2.ZERO)
	bowl.append(bowl[0])
	draw_polyline(bowl, WOOD.darkened(0.35), 3.0, true)
