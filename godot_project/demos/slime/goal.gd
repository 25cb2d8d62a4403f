extends Node2D
## The pond at the end, with two little slimes that wait.

## Whether the slime has come home.
var done := false

var _time := 0.0


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


func _draw() -> void:
	draw_line(Vector2(-50, 0), Vector2(-50, -96), Color(0.62, 0.47, 0.4), 6.0)
	var flag := PackedVector2Array([Vector2(-47, -96)])
	for i in 9:
		flag.append(Vector2(-47 + i * 6, -96 + sin(_time * 4.0 + i * 0.7) * 3.0))
	for i in range(8, -1, -1):
		flag.append(Vector2(-47 + i * 6, -64 + sin(_time * 4.0 + i * 0.7) * 3.0))
	draw_colored_polygon(flag, Color(0.98, 0.78, 0.36))
	for friend: Vector3 in [Vector3(70, 0, 1.0), Vector3(128, 0, 0.8)]:
		var hop := absf(sin(_time * (5.0 if done else 1.6) + friend.x))
		var up := hop * (34.0 if done else 4.0)
		_draw_friend(Vector2(friend.x, -up), friend.z, 1.0 + (hop - 0.5) * 0.16)


func _draw_friend(at: Vector2, size: float, stretch: float) -> void:
	draw_set_transform(at, 0.0, Vector2(size / stretch, size * stretch))
	var body := PackedVector2Array()
	for i in 25:
		body.append(Vector2.from_angle(PI + PI * i / 24.0) * Vector2(24, 32))
	draw_colored_polygon(body, Color(0.98, 0.6, 0.72, 0.9))
	body.append(body[0])
	draw_polyline(body, Color(0.72, 0.3, 0.46), 3.0, true)
	for side: float in [-8.0, 8.0]:
		draw_circle(Vector2(side, -15), 3.4, Color(0.3, 0.08, 0.18))
		draw_circle(Vector2(side + 1.0, -16.2), 1.2, Color.WHITE)
	draw_arc(Vector2(0, -12), 4.0, 0.3, PI - 0.3, 8, Color(0.3, 0.08, 0.18), 2.0, true)
