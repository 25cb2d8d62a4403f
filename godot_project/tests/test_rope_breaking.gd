extends "res://tests/support/rope_test.gd"
## Tension, and ropes that break or are cut.

const GRAVITY := 980.0
const CARRIES := VerletRope2D.ATTACH_ROPE_CARRIES_NODE


## Free fall of a rope, for checking that a rest falls.
func _falls(rope: VerletRope2D, what: String) -> void:
	var before := _middle(rope)
	await seconds(0.4)
	check_gt(_middle(rope).y, before.y + 30.0, what + ": fall of the rest")
	check_true(all_finite(rope.get_points()), what + ": finite")


## The mean of its points.
func _middle(rope: VerletRope2D) -> Vector2:
	var sum := Vector2.ZERO
	for point in rope.get_points():
		sum += point
	return sum / rope.get_point_count()


## The weight that hangs below the middle of a link of a hanging rope.
func _weight_below(rope: VerletRope2D, link: int) -> float:
	var links := rope.get_point_count() - 1
	var points := rope.get_points()
	var below := 0.5 * points[link].distance_to(points[link + 1])
	for i in range(link + 1, links):
		below += points[i].distance_to(points[i + 1])
	var share := below / rope.get_current_length()
	return (rope.mass * share + rope.end_mass) * GRAVITY * absf(rope.gravity_scale)


func _check_tension(rope: VerletRope2D, what: String) -> void:
	for link in rope.get_point_count() - 1:
		var weight := _weight_below(rope, link)
		var error := absf(rope.get_tension(link) / weight - 1.0)
		if not check_le(error, 0.01, "%s: error of the tension of link %d" % [what, link]):
			return


func test_tension_at_rest_is_the_weight_below() -> void:
	var cases := {
		plain = {},
		loaded = {end_mass = 3.0},
		heavy = {mass = 40.0, length = 350},
		twice_gravity = {gravity_scale = 2.0, end_mass = 0.2},
		upwards = {gravity_scale = -1.0, end_position = Vector2(0, -200)},
		scaled_up = {scale = Vector2(3, 3), length = 60, end_mass = 0.5},
		mirrored = {scale = Vector2(-2, 2), length = 90},
		two_links = {segments = 2},
		fine = {segment_length = 2.0, end_mass = 1.0},
	}
	for what: String in cases:
		var rope := await hang_asleep(cases[what])
		_check_tension(rope, what)
		rope.free()


func test_tension_at_rest_of_a_relaxed_rope_is_the_weight_below() -> void:
	for iterations: int in [12, 40]:
		var rope := await hang_asleep({solver = 1, iteration_count = iterations, end_mass = 0.3})
		var links := rope.get_point_count() - 1
		for link in links:
			# All points weigh the same, those at the ends too.
			var share := float(links - link) / (links + 1)
			var weight := (rope.mass * share + rope.end_mass) * GRAVITY
			var what := "%d iterations, link %d" % [iterations, link]
			check_near(rope.get_tension(link) / weight, 1.0, 0.01, what)
		rope.free()


func test_tension_at_rest_is_the_same_at_any_tick_rate() -> void:
	for rate: int in [20, 30, 120, 240]:
		await set_ticks_per_second(rate)
		var rope := await hang_asleep({end_mass = 0.7, end_position = released_at(20.0)})
		_check_tension(rope, "%d ticks" % rate)
		rope.free()


func test_tension_after_winding_and_swinging_is_the_weight_below() -> void:
	for segments: int in [0, 20]:
		var rope := await hang(
			{segments = segments, end_mass = 1.0, end_position = released_at(30.0)}
		)
		for to: float in [60.0, 240.0, 130.0]:
			while rope.length != to:
				rope.length = move_toward(rope.length, to, 6.0)
				await ticks(1)
			check_true(await until_asleep([rope]), "asleep")
			_check_tension(rope, "wound to %s, %d segments" % [to, segments])
		rope.free()


