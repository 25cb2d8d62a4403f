extends "res://tests/support/presence_test.gd"
## A rope with a collision layer is there for others: players walk on it, rays and areas find it.

## Like most games, with a snap that keeps a player on slopes; the engine's own of 1 px lets it hop
## on every slope of more than 17 degrees at this pace, also on a solid one.
const SNAP := 6.0


## A player walks from bank to bank.
func _walk_across(box: bool, properties: Dictionary = {}, snap: float = 1.0) -> Dictionary:
	var bridge := make_bridge(properties)
	var walker := make_walker(START + Vector2(-100, -10), box)
	walker.floor_snap_length = snap
	await seconds(1.0)
	var found := {rest = sag(bridge), deepest = 0.0, sunk = 0.0, far = 0.0}
	walker.count_anew()
	walker.pace = 200.0
	for i in roundi(6.0 * Engine.physics_ticks_per_second):
		await ticks(1)
		var x := walker.global_position.x - START.x
		if x > SPAN + 60.0:
			break
		found.deepest = maxf(found.deepest, sag(bridge))
		if x > 20.0 and x < SPAN - 20.0:
			found.sunk = minf(found.sunk, gap(walker, bridge))
			found.far = maxf(found.far, gap(walker, bridge))
	found.floor = walker.floor_part()
	found.stuck = walker.stuck_ticks
	found.x = walker.global_position.x - START.x - SPAN
	for child in get_children():
		child.free()
	await ticks(2)
	return found


## The sag of a bridge under a player who stands in its middle.
func _sag_under(mass: float) -> float:
	var bridge := make_bridge({slack = 0.02, character_mass = mass}, false)
	await seconds(1.0)
	var walker := make_walker(START + Vector2(0.3 * SPAN, sag(bridge) - 20))
	await seconds(5.0)
	check_true(walker.is_on_floor(), "a player of %s kg stands" % mass)
	var at := bridge.get_closest_point(walker.global_position + Vector2(0, 30))
	for child in get_children():
		child.free()
	await ticks(2)
	return at.y - START.y


func test_a_player_walks_across_a_bridge() -> void:
	for rate: int in [60, 30, 120]:
		await set_ticks_per_second(rate)
		for box: bool in [false, true]:
			for slack: float in [0.01, 0.02]:
				var what := (
					"%s at %d ticks, slack %.2f: " % ["box" if box else "capsule", rate, slack]
				)
				var found := await _walk_across(box, {slack = slack}, SNAP)
				check_ge(found.floor, 0.95, what + "on the floor")
				check_gt(found.x, 59.0, what + "got across")
				check_eq(found.stuck, 0, what + "ticks in which it did not get on")
				check_gt(found.deepest, found.rest + 3.0, what + "how deep the bridge sags")
				check_gt(found.sunk, -5.0 if rate == 30 else -1.5, what + "sunk in")
				check_lt(found.far, 9.0 if box or rate == 30 else 3.5, what + "in the air")


func test_a_player_with_the_engine_s_least_snap_gets_across_too() -> void:
	for box: bool in [false, true]:
		var what := "box: " if box else "capsule: "
		var found := await _walk_across(box, {slack = 0.01})
		check_ge(found.floor, 0.9, what + "on the floor")
		check_gt(found.x, 59.0, what + "got across")
		check_eq(found.stuck, 0, what + "ticks in which it did not get on")
		check_lt(found.far, 10.0, what + "in the air")


func test_nobody_is_thrown_by_the_bridge_of_the_preset() -> void:
	for mass: float in [10.0, 50.0, 200.0]:
		var found := await _walk_across(mass != 50.0, {character_mass = mass}, SNAP)
		check_ge(found.floor, 0.9, "%s kg: on the floor" % mass)
		check_lt(found.far, 20.0, "%s kg: in the air" % mass)


func test_a_bridge_sags_under_a_player_and_more_under_a_heavy_one() -> void:
	var sags := PackedFloat64Array()
	for mass: float in [0.0, 10.0, 50.0, 200.0, 100000.0]:
		sags.append(await _sag_under(mass))
	check_gt(sags[1], sags[0] + 1.0, "10 kg")
	check_gt(sags[2], sags[1] + 1.0, "50 kg")
	check_gt(sags[3], sags[2] + 0.2, "200 kg")
	check_ge(sags[4], sags[3] - 0.5, "100000 kg")


