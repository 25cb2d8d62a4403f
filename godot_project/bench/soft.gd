# godot: --fixed-fps 60
extends Node2D
## Measures soft bodies that fall onto floors, lie there and sleep: `cargo xtask bench soft`,
## headless.
##
## As in `bench/rope.gd` every frame holds exactly one physics tick, and the wall time between two
## `physics_frame` signals is a whole frame. The bodies are apart from each other, and stand on
## their corners or sides as they come. "CPU" is the time that all threads of the process worked: on
## a machine that others use too it tells more than the wall time.

const TICKS := 300

## Bodies stand in a grid, on one floor a row.
const COLUMNS := 20
const ROWS := 10
const PARTICLES := Vector2i(10, 10)
const SIZE := 100.0

## Distance of bodies and floors, and how far a body falls.
const STEP := Vector2(180, 420)
const FALL := 250.0

const FLOOR_SIZE := Vector2(3700, 20)

## Ticks in which nothing is measured: the bodies are made in the first.
const START_TICKS := 3
## Until the first body strikes, and until the last has wobbled most.
const FALLING_TICKS := 36
const LANDING_TICKS := 90

## How long bodies may take to lie still, in s.
const SETTLING := 4.0

const SCRIPT_BODIES := 8
const LESSON := "res://demos/jelly/lesson_soft_body.gd"

## Of the kernel's clock that counts CPU time, in 1/s.
const CLOCK := 100.0

const GOAL_AWAKE := 12.0
const GOAL_ASLEEP := 0.3

var _holder: Node2D


## One measured scene, in ms.
class Sample:
	var median := 0.0
	var upper := 0.0
	var worst := 0.0
	var gather := 0.0
	var step := 0.0
	var draw := 0.0
	var cpu := 0.0
	var depth := 0.0


func _ready() -> void:
	_run.call_deferred()


func _process(_delta: float) -> void:
	if DisplayServer.get_name() == "headless":
		RenderingServer.frame_pre_draw.emit()


func _run() -> void:
	var count := COLUMNS * ROWS
	print("Soft bodies on floors in the engine, %s build of the engine" % _build())
	print("Whole frames of one tick each: wall time, median, 95th of 100 and worst, ms")
	print("gather, step, draw: Supple's monitors, medians. CPU: of all threads, mean")
	print("Load of the machine before: %s" % _load())
	_print_head()

	_clear()
	var floors := await _measure(TICKS)
	_print_row("%d floors" % ROWS, floors, "")

	var title := "%d bodies of %d x %d, " % [count, PARTICLES.x, PARTICLES.y]
	var awake := "whole <= %.0f" % GOAL_AWAKE
	_add_bodies({can_sleep = false})
	await _wait(START_TICKS)
	var falling := await _measure(FALLING_TICKS)
	_print_row(title + "falling", falling, awake)
	var landing := await _measure(LANDING_TICKS)
	_print_row("the same landing", landing, awake)
	await _wait(roundi(SETTLING * Engine.physics_ticks_per_second))
	var lying := await _measure(TICKS)
	_print_row("lying, may not sleep", lying, "")

	_add_bodies({can_sleep = false, collision_mask = 0, gravity_scale = 0.0})
	await _wait(START_TICKS)
	var free := await _measure(TICKS)
	_print_row("floating, no collisions", free, "")

	_add_bodies({})
	var slept := await _until_asleep()
	var asleep := await _measure(TICKS)
	_print_row("asleep", asleep, "net <= %.1f" % GOAL_ASLEEP)

	if ResourceLoader.exists(LESSON):
		_add_lessons()
		var script := await _measure(TICKS)
		_print_row("%d GDScript bodies, hanging" % SCRIPT_BODIES, script, "")
		var scripted := (script.median - floors.median) * count / SCRIPT_BODIES
		var ratio := scripted / (lying.median - floors.median)
		print("GDScript, scaled to %d: %.0f ms, %.0f times as long" % [count, scripted, ratio])
	_holder.free()

	var points := count * PARTICLES.x * PARTICLES.y
	var text := "%.0f ns a point and tick in the step while floating, %.0f landing, %.0f lying"
	var steps := [free.step, landing.step, lying.step]
	print(text % steps.map(func(step: float) -> float: return step * 1e6 / points))
	print("All asleep after %.1f s; asleep net: %.3f ms" % [slept, asleep.median - floors.median])
	print("deepest point in a floor: %.2f px landing, %.2f lying" % [landing.depth, lying.depth])
	print("Load of the machine after: %s" % _load())
	print("bench done")
	get_tree().quit()


# --- Scenes ----------------------------------------------------------------------------------


## Begins anew, with the floors alone.
func _clear() -> void:
	if _holder:
		_holder.free()
	_holder = Node2D.new()
	add_child(_holder)
	for row in ROWS:
		var body := StaticBody2D.new()
		body.position = Vector2(FLOOR_SIZE.x * 0.5, (row + 1) * STEP.y + FLOOR_SIZE.y * 0.5)
		var shape := CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		shape.shape.size = FLOOR_SIZE
		body.add_child(shape)
		_holder.add_child(body)


