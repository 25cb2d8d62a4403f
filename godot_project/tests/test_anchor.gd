extends "res://tests/support/rope_test.gd"
## PointAnchor2D: riding on a point of a rope, and driving it.

const FOLLOW := PointAnchor2D.MODE_FOLLOW
const DRIVE := PointAnchor2D.MODE_DRIVE


## Moves a node and its anchor's rope in every tick.
class Shaker:
	extends Node
	var target: Node2D
	var time := 0.0
	var center := Vector2.ZERO
	var way := Vector2(120, 50)

	func _physics_process(delta: float) -> void:
		time += delta
		target.position = center + way * Vector2(sin(3.0 * time), sin(5.0 * time))
		target.rotation = 0.4 * sin(2.0 * time)


func test_it_follows_its_point_at_any_tick_rate() -> void:
	for rate: int in [20, 60, 144]:
		for interpolated: bool in [false, true]:
			await set_ticks_per_second(rate)
			get_tree().physics_interpolation = interpolated
			var rope := await hang({end_position = released_at(70.0)})
			var anchor := _anchor(rope, {point = 12})
			await ticks(1)
			for i in rate:
				await ticks(1)
				var what := "%d ticks, interpolation %s" % [rate, interpolated]
				check_near(anchor.global_position, rope.get_point_position(12), 0.01, what)
			check_eq(anchor.rotation, 0.0, "its own rotation stays")
			rope.free()


func test_it_takes_the_point_that_is_nearest_when_ready() -> void:
	var rope := await hang()
	for point: int in [0, 3, 17, 20]:
		var anchor := PointAnchor2D.new()
		rope.add_child(anchor)
		anchor.free()
		anchor = PointAnchor2D.new()
		anchor.position = rope.to_local(rope.get_point_position(point)) + Vector2(2, -3)
		rope.add_child(anchor)
		for i in 5:
			rope.position.x += 4.0
			await ticks(1)
			check_near(anchor.global_position, rope.get_point_position(point), 0.01, "%d" % point)
		check_eq(anchor.point, -1, "the property stays")
		anchor.free()


func test_it_follows_a_place_along_the_rope() -> void:
	var rope := await hang({end_position = released_at(70.0)})
	for offset: float in [0.0, 3.5, 100.0, 155.5, 200.0, 900.0]:
		var anchor := _anchor(rope, {rope_offset = offset})
		for i in 15:
			await ticks(1)
			check_near(anchor.global_position, rope.sample_baked(offset), 0.01, "at %s" % offset)
		anchor.rope_offset = 50.0
		await ticks(1)
		check_near(anchor.global_position, rope.sample_baked(50.0), 0.01, "at another offset")
		anchor.rope_offset = -1.0
		anchor.point = 4
		await ticks(1)
		check_near(anchor.global_position, rope.get_point_position(4), 0.01, "at a point again")
		anchor.free()


func test_it_turns_with_the_rope() -> void:
	for mirror: float in [1.0, -1.0]:
		var rope := await hang({end_position = released_at(70.0), scale = Vector2(mirror, 1)})
		var anchor := _anchor(rope, {rope_offset = 95.0, follow_rotation = true})
		for i in 25:
			await ticks(1)
			var direction := rope.sample_transform(95.0).x
			var axis := anchor.global_transform.x.normalized()
			check_near(axis, direction, 0.002, "x axis, scale x %s" % mirror)
			check_near(anchor.global_position, rope.sample_baked(95.0), 0.01, "place")
		anchor.follow_rotation = false
		await ticks(1)
		var angle := anchor.global_rotation
		await ticks(10)
		check_near(anchor.global_rotation, angle, 1e-5, "rotation, not following any more")
		rope.free()


func test_it_follows_on_a_moved_turned_and_scaled_rope_and_anywhere_in_the_tree() -> void:
	for scale: Vector2 in [Vector2.ONE, Vector2(2, 2), Vector2(-1.5, 1.5)]:
		var parent := node_at(Vector2(300, 60), "Parent")
		parent.scale = scale
		var rope := make_rope({position = Vector2(40, 20)})
		parent.add_child(rope)
		var away := node_at(Vector2(10, 20), "Away")
		away.rotation = 1.0
		away.scale = Vector2(3, 0.5)
		await ticks(2)
		var child := _anchor(rope, {point = 9})
		var other := PointAnchor2D.new()
		other.body = ^"../../Parent/Rope"
		other.point = 15
		away.add_child(other)
		_shake(parent, Vector2(300, 60))
		_shake(away, Vector2(100, 100))
		await ticks(2)
		for i in 40:
			rope.rotation += 0.02
			await ticks(1)
			check_near(child.global_position, rope.get_point_position(9), 0.01, "child")
			check_near(other.global_position, rope.get_point_position(15), 0.01, "elsewhere")
		for node in get_children():
			node.free()