func test_tension_of_a_bridge_carries_its_weight_at_both_ends() -> void:
	var rope := await hang_asleep(
		{
			position = Vector2(300, 100),
			length = 500,
			end_position = Vector2(400, 0),
			end_pinned = true
		}
	)
	var last := rope.get_point_count() - 2
	var up := -link_direction(rope, 0) * rope.get_tension(0)
	var other := link_direction(rope, last) * rope.get_tension(last)
	var links := last + 1.0
	var weight := rope.mass * GRAVITY * (1.0 - 1.0 / links)
	check_near(-(up.y + other.y) / weight, 1.0, 0.01, "weight carried by the ends")
	check_near(absf(up.x / other.x), 1.0, 0.01, "horizontal pulls")


func test_a_rope_breaks_once_at_the_link_and_force_that_it_says() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		for link: int in [1, 10, 18]:
			var rope := await hang(
				{
					gravity_scale = 0.0,
					start_pinned = false,
					end_position = Vector2(200, 0),
					break_force = 1000.0,
				}
			)
			var torn := count_emissions(rope, &"torn")
			var split := count_emissions(rope, &"split")
			var what := "%d ticks, link %d" % [rate, link]
			var pull := 0.0
			while torn.is_empty() and pull < 1500.0:
				pull += 120.0 / rate
				rope.apply_point_force(link, Vector2(-pull, 0))
				rope.apply_point_force(link + 1, Vector2(pull, 0))
				await ticks(1)
			check_near(pull / 1000.0, 1.0, 0.01, what + ": force at which it broke, as a part")
			if not check_eq(torn.size(), 1, what + ": torn"):
				return
			check_eq(torn[0][0], link, what + ": the link that broke")
			var place := rope.position + Vector2(10 * link + 5, 0)
			check_near(torn[0][1], place, 1.0, what + ": where it broke")
			check_eq(split.size(), 1, what + ": split")
			var rest: VerletRope2D = split[0][0]
			var torn_rest := count_emissions(rest, &"torn")
			check_near(
				rope.get_current_length() + rest.get_current_length(),
				200.0,
				0.2,
				what + ": lengths"
			)
			check_near(rest.get_point_position(0), place, 1.0, what + ": start of the rest")
			rest.gravity_scale = 1.0
			await _falls(rest, what)
			await seconds(1.0)
			check_eq(torn.size() + torn_rest.size(), 1, what + ": torn later")
			check_eq(split.size(), 1, what + ": split later")
			check_true(not rest.is_point_pinned(0), what + ": the rest's start is free")
			for child in get_children():
				child.free()


func test_a_hanging_rope_breaks_at_the_top_under_too_much_weight() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var rope := await hang_asleep({break_force = 1500.0, end_mass = 0.5})
		var torn := count_emissions(rope, &"torn")
		var weight := 0.0
		while torn.is_empty() and rope.end_mass < 2.0:
			weight = _weight_below(rope, 0)
			rope.end_mass += 0.05 / rate
			await ticks(1)
		check_near(weight / 1500.0, 1.0, 0.01, "%d ticks: weight, as a part" % rate)
		check_true(torn and torn[0][0] == 0, "%d ticks: the link that broke" % rate)
		for child in get_children():
			child.free()


func test_just_below_its_break_force_a_rope_holds() -> void:
	var rope := await hang_asleep({end_mass = 1.0, mass = 0.5})
	var torn := count_emissions(rope, &"torn")
	rope.break_force = 1.5 * GRAVITY * 1.01
	rope.sleeping = false
	await seconds(3.0)
	check_eq(torn.size(), 0, "torn")
	rope.break_force = 1.5 * GRAVITY * 0.95
	await seconds(1.0)
	check_eq(torn.size(), 1, "torn below its weight")
	check_eq(torn[0][0], 0, "the link that broke: it carries most")


func test_torn_comes_before_split_and_both_see_the_parts() -> void:
	var rope := await _weak(100.0)
	var order := []
	rope.torn.connect(
		func(link: int, _position: Vector2) -> void:
			order.append("torn %d, %d points" % [link, rope.get_point_count()])
	)
	rope.split.connect(
		func(rest: VerletRope2D) -> void:
			order.append("split, %s" % [rest.get_index() == rope.get_index() + 1])
			order.append(rest.is_inside_tree())
	)
	await ticks(10)
	check_eq(order.size(), 3, "signals: %s" % [order])
	check_true(order and str(order[0]).begins_with("torn 10"), "torn is the first")
	check_eq(order.slice(1), ["split, true", true], "the rest is the next sibling, in the tree")