func test_a_bridge_under_a_player_comes_to_rest_and_sleeps() -> void:
	var bridge := make_bridge({slack = 0.02})
	var walker := make_walker(START + Vector2(0.5 * SPAN, 0))
	await seconds(12.0)
	check_true(bridge.sleeping, "the bridge sleeps")
	check_true(walker.is_on_floor(), "the player stands")
	check_near(gap(walker, bridge), 0.0, 1.0, "the gap")
	walker.pace = 200.0
	await ticks(5)
	check_true(not bridge.sleeping, "it wakes when the player walks")
	walker.pace = 0.0
	await seconds(12.0)
	check_true(bridge.sleeping, "it sleeps again")
	var loaded := sag(bridge)
	walker.free()
	await ticks(5)
	check_true(not bridge.sleeping, "it wakes when the player is gone")
	await seconds(5.0)
	check_lt(sag(bridge), loaded - 1.0, "and rises")


func test_a_player_jumps_off_a_bridge_as_high_as_from_the_ground() -> void:
	var bridge := make_bridge({slack = 0.02})
	var walker := make_walker(START + Vector2(0.5 * SPAN, 0))
	await seconds(6.0)
	var from := walker.global_position.y
	walker.wants_to_jump = true
	var highest_place := from
	for i in 60:
		await ticks(1)
		highest_place = minf(highest_place, walker.global_position.y)
	# 400 px/s under 980 px/s2: 81 px.
	check_near(from - highest_place, 81.6, 12.0, "the height of the jump")
	await seconds(3.0)
	check_true(walker.is_on_floor(), "it has landed")
	check_near(gap(walker, bridge), 0.0, 1.0, "the gap")


func test_rays_and_areas_find_the_rope_itself() -> void:
	var bridge := make_bridge({}, false)
	bridge.collision_layer = 4
	var area := Area2D.new()
	area.collision_mask = 4
	var came := []
	var went := []
	area.body_entered.connect(func(body: Node2D) -> void: came.append(body))
	area.body_exited.connect(func(body: Node2D) -> void: went.append(body))
	body_at(area, START + Vector2(300, 60), rectangle(Vector2(200, 100)))
	var cast := RayCast2D.new()
	cast.position = START + Vector2(200, -100)
	cast.target_position = Vector2(0, 300)
	cast.collision_mask = 4
	add(cast)
	await ticks(4)
	check_true(cast.get_collider() == bridge, "the RayCast2D's collider is the rope")
	var place := bridge.get_closest_point(cast.get_collision_point())
	check_near(
		cast.get_collision_point().distance_to(place), 0.5 * bridge.width, 0.5, "at its surface"
	)
	check_true(_ray(START + Vector2(300, -50), 4) == bridge, "intersect_ray finds the rope")
	check_true(_ray(START + Vector2(300, -50), 2) == null, "not on other layers")
	check_eq(came, [bridge], "who came into the area")
	check_true(area.get_overlapping_bodies() == [bridge], "who is in the area")
	await seconds(1.0)
	check_eq(came, [bridge], "who came into the area, later")
	bridge.position.y += 1000.0
	await ticks(5)
	check_eq(went, [bridge], "who left the area")
	bridge.position.y -= 1000.0
	await ticks(5)
	check_eq(came, [bridge, bridge], "who came again")
	bridge.collision_layer = 0
	await ticks(4)
	check_eq(went, [bridge, bridge], "who left by being on no layer")
	check_true(_ray(START + Vector2(300, -50), 4) == null, "rays do not find it then")
	bridge.set_collision_layer_value(3, true)
	await ticks(4)
	check_eq(bridge.collision_layer, 4, "the layers")
	check_true(_ray(START + Vector2(300, -50), 4) == bridge, "rays find it again")
	remove_child(bridge)
	await ticks(3)
	check_eq(went, [bridge, bridge, bridge], "who left with the tree")
	add_child(bridge)
	await ticks(4)
	check_true(_ray(START + Vector2(300, -50), 4) == bridge, "rays find it in the tree again")


func test_a_rope_on_no_layer_is_not_there() -> void:
	var bridge := make_bridge({collision_layer = 0}, false)
	var walker := make_walker(START + Vector2(300, -100))
	await seconds(2.0)
	check_true(_ray(START + Vector2(300, -50), 0xFFFFFFFF) == null, "rays do not find it")
	check_gt(walker.global_position.y, 600.0, "a player falls through")
	check_near(sag(bridge), 83.0, 3.0, "and is not felt")


func test_a_moving_hidden_paused_rope_is_there() -> void:
	var bridge := make_bridge({}, false)
	bridge.hide()
	await ticks(3)
	check_true(_ray(START + Vector2(300, -50), 1) == bridge, "hidden")
	bridge.process_mode = Node.PROCESS_MODE_DISABLED
	await ticks(3)
	check_true(_ray(START + Vector2(300, -50), 1) == bridge, "disabled")
	bridge.position.x += 2000.0
	await ticks(3)
	check_true(_ray(START + Vector2(300, -50), 1) == null, "moved away while it is disabled")
	check_true(_ray(START + Vector2(2300, -50), 1) == bridge, "moved there while it is disabled")
	bridge.process_mode = Node.PROCESS_MODE_INHERIT
	await ticks(3)
	check_true(_ray(START + Vector2(2300, -50), 1) == bridge, "it goes on there")


