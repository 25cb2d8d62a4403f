# godot: --fixed-fps 60
extends Node2D
## Measures ropes in the engine: `cargo xtask bench rope`, headless.
##
## With `--fixed-fps 60` every frame holds exactly one physics tick and the engine waits for
## nothing, so the wall time between two `physics_frame` signals is a whole frame: scripts, the
## Supple step, the physics servers, idle processing and the building of what is drawn. A headless
## engine draws no frames: the signal with which a drawn one begins is emitted by hand, and nothing
## is handed to a graphics card. In a window (`xvfb-run godot ...`) all of it is real. "Net" is
## without the same frame of the baseline: an empty scene, or as many plain nodes moved by the same
## script.

const ScriptRope := preload("res://demos/rope/verlet_rope.gd")

const WARM_UP_TICKS := 90
const TICKS := 360

const ROPES := 384
const SEGMENTS := 30
const SEGMENT_LENGTH := 10.0
const SCRIPT_ROPES := 24
const SLEEPERS := 1000
const LONG_SEGMENTS := 1000

## What a moved anchor does: a circle of this radius, once in so many seconds.
const CIRCLE := 40.0
const PERIOD := 2.0
const HARD_CIRCLE := 150.0
const HARD_PERIOD := 1.0

const GOAL_ROPES := 2.2
## What a turbulent wind may cost: the whole tick with it over that without.
const GOAL_WIND := 1.25
const GOAL_SLEEPERS := 0.3
const GOAL_SEGMENT := 1000.0
const GOAL_STRETCH := 0.1

var _movers: Array[Node2D] = []
var _homes := PackedVector2Array()
var _circle := CIRCLE
var _period := PERIOD
var _move_usec := 0
var _tick := 0
var _holder: Node2D


## One measured scene, in ms.
class Sample:
	var median := 0.0
	var worst := 0.0
	var move := 0.0
	var gather := 0.0
	var step := 0.0
	var draw := 0.0
	var scripted := 0.0
	var stretch := 0.0


func _ready() -> void:
	_run.call_deferred()


func _process(_delta: float) -> void:
	if DisplayServer.get_name() == "headless":
		RenderingServer.frame_pre_draw.emit()


func _physics_process(_delta: float) -> void:
	var started := Time.get_ticks_usec()
	_tick += 1
	var angle := TAU * _tick / (_period * Engine.physics_ticks_per_second)
	var offset := Vector2.RIGHT.rotated(angle) * _circle
	for i in _movers.size():
		_movers[i].position = _homes[i] + offset
	_move_usec = Time.get_ticks_usec() - started


func _run() -> void:
	print("Ropes in the engine, headless, %s build of the engine" % _build())
	print("Whole frames of one tick each: wall time over %d ticks, median and worst, ms" % TICKS)
	print("move: the script that moves the nodes, with what they do at once when they are moved")
	print(
		"gather, step, draw: Supple's monitors. net: whole less the baseline. stretch: worst link"
	)
	_print_head()

	var empty := await _measure()
	_print_row("empty scene", empty, empty.median, "")

	_add_many(ROPES, _plain)
	var plain := await _measure()
	_print_row("%d plain nodes, moved" % ROPES, plain, plain.median - empty.median, "")

	_add_many(ROPES, _native)
	var native := await _measure()
	var ropes := "%d ropes x %d, moved" % [ROPES, SEGMENTS]
	_print_row(ropes, native, native.median - plain.median, "whole %s" % _goal(GOAL_ROPES))

	var wind := Wind2D.new()
	add_child(wind)
	var blown := await _measure()
	wind.free()
	var wind_ratio := blown.median / native.median
	var wind_note := "%.2f x without (goal %.2f)" % [wind_ratio, GOAL_WIND]
	_print_row("the same in gusts of wind", blown, blown.median - plain.median, wind_note)

	_add_many(SCRIPT_ROPES, _script)
	var script := await _measure()
	var net := (script.median - empty.median) * ROPES / SCRIPT_ROPES
	_print_row("%d GDScript ropes x %d" % [SCRIPT_ROPES, SEGMENTS], script, net, "net: x16")

	_add_many(SLEEPERS, _native, false)
	await _until_asleep()
	var asleep := await _measure()
	var sleepers := "%d ropes asleep" % SLEEPERS
	var goal := "net %s" % _goal(GOAL_SLEEPERS)
	_print_row(sleepers, asleep, asleep.median - empty.median, goal)

	_add_many(1, _long_native)
	var long := await _measure()
	_print_row("1 rope x %d, moved" % LONG_SEGMENTS, long, long.median - empty.median, "")

	_circle = HARD_CIRCLE
	_period = HARD_PERIOD
	_add_many(1, _long_native)
	var hard := await _measure()
	var title := "1 rope x %d, %.0f px/s" % [LONG_SEGMENTS, TAU * HARD_CIRCLE / HARD_PERIOD]
	_print_row(title, hard, hard.median - empty.median, "")

	_add_many(1, _long_script)
	var long_script := await _measure()
	var long_net := long_script.median - empty.median
	_print_row("1 GDScript rope x %d" % LONG_SEGMENTS, long_script, long_net, "")
	_clear()

	_print_summary(native, net, plain, hard, long_script)
	print("bench done")
	get_tree().quit()


# --- Scenes ----------------------------------------------------------------------------------


func _clear() -> void:
	_movers.clear()
	_homes.clear()
	if _holder:
		_holder.free()
	_holder = Node2D.new()
	add_child(_holder)


