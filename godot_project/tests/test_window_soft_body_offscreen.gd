extends "res://tests/support/soft_test.gd"
## Soft bodies that pause where nobody sees them: [member SoftBody2D.offscreen_mode].

const AWAY := Vector2(5000, 0)


func test_a_falling_body_pauses_out_of_sight_and_goes_on_where_it_was() -> void:
	for mode: int in [SoftBody2D.OFFSCREEN_SIMULATE, SoftBody2D.OFFSCREEN_PAUSE]:
		var pauses := mode == SoftBody2D.OFFSCREEN_PAUSE
		var camera: Camera2D = add(Camera2D.new())
		camera.anchor_mode = Camera2D.ANCHOR_MODE_FIXED_TOP_LEFT
		var body := await soft({offscreen_mode = mode, gravity_scale = 0.1})
		await frames(3)
		check_gt(await _fall(body), 0.1, "mode %d: falls in sight, px" % mode)
		camera.position = AWAY
		await frames(4)
		var before := body.linear_velocity
		var way := await _fall(body)
		if pauses:
			check_eq(way, 0.0, "px fallen out of sight")
			await seconds(1.0)
			check_eq(body.linear_velocity, before, "velocity in the pause")
		else:
			check_gt(way, 0.1, "falls out of sight, px")
		camera.position = Vector2.ZERO
		await frames(4)
		check_gt(await _fall(body), 0.1, "mode %d: falls in sight again, px" % mode)
		if pauses:
			check_lt(body.linear_velocity.y, before.y + 60.0, "goes on with its speed")
		body.free()
		camera.free()


func test_a_body_that_is_put_out_of_sight_pauses_until_it_may_not() -> void:
	var body := await soft({offscreen_mode = SoftBody2D.OFFSCREEN_PAUSE, gravity_scale = 0.1})
	await frames(3)
	body.teleport(body.global_transform.translated(AWAY), true)
	await frames(4)
	check_eq(await _fall(body), 0.0, "px fallen out of sight")
	body.offscreen_mode = SoftBody2D.OFFSCREEN_SIMULATE
	await frames(4)
	check_gt(await _fall(body), 0.1, "falls when it is simulated, px")


func test_a_hidden_body_is_not_paused() -> void:
	var body := await soft({offscreen_mode = SoftBody2D.OFFSCREEN_PAUSE, gravity_scale = 0.1})
	await frames(3)
	body.hide()
	await frames(4)
	check_gt(await _fall(body), 0.1, "falls while it is hidden, px")


## How far it falls within some ticks, in px.
func _fall(body: SoftBody2D) -> float:
	var before := middle(body).y
	await ticks(10)
	return middle(body).y - before