func test_what_rides_under_it_goes_along() -> void:
	var rope := await hang({end_position = released_at(70.0)})
	var anchor := _anchor(rope, {point = 10})
	var light := Node2D.new()
	light.position = Vector2(3, -8)
	anchor.add_child(light)
	for i in 20:
		await ticks(1)
		var place := rope.get_point_position(10) + Vector2(3, -8)
		check_near(light.global_position, place, 0.01, "what rides")


func test_its_velocity_is_that_of_the_point() -> void:
	var rope := await hang({end_position = released_at(70.0)})
	var anchor := _anchor(rope, {point = 20})
	check_true(anchor.get_velocity().is_finite(), "velocity at once")
	await ticks(20)
	check_near(anchor.get_velocity(), rope.get_point_velocity(20), 0.01, "velocity")
	check_gt(anchor.get_velocity().length(), 50.0, "speed")
	var before := anchor.global_position
	await ticks(1)
	var way := (anchor.global_position - before) * 60.0
	check_near(anchor.get_velocity(), way, 25.0, "velocity against the way of a tick")


func test_it_stays_on_the_same_piece_of_a_wound_rope() -> void:
	for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
		var rope := await hang_asleep({reel_end = reel_end, length = 300.0})
		var anchor := _anchor(rope, {point = 12})
		await ticks(1)
		var from_end := 300.0 - 120.0
		for i in 16:
			rope.length -= 5.0
			await ticks(1)
			var along := rope.get_closest_offset(anchor.global_position)
			var place := rope.sample_baked(along)
			check_near(anchor.global_position, place, 0.01, "on the rope")
			if reel_end == VerletRope2D.REEL_START:
				check_near(rope.length - along, from_end, 0.5, "px from the end")
			else:
				check_near(along, 120.0, 0.5, "px from the start")
		for i in 30:
			rope.length += 5.0
			await ticks(1)
		await until_asleep([rope])
		var at := rope.get_closest_offset(anchor.global_position)
		var wanted := rope.length - from_end if reel_end == VerletRope2D.REEL_START else 120.0
		check_near(at, wanted, 0.5, "px from the start, wound out")
		rope.free()


func test_it_drives_its_point_exactly() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		for point: int in [0, 11, 20]:
			var rope := await hang()
			var anchor := _anchor(rope, {mode = DRIVE, point = point})
			anchor.global_position = rope.get_point_position(point)
			await ticks(1)
			var start := anchor.global_position
			for i in rate:
				var t := i / float(rate)
				anchor.global_position = start + Vector2(90.0 * sin(9.0 * t), -40.0 * t)
				await ticks(1)
				var what := "point %d, %d ticks" % [point, rate]
				check_near(rope.get_point_position(point), anchor.global_position, 0.01, what)
			if point == 20:
				check_lt(worst_strain(rope), EXACT, "strain")
			rope.free()


func test_a_weak_drive_yields() -> void:
	var rope := await hang_asleep({end_mass = 2.0})
	var anchor := _anchor(rope, {mode = DRIVE, point = 20, strength = 1000.0})
	await ticks(2)
	for i in 120:
		anchor.global_position += Vector2(0, -1)
		await ticks(1)
	# 2 kg weigh 1960: half of it cannot lift them.
	check_gt(tip(rope).y, 280.0, "height of a load that is too heavy")
	check_lt(worst_strain(rope), EXACT, "strain")
	anchor.strength = 4000.0
	await seconds(4.0)
	check_near(tip(rope), anchor.global_position, 3.0, "a stronger drive lifts it")
	anchor.strength = 0.0
	await ticks(2)
	check_near(tip(rope), anchor.global_position, 0.01, "any strength")


