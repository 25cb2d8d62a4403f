# godot: --fixed-fps 60
extends Node2D
## Measures a pile of soft bodies: `cargo xtask bench soft_pile`, headless.
##
## 200 jellies are poured into a box, turned as they come, and lie there until all sleep. As in
## `bench/soft.gd` every frame holds exactly one physics tick. For comparison the same bodies lie
## on a floor each by itself: what a pile costs more is what they do to each other.

const COUNT := 200
const COLUMNS := 12
const PARTICLES := Vector2i(10, 10)
const SIZE := 60.0
const BOX := Rect2(0, -5000, 1000, 6000)
const STEP := Vector2(80, 90)

## Until all should sleep, in s; and how long they are watched after that.
const SETTLING := 15
const ASLEEP := 2

const GOAL_AWAKE := 16.0
const GOAL_ASLEEP := 0.5
const GOAL_OVERLAP := 2.0

var _bodies: Array[SoftBody2D] = []
var _holder: Node2D
## The deepest that one was in another so far, in px.
var _deepest := 0.0


func _ready() -> void:
	_run.call_deferred()


func _process(_delta: float) -> void:
	if DisplayServer.get_name() == "headless":
		RenderingServer.frame_pre_draw.emit()


func _run() -> void:
	print("A pile of %d soft bodies of %d x %d points" % [COUNT, PARTICLES.x, PARTICLES.y])
	print("Whole frames of one tick each, ms; step: Supple's monitor, median")
	print(
		"%-24s %7s %7s %7s %7s %6s %8s" % ["", "whole", "95 %", "worst", "step", "awake", "overlap"]
	)
	_add(false)
	await _second("apart, on floors", 2)
	_add(true)
	var worst_median := 0.0
	var slept := INF
	for second in SETTLING:
		var median: float = await _second("pile, second %d" % (second + 1), 1)
		worst_median = maxf(worst_median, median)
		if _awake() == 0 and second > 1:
			slept = second + 1.0
			break
	var asleep: float = await _second("asleep", ASLEEP)
	print("slowest second: %.1f ms (goal %.0f)" % [worst_median, GOAL_AWAKE])
	print("all asleep after %.0f s, then %.3f ms (goal %.1f)" % [slept, asleep, GOAL_ASLEEP])
	print("deepest overlap at the end of a second: %.2f px (goal %.0f)" % [_deepest, GOAL_OVERLAP])
	_holder.free()
	print("bench done")
	get_tree().quit()


## Adds the bodies, in a box or each on its own floor.
func _add(piled: bool) -> void:
	if _holder:
		_holder.free()
	_holder = Node2D.new()
	add_child(_holder)
	_bodies.clear()
	if piled:
		_add_wall(Rect2(BOX.position.x, BOX.end.y, BOX.size.x, 100))
		_add_wall(Rect2(BOX.position.x - 100, BOX.position.y, 100, BOX.size.y + 100))
		_add_wall(Rect2(BOX.end.x, BOX.position.y, 100, BOX.size.y + 100))
	for i in COUNT:
		var body := SoftBody2D.new()
		body.size = Vector2(SIZE, SIZE)
		body.particle_count = PARTICLES
		var cell := Vector2(i % COLUMNS, i / COLUMNS)
		if piled:
			body.position = (
				Vector2(60 + i * 7919 % 13, BOX.end.y - 100) + cell * STEP * Vector2(1, -1)
			)
			body.rotation = i * 0.7
		else:
			body.can_sleep = false
			body.position = cell * STEP * 2
			_add_wall(Rect2(body.position + Vector2(-SIZE, SIZE * 0.5), Vector2(2 * SIZE, 10)))
		_holder.add_child(body)
		_bodies.append(body)


func _add_wall(rect: Rect2) -> void:
	var body := StaticBody2D.new()
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	shape.shape.size = rect.size
	body.position = rect.get_center()
	body.add_child(shape)
	_holder.add_child(body)


## Measures some seconds; the median.
func _second(title: String, seconds: int) -> float:
	var frames := PackedFloat64Array()
	var steps := PackedFloat64Array()
	await get_tree().physics_frame
	var before := Time.get_ticks_usec()
	for i in seconds * Engine.physics_ticks_per_second:
		await get_tree().physics_frame
		frames.append((Time.get_ticks_usec() - before) / 1000.0)
		steps.append(_monitor(&"supple/step_ms"))
		before = Time.get_ticks_usec()
	frames.sort()
	steps.sort()
	var last := frames.size() - 1
	var median := frames[last / 2]
	var numbers := [title, median, frames[last * 95 / 100], frames[last], steps[last / 2], _awake()]
	var overlap := _overlap()
	_deepest = maxf(_deepest, overlap)
	print("%-24s %7.2f %7.2f %7.2f %7.2f %6d %8.2f" % (numbers + [overlap]))
	return median


func _awake() -> int:
	return _bodies.filter(func(body: SoftBody2D) -> bool: return not body.sleeping).size()


func _monitor(id: StringName) -> float:
	return Performance.get_custom_monitor(id) if Performance.has_custom_monitor(id) else 0.0


## How deep the deepest point of an outline is in another body, in px.
func _overlap() -> float:
	var deepest := 0.0
	var outlines: Array[PackedVector2Array] = []
	for body in _bodies:
		outlines.append(body.get_outline())
	for i in COUNT:
		for j in COUNT:
			if i != j and _bodies[i].get_center().distance_to(_bodies[j].get_center()) < 2 * SIZE:
				deepest = maxf(deepest, _depth_of(outlines[i], outlines[j]))
	return deepest


func _depth_of(points: PackedVector2Array, outline: PackedVector2Array) -> float:
	var deepest := 0.0
	for point in points:
		if not Geometry2D.is_point_in_polygon(point, outline):
			continue
		var nearest := INF
		for k in outline.size():
			var next := outline[(k + 1) % outline.size()]
			var on := Geometry2D.get_closest_point_to_segment(point, outline[k], next)
			nearest = minf(nearest, on.distance_to(point))
		deepest = maxf(deepest, nearest)
	return deepest