func test_a_break_at_the_top_lets_what_hangs_there_fall() -> void:
	node_at(Vector2(576, 100), "Hook")
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := make_rope(
		{
			start_node = ^"../Hook",
			end_node = ^"../Lamp",
			end_mode = CARRIES,
			end_mass = 2.0,
			break_force = 300.0,
		}
	)
	add(rope)
	var torn := count_emissions(rope, &"torn")
	var split := count_emissions(rope, &"split")
	var detached := count_emissions(rope, &"detached")
	await seconds(0.5)
	check_eq(torn.size(), 1, "torn")
	if not check_eq(split.size(), 1, "split"):
		return
	check_eq(detached, [], "detached: the lamp goes with the rest")
	var rest: VerletRope2D = split[0][0]
	var torn_rest := count_emissions(rest, &"torn")
	check_eq(rest.end_node, ^"../Lamp", "end node of the rest")
	await _falls(rest, "top")
	check_carried(rest, lamp, "what falls with it")
	check_eq(torn.size() + torn_rest.size(), 1, "torn later")
	check_near(rope.get_point_position(0), Vector2(576, 100), 0.01, "what stays at the hook")


func test_the_rest_takes_over_look_place_and_end() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var texture := PlaceholderTexture2D.new()
	var look := {
		width = 9.0,
		default_color = Color.RED,
		texture = texture,
		modulate = Color(0.5, 1, 0.7),
		z_index = 3,
		gravity_scale = 1.25,
		linear_damp = 0.75,
		bend = 0.25,
		segment_length = 8.0,
		break_force = 7e8,
		visibility_layer = 5,
		light_mask = 3,
		mouse_grab = true,
		grab_radius = 33.0,
		solver = 0,
		process_mode = Node.PROCESS_MODE_PAUSABLE,
	}
	var rope := await hang({end_node = ^"../Lamp", end_mode = CARRIES, end_offset = Vector2(0, -7)})
	for property: StringName in look:
		rope.set(property, look[property])
	rope.add_to_group(&"ropes")
	rope.end_mass = 1.5
	var after := node_at(Vector2.ZERO, "After")
	await ticks(3)
	rope.position += Vector2(4, 5)
	await ticks(3)
	var mass := rope.mass
	var rest := rope.cut(12)
	if not check_true(is_instance_valid(rest), "a rest"):
		return
	for property: StringName in look:
		check_eq(rest.get(property), rope.get(property), "%s of the rest" % property)
		if property not in [&"solver"]:
			check_eq(rest.get(property), look[property], "%s of the rest, as it was" % property)
	check_eq(rest.name, &"RopeRest", "name")
	check_eq(rest.get_index(), rope.get_index() + 1, "index")
	check_eq(after.get_index(), rest.get_index() + 1, "the next sibling")
	check_eq(rest.global_transform, rope.global_transform, "transform")
	check_true(rest.is_in_group(&"ropes"), "group")
	check_eq(rest.end_node, ^"../Lamp", "end node")
	check_eq(rest.end_offset, Vector2(0, -7), "end offset")
	check_eq(rope.end_node, ^"", "end node of what stays")
	check_near(rest.end_mass, 1.5, 1e-6, "end mass")
	check_eq(rope.end_mass, 0.0, "end mass of what stays")
	check_near(rest.mass + rope.mass, mass, 1e-4, "mass")
	check_near(rest.mass / mass, rest.get_current_length() / 200.0, 0.01, "share of the mass")
	check_true(not rest.start_pinned and rest.start_node.is_empty(), "the start is free")
	for i in 20:
		await ticks(1)
		check_carried(rest, lamp, "tick %d" % i, Vector2(0, -7))
	check_gt(rest.get_point_position(0).y, rope.get_point_position(0).y + 130.0, "fall")
	for i in 20:
		rope.position += Vector2(5, 0)
		await ticks(1)
		check_near(rope.get_point_position(0), rope.position, 0.01, "what stays: start")
	check_near(rope.get_current_length() / rope.length, 1.0, EXACT, "what stays: strain")


