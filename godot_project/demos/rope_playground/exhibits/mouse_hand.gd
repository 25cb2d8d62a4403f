extends Node2D
## A hand that drags rigid bodies with the left mouse button.
##
## A spring pulls the body at the place where it was grabbed, so ropes, walls and other bodies can
## hold it back. Stands below all ropes in the scene tree: then it is asked before they are.

## How fast the body comes to the mouse, in 1/s: more is firmer.
@export_range(1.0, 20.0) var stiffness := 12.0

## The hardest pull, as the acceleration that it gives to a free body, in px/s².
@export var strength := 6000.0

@export var color := Color(1.0, 0.97, 0.85, 0.9)

var _body: RigidBody2D
var _grip := Vector2.ZERO
var _mouse := Vector2.ZERO


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouse:
		_mouse = to_global(make_input_local(event).position)
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_LEFT:
		_body = _body_at(_mouse) if event.pressed else null
		if _body:
			_grip = _body.to_local(_mouse)
			get_viewport().set_input_as_handled()


func _physics_process(_delta: float) -> void:
	if is_instance_valid(_body):
		var arm := _body.to_global(_grip) - _body.global_position
		var velocity := _body.linear_velocity + arm.rotated(PI / 2.0) * _body.angular_velocity
		var pull := (_mouse - _body.global_position - arm) * stiffness * stiffness
		pull -= velocity * stiffness * 1.4 + _body.get_gravity() * _body.gravity_scale
		_body.apply_force(pull.limit_length(strength) * _body.mass, arm)


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	if is_instance_valid(_body):
		var at := to_local(_body.to_global(_grip))
		draw_line(at, to_local(_mouse), color, 2.0, true)
		draw_circle(at, 4.0, color, true, -1.0, true)
		draw_arc(to_local(_mouse), 8.0, 0.0, TAU, 24, color, 2.0, true)


func _body_at(place: Vector2) -> RigidBody2D:
	var query := PhysicsPointQueryParameters2D.new()
	query.position = place
	for hit in get_world_2d().direct_space_state.intersect_point(query):
		if hit.collider is RigidBody2D:
			return hit.collider
	return null
