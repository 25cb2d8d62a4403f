extends "res://tests/support/rope_test.gd"
## Places along a rope, the nearest place, and impulses.


func test_samples_follow_the_points_and_stop_at_the_ends() -> void:
	for scale: Vector2 in [Vector2.ONE, Vector2(2, 2), Vector2(-1, 1)]:
		var rope := await hang({end_position = released_at(75.0), scale = scale})
		await ticks(14)
		var long := rope.get_current_length()
		var points := rope.get_points()
		check_near(rope.sample_baked(0.0), points[0], 0.001, "start")
		check_near(rope.sample_baked(long), points[-1], 0.01, "end")
		check_near(rope.sample_baked(long + 1000.0), points[-1], 0.001, "beyond the end")
		check_near(rope.sample_baked(INF), points[-1], 0.001, "infinitely far")
		check_near(rope.sample_baked(-5.0), points[0], 0.001, "before the start")
		check_near(rope.sample_baked(-INF), points[0], 0.001, "infinitely far before")
		var gone := 0.0
		for i in points.size() - 1:
			check_near(rope.sample_baked(gone), points[i], 0.01, "point %d" % i)
			var link := points[i].distance_to(points[i + 1])
			var middle := 0.5 * (points[i] + points[i + 1])
			check_near(rope.sample_baked(gone + 0.5 * link), middle, 0.01, "middle of %d" % i)
			gone += link
		rope.free()


func test_the_nearest_offset_leads_back_to_the_place() -> void:
	var rope := await hang({end_position = released_at(75.0)})
	await ticks(20)
	var offset := 0.0
	while offset <= 200.0:
		var place := rope.sample_baked(offset)
		check_near(rope.get_closest_offset(place), offset, 0.05, "offset")
		check_near(rope.get_closest_point(place), place, 0.01, "place")
		offset += 3.7
	var random := RandomNumberGenerator.new()
	for i in 200:
		var to := rope.position + Vector2(random.randfn(0, 300), random.randfn(0, 300))
		var nearest := rope.get_closest_point(to)
		var at := rope.get_closest_offset(to)
		check_near(rope.sample_baked(at), nearest, 0.01, "place of the nearest offset")
		var distance := nearest.distance_to(to)
		for place in rope.get_points():
			check_le(distance, place.distance_to(to) + 0.001, "a point that is nearer")
	check_near(rope.get_closest_offset(rope.position - Vector2(0, 900)), 0.0, 0.001, "above")


func test_transforms_point_along_the_rope_and_turn_evenly() -> void:
	var rope := await hang({end_position = released_at(75.0)})
	await ticks(25)
	var before := rope.sample_transform(0.0)
	check_near(before.x, link_direction(rope, 0), 0.001, "direction at the start")
	var largest := 0.0
	var bend := 0.0
	for i in range(1, 20):
		bend = maxf(bend, absf(link_direction(rope, i - 1).angle_to(link_direction(rope, i))))
	for i in range(1, 401):
		var now := rope.sample_transform(i * 0.5)
		check_near(now.origin, rope.sample_baked(i * 0.5), 0.001, "origin")
		check_near(now.x.length(), 1.0, 0.001, "length of the x axis")
		check_near(now.x.cross(now.y), 1.0, 0.001, "right handed")
		largest = maxf(largest, absf(now.x.angle_to(before.x)))
		before = now
	check_gt(bend, 0.02, "turn between two links")
	check_lt(largest, bend * 0.12 + 0.001, "largest turn in half a px")
	check_near(before.x, link_direction(rope, 19), 0.001, "direction at the end")


func test_sampled_velocities_are_those_of_the_points() -> void:
	var rope := await hang({end_position = released_at(75.0)})
	await ticks(25)
	check_near(rope.sample_velocity(0.0), Vector2.ZERO, 0.001, "held start")
	var gone := 0.0
	var points := rope.get_points()
	for i in 20:
		check_near(rope.sample_velocity(gone), rope.get_point_velocity(i), 1.0, "point %d" % i)
		gone += points[i].distance_to(points[i + 1])
	var middle := 0.5 * (rope.get_point_velocity(10) + rope.get_point_velocity(11))
	check_near(rope.sample_velocity(105.0), middle, 1.0, "middle of a link")
	check_gt(middle.length(), 20.0, "speed")


func test_samples_of_a_wound_rope_and_outside_the_tree() -> void:
	var rope := make_rope()
	var origin := rope.get_point_position(0)
	check_near(rope.sample_baked(50.0) - origin, Vector2(0, 50), 0.01, "outside the tree")
	var aside := rope.get_closest_offset(origin + Vector2(90, 80))
	check_near(aside, 80.0, 0.01, "nearest, outside the tree")
	add(rope)
	await ticks(3)
	for i in 15:
		rope.length -= 7.0
		await ticks(1)
		check_near(rope.sample_baked(rope.length), tip(rope), 0.1, "end of a wound rope")
	check_near(rope.sample_transform(50.0).get_rotation(), PI / 2, 0.05, "direction")


func test_a_central_impulse_gives_its_momentum() -> void:
	for load_mass: float in [0.0, 2.0]:
		for scale: float in [1.0, 2.0]:
			var rope := await _floating(
				{end_mass = load_mass, mass = 0.8, scale = Vector2.ONE * scale}
			)
			var impulse := Vector2(120, -70)
			rope.apply_central_impulse(impulse)
			await ticks(1)
			check_near(_momentum(rope), impulse, impulse.length() * 0.01, "momentum")
			rope.free()


