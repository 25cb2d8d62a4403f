extends "res://tests/support/supple_test.gd"
## Tests of the runner and of what [code]supple_test.gd[/code] offers.

const Base := preload("res://tests/support/supple_test.gd")


## Counts the ticks that it is processed in, and what they add up to.
class TickCounter:
	extends Node2D
	var count := 0
	var time := 0.0
	var events: Array[InputEvent] = []

	func _physics_process(delta: float) -> void:
		count += 1
		time += delta

	func _unhandled_input(event: InputEvent) -> void:
		events.append(event)


func test_checks_that_hold_report_nothing() -> void:
	var probe: Base = add(Base.new())
	probe.check_true(true, "true")
	probe.check_eq(2, 2.0, "numbers of two types")
	probe.check_eq(PackedVector2Array([Vector2.ONE]), PackedVector2Array([Vector2.ONE]), "arrays")
	probe.check_near(1.0, 1.05, 0.1, "numbers")
	probe.check_near(Vector2(3, 4), Vector2.ZERO, 5.0, "vectors")
	probe.check_near(Color.RED, Color(0.95, 0.02, 0, 1), 0.06, "colours")
	probe.check_lt(1.0, 2.0, "lt")
	probe.check_le(2.0, 2.0, "le")
	probe.check_gt(2.0, 1.0, "gt")
	probe.check_ge(2.0, 2.0, "ge")
	check_eq(probe.failures, PackedStringArray(), "failures")
	check_eq(probe.check_count, 10, "checks made")


func test_checks_that_do_not_hold_report_their_values() -> void:
	var probe: Base = add(Base.new())
	probe.check_true(false, "true")
	probe.check_eq(1, 2, "numbers")
	probe.check_eq("1", 1, "types that cannot be compared")
	probe.check_eq(null, 0, "null")
	probe.check_near(1.0, 2.0, 0.5, "numbers")
	probe.check_near(NAN, 0.0, 1.0, "not a number")
	probe.check_near(Vector2.ONE, Vector3.ONE, 9.0, "two types")
	probe.check_lt(NAN, 1.0, "not a number")
	probe.check_lt(1.0, 1.0, "lt")
	probe.check_le(1.1, 1.0, "le")
	probe.check_gt(1.0, 1.0, "gt")
	probe.check_ge(0.9, 1.0, "ge")
	probe.fail("as it is told")
	check_eq(probe.failures.size(), 13, "failures")
	check_true(probe.failures[1].ends_with("numbers: is 1, not 2"), probe.failures[1])


func test_a_test_starts_and_goes_on_at_the_beginning_of_a_tick() -> void:
	check_true(Engine.is_in_physics_frame(), "in a tick at the start")
	await ticks(3)
	check_true(Engine.is_in_physics_frame(), "in a tick after some")


func test_ticks_waits_for_exactly_so_many_whole_ticks() -> void:
	var counter: TickCounter = add(TickCounter.new())
	for wanted in [1, 2, 10]:
		counter.count = 0
		await ticks(wanted)
		check_eq(counter.count, wanted, "whole ticks")
	# The same from outside a tick.
	await get_tree().process_frame
	counter.count = 0
	await ticks(4)
	check_eq(counter.count, 4, "ticks after a frame")


func test_every_tick_rate_runs_as_many_ticks_as_its_name_says() -> void:
	for rate in [10, 30, 60, 90, 144, 240, 1000]:
		await set_ticks_per_second(rate)
		var counter: TickCounter = add(TickCounter.new())
		await get_tree().process_frame
		counter.count = 0
		counter.time = 0.0
		await frames(120)
		# 120 frames of 1/60 s; the rest of a tick may fall on either side.
		check_near(counter.count, 2.0 * rate, 1.0, "ticks in 2 s at %d" % rate)
		check_near(counter.time, 2.0, 1.5 / rate, "time in 2 s at %d" % rate)
		counter.free()


