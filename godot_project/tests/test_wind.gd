extends "res://tests/support/wind_test.gd"
## [Wind2D]: what it blows, and where.


func test_its_defaults() -> void:
	var wind := Wind2D.new()
	check_eq(wind.velocity, Vector2(300, 0), "velocity")
	check_near(wind.turbulence, 0.35, 1e-6, "turbulence")
	check_eq(wind.gust_period, 3.0, "gust_period")
	check_eq(wind.radius, 0.0, "radius")
	wind.free()
	var rope := VerletRope2D.new()
	check_eq(rope.wind_scale, 1.0, "wind_scale")
	rope.free()


func test_gusts_travel_with_the_air() -> void:
	var wind := turbulent(BREEZE)
	wind.turbulence = 0.6
	await ticks(3)
	var here := PackedVector2Array()
	var there := PackedVector2Array()
	for i in 240:
		await ticks(1)
		here.append(wind.get_wind_at(HERE))
		there.append(wind.get_wind_at(HERE + BREEZE))
	var least := INF
	var most := 0.0
	for i in 180:
		check_near(there[i + 60], here[i], 1.0, "300 px down-wind, a second after tick %d" % i)
		least = minf(least, here[i].length())
		most = maxf(most, here[i].length())
	check_gt(most - least, 60.0, "change of the wind")


func test_its_node_s_rotation_turns_it_and_its_scale_does_not_count() -> void:
	var wind := steady(BREEZE)
	await ticks(2)
	wind.rotation = PI / 2
	check_near(wind.get_wind_at(HERE), Vector2(0, SPEED), 0.01, "turned")
	wind.scale = Vector2(7.0, 0.2)
	check_near(wind.get_wind_at(HERE), Vector2(0, SPEED), 0.01, "scaled")
	wind.rotation = 0.0
	wind.scale = Vector2(-3, 3)
	check_near(wind.get_wind_at(HERE), Vector2(-SPEED, 0), 0.01, "mirrored")
	wind.velocity = Vector2(30, 40)
	check_near(wind.get_wind_at(HERE), Vector2(-30, 40), 0.01, "mirrored, oblique")
	wind.scale = Vector2.ONE
	var parent: Node2D = add(Node2D.new())
	parent.rotation = PI
	wind.reparent(parent, false)
	check_near(wind.get_wind_at(HERE), Vector2(-30, -40), 0.01, "under a turned parent")


func test_a_radius_limits_it() -> void:
	var wind := steady(BREEZE)
	wind.position = HERE
	wind.radius = 100.0
	await ticks(1)
	check_eq(wind.get_wind_at(HERE + Vector2(0, 60)), BREEZE, "inside")
	check_eq(wind.get_wind_at(HERE + Vector2(0, 101)), Vector2.ZERO, "outside")
	var edge := wind.get_wind_at(HERE + Vector2(0, 90)).x
	check_true(edge > 0.0 and edge < SPEED, "weaker at the edge")
	wind.scale = Vector2(4, 1)
	check_eq(wind.get_wind_at(HERE + Vector2(0, 150)), BREEZE, "inside when scaled")
	check_eq(wind.get_wind_at(HERE + Vector2(201, 0)), Vector2.ZERO, "outside when scaled")
	wind.scale = Vector2(0, 0)
	check_eq(wind.get_wind_at(HERE + Vector2(1, 0)), Vector2.ZERO, "scaled to nothing")


func test_it_blows_in_every_shape_of_its_area() -> void:
	var circle := CircleShape2D.new()
	circle.radius = 50.0
	var rectangle := RectangleShape2D.new()
	rectangle.size = Vector2(100, 60)
	var capsule := CapsuleShape2D.new()
	capsule.radius = 30.0
	capsule.height = 140.0
	var convex := ConvexPolygonShape2D.new()
	convex.points = PackedVector2Array([Vector2(-40, 40), Vector2(0, -60), Vector2(40, 40)])
	var boundary := WorldBoundaryShape2D.new()
	boundary.normal = Vector2(0, -1)
	# A shape, a local place inside and one outside.
	var cases := [
		[circle, Vector2(20, 20), Vector2(40, 40)],
		[rectangle, Vector2(40, -20), Vector2(20, 40)],
		[capsule, Vector2(0, 58), Vector2(40, 0)],
		[convex, Vector2(0, 0), Vector2(30, -30)],
		[boundary, Vector2(500, 60), Vector2(0, -5)],
	]
	for case: Array in cases:
		var area: Area2D = add(Area2D.new())
		area.collision_layer = 0
		area.collision_mask = 0
		area.monitoring = false
		area.monitorable = false
		area.transform = Transform2D(0.7, Vector2(1.5, 1.5), 0.0, HERE)
		var collider := CollisionShape2D.new()
		collider.shape = case[0]
		collider.position = Vector2(30, -20)
		collider.rotation = 0.4
		area.add_child(collider)
		var wind := Wind2D.new()
		wind.velocity = BREEZE
		wind.turbulence = 0.0
		area.add_child(wind)
		await ticks(1)
		var what: String = case[0].get_class()
		var inside := collider.global_transform * (case[1] as Vector2)
		var outside := collider.global_transform * (case[2] as Vector2)
		var blows := BREEZE.rotated(0.7)
		check_gt(wind.get_wind_at(inside).dot(blows) / SPEED, 0.3 * SPEED, what + ": inside")
		check_eq(wind.get_wind_at(outside), Vector2.ZERO, what + ": outside")
		collider.disabled = true
		check_eq(wind.get_wind_at(inside), Vector2.ZERO, what + ": disabled")
		collider.disabled = false
		area.position += Vector2(-4500, 2300)
		check_eq(wind.get_wind_at(inside), Vector2.ZERO, what + ": moved away")
		inside = collider.global_transform * (case[1] as Vector2)
		check_gt(wind.get_wind_at(inside).length(), 0.3 * SPEED, what + ": moved along")
		area.free()


