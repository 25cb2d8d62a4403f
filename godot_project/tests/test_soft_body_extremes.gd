extends "res://tests/support/soft_scene_test.gd"
## Materials of every kind after an impact at 2000 px/s: all is finite, at rest, and not inside out.

## What strikes the ground, in px/s.
const IMPACT := 2000.0

## Where the bodies are, apart from each other.
const STEP := Vector2(2500, 3000)
const COLUMNS := 12


func time_limit() -> float:
	return 400.0


func test_no_material_breaks_at_30_ticks() -> void:
	await _strike(30)


func test_no_material_breaks_at_60_ticks() -> void:
	await _strike(60)


func test_no_material_breaks_at_120_ticks() -> void:
	await _strike(120)


func test_no_material_breaks_at_240_ticks() -> void:
	await _strike(240)


func _strike(rate: int) -> void:
	await set_ticks_per_second(rate)
	var laid_out_before := _recoveries()
	var watch := InversionProbe.new()
	var bodies := _materials()
	for row in ceili(bodies.size() / float(COLUMNS)):
		var at := Vector2(COLUMNS * 0.5 * STEP.x, row * STEP.y + 50.0)
		solid(rectangle(Vector2((COLUMNS + 2) * STEP.x, 100)), at)
	for i in bodies.size():
		var row := floori(i / float(COLUMNS))
		bodies[i].position = Vector2((i % COLUMNS + 0.5) * STEP.x, row * STEP.y - 300.0)
		add(bodies[i])
		bodies[i].linear_velocity = Vector2(100, IMPACT)
		watch.watch(bodies[i])
	add(watch)
	await ticks(2)
	for body in bodies:
		check_near(body.linear_velocity.y, IMPACT, 0.1 * IMPACT, _name(body) + ": speed before")
	await seconds(10.0)
	check_eq(_recoveries() - laid_out_before, 0.0, "bodies laid out anew")
	var longest := 0
	var restless := PackedStringArray()
	for i in bodies.size():
		var body := bodies[i]
		var what := _name(body)
		if not check_true(all_finite(body.get_points()), what + ": finite"):
			continue
		check_true(body.global_transform.is_finite(), what + ": the node is somewhere")
		var speed := top_speed(body)
		if not speed <= REST_SPEED:
			restless.append("%s: %.1f px/s" % [what, speed])
		if body.area_stiffness == 0.0:
			continue
		longest = maxi(longest, watch.longest[i])
		check_le(watch.longest[i], MOST_INVERTED, what + ": ticks inside out")
	note("%d ticks/s: a triangle inside out for at most %d ticks" % [rate, longest])
	note("%d ticks/s: %d of %d materials restless" % [rate, restless.size(), bodies.size()])
	for line in restless:
		note("  restless: " + line)
	check_eq(restless.size(), 0, "not at rest: %s" % [restless.slice(0, 3)])


func _materials() -> Array[SoftBody2D]:
	var bodies: Array[SoftBody2D] = []
	var stiffnesses := [0.0, 1.0, 200.0, 1e4, 1e7] if thorough else [0.0, 200.0, 1e7]
	var masses := [0.001, 0.1, 1.0, 30.0, 1000.0] if thorough else [0.001, 1.0, 1000.0]
	var dampings := [0.0, 2.0, 100.0, 1e4] if thorough else [0.0, 1e4]
	var areas := [0.0, 1.0, 100.0, 1e4] if thorough else [0.0, 100.0]
	for stiffness: float in stiffnesses:
		for mass: float in masses:
			for damping: float in dampings:
				for area: float in areas:
					var settings := {
						stiffness = stiffness,
						mass = mass,
						damping = damping,
						area_stiffness = area,
						linear_damp = 1.0,
						rotation = 0.3 * (bodies.size() % 5),
						collision_radius = 1.0,
					}
					bodies.append(make_soft(settings))
	return bodies


func _name(body: SoftBody2D) -> String:
	var numbers := [body.stiffness, body.mass, body.damping, body.area_stiffness]
	return "stiffness %s, %s kg, damping %s, area %s" % numbers


## How many bodies were laid out anew so far.
func _recoveries() -> float:
	var id := &"supple/recoveries"
	return Performance.get_custom_monitor(id) if Performance.has_custom_monitor(id) else 0.0
