extends Node
## The base of every in-engine test file.
##
## A file `tests/test_NAME.gd` extends this script by its path, and each of its functions called
## `test_…` is one test. `tests/test_window_NAME.gd` runs in a window, the others headless.
## Each test gets a fresh instance of the file's script, in the tree, and starts at the beginning
## of a physics tick. It may `await`. What it adds with [method add] is freed after it; nodes that
## are left over fail it, as does any engine error in the log that it did not announce.

const Overrides := preload("res://tests/support/overrides.gd")

## Failures so far, one line each.
var failures := PackedStringArray()

## How many checks were made: a test without any fails.
var check_count := 0

## Where [method picture] saves; set by the runner.
var pictures_folder := ""

## Whether there is time for long watches; set by the runner.
var thorough := false

var _ticks_per_second := Engine.physics_ticks_per_second
var _max_steps := Engine.max_physics_steps_per_frame
var _time_scale := Engine.time_scale


## Seconds of wall time that each test of the file may take. Override it where 60 do not fit.
func time_limit() -> float:
	return 60.0


## Called before each test; may `await`.
func before_each() -> void:
	pass


## Called after each test, with its nodes still there; may `await`.
func after_each() -> void:
	pass


## Puts back what tests may change of the engine; called by the runner.
func restore() -> void:
	Engine.physics_ticks_per_second = _ticks_per_second
	Engine.max_physics_steps_per_frame = _max_steps
	Engine.time_scale = _time_scale
	get_tree().paused = false


# --- The tree and time -----------------------------------------------------------------------


## Adds a node to the test's own tree and gives it back.
func add(node: Node) -> Node:
	add_child(node)
	return node


## Waits until so many whole physics ticks have run, up to the beginning of the next one.
func ticks(count: int) -> void:
	# Outside a tick the first signal only brings us to the beginning of one.
	var signals := count if Engine.is_in_physics_frame() else count + 1
	for i in signals:
		await get_tree().physics_frame


## Waits so many seconds of simulated time, rounded to whole ticks.
func seconds(duration: float) -> void:
	var tick := Engine.time_scale / Engine.physics_ticks_per_second
	await ticks(roundi(duration / tick))


## Waits until so many frames have been processed (and, in a window, drawn).
func frames(count: int) -> void:
	for i in count:
		await get_tree().process_frame


## Changes the tick rate for the rest of this test: 10 to 1000 work.
func set_ticks_per_second(rate: int) -> void:
	Engine.physics_ticks_per_second = rate
	# The engine would otherwise drop ticks when more than 8 fall into a frame.
	Engine.max_physics_steps_per_frame = maxi(_max_steps, ceili(rate / 60.0) * 2)
	await _next_frame()


## Changes the time scale for the rest of this test.
func set_time_scale(factor: float) -> void:
	Engine.time_scale = factor
	await _next_frame()


# --- Checks: each gives back whether it held -------------------------------------------------


## Fails the test.
func fail(what: String) -> bool:
	check_count += 1
	failures.append(_where() + what)
	return false


## Holds when `condition` is true.
func check_true(condition: bool, what: String) -> bool:
	return _check(condition, what + ": is false")


## Holds when both have the same type (or are numbers) and value.
func check_eq(actual: Variant, expected: Variant, what: String) -> bool:
	var comparable := typeof(actual) == typeof(expected) or (_number(actual) and _number(expected))
	var equal: bool = comparable and actual == expected
	return _check(equal, "%s: is %s, not %s" % [what, actual, expected])


## Holds when `actual` is at most `tolerance` away: numbers, vectors, and colours (the largest
## difference of their parts).
func check_near(actual: Variant, expected: Variant, tolerance: float, what: String) -> bool:
	var distance := _distance(actual, expected)
	var text := "%s: is %s, which is %s from %s, more than %s"
	# Written so that NaN fails.
	return _check(distance <= tolerance, text % [what, actual, distance, expected, tolerance])


## Holds when actual < limit.
func check_lt(actual: float, limit: float, what: String) -> bool:
	return _check(actual < limit, "%s: is %s, not below %s" % [what, actual, limit])


## Holds when actual <= limit.
func check_le(actual: float, limit: float, what: String) -> bool:
	return _check(actual <= limit, "%s: is %s, more than %s" % [what, actual, limit])


## Holds when actual > limit.
func check_gt(actual: float, limit: float, what: String) -> bool:
	return _check(actual > limit, "%s: is %s, not above %s" % [what, actual, limit])


## Holds when actual >= limit.
func check_ge(actual: float, limit: float, what: String) -> bool:
	return _check(actual >= limit, "%s: is %s, less than %s" % [what, actual, limit])


## Announces that, before this test ends, so many engine errors that contain `text` are wanted:
## exactly so many must come, and no other. Call it before what causes them. `cargo xtask` checks
## it by the log; without it nothing does.
func expect_error(text: String, count: int = 1) -> void:
	check_count += 1
	print("@supple expect %d %s" % [count, text.get_slice("\n", 0)])


