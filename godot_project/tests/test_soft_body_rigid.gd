extends "res://tests/support/soft_pile_test.gd"
## Rigid bodies on, below, in and against soft bodies.


func time_limit() -> float:
	return 120.0


## A soft platform of 300 x 80 px whose top is at 320: held at its ends, or on the ground.
func _platform(held: bool, bounce := -1.0) -> SoftBody2D:
	var settings := {
		position = Vector2(576, 360),
		size = Vector2(300, 80),
		particle_count = Vector2i(13, 4),
		mass = 5.0,
		stiffness = 4000.0,
		area_stiffness = 2000.0,
		damping = 100.0,
	}
	if held:
		settings.pin_mode = SoftBody2D.PIN_SIDES
		settings.pin_sides = 10
	if bounce >= 0.0:
		# A body that is damped more than its stiffness asks for swallows what falls on it.
		settings.merge({stiffness = 1000.0, area_stiffness = 500.0, damping = 5.0}, true)
		settings.physics_material_override = material(1.0, bounce)
	return await soft(settings)


## One crate on one body, from a fall of 40 px to rest.
func _lay(body: SoftBody2D, mass: float, what: String) -> void:
	var held := body.pin_mode != SoftBody2D.PIN_NONE
	var top := box_of(body).position.y
	var heavy := crate(mass, Vector2(576, top - 71))
	deepest = 0.0
	await watch(1.5)
	var while_falling := [deepest, deepest_at]
	deepest = 0.0
	await watch(3.5)
	var points := body.get_points()
	var at := heavy.global_transform
	await seconds(0.5)
	note(
		(
			"%s: %.2f px deep in the fall (%s), %.2f after, dent %.1f, awake %s, at %s"
			% [
				what,
				while_falling[0],
				while_falling[1],
				deepest,
				heavy.position.y + 30 - top,
				awake(),
				heavy.position
			]
		)
	)
	check_le(while_falling[0], 2.0, "%s: px deep in the fall (%s)" % [what, while_falling[1]])
	check_le(deepest, 1.0, "%s: px deep (%s)" % [what, deepest_at])
	var moved := 0.0
	for i in points.size():
		moved = maxf(moved, points[i].distance_to(body.get_point_position(i)))
	check_le(moved, 0.1, what + ": px that points move in 0.5 s")
	check_le(at.origin.distance_to(heavy.position), 0.1, what + ": px that the crate moves")
	check_eq(awake(), [], what + ": awake")
	check_near(heavy.position.x, 576.0, 20.0, what + ": the crate stays on it")
	check_le(heavy.position.y, GROUND - 29.0, what + ": the crate is above the ground")
	check_calm(what, 2.0, GROUND + 60.0 if held else GROUND)
	if mass >= 10.0:
		check_gt(heavy.position.y + 30 - top, 0.5, what + ": the dent")


func test_a_crate_of_50_kg_lies_on_a_platform_that_is_held_at_its_ends() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		await _lay(await _platform(true), 50.0, "held, %d ticks" % rate)
		await clear()


func test_a_crate_of_50_kg_lies_on_a_platform_on_the_ground() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		ground()
		await _lay(await _platform(false), 50.0, "on the ground, %d ticks" % rate)
		await clear()


func test_a_crate_of_10_kg_lies_on_a_jelly() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		ground()
		await _lay(
			await soft({position = Vector2(576, 349), damping = 10.0}),
			10.0,
			"jelly, %d ticks" % rate
		)
		await clear()


func test_crates_of_all_masses_lie_on_a_platform() -> void:
	for held: bool in [false, true]:
		for mass: float in [0.1, 1.0, 10.0, 100.0]:
			ground()
			var what := "%s kg, %s" % [mass, "held" if held else "on the ground"]
			await _lay(await _platform(held), mass, what)
			await clear()


func test_a_heavier_crate_makes_a_deeper_dent() -> void:
	var last := -1.0
	for mass: float in [0.5, 2.0, 8.0, 32.0]:
		await _platform(true)
		var heavy := crate(mass, Vector2(576, 289))
		await seconds(5.0)
		var dent := heavy.position.y - 289.0
		note("%s kg: %.2f px" % [mass, dent])
		check_gt(dent, last + 0.3, "the dent of %s kg" % mass)
		last = dent
		await clear()


func test_a_jelly_lies_on_a_crate() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for mass: float in [2.0, 5.0, 20.0]:
			ground()
			var below := rigid(rectangle(Vector2(160, 40)), mass, Vector2(576, GROUND - 20))
			var jelly := await soft({position = Vector2(576, GROUND - 130)})
			var what := "on %s kg, %d ticks" % [mass, rate]
			deepest = 0.0
			await watch(2.0)
			var took := await until_all_asleep(4.0)
			note("%s: %.2f px deep, asleep after %.1f + 2 s" % [what, deepest, took])
			check_le(deepest, 2.0, "%s: px deep (%s)" % [what, deepest_at])
			check_lt(took, INF, "%s: asleep, not %s" % [what, awake()])
			check_near(below.position, Vector2(576, GROUND - 20), 3.0, what + ": the crate")
			check_near(jelly.position, Vector2(576, GROUND - 87), 10.0, what + ": the jelly")
			await clear()


