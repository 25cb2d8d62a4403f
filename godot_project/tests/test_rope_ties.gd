extends "res://tests/support/rope_test.gd"
## Nodes at the ends of a rope: holding it, or carried by it.

const AUTO := VerletRope2D.ATTACH_AUTO
const HOLDS := VerletRope2D.ATTACH_NODE_HOLDS_ROPE
const CARRIES := VerletRope2D.ATTACH_ROPE_CARRIES_NODE


## Moves, turns and scales a node in every tick.
class Shaker:
	extends Node
	var target: Node2D
	var time := 0.0
	var center := Vector2(576, 100)
	var turn := 0.4
	var grow := 0.2

	func _physics_process(delta: float) -> void:
		time += delta
		target.position = center + Vector2(150, 60) * Vector2(sin(3.0 * time), sin(5.0 * time))
		target.rotation = turn * sin(2.0 * time)
		target.scale = Vector2.ONE * (1.0 + grow * sin(4.0 * time))


func test_a_carried_node_is_at_the_end_and_turns_with_it_at_any_tick_rate() -> void:
	for rate: int in [20, 60, 144]:
		for interpolated: bool in [false, true]:
			await set_ticks_per_second(rate)
			get_tree().physics_interpolation = interpolated
			var lamp := node_at(Vector2(40, 40), "Lamp")
			var rope := await _carry(lamp, {end_position = released_at(80.0)})
			var what := "%d ticks, interpolation %s" % [rate, interpolated]
			var before := lamp.rotation
			await _check_carried_for(rope, lamp, rate, what)
			check_gt(absf(lamp.rotation - before), 0.3, what + ": turn of the lamp")
			rope.free()
			lamp.free()


func test_a_lamp_under_a_resting_rope_stands_upright() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := await _carry(lamp)
	await until_asleep([rope])
	check_near(lamp.position, Vector2(576, 300), 0.5, "place")
	check_near(lamp.rotation, 0.0, 0.01, "rotation")
	check_carried(rope, lamp, "asleep")


func test_a_carried_node_stays_at_the_end_of_a_rope_that_is_moved_turned_and_scaled() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := await _carry(lamp)
	_shake(rope)
	await _check_carried_for(rope, lamp, 60, "rope shaken")
	check_gt(lamp.position.distance_to(Vector2(576, 300)), 10.0, "way of the lamp")


func test_a_carried_child_of_the_rope_stays_at_its_end() -> void:
	for mirror: float in [1.0, -1.0]:
		var rope := make_rope({end_mode = CARRIES, end_node = ^"Lamp", scale = Vector2(mirror, 1)})
		var lamp := Node2D.new()
		lamp.name = "Lamp"
		rope.add_child(lamp)
		add(rope)
		await ticks(2)
		for i in 50:
			rope.position.x += 6.0 * sin(i * 0.3)
			rope.rotation += 0.01
			await ticks(1)
			if not check_carried(rope, lamp, "tick %d, scale x %s" % [i, mirror]):
				break
		rope.free()


func test_a_carried_node_below_a_moving_parent_stays_at_the_end() -> void:
	var scales := {
		plain = Vector2.ONE,
		large = Vector2(3, 3),
		mirrored = Vector2(-1, 1),
		flipped = Vector2(2, -2)
	}
	for what: String in scales:
		var parent := node_at(Vector2(300, 50), "Parent")
		var inner := Node2D.new()
		inner.name = "Inner"
		inner.scale = scales[what]
		parent.add_child(inner)
		var lamp := Node2D.new()
		lamp.name = "Lamp"
		inner.add_child(lamp)
		var rope := make_rope({end_mode = CARRIES, end_node = ^"../Parent/Inner/Lamp"})
		add(rope)
		await ticks(2)
		_shake(parent, Vector2(300, 50))
		for i in 50:
			rope.position.x += 5.0 * sin(i * 0.3)
			await ticks(1)
			if not check_carried(rope, lamp, "%s parent, tick %d" % [what, i]):
				break
		rope.free()
		parent.free()
		for child in get_children():
			child.free()


