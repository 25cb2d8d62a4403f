extends "res://tests/support/rope_test.gd"
## How a rope moves: exact lengths, the same at any tick rate, calm after any abuse.

const DIRECT := 0
const RELAXATION := 1


## The lesson's rope in plain GDScript: one Verlet step a tick, then passes of relaxation.
class LessonRope:
	var points := PackedVector2Array()
	var before := PackedVector2Array()
	var link := 18.0
	var passes := 12
	var gravity := Vector2(0, 980)
	var keep := 0.99

	func lay(anchor: Vector2, direction: Vector2, count: int, delta: float) -> void:
		for i in count:
			points.append(anchor + direction * link * i)
			# A start from rest moves by a t2 / 2 in the first tick.
			before.append(points[i] + (0.0 if i == 0 else 0.5) * gravity * delta * delta / keep)

	func tick(anchor: Vector2, delta: float) -> void:
		for i in range(1, points.size()):
			var moved := (points[i] - before[i]) * keep + gravity * delta * delta
			before[i] = points[i]
			points[i] += moved
		points[0] = anchor
		for pass_index in passes:
			for i in points.size() - 1:
				_correct(i)

	func _correct(i: int) -> void:
		var way := points[i + 1] - points[i]
		var distance := way.length()
		if distance <= 0.0:
			return
		var error := way * ((distance - link) / distance)
		if i == 0:
			points[1] -= error
		else:
			points[i] += error * 0.5
			points[i + 1] -= error * 0.5


func test_a_driven_rope_of_any_number_of_segments_keeps_its_lengths_within_a_thousandth() -> void:
	for segments: int in [10, 30, 100, 300, 1000]:
		var length := 10.0 * segments
		var rope := await hang({length = length, segments = segments, can_sleep = false})
		var mover := Mover.new()
		mover.target = rope
		mover.center = rope.position
		mover.way = Vector2(0.3 * length, 0)
		add(mover)
		var worst := 0.0
		var sideways := 0.0
		for i in 360:
			await ticks(1)
			worst = maxf(worst, worst_strain(rope))
			sideways = maxf(sideways, absf(tip(rope).x - mover.center.x))
		check_le(worst, EXACT, "worst strain of %d segments in 6 s" % segments)
		check_gt(sideways, 0.05 * length, "how far the tip of %d segments swung" % segments)
		mover.free()
		rope.free()


func test_a_rope_held_at_both_ends_keeps_its_lengths_while_they_swing_about() -> void:
	for segments: int in [30, 100]:
		for rate: float in [1.0, 2.0, 6.0]:
			var worst := await _worst_strain_between_moving_ends(segments, rate, 0.98)
			check_lt(worst, 0.01, "strain of %d segments, %s rad/s" % [segments, rate])


func test_a_rope_that_snaps_taut_between_its_ends_keeps_its_lengths_while_it_is_slack() -> void:
	for segments: int in [30, 100]:
		for rate: float in [1.0, 2.0]:
			var worst := await _worst_strain_between_moving_ends(segments, rate, 1.02)
			check_lt(worst, 0.05, "strain of %d segments, %s rad/s" % [segments, rate])


func test_a_swing_has_the_period_that_physics_gives_it() -> void:
	# A weight on one link, and a hanging chain: 2 pi / (j / 2 sqrt(g / l)), j the first zero of J0.
	var periods := {1: TAU * sqrt(200.0 / 980.0), 20: TAU / (1.20241 * sqrt(980.0 / 200.0))}
	for segments: int in periods:
		var rope := await hang(
			{
				segments = segments,
				linear_damp = 0.0,
				air_drag = 0.0,
				end_position = released_at(5.0),
				can_sleep = false,
			}
		)
		var crossings := PackedFloat64Array()
		var last := tip(rope).x - rope.position.x
		for tick in 1200:
			await ticks(1)
			var here := tip(rope).x - rope.position.x
			if last < 0.0 and here >= 0.0:
				crossings.append((tick + 1.0 - here / (here - last)) / 60.0)
			last = here
		var period := (crossings[-1] - crossings[0]) / (crossings.size() - 1)
		check_near(period, periods[segments], 0.01 * period, "period of %d segments" % segments)
		rope.free()


func test_without_damping_it_gains_no_height() -> void:
	var rope := await hang(
		{linear_damp = 0.0, air_drag = 0.0, end_position = released_at(60.0), can_sleep = false}
	)
	var start := _middle(rope).y
	var highest := INF
	for tick in 1200:
		await ticks(1)
		highest = minf(highest, _middle(rope).y)
		if tick == 300:
			check_lt(highest, start + 25.0, "height of the middle of mass after 5 s: it swings on")
	check_gt(highest, start - 1.0, "height of the middle of mass in 20 s")