func test_it_blows_in_solid_polygons_of_its_area_and_in_no_lines() -> void:
	var area: Area2D = add(Area2D.new())
	area.position = HERE
	var polygon := CollisionPolygon2D.new()
	# A letter L.
	polygon.polygon = PackedVector2Array(
		[
			Vector2(0, 0),
			Vector2(40, 0),
			Vector2(40, 160),
			Vector2(200, 160),
			Vector2(200, 200),
			Vector2(0, 200)
		]
	)
	area.add_child(polygon)
	var wind := Wind2D.new()
	wind.turbulence = 0.0
	area.add_child(wind)
	await ticks(1)
	check_gt(wind.get_wind_at(HERE + Vector2(20, 60)).x, 100.0, "in the upright")
	check_gt(wind.get_wind_at(HERE + Vector2(150, 180)).x, 100.0, "in the foot")
	check_eq(wind.get_wind_at(HERE + Vector2(150, 60)), Vector2.ZERO, "in the corner")
	polygon.build_mode = CollisionPolygon2D.BUILD_SEGMENTS
	await ticks(1)
	check_eq(wind.get_wind_at(HERE + Vector2(20, 60)), Vector2.ZERO, "in an outline")
	polygon.free()
	await ticks(1)
	check_eq(wind.get_wind_at(HERE + Vector2(20, 60)), Vector2.ZERO, "without shapes")
	wind.radius = 100.0
	check_eq(wind.get_wind_at(HERE + Vector2(20, 30)), BREEZE, "a radius counts instead")


func test_hidden_it_blows_and_disabled_or_paused_it_does_not() -> void:
	var wind := steady(BREEZE)
	await ticks(1)
	wind.visible = false
	check_eq(wind.get_wind_at(HERE), BREEZE, "hidden")
	wind.process_mode = PROCESS_MODE_DISABLED
	check_eq(wind.get_wind_at(HERE), Vector2.ZERO, "disabled")
	wind.process_mode = PROCESS_MODE_INHERIT
	get_tree().paused = true
	check_eq(wind.get_wind_at(HERE), Vector2.ZERO, "paused")
	wind.process_mode = PROCESS_MODE_ALWAYS
	check_eq(wind.get_wind_at(HERE), BREEZE, "always")
	get_tree().paused = false
	remove_child(wind)
	check_eq(wind.get_wind_at(HERE), Vector2.ZERO, "outside the tree")
	add_child(wind)
	check_eq(wind.get_wind_at(HERE), BREEZE, "in the tree again")


func test_bad_values_are_refused_or_clamped() -> void:
	var wind := turbulent(BREEZE)
	wind.name = "Wind"
	var rope := await hang({air_drag = 5.0})
	var bad := {
		velocity = [Vector2(NAN, 0), Vector2(0, INF), Vector2(1e30, -1e30), Vector2(20_000, 0)],
		turbulence = [NAN, INF, -1.0, 100.0],
		gust_period = [NAN, INF, 0.0, -3.0, 1e30],
		radius = [NAN, INF, -5.0, 1e30],
	}
	for property: StringName in bad:
		var good: Variant = wind.get(property)
		for value: Variant in bad[property]:
			expect_error('Wind2D "Wind" (/root/%s/Wind): %s: ' % [_path(), property])
			wind.set(property, value)
			await ticks(2)
			check_true(all_finite(rope.get_points()), "%s = %s: finite" % [property, value])
			check_true(wind.get_wind_at(HERE).is_finite(), "%s = %s: the air" % [property, value])
			wind.set(property, good)
	expect_error("get_wind_at(): position", 2)
	check_eq(wind.get_wind_at(Vector2(NAN, 0)), Vector2.ZERO, "at NaN")
	check_eq(wind.get_wind_at(Vector2(0, -INF)), Vector2.ZERO, "at infinity")
	check_true(wind.get_wind_at(Vector2(1e30, -1e30)).is_finite(), "far away")
	for transform: Transform2D in [
		Transform2D(Vector2.ZERO, Vector2.ZERO, HERE),
		Transform2D(Vector2.RIGHT, Vector2.RIGHT, HERE)
	]:
		wind.transform = transform
		await ticks(2)
		check_true(wind.get_wind_at(HERE).is_finite(), "flat: the air")
	wind.velocity = Vector2(10_000, 0)
	wind.turbulence = 2.0
	wind.gust_period = 0.1
	for scale: float in [100.0, -100.0]:
		rope.wind_scale = scale
		await ticks(60)
		check_true(all_finite(rope.get_points()), "in a hurricane")
	wind.free()
	rope.wind_scale = 1.0
	rope.reset()
	await check_works(rope, "afterwards")


func test_bad_shapes_blow_nothing() -> void:
	var area: Area2D = add(Area2D.new())
	area.position = HERE
	var empty := CollisionShape2D.new()
	area.add_child(empty)
	var line := CollisionShape2D.new()
	line.shape = SegmentShape2D.new()
	area.add_child(line)
	var flat := CollisionShape2D.new()
	flat.shape = CircleShape2D.new()
	flat.scale = Vector2(1, 0)
	area.add_child(flat)
	var wind := Wind2D.new()
	area.add_child(wind)
	var rope := await hang_asleep()
	await ticks(5)
	check_true(rope.sleeping, "asleep")
	check_eq(wind.get_wind_at(HERE), Vector2.ZERO, "the air")


func _path() -> String:
	return str(get_path()).trim_prefix("/root/")
