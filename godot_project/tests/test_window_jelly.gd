extends "res://tests/support/soft_test.gd"
## The demo `jelly`, played with the mouse and the keys.

const SCENE := preload("res://demos/jelly/jelly.tscn")
const Toy := preload("res://demos/jelly/toy.gd")

var _demo: Node2D
var _supple: SoftBody2D
var _script: Node2D


func time_limit() -> float:
	return 240.0


func before_each() -> void:
	await super()
	_demo = add(SCENE.instantiate())
	_supple = _demo.get_node(^"%SuppleBody")
	_script = _demo.get_node(^"%ScriptBody")
	await frames(3)


func after_each() -> void:
	TranslationServer.set_locale("en")
	await super()


func test_the_jelly_is_dragged_by_its_lower_edge_wobbles_and_comes_to_rest() -> void:
	await seconds(1.0)
	await picture("jelly_lesson_hangs")
	var last := _supple.get_point_count() - 1
	var home := _supple.get_point_position(last)
	var to := home + Vector2(50, 50)
	await move_mouse(home)
	await press(home)
	await drag_on(home, to, 0.5)
	await ticks(6)
	await picture("jelly_lesson_dragged")
	check_near(_supple.get_point_position(last), to, 3.0, "the corner follows the mouse")
	check_near(_script.points[-1].position - to, Vector2(260, 0), 3.0, "so does the script's")
	await let_go(to)
	var turns := 0
	var farthest := 0.0
	var before := to
	var way := Vector2.ZERO
	for tick in 240:
		await ticks(1)
		if tick in [2, 5, 9, 14]:
			await picture("jelly_lesson_let_go_%02d" % tick)
		var now := _supple.get_point_position(last)
		turns += int((now - before).dot(way) < 0.0)
		way = now - before
		before = now
		farthest = maxf(farthest, now.distance_to(home))
		check_true(now.is_finite(), "the corner")
	check_ge(turns, 2, "how often the corner turns back")
	check_lt(farthest, 90.0, "how far it swings")
	await seconds(3.0)
	await picture("jelly_lesson_rests")
	check_near(_supple.get_point_position(last), home, 1.0, "it is back")
	check_true(_supple.sleeping, "it sleeps")


func test_the_sliders_set_what_they_are_called() -> void:
	for property: String in ["stiffness", "damping", "iteration_count", "gravity_scale"]:
		await _slide(property, 0.8)
		check_near(
			float(_script.get(property)),
			float(_supple.get(property)),
			0.001,
			property + " of the script"
		)
	check_gt(_supple.stiffness, 5000.0, "stiffness")
	check_near(_supple.damping, 80.0, 3.0, "damping")
	check_near(_supple.iteration_count, 16.0, 1.0, "iteration_count")
	check_near(_supple.gravity_scale, 2.8, 0.3, "gravity_scale")
	await _slide("particle_count", 0.3)
	check_eq(_supple.get_point_count(), _script.points.size(), "points")
	check_gt(_supple.get_point_count(), 36, "points")
	await _slide("shape_memory", 0.5)
	check_near(_supple.shape_memory, 0.5, 0.05, "shape_memory")
	await _slide("pressure", 0.2)
	check_near(_supple.pressure, 200.0, 40.0, "pressure")
	await picture("jelly_lesson_sliders")


func test_where_the_script_explodes_it_is_told_and_cleared_away() -> void:
	await _slide("stiffness", 0.95)
	var corner := _supple.get_point_position(_supple.get_point_count() - 1)
	await drag(corner, corner + Vector2(50, 50), 0.4)
	var fault: Label = _demo.get_node(^"%ScriptFault")
	var told := 0
	for tick in 120:
		await ticks(1)
		told += int(fault.text == "JELLY_EXPLODED")
		if told == 30:
			await picture("jelly_lesson_exploded")
	check_gt(told, 60, "ticks in which the label tells it")
	check_gt(_demo.get_node(^"%Lesson").explosions, 0, "explosions")
	await _slide("stiffness", 0.4)
	await seconds(3.0)
	await picture("jelly_lesson_cleared")
	check_eq(fault.text, "", "nothing is wrong any more")
	for point in _script.points:
		check_lt(
			point.position.distance_to(_script.global_position), 120.0, "a point of the script"
		)
	var back := _supple.get_point_position(_supple.get_point_count() - 1)
	check_near(back, corner, 8.0, "the native corner")


