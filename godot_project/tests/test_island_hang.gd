extends "res://tests/support/supple_test.gd"
## Rigid bodies on ropes.


func crate(mass: float, at: Vector2, half := 20.0) -> RigidBody2D:
	var body := RigidBody2D.new()
	body.mass = mass
	body.position = at
	var shape := CollisionShape2D.new()
	var square := RectangleShape2D.new()
	square.size = Vector2.ONE * half * 2.0
	shape.shape = square
	body.add_child(shape)
	return add(body)


func test_a_crate_hangs_on_a_rope() -> void:
	for mass: float in [0.1, 1.0, 10.0, 100.0]:
		var body := crate(mass, Vector2(500.0 * log(mass), 220.0))
		var rope := VerletRope2D.new()
		rope.position = body.position - Vector2(0, 220)
		rope.mass = 1.0
		rope.length = 200.0
		add(rope)
		rope.attach_end(body, Vector2(0, -20))
		var text := ""
		for second in 8:
			await seconds(1.0)
			text += (
				" %.3f v %.3f a %.3f %s%s"
				% [
					body.position.y,
					body.linear_velocity.length(),
					body.rotation,
					body.sleeping,
					rope.sleeping
				]
			)
		print(mass, text, " ", rope.get_tension(19) / 980.0)
		check_near(body.position.y, 220.0, 4.0, "hangs")
		check_true(body.sleeping, "sleeps")


func test_dropped() -> void:
	for mass: float in [0.1, 1.0, 10.0, 100.0]:
		var body := crate(mass, Vector2(3000.0 * log(mass) + 120, 20.0))
		var rope := VerletRope2D.new()
		rope.position = body.position - Vector2(120, 20)
		rope.mass = 1.0
		rope.length = 200.0
		add(rope)
		rope.attach_end(body, Vector2(0, -20))
		var farthest := 0.0
		for tick in 600:
			await ticks(1)
			farthest = maxf(farthest, (body.to_global(Vector2(0, -20)) - rope.position).length())
		print(mass, " ", farthest, " ", body.position - rope.position, body.linear_velocity)
		check_lt(farthest, 204.0, "reach")
