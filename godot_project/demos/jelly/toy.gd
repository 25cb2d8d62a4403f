extends SoftBody2D
## A toy of the shelf: it has a preset, and goes back to where it began when it has lain still.

## For how long it lies still before it goes back, and for how long it is away at most, in s.
const REST_SECONDS := 3.0
const AWAY_SECONDS := 16.0

const POP_SECONDS := 0.25

## What is the toy's, not the preset's.
const OWN: Array[StringName] = [
	&"size", &"self_collision", &"texture", &"color", &"outline_color", &"outline_width"
]

## The preset that it shows.
@export_enum("Jelly", "Rubber", "Balloon", "Slime", "Tyre", "Lesson") var kind := "Jelly"

var _start: Transform2D
var _held := false
var _still_for := 0.0
var _away_for := 0.0
var _springs := 0.0


func _ready() -> void:
	_start = transform
	# A preset has a look of its own: that of the toy stays.
	var own := {}
	for property in OWN:
		own[property] = get(property)
	apply_preset(kind)
	for property: StringName in own:
		set(property, own[property])
	# The lesson's hangs; toys fall.
	pin_mode = PIN_NONE
	_springs = stiffness


func _input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_LEFT:
		_held = event.pressed


func _physics_process(delta: float) -> void:
	_still_for = _still_for + delta if sleeping and not _held else 0.0
	_away_for += delta
	if _still_for > REST_SECONDS or (_away_for > AWAY_SECONDS and not _held):
		respawn()


## Puts it back where it began.
func respawn() -> void:
	_still_for = 0.0
	_away_for = 0.0
	teleport(get_parent().global_transform * _start)
	modulate.a = 0.0
	create_tween().tween_property(self, ^"modulate:a", 1.0, POP_SECONDS)


## Makes it so many times as stiff as its preset.
func set_firmness(factor: float) -> void:
	stiffness = _springs * factor