func test_pieces_follow_winding_and_cutting() -> void:
	var rope: VerletRope2D = await hang({length = 100.0, collision_layer = 1})
	await seconds(1.0)
	for length: float in [400.0, 60.0, 200.0]:
		while rope.length != length:
			rope.length = move_toward(rope.length, length, 5.0)
			await ticks(1)
		await seconds(2.0)
		var below := rope.global_position + Vector2(0, length)
		check_true(_beside(below - Vector2(0, 10)) == rope, "%s px long, above its end" % length)
		check_true(_beside(below + Vector2(0, 12)) == null, "%s px long, below its end" % length)
	var rest := rope.cut(10)
	check_eq(rest.collision_layer, 1, "the rest's layers")
	check_eq(rest.character_mass, 50.0, "the rest's mass of characters")
	await ticks(6)
	var middle := rest.get_point_position(rest.get_point_count() / 2)
	check_true(_beside(middle) == rest, "the rest is there")
	check_true(_beside(rope.global_position + Vector2(0, 50)) == rope, "the rope is there")


func test_what_hangs_on_a_rope_is_not_stopped_by_it() -> void:
	var rope: VerletRope2D = await hang({length = 200.0, collision_layer = 1})
	var walker := make_walker(rope.global_position + Vector2(-40, 100))
	walker.gravity = 0.0
	rope.end_mode = VerletRope2D.ATTACH_ROPE_CARRIES_NODE
	rope.add_collision_exception_with(walker)
	await ticks(70)
	walker.pace = 100.0
	await seconds(1.0)
	check_near(
		walker.global_position.x, rope.global_position.x + 60.0, 4.0, "an exception walks through"
	)
	rope.remove_collision_exception_with(walker)
	await ticks(5)
	walker.pace = -100.0
	var before := walker.global_position.x
	await seconds(0.3)
	check_lt(walker.global_position.x, before - 20.0, "it walks back")
	var aside := INF
	for i in 40:
		await ticks(1)
		for point in rope.get_points():
			aside = minf(aside, point.x - rope.global_position.x)
	check_lt(aside, -15.0, "and pushes the rope aside")


func test_a_player_runs_through_a_hanging_vine() -> void:
	var rope: VerletRope2D = await hang({length = 250.0, collision_layer = 1})
	var walker := make_walker(rope.global_position + Vector2(-120, 200))
	walker.gravity = 0.0
	walker.pace = 200.0
	await seconds(2.0)
	check_gt(walker.global_position.x, rope.global_position.x + 100.0, "how far it got")


func test_rigid_bodies_meet_the_rope_in_the_core_only() -> void:
	var bridge := make_bridge({}, false)
	bridge.collision_mask = 2
	var known := RigidBody2D.new()
	known.collision_layer = 2
	body_at(known, START + Vector2(200, -200), rectangle(Vector2(20, 20)))
	known.linear_velocity = Vector2(0, 2000)
	var foreign := RigidBody2D.new()
	foreign.collision_layer = 4
	body_at(foreign, START + Vector2(400, -60), rectangle(Vector2(20, 20)))
	bridge.contact_monitor = true
	await ticks(20)
	check_true(
		absf(known.linear_velocity.y) > 100.0 or known.position.y > 340, "not stopped as by a wall"
	)
	await seconds(1.0)
	check_lt(foreign.global_position.y, START.y + 100.0, "whom the rope does not see stops on it")


func test_ropes_do_not_meet_presences() -> void:
	var bridge := make_bridge({}, false)
	var loose := await loose_rope(START.y - 50.0, {length = 100.0})
	loose.contact_monitor = true
	await seconds(2.0)
	check_gt(loose.get_point_position(0).y, START.y + 300.0, "a rope falls through a bridge")
	check_eq(bridge.collision_layer, 1, "which is there for others")


func test_several_players_walk_on_one_bridge() -> void:
	make_bridge({slack = 0.02})
	var walkers: Array[Walker] = []
	for place: float in [0.1, 0.5, 0.8]:
		walkers.append(make_walker(START + Vector2(SPAN * place, 0)))
		walkers[-1].collision_mask = 1
		walkers[-1].collision_layer = 8
	await seconds(3.0)
	for walker in walkers:
		check_true(walker.is_on_floor(), "it stands")
		walker.count_anew()
		walker.pace = 100.0
	await seconds(1.5)
	for walker in walkers:
		check_gt(walker.floor_part(), 0.9, "it walks")