func test_a_cut_in_every_link_leaves_two_parts_that_make_up_the_whole() -> void:
	for solver: int in [0, 1]:
		for link in 20:
			var rope := await hang({end_position = released_at(50.0), solver = solver})
			await ticks(12)
			var whole := rope.get_current_length()
			var before := rope.get_points()
			var split := count_emissions(rope, &"split")
			var rest := rope.cut(link)
			var what := "link %d, solver %d" % [link, solver]
			if link in [0, 19]:
				check_true(rest == null, what + ": no rest")
				check_eq(split, [], what + ": split")
				check_eq(rope.get_point_count(), 21, what + ": points")
				rope.free()
				continue
			check_eq(split, [[rest]], what + ": split")
			var length := rope.get_current_length() + rest.get_current_length()
			check_near(length / whole, 1.0, 0.0001, what + ": length of both parts")
			check_near(
				tip(rope), rest.get_point_position(0), 0.001, what + ": both ends of the cut"
			)
			var middle := 0.5 * (before[link] + before[link + 1])
			check_near(tip(rope), middle, 0.01, what + ": place of the cut")
			check_near(tip(rest), before[-1], 0.001, what + ": the end")
			check_near(rope.length + rest.length, 200.0, 0.01, what + ": the properties")
			await ticks(20)
			check_lt(fastest(rest), 1500.0, what + ": speed of the rest")
			check_true(all_finite(rope.get_points()), what + ": finite")
			if solver == 0:
				check_near(rope.get_current_length() / rope.length, 1.0, EXACT, what + ": strain")
				check_near(
					rest.get_current_length() / rest.length, 1.0, EXACT, what + ": its strain"
				)
			rest.free()
			rope.free()


func test_a_cut_at_an_end_lets_go_what_is_there() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := await hang({end_node = ^"../Lamp", end_mode = CARRIES, end_mass = 1.0})
	var detached := count_emissions(rope, &"detached")
	await ticks(5)
	check_true(rope.cut(19) == null, "no rest at the end")
	await ticks(2)
	check_eq(detached, [[1]], "detached from the end")
	check_eq(rope.end_node, ^"", "end node")
	var place := lamp.position
	for i in 10:
		rope.position += Vector2(3, 0)
		await ticks(1)
	check_eq(lamp.position, place, "place of the lamp")
	check_true(rope.cut(0) == null, "no rest at the start")
	await _falls(rope, "cut off at the start")
	check_true(rope.cut(0) == null, "no rest at a free start")
	check_true(rope.cut(19) == null, "no rest at a free end")


func test_a_rope_of_few_links_can_be_cut() -> void:
	for segments: int in [1, 2, 3]:
		for link in segments:
			var rope := await hang({segments = segments})
			await ticks(2)
			var rest := rope.cut(link)
			check_eq(rest != null, segments == 3 and link == 1, "%d links, %d" % [segments, link])
			await ticks(10)
			check_true(all_finite(rope.get_points()), "finite")
			if rest:
				await _falls(rest, "%d links" % segments)
				rest.free()
			rope.free()


func test_twenty_cuts_in_a_row_leave_the_whole_length() -> void:
	for seed_of_run in 5:
		var random := RandomNumberGenerator.new()
		random.seed = seed_of_run
		var rope := await hang({length = 600.0, end_position = released_at(70.0)})
		var parts: Array[VerletRope2D] = [rope]
		for i in 20:
			var part: VerletRope2D = parts[random.randi() % parts.size()]
			var rest := part.cut(random.randi() % (part.get_point_count() - 1))
			if rest:
				parts.append(rest)
			await ticks(random.randi() % 3)
		var length := 0.0
		var mass := 0.0
		for part in parts:
			check_true(all_finite(part.get_points()), "finite")
			check_near(part.get_current_length() / part.length, 1.0, EXACT, "strain of a part")
			length += part.get_current_length()
			mass += part.mass
		check_gt(parts.size(), 5, "parts")
		check_near(length / 600.0, 1.0, EXACT, "length of all parts")
		check_near(mass / 0.5, 1.0, 0.01, "mass of all parts")
		var names := {}
		for part in parts:
			names[part.name] = true
		check_eq(names.size(), parts.size(), "different names")
		for part in parts:
			part.free()