func test_a_free_rope_falls_as_fast_as_anything() -> void:
	var rope := await hang(
		{start_pinned = false, linear_damp = 0.0, air_drag = 0.0, end_position = Vector2(200, 0)}
	)
	await seconds(10.0)
	check_near(rope.get_point_position(0).y - 100.0, 49_000.0, 10.0, "fall of the start in 10 s")
	check_near(tip(rope).y - 100.0, 49_000.0, 10.0, "fall of the end in 10 s")
	check_lt(worst_strain(rope), EXACT, "strain")


func test_a_rope_that_stands_on_its_start_falls_over() -> void:
	var rope := await hang({end_position = Vector2(0, -200)})
	await seconds(5.0)
	check_gt(tip(rope).y, rope.position.y + 150.0, "height of the tip")


func test_a_swing_takes_the_same_path_at_any_tick_rate_and_time_scale() -> void:
	var cases := [
		[10, 1.0],
		[30, 1.0],
		[50, 1.0],
		[60, 1.0],
		[75, 1.0],
		[120, 1.0],
		[144, 1.0],
		[240, 1.0],
		[1000, 1.0],
		[60, 0.1],
		[60, 3.0],
	]
	var paths: Array[PackedVector2Array] = []
	for case: Array in cases:
		paths.append(await _path_of_a_swing(case[0], case[1]))
	check_gt(paths[3][0].distance_to(paths[3][4]), 20.0, "the swing, in 0.4 s")
	for i in paths.size():
		for k in i:
			var part := _mean_square_root(paths[i], paths[k]) / 200.0
			var what := "path at %s against %s (ticks/s, time scale)" % [cases[i], cases[k]]
			check_lt(part, 0.005, what)


func test_a_swing_goes_on_unchanged_when_tick_rate_and_time_scale_change_in_the_middle() -> void:
	var steady := await _path_of_a_swing(60, 1.0)
	var properties := {
		length = 200, segments = 20, end_position = released_at(30.0), can_sleep = false
	}
	await set_ticks_per_second(60)
	await set_time_scale(1.0)
	var rope := await hang(properties)
	var time := 0.0
	for step: Array in [[60, 1.0], [30, 1.0], [240, 1.0], [60, 3.0], [60, 0.1], [20, 1.0]]:
		# The frames in which the change takes effect have ticks as well.
		rope.process_mode = Node.PROCESS_MODE_DISABLED
		await set_ticks_per_second(step[0])
		await set_time_scale(step[1])
		rope.process_mode = Node.PROCESS_MODE_INHERIT
		await seconds(0.6)
		time += 0.6
		var i := roundi(time * 10.0)
		check_near(tip(rope), steady[i], 1.0, "tip after %s s, %s" % [time, step])


func test_a_rope_among_many_moves_to_the_bit_as_it_does_alone() -> void:
	var hashes := PackedInt64Array()
	for others: int in [0, 400]:
		for i in others:
			add(make_rope({segments = 30, end_position = released_at(i)}))
		hashes.append(await _hash_of_a_driven_rope())
	check_eq(hashes[1], hashes[0], "hash of the state")


func test_more_iterations_of_relaxation_stretch_less() -> void:
	var stretches := PackedFloat64Array()
	for iterations: int in [2, 8, 32]:
		var properties := {
			length = 342, segments = 19, solver = RELAXATION, substeps = 1, can_sleep = false
		}
		var rope := await hang(properties)
		rope.iteration_count = iterations
		await seconds(8.0)
		stretches.append(rope.get_current_length() / 342.0)
		rope.free()
	check_gt(stretches[0], stretches[1], "stretch with 2 iterations against 8")
	check_gt(stretches[1], stretches[2], "stretch with 8 iterations against 32")
	check_gt(stretches[2], 1.0, "stretch with 32 iterations")


func test_relaxation_is_the_lesson_s_rope() -> void:
	var direction := released_at(40.0, 1.0)
	var rope := await hang(
		{
			length = 342,
			segments = 19,
			end_position = direction,
			solver = RELAXATION,
			iteration_count = 12,
			substeps = 1,
			air_drag = 0.0,
			linear_damp = -log(0.99) * 60.0,
			can_sleep = false,
		}
	)
	var lesson := LessonRope.new()
	lesson.lay(rope.position, direction, 20, 1.0 / 60.0)
	for tick in 240:
		# For two seconds it swings, then its anchor moves too.
		if tick >= 120:
			rope.position.x += 60.0 * sin(tick * 0.1) / 60.0
		lesson.tick(rope.position, 1.0 / 60.0)
		await ticks(1)
		var distance := largest_distance(rope.get_points(), lesson.points)
		if not check_lt(distance, 0.5, "distance from the lesson's rope at tick %d" % tick):
			return
	check_gt(rope.get_current_length(), 343.0, "it stretches as the lesson's does")


