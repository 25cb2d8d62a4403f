extends "res://tests/support/rope_test.gd"
## Single points: reading, pinning, pushing them; and changing a rope's shape while it moves.


func test_points_are_counted_from_start_to_end() -> void:
	var rope := await hang({length = 120, segments = 6})
	check_eq(rope.get_point_count(), 7, "points of 6 segments")
	var points := rope.get_points()
	check_eq(points.size(), 7, "points")
	for i in 7:
		check_eq(rope.get_point_position(i), points[i], "point %d" % i)
		check_near(points[i], rope.position + Vector2(0, 20 * i), 0.01, "point %d" % i)
	rope.segments = 0
	check_eq(rope.get_point_count(), 13, "points of 120 px in pieces of 10 px")


func test_length_zero_is_the_distance_of_the_ends_and_some_slack() -> void:
	var rope := await hang({length = 0, end_pinned = true, end_position = Vector2(300, 0)})
	await seconds(1.0)
	check_near(rope.get_current_length(), 315.0, 0.4, "length")
	check_true(not rope.is_taut(), "slack")


func test_a_rope_held_at_both_ends_hangs_between_them_from_the_first_tick() -> void:
	var rope := await hang({end_pinned = true, end_position = Vector2(150, 40)})
	var first := rope.get_points()
	await seconds(4.0)
	check_lt(largest_distance(rope.get_points(), first), 1.0, "way to rest")
	check_eq(tip(rope), rope.position + Vector2(150, 40), "end")
	check_gt(rope.get_point_position(10).y, rope.position.y + 40.0, "height of the middle")


func test_ends_too_far_apart_give_a_straight_line() -> void:
	var rope := await hang({end_pinned = true, end_position = Vector2(300, 0)})
	await seconds(1.0)
	var points := rope.get_points()
	var last := points.size() - 1
	for i in points.size():
		check_near(points[i], rope.position + Vector2(300.0 * i / last, 0), 0.5, "point %d" % i)
	check_true(rope.is_taut(), "taut")
	rope.end_position = Vector2(120, 0)
	await seconds(1.0)
	check_true(not rope.is_taut(), "slack when nearer")
	check_lt(worst_strain(rope), EXACT, "strain when nearer")


func test_a_rope_held_nowhere_falls() -> void:
	var rope := await hang({start_pinned = false})
	await seconds(0.5)
	check_gt(rope.get_point_position(0).y, rope.position.y + 60.0, "way of the start")
	check_lt(worst_strain(rope), EXACT, "strain")


func test_a_pinned_point_is_held_by_the_node_and_let_go_again() -> void:
	var rope := await hang()
	check_true(rope.is_point_pinned(0), "the start is pinned")
	check_true(not rope.is_point_pinned(10), "no other is")
	rope.set_point_pinned(10, true)
	check_true(rope.is_point_pinned(10), "pinned")
	var offset := rope.get_point_position(10) - rope.position
	for i in 30:
		rope.position.x += 4.0
		await ticks(1)
		check_near(rope.get_point_position(10), rope.position + offset, 0.001, "pinned point")
	rope.set_point_pinned(10, false)
	check_true(not rope.is_point_pinned(10), "let go")
	rope.set_point_pinned(0, false)
	check_true(not rope.start_pinned, "start_pinned follows")
	await seconds(0.5)
	check_gt(rope.get_point_position(0).y, rope.position.y + 60.0, "way of the start")


func test_a_pin_on_another_node_moves_and_turns_with_it() -> void:
	var rope := await hang()
	var hook: Node2D = add(Node2D.new())
	hook.position = Vector2(500, 200)
	var last := rope.get_point_count() - 1
	rope.set_point_pinned(last, true, str(rope.get_path_to(hook)))
	var local := hook.to_local(tip(rope))
	await ticks(1)
	check_near(tip(rope), Vector2(576, 300), 0.01, "it is held where it was")
	for i in 30:
		hook.position += Vector2(1, -2)
		hook.rotation += 0.01
		await ticks(1)
		check_near(tip(rope), hook.to_global(local), 0.01, "end")
	check_near(rope.get_point_position(0), rope.position, 0.001, "start")


