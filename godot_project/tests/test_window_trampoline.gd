extends "res://tests/support/soft_scene_test.gd"
## The demo `trampoline`, played with the keys.

const SCENE := preload("res://demos/trampoline/trampoline.tscn")
const Jumper := preload("res://demos/trampoline/jumper.gd")
const Hands := preload("res://demos/shared/hands.gd")

## Where he stands on the first trampoline, in px.
const ON_CLOTH := Vector2(450, 540)

## How high his middle is when he stands, in px.
const STANDS := 24.0

var _demo: Node2D
var _jumper: Jumper
var _cloth: SoftBody2D


func time_limit() -> float:
	return 240.0


func before_each() -> void:
	await super()
	_demo = add(SCENE.instantiate())
	_jumper = _demo.get_node(^"%Jumper")
	_cloth = _demo.get_node(^"TrampolineA")
	await ticks(5)


func after_each() -> void:
	TranslationServer.set_locale("en")
	await super()


func test_he_runs_and_jumps_on_hard_ground() -> void:
	await seconds(0.5)
	var from := _jumper.global_position
	check_true(_jumper.is_on_floor(), "he stands")
	await key(KEY_D, 0.5)
	check_gt(_jumper.global_position.x, from.x + 60.0, "he runs")
	check_near(await _height_of_a_jump(), 80.0, 15.0, "he jumps")


func test_he_stands_on_the_cloth_and_dents_it() -> void:
	_jumper.global_position = ON_CLOTH
	await seconds(3.0)
	check_true(_jumper.soft_floor != null, "he stands on it")
	check_gt(_jumper.global_position.y, ON_CLOTH.y + 8.0, "it gives way")
	check_lt(_jumper.velocity.length(), 20.0, "he stands still")
	await picture("trampoline_stands")


func test_the_better_a_jump_is_timed_the_higher_it_goes() -> void:
	var plain := await _bounce(false)
	var timed := await _bounce(true)
	note("a jump at once goes %.0f px high, a timed one %.0f px" % [plain, timed])
	check_gt(timed, plain + 80.0, "when the cloth comes up")


func test_he_walks_over_the_bridge_and_it_gives_way() -> void:
	var bridge: SoftBody2D = _demo.get_node(^"Bridge")
	var rest := bridge.get_center().y
	_jumper.global_position = Vector2(860, 300)
	var lowest := rest
	var hands: Hands = add(Hands.new())
	hands.hold([KEY_D])
	for tick in 200:
		await ticks(1)
		lowest = maxf(lowest, bridge.get_center().y)
		if tick == 60:
			await picture("trampoline_bridge")
		if _jumper.global_position.x > 1320.0:
			break
	hands.hold([])
	check_gt(_jumper.global_position.x, 1320.0, "he is over it")
	check_near(_jumper.global_position.y, 306.0, 6.0, "he did not fall")
	check_gt(lowest, rest + 4.0, "it gave way")


func test_the_level_is_played_through() -> void:
	var hands: Hands = add(Hands.new())
	_demo.play(hands)
	var ending: Label = _demo.get_node(^"%Hud").get_node(^"%Ending")
	for second in 60:
		await seconds(1.0)
		for body: SoftBody2D in get_tree().get_nodes_in_group(&"soft_floors"):
			check_sound(body, "%s at %d s" % [body.name, second])
		if second % 5 == 0:
			await picture("trampoline_%02d" % second)
		if ending.visible:
			break
	check_true(ending.visible, "he is at the flag")
	check_ge(_demo.numbers()["stars"], 9, "stars")
	for language: String in ["es", "zh", "en"]:
		TranslationServer.set_locale(language)
		await ticks(1)
		await picture("trampoline_" + language)


## How high a jump goes above the cloth at rest, after he has fallen onto it: at once, or when the
## cloth comes up fastest.
func _bounce(timed: bool) -> float:
	var rest := _cloth.get_center().y - _cloth.size.y * 0.5
	_jumper.velocity = Vector2.ZERO
	_jumper.global_position = ON_CLOTH - Vector2(0, 120)
	var jumped := false
	var rose := 0.0
	var top := INF
	for tick in 150:
		await ticks(1)
		if _jumper.soft_floor and not jumped:
			var rises := _jumper.rises()
			jumped = rises > 100.0 and rises < rose + 8.0 if timed else true
			rose = rises
			if jumped:
				await key(KEY_SPACE)
		if jumped:
			top = minf(top, _jumper.global_position.y)
	return rest - STANDS - top


func _height_of_a_jump() -> float:
	var from := _jumper.global_position.y
	var top := from
	await key(KEY_SPACE)
	for tick in 60:
		await ticks(1)
		top = minf(top, _jumper.global_position.y)
	return from - top
