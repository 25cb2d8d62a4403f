extends "res://tests/support/rope_test.gd"
## Bad values, nodes and moments for everything that ties, winds, cuts, grabs and saves: at most the
## one error that is announced, and the rope works on.

const CARRIES := VerletRope2D.ATTACH_ROPE_CARRIES_NODE
const HOLDS := VerletRope2D.ATTACH_NODE_HOLDS_ROPE
const NOT_A_NUMBER := Vector2(NAN, 0)
const ENDLESS := Vector2(0, INF)
const HUGE := Vector2(1e30, -1e30)


## Calls everything in its own virtual functions.
class Busy:
	extends VerletRope2D
	var calls := 0

	func _enter_tree() -> void:
		work()

	func _exit_tree() -> void:
		work()

	func _ready() -> void:
		work()

	func _process(_delta: float) -> void:
		work()

	func _physics_process(_delta: float) -> void:
		work()

	func _draw() -> void:
		work()

	func _notification(what: int) -> void:
		if what in [NOTIFICATION_TRANSFORM_CHANGED, NOTIFICATION_VISIBILITY_CHANGED]:
			work()

	## What a script may do at any time.
	func work() -> void:
		calls += 1
		length = 190.0 + calls % 20
		end_rotates = calls % 2 == 0
		end_offset = Vector2(0, calls % 7)
		var hand := grab(get_point_position(5), 50.0)
		drag(hand, get_point_position(5) + Vector2(1, 0))
		release(hand)
		apply_central_impulse(Vector2(0.1, 0))
		set_state(get_state())
		get_closest_point(Vector2.ZERO)
		get_tension(0)
		sample_transform(20.0)


func test_bad_values_are_refused_or_clamped() -> void:
	var rope := await hang()
	var bad_values := {
		slack = [NAN, INF, -1.0, 1e30],
		end_mass = [NAN, INF, -1.0, 1e30],
		bend = [NAN, INF, -0.5, 2.0],
		start_stiffness = [NAN, -INF, -0.5, 2.0],
		break_force = [NAN, -1.0, INF],
		grab_radius = [NAN, -1.0, INF],
		grab_force = [NAN, -1.0, INF],
		start_offset = [NOT_A_NUMBER, ENDLESS, HUGE],
		end_offset = [NOT_A_NUMBER, ENDLESS, HUGE],
	}
	await check_refused(rope, bad_values)


func test_bad_choices_do_no_harm() -> void:
	var rope := await hang()
	for property: StringName in [&"start_mode", &"end_mode", &"reel_end", &"bend_rest"]:
		var good: Variant = rope.get(property)
		for bad: int in [-1, 7, 1 << 40]:
			_expect_any(rope.set.bind(property, bad), property)
			check_eq(rope.get(property), good, "%s = %d: stays" % [property, bad])
	await check_works(rope, "afterwards")


