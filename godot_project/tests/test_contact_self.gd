extends "res://tests/support/contact_test.gd"
## Ropes that collide with themselves.

const MIDDLE := Vector2(576, 324)

## How near the middle lines of a rope's turns may come: its width, less what contacts may sink in.
const NEAREST := 2.0 * RADIUS - DEEPEST


func time_limit() -> float:
	return 120.0


func test_a_rope_that_is_poured_onto_a_floor_piles_up() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		var heights := PackedFloat32Array()
		for itself: bool in [true, false]:
			var rope := _pour(itself)
			await seconds(2.5)
			var what := "%d ticks, with itself %s" % [rate, itself]
			check_le(worst_strain(rope), STRETCH, what + ": stretch")
			if itself:
				var least := await _least_distance(rope, 3.0)
				check_ge(least, NEAREST, what + ": px between its turns")
			heights.append(_height(rope))
			await clear()
		check_gt(heights[0], heights[1] + 6.0, "%d ticks: height of the pile, px" % rate)


func test_a_coil_comes_to_rest() -> void:
	var rope := _pour(true)
	var asleep := await until_asleep([rope], 30.0)
	check_true(asleep, "asleep (fastest point %s px/s)" % fastest(rope))


func test_a_rope_that_falls_over_itself_does_not_cross_itself() -> void:
	for itself: bool in [true, false]:
		var from := MIDDLE + Vector2(0, -100)
		var settings := {self_collision = itself, can_sleep = false, linear_damp = 0.0}
		held(from, from + Vector2(20, -299), settings)
		var least := await _least_distance(get_child(-1), 4.0)
		if itself:
			check_ge(least, NEAREST, "px between its turns")
		else:
			check_lt(least, 0.1, "px between the turns of a rope that may cross itself")
		await clear()


## A rope upright above a floor between two walls, that falls down into itself.
func _pour(itself: bool) -> VerletRope2D:
	solid(rectangle(Vector2(400, 40)), MIDDLE + Vector2(0, 20), "Floor")
	solid(rectangle(Vector2(20, 300)), MIDDLE + Vector2(-70, -150), "Left")
	solid(rectangle(Vector2(20, 300)), MIDDLE + Vector2(70, -150), "Right")
	var from := MIDDLE + Vector2(3, -620)
	return loose(from, MIDDLE + Vector2(-3, -20), {self_collision = itself})


## Of the turns of a rope, over so many seconds.
func _least_distance(rope: VerletRope2D, duration: float) -> float:
	var least := INF
	for i in roundi(duration * Engine.physics_ticks_per_second):
		await ticks(1)
		if i % 5 == 0:
			least = minf(least, _distance_of_turns(rope.get_points()))
	return least


## The least distance of two links that are not so near along the rope that they bend together.
func _distance_of_turns(points: PackedVector2Array) -> float:
	var least := INF
	for i in points.size() - 1:
		for j in range(i + 3, points.size() - 1):
			if points[i].distance_squared_to(points[j]) > 900.0:
				continue
			var pair := Geometry2D.get_closest_points_between_segments(
				points[i], points[i + 1], points[j], points[j + 1]
			)
			least = minf(least, pair[0].distance_to(pair[1]))
	return least


## Of what lies on the floor.
func _height(rope: VerletRope2D) -> float:
	var highest := INF
	for point in rope.get_points():
		highest = minf(highest, point.y)
	return MIDDLE.y - highest
