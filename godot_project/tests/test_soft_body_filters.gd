extends "res://tests/support/soft_scene_test.gd"
## What goes through a soft body, and what does not.


func test_a_needle_goes_in_between_points_only_where_edges_do_not_collide() -> void:
	for precise: bool in [true, false]:
		ground()
		# Between two points, 25 px apart.
		polygon([Vector2(-1.5, 0), Vector2(0, -60), Vector2(1.5, 0)], Vector2(588.5, GROUND))
		var body := await soft({use_precise_collision = precise, position = Vector2(576, 200)})
		var measured := probe()
		await seconds(3.0)
		note("precise %s: %.1f px deep" % [precise, measured.depth])
		check_sound(body, "precise %s" % precise)
		if precise:
			check_le(measured.depth, DEEPEST_PX, "px deep (%s)" % measured.depth_at)
			check_le(measured.nearest, DEEPEST_PX, "touched")
		else:
			check_gt(measured.depth, 10.0, "px deep where points alone collide")
		await clear()


func test_precise_collision_can_be_switched_while_it_runs() -> void:
	ground()
	polygon([Vector2(-1.5, 0), Vector2(0, -60), Vector2(1.5, 0)], Vector2(588.5, GROUND))
	var body := await soft({use_precise_collision = false, position = Vector2(576, 200)})
	body.use_precise_collision = true
	var measured := probe()
	await seconds(3.0)
	check_le(measured.depth, DEEPEST_PX, "px deep (%s)" % measured.depth_at)
	check_le(measured.nearest, DEEPEST_PX, "touched")


func test_an_exception_that_is_taken_back_is_none() -> void:
	var solid_body := ground()
	var body := await soft({contact_monitor = true, position = Vector2(576, 340)})
	body.add_collision_exception_with(solid_body)
	body.remove_collision_exception_with(solid_body)
	check_eq(body.get_collision_exceptions(), [], "exceptions")
	await seconds(1.5)
	check_le(box_of(body).end.y, GROUND + DEEPEST_PX, "lowest point")
	check_eq(body.get_colliding_bodies(), [solid_body], "touches")
	# While it lies, perhaps asleep, and while it falls through.
	await seconds(3.0)
	body.add_collision_exception_with(solid_body)
	await seconds(0.5)
	check_gt(box_of(body).end.y, GROUND + 20.0, "falls through")
	body.position.y = 250.0
	body.linear_velocity = Vector2.ZERO
	body.remove_collision_exception_with(solid_body)
	await seconds(2.0)
	check_le(box_of(body).end.y, GROUND + DEEPEST_PX, "lowest point after it fell through")
	check_eq(body.get_colliding_bodies(), [solid_body], "touches again")


func test_a_collider_that_was_let_through_wakes_it() -> void:
	var wall := solid(rectangle(Vector2(400, 40)), Vector2(576, GROUND - 60.0))
	ground()
	var body := make_soft({position = Vector2(576, 200)})
	add(body)
	body.add_collision_exception_with(wall)
	await seconds(4.0)
	check_near(box_of(body).end.y, GROUND, DEEPEST_PX, "through the board, on the ground")
	body.teleport(Transform2D(0, Vector2(576, 200)))
	body.remove_collision_exception_with(wall)
	await seconds(4.0)
	check_near(box_of(body).end.y, GROUND - 80.0, DEEPEST_PX, "on the board")
