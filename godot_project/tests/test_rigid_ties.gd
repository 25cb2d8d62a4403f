extends "res://tests/support/rigid_test.gd"
## Rigid bodies that hang on ropes.

const RATES: Array[int] = [30, 60, 120]
const MASSES: Array[float] = [0.1, 1.0, 10.0, 100.0]


func test_a_crate_hangs_still_and_sleeps() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for mass in MASSES:
			var body := crate(mass, Vector2(0, 220))
			var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
			var lowest := 0.0
			for tick in rate * 5:
				await ticks(1)
				lowest = maxf(lowest, body.position.y)
			var name := "%s kg at %d ticks" % [mass, rate]
			check_lt(lowest, 220.5, "%s: how low it came" % name)
			check_near(body.position, Vector2(0, 220), 1.0, "%s: where it hangs" % name)
			check_lt(body.linear_velocity.length(), 1.0, "%s: speed" % name)
			check_near(carried(rope), mass + 0.025, 0.02 * mass + 0.01, "%s: load" % name)
			await seconds(1.0)
			check_true(body.sleeping and rope.sleeping, "%s: sleeps" % name)
			body.free()
			rope.free()


func test_ropes_share_a_load() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for count: int in [2, 5]:
			for wide: float in [0.0, 8.0]:
				for mass in MASSES:
					await _share(rate, count, wide, mass)


func _share(rate: int, count: int, wide: float, mass: float) -> void:
	var body := crate(mass, Vector2(0, 220))
	body.can_sleep = false
	var ropes: Array[VerletRope2D] = []
	for i in count:
		var x := wide * (i - 0.5 * (count - 1))
		ropes.append(tied(Vector2(x, 0), body, Vector2(x, -20)))
	await seconds(4.0)
	var name := "%d ropes %s px apart, %s kg at %d ticks" % [count, wide, mass, rate]
	var sum := 0.0
	for rope in ropes:
		sum += carried(rope)
	# Half a link's weight hangs on each rope's last link besides.
	check_near(sum, mass + 0.025 * count, 0.05 * mass, "%s: all loads" % name)
	for rope in ropes:
		check_near(carried(rope), sum / count, 0.1 * sum / count, "%s: each load" % name)
	check_near(body.position, Vector2(0, 220), 1.0, "%s: where it hangs" % name)
	check_lt(body.linear_velocity.length(), 1.0, "%s: speed" % name)
	body.free()
	for rope in ropes:
		rope.free()


func test_a_pushed_crate_swings_as_a_pendulum() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for mass in MASSES:
			for turns: bool in [false, true]:
				# The push makes a heavy rope with a light load wave: its period is not that of a rod.
				if turns or mass >= 1.0:
					await _swing(rate, mass, turns)


func _swing(rate: int, mass: float, turns: bool) -> void:
	# Tied at its centre of mass it swings as a point; tied above, with its rotation, as a body.
	var body := crate(mass, Vector2(0, 200 + (10 if turns else 0)), 10.0)
	body.linear_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
	var length := body.position.y
	var rope := tied(Vector2.ZERO, body, Vector2(0, -10) if turns else Vector2.ZERO)
	await seconds(0.5)
	body.linear_velocity.x = deg_to_rad(10.0) * sqrt(GRAVITY * length)
	var crossings: Array[float] = []
	var before := 0.0
	for tick in rate * 10:
		await ticks(1)
		var x := body.position.x
		if before < 0.0 and x >= 0.0:
			crossings.append((tick - x / (x - before)) / rate)
		before = x
	var period := (crossings[-1] - crossings[0]) / (crossings.size() - 1)
	var wanted := TAU * sqrt(length * (mass + 1.0 / 3.0) / (GRAVITY * (mass + 0.5)))
	var name := "%s kg at %d ticks, turning %s" % [mass, rate, turns]
	print("period ", name, " ", period / wanted)
	check_near(period / wanted, 1.0, 0.03, "%s: period" % name)
	body.free()
	rope.free()


