extends "res://tests/support/collision_test.gd"
## Layers and masks, exceptions, one-way bodies, several worlds.


func test_only_layers_in_the_mask_are_met() -> void:
	var low := floor_at(450.0)
	var high := body_at(StaticBody2D.new(), Vector2(576, 410), rectangle(Vector2(600, 20)))
	high.collision_layer = 4
	var rope := await loose_rope(340.0)
	await seconds(1.5)
	check_lies_on(rope, 450.0, "mask 1")
	rope.set_collision_mask_value(3, true)
	check_eq(rope.collision_mask, 5, "mask with layer 3")
	check_true(rope.get_collision_mask_value(3), "layer 3 is on")
	rope.reset()
	await seconds(1.5)
	check_lies_on(rope, 400.0, "mask 5")
	rope.collision_mask = 0
	await seconds(0.5)
	check_gt(highest(rope), 450.0, "mask 0")
	low.free()


func test_a_layer_number_out_of_range_is_refused() -> void:
	var rope := await loose_rope(340.0)
	expect_rope_error(rope, "set_collision_mask_value(): layer_number 0 is not in 1 to 32")
	rope.set_collision_mask_value(0, true)
	expect_rope_error(rope, "get_collision_mask_value(): layer_number 33 is not in 1 to 32")
	check_true(not rope.get_collision_mask_value(33), "layer 33")
	check_eq(rope.collision_mask, 1, "mask")


func test_a_changed_layer_is_seen() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(340.0)
	check_true(await until_asleep([rope]), "it comes to rest")
	body.collision_layer = 2
	await check_wakes(rope, "layer changed")
	await seconds(0.5)
	check_gt(highest(rope), 450.0, "falls through")


func test_exceptions_are_let_through_and_met_again() -> void:
	var body := floor_at(400.0)
	var map := tile_row(460.0)
	floor_at(560.0)
	var rope := await loose_rope(340.0)
	await seconds(1.0)
	check_lies_on(rope, 400.0, "no exception")
	rope.add_collision_exception_with(body)
	await seconds(1.0)
	check_lies_on(rope, 460.0, "the body is excepted")
	rope.add_collision_exception_with(map)
	check_eq(rope.get_collision_exceptions(), [body, map], "exceptions")
	await seconds(1.0)
	check_lies_on(rope, 560.0, "the tile map too")
	rope.remove_collision_exception_with(map)
	rope.remove_collision_exception_with(body)
	check_eq(rope.get_collision_exceptions().size(), 0, "no exceptions left")
	rope.reset()
	await seconds(1.0)
	check_lies_on(rope, 400.0, "met again")
	rope.add_collision_exception_with(body)
	body.free()
	check_eq(rope.get_collision_exceptions().size(), 0, "a freed body is none")


func test_bad_exceptions_are_refused() -> void:
	var rope := await loose_rope(340.0)
	var node := node_at(Vector2.ZERO, "NoBody")
	expect_rope_error(rope, "add_collision_exception_with(): body is null")
	rope.add_collision_exception_with(null)
	expect_rope_error(rope, 'add_collision_exception_with(): "NoBody" is no PhysicsBody2D')
	rope.add_collision_exception_with(node)
	expect_rope_error(rope, 'remove_collision_exception_with(): "NoBody" is no PhysicsBody2D')
	rope.remove_collision_exception_with(node)


