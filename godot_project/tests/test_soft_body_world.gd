extends "res://tests/support/soft_scene_test.gd"
## Soft bodies dropped on all kinds of things, pressed, folded and turned inside out: nothing is
## ever deep in anything, and they come back into shape.

const RATES: Array[int] = [30, 60, 120]

## How long a body has to come to rest, in s.
const SETTLING := 10.0

## Of the plate that presses.
const PLATE := Vector2(600, 40)


## Presses a plate down to a gap above the ground, waits, and lifts it.
class Crusher:
	extends Node

	var plate: AnimatableBody2D
	var gap := 4.0
	## In s.
	var down := 0.7
	var wait := 1.0
	var time := 0.0

	func _physics_process(delta: float) -> void:
		time += delta
		var part := minf(time / down, 1.0)
		if time > down + wait:
			part = maxf(1.0 - (time - down - wait) / down, 0.0)
		plate.global_position.y = GROUND - lerpf(200.0, gap, part) - PLATE.y * 0.5


func time_limit() -> float:
	return 300.0


func test_dropped_on_a_floor_it_comes_back_into_shape() -> void:
	await _drop_on("floor", func() -> Array: return [])


func test_dropped_on_slopes_it_comes_back_into_shape() -> void:
	for degrees: float in [6.0, 20.0, 50.0]:
		var build := func() -> Array:
			var along := Vector2.from_angle(deg_to_rad(degrees))
			var top := Vector2(576, GROUND - 120.0)
			var at := top + along * 300.0 - along.orthogonal() * 100.0
			solid(rectangle(Vector2(1000, 200)), at, deg_to_rad(degrees))
			return []
		await _drop_on("slope of %s degrees" % degrees, build)


func test_dropped_on_a_spike_it_comes_back_into_shape() -> void:
	for half: float in [3.0, 20.0]:
		for aside: float in [0.0, 14.0, 45.0]:
			var build := func() -> Array:
				polygon(
					[Vector2(-half, 0), Vector2(0, -60), Vector2(half, 0)],
					Vector2(579 + aside, GROUND)
				)
				return []
			await _drop_on("spike %s px wide, %s px aside" % [2 * half, aside], build)


func test_dropped_on_tiles_it_comes_back_into_shape() -> void:
	var rows: PackedStringArray = [
		"                ",
		"    /\\   #      ",
		"#  /##\\ ##  /   ",
		"################",
	]
	for aside: float in [0.0, 40.0, 90.0, 150.0]:
		var build := func() -> Array:
			tiles(rows, Vector2(576 - 4 * 32 - aside, GROUND - 100))
			return []
		await _drop_on("tiles, %s px aside" % aside, build)


func test_dropped_on_a_moving_platform_it_comes_back_into_shape() -> void:
	for synced: bool in [true, false]:
		for way: Vector2 in [Vector2(300, 0), Vector2(0, -120), Vector2(200, -100)]:
			var build := func() -> Array:
				var platform := AnimatableBody2D.new()
				platform.sync_to_physics = synced
				body_with(
					platform, Vector2(500, GROUND - 60), [rectangle(Vector2(500, 30))], "Lift"
				)
				drive(platform, way, 100.0)
				return [platform]
			await _drop_on("platform along %s, synced %s" % [way, synced], build)


func test_dropped_on_a_turning_platform_it_is_never_deep_in_it() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		ground()
		var cross := AnimatableBody2D.new()
		var arms: Array[Shape2D] = [rectangle(Vector2(260, 20)), rectangle(Vector2(20, 260))]
		body_with(cross, Vector2(576, GROUND - 160), arms, "Cross")
		drive(cross, Vector2.ZERO, 0.0, 2.0)
		var body := await soft({position = Vector2(580, 20)})
		var measured := probe([cross])
		await seconds(SETTLING)
		check_whole(body, measured, "turning cross, %d ticks/s" % rate)
		await clear()


