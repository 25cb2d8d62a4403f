extends Node
## Plays the level with keys and mouse, for the tour and the tests.

## What it has done so far.
signal reached(place: String)

## A part took too long.
signal failed

## No part takes longer, in s.
const PATIENCE := 9.0

var done := false

var _held := {}

@onready var _level: Node2D = get_parent()
@onready var _player: CharacterBody2D = _level.get_node(^"%Player")
@onready var _hook: Node2D = _player.get_node(^"Hook")


## Plays all of it.
func play() -> void:
	await over_the_gap()
	await around_the_corner()
	await up_the_rope()
	await over_the_edge()
	await to_the_flag()
	done = true


## Runs through the crates, jumps, hooks the beam, swings over, and lets go.
func over_the_gap() -> void:
	hold([KEY_D])
	await until(func() -> bool: return _player.position.x > 130.0)
	tap(KEY_SPACE)
	await until(func() -> bool: return _player.position.x > 385.0 and _player.is_on_floor())
	await _hook_on(Vector2(590, 149))
	reached.emit("hooked")
	await _swing_until(func() -> bool: return _player.position.x > 745.0)
	tap(KEY_SPACE)
	await _land("landed")


## Swings until the rope wraps the pillar, flies on by a second hook.
func around_the_corner() -> void:
	hold([KEY_D])
	await until(func() -> bool: return _player.position.x > 975.0)
	await _hook_on(Vector2(1130, 99))
	await _swing_until(func() -> bool: return _player.position.x > 1290.0)
	reached.emit("wrapped")
	await _shoot(Vector2(1420, 89))
	reached.emit("hooked_on")
	await _swing_until(func() -> bool: return _player.position.x > 1515.0)
	tap(KEY_SPACE)
	await _land("court")


## Climbs, swings, and jumps on the cliff.
func up_the_rope() -> void:
	hold([KEY_D])
	await until(func() -> bool: return _player.position.x > 1775.0)
	tap(KEY_SPACE)
	await ticks(8)
	tap(KEY_E)
	await ticks(2)
	hold([KEY_W])
	await until(func() -> bool: return _player.position.y < 190.0)
	reached.emit("climbed")
	await _swing_until(
		func() -> bool: return _player.position.x > 1845.0 and _player.velocity.x > 60.0
	)
	reached.emit("swung")
	tap(KEY_SPACE)
	hold([KEY_D])
	await _land("cliff")


## Ties himself to his friend, and hangs from him over the edge.
func over_the_edge() -> void:
	var friend: Node2D = _level.get_node(^"%Friend")
	await until(
		func() -> bool:
			var way := friend.position.x - _player.position.x
			hold_one(KEY_D if way > 0.0 else KEY_A)
			return absf(way) < 40.0
	)
	hold([])
	await ticks(10)
	tap(KEY_E)
	await ticks(5)
	reached.emit("tied")
	hold([KEY_D])
	await until(func() -> bool: return _player.position.x > 2320.0)
	tap(KEY_SPACE)
	await until(func() -> bool: return _player.position.x > 2385.0)
	hold([])
	await ticks(150)
	reached.emit("hanging")
	hold([KEY_W])
	await ticks(40)
	hold([])
	reached.emit("wound")


## Flies to the last beam, and lands at the flag.
func to_the_flag() -> void:
	tap(KEY_E)
	await _shoot(Vector2(2550, 39))
	await _swing_until(func() -> bool: return _player.position.x > 2690.0)
	tap(KEY_SPACE)
	await _land("far")
	hold([KEY_D])
	await until(func() -> bool: return _player.position.x > 3210.0)
	reached.emit("bridge")
	await until(func() -> bool: return _player.position.x > 3550.0)
	hold([])
	await ticks(30)
	reached.emit("flag")


# --- Hands -----------------------------------------------------------------------------------


func ticks(count: int) -> void:
	for i in count:
		await get_tree().physics_frame


func until(holds: Callable) -> bool:
	for i in int(PATIENCE * Engine.physics_ticks_per_second):
		if holds.call():
			return true
		await get_tree().physics_frame
	failed.emit()
	push_error("The player waited too long at %s" % _player.position)
	return false


## Holds these keys and no others.
func hold(keys: Array[Key]) -> void:
	for code: Key in _held.keys():
		if code not in keys:
			_held.erase(code)
			_key(code, false)
	for code in keys:
		if code not in _held:
			_held[code] = true
			_key(code, true)


func hold_one(code: Key) -> void:
	var keys: Array[Key] = [code]
	hold(keys)


func tap(code: Key) -> void:
	_key(code, true)
	_key(code, false)


func _hook_on(target: Vector2) -> void:
	tap(KEY_SPACE)
	await ticks(14)
	await _shoot(target)


func _shoot(target: Vector2) -> void:
	_click(target)
	await ticks(2)
	await until(func() -> bool: return _hook.is_holding())


func _click(target: Vector2) -> void:
	var root := get_tree().root
	var to := root.get_final_transform() * root.canvas_transform * target
	var motion := InputEventMouseMotion.new()
	motion.position = to
	motion.global_position = to
	Input.parse_input_event(motion)
	for pressed: bool in [true, false]:
		var click := InputEventMouseButton.new()
		click.button_index = MOUSE_BUTTON_LEFT
		click.pressed = pressed
		click.position = to
		click.global_position = to
		Input.parse_input_event(click)


## Pumps the swing, as players do: with the way that it goes.
func _swing_until(holds: Callable) -> void:
	await until(
		func() -> bool:
			hold_one(KEY_D if _player.velocity.x >= 0.0 else KEY_A)
			return holds.call()
	)


func _land(place: String) -> void:
	await until(func() -> bool: return _player.is_on_floor())
	hold([])
	await ticks(10)
	reached.emit(place)


func _key(code: Key, pressed: bool) -> void:
	var event := InputEventKey.new()
	event.keycode = code
	event.physical_keycode = code
	event.pressed = pressed
	Input.parse_input_event(event)
