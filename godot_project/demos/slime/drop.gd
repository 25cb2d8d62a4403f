extends Node2D
## A drop of dew to collect.

signal taken

## How near the slime has to come to its outline, in px.
const REACH := 14.0

var _time := 0.0
var _slime: SoftBody2D


func _ready() -> void:
	_time = position.x * 0.01
	_slime = get_tree().get_first_node_in_group(&"slime")


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


func _physics_process(_delta: float) -> void:
	if _slime.get_closest_point_index(global_position, REACH + 8.0) < 0:
		return
	set_physics_process(false)
	taken.emit()
	var leave := create_tween().set_parallel().set_ease(Tween.EASE_OUT)
	leave.tween_property(self, ^"scale", Vector2(2.4, 2.4), 0.3)
	leave.tween_property(self, ^"modulate:a", 0.0, 0.3)
	leave.chain().tween_callback(hide)


func _draw() -> void:
	draw_circle(Vector2.ZERO, 17.0 + sin(_time * 3.0) * 2.0, Color(0.5, 0.95, 1.0, 0.13))
	draw_set_transform(Vector2(0, sin(_time * 2.2) * 3.0))
	var drop := PackedVector2Array([Vector2(0, -13)])
	for i in 17:
		drop.append(Vector2(0, 2) + Vector2.from_angle(lerpf(-0.45, PI + 0.45, i / 16.0)) * 8.0)
	draw_colored_polygon(drop, Color(0.35, 0.85, 0.98))
	draw_circle(Vector2(-2.5, -0.5), 2.6, Color(1, 1, 1, 0.85))
