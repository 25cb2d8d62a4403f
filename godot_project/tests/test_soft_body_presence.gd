extends "res://tests/support/soft_presence_test.gd"
## A soft body is there for others: rays, areas and shapes find its outline as it is.

const LETTER: PackedVector2Array = [
	Vector2(-60, -60),
	Vector2(60, -60),
	Vector2(60, -25),
	Vector2(-25, -25),
	Vector2(-25, 25),
	Vector2(60, 25),
	Vector2(60, 60),
	Vector2(-60, 60)
]


## A body that hangs in the air and keeps still.
func _floating(properties: Dictionary = {}) -> SoftBody2D:
	var settings := {gravity_scale = 0.0}
	settings.merge(properties, true)
	return await soft(settings)


func _dent(body: SoftBody2D, depth: float) -> void:
	for i in body.get_point_count():
		var at := body.get_point_position(i)
		var offset := at - body.global_position
		var deep := depth * maxf(0.0, 1.0 - (offset.x / 40.0) ** 2) * (0.5 - offset.y / 100.0)
		body.set_point_position(i, at + Vector2(0, deep))


func test_a_ray_finds_the_body_where_it_is_drawn() -> void:
	var body := await _floating({collision_radius = 2.0})
	await ticks(1)
	var hit := ray(Vector2(576, 100), Vector2(576, 500))
	check_eq(hit.get("collider"), body, "what the ray hits")
	check_near(hit.get("position", Vector2.ZERO), Vector2(576, 248), 0.6, "where")
	check_near(hit.get("normal", Vector2.ZERO), Vector2.UP, 0.01, "the normal")
	check_true(found_at(Vector2(576, 300), body), "inside")
	check_true(not found_at(Vector2(576, 240), body), "above")
	body.collision_layer = 4
	await ticks(2)
	check_true(ray(Vector2(576, 100), Vector2(576, 500), 1).is_empty(), "on another layer")
	check_eq(ray(Vector2(576, 100), Vector2(576, 500), 4).get("collider"), body, "on its layer")
	body.collision_layer = 0
	await ticks(2)
	check_true(ray(Vector2(576, 100), Vector2(576, 500)).is_empty(), "on no layer")
	body.set_collision_layer_value(2, true)
	check_true(body.get_collision_layer_value(2), "layer 2")
	await ticks(2)
	check_eq(ray(Vector2(576, 100), Vector2(576, 500), 2).get("collider"), body, "there again")


func test_layers_out_of_range_are_errors() -> void:
	var body := await _floating()
	expect_soft_error(body, "set_collision_layer_value(): layer_number 33 is not in 1 to 32")
	body.set_collision_layer_value(33, true)
	expect_soft_error(body, "get_collision_layer_value(): layer_number 0 is not in 1 to 32")
	check_true(not body.get_collision_layer_value(0), "layer 0")
	check_eq(body.collision_layer, 1, "the layers")


func test_a_dent_is_seen_within_a_tick() -> void:
	for count: int in [5, 10]:
		var body := await _floating({particle_count = Vector2i(count, count)})
		await ticks(1)
		_dent(body, 24.0)
		await ticks(1)
		await after_step()
		var worst := 0.0
		for x in range(576 - 44, 576 + 45, 4):
			var hit := ray(Vector2(x, 100), Vector2(x, 500))
			var seen: Vector2 = hit.get("position", Vector2.ZERO)
			worst = maxf(worst, absf(seen.y + 1.0 - top_of(body, x)))
		check_lt(worst, 4.0, "how far off the seen top of %d points is" % count)
		check_gt(top_of(body, 576), top_of(body, 540) + 6.0, "it is dented")
		check_lt(wrong_part(body), 0.01, "the part that is seen wrongly")
		await ticks(1)
		body.free()


func test_hollows_of_a_letter_are_free_and_the_rest_is_solid() -> void:
	for turn: float in [0.0, 0.8, PI / 2, PI]:
		var body := await _floating(
			{source = SoftBody2D.SOURCE_POLYGON, polygon = LETTER, spacing = 12.0, rotation = turn}
		)
		await ticks(2)
		check_lt(wrong_part(body), 0.005, "the part that is seen wrongly at %.1f" % turn)
		check_true(not found_at(body.to_global(Vector2(30, 0)), body), "in the hollow")
		check_true(found_at(body.to_global(Vector2(-45, 0)), body), "in the back")
		body.free()


func test_bodies_of_all_sources_and_scales_are_seen_as_they_are() -> void:
	for properties: Dictionary in [
		{source = SoftBody2D.SOURCE_ELLIPSE, size = Vector2(140, 80)},
		{size = Vector2(30, 160), particle_count = Vector2i(3, 9)},
		{size = Vector2(200, 40), particle_count = Vector2i(12, 3), rotation = 0.5},
		{scale = Vector2(-1.5, 0.6)},
		{particle_count = Vector2i(2, 2)},
		{particle_count = Vector2i(64, 64)},
	]:
		var body := await _floating(properties)
		await ticks(2)
		check_lt(wrong_part(body), 0.005, "the part that is seen wrongly of %s" % properties)
		body.free()


func test_a_falling_body_is_seen_where_it_is() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var body := await soft({position = Vector2(576, 0)})
		body.angular_velocity = 3.0
		await seconds(0.5)
		await after_step()
		check_lt(wrong_part(body, 4.0), 0.01, "the part that is seen wrongly at %d ticks" % rate)
		await ticks(1)
		body.free()


