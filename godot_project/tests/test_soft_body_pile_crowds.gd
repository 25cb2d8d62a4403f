extends "res://tests/support/soft_pile_test.gd"
## Many soft bodies at once, fast ones, and such that appear where there is no room.


func time_limit() -> float:
	return 180.0


func test_jellies_are_thrown_at_each_other() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for speed: float in [2000.0, 5000.0]:
			for turned: float in [0.0, 0.5]:
				var what := "a jelly turned by %s, %s px/s, %d ticks" % [turned, speed, rate]
				await _throw(make_soft(), turned, speed, what)


func test_jellies_and_crates_are_thrown_at_each_other() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for speed: float in [2000.0, 5000.0]:
			for mass: float in [0.1, 1.0, 50.0]:
				var heavy := crate(mass, Vector2.ZERO)
				remove_child(heavy)
				var what := "%s kg, %s px/s, %d ticks" % [mass, speed, rate]
				await _throw(heavy, 0.0, speed, what)


## A jelly and something else fly at each other in empty space.
func _throw(other: Node2D, turned: float, speed: float, what: String) -> void:
	var one := make_soft({position = Vector2.ZERO, rotation = turned})
	other.position = Vector2(1100, 0)
	for body: Node2D in [one, other]:
		adrift(body)
		add(body)
	await ticks(2)
	one.linear_velocity = Vector2(speed, 0)
	other.linear_velocity = Vector2(-speed, 0)
	deepest = 0.0
	await watch(1000.0 / speed)
	check_le(deepest, 30.0, "%s: px deep (%s)" % [what, deepest_at])
	await seconds(0.8)
	if speed < 3000.0:
		check_lt(one.position.x, other.position.x, what + ": not through each other")
	check_sound(one, what)
	for body: Node2D in [one, other]:
		check_le(speed_of(body), 3.0 * speed, what + ": speed")
	await clear()


func test_jellies_appear_inside_of_each_other() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for count: int in [2, 10]:
			box(1200.0, 4000.0)
			for i in count:
				add(make_soft({position = Vector2(576, GROUND - 60)}))
			var what := "%d in one place, %d ticks" % [count, rate]
			await seconds(1.0)
			check_calm(what)
			await seconds(2.0)
			check_calm(what + ", later", 1000.0)
			check_le(look(), 2.0, what + ": px deep, " + deepest_at)
			check_lt(await until_all_asleep(8.0), INF, "%s: asleep, not %s" % [what, awake()])
			await clear()


func test_a_jelly_appears_inside_of_a_crate() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for side: float in [60.0, 200.0]:
			for off: float in [0.0, 25.0]:
				box(1200.0, 4000.0)
				crate(3.0, Vector2(576, GROUND - side * 0.5 - 1), side)
				await soft({position = Vector2(576 + off, GROUND - 60)})
				var what := "%s px, %s px off, %d ticks" % [side, off, rate]
				await seconds(1.0)
				check_calm(what)
				await seconds(6.0)
				check_calm(what + ", later", 100.0)
				note("%s: %.1f px deep, awake %s" % [what, look(), awake().size()])
				await clear()


func test_1000_appear_in_one_tick() -> void:
	var count := 1000 if thorough else 100
	box(2400.0, 6000.0)
	await _appear(count, 44.0, 120)
	await clear()
	box(2400.0, 6000.0)
	# They overlap by half.
	await _appear(count, 20.0, 60)
	await clear()
	box(2400.0, 6000.0)
	await _appear(count / 10, 0.0, 60)


func _appear(count: int, step: float, for_ticks: int) -> void:
	var what := "%d, %s px apart" % [count, step]
	var bodies: Array[SoftBody2D] = []
	for i in count:
		bodies.append(
			make_soft(
				{
					position = Vector2(576 + (i % 50 - 24.5) * step, GROUND - 30 - i / 50 * step),
					size = Vector2(40, 40),
					particle_count = Vector2i(4, 4)
				}
			)
		)
	var began := Time.get_ticks_usec()
	for body in bodies:
		add(body)
	await ticks(1)
	var first := (Time.get_ticks_usec() - began) * 1e-3
	var slowest := 0.0
	began = Time.get_ticks_usec()
	for i in for_ticks:
		var from := Time.get_ticks_usec()
		await ticks(1)
		slowest = maxf(slowest, (Time.get_ticks_usec() - from) * 1e-3)
	var mean := (Time.get_ticks_usec() - began) * 1e-3 / for_ticks
	note("%s: first tick %.0f ms, mean %.1f ms, slowest %.0f ms" % [what, first, mean, slowest])
	check_lt(mean, 1000.0, what + ": ms a tick")
	var fastest := 0.0
	for body in bodies:
		check_true(all_finite(body.get_points()), what + ": points are finite")
		check_le(box_of(body).end.y, GROUND + 2.0, what + ": lowest")
		fastest = maxf(fastest, top_speed(body))
	note("%s: the fastest at %.0f px/s" % [what, fastest])
	check_lt(fastest, 1.5 * FLYING, what + ": the fastest")
