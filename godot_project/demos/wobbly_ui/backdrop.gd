extends Node2D
## Bubbles that rise behind the menu.

const COUNT := 26
const AREA := Rect2(-300, -150, 1750, 950)

var _time := 0.0


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


func _draw() -> void:
	for i in COUNT:
		var depth := fposmod(i * 0.377, 1.0)
		var x := fposmod(i * 0.618, 1.0) * AREA.size.x + sin(_time * 0.5 + i) * 18.0
		var y := fposmod(i * 0.414 * AREA.size.y - _time * (14.0 + 26.0 * depth), AREA.size.y)
		var at := AREA.position + Vector2(x, y)
		var radius := 12.0 + 46.0 * depth * depth
		draw_circle(at, radius, Color(1, 1, 1, 0.045))
		draw_arc(at, radius, 0.0, TAU, 40, Color(1, 1, 1, 0.08), 2.0, true)
		draw_circle(at + Vector2(-0.35, -0.4) * radius, radius * 0.16, Color(1, 1, 1, 0.14))
