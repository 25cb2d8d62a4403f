extends Node2D
## A place to play with ropes and bodies: to swing, wreck, walk, weigh, lift, drag and cut.

const LabelledSlider := preload("res://demos/shared/labelled_slider.gd")
const Winch := preload("res://demos/rope_playground/exhibits/winch.gd")

## What is in view at least, in px; it stands on the lower edge.
const VIEW := Vector2(1100.0, 810.0)

## When the tour does what, in s.
const TOUR_WIND := 1.0
const TOUR_UNWIND := 14.0
const TOUR_BALL := Vector2(1.5, 3.0)
const TOUR_WALK := Vector2(4.5, 7.5)
const TOUR_CUT := Vector2(8.0, 8.2)
const TOUR_BRIDGE := Vector2(12.0, 12.2)
const TOUR_SECONDS := 18.0

var _tour_at := Vector2.ZERO
var _tour_numbers := {}

@onready var _stage: Control = %Stage
@onready var _camera: Camera2D = %Camera
@onready var _winding: LabelledSlider = %Winding
@onready var _time_speed: LabelledSlider = %TimeSpeed
@onready var _points: CheckButton = %Points
@onready var _winch: Winch = %Winch


func _ready() -> void:
	_stage.resized.connect(_fit)
	_winding.value_changed.connect(_on_winding_changed)
	_time_speed.value_changed.connect(_on_time_changed)
	_points.toggled.connect(_show_points)
	%Reset.pressed.connect(reset)
	_on_winding_changed(_winding.value)
	# The space bar is for jumping, not for the button that was clicked last.
	for control: Control in %Panel.find_children("*", "Control", true, false):
		control.focus_mode = Control.FOCUS_NONE
	_fit.call_deferred()


func _exit_tree() -> void:
	Engine.time_scale = 1.0


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


func _on_winding_changed(percent: float) -> void:
	_winch.lifted = percent / 100.0


func _on_time_changed(percent: float) -> void:
	Engine.time_scale = percent / 100.0


func _show_points(shown: bool) -> void:
	get_tree().set_group(&"ropes", &"debug_enabled", shown)


# --- The tour --------------------------------------------------------------------------------


## How long the tour plays this demo.
func tour_seconds() -> float:
	return TOUR_SECONDS


## Lifts the crate, wrecks the stack, walks over the bridge, lets the weight fall, and cuts the
## bridge.
func tour_act(time: float, delta: float) -> void:
	_tour_note()
	if _passes(TOUR_WIND, time, delta):
		_winding.value = 90.0
	if _passes(TOUR_UNWIND, time, delta):
		_winding.value = 0.0
	if _passes(TOUR_WALK.x, time, delta):
		_tour_key(KEY_D, true)
	if _passes(TOUR_WALK.y, time, delta):
		_tour_key(KEY_D, false)
	_tour_stroke(TOUR_BALL, Vector2(860, 470), Vector2(640, 400), MOUSE_BUTTON_LEFT, time, delta)
	_tour_stroke(TOUR_CUT, Vector2(340, 500), Vector2(400, 515), MOUSE_BUTTON_RIGHT, time, delta)
	_tour_stroke(TOUR_BRIDGE, Vector2(290, 380), Vector2(310, 460), MOUSE_BUTTON_RIGHT, time, delta)


## What was measured during the tour.
func tour_numbers() -> Dictionary:
	return _tour_numbers


## Drags from one place to another while it is time for that.
func _tour_stroke(
	when: Vector2, from: Vector2, to: Vector2, button: MouseButton, time: float, delta: float
) -> void:
	var part := inverse_lerp(when.x, when.y, time)
	if _passes(when.x, time, delta):
		_tour_at = get_canvas_transform() * from
		_tour_button(button, true)
	elif part > 0.0 and part < 1.0:
		_tour_move(get_canvas_transform() * from.lerp(to, part), button)
	elif _passes(when.y, time, delta):
		_tour_button(button, false)


func _passes(moment: float, time: float, delta: float) -> bool:
	return time >= moment and time - delta < moment


func _tour_button(button: MouseButton, pressed: bool) -> void:
	var click := InputEventMouseButton.new()
	click.button_index = button
	click.pressed = pressed
	click.position = _tour_at
	click.global_position = _tour_at
	get_viewport().push_input(click, true)


func _tour_move(to: Vector2, button: MouseButton) -> void:
	var motion := InputEventMouseMotion.new()
	motion.position = to
	motion.global_position = to
	motion.relative = to - _tour_at
	motion.button_mask = (1 << (button - 1)) as MouseButtonMask
	_tour_at = to
	get_viewport().push_input(motion, true)


func _tour_key(code: Key, pressed: bool) -> void:
	var event := InputEventKey.new()
	event.keycode = code
	event.physical_keycode = code
	event.pressed = pressed
	Input.parse_input_event(event)


func _tour_note() -> void:
	var stretch: float = _tour_numbers.get("stretch at most, %", 0.0)
	var ropes := get_tree().get_nodes_in_group(&"ropes")
	for rope: VerletRope2D in ropes:
		stretch = maxf(stretch, (rope.get_current_length() / rope.length - 1.0) * 100.0)
	_tour_numbers["ropes"] = ropes.size()
	_tour_numbers["stretch at most, %"] = stretch
	_tour_numbers["ms"] = Performance.get_custom_monitor(&"supple/step_ms")
