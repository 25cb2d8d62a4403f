extends "res://tests/support/gap_test.gd"
## How a rope looks in a picture: where it is, how wide, in which colour, and without a gap at
## nodes that move however they like.


func test_a_hanging_rope_is_drawn_where_its_points_are_in_its_colour_and_width() -> void:
	for width: float in [2.0, 10.0, 31.0]:
		var rope := await hang_asleep(
			{width = width, default_color = RED, length = 300, begin_cap_mode = 0, end_cap_mode = 0}
		)
		var image := await picture("rope_hanging_%d" % width)
		for y: int in [110, 250, 390]:
			var row := _red_in_row(image, y)
			check_near(row.size(), width, 1.0, "pixels across at y = %d" % y)
			var middle := (row[0] + row[-1] + 1) / 2.0
			check_near(middle, 576.0, 0.75, "middle at y = %d" % y)
		check_eq(_red_in_row(image, 95).size(), 0, "pixels above the start")
		check_eq(_red_in_row(image, 405).size(), 0, "pixels below the end")
		rope.free()


func test_a_swinging_rope_is_drawn_where_its_points_are() -> void:
	var rope := await hang(
		{width = 8.0, default_color = RED, length = 400, end_position = released_at(75.0)}
	)
	await seconds(0.5)
	# A picture takes a frame or two: it must not move on.
	rope.process_mode = Node.PROCESS_MODE_DISABLED
	var image := await picture("rope_swinging")
	var points := rope.get_points()
	for i in range(1, points.size() - 1):
		var at := Vector2i(points[i].floor())
		check_near(image.get_pixelv(at), RED, 0.05, "colour at point %d" % i)
		var aside := (points[i + 1] - points[i - 1]).normalized().orthogonal() * 9.0
		for side: Vector2 in [aside, -aside]:
			check_gt(
				_distance(image.get_pixelv(Vector2i(points[i] + side)), RED), 0.5, "beside %d" % i
			)


func test_a_bridge_and_a_taut_rope_are_drawn_from_end_to_end() -> void:
	var bridge := await hang_asleep(
		{
			position = Vector2(200, 150),
			width = 6.0,
			default_color = RED,
			length = 500,
			end_position = Vector2(350, 60),
			end_pinned = true,
		}
	)
	var taut := await hang(
		{
			position = Vector2(700, 100),
			width = 6.0,
			default_color = GREEN,
			end_position = Vector2(300, 200),
			end_pinned = true,
		}
	)
	await ticks(5)
	var image := await picture("rope_bridge_and_taut")
	for point in bridge.get_points().slice(1, -1):
		check_near(image.get_pixelv(Vector2i(point.floor())), RED, 0.05, "bridge at %s" % point)
	for i in range(1, 30):
		var at := taut.position + Vector2(10, 6.667) * i
		check_near(image.get_pixelv(Vector2i(at)), GREEN, 0.05, "taut rope at %s" % at)


func test_a_new_width_and_colour_show_on_a_sleeping_rope() -> void:
	# A thicker rope that collides looks around, and wakes for that.
	var rope := await hang_asleep({width = 4.0, default_color = GREEN, collision_mask = 0})
	rope.default_color = RED
	rope.width = 20.0
	await frames(2)
	check_true(rope.sleeping, "still asleep")
	var image := await picture("rope_recoloured")
	check_near(_red_in_row(image, 200).size(), 20.0, 1.0, "pixels across")


func test_transparency_and_modulate_show_once() -> void:
	var rope := await hang_asleep({width = 20.0, default_color = Color(1, 0, 0, 0.5)})
	var image := await picture("rope_transparent")
	check_near(image.get_pixel(576, 195), Color(0.5, 0, 0), 0.03, "half transparent")
	rope.modulate = Color(0.5, 1, 1)
	image = await picture("rope_modulated")
	check_near(image.get_pixel(576, 195), Color(0.25, 0, 0), 0.03, "modulated")


func test_a_turned_mirrored_and_scaled_rope_is_drawn_where_its_points_are() -> void:
	var parent: Node2D = add(Node2D.new())
	parent.transform = Transform2D(0.7, Vector2(-2, 2), 0.0, Vector2(500, 60))
	var rope := make_rope({position = Vector2(10, 5), width = 5.0, default_color = RED})
	parent.add_child(rope)
	await until_asleep([rope])
	var image := await picture("rope_transformed")
	for point in rope.get_points().slice(1, -1):
		check_near(image.get_pixelv(Vector2i(point.floor())), RED, 0.05, "at %s" % point)
	var row := _red_in_row(image, roundi(rope.global_position.y) + 200)
	check_near(row.size(), 10.0, 1.5, "pixels across")