func test_no_slider_breaks_the_native_body() -> void:
	for property: String in _demo.get_node(^"%Lesson").SLIDERS.map(_name_of):
		if not property:
			continue
		for part: float in [0.99, 0.01]:
			await _slide(property, part)
			var corner := _supple.get_point_position(_supple.get_point_count() - 1)
			await drag(corner, corner + Vector2(-40, 40), 0.2)
			await ticks(30)
			var text := "%s at %s" % [property, _supple.get(property)]
			for point in _supple.get_points():
				var distance := point.distance_to(_supple.global_position)
				if not distance <= 2000.0:
					fail("%s: a point is %s away" % [text, distance])
					break
		await picture("jelly_lesson_slider_" + property)
		remove_child(_demo)
		_demo.free()
		await before_each()
	check_true(true, "all sliders were tried")


func test_the_toys_fall_rest_and_begin_anew() -> void:
	await key(KEY_2)
	var toys: Array[Toy] = _demo.get_node(^"%Shelf").toys()
	check_eq(toys.size(), 8, "toys")
	var starts := toys.map(func(toy: Toy) -> Vector2: return toy.global_position)
	var lowest := starts.map(func(start: Vector2) -> float: return start.y)
	var respawned := {}
	for tick in 1140:
		await ticks(1)
		for i in toys.size():
			if lowest[i] > starts[i].y + 40.0 and toys[i].global_position.y < starts[i].y + 20.0:
				respawned[toys[i].name] = true
			lowest[i] = maxf(lowest[i], toys[i].global_position.y)
			if not toys[i].global_transform.is_finite():
				fail("%s is lost" % toys[i].name)
		if tick in [20, 40, 60, 90, 120, 180, 300]:
			await picture("jelly_shelf_%04d" % tick)
	for i in toys.size():
		check_gt(lowest[i], starts[i].y + 40.0, "how far %s fell" % toys[i].name)
		check_true(toys[i].name in respawned, "%s began anew" % toys[i].name)
		check_gt(toys[i].get_area(), 0.0, "area of %s" % toys[i].name)


func test_a_toy_is_grabbed_thrown_and_shaken() -> void:
	await key(KEY_TAB)
	await seconds(3.0)
	var jelly: Toy = _demo.get_node(^"%Shelf/Jelly")
	var from := jelly.global_position
	await drag(from, from + Vector2(60, -120), 0.3)
	check_lt(jelly.global_position.y, from.y - 40.0, "it comes along")
	await picture("jelly_shelf_thrown")
	await seconds(1.0)
	var before := jelly.global_position
	await key(KEY_SPACE)
	await ticks(2)
	check_lt(jelly.linear_velocity.y, -200.0, "shaken")
	await ticks(6)
	await picture("jelly_shelf_shaken")
	check_lt(jelly.global_position.y, before.y - 20.0, "it flies up")
	for language: String in ["es", "zh", "en"]:
		TranslationServer.set_locale(language)
		await ticks(1)
		await picture("jelly_shelf_" + language)
	await key(KEY_1)
	for language: String in ["es", "zh", "en"]:
		TranslationServer.set_locale(language)
		await ticks(1)
		await picture("jelly_lesson_" + language)
	check_true(_demo.get_node(^"%Readouts").visible, "the lesson is back")


func _name_of(entry: Dictionary) -> String:
	return entry.get("name", "")


## Brings a slider of the lesson into view, and clicks on it.
func _slide(property: String, part: float) -> void:
	var controls: Control = _demo.get_node(^"%LessonControls")
	var slider: Control = controls.get_node(property.to_pascal_case())
	(_demo.get_node(^"Frame/Row/Panel/Column/Scroll") as ScrollContainer).ensure_control_visible(
		slider
	)
	await frames(2)
	var bar: HSlider = slider.get_node(^"Slider")
	var at := bar.get_global_transform_with_canvas() * (bar.size * Vector2(part, 0.5))
	await click(get_viewport().canvas_transform.affine_inverse() * at)
