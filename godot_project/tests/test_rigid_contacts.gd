extends "res://tests/support/rigid_test.gd"
## Rigid bodies that ropes touch: both feel it.

const RATES: Array[int] = [30, 60, 120]


## The momentum of a rope, whose ends weigh half of the other points.
func momentum_of(rope: VerletRope2D) -> Vector2:
	var last := rope.get_point_count() - 1
	var sum := Vector2.ZERO
	for i in last + 1:
		sum += rope.get_point_velocity(i) * (0.5 if i == 0 or i == last else 1.0)
	return sum * rope.mass / last


func test_a_struck_body_and_the_rope_keep_their_momentum() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for mass: float in [0.2, 1.0, 10.0]:
			var body := crate(mass, Vector2(80, 90), 15.0)
			body.gravity_scale = 0.0
			body.linear_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
			var rope := VerletRope2D.new()
			rope.start_pinned = false
			rope.gravity_scale = 0.0
			rope.linear_damp = 0.0
			rope.air_drag = 0.0
			rope.length = 200.0
			add(rope)
			rope.apply_central_impulse(Vector2(400, 0) * rope.mass)
			await ticks(2)
			var before := momentum_of(rope) + body.linear_velocity * mass
			# The engine tells of the mean of the last tick: when they have parted.
			await seconds(2.0)
			var after := momentum_of(rope) + body.linear_velocity * mass
			var name := "%s kg at %d ticks" % [mass, rate]
			check_gt(body.linear_velocity.x, 5.0, "%s: it was struck" % name)
			check_lt(after.distance_to(before), 0.05 * before.length(), "%s: momentum" % name)
			body.free()
			rope.free()


func test_a_bridge_carries_crates() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for mass: float in [0.5, 5.0, 50.0]:
			var rope := VerletRope2D.new()
			rope.length = 440.0
			rope.end_position = Vector2(400, 0)
			rope.end_pinned = true
			rope.mass = 2.0
			add(rope)
			var crates: Array[RigidBody2D] = []
			for i in 2:
				crates.append(crate(mass, Vector2(160 + 80 * i, 20), 15.0))
			var stretch := 0.0
			for tick in rate * 8:
				await ticks(1)
				stretch = maxf(stretch, rope.get_current_length() / rope.length)
			var name := "%s kg at %d ticks" % [mass, rate]
			check_lt(stretch, 1.01, "%s: stretch" % name)
			for body in crates:
				check_true(
					Rect2(100, 40, 200, 80).has_point(body.position),
					"%s: lies on it, at %s" % [name, body.position]
				)
				check_lt(body.linear_velocity.length(), 20.0, "%s: speed" % name)
				body.free()
			rope.free()


func test_what_does_not_push_is_not_felt() -> void:
	var body := crate(0.1, Vector2(100, 40), 15.0)
	body.gravity_scale = 0.0
	var rope := VerletRope2D.new()
	rope.length = 220.0
	rope.end_position = Vector2(200, 0)
	rope.end_pinned = true
	rope.push_bodies = false
	add(rope)
	await seconds(1.0)
	check_eq(body.position, Vector2(100, 40), "where it is")
	check_lt(rope.get_point_position(10).y, 30.0, "the rope lies on it")