func test_a_line_cuts_where_it_crosses() -> void:
	var cases := [
		["across", Vector2(500, 205), Vector2(650, 205), 1],
		["slanting", Vector2(500, 150), Vector2(650, 260), 1],
		["backwards", Vector2(650, 203), Vector2(500, 203), 1],
		["beside", Vector2(600, 100), Vector2(600, 300), 0],
		["short of it", Vector2(500, 200), Vector2(570, 200), 0],
		["below", Vector2(500, 320), Vector2(650, 320), 0],
		["a point", Vector2(300, 200), Vector2(300, 200), 0],
		["very long", Vector2(-90_000, 200), Vector2(90_000, 205), 1],
	]
	for case: Array in cases:
		var rope := await hang_asleep()
		var split := count_emissions(rope, &"split")
		check_eq(rope.cut_line(case[1], case[2]), case[3], case[0] + ": cuts")
		check_eq(split.size(), case[3], case[0] + ": split")
		var length := 0.0
		for part: VerletRope2D in get_children():
			length += part.get_current_length()
		check_near(length, 200.0, 0.1, case[0] + ": length of all parts")
		await ticks(3)
		for child in get_children():
			child.free()
	var rope := await hang_asleep()
	var cuts := rope.cut_line(Vector2(576, 50), Vector2(576, 350))
	check_le(cuts, 20, "cuts along the rope")
	await ticks(10)
	for part: VerletRope2D in get_children():
		check_true(all_finite(part.get_points()), "along: finite")


func test_a_line_cuts_at_each_crossing() -> void:
	var rope := await _loop()
	var split := count_emissions(rope, &"split")
	check_eq(rope.cut_line(Vector2(300, 250), Vector2(700, 250)), 2, "cuts")
	check_eq(get_child_count(), 3, "parts")
	check_eq(split.size(), 1, "split of the rope itself")
	var length := 0.0
	for part: VerletRope2D in get_children():
		length += part.get_current_length()
	check_near(length, 600.0, 0.6, "length of all parts")
	var held: VerletRope2D = get_child(2)
	var middle: VerletRope2D = get_child(1)
	await seconds(1.0)
	check_near(rope.get_point_position(0), Vector2(400, 100), 0.01, "start")
	check_near(tip(held), Vector2(600, 100), 0.01, "the last part is held where the end was")
	check_gt(_middle(middle).y, 500.0, "fall of the middle")


func test_a_circle_cuts_once_for_each_passage() -> void:
	var rope := await hang_asleep()
	check_eq(rope.cut_circle(Vector2(700, 200), 50.0), 0, "cuts beside it")
	check_eq(rope.cut_circle(Vector2(576, 200), 0.0), 1, "cuts of a point on it")
	check_eq(get_child_count(), 2, "parts")
	check_near(tip(rope).y, 200.0, 6.0, "place of the cut")
	rope.free()
	get_child(0).free()
	rope = await hang_asleep()
	check_eq(rope.cut_circle(Vector2(580, 205), 30.0), 1, "cuts of a circle")
	check_near(tip(rope), Vector2(576, 205), 4.0, "nearest to the center")
	for child in get_children():
		child.free()
	rope = await _loop()
	check_eq(rope.cut_circle(Vector2(500, 200), 130.0), 2, "cuts of a loop")
	check_eq(get_child_count(), 3, "parts of the loop")
	for child in get_children():
		child.free()
	rope = await hang_asleep()
	check_le(rope.cut_circle(Vector2(576, 200), INF), 1, "cuts of an endless circle")
	await ticks(3)
	for child: VerletRope2D in get_children():
		check_true(all_finite(child.get_points()), "finite")


