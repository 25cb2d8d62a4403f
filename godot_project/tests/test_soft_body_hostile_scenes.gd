extends "res://tests/support/soft_scene_test.gd"
## What scenes do to soft bodies by mistake, and on purpose: no panic, nothing is endless, and they
## go on.


func test_outlines_that_are_none_are_survived_and_told_of() -> void:
	var outlines := {
		nothing = PackedVector2Array(),
		a_point = PackedVector2Array([Vector2.ZERO]),
		two_points = PackedVector2Array([Vector2.ZERO, Vector2(50, 0)]),
		a_line = PackedVector2Array([Vector2.ZERO, Vector2(50, 0), Vector2(100, 0)]),
		one_place = PackedVector2Array([Vector2.ONE, Vector2.ONE, Vector2.ONE, Vector2.ONE]),
		crossing =
		PackedVector2Array([Vector2.ZERO, Vector2(80, 80), Vector2(80, 0), Vector2(0, 80)]),
		tiny = PackedVector2Array([Vector2.ZERO, Vector2(0.001, 0), Vector2(0, 0.001)]),
		twice_round = _star(5, 60.0),
	}
	for outline: String in outlines:
		ground()
		if outlines[outline]:
			expect_error("polygon: this outline cannot become a body: ")
		var body := await soft({source = SoftBody2D.SOURCE_POLYGON, polygon = outlines[outline]})
		body.queue_redraw()
		await seconds(0.5)
		check_true(all_finite(body.get_points()), outline + ": points are finite")
		check_true(body.global_transform.is_finite(), outline + ": the node is somewhere")
		body.polygon = [Vector2(-50, -50), Vector2(50, -50), Vector2(0, 50)]
		await seconds(0.2)
		check_sound(body, outline + ": with an outline after it")
		check_near(body.get_area(), 5000.0, 250.0, outline + ": area of the outline after it")
		await clear()


func test_outlines_of_very_many_points_and_thin_ones_are_meshed() -> void:
	var comb := PackedVector2Array([Vector2(-100, 50)])
	for i in 50:
		comb.append_array([Vector2(4 * i - 100, -50), Vector2(4 * i - 98, 48)])
	comb.append(Vector2(100, 50))
	var outlines := {
		many = _circle(100_000, 100.0),
		some = _circle(2000, 300.0),
		needle = PackedVector2Array([Vector2(-500, 0), Vector2(500, -0.5), Vector2(500, 0.5)]),
		comb = comb,
		huge = _circle(8, 50_000.0),
	}
	for outline: String in outlines:
		var before := Time.get_ticks_msec()
		var body := make_soft({source = SoftBody2D.SOURCE_POLYGON, polygon = outlines[outline]})
		add(body)
		await ticks(2)
		var spent := Time.get_ticks_msec() - before
		note("outline %s: %d points, %d ms" % [outline, body.get_point_count(), spent])
		check_le(spent, 3000, outline + ": ms to make and draw it")
		await ticks(10)
		check_sound(body, outline)
		body.free()


func test_meshes_of_extreme_numbers_are_brought_into_range() -> void:
	var body := await soft()
	var counts: Array[Vector2i] = [
		Vector2i(0, 0), Vector2i(-5, -5), Vector2i(1_000_000, 1_000_000), Vector2i(1 << 30, 2)
	]
	for count in counts:
		expect_soft_error(body, "particle_count: ", 1 if count.y == 2 else 2)
		body.particle_count = count
		await ticks(2)
		check_sound(body, "particle_count %s" % count)
	body.particle_count = Vector2i(5, 5)
	for size: Vector2 in [Vector2(0, 0), Vector2(-10, -10), Vector2(1e30, 1e30)]:
		expect_soft_error(body, "size: ", 2)
		body.size = size
		await ticks(2)
		check_sound(body, "size %s" % size)
	body.size = Vector2(100, 100)
	body.source = SoftBody2D.SOURCE_ELLIPSE
	for spacing: float in [0.0, -3.0, NAN, INF, -INF]:
		expect_soft_error(body, "spacing: ")
		body.spacing = spacing
		await ticks(2)
		check_sound(body, "spacing %s" % spacing)
	# As fine and as large as it goes, at once.
	body.spacing = 2.0
	body.size = Vector2(100_000, 100_000)
	await ticks(2)
	check_sound(body, "100000 px by 2 px")
	check_le(body.get_point_count(), 20_000, "points of the finest")