func test_a_carried_node_stays_at_the_end_while_the_rope_is_wound() -> void:
	for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
		var lamp := node_at(Vector2.ZERO, "Lamp")
		var rope := await _carry(lamp, {reel_end = reel_end, end_mass = 2.0})
		for i in 90:
			rope.length = 200.0 + 150.0 * sin(i * 0.1)
			await ticks(1)
			if not check_carried(rope, lamp, "reel end %d, tick %d" % [reel_end, i]):
				break
		rope.free()
		lamp.free()


func test_a_carried_node_goes_along_when_the_rope_is_placed() -> void:
	for interpolated: bool in [false, true]:
		get_tree().physics_interpolation = interpolated
		var lamp := node_at(Vector2.ZERO, "Lamp")
		var rope := await _carry(lamp, {end_position = released_at(60.0)})
		await ticks(15)
		for keep: bool in [true, false]:
			rope.teleport(Transform2D(0.5, Vector2(300, 200)), keep)
			await ticks(1)
			check_carried(rope, lamp, "teleported, keep %s" % keep)
			rope.teleport(Transform2D(0.0, Vector2(700, 100)), keep)
			await ticks(1)
			check_carried(rope, lamp, "teleported again, keep %s" % keep)
		rope.position = Vector2(-3000, 900)
		await ticks(1)
		check_carried(rope, lamp, "jumped")
		rope.position += Vector2(120, 0)
		rope.reset_physics_interpolation()
		await ticks(1)
		check_carried(rope, lamp, "interpolation reset")
		rope.reset()
		await ticks(1)
		check_carried(rope, lamp, "reset")
		rope.free()
		lamp.free()


func test_a_carried_node_hangs_by_its_offset() -> void:
	var offset := Vector2(7, -12)
	for scale: Vector2 in [Vector2.ONE, Vector2(2, 3), Vector2(-1, 1)]:
		var lamp := node_at(Vector2.ZERO, "Lamp")
		lamp.scale = scale
		var rope := await _carry(lamp, {end_offset = offset, end_position = released_at(70.0)})
		for i in 30:
			await ticks(1)
			if not check_carried(rope, lamp, "scale %s, tick %d" % [scale, i], offset):
				break
		check_near(lamp.scale.abs(), scale.abs(), 1e-4, "scale of the lamp")
		rope.end_offset = Vector2(0, 30)
		await ticks(1)
		check_carried(rope, lamp, "another offset, scale %s" % scale, Vector2(0, 30))
		rope.free()
		lamp.free()


func test_a_carried_node_keeps_its_rotation_when_the_end_does_not_rotate() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	lamp.rotation = 0.3
	var rope := await _carry(
		lamp, {end_rotates = false, end_position = released_at(70.0), end_offset = Vector2(5, -5)}
	)
	for i in 30:
		await ticks(1)
		check_le(carried_distance(rope, lamp, Vector2(5, -5)), 0.01, "px from the end")
		check_near(lamp.rotation, 0.3, 1e-6, "rotation")
	rope.end_rotates = true
	await ticks(1)
	check_carried(rope, lamp, "rotating again", Vector2(5, -5))


func test_both_ends_can_carry_while_the_rope_falls() -> void:
	var left := node_at(Vector2(500, 100), "Left")
	var right := node_at(Vector2(600, 100), "Right")
	var rope := make_rope(
		{
			start_pinned = false,
			end_position = Vector2(150, 40),
			start_mode = CARRIES,
			end_mode = CARRIES,
			start_node = ^"../Left",
			end_node = ^"../Right",
		}
	)
	add(rope)
	await ticks(2)
	for i in 30:
		await ticks(1)
		check_carried(rope, right, "right in tick %d" % i)
		check_carried(rope, left, "left in tick %d" % i, Vector2.ZERO, 0)
	check_gt(left.position.y, 150.0, "fall of the left one")