func test_bad_arguments_are_refused() -> void:
	var rope := await hang_asleep()
	var calls := [
		["get_tension", [-1], "link"],
		["get_tension", [20], "link"],
		["get_tension", [1 << 40], "link"],
		["sample_baked", [NAN], "offset"],
		["sample_transform", [NAN], "offset"],
		["sample_velocity", [NAN], "offset"],
		["get_closest_offset", [NOT_A_NUMBER], "to_point"],
		["get_closest_point", [ENDLESS], "to_point"],
		["cut", [-1], "link"],
		["cut", [20], "link"],
		["cut", [1 << 40], "link"],
		["cut_line", [NOT_A_NUMBER, Vector2.ZERO], "from"],
		["cut_line", [Vector2.ZERO, HUGE], "to"],
		["cut_circle", [ENDLESS, 10.0], "center"],
		["cut_circle", [Vector2.ZERO, -1.0], "radius"],
		["cut_circle", [Vector2.ZERO, NAN], "radius"],
		["grab", [NOT_A_NUMBER, 20.0], "position"],
		["grab", [HUGE, 20.0], "position"],
		["grab", [Vector2.ZERO, NAN], "radius"],
		["grab", [Vector2.ZERO, -3.0], "radius"],
		["drag", [1, Vector2.ZERO], "handle"],
		["drag", [-1, Vector2.ZERO], "handle"],
		["drag", [0, NOT_A_NUMBER], "position"],
		["apply_impulse", [NOT_A_NUMBER, Vector2.ZERO], "impulse"],
		["apply_impulse", [Vector2.ONE, ENDLESS], "position"],
		["apply_central_impulse", [HUGE], "impulse"],
		["apply_radial_impulse", [ENDLESS, 1.0, 1.0], "center"],
		["apply_radial_impulse", [Vector2.ZERO, NAN, 1.0], "strength"],
		["apply_radial_impulse", [Vector2.ZERO, INF, 1.0], "strength"],
		["apply_radial_impulse", [Vector2.ZERO, 1.0, -1.0], "radius"],
		["apply_radial_impulse", [Vector2.ZERO, 1.0, NAN], "radius"],
		["attach_start", [rope], "node"],
		["attach_end", [rope], "node"],
		["attach_end", [self, NOT_A_NUMBER], ""],
	]
	# The test itself is no Node2D: the engine refuses it.
	calls.pop_back()
	var before := rope.get_state_hash()
	for call: Array in calls:
		expect_rope_error(rope, "%s(): %s" % [call[0], call[2]])
		rope.callv(call[0], call[1])
		check_eq(rope.get_state_hash(), before, "%s%s: state" % [call[0], call[1]])
	rope.release(-1)
	rope.release(1 << 50)
	check_eq(get_child_count(), 1, "no rest")
	await check_works(rope, "afterwards")


func test_attaching_with_a_bad_offset_or_outside_the_tree_is_one_error() -> void:
	var rope := await hang()
	var lamp := node_at(Vector2(500, 200), "Lamp")
	for bad: Vector2 in [NOT_A_NUMBER, ENDLESS, HUGE]:
		expect_rope_error(rope, "attach_end(): offset")
		rope.attach_end(lamp, bad)
		check_eq(rope.end_node, ^"", "not tied")
	var outside := Node2D.new()
	expect_rope_error(rope, "attach_end(): node")
	rope.attach_end(outside)
	outside.free()
	var loose := make_rope()
	expect_error('VerletRope2D "Rope": attach_start()')
	loose.attach_start(lamp)
	loose.free()
	await check_works(rope, "afterwards")


func test_a_freed_node_as_an_argument_changes_nothing() -> void:
	var lamp := node_at(Vector2(500, 200), "Lamp")
	var rope := await hang({end_mode = CARRIES, end_node = ^"../Lamp"})
	await ticks(3)
	var freed := node_at(Vector2.ZERO, "Freed")
	freed.free()
	for method: StringName in [&"attach_start", &"attach_end"]:
		# The binding's own, and the engine's about the call.
		expect_error("VerletRope2D::%s()" % method)
		expect_error("Invalid call error code")
		_call_with(rope, method, freed)
	check_eq(rope.start_node, ^"", "start node")
	check_eq(rope.end_node, ^"../Lamp", "end node")
	await check_works(rope, "afterwards")
	check_carried(rope, lamp, "what it carries")


## A failed call ends the function that it is in.
func _call_with(rope: VerletRope2D, method: StringName, argument: Variant) -> void:
	rope.call(method, argument)


func test_an_ancestor_that_is_to_be_carried_is_one_error() -> void:
	var parent := node_at(Vector2(50, 40), "Parent")
	var rope := make_rope({end_mode = CARRIES})
	parent.add_child(rope)
	await ticks(3)
	expect_rope_error(rope, "attach_end(): node")
	rope.attach_end(parent)
	await check_works(rope, "afterwards")
	check_eq(parent.position, Vector2(50, 40), "place of the parent")