func test_whipping_stays_bounded_and_comes_to_rest_within_ten_seconds() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 2001
	var ropes: Array[VerletRope2D] = [
		await hang({length = 300, segments = 30}),
		await hang({length = 1000, segments = 100}),
		await hang({length = 300, segments = 30, solver = RELAXATION}),
	]
	var velocity := Vector2.ZERO
	var at := ropes[0].position
	for tick in 20 * 60:
		if tick % 7 == 0:
			velocity = Vector2.from_angle(random.randf() * TAU) * random.randf() * 5000.0
			if at.length() > 3000.0:
				velocity = -at.normalized() * 5000.0
		at += velocity / 60.0
		for rope in ropes:
			rope.position = at
		await ticks(1)
		for i in ropes.size():
			var speed := fastest(ropes[i])
			if not check_lt(speed, 100_000.0, "speed of rope %d at tick %d" % [i, tick]):
				return
			if ropes[i].solver == DIRECT:
				check_lt(worst_strain(ropes[i]), 0.01, "strain of rope %d at tick %d" % [i, tick])
	var calm := PackedInt32Array([0, 0, 0])
	for tick in 600:
		await ticks(1)
		for i in ropes.size():
			calm[i] = calm[i] + 1 if fastest(ropes[i]) < 5.0 or calm[i] >= 30 else 0
	for i in ropes.size():
		check_ge(calm[i], 30, "ticks at rest of rope %d" % i)


func test_a_tick_of_half_a_second_is_no_jump() -> void:
	var rope := await hang({end_position = released_at(80.0), can_sleep = false, linear_damp = 0})
	for i in 8:
		await seconds(0.4)
		var before := rope.get_points()
		await set_time_scale(30.0)
		await ticks(1)
		await set_time_scale(1.0)
		check_lt(largest_distance(before, rope.get_points()), 250.0, "way in half a second")
		check_lt(worst_strain(rope), EXACT, "strain")
		# From 80 degrees it cannot be faster than this anywhere.
		check_lt(fastest(rope), 2.0 * sqrt(2.0 * 980.0 * 200.0), "speed")


func test_a_paused_rope_goes_on_where_it_was() -> void:
	for by_tree: bool in [true, false]:
		var what := "tree paused" if by_tree else "process_mode disabled"
		var rope := await hang({end_position = released_at(60.0), can_sleep = false})
		await seconds(0.3)
		var before := rope.get_points()
		var speed := fastest(rope)
		_pause(rope, by_tree, true)
		await seconds(5.0)
		check_eq(rope.get_points(), before, what + ": points")
		_pause(rope, by_tree, false)
		await ticks(1)
		var moved := largest_distance(before, rope.get_points())
		check_gt(moved, 0.0, what + ": way in the first tick")
		check_lt(moved, speed / 60.0 * 1.5, what + ": way in the first tick")
		rope.free()


func test_a_rope_whose_node_was_moved_in_a_pause_comes_along_as_it_was() -> void:
	for by_tree: bool in [true, false]:
		var what := "tree paused" if by_tree else "process_mode disabled"
		var rope := await hang({end_position = released_at(60.0), can_sleep = false})
		await seconds(0.3)
		var before := relative(rope.get_points(), rope.position)
		var speed := fastest(rope)
		_pause(rope, by_tree, true)
		for i in 5:
			rope.position += Vector2(70, -30)
			await ticks(1)
		_pause(rope, by_tree, false)
		await ticks(1)
		var after := relative(rope.get_points(), rope.position)
		check_lt(largest_distance(before, after), speed / 60.0 * 1.5, what + ": change of shape")
		check_lt(fastest(rope), speed * 1.5, what + ": speed")
		check_eq(rope.get_point_position(0), rope.position, what + ": start")
		rope.free()


func test_a_pin_on_another_node_moved_in_a_pause_gives_no_jolt() -> void:
	var hook: Node2D = add(Node2D.new())
	var rope := await hang({can_sleep = false, end_position = Vector2(100, 80)})
	var last := rope.get_point_count() - 1
	hook.position = tip(rope)
	rope.set_point_pinned(last, true, str(rope.get_path_to(hook)))
	for i in 20:
		hook.position += Vector2(-3, 1)
		await ticks(1)
	await seconds(3.0)
	get_tree().paused = true
	await ticks(3)
	hook.position += Vector2(-60, 40)
	await ticks(3)
	get_tree().paused = false
	for i in 30:
		await ticks(1)
		check_lt(worst_strain(rope), EXACT, "strain")
		if not check_lt(fastest(rope), 2000.0, "speed %d ticks after the pause" % i):
			return
	check_eq(rope.get_point_position(last), hook.position, "the end")