func test_a_freed_node_lets_its_point_go() -> void:
	for how: String in ["free", "queue_free"]:
		var rope := await hang({end_position = released_at(80.0)})
		var hook: Node2D = add(Node2D.new())
		var last := rope.get_point_count() - 1
		rope.set_point_pinned(last, true, str(rope.get_path_to(hook)))
		await seconds(0.5)
		hook.call(how)
		await ticks(2)
		check_true(not rope.is_point_pinned(last), "let go after %s" % how)
		await seconds(0.5)
		check_lt(worst_strain(rope), EXACT, "strain after %s" % how)
		check_gt(tip(rope).y, rope.position.y + 60.0, "height of the tip after %s" % how)
		rope.free()


func test_a_pin_on_another_node_survives_changes_of_the_rope_s_shape() -> void:
	var rope := await hang({end_position = Vector2(100, 60)})
	var hook: Node2D = add(Node2D.new())
	hook.position = tip(rope)
	rope.set_point_pinned(rope.get_point_count() - 1, true, str(rope.get_path_to(hook)))
	await ticks(2)
	for change: Array in [["segments", 7], ["segments", 33], ["length", 260], ["segments", 0]]:
		rope.set(change[0], change[1])
		for i in 20:
			hook.position += Vector2(-3, -1)
			await ticks(1)
		var last := rope.get_point_count() - 1
		var what := "%s = %s" % change
		check_true(rope.is_point_pinned(last), "pinned after " + what)
		check_near(tip(rope), hook.position, 0.01, "end after " + what)
		check_lt(worst_strain(rope), EXACT, "strain after " + what)
	hook.free()
	await ticks(2)
	check_true(not rope.is_point_pinned(rope.get_point_count() - 1), "let go")


func test_a_pin_set_before_the_first_tick_stays() -> void:
	var rope := make_rope()
	var hook: Node2D = add(Node2D.new())
	hook.position = Vector2(600, 200)
	add(rope)
	rope.set_point_pinned(20, true, str(rope.get_path_to(hook)))
	rope.mass = 2.0
	rope.width = 7.0
	rope.length = 220.0
	await ticks(2)
	var last := rope.get_point_count() - 1
	check_true(rope.is_point_pinned(last), "pinned")
	var before := tip(rope)
	hook.position += Vector2(10, -10)
	await ticks(1)
	check_near(tip(rope), before + Vector2(10, -10), 0.01, "end")


func test_a_point_set_before_the_first_tick_stays() -> void:
	await hang()
	var rope := make_rope()
	add(rope)
	rope.set_point_position(20, rope.position + Vector2(150, 0))
	await ticks(1)
	check_near(tip(rope), rope.position + Vector2(150, 0), 2.0, "tip")


func test_set_pin_position_moves_a_pin() -> void:
	var rope := await hang({end_pinned = true, end_position = Vector2(100, 0)})
	rope.set_pin_position(20, rope.position + Vector2(120, 30))
	await ticks(1)
	check_near(tip(rope), rope.position + Vector2(120, 30), 0.001, "end")
	check_near(rope.end_position, Vector2(120, 30), 0.001, "end_position")
	rope.set_point_pinned(10, true)
	rope.set_pin_position(10, rope.position + Vector2(60, 40))
	await seconds(0.5)
	check_near(rope.get_point_position(10), rope.position + Vector2(60, 40), 0.001, "middle")
	check_lt(worst_strain(rope), EXACT, "strain")


func test_set_point_position_moves_a_free_point_and_keeps_lengths_and_velocity() -> void:
	var rope := await hang({can_sleep = false})
	await ticks(5)
	rope.set_point_position(20, rope.position + Vector2(100, 50))
	check_near(tip(rope), rope.position + Vector2(100, 50), 0.1, "tip")
	check_lt(fastest(rope), 20.0, "speed")
	check_lt(worst_strain(rope), EXACT, "strain")
	await ticks(1)
	check_near(tip(rope), rope.position + Vector2(100, 50), 1.0, "tip after a tick")
	rope.set_point_position(20, rope.position + Vector2(5000, 0))
	check_near(tip(rope), rope.position + Vector2(200, 0), 1.0, "as near as the start lets it")