func _add_bodies(properties: Dictionary) -> void:
	_clear()
	for i in COLUMNS * ROWS:
		var body := SoftBody2D.new()
		body.particle_count = PARTICLES
		body.size = Vector2(SIZE, SIZE)
		body.position = _place(i)
		# From upright to on the edge, to both sides.
		body.rotation = (i % 9 - 4) * PI / 16.0
		for property: StringName in properties:
			body.set(property, properties[property])
		_holder.add_child(body)


func _add_lessons() -> void:
	_clear()
	for i in SCRIPT_BODIES:
		var body: Node2D = load(LESSON).new()
		body.particle_count = PARTICLES
		body.size = Vector2(SIZE, SIZE)
		body.particle_mass = 1.0 / (PARTICLES.x * PARTICLES.y)
		body.position = _place(i)
		var outline := Polygon2D.new()
		outline.name = "Outline"
		body.add_child(outline)
		var border := Line2D.new()
		border.name = "Border"
		body.add_child(border)
		_holder.add_child(body)


func _place(index: int) -> Vector2:
	var row := floori(index / float(COLUMNS))
	var x := (index % COLUMNS + 0.75) * STEP.x
	return Vector2(x, (row + 1) * STEP.y - SIZE * 0.5 - FALL)


func _wait(count: int) -> void:
	for i in count:
		await get_tree().physics_frame


## How long it took, in s.
func _until_asleep() -> float:
	for i in 1200:
		await get_tree().physics_frame
		if i > 60 and _monitor(&"supple/awake") == 0.0:
			return i / float(Engine.physics_ticks_per_second)
	push_error("%d bodies are still awake" % _monitor(&"supple/awake"))
	return INF


# --- Measuring -------------------------------------------------------------------------------


func _measure(count: int) -> Sample:
	var sample := Sample.new()
	var frames := PackedFloat64Array()
	var gathers := PackedFloat64Array()
	var steps := PackedFloat64Array()
	var draws := PackedFloat64Array()
	var looking := 0.0
	await get_tree().physics_frame
	var worked := _cpu_ms()
	var before := Time.get_ticks_usec()
	for i in count:
		await get_tree().physics_frame
		frames.append((Time.get_ticks_usec() - before) / 1000.0)
		gathers.append(_monitor(&"supple/gather_ms"))
		steps.append(_monitor(&"supple/step_ms"))
		draws.append(_monitor(&"supple/draw_ms"))
		if i % 10 == 0:
			var from := Time.get_ticks_usec()
			_look(sample)
			looking += (Time.get_ticks_usec() - from) / 1000.0
		before = Time.get_ticks_usec()
	sample.cpu = (_cpu_ms() - worked - looking) / count
	sample.median = _sorted_at(frames, 0.5)
	sample.upper = _sorted_at(frames, 0.95)
	sample.worst = frames[-1]
	sample.gather = _sorted_at(gathers, 0.5)
	sample.step = _sorted_at(steps, 0.5)
	sample.draw = _sorted_at(draws, 0.5)
	return sample


func _monitor(id: StringName) -> float:
	return Performance.get_custom_monitor(id) if Performance.has_custom_monitor(id) else 0.0


## Sorts.
func _sorted_at(values: PackedFloat64Array, part: float) -> float:
	values.sort()
	return values[mini(floori(values.size() * part), values.size() - 1)]


## Notes how deep the deepest point is in its floor.
func _look(sample: Sample) -> void:
	for node in _holder.get_children():
		if not node is SoftBody2D:
			continue
		var ground := ceilf(node.position.y / STEP.y) * STEP.y
		for point: Vector2 in node.get_points():
			sample.depth = maxf(sample.depth, point.y - ground)


## CPU time of the process so far, where the system tells it.
func _cpu_ms() -> float:
	var file := FileAccess.open("/proc/self/stat", FileAccess.READ)
	if not file:
		return 0.0
	# After the name, which may hold spaces: the 12th and 13th are the user's and the system's time.
	var words := file.get_line().get_slice(") ", 1).split(" ")
	return (words[11].to_float() + words[12].to_float()) * 1000.0 / CLOCK


func _load() -> String:
	var file := FileAccess.open("/proc/loadavg", FileAccess.READ)
	return file.get_line() if file else "unknown"


# --- The report ------------------------------------------------------------------------------


func _print_head() -> void:
	var names := ["scene", "whole", "95 %", "worst", "gather", "step", "draw", "CPU"]
	print("%-38s %7s %7s %7s %7s %7s %7s %7s  %s" % (names + ["goal"]))


func _print_row(title: String, sample: Sample, note: String) -> void:
	var numbers := [
		title,
		sample.median,
		sample.upper,
		sample.worst,
		sample.gather,
		sample.step,
		sample.draw,
		sample.cpu,
		note,
	]
	print("%-38s %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f  %s" % numbers)


func _build() -> String:
	return "debug" if OS.is_debug_build() else "release"
