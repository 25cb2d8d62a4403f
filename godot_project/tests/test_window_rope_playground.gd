extends "res://tests/support/picture_test.gd"
## The demo `rope_playground`, played with the mouse and the keys.

const SCENE := preload("res://demos/rope_playground/rope_playground.tscn")

## What ropes are stretched by at most, as a part of their length.
const STRETCH := 1.01

## How fast anything may be, in px/s.
const FASTEST := 3000.0

## In what place bodies are at least: nothing leaves through the ground or the walls.
const PLACE := Rect2(-10, -1200, 1120, 1950)

var _place: Node2D
var _stretch := 0.0
var _longest := ""


func time_limit() -> float:
	return 240.0


func before_each() -> void:
	await super()
	_place = add(SCENE.instantiate())
	await frames(2)
	get_tree().physics_frame.connect(_watch)


func after_each() -> void:
	get_tree().physics_frame.disconnect(_watch)
	await super()


func test_everything_hangs_and_stands_still() -> void:
	await picture("rope_playground_0")
	await seconds(3.0)
	await picture("rope_playground_1")
	var before := _bodies_at()
	await seconds(4.0)
	await picture("rope_playground_2")
	var after := _bodies_at()
	for body: RigidBody2D in before:
		var text := "%s: way in 4 s" % body.get_path()
		# The crates on the bridge rock to rest.
		check_near(after[body], before[body], 6.0, text)
		check_lt(body.linear_velocity.length(), 2.0, "%s: speed" % body.get_path())
	_check_nothing_wrong()


func test_the_ball_wrecks_the_stack() -> void:
	await seconds(0.5)
	var stack: Array[Node] = _place.get_node(^"%Stack").get_children()
	var before := _bodies_at()
	var ball: RigidBody2D = _place.get_node(^"%WreckingBall/Ball")
	var to := Vector2(640, 380)
	await move_mouse(ball.global_position)
	await press(ball.global_position)
	await drag_on(ball.global_position, to, 1.0)
	await seconds(0.7)
	await picture("rope_playground_ball_pulled")
	check_near(ball.global_position, to, 12.0, "the ball came along")
	await let_go(to)
	var wrecked := 0.0
	for part in 8:
		await seconds(0.15)
		await picture("rope_playground_ball_%d" % part)
	await seconds(3.0)
	await picture("rope_playground_ball_after")
	for crate: RigidBody2D in stack:
		wrecked = maxf(wrecked, crate.global_position.distance_to(before[crate]))
	check_gt(wrecked, 60.0, "way of the crate that came farthest")
	_check_nothing_wrong()


func test_the_weight_that_is_cut_off_throws_the_crate() -> void:
	await seconds(0.5)
	var cargo: RigidBody2D = _place.get_node(^"%SeeSaw/Cargo")
	var height := cargo.global_position.y
	var ropes := get_tree().get_nodes_in_group(&"ropes").size()
	await drag(Vector2(340, 500), Vector2(402, 512), 0.2, MOUSE_BUTTON_RIGHT)
	check_eq(get_tree().get_nodes_in_group(&"ropes").size(), ropes + 1, "ropes")
	var highest := height
	for tick in 120:
		await ticks(1)
		highest = minf(highest, cargo.global_position.y)
		if tick % 12 == 0 and tick < 72:
			await picture("rope_playground_see_saw_%02d" % tick)
	check_lt(highest, height - 100.0, "how high the crate flies")
	await seconds(3.0)
	await picture("rope_playground_see_saw_after")
	_check_nothing_wrong()


func test_the_winch_lifts_the_crate() -> void:
	var slider: HSlider = _place.get_node(^"%Winding/Slider")
	var crate: RigidBody2D = _place.get_node(^"%Winch/Crate")
	await seconds(1.0)
	var height := crate.global_position.y
	await _click_on_slider(slider, 0.95)
	check_gt(slider.value, 90.0, "the slider")
	for part in 3:
		await seconds(1.0)
		await picture("rope_playground_winch_up_%d" % part)
	check_lt(crate.global_position.y, height - 150.0, "lifted")
	await _click_on_slider(slider, 0.02)
	await seconds(5.0)
	await picture("rope_playground_winch_down")
	check_gt(crate.global_position.y, 700.0, "on the ground")
	await seconds(1.0)
	check_lt(crate.linear_velocity.length(), 5.0, "at rest")
	_check_nothing_wrong()


func test_ropes_are_dragged_and_swing_their_loads() -> void:
	await seconds(0.5)
	var crate: RigidBody2D = _place.get_node(^"%Swing/Crate")
	await drag(crate.global_position, Vector2(120, 220), 0.6)
	await picture("rope_playground_swing_pulled")
	var farthest := 0.0
	for tick in 60:
		await ticks(1)
		farthest = maxf(farthest, crate.global_position.x)
		if tick % 10 == 0:
			await picture("rope_playground_swing_%02d" % tick)
	check_gt(farthest, 240.0, "it swings to the other side")
	var rope: VerletRope2D = _place.get_node(^"%WreckingBall/Chain")
	var middle := rope.get_point_position(rope.get_point_count() >> 1)
	await drag(middle, middle + Vector2(-90, 10), 0.6)
	await picture("rope_playground_chain_pulled")
	await seconds(2.0)
	_check_nothing_wrong()