func test_an_impulse_changes_the_velocity_by_itself_over_the_mass_of_the_point() -> void:
	var rope := await hang({mass = 2.0, gravity_scale = 0.0})
	await ticks(2)
	# An inner point has a twentieth of the mass, an end half of that.
	rope.apply_point_impulse(10, Vector2(3, 0))
	check_near(rope.get_point_velocity(10), Vector2(30, 0), 0.1, "velocity of an inner point")
	rope.apply_point_impulse(20, Vector2(3, 0))
	check_near(rope.get_point_velocity(20), Vector2(60, 0), 0.1, "velocity of the end")
	rope.apply_point_impulse(0, Vector2(3, 0))
	await ticks(1)
	check_eq(rope.get_point_position(0), rope.position, "the held start")


func test_a_lasting_force_holds_the_tip_aside() -> void:
	var rope := await hang({mass = 2.0, linear_damp = 4.0})
	for i in 300:
		# As strong as the rope's weight, at its end.
		rope.apply_point_force(20, Vector2(2.0 * 980.0, 0))
		await ticks(1)
	var way := tip(rope) - rope.position
	# The upper parts carry half of the rope's weight and the force: tan = 1 / 0.5 in the mean.
	check_gt(way.x, 150.0, "way to the side")
	check_lt(fastest(rope), 20.0, "speed")
	await until_asleep([rope])
	check_near(tip(rope), rope.position + Vector2(0, 200), 2.0, "tip when nothing pushes any more")


func test_mass_makes_no_difference_to_a_rope_alone() -> void:
	var light := await hang({mass = 0.1, end_position = released_at(50.0)})
	var heavy := await hang({mass = 50.0, end_position = released_at(50.0)})
	light.reset()
	await seconds(1.0)
	check_lt(largest_distance(light.get_points(), heavy.get_points()), 0.5, "difference")


func test_gravity_scale_and_damping_act() -> void:
	var up := await hang({gravity_scale = -1.0, end_position = released_at(120.0)})
	var floating := await hang({gravity_scale = 0.0, end_position = Vector2(200, 0)})
	var syrup := await hang({linear_damp = 30.0, end_position = Vector2(200, 0)})
	var vacuum := await hang({linear_damp = 0.0, air_drag = 0.0, end_position = Vector2(200, 0)})
	await seconds(0.5)
	check_gt(tip(vacuum).y - 100.0, tip(syrup).y - 100.0 + 30.0, "fall without damping")
	check_near(tip(floating), floating.position + Vector2(200, 0), 0.01, "tip without gravity")
	await seconds(5.0)
	check_lt(tip(up).y, up.position.y - 100.0, "height of the tip pulled upwards")


func test_the_closest_point_is_found_within_a_distance() -> void:
	var rope := await hang()
	var near := rope.position + Vector2(5, 52)
	check_eq(rope.get_closest_point_index(near), 5, "closest point")
	check_eq(rope.get_closest_point_index(near, 6.0), 5, "within 6 px")
	check_eq(rope.get_closest_point_index(near, 5.0), -1, "within 5 px")
	check_eq(rope.get_closest_point_index(rope.position + Vector2(900, 900)), 20, "far away")


func test_reset_lays_it_out_at_rest_held_at_its_ends_only() -> void:
	var rope := await hang({end_position = released_at(70.0)})
	var first := rope.get_points()
	await seconds(0.5)
	rope.set_point_pinned(7, true)
	rope.reset()
	check_lt(largest_distance(rope.get_points(), first), 0.01, "way of a point")
	check_true(not rope.is_point_pinned(7), "the pin is gone")
	check_true(rope.is_point_pinned(0), "the start is pinned")
	check_eq(fastest(rope), 0.0, "speed")


