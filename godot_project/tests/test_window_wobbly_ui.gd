extends "res://tests/support/soft_scene_test.gd"
## The demo `wobbly_ui`, played with the mouse and the keys.

const SCENE := preload("res://demos/wobbly_ui/wobbly_ui.tscn")
const JellyButton := preload("res://demos/wobbly_ui/jelly_button.gd")
const JellySlider := preload("res://demos/wobbly_ui/jelly_slider.gd")
const Hands := preload("res://demos/shared/hands.gd")

var _demo: Node2D
var _button: JellyButton
var _slider: JellySlider


func time_limit() -> float:
	return 120.0


func before_each() -> void:
	await super()
	_demo = add(SCENE.instantiate())
	_button = _demo.get_node(^"%Count")
	_slider = _demo.get_node(^"%Firmness")
	await move_mouse(Vector2(40, 400))
	await seconds(0.6)


func after_each() -> void:
	TranslationServer.set_locale("en")
	await super()


func test_it_quivers_where_the_mouse_comes_in_and_comes_to_rest() -> void:
	var button: JellyButton = _demo.get_node(^"%Colour")
	var rest := button.get_points()
	for step in 6:
		await move_mouse(button.global_position + Vector2(40 + step, step * 8 - 50))
	check_true(button.is_hovered, "hovered")
	var most := 0.0
	for tick in 30:
		await ticks(1)
		most = maxf(most, _farthest(button, rest))
	check_gt(most, 2.0, "how far it is moved")
	check_lt(most, 40.0, "not out of shape")
	await move_mouse(Vector2(40, 400))
	check_true(not button.is_hovered, "left")
	await seconds(4.0)
	check_lt(_farthest(button, rest), 1.0, "back")
	check_eq(_demo.numbers()["palette"], 0, "it was not pressed")


func test_it_dents_while_it_is_held_and_counts_when_let_go() -> void:
	var at := _button.global_position
	var rest := _button.get_points()
	await move_mouse(at)
	await press(at)
	await ticks(20)
	await picture("wobbly_pressed")
	check_gt(_farthest(_button, rest), 8.0, "the dent")
	check_eq(_demo.numbers()["count"], 0, "not yet")
	await let_go(at)
	await ticks(2)
	check_eq(_demo.numbers()["count"], 1, "counted")
	await picture("wobbly_let_go")
	await press(at)
	await move_mouse(at + Vector2(0, -150))
	await let_go(at + Vector2(0, -150))
	await ticks(2)
	check_eq(_demo.numbers()["count"], 1, "who lets go beside it does not press")


func test_the_keys_choose_and_press() -> void:
	check_true(_button.has_focus(), "the first has the focus")
	await key(KEY_ENTER)
	check_eq(_demo.numbers()["count"], 1, "enter")
	await key(KEY_DOWN)
	await key(KEY_SPACE)
	check_eq(_demo.numbers()["palette"], 1, "down, and space")
	await key(KEY_DOWN)
	await key(KEY_DOWN)
	var before := _slider.value
	await key(KEY_RIGHT, 0.3)
	check_gt(_slider.value, before + 0.1, "the slider")
	await key(KEY_TAB)
	check_true(_button.has_focus(), "around")


func test_the_slider_is_drawn_and_makes_all_firmer() -> void:
	var from := _slider.global_position + Vector2(_slider.value * _slider.length, 0)
	var stiffness := _button.stiffness
	await drag(from, _slider.global_position + Vector2(_slider.length * 0.9, 6), 0.4)
	check_near(_slider.value, 0.9, 0.02, "value")
	check_gt(_button.stiffness, stiffness * 2.0, "stiffness")
	await seconds(0.5)
	var knob: SoftBody2D = _slider.get_node(^"Knob")
	check_near(knob.get_center(), _slider.to_global(Vector2(0.9 * 280, 0)), 6.0, "the knob")


func test_all_of_it_is_played() -> void:
	var hands: Hands = add(Hands.new())
	_demo.play(hands)
	for second in 18:
		await seconds(1.0)
		for body: SoftBody2D in _demo.bodies():
			check_sound(body, "%s at %d s" % [body.name, second])
		if second % 3 == 0:
			await picture("wobbly_%02d" % second)
	check_ge(_demo.numbers()["count"], 4, "count")
	check_eq(_demo.numbers()["palette"], 1, "palette")
	for language: String in ["es", "zh", "en"]:
		TranslationServer.set_locale(language)
		await ticks(1)
		await picture("wobbly_" + language)


## How far a point has gone, at most.
func _farthest(body: SoftBody2D, from: PackedVector2Array) -> float:
	var farthest := 0.0
	for i in from.size():
		farthest = maxf(farthest, from[i].distance_to(body.get_point_position(i)))
	return farthest