func test_scales_of_all_kinds_do_no_harm() -> void:
	for scale: Vector2 in [
		Vector2.ZERO,
		Vector2(0, 1),
		Vector2(-1, -1),
		Vector2(-3, 2),
		Vector2(1e6, 1e6),
		Vector2(1e-6, 1)
	]:
		ground()
		var body := make_soft({scale = scale})
		add(body)
		await seconds(0.5)
		check_true(all_finite(body.get_points()), "scale %s: finite" % scale)
		check_true(body.global_transform.is_finite(), "scale %s: the node is somewhere" % scale)
		body.scale = Vector2.ONE
		body.position = Vector2(576, 300)
		body.reset()
		await seconds(0.3)
		check_sound(body, "after scale %s" % scale)
		check_near(body.get_area(), 1e4, 300.0, "area after scale %s" % scale)
		await clear()


func test_pins_that_do_not_exist_are_passed_over() -> void:
	var numbers := PackedInt32Array([-1, 0, 24, 25, 1_000_000, -2_000_000_000, 0, 0])
	var body := await soft({pin_mode = SoftBody2D.PIN_CUSTOM, pinned_points = numbers})
	await seconds(0.5)
	check_sound(body, "with pins that do not exist")
	check_eq(pinned(body), [0, 24], "held points")
	body.pinned_points = PackedInt32Array(range(25))
	await seconds(0.3)
	check_eq(pinned(body).size(), 25, "all are held")
	check_sound(body, "all are held")
	body.pin_mode = SoftBody2D.PIN_NONE
	await seconds(0.3)
	check_sound(body, "let go")


func test_a_body_that_is_freed_while_it_is_held_leaves_nothing_behind() -> void:
	ground()
	var hook: Node2D = add(Node2D.new())
	hook.name = "Hook"
	for way in 4:
		var body := await soft({mouse_grab = true, contact_monitor = true})
		body.set_point_pinned(0, true, "../Hook")
		var hand := body.grab(body.position, 100)
		check_ge(hand, 0, "hand")
		await ticks(5)
		if way == 0:
			body.free()
		elif way == 1:
			body.queue_free()
		elif way == 2:
			remove_child(body)
			await ticks(2)
			body.free()
		else:
			await press(body.position + Vector2(20, 20))
			body.free()
			await let_go(Vector2(600, 300))
		await ticks(5)
	hook.free()
	var last := await soft()
	await ticks(5)
	check_sound(last, "the next one")


func test_holders_that_are_freed_let_go() -> void:
	var hook: Node2D = add(Node2D.new())
	hook.name = "Hook"
	hook.position = Vector2(526, 250)
	var body := await soft()
	body.set_point_pinned(0, true, "../Hook")
	await ticks(5)
	hook.position = Vector2(NAN, 0)
	await ticks(3)
	check_true(all_finite(body.get_points()), "held by what is nowhere")
	hook.position = Vector2(526, 250)
	await ticks(3)
	hook.free()
	await seconds(0.3)
	check_sound(body, "its holder is gone")


func test_it_is_reparented_while_it_moves() -> void:
	ground()
	var parents: Array[Node2D] = []
	for i in 3:
		parents.append(add(Node2D.new()))
		parents[i].position = Vector2(30 * i, -20 * i)
		parents[i].rotation = 0.5 * i
		parents[i].scale = Vector2(1 + 0.3 * i, 1 + 0.3 * i)
	var body := await soft()
	var before := middle(body)
	for i in 60:
		body.reparent(parents[i % 3])
		await ticks(1)
		check_sound(body, "parent %d" % (i % 3))
		check_le(middle(body).distance_to(before), 40.0, "tick %d: jump, px" % i)
		before = middle(body)
	await seconds(3.0)
	check_sound(body, "at the end")
	check_le(box_of(body).end.y, GROUND + DEEPEST_PX, "on the ground")


func test_source_and_size_change_while_it_moves() -> void:
	ground()
	var body := make_soft({polygon = _circle(12, 60.0)})
	var child := Polygon2D.new()
	child.polygon = _circle(9, 40.0)
	body.add_child(child)
	add(body)
	var hand := body.grab(body.position, 200)
	check_ge(hand, 0, "hand")
	for i in 120:
		body.source = [0, 1, 2, 4][i % 4]
		if i % 7 == 0:
			body.size = Vector2(40 + i, 160 - i)
		if i % 5 == 0:
			body.spacing = 10 + i % 20
		if i % 11 == 0:
			hand = body.grab(middle(body), 200)
		await ticks(1)
		check_sound(body, "tick %d" % i)
		check_le(body.linear_velocity.length(), 5000.0, "tick %d: speed" % i)
	await seconds(2.0)
	check_sound(body, "at the end")


