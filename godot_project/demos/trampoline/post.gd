extends Node2D
## The frame of a trampoline: two posts and a beam below, drawn behind it.

const METAL := Color(0.35, 0.4, 0.55)

@export var width := 330.0
@export var height := 60.0


func _draw() -> void:
	for side: float in [-1.0, 1.0]:
		var top := Vector2(side * width * 0.5, 0)
		var foot := top + Vector2(side * 14.0, height)
		draw_line(top, foot, METAL.darkened(0.3), 13.0)
		draw_line(top + Vector2(-2, 0), foot + Vector2(-2, 0), METAL, 7.0)
		draw_circle(top, 13.0, METAL.lightened(0.25))
		draw_circle(top, 6.0, METAL.darkened(0.3))
	draw_line(
		Vector2(-width * 0.54, height), Vector2(width * 0.54, height), METAL.darkened(0.4), 9.0
	)
