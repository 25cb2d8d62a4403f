extends Node2D
## The base of a demo with one view: shows it however large the window is, begins anew with R, and
## plays its tour.
##
## The scene has a camera [code]%Camera[/code]. A demo overrides [method play], which plays it with
## keys and mouse as a user would.

const Hands := preload("res://demos/shared/hands.gd")
const Hud := preload("res://demos/shared/hud.gd")

## What is in view at least, in px.
@export var view := Vector2(1152, 648)

## How long the tour plays it, in s.
@export var play_seconds := 20.0

@onready var _camera: Camera2D = %Camera
@onready var _hud: Hud = %Hud


func _ready() -> void:
	get_viewport().size_changed.connect(_fit)
	_hud.reset_pressed.connect(reset)
	_fit()


func _unhandled_key_input(event: InputEvent) -> void:
	if event.is_pressed() and not event.is_echo() and event.physical_keycode == KEY_R:
		reset()


## Everything begins anew.
func reset() -> void:
	get_tree().reload_current_scene()


## Plays the demo: overridden.
func play(_hands: Hands) -> void:
	pass


## What a demo tells of itself in the corner and at the end of its tour.
func numbers() -> Dictionary:
	return {}


## How long a tick of Supple takes, in ms.
static func milliseconds() -> float:
	var sum := 0.0
	for monitor: StringName in [&"supple/gather_ms", &"supple/step_ms"]:
		if Performance.has_custom_monitor(monitor):
			sum += Performance.get_custom_monitor(monitor)
	return sum


func _fit() -> void:
	var size := get_viewport_rect().size / view
	var zoom := minf(size.x, size.y)
	_camera.zoom = Vector2(zoom, zoom)


# --- The tour --------------------------------------------------------------------------------


## How long the tour plays this demo.
func tour_seconds() -> float:
	return play_seconds


## Starts to play in the first tick.
func tour_act(time: float, delta: float) -> void:
	if time < delta:
		var hands := Hands.new()
		add_child(hands)
		play(hands)


## What was measured during the tour.
func tour_numbers() -> Dictionary:
	var result := numbers()
	result["ms"] = milliseconds()
	return result