func test_pins_go_with_the_part_they_are_on() -> void:
	var hook := node_at(Vector2(520, 200), "Hook")
	var rope := await hang({length = 400.0, end_pinned = true, end_position = Vector2(150, 100)})
	rope.set_point_pinned(8, true, "../Hook")
	rope.set_point_pinned(30, true, "../Hook")
	rope.set_pin_position(30, Vector2(600, 250))
	await seconds(1.0)
	var last := tip(rope)
	var rest := rope.cut(20)
	check_eq(_pinned(rope), [0, 8], "pins of the rope")
	check_eq(_pinned(rest).size(), 2, "pins of the rest")
	check_true(rest.is_point_pinned(rest.get_point_count() - 1), "its end is held")
	await ticks(5)
	check_near(tip(rest), last, 0.01, "its end stays")
	for i in 5:
		hook.position += Vector2(3, 2)
		await ticks(1)
	var pin := rest.get_point_position(_pinned(rest)[0])
	check_near(pin, Vector2(600, 250) + Vector2(15, 10), 0.01, "the rest's pin follows the hook")
	await ticks(60)
	check_true(all_finite(rest.get_points()), "finite")


func test_a_hand_holds_on_to_the_part_that_it_holds() -> void:
	for upper: bool in [true, false]:
		var rope := await hang_asleep()
		var at := Vector2(576, 150 if upper else 260)
		var hand := rope.grab(at, 10.0)
		check_ge(hand, 0, "handle")
		await ticks(2)
		var rest := rope.cut(10)
		var held := rope if upper else rest
		for i in 20:
			at += Vector2(2, -1)
			rope.drag(hand, at)
			await ticks(1)
		var point := held.get_closest_point_index(at)
		check_near(held.get_point_position(point), at, 1.5, "hand on the part, upper %s" % upper)
		rope.release(hand)
		await ticks(3)
		if not upper:
			await _falls(rest, "let go")
		for child in get_children():
			child.free()


func test_anchors_stay_on_the_part_that_they_ride() -> void:
	var rope := await hang_asleep()
	var anchors: Array[PointAnchor2D] = []
	for point: int in [4, 16]:
		var anchor := PointAnchor2D.new()
		anchor.point = point
		rope.add_child(anchor)
		anchors.append(anchor)
	await ticks(3)
	var rest := rope.cut(10)
	for i in 20:
		await ticks(1)
		check_near(anchors[0].global_position, rope.get_point_position(4), 0.01, "the upper one")
		var near := rest.get_closest_point(anchors[1].global_position)
		check_near(anchors[1].global_position, near, 0.01, "the lower one")
	check_gt(anchors[1].global_position.y, 285.0, "fall of the lower one")
	check_gt(anchors[1].get_velocity().y, 200.0, "its velocity")
	rest.free()
	await ticks(3)
	check_near(anchors[0].global_position, rope.get_point_position(4), 0.01, "with the rest freed")


func test_a_sleeping_rope_wakes_when_it_is_cut() -> void:
	var rope := await hang_asleep({end_pinned = true, end_position = Vector2(100, 0)})
	var rest := rope.cut(10)
	await ticks(4)
	check_true(not rope.sleeping and not rest.sleeping, "awake")
	await seconds(0.5)
	check_gt(tip(rope).distance_to(rest.get_point_position(0)), 30.0, "distance of the cut ends")
	check_true(await until_asleep([rope, rest]), "asleep again")
	check_near(tip(rope), rope.position + Vector2(0, rope.length), 1.0, "what hangs at the start")
	var end := rest.position + Vector2(100, 0)
	check_near(rest.get_point_position(0), end + Vector2(0, rest.length), 1.0, "and at the end")


func test_handlers_of_a_break_may_do_anything() -> void:
	for what: String in ["free", "free rest", "cut", "reset", "remove", "state", "wind"]:
		for on_split: bool in [false, true]:
			for by_cut: bool in [false, true]:
				var other: VerletRope2D = add(make_rope({position = Vector2(800, 100)}))
				var rope := await _weak(0.0)
				var calls := count_emissions(rope, &"split" if on_split else &"torn")
				if on_split:
					rope.split.connect(_act.bind(rope, what), CONNECT_ONE_SHOT)
				else:
					rope.torn.connect(_act.bind(null, rope, what).unbind(2), CONNECT_ONE_SHOT)
				if by_cut:
					rope.cut(12)
				else:
					rope.break_force = 50.0
				await ticks(12)
				var whole := "%s, on split %s, by cut %s" % [what, on_split, by_cut]
				check_eq(calls.size() > 0, on_split or not by_cut, whole + ": handled")
				await check_works(other, whole)
				for child in get_children():
					child.free()


