extends "res://tests/support/soft_scene_test.gd"
## The demo `slime`, played with the keys.

const SCENE := preload("res://demos/slime/slime.tscn")
const PlayerSlime := preload("res://demos/slime/player_slime.gd")
const Hands := preload("res://demos/shared/hands.gd")

var _demo: Node2D
var _slime: PlayerSlime


func time_limit() -> float:
	return 240.0


func before_each() -> void:
	await super()
	_demo = add(SCENE.instantiate())
	_slime = _demo.get_node(^"%Slime")
	await seconds(1.0)


func after_each() -> void:
	TranslationServer.set_locale("en")
	await super()


func test_it_crawls_to_both_sides_and_stands() -> void:
	var home := _slime.global_position
	check_true(_slime.stands(), "it stands")
	await key(KEY_D, 1.0)
	check_gt(_slime.global_position.x, home.x + 120.0, "to the right")
	await key(KEY_LEFT, 1.0)
	check_near(_slime.global_position.x, home.x, 60.0, "and back")
	await seconds(1.0)
	check_lt(_slime.linear_velocity.length(), 5.0, "it stands still")
	check_near(_slime.global_rotation, 0.0, 0.001, "upright")


func test_it_hops_higher_the_longer_it_squats() -> void:
	var heights: Array[float] = []
	for duration: float in [0.05, 0.25, 0.5]:
		var from := _slime.global_position.y
		var top := from
		await key(KEY_SPACE, duration)
		for tick in 70:
			await ticks(1)
			top = minf(top, _slime.global_position.y)
		heights.append(from - top)
		await seconds(0.6)
	check_gt(heights[0], 50.0, "a tap")
	check_gt(heights[1], heights[0] * 1.2, "longer")
	check_gt(heights[2], heights[1] * 1.2, "longest")
	check_lt(heights[2], 240.0, "not endlessly")


func test_it_squats_before_a_hop_and_is_flat_while_down_is_held() -> void:
	var tall := box_of(_slime).size.y
	var area := _slime.get_area()
	await key(KEY_S, 0.6)
	await picture("slime_flat")
	await seconds(1.0)
	check_near(box_of(_slime).size.y, tall, 1.5, "it is as tall as before")
	check_near(_slime.get_area() / area, 1.0, 0.01, "and as large")


func test_it_goes_through_the_corridor_only_when_it_is_flat() -> void:
	var size := box_of(_slime).size
	_slime.teleport(Transform2D(0.0, Vector2(1320, 464)))
	await seconds(0.5)
	await key(KEY_D, 2.0)
	check_lt(_slime.global_position.x, 1420.0, "it is too tall")
	var flattest := INF
	var hands: Hands = add(Hands.new())
	hands.hold([KEY_D, KEY_S])
	for tick in 300:
		await ticks(1)
		flattest = minf(flattest, box_of(_slime).size.y)
		if tick == 60:
			await picture("slime_corridor")
		if _slime.global_position.x > 1720.0:
			break
	hands.hold([])
	check_gt(_slime.global_position.x, 1720.0, "it is through")
	check_lt(flattest, 46.0, "how flat it was")
	await seconds(1.5)
	check_near(box_of(_slime).size, size, 4.0, "its size is that of before")


func test_who_falls_into_the_water_is_put_back() -> void:
	await seconds(0.2)
	_slime.teleport(Transform2D(0.0, Vector2(1720, 460)))
	await seconds(0.6)
	var safe := _slime.global_position
	_slime.teleport(Transform2D(0.0, Vector2(1850, 560)))
	await seconds(1.5)
	check_near(_slime.global_position, safe, 30.0, "where it stood last")
	check_gt(_slime.get_area(), 4000.0, "whole")


func test_the_level_is_played_through() -> void:
	var hands: Hands = add(Hands.new())
	_demo.play(hands)
	for second in 40:
		await seconds(1.0)
		check_sound(_slime, "at %d s" % second)
		if second % 4 == 0:
			await picture("slime_%02d" % second)
		if _demo.get_node(^"%Goal").done:
			break
	check_true(_demo.get_node(^"%Goal").done, "it is home")
	check_ge(_demo.numbers()["drops"], 14, "drops")
	check_le(_demo.numbers()["respawns"], 1, "respawns")
	for language: String in ["es", "zh", "en"]:
		TranslationServer.set_locale(language)
		await ticks(1)
		await picture("slime_" + language)
