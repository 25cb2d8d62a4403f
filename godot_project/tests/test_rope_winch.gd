extends "res://tests/support/rope_test.gd"
## Winding a rope in and out by its length: exact, without a jump, and with pieces that come and go.

## How fast it is wound, px/s.
const SPEED := 500.0
const TURNS := 100


## Winds to and fro between two lengths in every tick, and measures.
class Winch:
	extends Node
	var rope: VerletRope2D
	var least := 20.0
	var most := 200.0
	var scale := 1.0
	var direction := -1.0
	var turns := 0
	## The largest stretch and slack of the whole rope, as a part of its length.
	var strain := 0.0
	## By how much a place on the rope moved farther in a tick than it was wound, the worst.
	var jump := 0.0
	var fewest := 1 << 30
	var largest := 0
	var longest_link := 0.0
	var wound := 0.0
	var _last: PackedVector2Array
	var _speed_before := 0.0

	## Winds on; called at the beginning of a tick, before it is simulated.
	func wind(delta: float) -> void:
		var to := clampf(rope.length + direction * SPEED * delta, least, most)
		wound = absf(to - rope.length) * scale
		rope.length = to
		if to == least or to == most:
			direction = -direction
			turns += 1

	## Measures what the tick has brought.
	func look() -> void:
		var points := rope.get_points()
		strain = maxf(strain, absf(rope.get_current_length() / (rope.length * scale) - 1.0))
		fewest = mini(fewest, points.size())
		largest = maxi(largest, points.size())
		for i in points.size() - 1:
			longest_link = maxf(longest_link, points[i].distance_to(points[i + 1]))
		if _last:
			jump = maxf(jump, _largest_way(_last, points) - wound)
		_last = points

	## How far the second rope is from the first at most.
	func _largest_way(before: PackedVector2Array, now: PackedVector2Array) -> float:
		var worst := 0.0
		for point in now:
			var nearest := INF
			for i in before.size() - 1:
				var place := Geometry2D.get_closest_point_to_segment(
					point, before[i], before[i + 1]
				)
				nearest = minf(nearest, place.distance_to(point))
			worst = maxf(worst, nearest)
		return worst


func test_wound_in_and_out_a_hundred_times_it_neither_stretches_nor_jumps() -> void:
	for rate: int in [30, 60, 120]:
		for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
			for segments: int in [0, 20]:
				await set_ticks_per_second(rate)
				var rope := await hang({reel_end = reel_end, segments = segments})
				var what := "%d ticks, reel end %d, %d segments" % [rate, reel_end, segments]
				await _check_winding(rope, _winch(rope), TURNS, what)
				rope.free()


func test_a_wound_load_neither_stretches_the_rope_nor_jumps() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var lamp := node_at(Vector2.ZERO, "Lamp")
		var rope := await hang(
			{
				end_mass = 5.0,
				end_mode = VerletRope2D.ATTACH_ROPE_CARRIES_NODE,
				end_node = ^"../Lamp",
			}
		)
		var what := "%d ticks, a load" % rate
		await _check_winding(rope, _winch(rope), 30, what)
		check_carried(rope, lamp, what)
		rope.free()
		lamp.free()


func test_a_wound_rope_below_a_scaled_node_neither_stretches_nor_jumps() -> void:
	for scale: Vector2 in [Vector2(2, 2), Vector2(-1, 1)]:
		var parent := node_at(Vector2(500, 50), "Parent")
		parent.scale = scale
		var rope := make_rope({position = Vector2(10, 20)})
		parent.add_child(rope)
		await ticks(2)
		rope.reset()
		var winch := _winch(rope)
		winch.scale = absf(scale.y)
		await _check_winding(rope, winch, 20, "scale %s" % scale)
		parent.free()


func test_a_swinging_rope_is_wound_without_a_stretch_and_does_not_whip_itself_up() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
			for load_mass: float in [0.0, 5.0]:
				var rope := await hang(
					{reel_end = reel_end, end_mass = load_mass, end_position = released_at(45.0)}
				)
				var winch := _winch(rope)
				var speed := 0.0
				while winch.turns < 20:
					winch.wind(1.0 / rate)
					await ticks(1)
					winch.look()
					speed = maxf(speed, fastest(rope))
				var what := "%d ticks, reel end %d, %s kg" % [rate, reel_end, load_mass]
				check_le(winch.strain, EXACT, what + ": stretch")
				check_lt(speed, 3000.0, what + ": speed of the fastest point")
				rope.free()


func test_a_rope_held_at_both_ends_is_wound_without_a_stretch() -> void:
	for segments: int in [0, 25]:
		for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
			var rope := await hang(
				{
					position = Vector2(300, 100),
					end_position = Vector2(90, 0),
					end_pinned = true,
					length = 900.0,
					reel_end = reel_end,
					segments = segments,
				}
			)
			await seconds(1.0)
			var winch := _winch(rope)
			winch.least = 95.0
			winch.most = 900.0
			var what := "both ends held, reel end %d, %d segments" % [reel_end, segments]
			for i in 600:
				winch.wind(1.0 / 60.0)
				await ticks(1)
				winch.look()
				check_near(rope.get_point_position(0), rope.position, 0.01, what + ": start")
				check_near(tip(rope), rope.position + Vector2(90, 0), 0.01, what + ": end")
			check_le(winch.strain, EXACT, what + ": stretch")
			check_ge(winch.turns, 5, what + ": turns")
			rope.free()