func test_what_holds_carries_or_rides_on_the_rope_is_let_through() -> void:
	# The rope's node is a child of a body, a second body holds the end through a child, a third one
	# rides in the middle.
	var carrier := body_at(CharacterBody2D.new(), Vector2(476, 200), circle(30.0))
	var rope := make_rope({position = Vector2.ZERO, length = 240.0, end_position = Vector2(200, 0)})
	carrier.add_child(rope)
	var holder := body_at(StaticBody2D.new(), Vector2(676, 200), circle(30.0))
	var hand := Node2D.new()
	hand.name = "Hand"
	holder.add_child(hand)
	rope.attach_end(hand)
	var anchor := PointAnchor2D.new()
	anchor.point = rope.get_point_count() / 2
	rope.add_child(anchor)
	var bead := StaticBody2D.new()
	add_shape(bead, circle(20.0))
	anchor.add_child(bead)
	rope.linear_damp = 5.0
	var free_rope := make_rope(
		{
			position = Vector2(476, 200),
			length = 240.0,
			end_position = Vector2(200, 0),
			end_pinned = true,
			collision_mask = 0,
			linear_damp = 5.0
		}
	)
	add(free_rope)
	rope.contact_monitor = true
	await seconds(3.0)
	var worst := largest_distance(rope.get_points(), free_rope.get_points())
	check_lt(worst, 0.5, "it hangs as if they were not there")
	check_eq(rope.get_colliding_bodies().size(), 0, "touched with the exclusion")
	# The end lies on a body that holds it: met if it is not let through.
	var ground := body_at(StaticBody2D.new(), Vector2(576, 620), rectangle(Vector2(1200, 20)))
	var held := make_rope({position = Vector2.ZERO, length = 240.0, contact_monitor = true})
	ground.add_child(held)
	held.position = Vector2(-100, -60)
	held.reset()
	await seconds(1.0)
	check_eq(held.get_colliding_bodies().size(), 0, "the ground that holds it is let through")
	held.exclude_attached = false
	held.reset()
	await seconds(1.0)
	check_eq(held.get_colliding_bodies(), [ground] as Array[Node2D], "met without the exclusion")


func test_one_way_bodies_hold_from_above_and_let_through_from_below() -> void:
	for turned in [0.0, PI]:
		var body := body_at(
			StaticBody2D.new(),
			Vector2(576, 410),
			rectangle(Vector2(600, 20)),
			Transform2D(turned, Vector2.ZERO)
		)
		var holder: CollisionShape2D = body.get_child(0)
		holder.one_way_collision = true
		var falling := await loose_rope(340.0)
		var rising := await loose_rope(500.0, {gravity_scale = -1.0})
		await seconds(1.5)
		if turned == 0.0:
			check_lies_on(falling, 400.0, "from above")
			check_lt(lowest(rising), 380.0, "from below: passed")
		else:
			check_gt(highest(falling), 450.0, "turned round, from above: passed")
			check_near(highest(rising), 422.0, DEEPEST, "turned round, from below")
		falling.free()
		rising.free()
		body.free()


func test_one_way_can_be_switched() -> void:
	var body := body_at(StaticBody2D.new(), Vector2(576, 410), rectangle(Vector2(600, 20)))
	var rising := await loose_rope(500.0, {gravity_scale = -1.0})
	await seconds(1.0)
	check_near(highest(rising), 422.0, DEEPEST, "solid")
	body.get_child(0).one_way_collision = true
	rising.reset()
	await seconds(1.0)
	check_lt(lowest(rising), 380.0, "one-way")


func test_worlds_of_their_own_do_not_meet() -> void:
	floor_at(400.0)
	var viewport := SubViewport.new()
	viewport.world_2d = World2D.new()
	add(viewport)
	var floor_there := StaticBody2D.new()
	floor_there.position = Vector2(576, 550)
	add_shape(floor_there, rectangle(Vector2(600, 100)))
	viewport.add_child(floor_there)
	var there := make_rope(
		{
			position = Vector2(476, 340),
			end_position = Vector2(200, 0),
			start_pinned = false,
			linear_damp = 3.0
		}
	)
	viewport.add_child(there)
	var here := await loose_rope(340.0)
	await seconds(2.0)
	check_lies_on(here, 400.0, "the main world")
	check_lies_on(there, 500.0, "the other world")
	# Into the main world.
	there.get_parent().remove_child(there)
	add(there)
	there.reset()
	await seconds(1.5)
	check_lies_on(there, 400.0, "moved to the main world")


