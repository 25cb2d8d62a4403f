extends StaticBody2D
## A mushroom that throws the slime up when it comes from above.

const SPEED := 720.0
const CAP := Color(0.93, 0.36, 0.45)

## So long it does not throw again, in s.
const PAUSE := 0.2

var _press := 0.0
var _spring := 0.0
var _pause := 0.0


func _ready() -> void:
	var slime: SoftBody2D = get_tree().get_first_node_in_group(&"slime")
	slime.body_entered.connect(_on_touched.bind(slime))


func _physics_process(delta: float) -> void:
	_pause -= delta
	_spring += (-420.0 * _press - 9.0 * _spring) * delta
	_press += _spring * delta
	queue_redraw()


func _on_touched(body: Node, slime: SoftBody2D) -> void:
	if body == self and _pause < 0.0 and slime.global_position.y < global_position.y - 10.0:
		_pause = PAUSE
		_spring = 9.0
		slime.throw_up(SPEED)


func _draw() -> void:
	var stem := PackedVector2Array(
		[Vector2(-12, 10), Vector2(12, 10), Vector2(17, 230), Vector2(-17, 230)]
	)
	draw_colored_polygon(stem, Color(0.93, 0.87, 0.8))
	draw_line(Vector2(6, 14), Vector2(9, 230), Color(0.7, 0.6, 0.62, 0.6), 5.0)
	draw_set_transform(Vector2(0, _press * 22.0), 0.0, Vector2(1.0 + _press * 0.3, 1.0 - _press))
	var cap := PackedVector2Array()
	for i in 25:
		cap.append(Vector2.from_angle(PI + PI * i / 24.0) * Vector2(50, 30) + Vector2(0, 16))
	draw_colored_polygon(cap, CAP)
	draw_polyline(cap, CAP.lightened(0.35), 3.0, true)
	draw_line(Vector2(-48, 17), Vector2(48, 17), CAP.darkened(0.35), 5.0, true)
	for spot: Vector3 in [Vector3(-24, 4, 6), Vector3(2, -4, 8), Vector3(27, 5, 5)]:
		draw_circle(Vector2(spot.x, spot.y), spot.z, Color(1, 0.93, 0.9))
