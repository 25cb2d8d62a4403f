extends "res://tests/support/presence_test.gd"
## A rope with a collision layer is there for others: players walk on it, rays and areas find it.


func _walk_across(box: bool, mass: float = 50.0, properties: Dictionary = {}) -> Dictionary:
	var bridge := make_bridge(properties)
	bridge.character_mass = mass
	var walker := make_walker(START + Vector2(-100, -10), box)
	await seconds(1.0)
	var rest := sag(bridge)
	walker.count_anew()
	walker.pace = 200.0
	var deepest := 0.0
	var most := -INF
	var least := INF
	var gaps := PackedFloat64Array()
	for i in roundi(4.5 * Engine.physics_ticks_per_second):
		await ticks(1)
		if walker.global_position.x > START.x + SPAN + 60.0:
			break
		deepest = maxf(deepest, sag(bridge))
		if walker.global_position.x > START.x + 20 and walker.global_position.x < START.x + SPAN - 20:
			gaps.append(gap(walker, bridge))
	gaps.sort()
	var found := {
		rest = rest,
		deepest = deepest,
		floor = walker.floor_part(),
		stuck = walker.stuck_ticks,
		ticks = walker.ticks,
		x = walker.global_position.x - START.x - SPAN,
		gap_min = gaps[0] if gaps else NAN,
		gap_max = gaps[-1] if gaps else NAN,
	}
	for child in get_children():
		child.free()
	await ticks(2)
	return found


func test_measure() -> void:
	for rate: int in [60]:
		await set_ticks_per_second(rate)
		for box: bool in [false, true]:
			for slack: float in [0.01, 0.02, 0.05]:
				for mass: float in [0.0, 50.0, 200.0]:
					var found := await _walk_across(box, mass, {slack = slack})
					print(rate, " box " if box else " capsule ", slack, " ", mass, " floor %.3f stuck %d/%d x %.0f rest %.0f deepest %.0f gap %.1f %.1f" % [found.floor, found.stuck, found.ticks, found.x, found.rest, found.deepest, found.gap_min, found.gap_max])
	check_true(true, "")


func test_trace() -> void:
	OS.set_environment("TRACE", "1")
	await set_ticks_per_second(60)
	print(await _walk_across(true, 200.0, {slack = 0.01}))
	OS.unset_environment("TRACE")
	check_true(true, "")