func test_a_node_holds_an_end_at_its_offset_in_every_mode_that_holds() -> void:
	for mode: int in [AUTO, HOLDS]:
		for scale: Vector2 in [Vector2.ONE, Vector2(-2, 2)]:
			var hook := node_at(Vector2(300, 100), "Hook")
			hook.scale = scale
			hook.rotation = 0.5
			var grip := node_at(Vector2(420, 120), "Grip")
			var rope := make_rope(
				{
					start_mode = mode,
					end_mode = mode,
					start_node = ^"../Hook",
					end_node = ^"../Grip",
					start_offset = Vector2(10, 5),
					end_offset = Vector2(-4, 8),
				}
			)
			add(rope)
			var what := "mode %d, scale %s" % [mode, scale]
			await ticks(1)
			check_lt(fastest(rope), 40.0, what + ": speed after the first tick")
			_shake(hook, hook.position)
			for i in 40:
				grip.position += Vector2(1, 0.5)
				await ticks(1)
				var start := hook.to_global(Vector2(10, 5))
				check_near(rope.get_point_position(0), start, 0.01, what + ": start")
				check_near(tip(rope), grip.to_global(Vector2(-4, 8)), 0.01, what + ": end")
			check_lt(worst_strain(rope), EXACT, what + ": strain")
			for child in get_children():
				child.free()


func test_a_rope_that_is_held_by_other_nodes_does_not_follow_its_own() -> void:
	node_at(Vector2(300, 100), "Hook")
	var rope := make_rope({start_node = ^"../Hook"})
	add(rope)
	await until_asleep([rope])
	var before := rope.get_points()
	for i in 10:
		rope.position += Vector2(9, 4)
		await ticks(1)
	check_lt(largest_distance(rope.get_points(), before), 0.5, "way of the points")
	check_near(rope.get_point_position(0), Vector2(300, 100), 0.01, "start")


func test_a_rope_with_length_0_hangs_between_two_nodes() -> void:
	for slack: float in [0.0, 0.05, 0.5]:
		for scale: Vector2 in [Vector2.ONE, Vector2(2, 2), Vector2(-1, 1)]:
			for child in get_children():
				child.free()
			var hook := node_at(Vector2(200, 120), "Hook")
			var grip := node_at(Vector2(500, 200), "Grip")
			var rope := make_rope(
				{
					length = 0,
					slack = slack,
					scale = scale,
					start_node = ^"../Hook",
					end_node = ^"../Grip",
				}
			)
			add(rope)
			await ticks(3)
			var what := "slack %s, scale %s" % [slack, scale]
			var apart := hook.position.distance_to(grip.position)
			check_near(rope.get_current_length() / apart, 1.0 + slack, 0.001, what + ": length")
			check_lt(fastest(rope), 10.0, what + ": speed at the start")
			grip.position = Vector2(420, 150)
			await ticks(1)
			rope.reset()
			await ticks(1)
			apart = hook.position.distance_to(grip.position)
			check_near(
				rope.get_current_length() / apart, 1.0 + slack, 0.001, what + ": length after reset"
			)


func test_a_path_works_whether_it_is_set_before_or_after_the_tree() -> void:
	var hook := node_at(Vector2(300, 100), "Hook")
	var lamp := node_at(Vector2(0, 0), "Lamp")
	for late: bool in [false, true]:
		var rope := make_rope()
		if late:
			add(rope)
			await ticks(5)
		rope.end_mode = CARRIES
		rope.end_node = ^"../Lamp"
		rope.start_node = ^"../Hook"
		if not late:
			add(rope)
		await ticks(2)
		var what := "late" if late else "early"
		check_near(rope.get_point_position(0), hook.position, 0.01, what + ": start")
		check_carried(rope, lamp, what)
		hook.position += Vector2(20, 10)
		await ticks(1)
		check_near(rope.get_point_position(0), hook.position, 0.01, what + ": start, moved")
		rope.start_node = ^""
		await ticks(2)
		check_near(rope.get_point_position(0), rope.position, 0.01, what + ": start, untied")
		rope.free()