func test_pieces_come_and_go_with_the_length() -> void:
	for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
		var rope := await hang({reel_end = reel_end})
		check_eq(rope.get_point_count(), 21, "points at the start")
		for to: float in [30.0, 400.0, 100.0, 200.0]:
			while rope.length != to:
				rope.length = move_toward(rope.length, to, SPEED / 60.0)
				await ticks(1)
			check_near(rope.get_point_count(), to / 10.0 + 1.0, 1.0, "points at %s px" % to)
		rope.segments = 12
		await ticks(2)
		rope.length = 60.0
		await seconds(0.5)
		check_eq(rope.get_point_count(), 13, "points of a rope with fixed pieces")


func test_the_far_part_of_a_wound_rope_stays_as_it_is() -> void:
	# What hangs there goes along; the pieces away from the reel keep their lengths.
	var rope := await hang_asleep()
	var points := rope.get_points()
	for i in 12:
		rope.length -= 5.0
		await ticks(1)
	var now := rope.get_points()
	for i in 10:
		var before := points[-1 - i].distance_to(points[-2 - i])
		check_near(now[-1 - i].distance_to(now[-2 - i]), before, 0.02, "piece %d from the end" % i)
	check_near(tip(rope), Vector2(576, 240), 1.0, "tip")


func test_a_load_that_is_lifted_stops_with_the_reel() -> void:
	var rope := await hang_asleep({end_mass = 3.0, length = 400.0})
	for i in 30:
		rope.length -= SPEED / 60.0
		await ticks(1)
	var top := tip(rope).y
	var highest := top
	for i in 60:
		await ticks(1)
		highest = minf(highest, tip(rope).y)
	check_near(top, 100.0 + 150.0, 1.0, "height when the reel stops")
	check_gt(highest, top - 5.0, "highest place afterwards")


func test_half_or_double_the_length_at_once_is_wound_quickly_without_harm() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		for segments: int in [0, 20]:
			for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
				var rope := await hang({segments = segments, reel_end = reel_end, end_mass = 1.0})
				for to: float in [100.0, 200.0, 400.0, 20.0, 200.0]:
					var what := "to %s, %d ticks, %d segments" % [to, rate, segments]
					rope.length = to
					check_eq(rope.length, to, what + ": the property")
					await ticks(1)
					check_true(all_finite(rope.get_points()), what + ": finite")
					await seconds(0.6)
					check_near(rope.get_current_length() / to, 1.0, EXACT, what + ": length")
					check_near(rope.get_point_position(0), rope.position, 0.001, what + ": start")
				await seconds(2.0)
				check_near(tip(rope), rope.position + Vector2(0, 200), 40.0, "tip in the end")
				rope.free()


func test_winding_wakes_a_sleeping_rope_and_it_sleeps_again() -> void:
	var rope := await hang_asleep()
	rope.length = 150.0
	await ticks(2)
	check_true(not rope.sleeping, "awake")
	check_true(await until_asleep([rope]), "asleep again")
	check_near(tip(rope), Vector2(576, 250), 1.0, "tip")


func test_length_set_before_the_first_tick_lays_the_rope_out() -> void:
	var rope: VerletRope2D = add(make_rope())
	rope.length = 320.0
	check_near(rope.get_current_length(), 320.0, 0.1, "length at once")
	check_eq(rope.get_point_count(), 33, "points")
	await ticks(3)
	check_lt(fastest(rope), 50.0, "speed")
	rope.length = 100.0
	rope.reset()
	check_near(rope.get_current_length(), 100.0, 0.1, "length after reset")


func test_a_pin_is_wound_along_and_let_go_at_the_reel() -> void:
	var rope := await hang_asleep({length = 400.0})
	rope.set_point_pinned(30, true)
	await ticks(1)
	for i in 60:
		rope.length = move_toward(rope.length, 200.0, SPEED / 60.0)
		await ticks(1)
		check_true(all_finite(rope.get_points()), "finite")
	for i in 60:
		rope.length = move_toward(rope.length, 400.0, SPEED / 60.0)
		await ticks(1)
	check_true(all_finite(rope.get_points()), "finite in the end")
	for i in rope.get_point_count():
		rope.set_point_pinned(i, i == 0)
	rope.reset()
	await check_works(rope, "afterwards")


func _winch(rope: VerletRope2D) -> Winch:
	var winch := Winch.new()
	winch.rope = rope
	rope.add_child(winch)
	return winch


func _check_winding(rope: VerletRope2D, winch: Winch, turns: int, what: String) -> void:
	var delta := 1.0 / Engine.physics_ticks_per_second
	while winch.turns < turns:
		winch.wind(delta)
		await ticks(1)
		winch.look()
	check_le(winch.strain, EXACT, what + ": stretch")
	check_le(winch.jump, 2.0, what + ": px of a jump")
	check_true(all_finite(rope.get_points()), what + ": finite")
	if rope.segments == 0:
		check_lt(winch.fewest, winch.largest / 3.0, what + ": fewest points")
		check_lt(winch.longest_link, 17.0 * winch.scale, what + ": longest piece")
	else:
		check_eq(winch.fewest, rope.segments + 1, what + ": fewest points")
		check_eq(winch.largest, rope.segments + 1, what + ": most points")
