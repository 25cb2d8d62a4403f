extends "res://tests/support/gap_test.gd"
## No gap is seen between a rope and what drives it, rides on it or hangs on it, in any frame.

const CARRIES := VerletRope2D.ATTACH_ROPE_CARRIES_NODE

## A frame for each tick, and as 144 frames a second are to 60 ticks.
const RATES := [60, 25]


## Winds a rope to and fro at 500 px/s.
class Winder:
	extends Node
	var rope: VerletRope2D
	var to := 60.0

	func _physics_process(delta: float) -> void:
		rope.length = move_toward(rope.length, to, 500.0 * delta)
		if rope.length == to:
			to = 260.0 - to


func test_no_gap_at_a_hand_that_an_animation_drives_in_physics_mode() -> void:
	await _check_driven(AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS)


func test_no_gap_at_a_hand_that_an_animation_drives_in_idle_mode() -> void:
	await _check_driven(AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_IDLE)


func test_no_gap_at_a_hand_that_is_moved_at_any_time_of_the_frame() -> void:
	for when: Mover.When in Mover.When.values():
		for interpolated: bool in [false, true]:
			await set_ticks_per_second(25)
			get_tree().physics_interpolation = interpolated
			var rope := await _slack_rope()
			var hand := _hand(rope)
			var mover := start_mover(hand, when)
			await check_gaps("a hand, %s" % mover_text(when, 25, interpolated), true)
			mover.free()
			hand.free()
			rope.free()


func test_no_gap_at_a_carried_lamp_while_the_rope_is_moved_in_a_frame() -> void:
	for when: Mover.When in [Mover.When.PROCESS, Mover.When.PHYSICS, Mover.When.IDLE_TWEEN]:
		for rate: int in RATES:
			for interpolated: bool in [false, true]:
				await _check_carried_lamp(when, rate, interpolated, false)


func test_no_gap_at_a_carried_lamp_that_is_a_child_of_the_moved_rope() -> void:
	for when: Mover.When in [Mover.When.PROCESS, Mover.When.PHYSICS]:
		for rate: int in RATES:
			for interpolated: bool in [false, true]:
				await _check_carried_lamp(when, rate, interpolated, true)


func test_no_gap_at_a_bird_that_follows_while_the_rope_is_moved_in_a_frame() -> void:
	for when: Mover.When in [Mover.When.PROCESS, Mover.When.PHYSICS]:
		for rate: int in RATES:
			for interpolated: bool in [false, true]:
				for child: bool in [false, true]:
					await set_ticks_per_second(rate)
					get_tree().physics_interpolation = interpolated
					var rope := await hang({width = 6.0, default_color = RED, length = 250})
					var bird := PointAnchor2D.new()
					bird.point = 3
					if child:
						rope.add_child(bird)
					else:
						bird.body = ^"../Rope"
						add(bird)
					add_mark(bird)
					var mover := start_mover(rope, when)
					var what := "a bird, child %s, %s"
					what = what % [child, mover_text(when, rate, interpolated)]
					await check_gaps(what, true)
					mover.free()
					rope.free()
					if is_instance_valid(bird):
						bird.free()


func test_no_gap_at_what_hangs_and_rides_on_a_rope_that_is_wound() -> void:
	for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
		for rate: int in RATES:
			for interpolated: bool in [false, true]:
				for hangs: bool in [true, false]:
					await set_ticks_per_second(rate)
					get_tree().physics_interpolation = interpolated
					var rope := make_rope({width = 6.0, default_color = RED, reel_end = reel_end})
					var rider := Node2D.new() if hangs else PointAnchor2D.new()
					rider.name = "Rider"
					add_mark(rider)
					rope.add_child(rider)
					if hangs:
						rope.end_mode = CARRIES
						rope.end_node = ^"Rider"
						rope.end_mass = 1.0
					else:
						rider.point = 15
					add(rope)
					await ticks(2)
					var winder := Winder.new()
					winder.rope = rope
					add(winder)
					var mover := start_mover(rope, Mover.When.PHYSICS)
					mover.center = Vector2(576, 290)
					mover.way = Vector2(250, 0)
					mover.rate = 4.0
					var what := "wound at end %d, %d ticks, interpolation %s, hangs %s"
					await check_gaps(what % [reel_end, rate, interpolated, hangs], true)
					mover.free()
					winder.free()
					rope.free()