func test_an_impulse_at_a_place_gives_its_momentum_there() -> void:
	for at: float in [0.0, 70.0, 100.0, 200.0]:
		var rope := await _floating({mass = 0.8})
		var impulse := Vector2(0, 30)
		rope.apply_impulse(impulse, rope.sample_baked(at) + Vector2(3, 8))
		await ticks(1)
		check_near(_momentum(rope), impulse, impulse.length() * 0.01, "momentum at %s" % at)
		var fastest_at := 0
		for i in rope.get_point_count():
			if rope.get_point_velocity(i).y > rope.get_point_velocity(fastest_at).y:
				fastest_at = i
		check_near(fastest_at, at / 10.0, 1.01, "the fastest point")
		rope.free()


func test_a_radial_impulse_pushes_away_and_a_negative_one_pulls() -> void:
	for strength: float in [200.0, -200.0]:
		var rope := await _floating()
		var center := rope.position + Vector2(100, 40)
		rope.apply_radial_impulse(center, strength, 90.0)
		await ticks(1)
		var above := rope.get_point_velocity(10).y
		check_lt(above * signf(strength), -10.0, "velocity above the center, %s" % strength)
		check_near(rope.get_point_velocity(0), Vector2.ZERO, 40.0, "velocity out of reach")
		check_near(_momentum(rope).x, 0.0, 2.0, "sideways momentum")
		rope.free()
	var rope := await _floating()
	rope.apply_radial_impulse(rope.position + Vector2(100, 40), 200.0, 30.0)
	rope.apply_radial_impulse(rope.position, 0.0, 100.0)
	rope.apply_radial_impulse(rope.position, 100.0, 0.0)
	await ticks(1)
	check_near(_momentum(rope), Vector2.ZERO, 0.5, "momentum of a blast out of reach")


func test_impulses_wake_a_sleeping_rope_and_do_not_move_held_points() -> void:
	for kind: String in ["point", "central", "radial"]:
		var rope := await hang_asleep()
		match kind:
			"point":
				rope.apply_impulse(Vector2(40, 0), tip(rope))
			"central":
				rope.apply_central_impulse(Vector2(40, 0))
			"radial":
				rope.apply_radial_impulse(tip(rope) - Vector2(20, 0), 80.0, 60.0)
		await ticks(4)
		check_true(not rope.sleeping, kind + ": awake")
		check_near(rope.get_point_position(0), rope.position, 0.001, kind + ": start")
		await ticks(10)
		check_gt(tip(rope).x, rope.position.x + 3.0, kind + ": way")
		check_lt(worst_strain(rope), EXACT, kind + ": strain")
		rope.free()


func test_a_stiff_rope_sticks_out_and_a_limp_one_hangs() -> void:
	var heights := []
	for stiff: bool in [false, true]:
		var rope := await hang(
			{
				length = 60.0,
				end_position = Vector2(60, 0),
				bend = 0.9 if stiff else 0.0,
				start_stiffness = 1.0 if stiff else 0.0,
			}
		)
		await seconds(5.0)
		heights.append(tip(rope).y - rope.position.y)
		if stiff:
			rope.rotation = PI / 2
			await seconds(5.0)
			check_near(tip(rope), rope.position + Vector2(0, 60), 5.0, "turned with its node")
			rope.start_stiffness = 0.0
			rope.rotation = 0.0
			await seconds(5.0)
			check_gt(tip(rope).y - rope.position.y, 50.0, "with a free direction")
		rope.free()
	check_gt(heights[0], 58.0, "droop of the limp one")
	check_lt(heights[1], 25.0, "droop of the stiff one")


func test_a_rope_bends_back_to_a_line_or_to_its_pose() -> void:
	var spans := []
	for rest: int in [VerletRope2D.BEND_STRAIGHT, VerletRope2D.BEND_EDITOR_POSE]:
		var rope := await hang(
			{
				length = 200.0,
				end_position = Vector2(100, 0),
				end_pinned = true,
				bend = 0.8,
				bend_rest = rest,
				gravity_scale = 0.0,
			}
		)
		rope.reset()
		await ticks(2)
		rope.end_pinned = false
		await seconds(4.0)
		spans.append(rope.get_point_position(0).distance_to(tip(rope)))
		rope.free()
	check_gt(spans[0], 180.0, "distance of the ends of a straight one")
	check_lt(spans[1], 150.0, "distance of the ends of one that keeps its pose")


## A straight rope without gravity, held nowhere.
func _floating(properties: Dictionary = {}) -> VerletRope2D:
	var usual := {
		gravity_scale = 0.0,
		linear_damp = 0.0,
		air_drag = 0.0,
		start_pinned = false,
		end_position = Vector2(200, 0),
	}
	usual.merge(properties, true)
	var rope := await hang(usual)
	await ticks(1)
	return rope


func _momentum(rope: VerletRope2D) -> Vector2:
	var sum := Vector2.ZERO
	var count := rope.get_point_count()
	var link_mass := rope.mass / (count - 1)
	for i in count:
		var own := link_mass * (0.5 if i in [0, count - 1] else 1.0)
		sum += rope.get_point_velocity(i) * (own + (rope.end_mass if i == count - 1 else 0.0))
	return sum
