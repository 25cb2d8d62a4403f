extends Node2D
## A pool with waves on it.

@export var size := Vector2(700, 160)

var _time := 0.0


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


func _draw() -> void:
	for layer in 2:
		var wave := PackedVector2Array()
		for i in 41:
			var x := size.x * i / 40.0
			var phase := x * 0.035 + _time * (1.7 - 3.1 * layer) + layer * 2.0
			wave.append(Vector2(x, sin(phase) * 4.0 + layer * 7.0))
		var surface := wave.duplicate()
		wave.append_array([size, Vector2(0, size.y)])
		draw_colored_polygon(wave, Color(0.45, 0.3, 0.72, 0.5))
		draw_polyline(surface, Color(0.85, 0.7, 1.0, 0.7 - 0.4 * layer), 2.5, true)
