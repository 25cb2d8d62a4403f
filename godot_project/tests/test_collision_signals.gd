extends "res://tests/support/collision_test.gd"
## Signals of contacts, and handlers that do anything.


func test_entered_and_exited_tell_what_it_touches() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(340.0, {contact_monitor = true})
	var entered := count_emissions(rope, "body_entered")
	var exited := count_emissions(rope, "body_exited")
	check_eq(rope.get_colliding_bodies(), [], "in the air")
	await seconds(1.0)
	check_eq(entered, [[body]], "entered")
	check_eq(exited, [], "exited")
	check_eq(rope.get_colliding_bodies(), [body], "bodies")
	check_true(await until_asleep([rope]), "it comes to rest")
	await ticks(20)
	check_eq(rope.get_colliding_bodies(), [body], "bodies while it sleeps")
	rope.apply_central_impulse(Vector2(0, -400))
	await ticks(10)
	check_eq(exited, [[body]], "exited after a jump")
	check_eq(rope.get_colliding_bodies(), [], "in the air again")
	await seconds(1.5)
	check_eq(entered.size(), exited.size() + 1, "entered once more than exited")


func test_tile_maps_are_told_of() -> void:
	var map := tile_row(400.0)
	var rope := await loose_rope(340.0, {contact_monitor = true})
	var entered := count_emissions(rope, "body_entered")
	await seconds(1.0)
	check_eq(entered, [[map]], "entered")


func test_a_freed_body_is_told_of_while_it_is_there() -> void:
	for how in ["free", "queue_free", "remove"]:
		var body := floor_at(400.0)
		var rope := await loose_rope(370.0, {contact_monitor = true})
		await seconds(0.8)
		var exited := []
		rope.body_exited.connect(
			func(left: Node2D) -> void: exited.append(is_instance_valid(left) and left == body)
		)
		if how == "remove":
			remove_child(body)
		else:
			body.call(how)
		await ticks(3)
		check_eq(exited, [true], how + ": exited")
		check_eq(rope.get_colliding_bodies(), [], how + ": bodies")
		rope.free()
		if is_instance_valid(body):
			body.free()


func test_a_rope_that_leaves_the_tree_exits() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(370.0, {contact_monitor = true})
	await seconds(0.8)
	var exited := count_emissions(rope, "body_exited")
	remove_child(rope)
	check_eq(exited, [[body]], "exited")
	var entered := count_emissions(rope, "body_entered")
	add(rope)
	await ticks(5)
	check_eq(entered, [[body]], "entered again")


func test_no_monitor_no_signals_and_one_clear_error() -> void:
	floor_at(400.0)
	var rope := await loose_rope(370.0)
	var entered := count_emissions(rope, "body_entered")
	await seconds(1.0)
	check_eq(entered.size(), 0, "signals")
	expect_rope_error(rope, "get_colliding_bodies(): contact_monitor is off, turn it on first")
	check_eq(rope.get_colliding_bodies(), [], "bodies")
	rope.contact_monitor = true
	await ticks(5)
	check_eq(entered.size(), 1, "signals when it is switched on")
	rope.contact_monitor = false
	rope.contact_monitor = true
	await ticks(5)
	check_eq(entered.size(), 2, "signals when it is switched off and on")


func test_an_impact_tells_where_and_how_hard() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(200.0, {impact_threshold = 5.0, mass = 1.0})
	var hits := []
	rope.impact.connect(
		func(what: Node2D, point: int, at: Vector2, normal: Vector2, impulse: float) -> void:
			hits.append([what, point, at, normal, impulse])
	)
	await seconds(2.0)
	if not check_gt(hits.size(), 0, "impacts"):
		return
	check_eq(hits[0][0], body, "what")
	check_true(hits[0][1] >= 0 and hits[0][1] < rope.get_point_count(), "point")
	check_near(hits[0][2].y, 400.0, 3.0, "height")
	check_near(hits[0][3], Vector2.UP, 0.01, "normal")
	# 1 kg at about 500 px/s (some of it was lost on the way).
	check_gt(hits[0][4], 200.0, "impulse")
	check_lt(hits[0][4], 700.0, "impulse")
	check_lt(hits.size(), 5, "impacts in all")


func test_a_soft_touch_is_no_impact() -> void:
	floor_at(400.0)
	var rope := await loose_rope(390.0, {impact_threshold = 400.0, mass = 1.0})
	var hits := []
	rope.impact.connect(
		func(_a: Node2D, _b: int, _c: Vector2, _d: Vector2, _e: float) -> void: hits.append(1)
	)
	await seconds(1.0)
	check_eq(hits.size(), 0, "impacts below the threshold")


func test_impacts_on_one_body_are_at_least_a_twentieth_of_a_second_apart() -> void:
	var drum := body_at(AnimatableBody2D.new(), Vector2(576, 450), rectangle(Vector2(600, 100)))
	drum.sync_to_physics = false
	var rope := await loose_rope(380.0, {impact_threshold = 0.1, can_sleep = false})
	var times := []
	var tick := [0]
	rope.impact.connect(
		func(_a: Node2D, _b: int, _c: Vector2, _d: Vector2, _e: float) -> void:
			times.append(tick[0])
	)
	for i in 120:
		drum.position.y = 450.0 + 1.5 * (i % 2)
		tick[0] = i
		await ticks(1)
	check_gt(times.size(), 5, "impacts")
	for i in times.size() - 1:
		check_ge(times[i + 1] - times[i], 3, "ticks between impacts")