func test_a_node_that_comes_later_is_tied_then() -> void:
	for asleep: bool in [false, true]:
		var rope := make_rope({end_mode = CARRIES, end_node = ^"../Lamp", start_node = ^"../Hook"})
		add(rope)
		if asleep:
			await until_asleep([rope])
		else:
			await ticks(5)
		check_near(
			rope.get_point_position(0), rope.position, 0.01, "its own node holds it until then"
		)
		var hook := node_at(Vector2(560, 90), "Hook")
		var lamp := node_at(Vector2.ZERO, "Lamp")
		await ticks(3)
		check_near(rope.get_point_position(0), hook.position, 0.01, "start, asleep %s" % asleep)
		check_carried(rope, lamp, "asleep %s" % asleep)
		rope.free()
		hook.free()
		lamp.free()


func test_a_sleeping_rope_whose_path_leads_nowhere_does_nothing() -> void:
	var rope := await hang_asleep({end_mode = CARRIES, end_node = ^"../Nobody"})
	await ticks(5)
	var drawings := count_emissions(rope, &"draw")
	for i in 10:
		await ticks(1)
		check_true(rope.sleeping, "asleep")
		check_eq(Performance.get_custom_monitor(&"supple/awake"), 0.0, "simulated")
	check_eq(drawings.size(), 0, "times it was drawn")
	rope.default_color = Color.RED
	await ticks(2)
	check_eq(drawings.size(), 1, "times it was drawn with a new colour")


func test_a_path_to_something_else_leaves_the_rope_to_its_own_node() -> void:
	add(Node.new()).name = "Plain"
	var control := Control.new()
	control.name = "Control"
	add(control)
	for path: NodePath in [^"../Plain", ^"../Control", ^"../Nobody", ^".", ^"../..", ^"/root"]:
		for mode: int in [HOLDS, CARRIES]:
			var rope := make_rope(
				{start_mode = mode, end_mode = mode, start_node = path, end_node = path}
			)
			add(rope)
			var what := "%s, mode %d" % [path, mode]
			await ticks(3)
			check_near(rope.position, Vector2(576, 100), 0.001, what + ": the rope's place")
			check_near(tip(rope), Vector2(576, 300), 1.0, what + ": tip")
			await check_works(rope, what)
			check_eq(rope.start_node, path, what + ": the path stays")
			rope.free()


func test_an_ancestor_can_hold_a_rope_but_is_not_carried() -> void:
	for mode: int in [HOLDS, CARRIES]:
		var top := node_at(Vector2(100, 50), "Top")
		var middle := Node2D.new()
		middle.position = Vector2(50, 0)
		top.add_child(middle)
		var rope := make_rope(
			{position = Vector2(50, 30), end_mode = mode, end_node = ^"../..", length = 150}
		)
		middle.add_child(rope)
		await ticks(10)
		check_near(top.position, Vector2(100, 50), 0.001, "place of the ancestor, mode %d" % mode)
		if mode == HOLDS:
			check_near(tip(rope), top.position, 0.01, "end")
			top.position += Vector2(30, 10)
			top.rotation = 0.2
			await ticks(1)
			check_near(tip(rope), top.position, 0.01, "end when moved")
			rope.end_node = ^""
			await ticks(2)
		await check_works(rope, "mode %d" % mode)
		top.free()


