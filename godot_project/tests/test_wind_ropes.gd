extends "res://tests/support/wind_test.gd"
## What ropes feel of a [Wind2D].

const GRAVITY := 980.0


## Moves a node evenly.
class Carrier:
	extends Node
	var target: Node2D
	var velocity := Vector2.ZERO

	func _physics_process(delta: float) -> void:
		target.position += velocity * delta


func test_a_scarf_trails_in_motion_as_in_a_wind() -> void:
	var air_drag := 5.0
	var expected := atan(air_drag / 1000.0 * SPEED * SPEED / GRAVITY)
	var moved := await hang({air_drag = air_drag, linear_damp = 0.0, can_sleep = false})
	var carrier := Carrier.new()
	carrier.target = moved
	carrier.velocity = Vector2(-SPEED, 0)
	add(carrier)
	await seconds(8.0)
	var trailing := await _mean_angle(moved, 5.0)
	check_near(trailing, expected, 0.1 * expected, "angle of the moved scarf")
	carrier.free()
	moved.free()
	steady(BREEZE)
	var blown := await hang({air_drag = air_drag, linear_damp = 0.0, can_sleep = false})
	await seconds(8.0)
	var hanging := await _mean_angle(blown, 5.0)
	check_near(hanging, expected, 0.1 * expected, "angle of the scarf in a wind")
	check_near(hanging, trailing, 0.1 * expected, "angles of both")


func test_the_mean_angle_does_not_depend_on_the_tick_rate() -> void:
	var angles := PackedFloat64Array()
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var rope := await hang({air_drag = 5.0, can_sleep = false})
		var wind := turbulent(BREEZE)
		await seconds(5.0)
		angles.append(await _mean_angle(rope, 10.0))
		rope.free()
		wind.free()
	check_gt(angles[1], 0.3, "mean angle")
	check_near(angles[0], angles[1], 0.03 * angles[1], "at 30 ticks a second")
	check_near(angles[2], angles[1], 0.03 * angles[1], "at 120 ticks a second")


func test_the_same_turbulent_wind_gives_the_same_bits() -> void:
	var hashes := PackedInt64Array()
	for run in 2:
		var rope := await hang({air_drag = 3.0})
		var wind := turbulent(BREEZE)
		rope.reset()
		await seconds(3.0)
		hashes.append(rope.get_state_hash())
		rope.free()
		wind.free()
		# However long the game goes on between both.
		await ticks(17)
	check_eq(hashes[0], hashes[1], "hash of the state")


func test_a_pause_changes_nothing() -> void:
	var hashes := PackedInt64Array()
	for paused_ticks: int in [0, 77]:
		var rope := await hang({air_drag = 3.0})
		var wind := turbulent(BREEZE)
		rope.reset()
		await seconds(1.0)
		get_tree().paused = paused_ticks > 0
		await ticks(paused_ticks)
		get_tree().paused = false
		await seconds(1.0)
		hashes.append(rope.get_state_hash())
		rope.free()
		wind.free()
	check_eq(hashes[0], hashes[1], "hash of the state")


func test_a_changed_geometry_is_seen() -> void:
	var area: Area2D = add(Area2D.new())
	area.position = HERE
	var collider := CollisionShape2D.new()
	var circle := CircleShape2D.new()
	circle.radius = 20.0
	collider.shape = circle
	area.add_child(collider)
	var wind := Wind2D.new()
	wind.turbulence = 0.0
	area.add_child(wind)
	var rope := await hang_asleep({position = HERE + Vector2(60, 0)})
	check_true(rope.sleeping, "asleep beside the area")
	circle.radius = 120.0
	await check_wakes(rope, "a larger shape")