# --- Input, as from real devices -------------------------------------------------------------
# Positions are global positions of the 2D world, as seen by the current camera. Each function
# comes back at the beginning of the first tick that can know of the event.


## Moves the mouse there.
func move_mouse(to: Vector2) -> void:
	_send_motion(to, to, 0)
	await _next_frame()


## Presses a mouse button there.
func press(at: Vector2, button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	_send_button(at, button, true)
	await _next_frame()


## Lets a mouse button go there.
func let_go(at: Vector2, button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	_send_button(at, button, false)
	await _next_frame()


## Moves the mouse there, presses and lets go.
func click(at: Vector2, button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	await move_mouse(at)
	await press(at, button)
	await let_go(at, button)


## Presses at `from`, moves evenly to `to` in so many seconds of simulated time, and lets go.
func drag(
	from: Vector2, to: Vector2, duration: float, button: MouseButton = MOUSE_BUTTON_LEFT
) -> void:
	await move_mouse(from)
	await press(from, button)
	await drag_on(from, to, duration, button)
	await let_go(to, button)


## Moves evenly with the button held, without pressing it before or letting it go after.
func drag_on(
	from: Vector2, to: Vector2, duration: float, button: MouseButton = MOUSE_BUTTON_LEFT
) -> void:
	var tick := Engine.time_scale / Engine.physics_ticks_per_second
	var count := maxi(1, roundi(duration / tick))
	var last := from
	for i in count:
		var next := from.lerp(to, (i + 1.0) / count)
		_send_motion(last, next, 1 << (button - 1))
		last = next
		await ticks(1)
	await _next_frame()


## Presses a key, holds it for so many seconds of simulated time, and lets it go.
func key(code: Key, duration: float = 0.0) -> void:
	_send_key(code, true)
	await _next_frame()
	if duration > 0.0:
		await seconds(duration)
	_send_key(code, false)
	await _next_frame()


# --- Pictures and scripts --------------------------------------------------------------------


## Takes a picture of the window, saved as `target/pictures/NAME.png`. Only in window tests.
func picture(picture_name: String) -> Image:
	if DisplayServer.get_name() == "headless":
		fail('picture("%s"): only files called test_window_… have a window' % picture_name)
		return Image.create_empty(1, 1, false, Image.FORMAT_RGBA8)
	# The first draw may have been prepared before the last changes.
	await RenderingServer.frame_post_draw
	await RenderingServer.frame_post_draw
	var image := get_viewport().get_texture().get_image()
	if pictures_folder:
		var error := image.save_png(pictures_folder.path_join(picture_name + ".png"))
		if error:
			fail('picture("%s"): not saved: %s' % [picture_name, error_string(error)])
	return image


## Gives the node a script that overrides every virtual of its native class. Call it before the
## node enters the tree. `node.calls` counts, by name, how often each was called.
func override_everything(node: Node) -> Node:
	node.set_script(Overrides.script_for(node.get_class()))
	return node


func _check(held: bool, what: String) -> bool:
	check_count += 1
	if not held:
		failures.append(_where() + what)
	return held


## The line of the test that is being checked, where the engine can tell.
func _where() -> String:
	for frame in get_stack():
		if frame.source.get_file() != "supple_test.gd":
			return "%s:%d: " % [frame.source.get_file(), frame.line]
	return ""


func _number(value: Variant) -> bool:
	return value is int or value is float


func _distance(one: Variant, other: Variant) -> float:
	if _number(one) and _number(other):
		return absf(one - other)
	if typeof(one) != typeof(other):
		return INF
	if one is Vector2 or one is Vector3:
		return (one - other).length()
	if one is Color:
		var parts := [one.r - other.r, one.g - other.g, one.b - other.b, one.a - other.a]
		return parts.map(absf).max()
	return 0.0 if one == other else INF


## From a global position of the 2D world to a position in the window.
func _in_window(at: Vector2) -> Vector2:
	var root := get_tree().root
	return root.get_final_transform() * (root.canvas_transform * at)


func _send_motion(from: Vector2, to: Vector2, buttons: int) -> void:
	var event := InputEventMouseMotion.new()
	event.position = _in_window(to)
	event.global_position = event.position
	event.relative = event.position - _in_window(from)
	event.button_mask = buttons
	Input.parse_input_event(event)


func _send_button(at: Vector2, button: MouseButton, pressed: bool) -> void:
	var event := InputEventMouseButton.new()
	event.position = _in_window(at)
	event.global_position = event.position
	event.button_index = button
	event.button_mask = 1 << (button - 1) if pressed else 0
	event.pressed = pressed
	Input.parse_input_event(event)


func _send_key(code: Key, pressed: bool) -> void:
	var event := InputEventKey.new()
	event.keycode = code
	event.physical_keycode = code
	event.pressed = pressed
	Input.parse_input_event(event)


## To the first tick of the next frame. Input is handed out before a frame's ticks, and their number
## and length are fixed then.
func _next_frame() -> void:
	await get_tree().process_frame
	await get_tree().physics_frame