func test_pressed_flat_it_comes_back_into_shape() -> void:
	for gap: float in [40.0, 10.0, 4.0]:
		for rate in RATES:
			for count: int in [5, 10] if thorough else [5]:
				await set_ticks_per_second(rate)
				ground()
				var plate := AnimatableBody2D.new()
				plate.sync_to_physics = false
				var crusher := Crusher.new()
				crusher.plate = plate
				crusher.gap = gap
				body_with(plate, Vector2(576, 100), [rectangle(PLATE)], "Plate")
				var body := await soft(
					{position = Vector2(576, 348), particle_count = Vector2i(count, count)}
				)
				var measured := probe([plate])
				add(crusher)
				await seconds(1.5)
				var what := "pressed to %s px, %d points, %d ticks/s" % [gap, count, rate]
				check_le(box_of(body).size.y, gap + 2.0 * DEEPEST_PX, what + ": height")
				await seconds(SETTLING)
				check_whole(body, measured, what)
				check_le(top_speed(body), REST_SPEED, what + ": speed")
				await clear()


func test_folded_over_a_beam_and_let_go_it_comes_back_into_shape() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		ground()
		var beam := solid(rectangle(Vector2(12, 12)), Vector2(576, 150))
		var body := await soft(
			{
				size = Vector2(200, 30),
				particle_count = Vector2i(17, 4),
				stiffness = 30.0,
				self_collision = true,
				position = Vector2(578, 100),
			}
		)
		var measured := probe()
		await seconds(3.0)
		var what := "folded, %d ticks/s" % rate
		check_gt(box_of(body).size.y, 60.0, what + ": hangs down")
		check_le(measured.depth, DEEPEST_PX, "%s: px deep (%s)" % [what, measured.depth_at])
		beam.free()
		measured.free()
		measured = probe()
		await seconds(SETTLING)
		check_whole(body, measured, what)
		await clear()


func test_turned_inside_out_folded_or_scrambled_it_comes_back_into_shape() -> void:
	var ways := {
		mirrored = func(_i: int, at: Vector2) -> Vector2: return Vector2(-at.x, at.y),
		folded = func(_i: int, at: Vector2) -> Vector2: return Vector2(-absf(at.x), at.y),
		upside_down = func(_i: int, at: Vector2) -> Vector2: return Vector2(at.x, -at.y),
		in_one_point = func(_i: int, _at: Vector2) -> Vector2: return Vector2(3, 0),
		on_a_line = func(_i: int, at: Vector2) -> Vector2: return Vector2(at.x, 0),
		scrambled =
		func(i: int, _at: Vector2) -> Vector2: return Vector2.from_angle(2.4 * i) * (i * 7919 % 90),
	}
	for rate in RATES:
		await set_ticks_per_second(rate)
		for way: String in ways:
			for count: int in [3, 5, 8]:
				ground()
				var body := await soft(
					{position = Vector2(576, 280), particle_count = Vector2i(count, count)}
				)
				await ticks(1)
				var center := middle(body)
				for i in body.get_point_count():
					var offset := body.get_point_position(i) - center
					body.set_point_position(i, center + ways[way].call(i, offset))
				var measured := probe()
				await seconds(SETTLING)
				check_whole(body, measured, "%s, %d points, %d ticks/s" % [way, count, rate])
				await clear()


func test_pulled_through_itself_by_a_hand_it_comes_back_into_shape() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		ground()
		var body := await soft({position = Vector2(576, 350)})
		var measured := probe()
		var hand := body.grab(Vector2(528, 302), 10.0)
		check_ge(hand, 0, "hand")
		for i in rate:
			var part := i / float(rate)
			body.drag(hand, Vector2(528, 302).lerp(Vector2(800, 380), part))
			await ticks(1)
		body.release(hand)
		await seconds(SETTLING)
		check_whole(body, measured, "pulled through itself, %d ticks/s" % rate)
		await clear()


func _drop_on(what: String, build: Callable) -> void:
	for rate in RATES:
		for count: int in [4, 5, 8] if thorough else [5]:
			await set_ticks_per_second(rate)
			ground()
			var movers: Array[Node2D] = []
			movers.assign(build.call())
			var body := await soft(
				{position = Vector2(579, -20), particle_count = Vector2i(count, count)}
			)
			var measured := probe(movers)
			await seconds(SETTLING)
			var name := "%s, %dx%d, %d ticks/s" % [what, count, count, rate]
			check_whole(body, measured, name)
			if movers.is_empty():
				check_le(top_speed(body), REST_SPEED, name + ": speed")
			await clear()
