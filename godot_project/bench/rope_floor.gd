# godot: --fixed-fps 60
extends Node2D
## Measures ropes that lie on floors: `cargo xtask bench rope_floor`, headless.
##
## As in `bench/rope.gd` every frame holds exactly one physics tick, and the wall time between two
## `physics_frame` signals is a whole frame. The floors are static bodies, spread over about 30
## cells of 512 px. "Net" is without the same frame of the floors alone.

const WARM_UP_TICKS := 90
const TICKS := 360

## Ropes stand in a grid, on one floor a row.
const COLUMNS := 24
const ROWS := 16
const SEGMENTS := 30
const SEGMENT_LENGTH := 10.0

## Of a floor, and the distance of ropes and floors.
const FLOOR_SIZE := Vector2(3000, 20)
const STEP := Vector2(125, 160)

## Half of a rope's width: how high its middle line lies.
const RADIUS := 2.0

## How long ropes may take to lie still, in s.
const SETTLING := 6.0

const SCRIPT_ROPES := 24

const GOAL_LYING := 3.0
const GOAL_GATHER := 0.15
const GOAL_ASLEEP := 0.3
const GOAL_STRETCH := 0.1

var _holder: Node2D


## One measured scene, in ms.
class Sample:
	var median := 0.0
	var worst := 0.0
	var gather := 0.0
	var step := 0.0
	var draw := 0.0
	var stretch := 0.0
	var depth := 0.0


## The rope of the lesson with a floor: points below it are put back onto it, and lose their speed
## along it.
class ScriptRope:
	extends "res://demos/rope/verlet_rope.gd"

	var floor_height := 0.0

	func _physics_process(delta: float) -> void:
		super(delta)
		for i in points.size():
			if points[i].y > floor_height:
				points[i].y = floor_height
				previous[i] = points[i]


func _ready() -> void:
	_run.call_deferred()


func _process(_delta: float) -> void:
	if DisplayServer.get_name() == "headless":
		RenderingServer.frame_pre_draw.emit()


func _run() -> void:
	var count := COLUMNS * ROWS
	print("Ropes on floors in the engine, %s build of the engine" % _build())
	print("Whole frames of one tick each: wall time over %d ticks, median and worst, ms" % TICKS)
	print("gather, step, draw: Supple's monitors. net: whole less the floors alone")
	_print_head()

	_clear()
	_add_floors()
	var floors := await _measure()
	_print_row("%d floors" % ROWS, floors, floors, "")

	_add_ropes(_rope.bind({can_sleep = false, collision_mask = 0, start_pinned = true}))
	var hanging := await _measure()
	_print_row("%d ropes x %d, hanging" % [count, SEGMENTS], hanging, floors, "")

	_add_ropes(_rope.bind({can_sleep = false}))
	await _wait(SETTLING)
	var lying := await _measure()
	var goal := "whole <= %.1f, gather <= %.2f" % [GOAL_LYING, GOAL_GATHER]
	_print_row("%d ropes x %d, lying" % [count, SEGMENTS], lying, floors, goal)

	_add_ropes(_rope.bind({can_sleep = false}))
	var falling := await _measure(0, 60)
	_print_row("the same in their first second", falling, floors, "")

	_add_ropes(_rope.bind({}))
	await _until_asleep()
	var asleep := await _measure()
	_print_row("the same asleep", asleep, floors, "net <= %.1f" % GOAL_ASLEEP)

	_add_ropes(_script_rope, SCRIPT_ROPES)
	var script := await _measure()
	_print_row("%d GDScript ropes x %d" % [SCRIPT_ROPES, SEGMENTS], script, floors, "")
	_holder.free()

	var links := count * SEGMENTS
	print("lying: %.0f ns a segment and tick in the step" % (lying.step * 1e6 / links))
	print("a contact: %.2f times the step of a rope that hangs" % (lying.step / hanging.step))
	var scripted := (script.median - floors.median) * count / SCRIPT_ROPES
	var ratio := scripted / (lying.median - floors.median)
	print("GDScript, scaled to %d, against one floor only: %.1f times as long" % [count, ratio])
	var text := "worst stretch %.4f %% (goal %.1f), deepest %.3f px"
	print(text % [lying.stretch, GOAL_STRETCH, lying.depth])
	print("bench done")
	get_tree().quit()


# --- Scenes ----------------------------------------------------------------------------------


func _clear() -> void:
	if _holder:
		_holder.free()
	_holder = Node2D.new()
	add_child(_holder)