func test_changes_of_mode_body_and_point_take_effect_and_let_go() -> void:
	var rope := await hang()
	var other: VerletRope2D = add(make_rope({position = Vector2(800, 100), name = "Other"}))
	var anchor := _anchor(rope, {point = 20})
	await ticks(3)
	check_near(anchor.global_position, tip(rope), 0.01, "following")
	anchor.mode = DRIVE
	check_true(rope.is_point_pinned(20), "held")
	for i in 10:
		anchor.global_position += Vector2(4, -2)
		await ticks(1)
		check_near(tip(rope), anchor.global_position, 0.01, "driving")
	anchor.point = 10
	await ticks(1)
	check_true(not rope.is_point_pinned(20), "the old point is let go")
	check_near(rope.get_point_position(10), anchor.global_position, 0.01, "driving another")
	anchor.mode = FOLLOW
	await ticks(2)
	check_true(not rope.is_point_pinned(10), "let go")
	check_near(anchor.global_position, rope.get_point_position(10), 0.01, "following again")
	anchor.body = rope.get_path_to(other)
	anchor.body = ^"../../Other"
	await ticks(2)
	check_near(anchor.global_position, other.get_point_position(10), 0.01, "on another rope")
	anchor.body = ^""
	await ticks(2)
	var place := anchor.global_position
	await check_works(other, "without the anchor")
	check_near(anchor.global_position, place, 40.0, "bound to nothing")
	await check_works(rope, "without the anchor")


func test_a_freed_anchor_lets_its_point_go() -> void:
	for mode: int in [FOLLOW, DRIVE]:
		for how: String in ["free", "queue_free", "remove"]:
			var rope := await hang()
			var anchor := _anchor(rope, {mode = mode, point = 20})
			await ticks(3)
			match how:
				"free":
					anchor.free()
				"queue_free":
					anchor.queue_free()
				_:
					rope.remove_child(anchor)
			await ticks(3)
			check_true(not rope.is_point_pinned(20), how + ": let go")
			check_eq(rope.end_pinned, false, how + ": end_pinned")
			await check_works(rope, "%s, mode %d" % [how, mode])
			if how == "remove":
				rope.add_child(anchor)
				await ticks(2)
				check_near(anchor.global_position, tip(rope), 0.01, "in the tree again")
			rope.free()


func test_a_freed_or_replaced_rope_is_no_trouble() -> void:
	for mode: int in [FOLLOW, DRIVE]:
		var anchor := PointAnchor2D.new()
		anchor.mode = mode
		anchor.body = ^"../Rope"
		anchor.point = 5
		anchor.position = Vector2(500, 200)
		add(anchor)
		await ticks(3)
		check_eq(anchor.get_velocity(), Vector2.ZERO, "velocity without a rope")
		for i in 2:
			var rope := make_rope()
			add(rope)
			await ticks(4)
			var what := "mode %d, rope %d" % [mode, i]
			var at := rope.get_point_position(5)
			check_near(anchor.global_position, at, 0.01, what + ": bound to a rope that came later")
			if i == 0:
				rope.queue_free()
				await ticks(3)
			else:
				rope.free()
			await ticks(2)
			check_true(anchor.global_position.is_finite(), what + ": finite")
			check_eq(anchor.get_velocity(), Vector2.ZERO, what + ": velocity")
		anchor.free()


func test_it_is_bound_again_after_reset_reparent_and_new_pieces() -> void:
	for mode: int in [FOLLOW, DRIVE]:
		var rope := await hang()
		var anchor := _anchor(rope, {mode = mode, point = 8})
		var parent := node_at(Vector2(50, 40), "Parent")
		await ticks(3)
		rope.reset()
		await ticks(3)
		check_near(anchor.global_position, rope.get_point_position(8), 0.01, "after reset")
		anchor.reparent(parent)
		anchor.body = ^"../../Rope"
		await ticks(3)
		check_near(anchor.global_position, rope.get_point_position(8), 0.01, "reparented")
		rope.reparent(parent)
		anchor.body = ^"../Rope"
		await ticks(3)
		check_near(anchor.global_position, rope.get_point_position(8), 0.01, "rope reparented")
		rope.segments = 30
		await ticks(3)
		if mode == FOLLOW:
			check_near(anchor.global_position, rope.get_point_position(8), 0.01, "new pieces")
		rope.segments = 4
		await ticks(3)
		check_true(anchor.global_position.is_finite(), "fewer points than its own")
		check_true(all_finite(rope.get_points()), "finite")
		if mode == FOLLOW:
			check_near(anchor.global_position, tip(rope), 0.01, "the last point")
		rope.teleport(Transform2D(0.0, Vector2(900, 50)))
		await ticks(2)
		check_true(all_finite(rope.get_points()), "finite after a teleport")
		parent.free()


