extends "res://demos/shared/demo.gd"
## A menu of soft buttons. They work as buttons do, with the mouse and with the keys.
##
## The buttons are in `jelly_button.gd`, the slider is in `jelly_slider.gd`.

const JellyButton := preload("res://demos/wobbly_ui/jelly_button.gd")
const JellySlider := preload("res://demos/wobbly_ui/jelly_slider.gd")

## Colours of the menu: of the background, of the buttons, and of the mascot.
const PALETTES: PackedStringArray = [
	"3d2a63 ff6f91 ff9671 845ec2 8ee37a",
	"0f3d54 2ec4b6 5b8def ff9f1c ff8fab",
	"4a1942 f95d9b c77dff 39a9db ffd166",
]

## What the slider makes of the firmness: the least and the most.
const FIRMNESS := Vector2(50.0, 900.0)

## How strongly the mascot cheers at each number, in kg px/s.
const CHEER := -1600.0

## How strongly everything is shaken, in px/s.
const SHAKE := 800.0

var _count := 0
var _palette := 0

@onready var _buttons: Array[JellyButton] = [%Count, %Colour, %Shake]
@onready var _slider: JellySlider = %Firmness
@onready var _mascot: SoftBody2D = %Mascot
@onready var _number: Label = %Number


func _ready() -> void:
	super()
	%Count.chosen.connect(_on_count)
	%Colour.chosen.connect(_on_colour)
	%Shake.chosen.connect(shake)
	_slider.value_changed.connect(_on_firmness_changed)
	_on_firmness_changed(_slider.value)
	_show_palette(0.0)
	_chain_focus()
	%Count.grab_focus.call_deferred()


func _physics_process(_delta: float) -> void:
	_number.position = _mascot.to_local(_mascot.get_center()) - _number.size * 0.5


## Shakes all that is soft.
func shake() -> void:
	for body in bodies():
		var way := Vector2.from_angle(randf() * TAU)
		body.apply_central_impulse(way * SHAKE * body.mass)


## All soft bodies of the menu.
func bodies() -> Array[SoftBody2D]:
	var result: Array[SoftBody2D] = []
	result.assign(find_children("*", "SoftBody2D"))
	return result


func numbers() -> Dictionary:
	return {count = _count, palette = _palette, bodies = bodies().size()}


## Goes over the buttons with the mouse, presses them, and then with the keys.
func play(hands: Hands) -> void:
	await hands.wait(0.8)
	for button in _buttons:
		await hands.move(button.global_position + Vector2(-180, -10), 0.3)
		await hands.move(button.global_position + Vector2(60, 4), 0.5)
		await hands.wait(0.4)
		hands.press()
		await hands.wait(0.5)
		hands.let_go()
		await hands.wait(0.9)
	var track := _slider.global_position
	await hands.move(track + Vector2(_slider.value * _slider.length, 0))
	hands.press()
	await hands.move(track + Vector2(30, 0), 0.5)
	await hands.wait(0.3)
	hands.let_go()
	await hands.move(_mascot.global_position, 0.4)
	hands.press()
	await hands.move(_mascot.global_position + Vector2(110, -70), 0.6)
	await hands.wait(0.2)
	hands.let_go()
	await hands.wait(1.2)
	for i in 3:
		await hands.tap(KEY_UP)
		await hands.wait(0.3)
	for i in 3:
		await hands.tap(KEY_ENTER)
		await hands.wait(0.5)


## The engine looks for neighbours among siblings: here it is told who they are.
func _chain_focus() -> void:
	var controls: Array[Control] = []
	for button in _buttons:
		controls.append(button.get_node(^"Button"))
	controls.append(_slider.get_node(^"Focus"))
	for i in controls.size():
		var next := controls[(i + 1) % controls.size()]
		controls[i].focus_neighbor_bottom = controls[i].get_path_to(next)
		controls[i].focus_next = controls[i].focus_neighbor_bottom
		next.focus_neighbor_top = next.get_path_to(controls[i])
		next.focus_previous = next.focus_neighbor_top


func _on_count() -> void:
	_count += 1
	_number.text = str(_count)
	_mascot.apply_central_impulse(Vector2(0, CHEER))


func _on_colour() -> void:
	_palette = (_palette + 1) % PALETTES.size()
	_show_palette(0.4)


func _on_firmness_changed(value: float) -> void:
	for body in bodies():
		body.stiffness = lerpf(FIRMNESS.x, FIRMNESS.y, value * value)


func _show_palette(duration: float) -> void:
	var colors := PackedColorArray()
	for html in PALETTES[_palette].split(" "):
		colors.append(Color.html(html))
	var tween := create_tween().set_parallel()
	tween.tween_property(%Background, ^"color", colors[0], duration)
	for i in _buttons.size():
		tween.tween_property(_buttons[i], ^"tint", colors[i + 1], duration)
	tween.tween_property(_mascot, ^"color", colors[4], duration)
	tween.tween_property(_mascot, ^"outline_color", colors[4].darkened(0.45), duration)
