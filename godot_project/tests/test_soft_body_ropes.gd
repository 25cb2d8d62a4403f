extends "res://tests/support/soft_test.gd"
## Ropes and soft bodies on each other.

const RATES: Array[int] = [30, 60, 120]


func test_a_rope_drapes_over_a_jelly_and_both_sleep() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		_floor()
		var body := await _jelly(Vector2(576, 369))
		var rope := await _falling(Vector2(480, 280), Vector2(680, 280))
		var deepest := 0.0
		for i in 6 * rate:
			await ticks(1)
			deepest = maxf(deepest, _overlap(rope, body))
		check_lt(deepest, 1.0, "%d: overlap" % rate)
		check_true(await _until_asleep(rope, body), "%d: asleep" % rate)
		check_lt(_highest(rope), 345.0, "%d: it lies on top" % rate)
		check_true(body.sleeping, "%d: the jelly sleeps" % rate)
		await after_each()


func test_a_bridge_carries_a_jelly() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		var rope := await hang(
			{
				position = Vector2(456, 300),
				length = 280.0,
				end_pinned = true,
				end_position = Vector2(240, 0),
			}
		)
		await until_asleep([rope])
		var body := await _jelly(Vector2(580, 260))
		var deepest := 0.0
		for i in 6 * rate:
			await ticks(1)
			deepest = maxf(deepest, _overlap(rope, body))
		check_lt(deepest, 2.0, "%d: overlap" % rate)
		check_lt(body.position.y, 370.0, "%d: carried" % rate)
		check_true(body.sleeping, "%d: the jelly rests" % rate)
		check_true(rope.sleeping, "%d: the rope rests" % rate)
		# What it lies on goes.
		rope.queue_free()
		await seconds(0.5)
		check_gt(body.position.y, 420.0, "%d: it falls when the rope is gone" % rate)
		await after_each()


func test_a_sleeping_rope_falls_when_its_jelly_is_gone() -> void:
	for way: String in ["freed", "moved"]:
		_floor()
		var body := await _jelly(Vector2(576, 369))
		var rope := await _falling(Vector2(480, 300), Vector2(680, 300))
		check_true(await _until_asleep(rope, body), way + ": asleep")
		if way == "freed":
			body.queue_free()
		else:
			body.position += Vector2(400, 0)
		await seconds(1.0)
		check_gt(_highest(rope), 350.0, way + ": it fell")
		await after_each()


func test_signals_name_each_other() -> void:
	_floor()
	var body := await _jelly(Vector2(576, 369), {contact_monitor = true})
	var rope := await _falling(
		Vector2(540, 280), Vector2(620, 280), {contact_monitor = true, impact_threshold = 1.0}
	)
	var of_body := count_emissions(body, "body_entered")
	var of_rope := count_emissions(rope, "body_entered")
	var impacts := [0]
	rope.impact.connect(
		func(other: Node2D, _p: int, _at: Vector2, _n: Vector2, _i: float) -> void:
			impacts[0] += int(other == body)
	)
	await seconds(1.0)
	check_true(of_body.has([rope]), "the jelly tells of the rope")
	check_true(of_rope.has([body]), "the rope tells of the jelly")
	check_gt(impacts[0], 0, "the strike is told of")
	check_true(rope.get_colliding_bodies().has(body), "bodies of the rope")
	check_true(body.get_colliding_bodies().has(rope), "bodies of the jelly")
	var left := count_emissions(rope, "body_exited")
	body.free()
	check_eq(left.size(), 1, "told of when it is freed")


func test_what_is_freed_in_a_handler() -> void:
	for which in 4:
		_floor()
		var body := await _jelly(Vector2(576, 369), {contact_monitor = true})
		var rope := await _falling(Vector2(540, 290), Vector2(620, 290), {contact_monitor = true})
		var teller: Node2D = body if which < 2 else rope
		var freed: int = (body if which % 2 == 0 else rope).get_instance_id()
		teller.connect(
			"body_entered",
			func(other: Node2D) -> void:
				if is_instance_id_valid(freed) and not other is StaticBody2D:
					instance_from_id(freed).queue_free()
		)
		await seconds(1.0)
		check_true(not is_instance_id_valid(freed), "%d: it was freed" % which)
		await after_each()


