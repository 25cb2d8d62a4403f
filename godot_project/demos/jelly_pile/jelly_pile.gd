extends "res://demos/shared/demo.gd"
## A rain of jellies, crates and balls into a jar: pour, stir with the spoon, grab, throw, clear.

const Spoon := preload("res://demos/jelly_pile/spoon.gd")
const Pourer := preload("res://demos/jelly_pile/pourer.gd")

## How often the numbers in the corner are written, in s.
const COUNT_SECONDS := 0.4

## What falls deeper than this is taken away, in px.
const DEEPEST := 900.0

var _milliseconds := 0.0
var _slowest := 0.0
var _ticks := 0
var _count_in := COUNT_SECONDS

@onready var _pourer: Pourer = %Pourer
@onready var _spoon: Spoon = %Spoon


func _ready() -> void:
	super()
	%Pour.button_down.connect(_set_pours.bind(true))
	%Pour.button_up.connect(_set_pours.bind(false))
	%Clear.pressed.connect(clear)


func _unhandled_key_input(event: InputEvent) -> void:
	super(event)
	if event.is_echo():
		return
	if event.physical_keycode == KEY_SPACE:
		_set_pours(event.is_pressed())
	elif event.physical_keycode == KEY_C and event.is_pressed():
		clear()


func _process(delta: float) -> void:
	_count_in -= delta
	if _count_in <= 0.0 and _ticks > 0:
		_count_in = COUNT_SECONDS
		var frames := Engine.get_frames_per_second()
		var counts := [_pourer.count(), frames, _milliseconds / _ticks]
		_hud.count = tr("PILE_COUNTS") % counts
		_milliseconds = 0.0
		_ticks = 0


## The world has stepped by now: its nodes have a lower priority.
func _physics_process(_delta: float) -> void:
	var now := milliseconds()
	_ticks += 1
	_milliseconds += now
	_slowest = maxf(_slowest, now)
	for body: Node2D in _pourer.bodies():
		if body.global_position.y > DEEPEST:
			body.queue_free()


## Takes everything out of the jar.
func clear() -> void:
	_pourer.clear()


func numbers() -> Dictionary:
	return {"bodies": _pourer.count(), "slowest tick, ms": snappedf(_slowest, 0.01)}


## Pours, stirs, throws one out, and clears.
func play(hands: Hands) -> void:
	await hands.wait(0.4)
	await hands.tap(KEY_SPACE, 5.0)
	await hands.wait(1.5)
	await hands.move(_spoon.global_position, 0.4)
	hands.press()
	for at: Vector2 in [
		Vector2(820, 190),
		Vector2(420, 420),
		Vector2(760, 470),
		Vector2(400, 500),
		Vector2(700, 300)
	]:
		await hands.move(at, 0.9)
	hands.let_go()
	await hands.wait(1.0)
	var jelly := _pourer.highest()
	await hands.move(jelly.global_position, 0.4)
	hands.press()
	await hands.move(Vector2(560, 150), 0.5)
	await hands.move(Vector2(500, 60), 0.15)
	hands.let_go()
	await hands.wait(1.5)
	await hands.tap(KEY_SPACE, 2.0)
	await hands.wait(2.0)
	await hands.tap(KEY_C)


func _set_pours(pours: bool) -> void:
	_pourer.pours = pours