func test_attach_ties_and_unties() -> void:
	var hook := node_at(Vector2(500, 90), "Hook")
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := await hang({end_mode = CARRIES})
	rope.attach_start(hook, Vector2(3, 4))
	rope.attach_end(lamp, Vector2(0, -10))
	check_eq(rope.start_node, ^"../Hook", "path of the start")
	check_eq(rope.end_node, ^"../Lamp", "path of the end")
	check_eq(rope.start_offset, Vector2(3, 4), "offset of the start")
	check_eq(rope.end_offset, Vector2(0, -10), "offset of the end")
	await ticks(2)
	check_near(rope.get_point_position(0), Vector2(503, 94), 0.01, "start")
	check_carried(rope, lamp, "attached", Vector2(0, -10))
	rope.attach_end(lamp)
	await ticks(1)
	check_eq(rope.end_offset, Vector2.ZERO, "offset by default")
	check_carried(rope, lamp, "attached again")
	rope.attach_start(null)
	rope.attach_end(null)
	check_eq(rope.start_node, ^"", "path of the start, untied")
	check_eq(rope.end_node, ^"", "path of the end, untied")
	await ticks(1)
	var left := lamp.position
	rope.position += Vector2(50, 0)
	await ticks(10)
	check_eq(lamp.position, left, "place of what was let go")
	check_near(rope.get_point_position(0), rope.position, 0.01, "start, untied")
	await check_works(rope, "afterwards")


func test_an_end_that_changes_its_mode_goes_on_without_a_jump() -> void:
	var lamp := node_at(Vector2(560, 290), "Lamp")
	var rope := await _carry(lamp)
	await ticks(10)
	for mode: int in [HOLDS, CARRIES, AUTO, CARRIES, HOLDS, CARRIES]:
		var before := rope.get_points()
		rope.end_mode = mode
		await ticks(1)
		var what := "mode %d" % mode
		check_lt(largest_distance(before, rope.get_points()), 5.0, what + ": way in a tick")
		var place := lamp.position
		rope.position += Vector2(3, 0)
		await ticks(8)
		if mode == CARRIES:
			check_carried(rope, lamp, what)
		else:
			check_eq(lamp.position, place, what + ": place of the node")
			check_near(tip(rope), place, 0.01, what + ": end")


func test_a_freed_node_is_told_once_and_lets_the_end_go() -> void:
	for mode: int in [HOLDS, CARRIES]:
		for end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
			for how: String in ["free", "queue_free", "asleep", "disabled"]:
				var node := node_at(Vector2(560, 110), "Hook")
				var rope := make_rope({start_pinned = true, can_sleep = true})
				rope.set(&"end_mode" if end else &"start_mode", mode)
				rope.set(&"end_node" if end else &"start_node", ^"../Hook")
				add(rope)
				var calls := count_emissions(rope, &"detached")
				var what := "mode %d, end %d, %s" % [mode, end, how]
				await ticks(5)
				if how == "asleep":
					check_true(await until_asleep([rope]), what + ": asleep")
				if how == "disabled":
					rope.process_mode = Node.PROCESS_MODE_DISABLED
				if how == "queue_free":
					node.queue_free()
				else:
					node.free()
				await ticks(3)
				if how == "disabled":
					rope.process_mode = Node.PROCESS_MODE_INHERIT
					await ticks(2)
				check_eq(calls, [[end]], what + ": detached")
				check_eq(rope.get(&"end_node" if end else &"start_node"), ^"", what + ": the path")
				await ticks(5)
				check_eq(calls.size(), 1, what + ": detached later")
				check_true(all_finite(rope.get_points()), what + ": points are finite")
				rope.free()


func test_a_freed_node_in_both_roles_is_told_for_each_end() -> void:
	var node := node_at(Vector2(560, 110), "Hook")
	var rope := make_rope({start_node = ^"../Hook", end_node = ^"../Hook", end_mode = CARRIES})
	add(rope)
	var calls := count_emissions(rope, &"detached")
	await ticks(10)
	check_true(all_finite(rope.get_points()), "a node that holds and is carried: finite")
	node.free()
	await ticks(4)
	calls.sort()
	check_eq(calls, [[0], [1]], "detached")
	node = node_at(Vector2(560, 110), "Hook")
	rope.attach_start(node)
	rope.end_mode = HOLDS
	rope.attach_end(node)
	await ticks(3)
	calls.clear()
	node.free()
	await ticks(4)
	calls.sort()
	check_eq(calls, [[0], [1]], "detached from the holder of both")


