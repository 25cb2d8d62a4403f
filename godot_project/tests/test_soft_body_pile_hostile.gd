extends "res://tests/support/soft_pile_test.gd"
## What is done to soft bodies among others by those who mean no good, or do not think.


func time_limit() -> float:
	return 180.0


## Three jellies on each other, and a crate beside them that leans on nothing.
func _pile(settings := {}) -> Array[SoftBody2D]:
	ground()
	var bodies: Array[SoftBody2D] = []
	for i in 3:
		var body := make_soft({position = Vector2(576, GROUND - 51 - 104 * i)})
		for property: String in settings:
			body.set(property, settings[property])
		bodies.append(add(body))
	return bodies


## All sleep within so many seconds, and are calm.
func _rests(what: String, limit := 8.0) -> void:
	var took := await until_all_asleep(limit)
	check_lt(took, INF, "%s: asleep, not %s" % [what, awake()])
	note("%s: asleep after %.1f s" % [what, took])
	check_calm(what, 5.0)
	check_le(look(), 2.0, what + ": px deep at rest, " + deepest_at)


# --- Handlers --------------------------------------------------------------------------------


func test_bodies_are_freed_by_handlers() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for kind: String in ["body_entered", "pressed", "impact", "squashed", "released"]:
			for whose: String in ["both", "its own", "the other"]:
				await _freed_by(kind, whose, rate)


func _freed_by(kind: String, whose: String, rate: int) -> void:
	var what := "%s frees %s, %d ticks" % [kind, whose, rate]
	ground()
	var below := await soft(
		{position = Vector2(576, GROUND - 51), contact_monitor = true, squash_threshold = 0.95}
	)
	below.impact_threshold = 1.0
	await seconds(1.5)
	var calls := []
	var handler := func(other: Variant = null) -> void:
		calls.append(other)
		if whose != "the other":
			below.queue_free()
		if whose != "its own" and (other is SoftBody2D or other is RigidBody2D):
			other.queue_free()
	match kind:
		"body_entered":
			below.body_entered.connect(handler)
		"pressed":
			below.pressed.connect(func(other: Node2D, _depth: float) -> void: handler.call(other))
		"released":
			below.released.connect(
				func(other: Node2D, _speed: Vector2) -> void: handler.call(other)
			)
		"squashed":
			below.squashed.connect(func(_ratio: float) -> void: handler.call())
		"impact":
			below.impact.connect(
				func(o: Node2D, _i: int, _at: Vector2, _n: Vector2, _p: float) -> void:
					handler.call(o)
			)
	if kind in ["pressed", "released"]:
		# What is flat does not dent what is as soft.
		crate(2.0, Vector2(576, 150))
	else:
		for i in 2:
			add(make_soft({position = Vector2(560 + 30 * i, 150 - 110 * i)}))
	await seconds(3.0)
	check_ge(calls.size(), 1.0, what + ": calls")
	check_calm(what)
	await clear()


# --- Changes in a pile -----------------------------------------------------------------------


func test_layers_change_while_it_is_lain_on() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var bodies := _pile()
		await seconds(1.0)
		for i in 40:
			bodies[i % 3].collision_layer = [1, 0, 2, 1][i % 4]
			bodies[(i + 1) % 3].collision_mask = [1, 3, 5, 1][i % 4]
			await ticks(3)
			# They come out of each other, some points fast for a moment.
			check_calm("step %d, %d ticks" % [i, rate], INF, GROUND + 700.0)
		for body in bodies:
			body.collision_layer = 1
			body.collision_mask = 1
			if body.position.y > GROUND - 20.0:
				body.teleport(Transform2D(0.0, Vector2(900, 100)), false)
		await seconds(5.0)
		check_calm("after, %d ticks" % rate)
		await clear()