func test_bad_values_are_refused() -> void:
	var rope: VerletRope2D = await hang({})
	expect_error("character_mass: -1", 1)
	rope.character_mass = -1.0
	check_eq(rope.character_mass, 0.0, "negative becomes 0")
	expect_error("character_mass: NaN", 1)
	rope.character_mass = NAN
	check_eq(rope.character_mass, 0.0, "NaN changes nothing")
	expect_error("character_mass: inf", 1)
	rope.character_mass = INF
	check_eq(rope.character_mass, 100000.0, "too much becomes the most")
	expect_error("layer_number 33", 1)
	rope.set_collision_layer_value(33, true)
	expect_error("layer_number 0", 1)
	check_eq(rope.get_collision_layer_value(0), false, "there is no layer 0")
	check_eq(rope.collision_layer, 0, "the layers")


func test_states_and_copies_have_the_layers() -> void:
	var rope: VerletRope2D = await hang({collision_layer = 5, character_mass = 70.0})
	var state := rope.get_state()
	rope.collision_layer = 0
	rope.character_mass = 1.0
	check_true(rope.set_state(state), "the state is taken")
	check_eq(rope.collision_layer, 5, "layers of a state")
	check_eq(rope.character_mass, 70.0, "mass of a state")
	await ticks(3)
	check_true(_beside(rope.global_position + Vector2(0, 50), 4) == rope, "it is there again")
	var copy: VerletRope2D = rope.duplicate()
	check_eq(copy.collision_layer, 5, "layers of a copy")
	check_eq(copy.character_mass, 70.0, "mass of a copy")
	copy.free()


## Things happen to a bridge while players stand on it and an area watches.
func test_hostile() -> void:
	for case in 12:
		var bridge := make_bridge({slack = 0.03}, false)
		var walker := make_walker(START + Vector2(250, 0), case % 2 == 0)
		var area := Area2D.new()
		body_at(area, START + Vector2(300, 60), rectangle(Vector2(200, 100)))
		area.body_entered.connect(_do_nothing)
		await seconds(1.0)
		match case:
			0:
				bridge.free()
			1:
				walker.queue_free()
			2:
				bridge.cut(20)
			3:
				bridge.gravity_scale = -2.0
			4:
				bridge.character_mass = 100000.0
			5:
				walker.process_mode = Node.PROCESS_MODE_DISABLED
			6:
				bridge.length = 2000.0
			7:
				bridge.teleport(Transform2D(0.5, START + Vector2(0, 300)))
			8:
				bridge.scale = Vector2(0.0, 1.0)
			9:
				walker.scale = Vector2(-3.0, 2.0)
			10:
				bridge.reparent(walker)
			11:
				area.body_entered.connect(func(body: Node2D) -> void: body.free())
				bridge.collision_layer = 0
				await ticks(3)
				bridge.collision_layer = 1
		await seconds(1.0)
		if is_instance_valid(bridge):
			for point in bridge.get_points():
				if not point.is_finite():
					fail("case %d: a point is not finite" % case)
					break
			bridge.set_state(bridge.get_state())
			await ticks(10)
		check_true(true, "case %d" % case)
		for child in get_children():
			child.free()
		await ticks(2)


func test_a_tick_of_presences_is_cheap() -> void:
	var means := PackedFloat64Array()
	for layer: int in [0, 1]:
		var bridges: Array[VerletRope2D] = []
		for i in 20:
			var place := START + Vector2(700 * (i % 5), 300 * (i / 5))
			var bridge := make_bridge({position = place, collision_layer = layer}, false)
			bridge.segments = 20
			bridge.can_sleep = false
			bridges.append(bridge)
		await ticks(60)
		var times := PackedFloat64Array()
		for i in 200:
			for bridge in bridges:
				bridge.apply_central_impulse(Vector2(0, 1000 if i % 40 < 20 else -1000))
			var began := Time.get_ticks_usec()
			await ticks(1)
			times.append(Time.get_ticks_usec() - began)
		times.sort()
		means.append(times[100])
		for bridge in bridges:
			bridge.free()
		await ticks(3)
	# 0.28 ms in a release build; tests run beside other work, and in debug builds.
	check_lt(means[1] - means[0], 5000.0, "us a tick for 400 pieces that all move")


func _do_nothing(_body: Node2D) -> void:
	pass


func _ray(from: Vector2, mask: int) -> Object:
	var query := PhysicsRayQueryParameters2D.create(from, from + Vector2(0, 300), mask)
	return get_viewport().world_2d.direct_space_state.intersect_ray(query).get("collider")


## Who is met beside a place.
func _beside(at: Vector2, mask: int = 1) -> Object:
	var across := Vector2(60, 0)
	var query := PhysicsRayQueryParameters2D.create(at - across, at + across, mask)
	return get_viewport().world_2d.direct_space_state.intersect_ray(query).get("collider")