func test_a_tied_node_may_be_renamed_moved_in_the_tree_and_taken_out_of_it() -> void:
	for mode: int in [HOLDS, CARRIES]:
		var other := node_at(Vector2(30, 20), "Other")
		var node := node_at(Vector2(560, 280), "Hook")
		var rope := make_rope({end_mode = mode, end_node = ^"../Hook"})
		add(rope)
		var calls := count_emissions(rope, &"detached")
		await ticks(3)
		node.name = "Renamed"
		await ticks(3)
		await _check_tied(rope, node, mode, "renamed")
		node.reparent(other)
		await _check_tied(rope, node, mode, "reparented")
		other.remove_child(node)
		await ticks(5)
		check_true(all_finite(rope.get_points()), "finite while the node is outside")
		add_child(node)
		await _check_tied(rope, node, mode, "in the tree again")
		rope.name = "RenamedRope"
		rope.reparent(other)
		await _check_tied(rope, node, mode, "the rope reparented")
		other.remove_child(rope)
		await ticks(3)
		add_child(rope)
		await _check_tied(rope, node, mode, "the rope in the tree again")
		check_eq(calls, [], "detached")
		rope.free()
		node.free()
		other.free()


func test_each_instance_of_a_scene_is_tied_to_its_own_nodes() -> void:
	var root := Node2D.new()
	var hook := Node2D.new()
	hook.name = "Hook"
	hook.position = Vector2(20, 10)
	var lamp := Node2D.new()
	lamp.name = "Lamp"
	var rope := make_rope(
		{
			position = Vector2.ZERO,
			start_node = ^"../Hook",
			end_node = ^"../Lamp",
			end_mode = CARRIES,
			end_offset = Vector2(0, -9),
		}
	)
	# The rope comes first: its nodes enter the tree after it.
	for node: Node2D in [rope, hook, lamp]:
		root.add_child(node)
		node.owner = root
	var scene := PackedScene.new()
	scene.pack(root)
	root.free()
	for i in 3:
		var copy: Node2D = scene.instantiate()
		copy.position = Vector2(150 + 300 * i, 100)
		copy.rotation = 0.3 * i
		copy.scale = Vector2(1.0 + i, 1.0 + i)
		add(copy)
	await ticks(2)
	for copy in get_children():
		var own: VerletRope2D = copy.get_node("Rope")
		var its_hook: Node2D = copy.get_node("Hook")
		var its_lamp: Node2D = copy.get_node("Lamp")
		check_near(own.get_point_position(0), its_hook.global_position, 0.01, "start")
		check_lt(fastest(own), 60.0, "speed after the first tick")
		check_carried(own, its_lamp, "lamp", Vector2(0, -9))


func test_a_load_keeps_the_rope_straight_when_it_swings() -> void:
	var bows := []
	for load_mass: float in [0.0, 20.0]:
		var rope := await hang({end_position = released_at(60.0), end_mass = load_mass})
		var bow := 0.0
		for i in 90:
			await ticks(1)
			var chord := tip(rope) - rope.position
			for point in rope.get_points():
				bow = maxf(bow, absf(chord.normalized().cross(point - rope.position)))
		bows.append(bow)
		check_lt(worst_strain(rope), EXACT, "strain under %s kg" % load_mass)
		rope.free()
	check_gt(bows[0], 8.0, "bow without a load")
	check_lt(bows[1], bows[0] * 0.25, "bow with a load")


