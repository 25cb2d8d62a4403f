extends "res://tests/support/contact_test.gd"
## One-way shapes: ropes come through from below and lie on from above.

const MIDDLE := Vector2(576, 324)


func test_a_rope_lies_on_a_one_way_body() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		_add_ledge()
		await _check_lies("body, %d ticks" % rate)


func test_a_rope_lies_on_one_way_tiles() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		_add_tiles()
		await _check_lies("tiles, %d ticks" % rate)


func test_a_rope_that_is_thrown_up_comes_through_a_one_way_body_and_lies_on_it() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for aslant: float in [0.0, 120.0]:
			_add_ledge()
			await _check_comes_through("body, aslant %s, %d ticks" % [aslant, rate], aslant)


func test_a_rope_that_is_thrown_up_comes_through_one_way_tiles_and_lies_on_them() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		for aslant: float in [0.0, 120.0]:
			_add_tiles()
			await _check_comes_through("tiles, aslant %s, %d ticks" % [aslant, rate], aslant)


func test_a_turned_one_way_body_is_met_along_its_own_direction() -> void:
	# Its upper side is to the left: what comes from the right goes through.
	for from_left: bool in [true, false]:
		_add_ledge().rotation = -PI / 2.0
		var side := -1.0 if from_left else 1.0
		var at := MIDDLE + Vector2(60.0 * side, -80)
		var rope := loose(at, at + Vector2(0, 160), {gravity_scale = 0.0, linear_damp = 0.0})
		await ticks(2)
		rope.apply_central_impulse(Vector2(-side * 400.0, 0) * rope.mass)
		await seconds(0.4)
		var through := (center_of(rope).x - MIDDLE.x) * side < 0.0
		check_eq(through, not from_left, "thrown from the left %s: came through" % from_left)
		await clear()


func test_the_solid_tiles_of_a_map_with_one_way_tiles_stop_a_rope_from_below() -> void:
	tile_map(["#########"], MIDDLE + Vector2(-144, 0))
	var rope := _below(0.0)
	await ticks(2)
	rope.apply_central_impulse(Vector2(0, -900) * rope.mass)
	var highest := INF
	for i in 60:
		await ticks(1)
		highest = minf(highest, center_of(rope).y)
	check_gt(highest, MIDDLE.y + 31.0, "height")


## A one-way body whose upper side is at the height of [constant MIDDLE].
func _add_ledge() -> StaticBody2D:
	var ledge := solid(rectangle(Vector2(300, 8)), MIDDLE, "Ledge")
	var shape: CollisionShape2D = ledge.get_child(0)
	shape.position.y = 4.0
	shape.one_way_collision = true
	return ledge


func _add_tiles() -> void:
	tile_map(["---------"], MIDDLE + Vector2(-144, 0))


func _below(aslant: float) -> VerletRope2D:
	var at := MIDDLE + Vector2(-60, 60)
	return loose(at, at + Vector2(120, aslant))


func _check_lies(what: String) -> void:
	var rope := loose(MIDDLE + Vector2(-80, -60), MIDDLE + Vector2(80, -40))
	var measured := probe([], true)
	await until_asleep([rope], 15.0)
	check_contacts(measured, what)
	check_true(rope.sleeping, what + ": asleep")
	check_near(center_of(rope).y, MIDDLE.y - RADIUS, 1.0, what + ": height")
	await clear()


func _check_comes_through(what: String, aslant: float) -> void:
	var rope := _below(aslant)
	await ticks(2)
	rope.apply_central_impulse(Vector2(0, -1200) * rope.mass)
	var highest := INF
	for i in Engine.physics_ticks_per_second:
		await ticks(1)
		highest = minf(highest, center_of(rope).y)
	check_lt(highest, MIDDLE.y - 80.0, what + ": height on its way up")
	await until_asleep([rope], 15.0)
	check_true(rope.sleeping, what + ": asleep")
	check_near(center_of(rope).y, MIDDLE.y - RADIUS, 1.5, what + ": height where it lies")
	await clear()