func test_handlers_may_free_the_body_the_rope_or_the_scene() -> void:
	for what in ["body", "rope", "both", "reparent", "monitor", "all"]:
		var body := floor_at(400.0)
		var other := body_at(StaticBody2D.new(), Vector2(500, 395), circle(10.0))
		var rope := await loose_rope(340.0, {contact_monitor = true, impact_threshold = 1.0})
		var done := [0]
		var nodes := {body = body, other = other, rope = rope}
		var act := func() -> void:
			done[0] += 1
			match what:
				"body", "both":
					if nodes.has("body"):
						nodes.body.free()
						nodes.erase("body")
					if what == "both":
						nodes.rope.queue_free()
				"rope":
					nodes.rope.queue_free()
				"reparent":
					nodes.rope.reparent(nodes.other if nodes.rope.get_parent() == self else self)
				"monitor":
					nodes.rope.contact_monitor = false
				"all":
					for child in get_children():
						child.queue_free()
		rope.body_entered.connect(func(_body: Node2D) -> void: act.call())
		rope.impact.connect(
			func(_a: Node2D, _b: int, _c: Vector2, _d: Vector2, _e: float) -> void: act.call()
		)
		await seconds(1.0)
		check_gt(done[0], 0, what + ": handlers were called")
		for node: Variant in [rope, body, other]:
			if is_instance_valid(node):
				node.free()


func test_a_handler_may_cut_pin_and_reset() -> void:
	floor_at(400.0)
	var rope := await loose_rope(340.0, {contact_monitor = true})
	rope.body_entered.connect(
		func(_body: Node2D) -> void:
			rope.cut(5)
			rope.set_point_pinned(2, true)
			rope.reset()
			rope.teleport(Transform2D(0.0, Vector2(476, 300)))
	)
	await seconds(1.0)
	check_true(all_finite(rope.get_points()), "points are finite")


func test_a_cut_rope_takes_its_collision_along() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(
		340.0,
		{
			contact_monitor = true,
			collision_mask = 5,
			collision_radius = 3.0,
			one_way_mask = 2,
			impact_threshold = 7.0,
			self_collision = true,
			exclude_attached = false,
			physics_material_override = PhysicsMaterial.new(),
		}
	)
	var free_body := body_at(StaticBody2D.new(), Vector2(0, 0), circle(1.0))
	rope.add_collision_exception_with(free_body)
	var rest := rope.cut(10)
	for property in [
		"contact_monitor",
		"collision_mask",
		"collision_radius",
		"one_way_mask",
		"impact_threshold",
		"self_collision",
		"exclude_attached",
		"physics_material_override"
	]:
		check_eq(rest.get(property), rope.get(property), property)
	check_eq(rest.get_collision_exceptions(), [free_body], "exceptions")
	var entered := count_emissions(rest, "body_entered")
	await seconds(1.0)
	check_eq(entered, [[body]], "the rest touches the floor")


func test_a_saved_state_brings_its_collision_back() -> void:
	floor_at(400.0)
	var rope := await loose_rope(340.0, {collision_radius = 3.0, collision_mask = 3})
	await seconds(1.0)
	var state := rope.get_state()
	rope.collision_radius = 0.0
	rope.collision_mask = 0
	await seconds(0.5)
	check_true(rope.set_state(state), "set_state")
	check_eq(rope.collision_radius, 3.0, "collision_radius")
	check_eq(rope.collision_mask, 3, "collision_mask")
	await seconds(0.5)
	check_near(lowest(rope), 397.0, DEEPEST, "height after it")


func test_a_restored_radius_stays_as_it_was_set() -> void:
	var rope := await loose_rope(340.0, {width = 6.0, collision_radius = 3.0})
	check_true(rope.set_state(rope.get_state()), "set_state")
	check_eq(rope.collision_radius, 3.0, "half of the width, but set")
	rope.collision_radius = 0.0
	check_true(rope.set_state(rope.get_state()), "set_state")
	check_eq(rope.collision_radius, 0.0, "following the width")


func test_impacts_are_told_of_in_another_younger_world() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(340.0, {impact_threshold = 1.0, can_sleep = false})
	var impacts := []
	rope.impact.connect(
		func(struck: Node2D, _i: int, _at: Vector2, _normal: Vector2, _impulse: float) -> void:
			impacts.append(struck)
	)
	await seconds(2.0)
	impacts.clear()
	rope.reset()
	for i in 60:
		if not impacts.is_empty():
			break
		await ticks(1)
	# It leaves right after the strike.
	check_gt(impacts.size(), 0, "impacts in the first world")
	var viewport := SubViewport.new()
	viewport.world_2d = World2D.new()
	add(viewport)
	remove_child(rope)
	remove_child(body)
	viewport.add_child(body)
	viewport.add_child(rope)
	await ticks(2)
	impacts.clear()
	rope.reset()
	await seconds(0.7)
	check_gt(impacts.size(), 0, "impacts in the second world")


func test_outside_of_the_tree_it_touches_nothing() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(390.0, {contact_monitor = true})
	await seconds(0.5)
	check_eq(rope.get_colliding_bodies(), [body], "in the tree")
	remove_child(rope)
	check_eq(rope.get_colliding_bodies().size(), 0, "outside of it")
	rope.free()