func test_a_rope_is_dragged_by_the_mouse_where_it_is_seen() -> void:
	var camera: Camera2D = add(Camera2D.new())
	camera.position = Vector2(500, 250)
	camera.zoom = Vector2(1.5, 1.5)
	var rope := await hang_asleep(
		{mouse_grab = true, width = 6.0, default_color = RED, length = 220}
	)
	var at := tip(rope)
	await move_mouse(at)
	await press(at)
	await drag_on(at, at + Vector2(120, -60), 0.4)
	check_near(tip(rope), at + Vector2(120, -60), 1.5, "end under the mouse")
	var image := await picture("rope_dragged")
	var seen := get_viewport().canvas_transform * (at + Vector2(120, -60))
	var pixel := image.get_pixelv(Vector2i(seen - seen.direction_to(Vector2(576, 0)) * 2.0))
	check_gt(pixel.r, 0.3, "red under the mouse")
	await let_go(at + Vector2(120, -60))


func _check_driven(mode: AnimationMixer.AnimationCallbackModeProcess) -> void:
	for rate: int in RATES:
		for interpolated: bool in [false, true]:
			await set_ticks_per_second(rate)
			get_tree().physics_interpolation = interpolated
			var rope := await _slack_rope()
			var hand := _hand(rope)
			var player := _animate(^"Hand:position", mode)
			var names := ["physics", "idle"]
			var what := "AnimationPlayer, %s mode, %d ticks to 60 frames, interpolation %s"
			what = what % [names[mode], rate, interpolated]
			await check_gaps(what, true)
			player.free()
			hand.free()
			rope.free()


func _check_carried_lamp(when: Mover.When, rate: int, interpolated: bool, child: bool) -> void:
	await set_ticks_per_second(rate)
	get_tree().physics_interpolation = interpolated
	var lamp := Node2D.new()
	lamp.name = "Lamp"
	add_mark(lamp)
	var rope := make_rope({width = 6.0, default_color = RED, length = 220, end_mode = CARRIES})
	if child:
		rope.add_child(lamp)
		rope.end_node = ^"Lamp"
	else:
		add(lamp)
		rope.end_node = ^"../Lamp"
	add(rope)
	await ticks(3)
	var mover := start_mover(rope, when)
	# Wherever it swings, the lamp stays in the picture.
	mover.center = Vector2(576, 290)
	mover.way = Vector2(300, 0)
	mover.rate = 5.0
	var what := "a lamp, child %s, %s" % [child, mover_text(when, rate, interpolated)]
	await check_gaps(what, true)
	mover.free()
	rope.free()
	if is_instance_valid(lamp):
		lamp.free()


## Hangs with so much slack that the end can be taken anywhere.
func _slack_rope() -> VerletRope2D:
	return await hang(
		{
			position = Vector2(576, 400),
			end_position = Vector2(0, -300),
			length = 800,
			width = 6.0,
			default_color = RED,
		}
	)


func _hand(rope: VerletRope2D) -> PointAnchor2D:
	var hand := PointAnchor2D.new()
	hand.name = "Hand"
	hand.mode = PointAnchor2D.MODE_DRIVE
	hand.body = ^"../Rope"
	hand.point = rope.get_point_count() - 1
	hand.position = Vector2(576, 100)
	add_mark(hand)
	return add(hand)


## Moves a property horizontally at up to 3000 px/s.
func _animate(path: NodePath, mode: AnimationMixer.AnimationCallbackModeProcess) -> AnimationPlayer:
	var animation := Animation.new()
	animation.length = TAU / 7.5
	animation.loop_mode = Animation.LOOP_LINEAR
	var track := animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, path)
	for i in 65:
		var place := Vector2(576 + 400 * sin(TAU * i / 64.0), 100)
		animation.track_insert_key(track, animation.length * i / 64.0, place)
	var library := AnimationLibrary.new()
	library.add_animation("swing", animation)
	var player := AnimationPlayer.new()
	player.callback_mode_process = mode
	player.add_animation_library("", library)
	add(player)
	player.play("swing")
	return player