func test_far_from_the_origin_it_looks_the_same() -> void:
	var images: Array[Image] = []
	for origin: Vector2 in [Vector2.ZERO, Vector2(1_000_448, -1_000_448)]:
		var camera: Camera2D = add(Camera2D.new())
		camera.position = origin
		var rope := await hang(
			{
				position = origin + Vector2(0, -200),
				width = 6.0,
				default_color = RED,
				end_position = released_at(60.0, 300.0),
				length = 300,
			}
		)
		await seconds(0.4)
		rope.process_mode = Node.PROCESS_MODE_DISABLED
		images.append(await picture("rope_far_%d" % images.size()))
		rope.free()
		camera.free()
	var different := 0
	for y in range(100, 500):
		var one := _red_in_row(images[0], y)
		var other := _red_in_row(images[1], y)
		if one.size() != other.size() or (one and absi(one[0] - other[0]) > 1):
			different += 1
	check_gt(_red_in_row(images[0], 200).size(), 3, "pixels of the rope")
	check_lt(different, 40, "rows that differ")


func test_a_hidden_rope_is_not_drawn_and_shows_where_it_has_moved_to() -> void:
	var rope := await hang({width = 10.0, default_color = RED, end_position = Vector2(200, 0)})
	await ticks(2)
	rope.visible = false
	await until_asleep([rope])
	var image := await picture("rope_hidden")
	check_eq(_red_in_row(image, 200).size(), 0, "pixels while hidden")
	rope.visible = true
	image = await picture("rope_shown_again")
	check_near(_red_in_row(image, 200).size(), 10.0, 1.0, "pixels when shown")


func test_no_gap_at_a_node_that_moves_fast_a_frame_for_each_tick() -> void:
	await _check_all_movers(60, false)


func test_no_gap_at_a_node_that_moves_fast_with_more_frames_than_ticks() -> void:
	# As 144 frames a second are to 60 ticks.
	await _check_all_movers(25, false)


func test_no_gap_with_physics_interpolation_a_frame_for_each_tick() -> void:
	await _check_all_movers(60, true)


func test_no_gap_with_physics_interpolation_and_more_frames_than_ticks() -> void:
	await _check_all_movers(25, true)


func test_no_gap_at_a_node_that_is_itself_not_interpolated() -> void:
	for when: Mover.When in Mover.When.values():
		await set_ticks_per_second(25)
		get_tree().physics_interpolation = true
		var rope := await hang({width = 6.0, default_color = RED})
		rope.physics_interpolation_mode = Node.PHYSICS_INTERPOLATION_MODE_OFF
		add_mark(rope)
		var mover := start_mover(rope, when)
		await check_gaps("node not interpolated, %s" % mover_text(when, 25, true))
		mover.free()
		rope.free()


func test_with_physics_interpolation_it_moves_evenly_in_every_frame() -> void:
	for interpolated: bool in [true, false]:
		await set_ticks_per_second(20)
		get_tree().physics_interpolation = interpolated
		var rope := await hang(
			{
				width = 12.0,
				default_color = RED,
				end_position = released_at(85.0, 300.0),
				length = 300
			}
		)
		await seconds(0.3)
		var places := PackedVector2Array()
		for i in 10:
			await RenderingServer.frame_post_draw
			places.append(_middle_of_red(get_viewport().get_texture().get_image()))
		var still := 0
		for i in range(1, places.size()):
			if places[i].distance_to(places[i - 1]) < 0.5:
				still += 1
		check_gt(places[0].distance_to(places[-1]), 15.0, "way in 9 frames")
		if interpolated:
			check_eq(still, 0, "frames in which nothing moved")
			for i in range(2, places.size()):
				var change := places[i] - 2.0 * places[i - 1] + places[i - 2]
				check_lt(change.length(), 2.0, "change of the way between frames")
		else:
			# Three frames show the same tick: the test above can tell.
			check_ge(still, 5, "frames in which nothing moved, without interpolation")
		rope.free()


func test_no_gap_below_a_fast_parent() -> void:
	for interpolated: bool in [false, true]:
		for when: Mover.When in Mover.When.values():
			await set_ticks_per_second(25)
			get_tree().physics_interpolation = interpolated
			var parent: Node2D = add(Node2D.new())
			var rope := make_rope({position = Vector2(20, 60), width = 6.0, default_color = RED})
			parent.add_child(rope)
			add_mark(rope)
			var mover := start_mover(parent, when)
			await check_gaps("parent, %s" % mover_text(when, 25, interpolated))
			mover.free()
			parent.free()