func test_a_rope_that_processes_only_in_pauses_does_so() -> void:
	var rope := await hang({end_position = released_at(60.0)})
	rope.process_mode = Node.PROCESS_MODE_WHEN_PAUSED
	var before := rope.get_points()
	await ticks(10)
	check_eq(rope.get_points(), before, "points while the tree runs")
	get_tree().paused = true
	await ticks(10)
	check_gt(largest_distance(before, rope.get_points()), 5.0, "way in the pause")


func test_time_scale_zero_stops_it() -> void:
	var rope := await hang({end_position = released_at(60.0), can_sleep = false})
	await seconds(0.3)
	Engine.time_scale = 0.0
	await frames(2)
	var before := rope.get_points()
	await frames(10)
	check_eq(rope.get_points(), before, "points")
	await set_time_scale(1.0)
	await ticks(5)
	check_gt(largest_distance(before, rope.get_points()), 1.0, "way afterwards")


func test_an_invisible_rope_moves() -> void:
	var rope := await hang({end_position = released_at(60.0), visible = false})
	var before := tip(rope)
	await seconds(0.3)
	check_gt(tip(rope).distance_to(before), 20.0, "way of the tip")


func test_hiding_and_showing_a_swinging_rope_is_no_jump() -> void:
	for interpolated: bool in [false, true]:
		get_tree().physics_interpolation = interpolated
		var rope := await hang({end_position = released_at(60.0), can_sleep = false})
		await seconds(0.3)
		rope.visible = false
		await ticks(3)
		var speed := fastest(rope)
		var before := rope.get_points()
		rope.visible = true
		await ticks(1)
		var moved := largest_distance(before, rope.get_points())
		check_gt(moved, 1.0, "way in a tick, interpolation %s" % interpolated)
		check_lt(moved, speed / 60.0 * 1.5, "way in a tick, interpolation %s" % interpolated)
		rope.free()


func test_the_same_inputs_give_the_same_bits() -> void:
	var hashes := PackedInt64Array()
	for run in 2:
		hashes.append(await _hash_of_a_driven_rope())
	check_eq(hashes[0], hashes[1], "hash of the state")


func _pause(rope: VerletRope2D, by_tree: bool, paused: bool) -> void:
	if by_tree:
		get_tree().paused = paused
	else:
		rope.process_mode = PROCESS_MODE_DISABLED if paused else PROCESS_MODE_INHERIT


## The worst strain while the ends are nearer than the rope is long: the end swings round the start,
## to and fro up to `reach` times the length.
func _worst_strain_between_moving_ends(segments: int, rate: float, reach: float) -> float:
	var length := 10.0 * segments
	var rope := await hang(
		{
			length = length,
			segments = segments,
			can_sleep = false,
			end_pinned = true,
			end_position = Vector2(length * (reach - 0.3), 0),
		}
	)
	var worst := 0.0
	for tick in 480:
		var time := tick / 60.0
		var distance := (reach - 0.3 + 0.3 * sin(rate * time)) * length
		rope.end_position = Vector2.from_angle(0.7 * rate * time) * distance
		await ticks(1)
		if distance < 0.999 * length:
			worst = maxf(worst, worst_strain(rope))
	rope.free()
	return worst


## Where the rope's mass is in the mean.
func _middle(rope: VerletRope2D) -> Vector2:
	var points := rope.get_points()
	var sum := (points[0] + points[-1]) * 0.5
	for i in range(1, points.size() - 1):
		sum += points[i]
	return sum / (points.size() - 1)


## Where the tip is at every tenth of a second, for 5 s.
func _path_of_a_swing(rate: int, time_scale: float) -> PackedVector2Array:
	await set_ticks_per_second(rate)
	await set_time_scale(time_scale)
	var properties := {
		length = 200, segments = 20, end_position = released_at(30.0), can_sleep = false
	}
	var rope := await hang(properties)
	var delta := time_scale / rate
	var path := PackedVector2Array([tip(rope)])
	while (path.size() - 1) * delta < 5.0:
		await ticks(1)
		path.append(tip(rope))
	rope.free()
	var samples := PackedVector2Array()
	for i in 50:
		var at := i * 0.1 / delta
		var k := mini(floori(at + 1e-6), path.size() - 2)
		samples.append(path[k].lerp(path[k + 1], at - k))
	return samples


func _mean_square_root(one: PackedVector2Array, other: PackedVector2Array) -> float:
	var sum := 0.0
	for i in one.size():
		sum += one[i].distance_squared_to(other[i])
	return sqrt(sum / one.size())


## The hash of the state of a rope that was driven for a second.
func _hash_of_a_driven_rope() -> int:
	var rope := await hang({end_position = released_at(50.0)})
	for i in 60:
		rope.position = Vector2(576 + 50 * sin(i * 0.2), 100)
		await ticks(1)
	var state_hash := rope.get_state_hash()
	rope.free()
	return state_hash
