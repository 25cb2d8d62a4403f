extends Node2D
## A corner of a harbour at dusk: what ropes are good for, each made from a preset.
##
## Drag the ropes with the left button, cut the bucket's rope with a stroke of the right one.

const LabelledSlider := preload("res://demos/shared/labelled_slider.gd")

## What is in view at least, in px; it stands on the lower edge.
const VIEW := Vector2(880.0, 648.0)

const STROKE_SECONDS := 0.25

## When the tour does what, in s.
const TOUR_DRAG := Vector2(1.5, 2.6)
const TOUR_CUT := Vector2(6.6, 6.8)
const TOUR_GALE := Vector2(9.0, 13.5)
const TOUR_SLOW := Vector2(15.0, 16.5)
const TOUR_SECONDS := 19.0

var _stroke_from := Vector2.INF
var _tour_at := Vector2.ZERO
var _tour_numbers := {}

@onready var _stage: Control = %Stage
@onready var _camera: Camera2D = %Camera
@onready var _wind: Wind2D = %Wind
@onready var _wind_speed: LabelledSlider = %WindSpeed
@onready var _time_speed: LabelledSlider = %TimeSpeed
@onready var _points: CheckButton = %Points
@onready var _stroke: Line2D = %Stroke
@onready var _tag: Control = %FigureTag
@onready var _figure: Node2D = %Figure
@onready var _bucket: Node2D = %Bucket
@onready var _lamp: Node2D = %Lamp


func _ready() -> void:
	_stage.resized.connect(_fit)
	_wind_speed.value_changed.connect(_on_wind_changed)
	_time_speed.value_changed.connect(_on_time_changed)
	_points.toggled.connect(_show_points)
	%Cut.pressed.connect(_bucket.cut)
	%Reset.pressed.connect(reset)
	_on_wind_changed(_wind_speed.value)
	_fit.call_deferred()


func _exit_tree() -> void:
	Engine.time_scale = 1.0


func _physics_process(_delta: float) -> void:
	_tag.position.x = _figure.position.x - _tag.size.x * 0.5


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_RIGHT:
		_stroke_from = _in_world(event.position) if event.pressed else Vector2.INF
		if event.pressed:
			_stroke.clear_points()
			_stroke.add_point(_stroke_from)
			_stroke.modulate.a = 1.0
		else:
			create_tween().tween_property(_stroke, ^"modulate:a", 0.0, STROKE_SECONDS)
	elif event is InputEventMouseMotion and _stroke_from.is_finite():
		var to := _in_world(event.position)
		_bucket.stroke(_stroke_from, to)
		_stroke_from = to
		_stroke.add_point(to)


## Everything begins anew.
func reset() -> void:
	get_tree().reload_current_scene()


# --- The view and the panel ------------------------------------------------------------------


## Shows the whole scene on the stage, however large the window is.
func _fit() -> void:
	var zoom := minf(_stage.size.x / VIEW.x, _stage.size.y / VIEW.y)
	_camera.zoom = Vector2(zoom, zoom)
	_camera.position = Vector2(
		VIEW.x * 0.5 - _stage.size.x * 0.5 / zoom, VIEW.y - _stage.size.y / zoom
	)


func _in_world(at: Vector2) -> Vector2:
	return get_canvas_transform().affine_inverse() * at


func _on_wind_changed(speed: float) -> void:
	_wind.velocity = Vector2(speed, 0.0)


func _on_time_changed(percent: float) -> void:
	Engine.time_scale = percent / 100.0


func _show_points(shown: bool) -> void:
	for rope: VerletRope2D in find_children("*", "VerletRope2D", true, false):
		rope.debug_enabled = shown
	_bucket.shows_points = shown


# --- The tour --------------------------------------------------------------------------------


## How long the tour plays this demo.
func tour_seconds() -> float:
	return TOUR_SECONDS


## Drags the lamp, cuts the bucket's rope, lets the wind rise and slows time down.
func tour_act(time: float, delta: float) -> void:
	_tour_note()
	_tour_drag(time, delta)
	_tour_cut(time, delta)
	if _passes(TOUR_GALE.x, time, delta):
		create_tween().tween_property(_wind_speed, ^"value", 420.0, 1.5)
	if _passes(TOUR_GALE.y, time, delta):
		create_tween().tween_property(_wind_speed, ^"value", 140.0, 1.5)
	if _passes(TOUR_SLOW.x, time, delta):
		_time_speed.value = 40.0
	if _passes(TOUR_SLOW.y, time, delta):
		_time_speed.value = 100.0


## What was measured during the tour.
func tour_numbers() -> Dictionary:
	return _tour_numbers


func _tour_drag(time: float, delta: float) -> void:
	var part := inverse_lerp(TOUR_DRAG.x, TOUR_DRAG.y, time)
	if _passes(TOUR_DRAG.x, time, delta):
		_tour_at = get_canvas_transform() * _lamp.get_node(^"Shade").global_position
		_tour_button(MOUSE_BUTTON_LEFT, true)
	elif part > 0.0 and part < 1.0:
		_tour_move(_tour_at + Vector2(-150.0, -60.0) * delta / (TOUR_DRAG.y - TOUR_DRAG.x))
	elif _passes(TOUR_DRAG.y, time, delta):
		_tour_button(MOUSE_BUTTON_LEFT, false)


func _tour_cut(time: float, delta: float) -> void:
	var part := inverse_lerp(TOUR_CUT.x, TOUR_CUT.y, time)
	if _passes(TOUR_CUT.x, time, delta):
		_tour_at = get_canvas_transform() * (_bucket.global_position + Vector2(-54.0, 40.0))
		_tour_button(MOUSE_BUTTON_RIGHT, true)
	elif part > 0.0 and part < 1.0:
		_tour_move(_tour_at + Vector2(90.0, 60.0) * delta / (TOUR_CUT.y - TOUR_CUT.x))
	elif _passes(TOUR_CUT.y, time, delta):
		_tour_button(MOUSE_BUTTON_RIGHT, false)


func _passes(moment: float, time: float, delta: float) -> bool:
	return time >= moment and time - delta < moment


func _tour_button(button: MouseButton, pressed: bool) -> void:
	var click := InputEventMouseButton.new()
	click.button_index = button
	click.pressed = pressed
	click.position = _tour_at
	click.global_position = _tour_at
	get_viewport().push_input(click, true)


func _tour_move(to: Vector2) -> void:
	var motion := InputEventMouseMotion.new()
	motion.position = to
	motion.global_position = to
	motion.relative = to - _tour_at
	motion.button_mask = MOUSE_BUTTON_MASK_LEFT if _stroke_from == Vector2.INF else 2
	_tour_at = to
	get_viewport().push_input(motion, true)


func _tour_note() -> void:
	var ropes := find_children("*", "VerletRope2D", true, false)
	var stretch: float = _tour_numbers.get("stretch at most, %", 0.0)
	for rope: VerletRope2D in ropes:
		stretch = maxf(stretch, (rope.get_current_length() / rope.length - 1.0) * 100.0)
	_tour_numbers["ropes"] = ropes.size()
	_tour_numbers["stretch at most, %"] = stretch
	_tour_numbers["ms"] = Performance.get_custom_monitor(&"supple/step_ms")