func _cup(mass: float, at: Vector2) -> RigidBody2D:
	var cup := RigidBody2D.new()
	cup.name = "Cup"
	cup.mass = mass
	cup.position = at
	add_shape(cup, rectangle(Vector2(140, 16)), Transform2D(0.0, Vector2(0, 40)))
	for side: float in [-62.0, 62.0]:
		add_shape(cup, rectangle(Vector2(16, 100)), Transform2D(0.0, Vector2(side, -10)))
	return add(cup)


func test_a_jelly_lies_in_a_rigid_cup_and_is_carried_in_it() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for mass: float in [2.0, 5.0]:
			ground()
			var cup := _cup(mass, Vector2(576, GROUND - 48))
			var jelly := await soft({size = Vector2(90, 90), position = Vector2(576, 250)})
			var what := "cup of %s kg, %d ticks" % [mass, rate]
			deepest = 0.0
			await watch(2.0)
			check_lt(await until_all_asleep(4.0), INF, "%s: asleep, not %s" % [what, awake()])
			# The cup is thrown up, and lands with the jelly in it.
			cup.linear_velocity = Vector2(0, -150)
			await watch(2.0)
			var took := await until_all_asleep(4.0)
			note("%s: %.2f px deep (%s), asleep %.1f" % [what, deepest, deepest_at, took])
			check_le(deepest, 5.0, "%s: px deep (%s)" % [what, deepest_at])
			check_le(look(), 1.0, what + ": px deep at rest")
			check_lt(took, INF, "%s: asleep, not %s" % [what, awake()])
			check_near(cup.rotation, 0.0, 0.1, what + ": the cup stands")
			check_near(jelly.position, cup.position + Vector2(0, -14), 12.0, what + ": within")
			check_calm(what, 5.0)
			await clear()


func test_a_jelly_that_hits_a_rigid_body_keeps_the_sum_of_momentum() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for mass: float in [0.1, 1.0, 20.0]:
			for off: float in [0.0, 35.0, 70.0]:
				for speed: float in [150.0, 900.0]:
					await _hit(mass, off, speed, rate)


func _hit(mass: float, off: float, speed: float, rate: int) -> void:
	var struck := crate(mass, Vector2(150, off))
	adrift(struck)
	struck.can_sleep = false
	var jelly := make_soft({position = Vector2.ZERO})
	adrift(jelly)
	add(jelly)
	await ticks(2)
	jelly.linear_velocity = Vector2(speed, 0)
	await ticks(2)
	var bodies: Array[Node2D] = [jelly, struck]
	var before := momentum(bodies)
	var turning := angular_momentum(bodies)
	await seconds(1.2)
	var what := "%s kg, %s px off, %s px/s, %d ticks" % [mass, off, speed, rate]
	var after := momentum(bodies)
	var turned := angular_momentum(bodies)
	note("%s: %s to %s, turning %.0f to %.0f" % [what, before, after, turning, turned])
	check_near(before, Vector2(speed, 0), speed * 0.02, what + ": momentum at first")
	check_near(after, before, speed * 0.02, what + ": momentum")
	# A hit at the rim turns by 50 px times the momentum.
	check_near(turned, turning, speed * 50.0 * 0.6, what + ": turning")
	check_gt(struck.linear_velocity.length(), speed * 0.03, what + ": it was struck")
	await clear()


func test_a_ball_comes_back_from_a_platform_as_bounce_says() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for mass: float in [0.2, 1.0, 5.0]:
			for held: bool in [false, true]:
				await _bounce(mass, held, rate)


func _bounce(mass: float, held: bool, rate: int) -> void:
	var parts := PackedFloat32Array()
	for bounce: float in [0.0, 0.25, 0.5, 0.75, 1.0]:
		ground()
		await _platform(held, bounce)
		await seconds(2.0)
		var ball := rigid(circle(20.0), mass, Vector2(576, 320 - 221))
		ball.linear_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
		var highest := INF
		var struck := false
		for i in 3 * rate:
			await ticks(1)
			struck = struck or ball.linear_velocity.y < -1.0
			if struck:
				highest = minf(highest, ball.position.y)
				if ball.linear_velocity.y > 0.0 and highest < ball.position.y - 2.0:
					break
		parts.append((320.0 - 20.0 - highest) / 200.0)
		await clear()
	var what := "%s kg, %s, %d ticks" % [mass, "held" if held else "on the ground", rate]
	note("%s: %s" % [what, parts])
	for i in parts.size() - 1:
		# A heavy one dents it so far that little is left to bounce.
		var least := parts[i] - 0.01 if i == 0 and mass > 1.0 else parts[i] + 0.05
		check_gt(parts[i + 1], least, "%s: height of bounce %s" % [what, 0.25 * (i + 1)])
	check_le(parts[-1], 0.97, what + ": height of bounce 1")
	check_lt(parts[0], 0.4, what + ": height of bounce 0")
	check_gt(parts[-1], 0.5, what + ": height of bounce 1")
