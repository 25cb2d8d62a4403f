extends "res://tests/support/soft_scene_test.gd"
## What is changed before a soft body's first tick, while it lies, and while it is switched off.

## A needle stands on the ground, this wide and high.
const NEEDLE := Vector2(6, 60)


func test_edges_collide_after_the_points_are_counted_otherwise() -> void:
	for counts: Array in [[Vector2i(4, 6), Vector2i(6, 4)], [Vector2i(6, 4), Vector2i(4, 6)]]:
		ground()
		var body := await soft({particle_count = counts[0], position = Vector2(300, 340)})
		await seconds(2.0)
		var measured := probe()
		body.particle_count = counts[1]
		await seconds(1.0)
		var what := "%s to %s points" % counts
		check_whole(body, measured, what + ", lying")
		measured.free()
		await _drop_on_needle(body, what)
		await clear()


func test_edges_collide_after_a_rectangle_becomes_a_polygon() -> void:
	var corners := PackedVector2Array()
	for i in 25:
		corners.append(Vector2.from_angle(TAU * (i + 0.5) / 25.0 + PI / 2) * 50.0)
	var outline := {source = SoftBody2D.SOURCE_POLYGON, polygon = corners, spacing = 100.0}
	var example := await soft(outline)
	# With another number of points, and with as many as before.
	for count: Vector2i in [Vector2i(5, 5), _grid_of(example.get_point_count())]:
		ground()
		var body := await soft({position = Vector2(300, 340), particle_count = count})
		await seconds(2.0)
		var measured := probe()
		for property: String in ["polygon", "spacing", "source"]:
			body.set(property, outline[property])
		await seconds(1.0)
		var what := "%s to %d points" % [count, body.get_point_count()]
		check_sound(body, what)
		check_le(measured.depth, DEEPEST_PX, "%s, lying: px deep (%s)" % [what, measured.depth_at])
		measured.free()
		await _drop_on_needle(body, what)
		await clear()


func test_a_velocity_that_is_set_before_it_enters_the_tree_is_kept() -> void:
	var octagon := PackedVector2Array()
	for i in 8:
		octagon.append(Vector2.from_angle(TAU * i / 8.0) * 50.0)
	var velocity := Vector2(120, -300)
	for source: int in [0, 1, 2, 4]:
		for change: String in ["nothing", "size", "polygon", "position", "source"]:
			var body := SoftBody2D.new()
			body.gravity_scale = 0.0
			body.linear_damp = 0.0
			if change != "source":
				body.source = source
			if change != "polygon":
				body.polygon = octagon
			if source == SoftBody2D.SOURCE_CHILD_POLYGON:
				var child := Polygon2D.new()
				child.polygon = octagon
				body.add_child(child)
			body.linear_velocity = velocity
			var what := "source %d, %s set after it" % [source, change]
			match change:
				"size":
					body.size = Vector2(80, 60)
				"polygon":
					body.polygon = octagon
				"source":
					body.source = source
			body.position = Vector2(576, 300)
			check_near(body.linear_velocity, velocity, 0.1, what + ": as it is made")
			add(body)
			for tick in 3:
				await ticks(1)
				check_near(body.linear_velocity, velocity, 1.0, "%s: tick %d" % [what, tick])
			await ticks(27)
			check_near(body.linear_velocity, velocity, 3.0, what + ": after half a second")
			var way := velocity * 0.5
			check_near(middle(body), Vector2(576, 300) + way, 8.0, what + ": place")
			body.free()


func test_forces_on_a_body_that_is_switched_off_do_not_gather() -> void:
	var body := await soft({gravity_scale = 0.0, linear_damp = 0.0})
	var running := await soft(
		{gravity_scale = 0.0, linear_damp = 0.0, position = Vector2(300, 300)}
	)
	body.process_mode = Node.PROCESS_MODE_DISABLED
	await ticks(1)
	for i in 60:
		body.apply_point_force(12, Vector2(0, -2000))
		await ticks(1)
	check_eq(body.linear_velocity, Vector2.ZERO, "speed while it is off")
	body.process_mode = Node.PROCESS_MODE_INHERIT
	running.apply_point_force(12, Vector2(0, -2000))
	await ticks(2)
	# One tick of the force, at most.
	var once := running.linear_velocity.length()
	check_gt(once, 20.0, "speed by a tick of the force")
	check_le(body.linear_velocity.length(), once * 1.05, "speed when it is on again")
	await seconds(0.5)
	check_le(top_speed(body), 60.0, "its points' speed")
	check_le(body.position.distance_to(Vector2(576, 300)), 30.0, "way")


func test_a_body_that_was_saved_asleep_falls_where_there_is_no_floor() -> void:
	var solid_body := ground()
	var body := await soft({position = Vector2(576, 340)})
	await _sleep(body)
	check_true(body.sleeping, "asleep")
	var state := body.get_state()
	body.free()
	solid_body.free()
	for wait: int in [0, 5, 300]:
		var other := await soft({position = Vector2(100, 0), gravity_scale = 1.0})
		await ticks(wait)
		check_true(other.set_state(state), "restored")
		check_near(other.position.y, 350.0, 3.0, "where it was saved")
		await seconds(0.5)
		check_gt(other.position.y, 420.0, "falls, restored after %d ticks" % wait)
		other.free()
	# With a floor it goes on sleeping, or falls asleep again without a move.
	ground()
	var last := await soft({position = Vector2(100, 0)})
	check_true(last.set_state(state), "restored with a floor")
	var points := last.get_points()
	await _sleep(last)
	check_true(last.sleeping, "asleep on a floor")
	check_le(largest_distance(last.get_points(), points), 1.0, "px moved on a floor")


## Lets it fall onto a needle with the middle of each part of its outline, and looks how deep that
## gets.
func _drop_on_needle(body: SoftBody2D, what: String) -> void:
	var tip := Vector2(900, GROUND - NEEDLE.y)
	var half := Vector2(NEEDLE.x * 0.5, 0)
	polygon(PackedVector2Array([-half, Vector2(0, -NEEDLE.y), half]), Vector2(tip.x, GROUND))
	# As it is at rest, around its node.
	body.reset()
	var outline := body.global_transform.affine_inverse() * body.get_outline()
	for i in outline.size():
		var from := outline[i]
		var to := outline[(i + 1) % outline.size()]
		# What looks outwards is turned downwards.
		var turned := Vector2.DOWN.angle() - (to - from).angle() + PI / 2
		var at := tip + Vector2(0, -10) - ((from + to) * 0.5).rotated(turned)
		body.global_transform = Transform2D(turned, at)
		body.linear_velocity = Vector2.ZERO
		body.angular_velocity = 0.0
		var measured := probe()
		await seconds(0.6)
		var name := "%s, part %d of the outline" % [what, i]
		check_sound(body, name)
		check_le(measured.nearest, DEEPEST_PX, name + ": touched the needle")
		check_le(measured.depth, DEEPEST_PX, "%s: px deep (%s)" % [name, measured.depth_at])
		measured.free()


## A grid of so many points.
func _grid_of(count: int) -> Vector2i:
	for side in range(floori(sqrt(count)), 1, -1):
		if count % side == 0:
			return Vector2i(side, count / side)
	fail("no grid has %d points" % count)
	return Vector2i(5, 5)


func _sleep(body: SoftBody2D) -> void:
	for i in 600:
		if body.sleeping:
			return
		await ticks(1)
