extends "res://tests/test_island_hang.gd"


func test_tension() -> void:
	var body := crate(1.0, Vector2(0, 220.0))
	body.can_sleep = false
	var rope := VerletRope2D.new()
	rope.mass = 1.0
	rope.length = 200.0
	add(rope)
	rope.attach_end(body, Vector2(0, -20))
	var text := ""
	for second in 30:
		await ticks(1)
		text += " %.3f/%.3f" % [rope.get_tension(19) / 980.0, body.linear_velocity.y]
	print(text)
	check_true(true, "a")
