extends "res://tests/support/rope_test.gd"
## Ropes that once never came to rest.

## Within so many seconds a rope sleeps.
const LIMIT := 15.0


func test_a_heavy_load_on_a_light_rope_comes_to_rest_after_it_was_plucked() -> void:
	# Impulses on a point of 0.01 kg: of the second it gets 1000 px/s.
	for case: Array in [[100.0, 0.2, 15.0], [30.0, 0.2, 15.0], [100.0, 10.0, 25.0]]:
		var mass: float = case[0]
		var rope := await hang(
			{length = 1000, segments = 50, end_mass = mass, end_position = Vector2(0, 1000)}
		)
		await seconds(1.0)
		rope.apply_point_impulse(25, Vector2(case[1], 0))
		await ticks(1)
		await _check_rests(rope, "load of %s kg" % mass, case[2])
		check_near(tip(rope), rope.position + Vector2(0, 1000), 2.0, "place of the load")
		rope.free()


func test_an_antenna_comes_to_rest() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		for bend: float in [0.6, 0.8, 1.0]:
			var rope := await hang(
				{
					length = 50,
					segments = 20,
					end_position = Vector2(50, 0),
					bend = bend,
					start_stiffness = 1.0,
				}
			)
			await _check_rests(rope, "%d ticks, bend %s" % [rate, bend])
			rope.free()


func test_a_stiff_start_on_a_small_rope_comes_to_rest() -> void:
	var rope := await hang(
		{
			length = 200,
			bend = 1.0,
			start_stiffness = 0.5,
			scale = Vector2(0.3, 0.3),
			end_position = Vector2(123, -157),
		}
	)
	await _check_rests(rope, "small")


func test_a_load_that_was_wound_in_to_1_px_comes_to_rest() -> void:
	for to: float in [1.0, 2.0]:
		for load_mass: float in [1.0, 10.0]:
			var rope := await hang({end_mass = load_mass, end_position = Vector2(95, -28)})
			await seconds(1.0)
			while rope.length != to:
				rope.length = move_toward(rope.length, to, 100.0 / 60.0)
				await ticks(1)
			var what := "%s px, %s kg" % [to, load_mass]
			await _check_rests(rope, what)
			var weight := (load_mass + rope.mass) * 980.0
			check_le(absf(rope.get_tension(0)), 1.5 * weight, what + ": tension")
			rope.free()


func _check_rests(rope: VerletRope2D, what: String, limit: float = LIMIT) -> void:
	var asleep := await until_asleep([rope], limit)
	var how := "%s: asleep (fastest point %s px/s)" % [what, fastest(rope)]
	check_true(asleep, how)
