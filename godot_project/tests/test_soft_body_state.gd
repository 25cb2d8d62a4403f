extends "res://tests/support/soft_test.gd"
## Saving the state of a soft body and going on from there.


func test_a_restored_body_goes_on_bit_for_bit() -> void:
	var body := await soft({mouse_grab = true})
	body.apply_impulse(Vector2(60, -80), body.position + Vector2(40, 0))
	await ticks(20)
	var state := body.get_state()
	var saved_at := body.global_transform
	var hashes := []
	for i in 60:
		await ticks(1)
		hashes.append(body.get_state_hash())
	var last := body.get_points()
	check_true(body.set_state(state), "restored")
	check_near(body.global_position, saved_at.origin, 0.01, "the node is back")
	for i in 60:
		await ticks(1)
		if not check_eq(body.get_state_hash(), hashes[i], "hash of tick %d" % i):
			return
	check_eq(body.get_points(), last, "points")


func test_another_body_takes_over_a_state_with_its_shape() -> void:
	var body := await soft(
		{particle_count = Vector2i(4, 6), size = Vector2(60, 90), stiffness = 500}
	)
	await ticks(10)
	var other := await soft({position = Vector2(100, 100)})
	check_true(other.set_state(body.get_state()), "restored")
	check_eq(other.get_points(), body.get_points(), "points")
	check_eq(other.stiffness, 500.0, "stiffness")
	check_near(other.global_position, body.global_position, 0.01, "place")
	check_eq(other.get_state_hash(), body.get_state_hash(), "hash")
	# Both are in one place.
	other.add_collision_exception_with(body)
	await ticks(10)
	check_eq(other.get_points(), body.get_points(), "points later")


func test_holders_are_found_again_by_their_paths() -> void:
	var hook: Node2D = add(Node2D.new())
	hook.name = "Hook"
	hook.position = Vector2(526, 250)
	var body := await soft()
	body.set_point_pinned(0, true, "../Hook")
	await ticks(10)
	var state := body.get_state()
	body.set_point_pinned(0, false)
	check_true(body.set_state(state), "restored")
	check_true(body.is_point_pinned(0), "held")
	hook.position.x += 30.0
	await ticks(2)
	check_near(body.get_point_position(0), hook.position, 1.0, "held by the hook")


func test_damaged_and_foreign_bytes_are_refused_and_change_nothing() -> void:
	var body := await soft()
	await ticks(5)
	var hash_before := body.get_state_hash()
	var state := body.get_state()
	check_true(not body.set_state(PackedByteArray()), "nothing")
	check_true(not body.set_state("foreign".to_utf8_buffer()), "foreign")
	check_true(not body.set_state(state.slice(0, state.size() / 2)), "half")
	for at in range(0, state.size(), 97):
		var damaged := state.duplicate()
		damaged[at] = damaged[at] ^ 0x55
		check_true(not body.set_state(damaged), "damaged at %d" % at)
	var rope: VerletRope2D = add(VerletRope2D.new())
	check_true(not body.set_state(rope.get_state()), "a rope's")
	check_true(not rope.set_state(state), "a body's on a rope")
	check_eq(body.get_state_hash(), hash_before, "state")


func test_hands_have_let_go_in_a_state() -> void:
	var body := await soft({gravity_scale = 0})
	var hand := body.grab(body.position, 100)
	check_ge(hand, 0.0, "handle")
	check_true(body.set_state(body.get_state()), "restored")
	expect_soft_error(body, "drag(): handle %d holds nothing" % hand)
	body.drag(hand, Vector2.ZERO)
