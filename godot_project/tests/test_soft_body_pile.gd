extends "res://tests/support/soft_pile_test.gd"
## Soft bodies on and against each other.

## Whether one that is thrown at another is stopped, and pushes it.
const BOTH := [true, true]
const NEITHER := [false, false]


func time_limit() -> float:
	return 180.0


func _column(count: int, settings := {}) -> Array[SoftBody2D]:
	var bodies: Array[SoftBody2D] = []
	for i in count:
		var body := make_soft({position = Vector2(576, GROUND - 51 - 104 * i)})
		for property: String in settings:
			body.set(property, settings[property])
		bodies.append(add(body))
	return bodies


func test_a_stack_of_ten_stands_and_sleeps() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		ground()
		var bodies := _column(10)
		var what := "%d ticks" % rate
		deepest = 0.0
		await watch(4.0)
		var took := await until_all_asleep(4.0)
		note("%s: asleep after 4 + %.1f s, %.2f px deep" % [what, took, deepest])
		check_lt(took, INF, "%s: asleep, not %s" % [what, awake()])
		check_le(deepest, 2.0, "%s: px deep (%s)" % [what, deepest_at])
		for i in bodies.size():
			check_near(bodies[i].position.x, 576.0, 60.0, "%s: from the axis, %d" % [what, i])
			if i > 0:
				var step := bodies[i - 1].position.y - bodies[i].position.y
				check_gt(step, 50.0, "%s: %d is above %d" % [what, i, i - 1])
		check_calm(what, 3.0)
		await clear()


func test_thirty_poured_into_a_box_come_to_rest() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		box(500.0)
		var bodies: Array[SoftBody2D] = []
		for i in 30:
			var at := Vector2(576 + (i % 4 - 1.5) * 115 + (i / 4 % 2) * 7, 340 - i / 4 * 115)
			bodies.append(add(make_soft({position = at})))
		var what := "%d ticks" % rate
		deepest = 0.0
		await watch(3.0)
		var in_the_fall := [deepest, deepest_at]
		await seconds(3.0)
		var took := await until_all_asleep(6.0)
		deepest = 0.0
		look()
		note(
			(
				"%s: asleep after 6 + %.1f s, %.2f px deep in the fall (%s), %.2f at rest"
				% [what, took, in_the_fall[0], in_the_fall[1], deepest]
			)
		)
		check_le(in_the_fall[0], 4.0, "%s: px deep in the fall (%s)" % [what, in_the_fall[1]])
		check_lt(took, INF, "%s: asleep, not %s" % [what, awake()])
		check_le(deepest, 2.0, "%s: px deep (%s)" % [what, deepest_at])
		var least := INF
		var most := 0.0
		for body in bodies:
			least = minf(least, body.get_area() / 10_000.0)
			most = maxf(most, body.get_area() / 10_000.0)
			check_true(
				absf(body.position.x - 576.0) < 250.0, "%s: %s is in the box" % [what, body.name]
			)
		note("%s: areas from %.3f to %.3f" % [what, least, most])
		check_gt(least, 0.75, what + ": the least area")
		check_lt(most, 1.1, what + ": the most area")
		check_calm(what, 5.0)
		await clear()


# --- Who meets whom --------------------------------------------------------------------------


## Throws one body at another that floats, with these settings; gives back
## whether it was stopped, and whether that was pushed.
func _meet(one: Dictionary, other: Dictionary, before := Callable()) -> Array:
	var thrown := make_soft({position = Vector2.ZERO, gravity_scale = 0.0})
	var still := make_soft({position = Vector2(160, 0), gravity_scale = 0.0})
	for property: String in one:
		thrown.set(property, one[property])
	for property: String in other:
		still.set(property, other[property])
	add(thrown)
	add(still)
	if before:
		before.call(thrown, still)
	await ticks(2)
	thrown.linear_velocity = Vector2(300, 0)
	await seconds(0.8)
	var pushed := still.linear_velocity.x > 20.0
	var stopped := thrown.linear_velocity.x < 180.0
	if pushed:
		check_lt(thrown.position.x, still.position.x, "the thrown one is behind")
	else:
		check_near(still.position, Vector2(160, 0), 0.5, "the other one is where it was")
	if stopped:
		check_lt(thrown.position.x, still.position.x, "what is stopped does not go through")
	elif not pushed:
		check_gt(thrown.position.x, 170.0, "the thrown one went through")
	await clear()
	return [stopped, pushed]