func test_seconds_is_simulated_time_at_any_rate_and_scale() -> void:
	var counter: TickCounter = add(TickCounter.new())
	for rate in [20, 60, 240]:
		for factor in [0.25, 1.0, 4.0]:
			await set_ticks_per_second(rate)
			await set_time_scale(factor)
			counter.time = 0.0
			await seconds(1.0)
			check_near(counter.time, 1.0, 1e-6, "seconds at %d, scale %s" % [rate, factor])


func test_changes_of_the_engine_are_put_back_a() -> void:
	await set_ticks_per_second(17)
	await set_time_scale(0.5)
	get_tree().paused = true
	check_eq(Engine.physics_ticks_per_second, 17, "rate")


func test_changes_of_the_engine_are_put_back_b() -> void:
	check_eq(Engine.physics_ticks_per_second, 60, "rate after another test changed it")
	check_eq(Engine.time_scale, 1.0, "scale after another test changed it")
	check_true(not get_tree().paused, "not paused")


func test_an_announced_error_does_not_fail() -> void:
	expect_error("planted on purpose")
	push_error("Supple: planted on purpose")
	expect_error("twice", 2)
	push_error("once or twice")
	push_error("twice it is")


func test_a_click_arrives_as_press_and_release_where_it_was_made() -> void:
	var counter: TickCounter = add(TickCounter.new())
	await click(Vector2(100, 200))
	var buttons := counter.events.filter(_is_button)
	check_eq(buttons.size(), 2, "button events")
	if buttons.size() == 2:
		check_true(buttons[0].pressed and not buttons[1].pressed, "press, then release")
		check_near(buttons[0].position, Vector2(100, 200), 0.6, "position")
	check_near(counter.get_global_mouse_position(), Vector2(100, 200), 0.6, "mouse")


func test_a_click_lands_on_its_world_position_under_a_camera() -> void:
	var counter: TickCounter = add(TickCounter.new())
	var camera: Camera2D = add(Camera2D.new())
	camera.position = Vector2(5000, -300)
	camera.zoom = Vector2(2, 2)
	await frames(2)
	await click(Vector2(5010, -320))
	check_near(counter.get_global_mouse_position(), Vector2(5010, -320), 0.6, "mouse")


func test_a_drag_takes_its_time() -> void:
	var counter: TickCounter = add(TickCounter.new())
	var start := Engine.get_physics_frames()
	await drag(Vector2(100, 100), Vector2(300, 100), 0.5)
	check_ge(Engine.get_physics_frames() - start, 30, "ticks")
	check_le(Engine.get_physics_frames() - start, 40, "ticks")
	var moves := counter.events.filter(_is_held_motion)
	check_gt(moves.size(), 20, "motions with the button held")
	check_near(moves.back().position, Vector2(300, 100), 0.6, "the end of the drag")


func test_a_key_arrives() -> void:
	var counter: TickCounter = add(TickCounter.new())
	await key(KEY_SPACE, 0.1)
	var pressed := counter.events.map(func(event: InputEvent) -> bool: return event.is_pressed())
	check_eq(pressed, [true, false], "press, then release")


func test_every_virtual_is_overridden() -> void:
	var node: Node = override_everything(Sprite2D.new())
	add(node)
	await frames(2)
	await ticks(2)
	for function: StringName in [&"_enter_tree", &"_ready", &"_process", &"_physics_process"]:
		check_gt(node.calls.get(function, 0), 0, "calls of %s" % function)
	for function: StringName in [&"_draw", &"_input", &"_exit_tree", &"_unhandled_input"]:
		check_true(node.has_method(function), "%s is overridden" % function)


func test_a_scene_change_ends_neither_runner_nor_test() -> void:
	var scene := PackedScene.new()
	var content := Node2D.new()
	scene.pack(content)
	content.free()
	get_tree().change_scene_to_packed(scene)
	await frames(2)
	check_true(get_tree().current_scene is Node2D, "the new scene is there")


func _is_button(event: InputEvent) -> bool:
	return event is InputEventMouseButton


func _is_held_motion(event: InputEvent) -> bool:
	return event is InputEventMouseMotion and event.button_mask == MOUSE_BUTTON_MASK_LEFT
