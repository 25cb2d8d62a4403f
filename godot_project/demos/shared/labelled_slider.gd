extends VBoxContainer
## A slider with its name and its value above it.

## The value was changed, by the user or by [member value].
signal value_changed(value: float)

## What is set: a translation key.
@export var text := ""

## How the value is written.
@export var format := "%d"

## The smallest value.
@export var min_value := 0.0

## The largest value.
@export var max_value := 100.0

## Distance of two values.
@export var step := 1.0

## Makes small values easier to choose.
@export var exponential := false

## What is chosen.
@export var value := 0.0:
	set(new_value):
		value = new_value
		if is_node_ready():
			_slider.value = new_value

@onready var _slider: HSlider = $Slider
@onready var _name: Label = $Row/Name
@onready var _value: Label = $Row/Value


func _ready() -> void:
	_name.text = text
	_slider.min_value = min_value
	_slider.max_value = max_value
	_slider.step = step
	_slider.exp_edit = exponential
	_slider.value = value
	_show(value)
	_slider.value_changed.connect(_on_slid)


func _on_slid(new_value: float) -> void:
	value = new_value
	_show(new_value)
	value_changed.emit(new_value)


func _show(shown: float) -> void:
	_value.text = format % shown