func test_layers_change_while_somebody_stands_on_it() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		ground()
		var jelly := await soft({position = Vector2(576, GROUND - 51)})
		var player: CharacterBody2D = body_with(
			CharacterBody2D.new(), Vector2(576, GROUND - 140), [rectangle(Vector2(24, 48))]
		)
		for i in 60:
			if i % 10 == 9:
				jelly.collision_layer = 1 - jelly.collision_layer
			for k in 4:
				player.velocity.y += GRAVITY / rate
				player.move_and_slide()
				await ticks(1)
			var what := "step %d, %d ticks" % [i, rate]
			# Who stood inside is thrown out by the engine, and takes points along for a moment.
			check_calm(what, INF)
			check_le(player.position.y, GROUND - 12.0, what + ": the player")
		# It is not there any more: the player stands on the ground.
		jelly.collision_layer = 0
		for i in 2 * rate:
			player.velocity.y += GRAVITY / rate
			player.move_and_slide()
			await ticks(1)
		check_true(player.is_on_floor(), "%d ticks: the player is on a floor" % rate)
		check_near(player.position.y, GROUND - 24.0, 1.0, "%d ticks: which is the ground" % rate)
		check_calm("%d ticks, at the end" % rate)
		await clear()


func test_it_is_remeshed_in_a_pile() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var bodies := _pile()
		await seconds(1.0)
		for i in 12:
			bodies[i % 3].particle_count = [Vector2i(2, 2), Vector2i(9, 7), Vector2i(5, 5)][i % 3]
			bodies[(i + 1) % 3].size = Vector2(80 + i % 5 * 10, 110 - i % 4 * 10)
			await ticks(5)
			check_calm("step %d, %d ticks" % [i, rate])
		await _rests("remeshed, %d ticks" % rate, 10.0)
		await clear()


func test_it_grows_into_its_neighbours() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var bodies := _pile()
		bodies.append(add(make_soft({position = Vector2(680, GROUND - 51)})))
		crate(2.0, Vector2(470, GROUND - 30))
		await seconds(2.0)
		bodies[0].size = Vector2(220, 220)
		bodies[0].teleport(Transform2D(0.0, Vector2(576, GROUND - 111)), false)
		await seconds(1.0)
		check_calm("grown, %d ticks" % rate)
		await seconds(5.0)
		check_calm("6 s later, %d ticks" % rate)
		await clear()


func test_it_goes_to_another_viewport_while_it_is_touched() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var viewport := SubViewport.new()
		viewport.world_2d = World2D.new()
		add(viewport)
		var bodies := _pile()
		crate(1.0, Vector2(576, -60))
		await seconds(2.0)
		bodies[1].reparent(viewport)
		await seconds(2.0)
		check_near(bodies[2].position.y, GROUND - 150.0, 25.0, "the upper one comes down")
		check_gt(bodies[1].position.y, GROUND + 500.0, "where it is now there is no ground")
		bodies[1].reparent(self)
		bodies[1].teleport(Transform2D(0.0, Vector2(576, -200)), false)
		await seconds(5.0)
		check_calm("back again, %d ticks" % rate, 300.0)
		await clear()


func test_a_pile_is_paused_and_goes_on() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var bodies := _pile()
		crate(1.0, Vector2(590, -60))
		await seconds(0.4)
		get_tree().paused = true
		await seconds(0.5)
		var points := bodies[2].get_points()
		await seconds(1.0)
		check_eq(bodies[2].get_points(), points, "points while it is paused")
		get_tree().paused = false
		await _rests("after the pause, %d ticks" % rate)
		# One alone is taken out, and comes back.
		bodies[1].process_mode = Node.PROCESS_MODE_DISABLED
		await seconds(1.0)
		check_calm("one is disabled, %d ticks" % rate)
		bodies[1].process_mode = Node.PROCESS_MODE_INHERIT
		remove_child(bodies[1])
		await seconds(1.0)
		bodies[1].position = Vector2(576, -200)
		add_child(bodies[1])
		await _rests("one comes back, %d ticks" % rate, 10.0)
		await clear()


func test_time_runs_slowly_and_fast() -> void:
	for scale: float in [0.1, 2.0]:
		await set_time_scale(scale)
		_pile()
		crate(5.0, Vector2(590, -90))
		await _rests("time scale %s" % scale, 12.0 if scale > 1.0 else 120.0)
		await clear()


func test_ticks_are_rare_and_frequent() -> void:
	for rate: int in [20, 240]:
		await set_ticks_per_second(rate)
		_pile()
		crate(2.0, Vector2(580, -90))
		for i in 4:
			add(make_soft({position = Vector2(800 + i % 2 * 40, 300 - 110 * i)}))
		await seconds(1.0)
		check_calm("%d ticks" % rate)
		await _rests("%d ticks" % rate, 12.0)
		await clear()