func test_layers_and_masks_say_who_meets_whom() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var layers := func(layer: int, mask: int) -> Dictionary:
			return {collision_layer = layer, collision_mask = mask}
		check_eq(await _meet(layers.call(1, 1), layers.call(1, 1)), BOTH, "both see each other")
		check_eq(await _meet(layers.call(2, 4), layers.call(4, 2)), BOTH, "on other layers")
		check_eq(await _meet(layers.call(1, 2), layers.call(2, 1)), BOTH, "crosswise")
		check_eq(await _meet(layers.call(1, 2), layers.call(1, 2)), NEITHER, "none sees the other")
		check_eq(await _meet(layers.call(1, 0), layers.call(1, 0)), NEITHER, "no masks")
		check_eq(await _meet(layers.call(0, 1), layers.call(0, 1)), NEITHER, "no layers")
		# As with rigid bodies, only who sees the other feels it.
		var only := await _meet(layers.call(1, 2), layers.call(2, 0))
		check_eq(only, [true, false], "only the thrown one sees")
		only = await _meet(layers.call(2, 0), layers.call(1, 2))
		check_eq(only, [false, true], "only the other one sees")


func test_exceptions_and_kin_go_through_each_other() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var except := func(one: SoftBody2D, other: SoftBody2D) -> void:
			one.add_collision_exception_with(other)
		var except_back := func(one: SoftBody2D, other: SoftBody2D) -> void:
			other.add_collision_exception_with(one)
		var take_back := func(one: SoftBody2D, other: SoftBody2D) -> void:
			one.add_collision_exception_with(other)
			one.remove_collision_exception_with(other)
		check_eq(await _meet({}, {}, except), NEITHER, "the thrown one excepts")
		check_eq(await _meet({}, {}, except_back), NEITHER, "the other one excepts")
		check_eq(await _meet({}, {}, take_back), BOTH, "an exception that is taken back")


func test_parents_and_children_go_through_each_other() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		ground()
		var parent: SoftBody2D = make_soft({position = Vector2(576, GROUND - 60)})
		var child := make_soft({position = Vector2(0, -30), size = Vector2(60, 60)})
		parent.add_child(child)
		add(parent)
		await seconds(3.0)
		check_near(child.global_position.y, GROUND - 31.0, 6.0, "the child lies on the ground")
		check_near(parent.global_position.y, GROUND - 51.0, 6.0, "so does its parent")
		await clear()
	# Without it they do not.
	ground()
	var parent: SoftBody2D = make_soft(
		{position = Vector2(576, GROUND - 60), exclude_attached = false}
	)
	var child := make_soft(
		{position = Vector2(0, -100), size = Vector2(60, 60), exclude_attached = false}
	)
	parent.add_child(child)
	add(parent)
	await seconds(3.0)
	check_lt(child.global_position.y, GROUND - 100.0, "the child lies on its parent")


# --- Signals ---------------------------------------------------------------------------------


func test_soft_bodies_tell_of_each_other() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var floor_body := ground()
		var below := await soft({position = Vector2(576, GROUND - 51), contact_monitor = true})
		await seconds(2.0)
		var above := await soft(
			{position = Vector2(576, 150), contact_monitor = true, impact_threshold = 20.0}
		)
		await _tell(above, below, floor_body, rate)
		await clear()


func test_soft_and_rigid_bodies_tell_of_each_other() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		var floor_body := ground()
		var below := crate(2.0, Vector2(576, GROUND - 40), 80.0)
		await seconds(1.0)
		var above := await soft(
			{position = Vector2(576, 150), contact_monitor = true, impact_threshold = 20.0}
		)
		await _tell(above, below, floor_body, rate)
		await clear()


