extends Node2D
## A slider whose knob is of jelly: it is drawn by its middle, and wobbles after it.

## It was moved, to a value from 0 to 1.
signal value_changed(value: float)

## How fast the keys move it, in 1/s.
const KEY_SPEED := 0.7

## Its name: a translation key.
@export var text := ""

## How long the track is, in px.
@export var length := 300.0

## From 0 to 1.
@export_range(0.0, 1.0) var value := 0.5:
	set(new_value):
		value = clampf(new_value, 0.0, 1.0)
		if is_node_ready():
			value_changed.emit(value)
			queue_redraw()

var is_hovered := false
var is_held := false

@onready var _knob: SoftBody2D = $Knob
@onready var _focus: Control = $Focus


func _ready() -> void:
	$Focus/Label.text = text
	_focus.focus_entered.connect(queue_redraw)
	_focus.focus_exited.connect(queue_redraw)
	_focus.gui_input.connect(_on_focus_input)
	_knob.position.x = value * length
	_knob.mouse_entered.connect(func() -> void: is_hovered = true)
	_knob.mouse_exited.connect(func() -> void: is_hovered = false)


func _input(event: InputEvent) -> void:
	var mouse := event as InputEventMouse
	if not mouse:
		return
	var at := get_canvas_transform().affine_inverse() * mouse.position
	var click := event as InputEventMouseButton
	if click and click.button_index == MOUSE_BUTTON_LEFT:
		if click.pressed and (is_hovered or _is_on_track(to_local(at))):
			_focus.grab_focus()
			is_held = true
		elif not click.pressed:
			is_held = false
	if is_held:
		value = to_local(at).x / length


## The knob's middle point is held by its node: where that goes, the rest comes along.
func _physics_process(delta: float) -> void:
	if _focus.has_focus():
		var side := Input.get_axis(&"ui_left", &"ui_right")
		if side:
			value += side * KEY_SPEED * delta
	_knob.position.x = lerpf(_knob.position.x, value * length, 1.0 - exp(-30.0 * delta))
	_knob.color = Color(1, 0.85, 0.4).lightened(0.3 if is_hovered or is_held else 0.0)
	_knob.outline_color = Color.WHITE if _focus.has_focus() else Color(0.75, 0.5, 0.1)


## To the sides are values here, not other buttons.
func _on_focus_input(event: InputEvent) -> void:
	if event.is_action(&"ui_left") or event.is_action(&"ui_right"):
		_focus.accept_event()


func _is_on_track(at: Vector2) -> bool:
	return Rect2(-10, -16, length + 20.0, 32).has_point(at)


func _draw() -> void:
	draw_line(Vector2.ZERO, Vector2(length, 0), Color(0, 0, 0, 0.25), 18.0)
	for end: float in [0.0, length]:
		draw_circle(Vector2(end, 0), 9.0, Color(0, 0, 0, 0.25))
	draw_line(Vector2.ZERO, Vector2(value * length, 0), Color(1, 0.85, 0.4, 0.9), 10.0)
	draw_circle(Vector2.ZERO, 5.0, Color(1, 0.85, 0.4, 0.9))