func test_two_winds_add_up() -> void:
	steady(Vector2(200, 0))
	var other := steady(Vector2(100, 0))
	other.position = HERE
	other.radius = 1000.0
	var rope := await hang({air_drag = 5.0, linear_damp = 3.0, can_sleep = false})
	await seconds(6.0)
	var expected := atan(5.0 / 1000.0 * SPEED * SPEED / GRAVITY)
	check_near(_angle(rope), expected, 0.03 * expected, "angle")


func test_wind_scale_0_and_negative() -> void:
	steady(BREEZE)
	var angles := PackedFloat64Array()
	for wind_scale: float in [0.0, 1.0, -1.0]:
		var rope := await hang({air_drag = 5.0, linear_damp = 3.0, wind_scale = wind_scale})
		await seconds(6.0)
		angles.append(_angle(rope))
		rope.free()
	check_near(angles[0], 0.0, 0.01, "sheltered")
	check_gt(angles[1], 0.3, "blown")
	check_near(angles[2], -angles[1], 0.01, "blown against the wind")


func test_a_sleeping_rope_wakes_when_a_wind_appears_changes_moves_or_goes() -> void:
	var rope := await hang_asleep({air_drag = 2.0})
	var wind := steady(BREEZE)
	await check_wakes(rope, "appeared")
	var changes := {
		velocity = Vector2(250, 0),
		rotation = 0.3,
		radius = 500.0,
		position = Vector2(600, 150),
		process_mode = PROCESS_MODE_DISABLED,
	}
	for property: StringName in changes:
		await until_asleep([rope])
		check_true(rope.sleeping, "asleep before: " + property)
		wind.set(property, changes[property])
		await check_wakes(rope, property)
	await until_asleep([rope])
	wind.process_mode = PROCESS_MODE_INHERIT
	await check_wakes(rope, "enabled")
	await until_asleep([rope])
	wind.turbulence = 0.35
	await check_wakes(rope, "turbulence")
	await seconds(4.0)
	check_true(not rope.sleeping, "awake in gusts")
	wind.turbulence = 0.0
	await until_asleep([rope])
	check_true(rope.sleeping, "asleep in a steady wind")
	wind.free()
	await check_wakes(rope, "freed")
	await seconds(4.0)
	check_near(_angle(rope), 0.0, 0.01, "angle in still air")


func test_a_sleeping_rope_is_not_woken_by_what_does_not_reach_it() -> void:
	var beside := await hang_asleep({position = HERE, air_drag = 2.0})
	var vacuum := await hang_asleep({position = HERE + Vector2(300, 0), air_drag = 0.0})
	var sheltered := await hang_asleep({position = HERE + Vector2(350, 0), wind_scale = 0.0})
	var wind := turbulent(BREEZE)
	wind.radius = 150.0
	wind.position = HERE + Vector2(320, 50)
	for i in 20:
		wind.position += Vector2(0, 2)
		await ticks(1)
		for rope: VerletRope2D in [beside, vacuum, sheltered]:
			if not check_true(rope.sleeping, "asleep in tick %d" % i):
				return
	wind.position = HERE
	await check_wakes(beside, "the wind came over it")
	check_true(vacuum.sleeping and sheltered.sleeping, "the others sleep on")


func test_a_rope_that_slept_through_a_pause_notices_what_changed() -> void:
	var rope := await hang_asleep({air_drag = 2.0})
	rope.process_mode = PROCESS_MODE_DISABLED
	await ticks(2)
	var wind := steady(BREEZE)
	await ticks(5)
	rope.process_mode = PROCESS_MODE_INHERIT
	await check_wakes(rope, "a wind that came in the pause")
	await until_asleep([rope])
	rope.process_mode = PROCESS_MODE_DISABLED
	await ticks(2)
	wind.free()
	await ticks(5)
	rope.process_mode = PROCESS_MODE_INHERIT
	await check_wakes(rope, "a wind that went in the pause")