func test_dropped_and_thrown_crates_stay_in_reach() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for mass in MASSES:
			var body := crate(mass, Vector2(120, 20))
			var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
			var farthest := 0.0
			for tick in rate * 6:
				if tick == rate * 3:
					body.linear_velocity += Vector2(900, -600)
				await ticks(1)
				farthest = maxf(farthest, body.to_global(Vector2(0, -20)).length())
			var name := "%s kg at %d ticks" % [mass, rate]
			print("farthest ", name, " ", farthest)
			check_lt(farthest, 201.0, "%s: farthest" % name)
			body.free()
			rope.free()


func test_a_net_of_crates_comes_to_rest() -> void:
	for mass: float in [1.0, 4.0]:
		var crates: Array[RigidBody2D] = []
		var ropes: Array[VerletRope2D] = []
		for i in 20:
			crates.append(crate(mass, Vector2((i % 5) * 80, floori(i / 5.0) * 80 + 80), 10.0))
		for i in 20:
			ropes.append(_net(crates[i - 5] if i >= 5 else null, crates[i]))
			if i % 5 < 4:
				ropes.append(_net(crates[i], crates[i + 1], 90.0))
		for i: int in [0, 6, 8, 12]:
			ropes.append(_net(crates[i], crates[i + 6], 120.0))
		check_eq(ropes.size(), 40, "ropes")
		var stretch := 0.0
		var slow := 0.0
		for tick in 1200:
			await ticks(1)
			for rope in ropes:
				stretch = maxf(stretch, rope.get_current_length() / rope.length)
			var fastest := 0.0
			for body in crates:
				fastest = maxf(fastest, body.linear_velocity.length())
			if fastest > 2.0:
				slow = (tick + 1) / 60.0
		var sleeping := crates.filter(func(body: RigidBody2D) -> bool: return body.sleeping).size()
		print(
			(
				"net of %s kg: stretch %f, below 2 px/s after %.1f s, %d sleep"
				% [mass, stretch, slow, sleeping]
			)
		)
		check_lt(stretch, 1.01, "stretch")
		check_lt(slow, 10.0, "seconds until it rests")
		for body in crates:
			body.free()
		for rope in ropes:
			rope.free()


func _net(from: RigidBody2D, to: RigidBody2D, length := 80.0) -> VerletRope2D:
	var rope := VerletRope2D.new()
	rope.position = from.position if from else to.position - Vector2(0, 80)
	rope.length = length
	rope.start_pinned = from == null
	add(rope)
	if from:
		rope.attach_start(from)
	rope.attach_end(to)
	return rope


func test_a_taut_rope_between_two_bodies_keeps_momentum() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for masses: Vector2 in [Vector2(1, 1), Vector2(1, 10), Vector2(0.1, 10)]:
			var bodies: Array[RigidBody2D] = []
			for i in 2:
				var body := crate(masses[i], Vector2(150 * i, 0), 10.0)
				body.gravity_scale = 0.0
				body.linear_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
				bodies.append(body)
			var rope := _net(bodies[0], bodies[1], 150.0)
			rope.mass = 0.01
			rope.gravity_scale = 0.0
			rope.linear_damp = 0.0
			await ticks(2)
			bodies[0].linear_velocity = Vector2(-300, 40)
			var before := bodies[0].linear_velocity * masses.x
			var worst := 0.0
			for tick in rate * 4:
				await ticks(1)
				var now := (
					bodies[0].linear_velocity * masses.x + bodies[1].linear_velocity * masses.y
				)
				for i in range(1, 15):
					now += rope.get_point_velocity(i) * 0.01 / 15.0
				worst = maxf(worst, now.distance_to(before) / before.length())
			print("momentum of %s kg at %d ticks off by %f" % [masses, rate, worst])
			check_lt(worst, 0.01, "%s kg at %d ticks" % [masses, rate])
			for body in bodies:
				body.free()
			rope.free()