func _add_floors() -> void:
	for row in ROWS:
		var body := StaticBody2D.new()
		body.position = Vector2(FLOOR_SIZE.x * 0.5, (row + 1) * STEP.y + FLOOR_SIZE.y * 0.5)
		var shape := CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		shape.shape.size = FLOOR_SIZE
		body.add_child(shape)
		_holder.add_child(body)


func _add_ropes(make: Callable, count: int = COLUMNS * ROWS) -> void:
	_clear()
	_add_floors()
	for i in count:
		var rope: Node2D = make.call()
		var row := floori(i / float(COLUMNS))
		# Level, a little above its floor, as far from the next as its length lets it.
		rope.position = Vector2((i % COLUMNS) * STEP.x * 0.9, (row + 1) * STEP.y - 20.0)
		if rope is ScriptRope:
			rope.floor_height = (row + 1) * STEP.y - RADIUS
		_holder.add_child(rope)


func _rope(properties: Dictionary) -> VerletRope2D:
	var rope := VerletRope2D.new()
	rope.length = SEGMENTS * SEGMENT_LENGTH
	rope.segments = SEGMENTS
	rope.start_pinned = false
	rope.end_position = Vector2(SEGMENTS * SEGMENT_LENGTH, -12.0)
	for property: StringName in properties:
		rope.set(property, properties[property])
	return rope


func _script_rope() -> ScriptRope:
	var rope := ScriptRope.new()
	rope.point_count = SEGMENTS + 1
	rope.segment_length = SEGMENT_LENGTH
	rope.anchor_held = false
	rope.dots = false
	return rope


func _wait(duration: float) -> void:
	for i in roundi(duration * Engine.physics_ticks_per_second):
		await get_tree().physics_frame


func _until_asleep() -> void:
	for i in 1200:
		await get_tree().physics_frame
		if i > 2 and _monitor(&"supple/awake") == 0.0:
			return
	push_error("%d ropes are still awake" % _monitor(&"supple/awake"))


# --- Measuring -------------------------------------------------------------------------------


func _measure(warm_up: int = WARM_UP_TICKS, count: int = TICKS) -> Sample:
	for i in warm_up:
		await get_tree().physics_frame
	var sample := Sample.new()
	var frames := PackedFloat64Array()
	var gathers := PackedFloat64Array()
	var steps := PackedFloat64Array()
	var draws := PackedFloat64Array()
	var before := Time.get_ticks_usec()
	for i in count:
		await get_tree().physics_frame
		frames.append((Time.get_ticks_usec() - before) / 1000.0)
		gathers.append(_monitor(&"supple/gather_ms"))
		steps.append(_monitor(&"supple/step_ms"))
		draws.append(_monitor(&"supple/draw_ms"))
		if i % 10 == 0:
			_look(sample)
		before = Time.get_ticks_usec()
	sample.median = _median(frames)
	sample.worst = frames[-1]
	sample.gather = _median(gathers)
	sample.step = _median(steps)
	sample.draw = _median(draws)
	return sample


func _monitor(id: StringName) -> float:
	return Performance.get_custom_monitor(id) if Performance.has_custom_monitor(id) else 0.0


## Sorts.
func _median(values: PackedFloat64Array) -> float:
	values.sort()
	return values[values.size() >> 1]


## Notes the longest link, and how deep the deepest point is in its floor.
func _look(sample: Sample) -> void:
	for node in _holder.get_children():
		if not node is VerletRope2D:
			continue
		var points: PackedVector2Array = node.get_points()
		var ground := ceilf(node.position.y / STEP.y) * STEP.y
		for i in points.size() - 1:
			var link := points[i].distance_to(points[i + 1]) / SEGMENT_LENGTH
			sample.stretch = maxf(sample.stretch, (link - 1.0) * 100.0)
			if not node.start_pinned:
				sample.depth = maxf(sample.depth, points[i].y + RADIUS - ground)


# --- The report ------------------------------------------------------------------------------


func _print_head() -> void:
	var names := ["scene", "whole", "worst", "gather", "step", "draw", "net", "stretch"]
	print("%-30s %7s %7s %7s %7s %7s %7s %9s  %s" % (names + ["goal"]))


func _print_row(title: String, sample: Sample, floors: Sample, note: String) -> void:
	var numbers := [
		title,
		sample.median,
		sample.worst,
		sample.gather,
		sample.step,
		sample.draw,
		sample.median - floors.median,
		sample.stretch,
		note,
	]
	print("%-30s %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %8.3f%%  %s" % numbers)


func _build() -> String:
	return "debug" if OS.is_debug_build() else "release"