func test_a_reparented_wind_blows_where_it_is() -> void:
	var area: Area2D = add(Area2D.new())
	var collider := CollisionShape2D.new()
	collider.shape = CircleShape2D.new()
	(collider.shape as CircleShape2D).radius = 100.0
	area.add_child(collider)
	area.position = HERE
	var wind := steady(BREEZE)
	var viewport := SubViewport.new()
	viewport.world_2d = World2D.new()
	add(viewport)
	var rope := await hang({air_drag = 5.0, linear_damp = 3.0})
	var other := make_rope({air_drag = 5.0, linear_damp = 3.0})
	viewport.add_child(other)
	await seconds(5.0)
	check_gt(_angle(rope), 0.3, "in its world")
	check_near(_angle(other), 0.0, 0.01, "in another world")
	wind.reparent(viewport)
	await seconds(5.0)
	check_near(_angle(rope), 0.0, 0.02, "when it went to another world")
	check_gt(_angle(other), 0.3, "in its new world")
	wind.reparent(area, false)
	await seconds(5.0)
	check_near(_angle(other), 0.0, 0.02, "when it came back")
	check_gt(_angle(rope), 0.02, "in an area")
	viewport.world_2d = get_viewport().find_world_2d()
	await ticks(20)
	viewport.world_2d = World2D.new()
	await ticks(20)
	area.free()
	await ticks(5)
	check_true(not is_instance_valid(wind), "freed with its area")


func test_a_wind_waits_for_ropes() -> void:
	var wind := steady(BREEZE)
	await ticks(300)
	var rope := await hang({air_drag = 5.0, linear_damp = 3.0})
	await seconds(5.0)
	check_gt(_angle(rope), 0.3, "angle")
	wind.free()
	rope.free()
	await ticks(3)
	check_eq(Performance.get_custom_monitor(&"supple/bodies"), 0.0, "bodies")


func test_a_script_that_overrides_everything_stops_nothing() -> void:
	var wind: Wind2D = override_everything(Wind2D.new())
	wind.set("turbulence", 0.0)
	add(wind)
	var rope := await hang({air_drag = 5.0, linear_damp = 3.0})
	await seconds(5.0)
	check_gt(_angle(rope), 0.3, "angle")


func test_a_thousand_sleepers_under_a_far_wind_cost_little() -> void:
	var ropes: Array[VerletRope2D] = []
	var holder: Node2D = add(Node2D.new())
	for i in 1000:
		var rope := make_rope({position = Vector2(20.0 * (i % 50), 20.0 * floorf(i / 50.0))})
		holder.add_child(rope)
		ropes.append(rope)
	await until_asleep(ropes)
	var still := await _median_gather(null)
	var wind := turbulent(BREEZE)
	wind.radius = 200.0
	wind.position = Vector2(5000, 5000)
	await ticks(3)
	var far := await _median_gather(null)
	var moving := await _median_gather(wind)
	print("1000 sleepers, gather in ms: still %.3f, far %.3f, moving %.3f" % [still, far, moving])
	check_true(ropes.all(func(rope: VerletRope2D) -> bool: return rope.sleeping), "all asleep")
	if not OS.is_debug_build():
		check_lt(far - still, 0.1, "ms a tick for a far wind")
		check_lt(moving - still, 0.3, "ms a tick for a far wind that moves")


## The angle of the tip from straight down, towards +x.
func _angle(rope: VerletRope2D) -> float:
	var way := tip(rope) - rope.get_point_position(0)
	return atan2(way.x, way.y)


func _mean_angle(rope: VerletRope2D, duration: float) -> float:
	var sum := 0.0
	var count := roundi(duration * Engine.physics_ticks_per_second)
	for i in count:
		await ticks(1)
		sum += _angle(rope)
	return sum / count


func _median_gather(moved: Node2D) -> float:
	var times := PackedFloat64Array()
	for i in 61:
		if moved:
			moved.position += Vector2(1, 0)
		await ticks(1)
		times.append(Performance.get_custom_monitor(&"supple/gather_ms"))
	times.sort()
	return times[30]