func _add_many(count: int, make: Callable, moved: bool = true) -> void:
	_clear()
	for i in count:
		var node: Node2D = make.call()
		node.position = Vector2(40.0 + (i % 32) * 40.0, 40.0 + floorf(i / 32.0) * 40.0)
		_holder.add_child(node)
		if moved:
			_movers.append(node)
			_homes.append(node.position)


func _plain() -> Node2D:
	return Node2D.new()


func _native() -> VerletRope2D:
	var rope := VerletRope2D.new()
	rope.length = SEGMENTS * SEGMENT_LENGTH
	rope.segments = SEGMENTS
	return rope


func _script() -> ScriptRope:
	var rope := ScriptRope.new()
	rope.point_count = SEGMENTS + 1
	rope.segment_length = SEGMENT_LENGTH
	rope.dots = false
	return rope


func _long_native() -> VerletRope2D:
	var rope := _native()
	rope.length = LONG_SEGMENTS * SEGMENT_LENGTH
	rope.segments = LONG_SEGMENTS
	return rope


func _long_script() -> ScriptRope:
	var rope := _script()
	rope.point_count = LONG_SEGMENTS + 1
	return rope


func _until_asleep() -> void:
	for i in 600:
		await get_tree().physics_frame
		if i > 2 and _monitor(&"supple/awake") == 0.0:
			return
	push_error("%d ropes are still awake" % _monitor(&"supple/awake"))


# --- Measuring -------------------------------------------------------------------------------


func _measure() -> Sample:
	for i in WARM_UP_TICKS:
		await get_tree().physics_frame
	var sample := Sample.new()
	var frames := PackedFloat64Array()
	var moves := PackedFloat64Array()
	var gathers := PackedFloat64Array()
	var steps := PackedFloat64Array()
	var draws := PackedFloat64Array()
	var scripts := PackedFloat64Array()
	var before := Time.get_ticks_usec()
	for i in TICKS:
		await get_tree().physics_frame
		frames.append((Time.get_ticks_usec() - before) / 1000.0)
		moves.append(_move_usec / 1000.0)
		gathers.append(_monitor(&"supple/gather_ms"))
		steps.append(_monitor(&"supple/step_ms"))
		draws.append(_monitor(&"supple/draw_ms"))
		var script := 0.0
		for node in _holder.get_children() if _holder else []:
			if node is ScriptRope:
				script += node.tick_usec / 1000.0
		scripts.append(script)
		if i % 10 == 0:
			sample.stretch = maxf(sample.stretch, _worst_stretch())
		before = Time.get_ticks_usec()
	sample.median = _median(frames)
	sample.worst = frames[-1]
	sample.move = _median(moves)
	sample.gather = _median(gathers)
	sample.step = _median(steps)
	sample.draw = _median(draws)
	sample.scripted = _median(scripts)
	return sample


func _monitor(id: StringName) -> float:
	return Performance.get_custom_monitor(id) if Performance.has_custom_monitor(id) else 0.0


## Sorts.
func _median(values: PackedFloat64Array) -> float:
	values.sort()
	return values[values.size() >> 1]


## Of the links of the moved ropes, in %.
func _worst_stretch() -> float:
	var longest := 0.0
	for node in _movers:
		var points := PackedVector2Array()
		if node is VerletRope2D:
			points = node.get_points()
		elif node is ScriptRope:
			points = node.points
		for i in points.size() - 1:
			longest = maxf(longest, points[i].distance_to(points[i + 1]))
	return maxf(longest / SEGMENT_LENGTH - 1.0, 0.0) * 100.0


# --- The report ------------------------------------------------------------------------------


func _print_head() -> void:
	var names := [
		"scene", "whole", "worst", "move", "gather", "step", "draw", "script", "net", "stretch"
	]
	print("%-27s %7s %7s %7s %7s %7s %7s %7s %7s %9s  %s" % (names + ["goal"]))


func _print_row(title: String, sample: Sample, net: float, note: String) -> void:
	var numbers := [
		title,
		sample.median,
		sample.worst,
		sample.move,
		sample.gather,
		sample.step,
		sample.draw,
		sample.scripted,
		net,
		sample.stretch,
		note,
	]
	print("%-27s %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %8.3f%%  %s" % numbers)


func _goal(milliseconds: float) -> String:
	return "<= %.1f" % milliseconds


func _print_summary(
	native: Sample, script_net: float, plain: Sample, long: Sample, script: Sample
) -> void:
	var links := ROPES * SEGMENTS
	var ratio := script_net / (native.median - plain.median)
	print("%d ropes: %.0f ns a segment and tick in the step" % [ROPES, native.step * 1e6 / links])
	print("GDScript, %d ropes scaled to %d: %.1f times as long" % [SCRIPT_ROPES, ROPES, ratio])
	var segment := long.step * 1e6 / LONG_SEGMENTS
	var text := "%d segments: %.0f ns a segment and tick (goal %.0f), "
	text += "worst stretch %.4f %% (goal %.1f)"
	print(text % [LONG_SEGMENTS, segment, GOAL_SEGMENT, long.stretch, GOAL_STRETCH])
	var script_segment := script.scripted * 1e6 / LONG_SEGMENTS
	text = "%d segments in GDScript: %.0f ns, worst stretch %.0f %%"
	print(text % [LONG_SEGMENTS, script_segment, script.stretch])


func _build() -> String:
	return "debug" if OS.is_debug_build() else "release"