func test_no_gap_at_an_end_held_by_another_node_that_moves_fast() -> void:
	for when: Mover.When in Mover.When.values():
		if when != Mover.When.IDLE_TWEEN:
			await _check_held_end(when)


func test_no_gap_at_an_end_held_by_another_node_that_a_tween_moves() -> void:
	await _check_held_end(Mover.When.IDLE_TWEEN)


func _check_held_end(when: Mover.When) -> void:
	for rate: int in [60, 25]:
		for interpolated: bool in [false, true]:
			await set_ticks_per_second(rate)
			get_tree().physics_interpolation = interpolated
			var hook: Node2D = add(Node2D.new())
			var rope := await hang(
				{
					position = Vector2(576, 400),
					end_position = Vector2(0, -300),
					length = 800,
					width = 6.0,
					default_color = RED,
				}
			)
			await ticks(1)
			var last := rope.get_point_count() - 1
			hook.position = tip(rope)
			rope.set_point_pinned(last, true, str(rope.get_path_to(hook)))
			rope.set_pin_position(last, hook.position)
			add_mark(hook)
			var mover := start_mover(hook, when)
			await check_gaps("end, %s" % mover_text(when, rate, interpolated), true)
			mover.free()
			rope.free()
			hook.free()


func _check_all_movers(rate: int, interpolated: bool) -> void:
	for when: Mover.When in Mover.When.values():
		await set_ticks_per_second(rate)
		get_tree().physics_interpolation = interpolated
		var rope := await hang({width = 6.0, default_color = RED})
		add_mark(rope)
		var mover := start_mover(rope, when)
		await check_gaps(mover_text(when, rate, interpolated))
		mover.free()
		rope.free()


func _middle_of_red(image: Image) -> Vector2:
	var sum := Vector2.ZERO
	var count := 0
	for y in range(90, 410):
		for x in range(560, 890):
			if _distance(image.get_pixel(x, y), RED) < 0.3:
				sum += Vector2(x, y)
				count += 1
	return sum / maxi(count, 1)


func _red_in_row(image: Image, y: int) -> PackedInt32Array:
	var found := PackedInt32Array()
	for x in image.get_width():
		if _distance(image.get_pixel(x, y), RED) < 0.4:
			found.append(x)
	return found


func test_a_rope_is_drawn_while_it_moves_and_not_at_rest() -> void:
	for overridden: bool in [false, true]:
		var rope: VerletRope2D
		if overridden:
			rope = override_everything(make_rope({end_position = released_at(20.0)}))
			add(rope)
		else:
			rope = await hang({end_position = released_at(20.0)})
		await ticks(10)
		check_gt(Performance.get_custom_monitor(&"supple/draw_ms"), 0.0, "drawing awake")
		rope.sleeping = true
		await ticks(4)
		for i in 10:
			await ticks(1)
			check_eq(Performance.get_custom_monitor(&"supple/draw_ms"), 0.0, "drawing asleep")
		rope.free()


func test_a_rope_whose_carried_node_is_out_of_the_tree_is_drawn_where_its_points_are() -> void:
	var lamp := node_at(Vector2(300, 300), "Lamp")
	var rope := await hang(
		{
			end_mode = VerletRope2D.ATTACH_ROPE_CARRIES_NODE,
			end_node = ^"../Lamp",
			width = 6.0,
			default_color = RED,
		}
	)
	await ticks(10)
	var old := tip(rope)
	remove_child(lamp)
	rope.teleport(Transform2D(0.0, Vector2(800, 150)), true)
	await until_asleep([rope])
	var image := await picture("rope_carried_node_out_of_the_tree")
	var last := rope.get_point_count() - 1
	for place: Vector2 in [
		rope.get_point_position(last - 1).lerp(tip(rope), 0.3),
		rope.get_point_position(last - 1).lerp(tip(rope), 0.8),
	]:
		check_near(image.get_pixelv(Vector2i(place)), RED, 0.1, "its end, at %s" % place)
	for part: float in [0.3, 0.6, 0.9]:
		var way := Vector2i(tip(rope).lerp(old, part))
		check_gt(_distance(image.get_pixelv(way), RED), 0.3, "no rope on the way to the old place")
	lamp.free()
