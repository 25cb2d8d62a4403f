extends Node2D
## A house full of things for ropes to lie on, hang over, and be moved by.
##
## Everything that hangs or lies can be dragged with the mouse.

const LabelledSlider := preload("res://demos/shared/labelled_slider.gd")

## What is in view at least, in px; it stands on the lower edge.
const VIEW := Vector2(880.0, 648.0)

## When the tour drags a rope over the tiles, and when it runs the machines faster, in s.
const TOUR_DRAG := Vector2(3.0, 6.0)
const TOUR_FAST := Vector2(8.0, 12.0)
const TOUR_SLIPPERY := 12.5
const TOUR_SECONDS := 16.0

## Where it takes the rope, seen from the middle of the tiles.
const TOUR_WAY: Array[Vector2] = [
	Vector2(-20, -126), Vector2(60, -150), Vector2(150, -110), Vector2(40, -40), Vector2(-60, -140)
]

var _surface := PhysicsMaterial.new()
var _tour_at := Vector2.ZERO
var _tour_numbers := {}

@onready var _stage: Control = %Stage
@onready var _camera: Camera2D = %Camera
@onready var _friction: LabelledSlider = %Friction
@onready var _bounce: LabelledSlider = %Bounce
@onready var _machines: LabelledSlider = %Machines
@onready var _time_speed: LabelledSlider = %TimeSpeed
@onready var _points: CheckButton = %Points
@onready var _tiles: Node2D = %Tiles


func _ready() -> void:
	_stage.resized.connect(_fit)
	_friction.value_changed.connect(_on_friction_changed)
	_bounce.value_changed.connect(_on_bounce_changed)
	_machines.value_changed.connect(_on_machines_changed)
	_time_speed.value_changed.connect(_on_time_changed)
	_points.toggled.connect(_show_points)
	%Reset.pressed.connect(reset)
	_on_friction_changed(_friction.value)
	_on_bounce_changed(_bounce.value)
	for rope: VerletRope2D in _ropes():
		rope.physics_material_override = _surface
	_fit.call_deferred()


func _exit_tree() -> void:
	Engine.time_scale = 1.0


## Everything begins anew.
func reset() -> void:
	get_tree().reload_current_scene()


# --- The view and the panel ------------------------------------------------------------------


func _ropes() -> Array[Node]:
	return find_children("*", "VerletRope2D", true, false)


## Shows the whole scene on the stage, however large the window is.
func _fit() -> void:
	var zoom := minf(_stage.size.x / VIEW.x, _stage.size.y / VIEW.y)
	_camera.zoom = Vector2(zoom, zoom)
	_camera.position = Vector2(
		VIEW.x * 0.5 - _stage.size.x * 0.5 / zoom, VIEW.y - _stage.size.y / zoom
	)


func _on_friction_changed(friction: float) -> void:
	_surface.friction = friction


func _on_bounce_changed(bounce: float) -> void:
	_surface.bounce = bounce


func _on_machines_changed(percent: float) -> void:
	get_tree().set_group(&"machines", &"pace", percent / 100.0)


func _on_time_changed(percent: float) -> void:
	Engine.time_scale = percent / 100.0


func _show_points(shown: bool) -> void:
	for rope: VerletRope2D in _ropes():
		rope.debug_enabled = shown


# --- The tour --------------------------------------------------------------------------------


## How long the tour plays this demo.
func tour_seconds() -> float:
	return TOUR_SECONDS


## Drags a rope over the tiles, runs the machines faster, and makes everything slippery.
func tour_act(time: float, delta: float) -> void:
	_tour_note()
	_tour_drag(time, delta)
	if _passes(TOUR_FAST.x, time, delta):
		_machines.value = 250.0
	if _passes(TOUR_FAST.y, time, delta):
		_machines.value = 100.0
	if _passes(TOUR_SLIPPERY, time, delta):
		_friction.value = 0.05


## What was measured during the tour.
func tour_numbers() -> Dictionary:
	return _tour_numbers


func _tour_drag(time: float, delta: float) -> void:
	var part := inverse_lerp(TOUR_DRAG.x, TOUR_DRAG.y, time)
	if _passes(TOUR_DRAG.x, time, delta):
		var rope: VerletRope2D = _tiles.get_node(^"Loose")
		var middle := rope.get_point_position(rope.get_point_count() >> 1)
		_tour_at = get_canvas_transform() * middle
		_tour_button(true)
	elif part > 0.0 and part < 1.0:
		var along := part * (TOUR_WAY.size() - 1)
		var leg := int(along)
		var to := TOUR_WAY[leg].lerp(TOUR_WAY[leg + 1], along - leg)
		_tour_move(_tour_at.lerp(get_canvas_transform() * _tiles.to_global(to), 0.2))
	elif _passes(TOUR_DRAG.y, time, delta):
		_tour_button(false)


func _passes(moment: float, time: float, delta: float) -> bool:
	return time >= moment and time - delta < moment


func _tour_button(pressed: bool) -> void:
	var click := InputEventMouseButton.new()
	click.button_index = MOUSE_BUTTON_LEFT
	click.pressed = pressed
	click.position = _tour_at
	click.global_position = _tour_at
	get_viewport().push_input(click, true)


func _tour_move(to: Vector2) -> void:
	var motion := InputEventMouseMotion.new()
	motion.position = to
	motion.global_position = to
	motion.relative = to - _tour_at
	motion.button_mask = MOUSE_BUTTON_MASK_LEFT
	_tour_at = to
	get_viewport().push_input(motion, true)


func _tour_note() -> void:
	var stretch: float = _tour_numbers.get("stretch at most, %", 0.0)
	for rope: VerletRope2D in _ropes():
		stretch = maxf(stretch, (rope.get_current_length() / rope.length - 1.0) * 100.0)
	_tour_numbers["ropes"] = _ropes().size()
	_tour_numbers["stretch at most, %"] = stretch
	_tour_numbers["ms"] = Performance.get_custom_monitor(&"supple/step_ms")