func test_anchors_follow_a_sleeping_rope_and_do_not_wake_it() -> void:
	var rope := await hang_asleep()
	var anchor := _anchor(rope, {point = 7})
	await ticks(3)
	check_true(await until_asleep([rope], 2.0), "asleep")
	check_near(anchor.global_position, rope.get_point_position(7), 0.01, "on the sleeping rope")
	anchor.position += Vector2(30, 0)
	await ticks(2)
	check_near(anchor.global_position, rope.get_point_position(7), 0.01, "moved away by a script")
	rope.position += Vector2(25, 0)
	await ticks(1)
	check_near(anchor.global_position, rope.get_point_position(7), 0.01, "on the moved rope")


func test_many_anchors_on_one_rope_share_it() -> void:
	var rope := await hang({end_position = released_at(60.0)})
	var anchors: Array[PointAnchor2D] = []
	for i in 20:
		anchors.append(_anchor(rope, {point = i + 1}))
	var driver := _anchor(rope, {mode = DRIVE, point = 20})
	await ticks(2)
	for i in 20:
		driver.global_position += Vector2(-3, -1)
		await ticks(1)
		for k in 19:
			var place := rope.get_point_position(k + 1)
			check_near(anchors[k].global_position, place, 0.01, "anchor %d" % k)
	anchors[4].free()
	anchors[9].queue_free()
	await ticks(2)
	check_near(anchors[5].global_position, rope.get_point_position(6), 0.01, "beside a freed one")


func test_an_animation_player_drives_in_the_same_tick() -> void:
	var rope := await hang()
	var anchor := _anchor(rope, {mode = DRIVE, point = 20})
	anchor.name = "Hand"
	var player := AnimationPlayer.new()
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	player.add_animation_library("", _swing(^"Hand:position"))
	rope.add_child(player)
	player.play("swing")
	await ticks(2)
	for i in 60:
		await ticks(1)
		check_near(tip(rope), anchor.global_position, 0.01, "hand")
	check_lt(worst_strain(rope), EXACT, "strain")


func test_an_anchor_with_a_script_that_overrides_everything_works() -> void:
	var rope := await hang({end_position = released_at(60.0)})
	for mode: int in [FOLLOW, DRIVE]:
		var anchor: PointAnchor2D = override_everything(PointAnchor2D.new())
		anchor.mode = mode
		anchor.point = 15
		anchor.position = Vector2(40, 150)
		rope.add_child(anchor)
		anchor.set_physics_process(false)
		await ticks(3)
		for i in 10:
			await ticks(1)
			var place := rope.get_point_position(15)
			check_near(anchor.global_position, place, 0.01, "mode %d" % mode)
		anchor.free()
	await check_works(rope, "afterwards")


func test_each_instance_of_a_scene_has_its_own_anchors() -> void:
	var rope := make_rope({position = Vector2.ZERO, end_position = released_at(60.0)})
	var anchor := PointAnchor2D.new()
	anchor.name = "Anchor"
	anchor.rope_offset = 90.0
	anchor.follow_rotation = true
	rope.add_child(anchor)
	anchor.owner = rope
	var scene := PackedScene.new()
	scene.pack(rope)
	rope.free()
	for i in 3:
		var copy: Node2D = scene.instantiate()
		copy.position = Vector2(200 + 200 * i, 80)
		add(copy)
	await ticks(8)
	for copy: VerletRope2D in get_children():
		var own: PointAnchor2D = copy.get_child(0)
		check_near(own.global_position, copy.sample_baked(90.0), 0.01, "anchor")


func _anchor(rope: VerletRope2D, properties: Dictionary) -> PointAnchor2D:
	var anchor := PointAnchor2D.new()
	for property: StringName in properties:
		anchor.set(property, properties[property])
	if properties.get("mode", FOLLOW) == DRIVE and properties.get("point", -1) >= 0:
		anchor.position = rope.to_local(rope.get_point_position(properties.point))
	rope.add_child(anchor)
	return anchor


func _shake(node: Node2D, center: Vector2) -> void:
	var shaker := Shaker.new()
	shaker.target = node
	shaker.center = center
	node.add_child(shaker)


func _swing(path: NodePath) -> AnimationLibrary:
	var animation := Animation.new()
	animation.length = 1.0
	animation.loop_mode = Animation.LOOP_LINEAR
	var track := animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, path)
	animation.track_insert_key(track, 0.0, Vector2(0, 190))
	animation.track_insert_key(track, 0.4, Vector2(120, 80))
	animation.track_insert_key(track, 0.7, Vector2(-100, 100))
	animation.track_insert_key(track, 1.0, Vector2(0, 190))
	var library := AnimationLibrary.new()
	library.add_animation("swing", animation)
	return library