func test_tied_nodes_that_are_nowhere_leave_the_rope_whole() -> void:
	for mode: int in [HOLDS, CARRIES]:
		for start: bool in [true, false]:
			var hook := node_at(Vector2(560, 200), "Hook")
			var rope := await hang()
			rope.set(&"start_mode" if start else &"end_mode", mode)
			rope.set(&"start_node" if start else &"end_node", ^"../Hook")
			await ticks(3)
			for bad: Vector2 in [NOT_A_NUMBER, ENDLESS, HUGE, Vector2(1e8, 0), Vector2(9e4, 0)]:
				hook.position = bad
				await ticks(3)
				var what := "mode %d, start %s, %s" % [mode, start, bad]
				check_true(all_finite(rope.get_points()), what + ": finite")
				hook.position = Vector2(560, 200)
				await ticks(3)
			for bad: Vector2 in [Vector2.ZERO, Vector2(1, 0), Vector2(1e-20, 1e-20)]:
				hook.scale = bad
				await ticks(3)
				check_true(all_finite(rope.get_points()), "scale %s: finite" % bad)
			hook.scale = Vector2.ONE
			hook.rotation = 0.0
			await ticks(2)
			rope.start_node = ^""
			rope.end_node = ^""
			rope.reset()
			await check_works(rope, "mode %d, start %s" % [mode, start])
			rope.free()
			hook.free()


func test_a_rope_on_a_node_that_is_nowhere_carries_nothing_away() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := await hang({end_mode = CARRIES, end_node = ^"../Lamp"})
	await ticks(3)
	for bad: Transform2D in [
		Transform2D(0.0, Vector2(NAN, NAN)),
		Transform2D(0.0, Vector2(INF, 0)),
		Transform2D(0.0, Vector2.ZERO, 0.0, Vector2(576, 100)),
		Transform2D(0.0, Vector2(1e20, 1e20), 0.0, Vector2(576, 100)),
	]:
		rope.transform = bad
		await ticks(3)
		check_true(lamp.global_position.is_finite(), "the lamp is somewhere, %s" % bad)
		rope.transform = Transform2D(0.0, Vector2(576, 100))
		await ticks(2)
		rope.reset()
		await ticks(2)
		check_carried(rope, lamp, "put right after %s" % bad)
	await check_works(rope, "afterwards")


func test_two_ropes_that_carry_each_others_nodes_stay_whole() -> void:
	var one := make_rope({name = "One", end_mode = CARRIES, end_node = ^"../Two"})
	var two := make_rope(
		{name = "Two", position = Vector2(700, 100), end_mode = CARRIES, end_node = ^"../One"}
	)
	add(one)
	add(two)
	for i in 120:
		await ticks(1)
		check_true(all_finite(one.get_points()) and all_finite(two.get_points()), "finite")
	one.end_node = ^""
	two.end_node = ^""
	one.position = Vector2(300, 100)
	await ticks(2)
	one.reset()
	await check_works(one, "afterwards")


func test_a_ring_of_ties_stays_whole() -> void:
	# Each holds on to what the other carries.
	var left := node_at(Vector2(500, 200), "Left")
	var right := node_at(Vector2(600, 200), "Right")
	for names: Array in [["Left", "Right"], ["Right", "Left"]]:
		var rope := make_rope({name = "From" + names[0]})
		rope.start_node = "../" + names[0]
		rope.end_node = "../" + names[1]
		rope.end_mode = CARRIES
		add(rope)
	await seconds(2.0)
	check_true(left.position.is_finite() and right.position.is_finite(), "finite")
	for rope: Node in get_children():
		if rope is VerletRope2D:
			check_true(all_finite(rope.get_points()), "finite points")


func test_a_rope_that_carries_its_own_anchor_or_its_child_rope_stays_whole() -> void:
	var rope := make_rope({end_mode = CARRIES, end_node = ^"Anchor"})
	var anchor := PointAnchor2D.new()
	anchor.name = "Anchor"
	anchor.point = 5
	rope.add_child(anchor)
	add(rope)
	for mode: int in [PointAnchor2D.MODE_DRIVE, PointAnchor2D.MODE_FOLLOW]:
		anchor.mode = mode
		await ticks(30)
		check_true(all_finite(rope.get_points()), "finite, mode %d" % mode)
		check_true(anchor.position.is_finite(), "the anchor is finite")
	anchor.mode = PointAnchor2D.MODE_FOLLOW
	rope.end_node = ^""
	await ticks(2)
	rope.reset()
	await check_works(rope, "without the anchor")
	var child := make_rope({name = "Child", position = Vector2.ZERO, length = 50})
	rope.add_child(child)
	rope.attach_end(child)
	await ticks(10)
	check_near(child.global_position, tip(rope), 0.01, "a rope on the end of its parent")
	await check_works(rope, "with a rope at its end")