func _tell(above: SoftBody2D, below: Node2D, floor_body: Node2D, rate: int) -> void:
	var what := "%s, %d ticks" % [below.get_class(), rate]
	var entered := count_emissions(above, "body_entered")
	var exited := count_emissions(above, "body_exited")
	var back := []
	if below is SoftBody2D:
		below.body_entered.connect(func(other: Node) -> void: back.append(other))
	var impacts := []
	above.impact.connect(
		func(other: Node2D, _point: int, at: Vector2, normal: Vector2, impulse: float) -> void:
			impacts.append([other, at, normal, impulse])
	)
	await seconds(3.0)
	check_ge(entered.size(), 1.0, what + ": entered")
	if entered:
		check_eq(entered[0], [below], what + ": what was entered")
	check_true([floor_body] not in entered, what + ": never the floor")
	check_eq(above.get_colliding_bodies(), [below], what + ": touched at rest")
	check_eq(entered.size(), exited.size() + 1, what + ": entered once more than exited")
	if below is SoftBody2D:
		check_true(above in back, what + ": the lower one is told too")
		check_true(above in below.get_colliding_bodies(), what + ": the lower one touches it")
		check_true(floor_body in below.get_colliding_bodies(), what + ": and the floor")
	check_ge(impacts.size(), 1.0, what + ": impacts")
	if impacts:
		check_eq(impacts[0][0], below, what + ": what was struck")
		check_near(impacts[0][1], Vector2(576, GROUND - 80), 60.0, what + ": where")
		check_gt(impacts[0][2].dot(Vector2.UP), 0.7, what + ": the normal")
		check_gt(impacts[0][3], 20.0, what + ": the impulse")
	var before := exited.size()
	above.teleport(Transform2D(0.0, Vector2(1500, -500)), false)
	await ticks(3)
	check_eq(exited.size(), before + 1, what + ": exited when it is elsewhere")
	check_eq(above.get_colliding_bodies(), [], what + ": in the air")


# --- Waking ----------------------------------------------------------------------------------


func test_a_sleeping_body_wakes_when_the_one_below_goes() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for way: String in ["freed", "teleported", "on another layer", "made without a mask"]:
			ground()
			var bodies := _column(3)
			var what := "%s, %d ticks" % [way, rate]
			check_lt(await until_all_asleep(8.0), INF, "%s: asleep, not %s" % [what, awake()])
			var height := bodies[2].position.y
			match way:
				"freed":
					bodies[1].free()
				"teleported":
					bodies[1].teleport(Transform2D(0.0, Vector2(1500, 300)), false)
				"on another layer":
					bodies[1].collision_layer = 0
					bodies[1].collision_mask = 2
				"made without a mask":
					bodies[1].collision_mask = 0
					bodies[1].collision_layer = 0
			await seconds(0.5)
			check_gt(bodies[2].position.y, height + 50.0, what + ": it falls")
			await seconds(2.0)
			check_near(bodies[2].position.y, height + 98.0, 20.0, what + ": onto the lowest")
			await clear()


func test_a_sleeping_stack_wakes_when_it_is_struck_from_the_side() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		ground()
		var bodies := _column(3)
		check_lt(await until_all_asleep(8.0), INF, "asleep, not %s" % [awake()])
		var ball := rigid(circle(20.0), 2.0, Vector2(300, bodies[2].position.y))
		ball.linear_velocity = Vector2(900, -100)
		await seconds(0.6)
		check_gt(bodies[2].position.x, 600.0, "%d ticks: the top is pushed" % rate)
		await clear()


# --- States ----------------------------------------------------------------------------------


func test_a_pile_goes_on_from_its_states() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		box(260.0)
		var bodies: Array[SoftBody2D] = []
		for i in 6:
			var at := Vector2(516 + i % 2 * 118, 340 - i / 2 * 110)
			bodies.append(add(make_soft({position = at})))
		await seconds(0.7)
		var states := bodies.map(func(body: SoftBody2D) -> PackedByteArray: return body.get_state())
		await seconds(1.0)
		var runs: Array[Array] = [_hashes(bodies)]
		for run in 2:
			for i in bodies.size():
				bodies[i].set_state(states[i])
			await seconds(1.0)
			runs.append(_hashes(bodies))
		check_eq(runs[1], runs[2], "%d ticks: two runs from the same states" % rate)
		check_eq(runs[0], runs[1], "%d ticks: the first run" % rate)
		await clear()


func _hashes(bodies: Array[SoftBody2D]) -> Array:
	return bodies.map(func(body: SoftBody2D) -> int: return body.get_state_hash())
