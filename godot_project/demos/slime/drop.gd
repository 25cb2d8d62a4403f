extends Area2D
## A drop of dew to collect: an area that the slime comes into.

signal taken

var _time := 0.0


func _ready() -> void:
	body_entered.connect(_on_body_entered)
	_time = position.x * 0.01


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


func _on_body_entered(_body: Node2D) -> void:
	set_deferred(&"monitoring", false)
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
