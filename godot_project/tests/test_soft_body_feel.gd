extends "res://tests/support/soft_scene_test.gd"
## How a soft body feels by default, and that it feels the same with any number of points.

const RATES: Array[int] = [30, 60, 120, 240]

## Of the default body.
const SIDE := 100.0

## How far an extremum of the height is from that at rest at least, as a part of the size.
const VISIBLE := 0.02


func time_limit() -> float:
	return 240.0


func test_it_stands_wobbles_twice_rests_and_sleeps_after_a_fall() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		ground()
		var body := await soft({position = Vector2(576, GROUND - 300.0 - SIDE * 0.5)})
		var touch := -1
		var rest := -1
		var slept := -1
		var heights := PackedFloat64Array()
		for tick in 8 * rate:
			await ticks(1)
			var box := box_of(body)
			if touch < 0 and box.end.y > GROUND - 2.0:
				touch = tick
			if touch >= 0:
				heights.append(box.size.y)
			if top_speed(body) > REST_SPEED:
				rest = -1
			elif rest < 0 and touch >= 0:
				rest = tick
			if body.sleeping:
				slept = tick
				break
		var what := "%d ticks/s" % rate
		if (
			check_ge(touch, 0, what + ": touches the ground")
			and check_ge(slept, 0, what + ": sleeps")
		):
			var turns := extrema(heights, heights[-1])
			check_ge(turns.size(), 2, what + ": visible extrema of its height")
			check_le(turns.size(), 5, what + ": visible extrema of its height")
			check_le((rest - touch) / float(rate), 3.0, what + ": rests after landing, s")
			check_ge(heights[-1], 0.95 * SIDE, what + ": height, px")
			check_near(body.get_area(), SIDE * SIDE, AREA_OFF * SIDE * SIDE, what + ": area")
			check_le(off_shape(body), SHAPE_OFF, what + ": off its shape")
			var numbers := [what, heights[-1], turns, (rest - touch) / float(rate)]
			note("%s: stands %.2f px high, extrema %s, rests after %.2f s" % numbers)
			note("%s: sleeps after %.2f s" % [what, (slept - touch) / float(rate)])
		await clear()


func test_it_sags_the_same_with_any_number_of_points() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		var hanging := PackedFloat64Array()
		var standing := PackedFloat64Array()
		for count: int in [4, 8, 16]:
			ground()
			var settings := {particle_count = Vector2i(count, count), linear_damp = 3.0}
			var held := {
				pin_mode = SoftBody2D.PIN_SIDES, pin_sides = 1, position = Vector2(300, 200)
			}
			var hangs: SoftBody2D = add(make_soft(settings.merged(held)))
			var stands: SoftBody2D = add(make_soft(settings))
			await seconds(8.0)
			hanging.append(row_height(hangs, count - 1) - 250.0)
			standing.append(row_height(stands, count - 1) - row_height(stands, 0))
			await clear()
		_check_alike(hanging, "%d ticks/s: sag of the lower side of one that hangs, px" % rate)
		note("%d ticks/s: heights of one that stands: %s" % [rate, standing])
		for height in standing:
			check_near(height, standing[0], 0.5, "%d ticks/s: height of one that stands" % rate)


func test_it_wobbles_as_fast_with_any_number_of_points() -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		var periods := PackedFloat64Array()
		for count: int in [4, 8, 16]:
			var body := await soft(
				{
					particle_count = Vector2i(count, count),
					damping = 0.2,
					linear_damp = 0.0,
					pin_mode = SoftBody2D.PIN_SIDES,
					pin_sides = 1,
				}
			)
			var heights := PackedFloat64Array()
			for tick in 3 * rate:
				await ticks(1)
				heights.append(row_height(body, count - 1))
			periods.append(period(heights) / rate)
			await clear()
		_check_alike(periods, "%d ticks/s: period of its wobble, s" % rate)


func test_a_fall_looks_the_same_with_any_number_of_points() -> void:
	await set_ticks_per_second(120)
	var lows := PackedFloat64Array()
	var times := PackedFloat64Array()
	for count: int in [4, 8, 16]:
		ground()
		var body := await soft(
			{particle_count = Vector2i(count, count), position = Vector2(576, GROUND - 350.0)}
		)
		var heights := PackedFloat64Array()
		for tick in 360:
			await ticks(1)
			if heights or box_of(body).end.y > GROUND - 2.0:
				heights.append(row_height(body, count - 1) - row_height(body, 0))
		var turns := extrema(heights, heights[-1])
		lows.append(turns[0] if turns else 0.0)
		times.append(heights.find(lows[-1]) / 120.0)
		await clear()
	_check_alike(times, "time from the strike to its lowest, s")
	note("lowest heights of 4x4, 8x8, 16x16: %s" % lows)
	for low in lows:
		check_near(SIDE - low, SIDE - lows[0], 0.1 * (SIDE - lows[0]), "how far it is pressed, px")


## The values at which a height turns round, further than [constant VISIBLE] from that at rest.
func extrema(heights: PackedFloat64Array, rest: float) -> PackedFloat64Array:
	var turns := PackedFloat64Array()
	for i in range(1, heights.size() - 1):
		var before := heights[i] - heights[i - 1]
		var after := heights[i + 1] - heights[i]
		var height := heights[i]
		if before * after > 0.0 or before == 0.0 or absf(height - rest) < VISIBLE * SIDE:
			continue
		# A tremble within one swing is no wobble: it counts on the other side of rest, or by its size.
		if turns and absf(height - turns[-1]) < VISIBLE * SIDE:
			continue
		turns.append(height)
	return turns


## The mean height of a row of points.
func row_height(body: SoftBody2D, row: int) -> float:
	var sum := 0.0
	var across := body.particle_count.x
	for x in across:
		sum += body.get_point_position(row * across + x).y
	return sum / across


## The mean time between two crossings upwards of the mean, in ticks.
func period(values: PackedFloat64Array) -> float:
	var mean := 0.0
	for value in values:
		mean += value / values.size()
	var crossings := PackedFloat64Array()
	for i in range(1, values.size()):
		var before := values[i - 1] - mean
		var after := values[i] - mean
		if before < 0.0 and after >= 0.0:
			crossings.append(i - after / (after - before))
	if crossings.size() < 2:
		return NAN
	return (crossings[-1] - crossings[0]) / (crossings.size() - 1)


func _check_alike(values: PackedFloat64Array, what: String) -> void:
	note("%s: %s" % [what, values])
	for value in values:
		check_near(value / values[0], 1.0, 0.1, what + ": %s against %s" % [value, values[0]])
