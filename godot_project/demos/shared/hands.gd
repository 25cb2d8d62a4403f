extends Node
## Keys and mouse of somebody who plays a demo: for the tour and the tests.
##
## Places are those of the world that the camera shows.

var _held: Array[Key] = []
var _mouse := Vector2.ZERO
var _buttons := 0


func _exit_tree() -> void:
	hold([])


## Holds these keys, and no others.
func hold(keys: Array[Key]) -> void:
	for code in _held:
		if code not in keys:
			_send_key(code, false)
	for code in keys:
		if code not in _held:
			_send_key(code, true)
	_held = keys.duplicate()


## Holds this key, and no others.
func hold_one(code: Key) -> void:
	var keys: Array[Key] = [code]
	hold(keys)


## Presses a key, for so long.
func tap(code: Key, duration: float = 0.05) -> void:
	_send_key(code, true)
	await wait(duration)
	_send_key(code, false)


## Comes back when so much time of the game has passed.
func wait(duration: float) -> void:
	var left := duration
	while left > 0.0:
		await get_tree().physics_frame
		left -= get_physics_process_delta_time()


## Comes back when something holds, or after so long: whether it holds.
func until(holds: Callable, patience: float = 5.0) -> bool:
	var left := patience
	while left > 0.0 and not holds.call():
		await get_tree().physics_frame
		left -= get_physics_process_delta_time()
	return left > 0.0


## Moves the mouse, in so much time.
func move(to: Vector2, duration: float = 0.3) -> void:
	var from := _mouse
	var passed := 0.0
	while passed < duration:
		await get_tree().physics_frame
		passed += get_physics_process_delta_time()
		_send_motion(from.lerp(to, smoothstep(0.0, duration, passed)))
	_send_motion(to)


## Presses a button of the mouse where it is.
func press(button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	_buttons |= 1 << (button - 1)
	_send_button(button, true)


## Lets it go.
func let_go(button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	_buttons &= ~(1 << (button - 1))
	_send_button(button, false)


## Goes there, presses, and lets go after so long.
func click(at: Vector2, duration: float = 0.12) -> void:
	await move(at)
	press()
	await wait(duration)
	let_go()


func _in_window(at: Vector2) -> Vector2:
	var root := get_tree().root
	return root.get_final_transform() * root.canvas_transform * at


func _send_motion(to: Vector2) -> void:
	var motion := InputEventMouseMotion.new()
	motion.position = _in_window(to)
	motion.global_position = motion.position
	motion.relative = motion.position - _in_window(_mouse)
	motion.button_mask = _buttons as MouseButtonMask
	_mouse = to
	Input.parse_input_event(motion)


func _send_button(button: MouseButton, pressed: bool) -> void:
	var click_event := InputEventMouseButton.new()
	click_event.button_index = button
	click_event.pressed = pressed
	click_event.position = _in_window(_mouse)
	click_event.global_position = click_event.position
	click_event.button_mask = _buttons as MouseButtonMask
	Input.parse_input_event(click_event)


func _send_key(code: Key, pressed: bool) -> void:
	var event := InputEventKey.new()
	event.keycode = code
	event.physical_keycode = code
	event.pressed = pressed
	Input.parse_input_event(event)