func test_one_node_in_every_role_at_once() -> void:
	var node := node_at(Vector2(560, 250), "Node")
	var rope := await hang({start_node = ^"../Node", end_node = ^"../Node"})
	rope.set_point_pinned(8, true, "../Node")
	for modes: Array in [[HOLDS, CARRIES], [CARRIES, HOLDS], [CARRIES, CARRIES], [HOLDS, HOLDS]]:
		rope.start_mode = modes[0]
		rope.end_mode = modes[1]
		await ticks(20)
		check_true(all_finite(rope.get_points()), "finite, modes %s" % [modes])
		check_true(node.position.is_finite(), "the node is finite")
	node.free()
	await ticks(3)
	rope.start_mode = HOLDS
	rope.end_mode = HOLDS
	rope.start_pinned = true
	rope.position = Vector2(576, 100)
	rope.reset()
	await check_works(rope, "with the node freed")


func test_nodes_freed_in_the_middle_of_everything() -> void:
	for round_of_test in 12:
		var hook := node_at(Vector2(576, 90), "Hook")
		var lamp := node_at(Vector2.ZERO, "Lamp")
		var grip := node_at(Vector2(500, 150), "Grip")
		var rope := await hang({end_mode = CARRIES, start_node = ^"../Hook", end_node = ^"../Lamp"})
		var anchor := PointAnchor2D.new()
		anchor.mode = round_of_test % 2
		anchor.point = 12
		rope.add_child(anchor)
		rope.set_point_pinned(6, true, "../Grip")
		await ticks(round_of_test % 3)
		var nodes: Array[Node] = [hook, lamp, grip, anchor]
		nodes.shuffle()
		for node in nodes:
			if round_of_test % 3 == 0:
				node.queue_free()
			else:
				node.free()
			await ticks(round_of_test % 2)
			rope.apply_central_impulse(Vector2(3, 0))
		await ticks(3)
		check_true(all_finite(rope.get_points()), "finite, round %d" % round_of_test)
		for i in rope.get_point_count():
			rope.set_point_pinned(i, i == 0)
		rope.start_pinned = true
		rope.reset()
		await check_works(rope, "round %d" % round_of_test)
		rope.free()


func test_handlers_of_detached_may_do_anything() -> void:
	for what: String in ["free", "remove", "cut", "reset", "tie", "wind", "mode", "state"]:
		var other := await hang({name = "Works", position = Vector2(900, 100)})
		node_at(Vector2(600, 120), "Other")
		for mode: int in [HOLDS, CARRIES]:
			var node := node_at(Vector2(560, 200), "Hook")
			var rope := make_rope({end_mode = mode, end_node = ^"../Hook"})
			add(rope)
			var calls := count_emissions(rope, &"detached")
			rope.detached.connect(_act.bind(rope, what).unbind(1))
			await ticks(4)
			node.free()
			await ticks(6)
			check_eq(calls.size(), 1, "%s, mode %d: calls" % [what, mode])
			if is_instance_valid(rope):
				check_true(all_finite(rope.get_points()), what + ": finite")
		await check_works(other, what)
		for child in get_children():
			child.free()


func test_ten_hands_at_once() -> void:
	var rope := await hang_asleep()
	var hands := PackedInt64Array()
	for i in 10:
		hands.append(rope.grab(rope.get_point_position(2 + 2 * i), 3.0 if i % 2 else INF))
		check_ge(hands[i], 0, "handle %d" % i)
		check_eq(hands.count(hands[i]), 1, "handle %d is its own" % i)
	for i in 60:
		for k in 10:
			var way := Vector2(30 * sin(i * 0.2 + k), 20 * cos(i * 0.15 * k))
			rope.drag(hands[k], Vector2(576, 120 + 20 * k) + way)
		await ticks(1)
		if not check_true(all_finite(rope.get_points()), "finite"):
			return
	for k in 10:
		rope.release(hands[k])
		rope.release(hands[k])
	expect_rope_error(rope, "drag(): handle")
	rope.drag(hands[3], Vector2.ZERO)
	await ticks(5)
	await check_works(rope, "let go")