func test_a_handler_of_a_break_may_change_the_scene() -> void:
	for what: StringName in [&"torn", &"split"]:
		var root := Node2D.new()
		get_tree().root.add_child(root)
		get_tree().current_scene = root
		var rope := make_rope({break_force = 50.0, end_mass = 1.0})
		root.add_child(rope)
		var change := func() -> void: get_tree().change_scene_to_packed(scene_with_ropes(2))
		if what == &"torn":
			rope.torn.connect(func(_link: int, _position: Vector2) -> void: change.call())
		else:
			rope.split.connect(func(_rest: VerletRope2D) -> void: change.call())
		await ticks(20)
		check_true(not is_instance_valid(rope), "the old rope is gone")
		var scene := get_tree().current_scene
		if check_true(scene != null, "the new scene"):
			await check_works(scene.get_child(0), "in the new scene")
			scene.free()


func test_a_rope_can_be_cut_in_its_own_ready_and_tick() -> void:
	var script := GDScript.new()
	script.source_code = (
		"extends VerletRope2D\nvar rests := []\nvar n := 0\n"
		+ "func _ready():\n\trests.append(cut(15))\n"
		+ "func _physics_process(_delta):\n\tn += 1\n\tif n == 5:\n\t\trests.append(cut(5))\n"
	)
	script.reload()
	var rope := make_rope()
	rope.set_script(script)
	var parent := Node2D.new()
	parent.add_child(rope)
	add(parent)
	await ticks(20)
	var rests: Array = rope.get("rests")
	check_eq(rests.size(), 2, "cuts")
	for rest: Variant in rests:
		if check_true(is_instance_valid(rest) and rest.is_inside_tree(), "a rest in the tree"):
			check_true(rest.get_parent() == parent, "it is a sibling")
			check_true(rest.get_script() == null, "it has no script")
			check_gt(rest.get_point_position(0).y, 160.0, "fall")
	var length := 0.0
	for part: VerletRope2D in parent.get_children():
		length += part.get_current_length()
	check_near(length, 200.0, 0.2, "length of all parts")


func test_a_rope_whose_middle_is_held_breaks_where_a_hand_pulls_too_hard() -> void:
	var rope := await hang_asleep({break_force = 5000.0, length = 300.0})
	var torn := count_emissions(rope, &"torn")
	rope.grab_force = 2000.0
	var hand := rope.grab(tip(rope), 5.0)
	for i in 60:
		rope.drag(hand, Vector2(576, 400 + 20 * i))
		await ticks(1)
	check_eq(torn.size(), 0, "torn by a hand that may not pull so hard")
	check_le(rope.get_tension(0), 2600.0, "tension under that hand")
	rope.release(hand)


func test_a_rope_that_is_being_wound_can_be_cut() -> void:
	for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
		for segments: int in [0, 20]:
			for to: float in [60.0, 400.0]:
				var rope := await hang({reel_end = reel_end, segments = segments})
				await ticks(3)
				rope.length = to
				await ticks(2)
				var whole := rope.get_current_length()
				var rest := rope.cut(10 if rope.get_point_count() > 14 else 2)
				var what := "reel end %d, %d segments, to %s" % [reel_end, segments, to]
				var both := rope.get_current_length() + rest.get_current_length()
				check_near(both / whole, 1.0, EXACT, what + ": length of both parts")
				await seconds(1.0)
				for part: VerletRope2D in [rope, rest]:
					check_true(all_finite(part.get_points()), what + ": finite")
					var long := part.get_current_length() / part.length
					check_near(long, 1.0, EXACT, what + ": the property")
				rest.length *= 0.5
				rope.length *= 1.5
				await seconds(0.6)
				for part: VerletRope2D in [rope, rest]:
					var long := part.get_current_length() / part.length
					check_near(long, 1.0, EXACT, what + ": wound on")
				rest.free()
				rope.free()