func test_its_size_changes_while_it_is_grabbed() -> void:
	ground()
	var body := await soft()
	for i in 60:
		var hand := body.grab(middle(body) + Vector2(20, 20), 100)
		check_ge(hand, 0, "hand")
		body.size = Vector2(60 + 2 * i, 60 + i)
		if i % 2 == 0:
			body.particle_count = Vector2i(3 + i % 5, 4 + i % 3)
		await ticks(1)
		check_sound(body, "tick %d" % i)
	await seconds(1.0)
	check_sound(body, "at the end")


func test_gravity_a_million_times_as_strong_is_survived() -> void:
	var floor_body := ground()
	var space := get_tree().root.world_2d.space
	var usual: Variant = PhysicsServer2D.area_get_param(space, PhysicsServer2D.AREA_PARAM_GRAVITY)
	for factor: float in [1e2, 1e4, 1e6, -1e6]:
		var body := await soft()
		PhysicsServer2D.area_set_param(
			space, PhysicsServer2D.AREA_PARAM_GRAVITY, float(usual) * factor
		)
		await seconds(1.0)
		check_true(all_finite(body.get_points()), "gravity x %s: finite" % factor)
		var deep := box_of(body).end.y - GROUND
		note("gravity x %s: %.2f px deep, top speed %.0f" % [factor, deep, top_speed(body)])
		if factor > 0.0 and factor < 1e5:
			check_le(deep, DEEPEST_PX, "gravity x %s: px deep" % factor)
		PhysicsServer2D.area_set_param(space, PhysicsServer2D.AREA_PARAM_GRAVITY, usual)
		body.teleport(Transform2D(0, Vector2(576, 300)))
		await seconds(4.0)
		check_sound(body, "gravity x %s: afterwards" % factor)
		check_near(body.get_area(), 1e4, 200.0, "gravity x %s: area afterwards" % factor)
		check_le(off_shape(body), SHAPE_OFF, "gravity x %s: shape afterwards" % factor)
		body.free()
	check_true(is_instance_valid(floor_body), "the ground")


func test_places_that_are_no_numbers_are_refused_while_it_moves() -> void:
	ground()
	var body := await soft()
	await ticks(10)
	for bad: float in [NAN, INF, 1e30]:
		# The engine's own nodes may be as far away as they like.
		if bad != 1e30:
			expect_soft_error(body, "teleport(): ")
			body.teleport(Transform2D(0, Vector2(bad, 0)), true)
		expect_soft_error(body, "set_point_position(): ")
		body.set_point_position(3, Vector2(0, bad))
		expect_soft_error(body, "apply_central_impulse(): ")
		body.apply_central_impulse(Vector2(bad, 0))
		await ticks(1)
		check_sound(body, "after %s" % bad)
	# As far as it may go, and back.
	body.apply_central_impulse(Vector2(1e6, -1e6))
	body.angular_velocity = 1e4
	await ticks(10)
	check_true(all_finite(body.get_points()), "after a huge impulse")
	body.teleport(Transform2D(0, Vector2(576, 300)))
	await seconds(3.0)
	check_sound(body, "after a huge impulse")
	check_le(off_shape(body), SHAPE_OFF, "off its shape after a huge impulse")


func test_masks_and_shapes_that_come_and_go() -> void:
	var solid_body := ground()
	var body := await soft({contact_monitor = true, position = Vector2(576, 340)})
	for i in 120:
		body.collision_mask = [1, 0, 0xFFFFFFFF, 2][i / 7 % 4]
		if i % 13 == 0:
			solid_body.get_child(0).disabled = not solid_body.get_child(0).disabled
		if i % 17 == 0:
			solid_body.get_child(0).shape = [null, circle(300.0), rectangle(Vector2(400, 100))][
				i % 3
			]
		await ticks(1)
		check_sound(body, "tick %d" % i)
	solid_body.free()
	await ticks(5)
	check_eq(body.get_colliding_bodies(), [], "touches nothing")


func test_any_number_of_substeps_works() -> void:
	for substeps in range(0, 33, 1 if thorough else 4):
		ground()
		var body := await soft({substeps = substeps, position = Vector2(576, 200)})
		var measured := probe()
		await seconds(4.0)
		check_whole(body, measured, "%d substeps" % substeps)
		await clear()