func test_two_ropes_hang_on_a_carried_node_of_a_third() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var upper := await _carry(lamp, {length = 100})
	var lower := make_rope({name = "Lower", start_node = ^"../Lamp", length = 80})
	add(lower)
	for i in 40:
		upper.position.x += 5.0 * sin(i * 0.3)
		await ticks(1)
		check_carried(upper, lamp, "tick %d" % i)
	await until_asleep([upper, lower])
	check_near(lower.get_point_position(0), tip(upper), 0.01, "start of the lower one at rest")


func test_every_kind_of_node_is_carried() -> void:
	var frozen := RigidBody2D.new()
	frozen.freeze = true
	var kinds: Array[Node2D] = [
		CharacterBody2D.new(),
		frozen,
		Area2D.new(),
		StaticBody2D.new(),
		AnimatableBody2D.new(),
		Sprite2D.new(),
		PointLight2D.new(),
		Camera2D.new(),
		VerletRope2D.new(),
		PointAnchor2D.new(),
	]
	for node in kinds:
		node.name = "Carried"
		add(node)
		var rope := await _carry(node, {end_position = released_at(60.0)})
		await _check_carried_for(rope, node, 25, node.get_class())
		rope.free()
		node.free()


func test_a_moving_rigid_body_in_either_role_is_no_error() -> void:
	for mode: int in [AUTO, HOLDS, CARRIES]:
		var body := RigidBody2D.new()
		body.name = "Body"
		body.position = Vector2(560, 250)
		add(body)
		var rope := await hang({end_mode = mode, end_node = ^"../Body"})
		for i in 60:
			await ticks(1)
			check_true(all_finite(rope.get_points()), "finite, mode %d" % mode)
		check_true(body.global_position.is_finite(), "the body is finite, mode %d" % mode)
		rope.free()
		body.free()


func test_a_lamp_that_a_script_takes_away_is_put_back_also_on_a_sleeping_rope() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := await _carry(lamp)
	await until_asleep([rope])
	lamp.position = Vector2(10, 10)
	lamp.rotation = 2.0
	await ticks(2)
	check_carried(rope, lamp, "moved by a script")
	lamp.scale = Vector2(2, 0.5)
	lamp.get_parent().remove_child(lamp)
	await ticks(3)
	add_child(lamp)
	await ticks(2)
	check_le(carried_distance(rope, lamp), 0.01, "in the tree again")


func test_a_hidden_rope_carries_and_a_paused_one_holds_still() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := await _carry(lamp, {end_position = released_at(60.0)})
	rope.visible = false
	await _check_carried_for(rope, lamp, 15, "hidden")
	rope.process_mode = Node.PROCESS_MODE_DISABLED
	var place := lamp.position
	await ticks(10)
	check_eq(lamp.position, place, "place of the lamp on a paused rope")
	rope.position += Vector2(200, 50)
	await ticks(3)
	rope.process_mode = Node.PROCESS_MODE_INHERIT
	rope.visible = true
	await ticks(2)
	await _check_carried_for(rope, lamp, 15, "going on")
	get_tree().paused = true
	await ticks(5)
	get_tree().paused = false
	await _check_carried_for(rope, lamp, 15, "after a pause")


func test_a_sleeping_rope_follows_its_holders_without_lag() -> void:
	for end: int in 2:
		var hook := node_at(Vector2(560, 130), "Hook")
		var rope := make_rope()
		rope.set(&"end_node" if end else &"start_node", ^"../Hook")
		add(rope)
		check_true(await until_asleep([rope]), "asleep")
		for i in 5:
			hook.position += Vector2(4, 3)
			await ticks(1)
			var at := tip(rope) if end else rope.get_point_position(0)
			check_near(at, hook.position, 0.01, "end %d in tick %d" % [end, i])
		check_true(not rope.sleeping, "awake")
		rope.free()
		hook.free()