func test_a_rope_that_is_cut_while_it_is_wound_in_farther_than_it_is_left() -> void:
	for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
		for segments: int in [0, 20]:
			for link: int in [1, 10, 18]:
				var rope := await hang({reel_end = reel_end, segments = segments})
				await ticks(3)
				rope.length = 5.0
				var rest := rope.cut(link)
				await seconds(1.0)
				for part: VerletRope2D in [rope, rest]:
					var what := "reel end %d, %d segments, link %d" % [reel_end, segments, link]
					check_true(all_finite(part.get_points()), what + ": finite")
					check_ge(part.length, 0.1, what + ": the property")
					part.length = 120.0
				await seconds(1.0)
				for part: VerletRope2D in [rope, rest]:
					check_near(part.get_current_length(), 120.0, 0.2, "wound out again")
				rest.free()
				rope.free()


func test_a_turned_scaled_and_mirrored_rope_is_cut_in_place() -> void:
	for scale: Vector2 in [Vector2(2, 2), Vector2(-1, 1), Vector2(-0.5, 0.5)]:
		var parent := node_at(Vector2(400, 80), "Parent")
		parent.scale = scale
		parent.rotation = 0.4
		var rope := make_rope({position = Vector2(30, 10), rotation = -0.2, end_pinned = true})
		rope.end_position = Vector2(90, 20)
		parent.add_child(rope)
		await ticks(20)
		var before := rope.get_points()
		var end := tip(rope)
		var rest := rope.cut(8)
		var what := "scale %s" % scale
		check_eq(rest.global_transform, rope.global_transform, what + ": transform")
		check_near(rest.get_point_position(0), 0.5 * (before[8] + before[9]), 0.02, what)
		check_near(rope.length + rest.length, 200.0, 0.1, what + ": local lengths")
		await ticks(20)
		check_near(tip(rest), end, 0.01, what + ": the held end stays")
		check_near(rope.get_point_position(0), rope.global_position, 0.01, what + ": start")
		var size := absf(parent.scale.y)
		for part: VerletRope2D in [rope, rest]:
			var long := part.get_current_length() / (part.length * size)
			check_near(long, 1.0, EXACT, what + ": strain")
		parent.position += Vector2(9, 5)
		await ticks(1)
		check_near(tip(rest), end + Vector2(9, 5), 0.02, what + ": it goes with the parent")
		parent.free()


func test_parts_can_be_reset_saved_and_cut_again() -> void:
	var rope := await hang_asleep({segments = 20})
	var rest := rope.cut(11)
	check_eq(rope.segments + rest.segments, 21, "pieces of both: one was divided")
	await ticks(10)
	var state := rest.get_state()
	var there := rest.get_points()
	await ticks(10)
	check_true(rest.set_state(state), "state of the rest")
	check_lt(largest_distance(rest.get_points(), there), 0.001, "points of the state")
	for part: VerletRope2D in [rope, rest]:
		var long := part.length
		part.reset()
		await ticks(2)
		check_near(part.length, long, 0.001, "length after reset")
		check_near(part.get_current_length() / long, 1.0, EXACT, "strain after reset")
	check_true(rope.is_point_pinned(0) and not rest.is_point_pinned(0), "held as before")


## What a handler of `torn` or `split` may do.
func _act(rest: VerletRope2D, rope: VerletRope2D, what: String) -> void:
	match what:
		"free":
			rope.queue_free()
		"free rest":
			if rest:
				rest.free()
		"cut":
			rope.cut(2)
			if rest:
				rest.cut(3)
		"reset":
			rope.reset()
		"remove":
			remove_child(rope)
			rope.queue_free()
		"state":
			rope.set_state(rope.get_state())
		"wind":
			rope.length = 30.0


func _pinned(rope: VerletRope2D) -> Array:
	var found := []
	for i in rope.get_point_count():
		if rope.is_point_pinned(i):
			found.append(i)
	return found


## A rope whose middle link is being pulled apart by more than its break force, if it has one.
func _weak(break_force: float) -> VerletRope2D:
	var rope := await hang(
		{gravity_scale = 0.0, start_pinned = false, end_position = Vector2(200, 0)}
	)
	await ticks(1)
	rope.break_force = break_force
	rope.apply_point_force(10, Vector2(-400, 0))
	rope.apply_point_force(11, Vector2(400, 0))
	return rope


## Hangs between two places 200 px apart and 300 px down.
func _loop() -> VerletRope2D:
	return await hang_asleep(
		{
			position = Vector2(400, 100),
			length = 600,
			end_position = Vector2(200, 0),
			end_pinned = true
		}
	)