func test_a_thousand_are_made_and_freed_in_one_tick() -> void:
	ground()
	for round_number in 3:
		var bodies: Array[SoftBody2D] = []
		for i in 1000:
			bodies.append(
				add(make_soft({position = Vector2(i, 300), particle_count = Vector2i(3, 3)}))
			)
		if round_number == 1:
			await ticks(1)
		for i in 1000:
			if round_number == 2:
				bodies[i].queue_free()
			else:
				bodies[i].free()
		await ticks(2)
	var body := await soft()
	await ticks(10)
	check_sound(body, "one after them")


func test_resources_that_go_away_do_no_harm() -> void:
	ground()
	var body := await soft({physics_material_override = material(0.5, 0.5)})
	body.texture = ImageTexture.create_from_image(
		Image.create_empty(4, 4, false, Image.FORMAT_RGBA8)
	)
	for i in 60:
		if i % 3 == 0:
			body.physics_material_override = null if i % 2 else material(i, 1.0)
			body.texture = null
		elif i % 3 == 1 and body.physics_material_override:
			body.physics_material_override.bounce = i * 0.1
			body.physics_material_override.friction = -i
		await ticks(1)
		check_sound(body, "tick %d" % i)
	body.physics_material_override = material(INF, NAN)
	await seconds(1.0)
	check_sound(body, "material that is no number")


func test_time_runs_at_any_speed() -> void:
	ground()
	var body := await soft()
	for factor: float in [0.0, 0.001, 50.0, 1.0]:
		await set_time_scale(factor)
		await ticks(30)
		check_sound(body, "time x %s" % factor)
	for rate: int in [10, 1000, 60]:
		await set_ticks_per_second(rate)
		await ticks(30)
		check_sound(body, "%d ticks/s" % rate)
	check_le(box_of(body).end.y, GROUND + DEEPEST_PX, "on the ground")


func test_copies_of_a_moving_body_live_on_their_own() -> void:
	ground()
	var body := await soft({particle_count = Vector2i(4, 3), stiffness = 321.0})
	await ticks(20)
	var copy: SoftBody2D = body.duplicate()
	add(copy)
	await ticks(5)
	check_sound(copy, "copy")
	check_eq(copy.stiffness, 321.0, "stiffness of the copy")
	check_eq(copy.get_point_count(), 12, "points of the copy")
	body.free()
	await seconds(1.0)
	check_sound(copy, "copy, when the first is gone")


func test_it_is_squeezed_where_there_is_no_room() -> void:
	# Walls that close up altogether, and go away.
	var left := solid(rectangle(Vector2(400, 400)), Vector2(300, 300))
	var right := solid(rectangle(Vector2(400, 400)), Vector2(852, 300))
	ground()
	var body := await soft()
	for i in 60:
		left.position.x += 1.5
		right.position.x -= 1.5
		await ticks(1)
	check_true(all_finite(body.get_points()), "squeezed")
	await seconds(1.0)
	check_true(all_finite(body.get_points()), "squeezed for a while")
	left.free()
	right.free()
	await seconds(6.0)
	check_sound(body, "let go")
	check_near(body.get_area(), 1e4, 200.0, "area")
	check_le(off_shape(body), SHAPE_OFF, "off its shape")


func test_it_is_laid_out_inside_of_a_solid_thing() -> void:
	for turned: float in [0.0, 0.7]:
		var block := solid(rectangle(Vector2(300, 300)), Vector2(576, 300), turned)
		var body := await soft({position = Vector2(590, 290)})
		await seconds(2.0)
		check_true(all_finite(body.get_points()), "inside of a block")
		check_le(body.linear_velocity.length(), 3000.0, "inside of a block: speed")
		block.free()
		ground()
		await seconds(6.0)
		check_sound(body, "the block is gone")
		check_le(off_shape(body), SHAPE_OFF, "the block is gone: off its shape")
		await clear()


func _circle(count: int, radius: float) -> PackedVector2Array:
	var corners := PackedVector2Array()
	for i in count:
		corners.append(Vector2.from_angle(TAU * i / count) * radius)
	return corners


## A star drawn in one stroke: it crosses itself.
func _star(count: int, radius: float) -> PackedVector2Array:
	var corners := PackedVector2Array()
	for i in count:
		corners.append(Vector2.from_angle(TAU * 2 * i / count) * radius)
	return corners