func test_two_hands_do_not_pull_the_rope_apart() -> void:
	var rope := await hang_asleep()
	var left := rope.grab(rope.get_point_position(8), 1.0)
	var right := rope.grab(rope.get_point_position(14), 1.0)
	var worst := 0.0
	for i in 60:
		rope.drag(left, Vector2(576 - 4 * i, 150))
		rope.drag(right, Vector2(576 + 4 * i, 220))
		await ticks(1)
		worst = maxf(worst, worst_strain(rope))
	check_lt(worst, 0.01, "strain")
	rope.release(left)
	rope.release(right)
	await seconds(0.5)
	await check_works(rope, "let go")


func test_cutting_a_light_rope_is_no_error() -> void:
	var rope := await hang({mass = 0.005})
	await ticks(3)
	for link: int in [16, 13, 10, 7, 4, 1]:
		var rest := rope.cut(link)
		check_true(rest != null, "a rest at %d" % link)
	await ticks(10)
	for part: VerletRope2D in get_children():
		check_true(all_finite(part.get_points()), "finite")


func test_a_hand_far_away_does_not_stretch_the_rope() -> void:
	for force: float in [0.0, 500.0, 1e9]:
		var rope := await hang_asleep({grab_force = force})
		var hand := rope.grab(tip(rope), 1.0)
		for to: Vector2 in [Vector2(1e8, 0), Vector2(-9e7, 9e7), Vector2(5000, -5000)]:
			rope.drag(hand, to)
			for i in 20:
				await ticks(1)
				check_lt(worst_strain(rope), 0.01, "strain, force %s, to %s" % [force, to])
				check_near(rope.get_point_position(0), rope.position, 0.001, "start")
		rope.release(hand)
		await seconds(1.0)
		await check_works(rope, "let go, force %s" % force)
		rope.free()


func test_a_rope_of_held_points_cannot_be_grabbed() -> void:
	var rope := await hang({segments = 2, end_pinned = true, end_position = Vector2(90, 0)})
	rope.set_point_pinned(1, true)
	check_eq(rope.grab(rope.get_point_position(1), INF), -1, "handle")
	rope.set_point_pinned(1, false)
	check_eq(rope.grab(Vector2(-5000, 0), 100.0), -1, "handle out of reach")
	check_eq(rope.grab(rope.get_point_position(1) + Vector2(2, 0), 0.0), -1, "radius 0")
	var hand := rope.grab(rope.get_point_position(1), 0.01)
	check_ge(hand, 0, "exactly there")
	rope.queue_free()
	await ticks(3)
	check_true(not is_instance_valid(rope), "freed while held")


func test_a_hand_outlives_nothing() -> void:
	var rope := await hang_asleep()
	var hand := rope.grab(tip(rope), 5.0)
	rope.drag(hand, tip(rope) + Vector2(10, -10))
	await ticks(3)
	rope.reset()
	await ticks(2)
	check_true(all_finite(rope.get_points()), "finite after reset")
	rope.release(hand)
	hand = rope.grab(tip(rope), 50.0)
	remove_child(rope)
	rope.drag(hand, Vector2(500, 200))
	add(rope)
	await ticks(3)
	check_true(all_finite(rope.get_points()), "finite in the tree again")
	rope.release(hand)
	hand = rope.grab(tip(rope), 50.0)
	rope.segments = 7
	rope.length = 20.0
	for i in 20:
		await ticks(1)
		if i == 10:
			rope.release(hand)
	rope.segments = 0
	rope.length = 200.0
	await seconds(1.0)
	await check_works(rope, "afterwards")