func test_an_area_is_told_of_a_body_that_falls_through_it() -> void:
	var area: Area2D = body_at(Area2D.new(), Vector2(576, 300), rectangle(Vector2(200, 20)))
	var entered := count_emissions(area, "body_entered")
	var exited := count_emissions(area, "body_exited")
	var body := await soft({position = Vector2(576, 100)})
	await seconds(0.2)
	check_eq(entered, [], "entered above it")
	await seconds(0.45)
	check_eq(entered, [[body]], "entered")
	check_eq(area.get_overlapping_bodies(), [body], "who overlaps")
	await seconds(0.6)
	check_eq(exited, [[body]], "exited")


func test_an_area_that_moves_is_told_of_a_body_that_sleeps() -> void:
	ground()
	var body := await soft({position = Vector2(576, GROUND - 51)})
	await seconds(3.0)
	check_true(body.sleeping, "asleep")
	var area: Area2D = body_at(Area2D.new(), Vector2(576, 100), circle(10.0))
	var entered := count_emissions(area, "body_entered")
	await ticks(3)
	check_eq(entered, [], "far away")
	area.position = Vector2(576, GROUND - 50)
	await ticks(3)
	check_eq(entered, [[body]], "in it")
	body.free()
	await ticks(2)
	check_eq(area.get_overlapping_bodies(), [], "when it is freed")


func test_an_area_in_the_hollow_of_a_letter_is_not_touched() -> void:
	var area: Area2D = body_at(Area2D.new(), Vector2(606, 300), circle(10.0))
	var entered := count_emissions(area, "body_entered")
	var body := await _floating(
		{source = SoftBody2D.SOURCE_POLYGON, polygon = LETTER, spacing = 12.0}
	)
	await ticks(5)
	check_eq(entered, [], "in the hollow")
	area.position.x = 530.0
	await ticks(3)
	check_eq(entered, [[body]], "in the back")


func test_a_teleported_body_is_there_in_the_next_tick() -> void:
	var body := await _floating()
	await ticks(2)
	body.teleport(Transform2D(0.0, Vector2(1_000_000, 200)))
	await ticks(2)
	check_true(not found_at(Vector2(576, 300), body), "where it was")
	check_lt(wrong_part(body, 3.0, 8.0), 0.01, "the part that is seen wrongly far away")


func test_rigid_bodies_on_its_mask_are_none_of_the_presence() -> void:
	# Those that the body itself collides with are met in the simulation only; one on another layer
	# stops at it as at a wall.
	var body := await _floating({collision_mask = 1, pin_mode = SoftBody2D.PIN_SIDES})
	var crate: RigidBody2D = RigidBody2D.new()
	crate.collision_layer = 2
	body_at(crate, Vector2(576, 215), rectangle(Vector2(30, 30)))
	await seconds(2.0)
	check_near(crate.position.y, 250.0 - 15.0 - 1.0, 3.0, "what is on another layer")


func test_a_paused_body_stays_there() -> void:
	var body := await _floating()
	body.process_mode = Node.PROCESS_MODE_DISABLED
	await ticks(5)
	check_true(found_at(Vector2(576, 300), body), "paused")
	body.position.x += 300
	await ticks(2)
	check_true(found_at(Vector2(876, 300), body), "moved while it is paused")
	body.process_mode = Node.PROCESS_MODE_INHERIT
	await ticks(2)
	check_true(found_at(Vector2(876, 300), body), "when it goes on")


func test_a_body_in_another_world_is_there_only() -> void:
	var body := await _floating()
	var viewport := SubViewport.new()
	viewport.world_2d = World2D.new()
	add(viewport)
	body.reparent(viewport)
	await ticks(3)
	check_true(not found_at(Vector2(576, 300), body), "in the first world")
	var query := PhysicsPointQueryParameters2D.new()
	query.position = body.global_position
	var found := viewport.world_2d.direct_space_state.intersect_point(query)
	check_true(found.any(func(hit: Dictionary) -> bool: return hit.collider == body), "in the other")
	body.get_parent().remove_child(body)
	await ticks(2)
	found = viewport.world_2d.direct_space_state.intersect_point(query)
	check_eq(found, [], "when it is in no tree")
	body.free()


func test_a_body_that_is_scaled_to_nothing_hurts_nobody() -> void:
	ground()
	var walker := make_walker(Vector2(600, 200))
	for scale: Vector2 in [Vector2.ZERO, Vector2(0, 1), Vector2(1e-6, 1e-6)]:
		var body := await soft({scale = scale, position = Vector2(600, 350)})
		await ticks(10)
		check_true(all_finite(body.get_points()), "points at scale %s" % scale)
		body.scale = Vector2.ONE
		await ticks(5)
		body.free()
	await seconds(0.5)
	check_true(walker.global_position.is_finite(), "the player is somewhere")


func test_mesh_and_layer_may_change_at_any_time() -> void:
	ground()
	var body := await soft({position = Vector2(576, GROUND - 51)})
	var walker := make_walker(Vector2(576, GROUND - 120))
	for i in 60:
		match i % 6:
			0:
				body.size = Vector2(100, 60 + i)
			1:
				body.source = SoftBody2D.SOURCE_ELLIPSE
			2:
				body.collision_layer = 0
			3:
				body.collision_layer = 3
			4:
				body.particle_count = Vector2i(2 + i % 9, 6)
			5:
				body.source = SoftBody2D.SOURCE_RECTANGLE
		await ticks(1)
	check_true(all_finite(body.get_points()), "points")
	check_true(walker.global_position.is_finite(), "the player is somewhere")
	await seconds(1.0)
	check_lt(wrong_part(body), 0.02, "the part that is seen wrongly")
