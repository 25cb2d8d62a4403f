extends "res://tests/support/soft_test.gd"
## Presets of soft bodies: what they set and leave, and that each moves as its name says.

const NAMES: Array[String] = ["Jelly", "Rubber", "Balloon", "Slime", "Tyre", "Lesson"]


func floor_at(y: float) -> void:
	body_at(StaticBody2D.new(), Vector2(576, y + 50), rectangle(Vector2(4000, 100)))


func height_of(body: SoftBody2D) -> float:
	return (
		bottom_of(body)
		- Array(body.get_outline()).map(func(at: Vector2) -> float: return at.y).min()
	)


func bottom_of(body: SoftBody2D) -> float:
	return Array(body.get_outline()).map(func(at: Vector2) -> float: return at.y).max()


func test_a_preset_sets_material_and_look_and_leaves_place_and_pins() -> void:
	for i in NAMES.size():
		var body := await soft({position = Vector2(100, 50), collision_mask = 4, mouse_grab = true})
		body.stiffness = 777
		body.shine = 0.123
		if i % 2:
			body.preset = i + 1
		else:
			body.apply_preset(NAMES[i].to_lower())
		check_true(body.stiffness != 777.0, NAMES[i] + ": stiffness")
		check_true(body.shine != 0.123, NAMES[i] + ": shine")
		check_eq(body.preset, 0, NAMES[i] + ": nothing is remembered")
		check_eq(body.collision_mask, 4, NAMES[i] + ": mask")
		check_true(body.mouse_grab, NAMES[i] + ": mouse grab")
		var lesson := NAMES[i] == "Lesson"
		check_eq(body.pin_mode, SoftBody2D.PIN_SIDES if lesson else SoftBody2D.PIN_NONE, NAMES[i])
		body.free()


func test_the_jelly_is_what_a_new_body_is() -> void:
	var jelly := make_soft()
	jelly.apply_preset("Slime")
	jelly.apply_preset("Jelly")
	var fresh := make_soft()
	for property: Dictionary in fresh.get_property_list():
		if property.usage & PROPERTY_USAGE_STORAGE:
			check_eq(jelly.get(property.name), fresh.get(property.name), property.name)
	jelly.free()
	fresh.free()


func test_balloons_and_tyres_are_round_but_a_polygon_stays_one() -> void:
	for kind: String in ["Balloon", "Tyre"]:
		var body := await soft()
		body.apply_preset(kind)
		check_eq(body.source, SoftBody2D.SOURCE_ELLIPSE, kind)
		body.source = SoftBody2D.SOURCE_POLYGON
		body.polygon = PackedVector2Array([Vector2.ZERO, Vector2(80, 0), Vector2(0, 80)])
		body.apply_preset(kind)
		check_eq(body.source, SoftBody2D.SOURCE_POLYGON, kind + " of a polygon")
		body.free()


func test_dropped_from_300_px_each_is_like_its_name() -> void:
	floor_at(700.0)
	var least := {}
	var rebound := {}
	var landed := {}
	var bodies := {}
	for i in NAMES.size():
		var body := make_soft({position = Vector2(150 + 170 * i, 350)})
		body.apply_preset(NAMES[i])
		body.pin_mode = SoftBody2D.PIN_NONE
		bodies[NAMES[i]] = add(body)
		least[NAMES[i]] = 200.0
		rebound[NAMES[i]] = 0.0
	for tick in 480:
		await ticks(1)
		for kind: String in bodies:
			var body: SoftBody2D = bodies[kind]
			var bottom := bottom_of(body)
			if bottom > 696.0 and kind not in landed:
				landed[kind] = tick
			if kind in landed:
				least[kind] = minf(least[kind], height_of(body))
				if tick > landed[kind] + 3:
					rebound[kind] = maxf(rebound[kind], 700.0 - bottom)
	for kind: String in bodies:
		var body: SoftBody2D = bodies[kind]
		check_sound(body, kind)
		check_lt(body.linear_velocity.length(), 30.0, kind + " rests")
	check_gt(height_of(bodies["Jelly"]), 95.0, "the jelly stands")
	check_lt(least["Jelly"], 88.0, "and is pressed")
	check_gt(rebound["Rubber"], 60.0, "the rubber bounces")
	check_gt(rebound["Rubber"], 2.0 * rebound["Jelly"], "higher than the jelly")
	check_gt(landed["Balloon"], 1.6 * landed["Jelly"], "the balloon is slow")
	check_gt(bodies["Balloon"].get_area(), 1.08 * PI * 2500.0, "and blown up")
	check_lt(height_of(bodies["Slime"]), 90.0, "the slime is flat")
	check_lt(rebound["Slime"], 5.0, "and does not bounce")
	check_gt(height_of(bodies["Tyre"]), 96.0, "the tyre is firm")


func test_the_lesson_hangs_by_its_top_row() -> void:
	var body := await soft()
	body.apply_preset("Lesson")
	await ticks(1)
	check_eq(pinned(body), [0, 1, 2, 3, 4], "held points")
	check_eq(body.get_point_count(), 25, "points")
	check_eq(body.particle_mass, 1.0, "mass of a point")
	await seconds(4.0)
	check_near(body.position, Vector2(576, 300), 0.5, "the node leads")
	check_true(body.sleeping, "at rest")