func test_calls_outside_the_tree_work_or_are_one_error() -> void:
	var rope := make_rope()
	rope.slack = 0.2
	rope.end_mass = 1.0
	rope.start_node = ^"../Nobody"
	rope.end_node = ^"Child"
	rope.end_mode = CARRIES
	rope.end_rotates = false
	rope.attach_start(null)
	rope.attach_end(null)
	rope.apply_preset("Cable")
	rope.apply_central_impulse(Vector2(1, 0))
	rope.apply_impulse(Vector2(1, 0), Vector2.ZERO)
	rope.apply_radial_impulse(Vector2.ZERO, 3.0, 50.0)
	var hand := rope.grab(tip(rope), 10.0)
	rope.drag(hand, Vector2(10, 150))
	rope.release(hand)
	check_true(rope.sample_baked(10.0).is_finite(), "sample")
	check_true(is_finite(rope.get_tension(3)), "tension")
	check_true(rope.set_state(rope.get_state()), "state")
	for call: Array in [
		["cut", [5]],
		["cut_line", [Vector2.ZERO, Vector2(100, 100)]],
		["cut_circle", [Vector2(0, 50), 20.0]]
	]:
		expect_error('VerletRope2D "Rope": %s()' % call[0])
		rope.callv(call[0], call[1])
	await hang()
	rope.preset = 1
	rope.end_mass = 0.0
	add(rope)
	await ticks(2)
	rope.reset()
	await check_works(rope, "in the tree")
	var anchor := PointAnchor2D.new()
	anchor.mode = PointAnchor2D.MODE_DRIVE
	anchor.point = 4
	check_eq(anchor.get_velocity(), Vector2.ZERO, "velocity of an anchor outside the tree")
	anchor.free()


func test_a_script_that_does_everything_in_every_virtual_works() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := Busy.new()
	rope.position = Vector2(576, 100)
	rope.end_mode = CARRIES
	rope.end_node = ^"../Lamp"
	add(rope)
	for i in 30:
		rope.position.x += 3.0
		await ticks(1)
		check_true(all_finite(rope.get_points()), "finite")
		check_true(lamp.position.is_finite(), "the lamp is finite")
	check_gt(rope.calls, 60, "calls")
	rope.reparent(node_at(Vector2(10, 10), "Parent"))
	rope.visible = false
	await ticks(5)
	check_true(all_finite(rope.get_points()), "finite after reparenting")


func test_signals_may_do_anything_to_their_rope() -> void:
	var script := GDScript.new()
	script.source_code = """extends VerletRope2D
var log := []
func _init():
	torn.connect(func(_l, _p): log.append(1); do(); cut(0))
	split.connect(func(r): log.append(2); do(); r.cut(r.get_point_count() / 2 - 1))
	detached.connect(func(_e): log.append(3); do())
	sleeping_state_changed.connect(func(): log.append(4); do())
func do():
	var h = grab(get_point_position(0), INF)
	release(h)
	get_state()
	length = maxf(length * 0.99, 1.0)
	apply_central_impulse(Vector2(0.01, 0))
	teleport(transform)
"""
	script.reload()
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := make_rope({end_mode = CARRIES, end_node = ^"../Lamp", break_force = 3000.0})
	rope.set_script(script)
	add(rope)
	await ticks(5)
	rope.sleeping = true
	await ticks(3)
	rope.cut_circle(rope.get_point_position(10), 3.0)
	await ticks(2)
	rope.break_force = 0.1
	await ticks(5)
	lamp.free()
	await ticks(5)
	check_ge(rope.get("log").size(), 3, "signals: %s" % [rope.get("log")])
	var works := await hang({name = "Works", position = Vector2(900, 100)})
	await check_works(works, "another rope")


func test_everything_at_the_end_of_its_range_is_no_error() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := await hang({end_mode = CARRIES, end_node = ^"../Lamp", can_sleep = false})
	var values := {
		slack = [0.0, 10.0],
		end_mass = [0.0, 1e-6, 1e6],
		bend = [0.0, 1.0],
		start_stiffness = [0.0, 1.0],
		break_force = [1e12, 0.0],
		grab_radius = [0.0, 1e6],
		grab_force = [1e12, 0.0],
		end_offset = [Vector2(1e8, -1e8), Vector2.ZERO],
		length = [0.0, 0.1, 1e5, 200.0],
	}
	for property: StringName in values:
		var usual: Variant = rope.get(property)
		for value: Variant in values[property]:
			rope.set(property, value)
			await ticks(5)
			var what := "%s = %s" % [property, value]
			check_true(all_finite(rope.get_points()), what + ": finite")
			check_true(lamp.position.is_finite(), what + ": the lamp is finite")
		rope.set(property, usual)
		await ticks(5)
	rope.reset()
	await check_works(rope, "afterwards")


