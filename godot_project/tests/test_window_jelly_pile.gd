extends "res://tests/support/soft_scene_test.gd"
## The demo `jelly_pile`, played with the mouse and the keys.

const SCENE := preload("res://demos/jelly_pile/jelly_pile.tscn")
const Pourer := preload("res://demos/jelly_pile/pourer.gd")
const Spoon := preload("res://demos/jelly_pile/spoon.gd")
const Hands := preload("res://demos/shared/hands.gd")

## The inside of the jar, in px.
const JAR := Rect2(296, -200, 560, 752)

## Nothing gets faster, in px/s: the spoon goes with 700, and what is poured falls with 1,100.
const FASTEST := 3500.0
const MOST_FLUNG := 3

var _demo: Node2D
var _pourer: Pourer
var _spoon: Spoon


func time_limit() -> float:
	return 240.0


func before_each() -> void:
	await super()
	seed(7)
	_demo = add(SCENE.instantiate())
	_pourer = _demo.get_node(^"%Pourer")
	_spoon = _demo.get_node(^"%Spoon")
	await ticks(3)


func after_each() -> void:
	TranslationServer.set_locale("en")
	await super()


func test_the_held_key_and_the_button_pour_and_the_other_clears() -> void:
	await key(KEY_SPACE, 1.0)
	var first := _pourer.count()
	check_ge(first, 5, "poured with the key")
	await seconds(0.3)
	check_eq(_pourer.count(), first, "no more when it is let go")
	var pour: Button = _demo.get_node(^"%Pour")
	var at := get_viewport().canvas_transform.affine_inverse() * _middle(pour)
	await press(at)
	await seconds(0.5)
	await let_go(at)
	check_gt(_pourer.count(), first + 2, "poured with the button")
	await key(KEY_C)
	await ticks(2)
	check_eq(_pourer.count(), 0, "cleared")


func test_what_is_poured_stays_in_the_jar() -> void:
	await key(KEY_SPACE, 3.0)
	await seconds(3.0)
	await picture("pile_lies")
	for body: Node2D in _pourer.bodies():
		check_true(JAR.has_point(body.global_position), "%s is inside" % body.name)
		if body is SoftBody2D:
			check_sound(body, body.name)
	check_gt(_least_distance(), 20.0, "they do not lie in each other: the least distance")


func test_the_spoon_stirs_while_it_is_held_and_goes_back() -> void:
	await key(KEY_SPACE, 2.0)
	await seconds(2.0)
	var home := _spoon.global_position
	var before := _places()
	await move_mouse(home)
	await press(home)
	await drag_on(home, Vector2(700, 100), 0.4)
	await drag_on(Vector2(700, 100), Vector2(700, 480), 0.6)
	await drag_on(Vector2(700, 480), Vector2(400, 480), 0.8)
	await ticks(6)
	check_near(_spoon.global_position, Vector2(400, 480), 30.0, "it follows the mouse")
	await picture("pile_stirred")
	await let_go(Vector2(400, 480))
	var moved := 0
	var after := _places()
	for i in before.size():
		moved += int(before[i].distance_to(after[i]) > 10.0)
	check_ge(moved, 3, "bodies that were moved")
	await seconds(2.0)
	check_near(_spoon.global_position, home, 1.0, "it hangs at its hook")


func test_a_jelly_is_grabbed_and_lifted() -> void:
	await key(KEY_SPACE, 1.0)
	await seconds(2.0)
	var jelly := _pourer.highest()
	var from := jelly.global_position
	await drag(from, from - Vector2(0, 200), 0.5)
	check_lt(jelly.global_position.y, from.y - 100.0, "it comes along")


func test_all_of_it_is_played() -> void:
	var hands: Hands = add(Hands.new())
	_demo.play(hands)
	var poured := 0
	for second in 22:
		for tick in Engine.physics_ticks_per_second:
			await ticks(1)
			_check_speeds(second)
		if second % 3 == 0:
			await picture("pile_%02d" % second)
		if second == 7:
			poured = _pourer.count()
		elif second == 12:
			# It has been stirred. The spoon may fling one over the rim.
			check_ge(_pourer.count(), poured - MOST_FLUNG, "how many there are")
			var flung := 0
			for body: Node2D in _pourer.bodies():
				flung += int(not JAR.has_point(body.global_position))
				if body is SoftBody2D:
					check_gt(body.get_area(), 1500.0, "%s has its area" % body.name)
			check_le(flung, MOST_FLUNG, "how many are out of the jar")
	for language: String in ["es", "zh", "en"]:
		TranslationServer.set_locale(language)
		await seconds(0.5)
		await picture("pile_" + language)


func _check_speeds(second: int) -> void:
	for body: Node2D in _pourer.bodies():
		var speed: float = body.linear_velocity.length()
		if not speed < FASTEST:
			check_lt(speed, FASTEST, "%s at %d s" % [body.name, second])


func _middle(control: Control) -> Vector2:
	return control.get_global_transform_with_canvas() * (control.size * 0.5)


## How near the middles of two bodies are.
func _least_distance() -> float:
	var places := _places()
	var least := INF
	for i in places.size():
		for k in i:
			least = minf(least, places[i].distance_to(places[k]))
	return least


func _places() -> PackedVector2Array:
	var places := PackedVector2Array()
	for body: Node2D in _pourer.bodies():
		places.append(body.global_position)
	return places