func test_a_swing_that_is_cut_hangs_by_one_rope() -> void:
	await seconds(0.5)
	await drag(Vector2(170, 190), Vector2(215, 200), 0.2, MOUSE_BUTTON_RIGHT)
	await seconds(0.3)
	await picture("rope_playground_swing_cut_1")
	await seconds(2.0)
	await picture("rope_playground_swing_cut_2")
	var crate: RigidBody2D = _place.get_node(^"%Swing/Crate")
	check_lt(crate.global_position.y, 330.0, "it hangs on")
	await drag(Vector2(150, 180), Vector2(290, 190), 0.2, MOUSE_BUTTON_RIGHT)
	await seconds(2.0)
	await picture("rope_playground_swing_cut_3")
	check_gt(crate.global_position.y, 340.0, "it fell")
	_check_nothing_wrong()


func test_a_cut_bridge_drops_its_crates() -> void:
	await seconds(0.5)
	var crate: RigidBody2D = _place.get_node(^"%Bridge/Crate1")
	await drag(Vector2(290, 370), Vector2(292, 470), 0.2, MOUSE_BUTTON_RIGHT)
	for part in 3:
		await seconds(0.4)
		await picture("rope_playground_bridge_cut_%d" % part)
	check_gt(crate.global_position.y, 480.0, "the crate fell")
	await seconds(3.0)
	await picture("rope_playground_bridge_cut_after")
	_check_nothing_wrong()


func test_the_player_walks_over_the_bridge() -> void:
	var player: CharacterBody2D = _place.get_node(^"%Player")
	var bridge: VerletRope2D = _place.get_node(^"%Bridge/Rope")
	await seconds(1.0)
	_send_key(KEY_D, true)
	await _next_frame()
	var on_floor := 0
	var walked := 0
	var deepest := 0.0
	for tick in 240:
		await ticks(1)
		var at := player.global_position
		if at.x > 455.0:
			break
		if at.x > 125.0 and at.x < 420.0:
			walked += 1
			on_floor += int(player.is_on_floor())
			deepest = maxf(deepest, bridge.get_closest_point(at).y)
		if tick % 16 == 0:
			await picture("rope_playground_walk_%03d" % tick)
	_send_key(KEY_D, false)
	await _next_frame()
	check_gt(player.global_position.x, 455.0, "it came across")
	check_lt(player.global_position.y, 400.0, "it is on the other side")
	check_gt(float(on_floor), 0.8 * walked, "ticks on the floor, of %d" % walked)
	check_gt(deepest, 430.0, "the bridge gave way")
	await seconds(0.5)
	await key(KEY_A, 0.8)
	await seconds(2.0)
	await picture("rope_playground_walk_stands")
	var height := player.global_position.y
	await key(KEY_SPACE, 0.1)
	await seconds(0.25)
	await picture("rope_playground_walk_jumps")
	check_lt(player.global_position.y, height - 60.0, "it jumps")
	_check_nothing_wrong()


func test_reset_puts_everything_back() -> void:
	remove_child(_place)
	_place.free()
	get_tree().change_scene_to_packed(SCENE)
	await frames(3)
	_place = get_tree().current_scene
	await drag(Vector2(150, 180), Vector2(291, 190), 0.2, MOUSE_BUTTON_RIGHT)
	await seconds(1.0)
	check_eq(get_tree().get_nodes_in_group(&"ropes").size(), 8, "ropes")
	var button: Button = _place.get_node(^"%Reset")
	var at := button.get_global_transform_with_canvas() * (button.size * 0.5)
	await click(get_viewport().canvas_transform.affine_inverse() * at)
	await frames(4)
	_place = get_tree().current_scene
	await seconds(1.0)
	check_eq(get_tree().get_nodes_in_group(&"ropes").size(), 6, "ropes")
	await picture("rope_playground_reset")
	_check_nothing_wrong()


func _click_on_slider(slider: HSlider, part: float) -> void:
	var at := slider.get_global_transform_with_canvas() * (slider.size * Vector2(part, 0.5))
	var to_world := get_viewport().canvas_transform.affine_inverse()
	await click(to_world * at)


func _bodies_at() -> Dictionary:
	var places := {}
	for body: RigidBody2D in _place.find_children("*", "RigidBody2D", true, false):
		places[body] = body.global_position
	return places


## In every tick: how far ropes are stretched.
func _watch() -> void:
	for rope: VerletRope2D in get_tree().get_nodes_in_group(&"ropes"):
		var stretch := rope.get_current_length() / rope.length
		if not stretch <= _stretch:
			_stretch = stretch
			_longest = str(rope.get_path())


func _check_nothing_wrong() -> void:
	check_lt(_stretch, STRETCH, "stretch of %s" % _longest)
	for body: RigidBody2D in _place.find_children("*", "RigidBody2D", true, false):
		check_true(PLACE.has_point(body.global_position), "%s is in its place" % body.get_path())
		check_lt(body.linear_velocity.length(), FASTEST, "%s: speed" % body.get_path())