func test_winding_without_end_stays_whole() -> void:
	var rope := await hang({end_mass = 1.0})
	for i in 100:
		rope.length = [0.1, 1e5, 3.0, 500.0, 0.5, 40.0][i % 6]
		rope.reel_end = (i / 3) % 2
		rope.segments = [0, 0, 0, 5][i % 4]
		await ticks(i % 3)
		if not check_true(all_finite(rope.get_points()), "finite, %d" % i):
			return
	rope.segments = 0
	rope.end_mass = 0.0
	rope.length = 200.0
	await seconds(2.0)
	rope.reset()
	await check_works(rope, "afterwards")


func test_bad_values_of_an_anchor_are_one_error_each() -> void:
	var rope := await hang()
	var anchor := PointAnchor2D.new()
	anchor.name = "Anchor"
	rope.add_child(anchor)
	var bad := {
		point = [-2, -9_000_000_000],
		rope_offset = [NAN, INF, -7.0],
		strength = [NAN, INF, -1.0],
	}
	for property: StringName in bad:
		for value: Variant in bad[property]:
			expect_error('PointAnchor2D "Anchor" (%s): %s' % [anchor.get_path(), property])
			anchor.set(property, value)
			await ticks(1)
			check_true(anchor.position.is_finite(), "%s = %s" % [property, value])
	anchor.rope_offset = -1.0
	for mode: int in [0, 1]:
		anchor.mode = mode
		for point: int in [0, 20, 21, 9999, 1 << 40]:
			anchor.point = point
			await ticks(2)
			check_true(all_finite(rope.get_points()), "point %d, mode %d" % [point, mode])
		for place: Vector2 in [NOT_A_NUMBER, ENDLESS, HUGE, Vector2(1e8, 0)]:
			anchor.point = 10
			anchor.position = place
			await ticks(3)
			check_true(all_finite(rope.get_points()), "at %s, mode %d" % [place, mode])
			anchor.position = Vector2(0, 100)
			await ticks(2)
	for path: NodePath in [^"", ^".", ^"../..", ^"/root", ^"../../Nobody", ^"Anchor"]:
		anchor.body = path
		await ticks(2)
		check_eq(anchor.get_velocity(), Vector2.ZERO, "velocity on %s" % path)
	anchor.free()
	rope.reset()
	await check_works(rope, "afterwards")


func test_ordinary_calls_in_any_order_do_no_harm() -> void:
	for seed_of_run in 8:
		var random := RandomNumberGenerator.new()
		random.seed = seed_of_run
		get_tree().physics_interpolation = seed_of_run % 2 == 1
		var parent := node_at(Vector2(80, 40), "Parent")
		parent.scale = Vector2(-1.5, 1.5)
		add(make_rope())
		var memory := {hands = [], states = []}
		for step in 250:
			var parts := find_children("*", "VerletRope2D", true, false)
			if parts.size() > 12:
				parts.pop_back().free()
			if parts.is_empty():
				parts.append(add(make_rope()))
			var part: VerletRope2D = parts[random.randi() % parts.size()]
			if random.randf() < 0.7:
				_do_to_rope(part, parent, memory, random)
			else:
				_do_around(part, parent, random)
			if random.randf() < 0.5:
				await ticks(1)
			if not _all_is_finite():
				fail("not finite, %d %d" % [seed_of_run, step])
				return
		get_tree().paused = false
		var works := await hang({name = "Works", position = Vector2(900, 100)})
		await check_works(works, "another rope after run %d" % seed_of_run)
		for child in get_children():
			child.free()


func _all_is_finite() -> bool:
	for node: Node in find_children("*", "Node2D", true, false):
		if not node.global_position.is_finite():
			return false
		if node is VerletRope2D and not all_finite(node.get_points()):
			return false
	return true