func test_all_are_freed_at_once() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for after: float in [0.1, 1.0, 6.0]:
			_pile()
			crate(2.0, Vector2(590, -90))
			await seconds(after)
			for body in movers():
				body.queue_free()
			await ticks(3)
			check_eq(movers(), [], "left")
			await clear()


# --- Masses and materials --------------------------------------------------------------------


func test_a_tiny_mass_meets_a_huge_one() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for pair: Array in [[0.001, 1000.0], [1000.0, 0.001]]:
			ground()
			var below := await soft({position = Vector2(576, GROUND - 51), mass = pair[0]})
			var above := await soft({position = Vector2(576, GROUND - 170), mass = pair[1]})
			var what := "%s kg on %s kg, %d ticks" % [pair[1], pair[0], rate]
			await seconds(2.0)
			check_calm(what)
			await seconds(6.0)
			check_calm(what + ", later", 300.0)
			check_le(look(), 4.0, what + ": px deep")
			check_lt(above.position.y, GROUND, what + ": the upper one")
			check_sound(below, what)
			await clear()


func test_a_crate_of_10_000_kg_falls_on_a_jelly() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for width: float in [60.0, 400.0]:
			ground()
			var jelly := await soft({position = Vector2(576, GROUND - 51)})
			var size := Vector2(width, 60)
			var heavy := rigid(rectangle(size), 10_000.0, Vector2(576, GROUND - 300))
			var what := "%s px wide, %d ticks" % [width, rate]
			await seconds(3.0)
			check_calm(what)
			check_sound(jelly, what)
			check_le(heavy.position.y, GROUND - 25.0, what + ": the crate")
			heavy.free()
			await _rests(what + ", lifted")
			check_near(jelly.get_area() / 10_000.0, 1.0, 0.1, what + ": area")
			await clear()


func test_the_softest_and_the_hardest_lie_on_each_other() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for pair: Array in [[0.0, 1e7], [1e7, 0.0], [0.0, 0.0], [1e7, 1e7]]:
			ground()
			for i in 4:
				add(
					make_soft(
						{
							position = Vector2(576, GROUND - 51 - 104 * i),
							stiffness = pair[i % 2],
							damping = 5.0
						}
					)
				)
			var what := "stiffness %s on %s, %d ticks" % [pair[1], pair[0], rate]
			await seconds(4.0)
			check_calm(what)
			await seconds(6.0)
			check_calm(what + ", later", 100.0)
			await clear()


# --- Odd nodes and numbers -------------------------------------------------------------------


func test_it_is_scaled_to_nothing_mirrored_and_turned_in_a_pile() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for scale: Vector2 in [
			Vector2(-1, 1), Vector2(1, -1), Vector2(0.3, 0.3), Vector2(2, 0.5), Vector2(-1, -1)
		]:
			ground()
			for i in 4:
				var body := make_soft({position = Vector2(576, 340 - 115 * i)})
				if i % 2 == 0:
					body.scale = scale
				else:
					body.rotation = PI * 0.5
				add(body)
			await _rests("scale %s, %d ticks" % [scale, rate], 12.0)
			await clear()


func test_a_body_in_a_pile_is_scaled_to_nothing() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var bodies := _pile()
		await seconds(2.0)
		for scale: Vector2 in [Vector2.ZERO, Vector2(0, 1), Vector2(1e-9, 1e-9), Vector2(1, 1)]:
			bodies[1].scale = scale
			await ticks(20)
			check_calm("scaled to %s, %d ticks" % [scale, rate])
		await seconds(4.0)
		check_calm("scaled back, %d ticks" % rate, 50.0)
		await clear()


func test_what_is_not_a_number_does_no_harm_to_the_others() -> void:
	expect_error("not", 3 * rates().size())
	for rate in rates():
		await set_ticks_per_second(rate)
		var bodies := _pile()
		var box_above := crate(1.0, Vector2(576, -60))
		await seconds(2.0)
		bodies[1].linear_velocity = Vector2(NAN, 0)
		await ticks(3)
		bodies[1].angular_velocity = NAN
		await ticks(3)
		bodies[1].apply_central_impulse(Vector2(NAN, INF))
		await ticks(3)
		await _rests("not a number, %d ticks" % rate)
		check_near(box_above.position.x, 576.0, 10.0, "the crate")
		await clear()
