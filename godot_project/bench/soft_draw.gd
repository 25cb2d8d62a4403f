# godot: --fixed-fps 60
extends Node2D
## Measures the drawing of soft bodies in the engine: `cargo xtask bench soft_draw`, headless.
##
## A headless engine draws no frames: the signal with which a drawn one begins is emitted by hand,
## and nothing is handed to a graphics card. "draw" is Supple's monitor: finding where the points
## are in the frame, and bringing filling, line and highlight there. All bodies are kept moving.

const WARM_UP_TICKS := 60
const TICKS := 240
const BODIES := 200
const COLUMNS := 20

var _bodies: Array[SoftBody2D] = []
var _tick := 0


func _ready() -> void:
	_run.call_deferred()


func _process(_delta: float) -> void:
	if DisplayServer.get_name() == "headless":
		RenderingServer.frame_pre_draw.emit()


func _physics_process(_delta: float) -> void:
	_tick += 1
	for i in _bodies.size():
		_bodies[i].linear_velocity = Vector2.RIGHT.rotated(_tick * 0.1 + i) * 60.0


func _run() -> void:
	print("Soft bodies in the engine: %d of 10x10 points, drawn every frame" % BODIES)
	print("%-44s %8s %8s %8s" % ["ms a frame, median", "draw", "step", "whole"])
	var plain := {"smooth_outline": false, "antialiased": false, "shine": 0.0, "outline_width": 0.0}
	await _measure("filling only", plain)
	await _measure("with a line", plain.merged({"outline_width": 3.0}, true))
	await _measure("smooth", plain.merged({"outline_width": 3.0, "smooth_outline": true}, true))
	await _measure("as a new body is: smoothed, with highlight", {})
	await _measure("a child polygon each", {}, true)
	print("bench done")
	get_tree().quit()


func _measure(title: String, properties: Dictionary, child: bool = false) -> void:
	for body in _bodies:
		body.free()
	_bodies.clear()
	for i in BODIES:
		var body := SoftBody2D.new()
		body.particle_count = Vector2i(10, 10)
		body.gravity_scale = 0.0
		body.collision_mask = 0
		for property: String in properties:
			body.set(property, properties[property])
		body.position = Vector2(i % COLUMNS, floorf(i / float(COLUMNS))) * 150.0
		if child:
			var polygon := Polygon2D.new()
			polygon.polygon = PackedVector2Array(
				[Vector2(-50, -50), Vector2(50, -50), Vector2(50, 50), Vector2(-50, 50)]
			)
			body.add_child(polygon)
			body.source = SoftBody2D.SOURCE_CHILD_POLYGON
			body.spacing = 11.0
		add_child(body)
		_bodies.append(body)
	var draws := PackedFloat64Array()
	var steps := PackedFloat64Array()
	var wholes := PackedFloat64Array()
	var last := Time.get_ticks_usec()
	for i in WARM_UP_TICKS + TICKS:
		await get_tree().physics_frame
		var now := Time.get_ticks_usec()
		if i >= WARM_UP_TICKS:
			draws.append(Performance.get_custom_monitor(&"supple/draw_ms"))
			steps.append(Performance.get_custom_monitor(&"supple/step_ms"))
			wholes.append((now - last) / 1000.0)
		last = now
	var row := [title, _median(draws), _median(steps), _median(wholes)]
	print("%-44s %8.2f %8.2f %8.2f" % row)


func _median(values: PackedFloat64Array) -> float:
	values.sort()
	return values[values.size() / 2]
