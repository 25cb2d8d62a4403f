extends Line2D
## A knife: strokes of the right mouse button cut all ropes of the group "ropes", and what was cut
## from them.

const FADE_SECONDS := 0.25

## How many places of the stroke are drawn.
const TRAIL := 14

var _cutting := false


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_RIGHT:
		_cutting = event.pressed
		if _cutting:
			clear_points()
			add_point(make_input_local(event).position)
			modulate.a = 1.0
		else:
			create_tween().tween_property(self, ^"modulate:a", 0.0, FADE_SECONDS)
	elif event is InputEventMouseMotion and _cutting:
		var from := get_point_position(get_point_count() - 1)
		var to: Vector2 = make_input_local(event).position
		get_tree().call_group(&"ropes", &"cut_line", to_global(from), to_global(to))
		add_point(to)
		if get_point_count() > TRAIL:
			remove_point(0)