func test_length_and_segments_change_in_motion_without_a_jolt() -> void:
	var rope := await hang({end_position = released_at(60.0), can_sleep = false})
	for i in 240:
		rope.length = 200.0 + 120.0 * sin(i * 0.05)
		if i % 20 == 0:
			rope.segments = 4 + i / 8
			check_eq(rope.get_point_count(), rope.segments + 1, "points")
		await ticks(1)
		check_lt(fastest(rope), 2500.0, "speed")
		if not check_lt(worst_strain(rope), 0.002, "strain at tick %d" % i):
			return
	check_near(rope.get_current_length(), rope.length, 0.5, "length")


func test_pins_change_in_motion() -> void:
	var rope := await hang({end_position = released_at(60.0), can_sleep = false})
	for i in 200:
		if i % 7 == 0:
			rope.start_pinned = not rope.start_pinned
		if i % 11 == 0:
			rope.end_pinned = not rope.end_pinned
			rope.end_position = Vector2(90, 90)
		if i % 5 == 0:
			rope.set_point_pinned(i % 21, not rope.is_point_pinned(i % 21))
		await ticks(1)
		if not check_true(all_finite(rope.get_points()), "finite at tick %d" % i):
			return
	for i in rope.get_point_count():
		rope.set_point_pinned(i, i == 0)
	rope.reset()
	await check_works(rope, "afterwards")


func test_the_current_length_tells_stretch_and_scale() -> void:
	var exact := await hang({scale = Vector2(2, 2)})
	var taut := await hang({end_pinned = true, end_position = Vector2(0, 300)})
	var rubber := await hang({solver = 1, iteration_count = 1, substeps = 1, segments = 40})
	await seconds(2.0)
	check_near(exact.get_current_length(), 400.0, 0.4, "scaled by 2")
	check_near(taut.get_current_length(), 300.0, 0.1, "held too far apart")
	check_gt(rubber.get_current_length(), 220.0, "relaxed with one iteration")


func test_each_end_is_held_by_its_own_property_alone() -> void:
	var rope := await hang()
	rope.set_pin_position(0, rope.position + Vector2(60, 40))
	await ticks(2)
	rope.end_position = Vector2(50, 60)
	await ticks(2)
	check_near(rope.get_point_position(0), rope.position + Vector2(60, 40), 0.01, "start")
	rope.set_point_pinned(20, true)
	var held := rope.get_point_position(20)
	check_near(rope.end_position, held - rope.position, 0.01, "end_position")
	rope.start_pinned = false
	await ticks(10)
	check_near(rope.get_point_position(20), held, 0.01, "end")


func test_a_holder_out_of_the_tree_holds_on_until_it_is_freed() -> void:
	var rope := await hang()
	var hook := Node2D.new()
	add(hook)
	hook.position = tip(rope)
	rope.set_point_pinned(20, true, str(rope.get_path_to(hook)))
	remove_child(hook)
	await ticks(5)
	check_true(rope.is_point_pinned(20), "held while the hook is away")
	add_child(hook)
	hook.position += Vector2(30, -30)
	await ticks(2)
	check_near(tip(rope), hook.position, 0.01, "end on the hook that is back")
	hook.free()
	await ticks(2)
	check_true(not rope.is_point_pinned(20), "let go when it is freed")


func test_a_pin_on_a_node_that_is_nowhere_is_refused() -> void:
	var rope := await hang()
	var hook := Node2D.new()
	add(hook)
	hook.position = Vector2(NAN, 0)
	expect_error("attachment_path")
	rope.set_point_pinned(20, true, str(rope.get_path_to(hook)))
	await check_works(rope, "afterwards")


func test_moving_the_end_pin_of_an_automatic_rope_makes_it_longer() -> void:
	var rope := await hang({length = 0, end_position = Vector2(100, 0), end_pinned = true})
	rope.set_pin_position(rope.get_point_count() - 1, rope.position + Vector2(400, 0))
	await ticks(2)
	check_near(rope.get_current_length(), 420.0, 1.0, "length")