## Calls one method, or sets one property, as a game might.
func _do_to_rope(
	rope: VerletRope2D, parent: Node2D, memory: Dictionary, random: RandomNumberGenerator
) -> void:
	var place := Vector2(random.randf_range(200, 900), random.randf_range(0, 500))
	var nodes := find_children("Node*", "Node2D", true, false)
	var node: Node2D = nodes[random.randi() % nodes.size()] if nodes else null
	match random.randi() % 26:
		0:
			rope.start_mode = random.randi() % 3
		1:
			rope.end_mode = random.randi() % 3
		2:
			rope.attach_start(node if random.randf() < 0.7 else null, place * 0.02)
		3:
			rope.attach_end(node if random.randf() < 0.7 else null, place * 0.02)
		4:
			rope.length = [0.0, 5.0, 80.0, 200.0, 600.0][random.randi() % 5]
		5:
			rope.reel_end = random.randi() % 2
		6:
			rope.segments = random.randi() % 25
		7:
			rope.end_mass = random.randf_range(0, 10)
		8:
			memory.hands.append(rope.grab(place, 300.0))
		9:
			for hand: int in memory.hands:
				rope.release(hand)
		10, 11:
			if random.randf() < 0.3:
				rope.cut(random.randi() % (rope.get_point_count() - 1))
		12:
			rope.cut_line(place, place + Vector2(200, -50))
		13:
			rope.cut_circle(place, 30.0)
		14:
			memory.states.append(rope.get_state())
		15, 16:
			if memory.states:
				rope.set_state(memory.states[random.randi() % memory.states.size()])
		17:
			rope.apply_radial_impulse(place, random.randf_range(-200, 200), 200.0)
		18:
			rope.bend = random.randf()
			rope.start_stiffness = random.randf()
		19:
			rope.teleport(Transform2D(random.randf(), place), random.randf() < 0.5)
		20:
			rope.reparent(parent if random.randf() < 0.5 else self)
		21:
			rope.apply_preset(["Rope", "Chain", "Hair", "Elastic"][random.randi() % 4])
		22:
			rope.end_rotates = random.randf() < 0.5
		23:
			rope.reset()
		24:
			rope.break_force = 0.0 if random.randf() < 0.7 else 3000.0
		25:
			rope.set_point_pinned(random.randi() % rope.get_point_count(), random.randf() < 0.4)


## Does something with the nodes around a rope.
func _do_around(rope: VerletRope2D, parent: Node2D, random: RandomNumberGenerator) -> void:
	var place := Vector2(random.randf_range(200, 900), random.randf_range(0, 500))
	var nodes := find_children("Node*", "Node2D", true, false)
	var node: Node2D = nodes[random.randi() % nodes.size()] if nodes else null
	match random.randi() % 12 if node else 0:
		0:
			node_at(place, "Node")
		1, 2:
			node.global_position = place
		3:
			node.free()
		4:
			node.reparent(parent if random.randf() < 0.5 else self)
		5:
			node.rotation = random.randf() * TAU
		6:
			var anchor := PointAnchor2D.new()
			anchor.name = "NodeAnchor"
			anchor.mode = random.randi() % 2
			anchor.point = random.randi() % 20
			anchor.strength = 0.0 if random.randf() < 0.5 else 900.0
			rope.add_child(anchor)
		7:
			if node is PointAnchor2D:
				node.mode = random.randi() % 2
				node.rope_offset = -1.0 if random.randf() < 0.5 else 60.0
				node.follow_rotation = random.randf() < 0.5
		8:
			rope.process_mode = [PROCESS_MODE_INHERIT, PROCESS_MODE_DISABLED][random.randi() % 2]
		9:
			get_tree().paused = random.randf() < 0.3
		10:
			rope.visible = not rope.visible
		11:
			parent.position = place


## What a handler of `detached` may do.
func _act(rope: VerletRope2D, what: String) -> void:
	match what:
		"free":
			rope.queue_free()
		"remove":
			remove_child(rope)
			rope.queue_free()
		"cut":
			rope.cut(7)
		"reset":
			rope.reset()
		"tie":
			rope.attach_end(get_node(^"Other"))
			rope.attach_start(get_node(^"Other"))
		"wind":
			rope.length = 20.0
		"mode":
			rope.end_mode = HOLDS
		"state":
			rope.set_state(rope.get_state())


## Setting what is none of the choices is an error of the binding.
func _expect_any(act: Callable, what: String) -> void:
	expect_error(what)
	act.call()