func test_masks_and_exceptions() -> void:
	for way: String in ["mask", "rope", "body", "layer"]:
		_floor()
		var body := await _jelly(Vector2(576, 369))
		var rope := await _falling(Vector2(520, 300), Vector2(640, 300))
		check_true(await _until_asleep(rope, body), way + ": asleep")
		match way:
			"mask":
				rope.collision_mask = 2
			"rope":
				rope.add_collision_exception_with(body)
			"body":
				body.add_collision_exception_with(rope)
			"layer":
				body.collision_layer = 2
		await seconds(1.0)
		check_gt(_highest(rope), 360.0, way + ": it falls through")
		await after_each()


func test_a_rope_that_is_tied_to_a_jelly_goes_through_it() -> void:
	var body := await _jelly(Vector2(576, 200), {pinned = true})
	var anchor := PointAnchor2D.new()
	add(anchor)
	anchor.body = anchor.get_path_to(body)
	anchor.point = 0
	await ticks(2)
	var rope := await hang({position = anchor.position, length = 100.0, start_node = NodePath()})
	rope.start_node = rope.get_path_to(anchor)
	await seconds(1.0)
	check_true(not rope.get_points().is_empty(), "there")
	rope.contact_monitor = true
	await ticks(2)
	check_eq(rope.get_colliding_bodies(), [], "touches nothing")


func test_wild_ropes_keep_jellies_sound() -> void:
	_floor()
	var bodies: Array[SoftBody2D] = []
	var ropes: Array[VerletRope2D] = []
	for i in 4:
		bodies.append(await _jelly(Vector2(400 + 90 * i, 360)))
		ropes.append(await _falling(Vector2(380, 280 - 20 * i), Vector2(760, 280 - 20 * i)))
	for i in 200:
		var rope := ropes[i % 4]
		rope.apply_point_impulse(i * 7 % rope.get_point_count(), Vector2.from_angle(i) * 200.0)
		if i % 20 == 0:
			rope.collision_mask = 1 - rope.collision_mask
			bodies[i % 3].scale = Vector2.ONE * (1.0 + 0.2 * (i % 3))
		await ticks(1)
	for i in 4:
		check_true(all_finite(ropes[i].get_points()), "rope %d" % i)
		check_true(all_finite(bodies[i].get_points()), "jelly %d" % i)


func _floor() -> StaticBody2D:
	return body_at(StaticBody2D.new(), Vector2(576, 450), rectangle(Vector2(2000, 100)))


func _jelly(at: Vector2, properties: Dictionary = {}) -> SoftBody2D:
	var settings := {position = at, size = Vector2(60, 60)}
	settings.merge(properties)
	return await soft(settings)


## A rope that nothing holds, laid out straight.
func _falling(from: Vector2, to: Vector2, properties: Dictionary = {}) -> VerletRope2D:
	var settings := {
		position = from,
		length = from.distance_to(to),
		end_pinned = true,
		end_position = to - from,
	}
	settings.merge(properties)
	var rope := await hang(settings)
	rope.start_pinned = false
	rope.end_pinned = false
	return rope


func _until_asleep(rope: VerletRope2D, body: SoftBody2D, limit: float = 10.0) -> bool:
	for i in ceili(limit * Engine.physics_ticks_per_second):
		if rope.sleeping and body.sleeping:
			return true
		await ticks(1)
	return false


func _highest(rope: VerletRope2D) -> float:
	var y := INF
	for point in rope.get_points():
		y = minf(y, point.y)
	return y


## How deep the middle line of a rope is in a rectangular jelly, in px.
func _overlap(rope: VerletRope2D, body: SoftBody2D) -> float:
	var count := body.particle_count
	var points := body.get_points()
	var outline := PackedVector2Array()
	for x in count.x:
		outline.append(points[x])
	for y in range(1, count.y):
		outline.append(points[(y + 1) * count.x - 1])
	for x in range(count.x - 2, -1, -1):
		outline.append(points[(count.y - 1) * count.x + x])
	for y in range(count.y - 2, 0, -1):
		outline.append(points[y * count.x])
	var deepest := 0.0
	for point in rope.get_points():
		if Geometry2D.is_point_in_polygon(point, outline):
			var least := INF
			for i in outline.size():
				var next := outline[(i + 1) % outline.size()]
				var near := Geometry2D.get_closest_point_to_segment(point, outline[i], next)
				least = minf(least, near.distance_to(point))
			deepest = maxf(deepest, least)
	return deepest
