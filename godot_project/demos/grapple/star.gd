extends Area2D
## A star on the way of a swing.

signal taken

var _time := 0.0


func _ready() -> void:
	body_entered.connect(_on_body_entered)
	_time = position.x


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


func _on_body_entered(_body: Node2D) -> void:
	set_deferred(&"monitoring", false)
	taken.emit()
	var leave := create_tween().set_parallel()
	leave.tween_property(self, ^"scale", Vector2(2.2, 2.2), 0.3)
	leave.tween_property(self, ^"modulate:a", 0.0, 0.3)


func _draw() -> void:
	var star := PackedVector2Array()
	for i in 10:
		star.append(Vector2.UP.rotated(i * PI / 5.0) * (5.5 if i % 2 else 12.0))
	draw_circle(Vector2.ZERO, 19.0 + sin(_time * 3.0) * 2.0, Color(1, 0.85, 0.45, 0.14))
	draw_set_transform(Vector2(0, sin(_time * 2.0) * 3.0), sin(_time * 1.3) * 0.2)
	draw_colored_polygon(star, Color(1, 0.84, 0.4))