func test_friction_and_bounce_come_from_both_materials() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(380.0)
	var material := PhysicsMaterial.new()
	material.friction = 0.0
	rope.physics_material_override = material
	await seconds(1.0)
	rope.apply_central_impulse(Vector2(50, 0))
	await seconds(0.2)
	var speed := rope.get_point_velocity(5).x
	check_gt(speed, 30.0, "it slides without friction")
	# `changed` is listened to.
	material.friction = 1.0
	await seconds(0.3)
	check_lt(absf(rope.get_point_velocity(5).x), 5.0, "it stops with friction")
	body.physics_material_override = PhysicsMaterial.new()
	body.physics_material_override.friction = 0.0
	await ticks(5)
	rope.apply_central_impulse(Vector2(50, 0))
	await seconds(0.2)
	check_gt(rope.get_point_velocity(5).x, 30.0, "it slides on a floor without friction")
	body.physics_material_override.friction = 0.2
	body.physics_material_override.rough = true
	await seconds(1.0)
	check_lt(absf(rope.get_point_velocity(5).x), 5.0, "a rough floor's friction wins")


func test_a_conveyor_carries_the_rope() -> void:
	var body := floor_at(400.0)
	body.constant_linear_velocity = Vector2(100, 0)
	var rope := await loose_rope(380.0)
	await seconds(1.5)
	var before := rope.get_point_position(5).x
	await seconds(0.5)
	check_near(rope.get_point_position(5).x - before, 50.0, 8.0, "way in 0.5 s")


func test_platforms_of_all_kinds_carry_the_rope() -> void:
	for body: PhysicsBody2D in [StaticBody2D.new(), AnimatableBody2D.new(), CharacterBody2D.new()]:
		if body is AnimatableBody2D:
			body.sync_to_physics = false
		body_at(body, Vector2(576, 450), rectangle(Vector2(600, 100)))
		var rope := await loose_rope(370.0)
		await seconds(1.0)
		var start := rope.get_point_position(10).x
		for i in 60:
			body.position += Vector2(1.0, -1.0)
			await ticks(1)
			var top := body.position.y - 50.0
			check_le(lowest(rope), top - 2.0 + DEEPEST, "%s: lowest point" % body.get_class())
		await ticks(30)
		var way := rope.get_point_position(10).x - start
		check_near(way, 60.0, 10.0, body.get_class() + ": carried")
		rope.free()
		body.free()


func test_width_and_collision_radius_keep_the_rope_off() -> void:
	floor_at(400.0)
	var rope := await loose_rope(340.0, {width = 20.0})
	await seconds(1.5)
	check_near(lowest(rope), 390.0, DEEPEST, "half of the width")
	rope.collision_radius = 3.0
	await seconds(1.0)
	check_near(lowest(rope), 397.0, DEEPEST, "collision_radius")
	rope.collision_radius = 0.0
	rope.width = 8.0
	rope.reset()
	await seconds(1.5)
	check_near(lowest(rope), 396.0, DEEPEST, "another width")


func test_a_restored_rope_goes_through_the_same_bodies() -> void:
	var body := floor_at(400.0)
	floor_at(460.0)
	var rope := await loose_rope(340.0)
	rope.add_collision_exception_with(body)
	check_true(rope.set_state(rope.get_state()), "set_state while it falls")
	check_true(await until_asleep([rope]), "it comes to rest")
	check_lies_on(rope, 460.0, "restored while it fell")
	check_true(rope.set_state(rope.get_state()), "set_state")
	await ticks(3)
	check_true(rope.sleeping, "it sleeps on")
	rope.sleeping = false
	await seconds(0.5)
	check_lies_on(rope, 460.0, "restored asleep")


func test_a_cut_off_part_meets_what_held_the_rope() -> void:
	var body := floor_at(400.0)
	var rope := await loose_rope(385.0)
	var hand := Node2D.new()
	body.add_child(hand)
	hand.global_position = Vector2(476, 385)
	rope.attach_start(hand)
	rope.reset()
	await ticks(2)
	var rest := rope.cut(2)
	await seconds(1.0)
	check_lies_on(rest, 400.0, "the rest, where the start is held")
	rest.free()
	rope.free()
	rope = await loose_rope(385.0, {start_pinned = true})
	hand.global_position = Vector2(676, 385)
	rope.attach_end(hand)
	await ticks(2)
	rope.start_pinned = false
	rope.cut(rope.get_point_count() - 4)
	await seconds(1.0)
	check_lies_on(rope, 400.0, "the rope, where the end is held")
