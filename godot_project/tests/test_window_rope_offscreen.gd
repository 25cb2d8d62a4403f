extends "res://tests/support/rope_test.gd"
## Ropes that pause where nobody sees them: [member VerletRope2D.offscreen_mode].

const AWAY := Vector2(5000, 0)


## A rope that swings for ever, in the middle of the screen.
func _swinging(mode: int) -> VerletRope2D:
	var rope := await hang(
		{
			offscreen_mode = mode,
			end_position = released_at(60.0),
			linear_damp = 0.0,
			air_drag = 0.0,
		}
	)
	await frames(3)
	return rope


## Whether the rope's tip moves within some ticks.
func _moves(rope: VerletRope2D) -> bool:
	var before := rope.get_state_hash()
	await ticks(4)
	return rope.get_state_hash() != before


func test_it_pauses_outside_of_the_screen_and_goes_on_where_it_was() -> void:
	for mode: int in [VerletRope2D.OFFSCREEN_SIMULATE, VerletRope2D.OFFSCREEN_PAUSE]:
		var pauses := mode == VerletRope2D.OFFSCREEN_PAUSE
		var camera: Camera2D = add(Camera2D.new())
		camera.anchor_mode = Camera2D.ANCHOR_MODE_FIXED_TOP_LEFT
		var rope := await _swinging(mode)
		check_true(await _moves(rope), "mode %d: moves in sight" % mode)
		camera.position = AWAY
		await frames(4)
		check_eq(await _moves(rope), not pauses, "mode %d: moves out of sight" % mode)
		var tip_before := tip(rope)
		camera.position = Vector2.ZERO
		await frames(4)
		check_true(await _moves(rope), "mode %d: moves in sight again" % mode)
		if pauses:
			check_lt(tip(rope).distance_to(tip_before), 150.0, "way of the tip since it came back")
		await check_works(rope, "after its pause")
		rope.free()
		camera.free()


func test_it_goes_on_when_it_is_brought_into_sight_by_its_node() -> void:
	var rope := await _swinging(VerletRope2D.OFFSCREEN_PAUSE)
	rope.position += AWAY
	rope.teleport(rope.global_transform, true)
	await frames(4)
	check_true(not await _moves(rope), "still out of sight")
	rope.position -= AWAY
	await frames(4)
	check_true(await _moves(rope), "moves in sight")
	check_near(rope.get_point_position(0), rope.position, 0.01, "its start")


func test_a_hidden_rope_is_not_paused() -> void:
	var rope := await _swinging(VerletRope2D.OFFSCREEN_PAUSE)
	rope.hide()
	await frames(4)
	check_true(await _moves(rope), "moves while it is hidden")
	rope.show()
	await frames(4)
	check_true(await _moves(rope), "moves when it is shown")


func test_what_touches_something_is_not_paused() -> void:
	# A platform that carries a rope out of sight and back.
	var body := AnimatableBody2D.new()
	body.sync_to_physics = false
	var holder := CollisionShape2D.new()
	holder.shape = RectangleShape2D.new()
	holder.shape.size = Vector2(400, 40)
	body.add_child(holder)
	body.position = Vector2(576, 320)
	add(body)
	var rope := await hang(
		{
			offscreen_mode = VerletRope2D.OFFSCREEN_PAUSE,
			position = Vector2(476, 290),
			end_position = Vector2(200, 0),
			start_pinned = false,
			linear_damp = 0.0,
			air_drag = 0.0,
		}
	)
	await seconds(1.0)
	for i in 300:
		body.position.x += minf(0.1 * i, 12.0)
		await ticks(1)
	await frames(2)
	var off := tip(rope).x - body.position.x
	check_gt(body.position.x, 2500.0, "where the platform is")
	check_lt(absf(off), 250.0, "where on it the rope is")


func test_switched_to_simulate_out_of_sight_it_goes_on() -> void:
	var rope := await _swinging(VerletRope2D.OFFSCREEN_PAUSE)
	rope.teleport(rope.global_transform.translated(AWAY), true)
	await frames(4)
	check_true(not await _moves(rope), "still out of sight")
	rope.offscreen_mode = VerletRope2D.OFFSCREEN_SIMULATE
	await frames(4)
	check_true(await _moves(rope), "moves")


func test_a_paused_rope_is_not_drawn_anew() -> void:
	await _swinging(VerletRope2D.OFFSCREEN_SIMULATE)
	await ticks(5)
	check_gt(await _drawing(), 0.0, "drawing while it swings")
	get_tree().paused = true
	await ticks(5)
	check_eq(await _drawing(), 0.0, "drawing in a pause")
	get_tree().paused = false
	await ticks(5)
	check_gt(await _drawing(), 0.0, "drawing afterwards")


func test_a_rope_that_pauses_out_of_sight_is_not_drawn_anew() -> void:
	var rope := await _swinging(VerletRope2D.OFFSCREEN_PAUSE)
	await ticks(5)
	check_gt(await _drawing(), 0.0, "drawing in sight")
	rope.teleport(rope.global_transform.translated(AWAY), true)
	await frames(5)
	await ticks(5)
	check_eq(await _drawing(), 0.0, "drawing out of sight")


## The most ms that drawing took in some ticks.
func _drawing() -> float:
	var most := 0.0
	for i in 10:
		await ticks(1)
		most = maxf(most, Performance.get_custom_monitor(&"supple/draw_ms"))
	return most