func test_ties_work_for_nodes_of_sub_thread_groups() -> void:
	var group := node_at(Vector2(100, 50), "Group")
	group.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	var hook := Node2D.new()
	hook.name = "Hook"
	group.add_child(hook)
	var lamp := Node2D.new()
	lamp.name = "Lamp"
	group.add_child(lamp)
	var inside := make_rope({start_node = ^"../Hook", end_node = ^"../Lamp", end_mode = CARRIES})
	group.add_child(inside)
	var other := node_at(Vector2.ZERO, "Outer")
	var outside := make_rope({start_node = ^"../Group/Hook", end_node = ^"../Outer"})
	outside.end_mode = CARRIES
	add(outside)
	await ticks(2)
	for i in 30:
		hook.position += Vector2(4, 1)
		await ticks(1)
		check_carried(inside, lamp, "inside, tick %d" % i)
		check_carried(outside, other, "outside, tick %d" % i)
		check_near(inside.get_point_position(0), hook.global_position, 0.01, "start, inside")
		check_near(outside.get_point_position(0), hook.global_position, 0.01, "start, outside")


func test_a_duplicate_is_tied_to_the_same_nodes() -> void:
	var hook := node_at(Vector2(500, 90), "Hook")
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := make_rope({start_node = ^"../Hook", end_node = ^"../Lamp", end_mode = CARRIES})
	add(rope)
	await ticks(3)
	var copy: VerletRope2D = add(rope.duplicate())
	rope.free()
	await ticks(3)
	check_near(copy.get_point_position(0), hook.position, 0.01, "start")
	await _check_carried_for(copy, lamp, 10, "the duplicate")


func test_nodes_freed_together_with_their_rope_are_no_trouble() -> void:
	for order in 6:
		var parent := node_at(Vector2(100, 50), "Parent")
		var hook := Node2D.new()
		hook.name = "Hook"
		var lamp := Node2D.new()
		lamp.name = "Lamp"
		var rope := make_rope({start_node = ^"../Hook", end_node = ^"../Lamp", end_mode = CARRIES})
		var nodes: Array[Node2D] = [hook, lamp, rope]
		for i in 3:
			parent.add_child(nodes[(i + order) % 3])
		await ticks(3)
		if order % 2:
			parent.queue_free()
			await ticks(3)
		else:
			parent.free()
		await ticks(2)
	check_eq(get_child_count(), 0, "children left")


func _carry(lamp: Node2D, properties: Dictionary = {}) -> VerletRope2D:
	var rope := make_rope(properties)
	rope.end_mode = CARRIES
	rope.end_node = "../" + lamp.name
	add(rope)
	await ticks(2)
	return rope


func _shake(node: Node2D, center: Vector2 = Vector2(576, 100)) -> void:
	var shaker := Shaker.new()
	shaker.target = node
	shaker.center = center
	node.add_child(shaker)


func _check_carried_for(rope: VerletRope2D, lamp: Node2D, count: int, what: String) -> void:
	for i in count:
		await ticks(1)
		if not check_carried(rope, lamp, "%s, tick %d" % [what, i]):
			return


## Whether rope and node still have to do with each other.
func _check_tied(rope: VerletRope2D, node: Node2D, mode: int, what: String) -> void:
	what = "mode %d, %s" % [mode, what]
	await ticks(3)
	if mode == CARRIES:
		var before := node.global_position
		for i in 5:
			rope.global_position += Vector2(9, 0)
			await ticks(1)
			check_carried(rope, node, what)
		check_gt(node.global_position.distance_to(before), 0.5, what + ": way")
		for i in 5:
			rope.global_position -= Vector2(9, 0)
			await ticks(1)
		return
	for i in 3:
		node.global_position += Vector2(2, -3)
		await ticks(1)
		check_near(tip(rope), node.global_position, 0.01, what + ": end")
	for i in 3:
		node.global_position -= Vector2(2, -3)
		await ticks(1)
