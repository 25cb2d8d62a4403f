extends "res://tests/support/rope_test.gd"
## What is cut or let go while hands, anchors and nodes hold it.

const CARRIES := VerletRope2D.ATTACH_ROPE_CARRIES_NODE
const SEGMENTS := VerletRope2D.DRAW_SEGMENTS


## Unties the rope that carries it as soon as it is moved.
class Shy:
	extends Node2D
	var rope: VerletRope2D
	var unties := false
	## Whether it unties while it is being moved, or when all has been moved.
	var at_once := false
	var moves := 0

	func _ready() -> void:
		set_notify_transform(not at_once)
		set_notify_local_transform(at_once)

	func _notification(what: int) -> void:
		var moved := what == NOTIFICATION_TRANSFORM_CHANGED
		if unties and (moved or what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED):
			moves += 1
			unties = false
			rope.attach_end(null)


func test_a_chain_cut_where_a_hand_holds_it_has_a_free_end_when_the_hand_lets_go() -> void:
	var rope := await hang_asleep({draw_mode = SEGMENTS})
	var at := rope.get_point_position(10)
	var hand := rope.grab(at, 5.0)
	await ticks(2)
	rope.drag(hand, at + Vector2(40, -20))
	await ticks(5)
	rope.cut(9)
	check_eq(rope.get_point_count(), 11, "points: it is cut at the hand")
	check_eq(rope.end_pinned, false, "end_pinned while the hand holds it")
	await ticks(3)
	rope.release(hand)
	await ticks(2)
	await _check_hangs_free(rope, "a hand")


func test_a_chain_cut_where_an_anchor_drives_it_has_a_free_end_when_the_anchor_goes() -> void:
	var rope := await hang_asleep({draw_mode = SEGMENTS})
	var anchor := _driver(rope, 10)
	await ticks(2)
	anchor.global_position += Vector2(20, -10)
	await ticks(5)
	rope.cut(9)
	check_eq(rope.get_point_count(), 11, "points: it is cut at the anchor")
	check_eq(rope.end_pinned, false, "end_pinned while the anchor drives it")
	await ticks(3)
	anchor.free()
	await ticks(2)
	await _check_hangs_free(rope, "an anchor")


func test_a_rope_taken_out_of_the_tree_while_the_mouse_holds_it_is_free_when_it_is_put_back(
) -> void:
	var rope := await hang_asleep({mouse_grab = true})
	var at := tip(rope)
	await press(at)
	await drag_on(at, at + Vector2(60, -60), 0.2)
	remove_child(rope)
	await ticks(3)
	add_child(rope)
	await ticks(3)
	await drag_on(at + Vector2(60, -60), at + Vector2(-60, -60), 0.2)
	check_true(await until_asleep([rope]), "asleep while the button is still pressed")
	check_near(tip(rope), at, 1.0, "tip: it hangs straight")
	await let_go(at + Vector2(-60, -60))
	check_true(rope.sleeping, "asleep when the button is released")


func test_a_rest_held_by_the_mouse_falls_when_it_is_let_go_though_its_front_is_gone() -> void:
	var rope := await hang_asleep({mouse_grab = true})
	var at := tip(rope)
	await press(at)
	await drag_on(at, at + Vector2(30, -30), 0.1)
	var rest := rope.cut(10)
	rope.free()
	await drag_on(at + Vector2(30, -30), at + Vector2(60, -60), 0.1)
	await let_go(at + Vector2(60, -60))
	await ticks(2)
	var before := tip(rest)
	await seconds(0.5)
	check_gt(tip(rest).y, before.y + 60.0, "fall of the rest")
	check_true(not rest.is_point_pinned(rest.get_point_count() - 1), "its end is free")


func test_a_hand_that_lets_go_elsewhere_leaves_a_driven_end_driven() -> void:
	for tied: bool in [false, true]:
		var rope := await hang_asleep()
		var hook := node_at(Vector2(700, 200), "Hook")
		if tied:
			rope.attach_end(hook)
		var last := rope.get_point_count() - 1
		var anchor := _driver(rope, last)
		await ticks(3)
		for i in 5:
			var hand := rope.grab(rope.get_point_position(6), 10.0)
			check_ge(hand, 0, "handle")
			await ticks(2)
			rope.release(hand)
			check_true(rope.is_point_pinned(last), "tied %s: held at once" % tied)
			anchor.global_position += Vector2(2, -3)
			await ticks(1)
			check_near(tip(rope), anchor.global_position, 0.01, "tied %s: end" % tied)
		anchor.free()
		await ticks(3)
		check_eq(rope.is_point_pinned(last), tied, "tied %s: held without the anchor" % tied)
		rope.free()
		hook.free()


func test_a_follower_that_goes_leaves_a_driven_end_driven() -> void:
	var rope := await hang_asleep()
	var last := rope.get_point_count() - 1
	_driver(rope, last)
	var follower := PointAnchor2D.new()
	follower.point = 6
	rope.add_child(follower)
	await ticks(3)
	follower.free()
	check_true(rope.is_point_pinned(last), "held at once")


func test_an_end_that_a_script_let_go_is_not_tied_again_by_a_hand() -> void:
	for at_end: bool in [false, true]:
		var hook := node_at(Vector2(650, 200), "Hook")
		var rope := await hang({end_node = ^"../Hook"})
		await ticks(3)
		var last := rope.get_point_count() - 1
		check_near(tip(rope), hook.position, 0.01, "tied at first")
		rope.set_point_pinned(last, false)
		await ticks(2)
		check_true(not rope.is_point_pinned(last), "let go")
		var hand := rope.grab(rope.get_point_position(last if at_end else 8), 10.0)
		check_ge(hand, 0, "handle")
		await ticks(2)
		rope.release(hand)
		await ticks(2)
		check_true(not rope.is_point_pinned(last), "at the end %s: still let go" % at_end)
		await seconds(0.7)
		hook.position += Vector2(0, -60)
		await ticks(2)
		check_gt(tip(rope).distance_to(hook.position), 50.0, "at the end %s: distance" % at_end)
		rope.free()
		hook.free()


func test_an_end_tied_anew_in_the_frame_in_which_it_was_cut_off_stays_tied() -> void:
	for tied: bool in [false, true]:
		for end: int in [0, 1]:
			var old := node_at(Vector2(576, 100), "Old")
			var other := node_at(Vector2(500, 150), "Other")
			var rope := await hang()
			if tied and end:
				rope.attach_end(old)
			elif tied:
				rope.attach_start(old)
			await ticks(3)
			var detached := count_emissions(rope, &"detached")
			if end:
				rope.cut(rope.get_point_count() - 2)
				rope.attach_end(other)
			else:
				rope.cut(0)
				rope.attach_start(other)
			await ticks(5)
			var what := "tied %s, end %d" % [tied, end]
			check_le(detached.size(), 1, what + ": detached")
			if tied:
				check_eq(detached, [[end]], what + ": detached")
			check_eq(rope.end_node if end else rope.start_node, ^"../Other", what + ": path")
			for i in 5:
				other.position += Vector2(3, 1)
				await ticks(1)
				var point := rope.get_point_position(rope.get_point_count() - 1 if end else 0)
				check_near(point, other.position, 0.01, what + ": end on the new node")
			for child in get_children():
				child.free()


func test_an_anchor_on_a_cut_rope_names_the_rest_and_outlives_it_in_place() -> void:
	for point: int in [16, -1]:
		var rope := await hang_asleep()
		var anchor := PointAnchor2D.new()
		anchor.point = point
		anchor.position = Vector2(0, 160)
		rope.add_child(anchor)
		await ticks(3)
		var rest := rope.cut(10)
		await ticks(2)
		var what := "point %d" % point
		check_true(anchor.get_node_or_null(anchor.body) == rest, what + ": body is the rest")
		check_true(
			anchor.get_node_or_null(anchor.get_body()) == rest, what + ": get_body() is the rest"
		)
		anchor.follow_rotation = true
		anchor.mode = PointAnchor2D.MODE_DRIVE
		anchor.mode = PointAnchor2D.MODE_FOLLOW
		await ticks(10)
		var near := rest.get_closest_point(anchor.global_position)
		check_near(anchor.global_position, near, 0.01, what + ": still on the rest")
		await ticks(10)
		var place := anchor.global_position
		check_gt(place.y, 285.0, what + ": it fell with the rest")
		rest.free()
		await ticks(5)
		check_near(anchor.global_position, place, 0.01, what + ": where it was")
		rope.free()


func test_a_carried_node_whose_script_unties_it_when_it_is_moved_stays_untied() -> void:
	for at_once: bool in [false, true]:
		var lamp := Shy.new()
		lamp.name = "Lamp"
		lamp.at_once = at_once
		add(lamp)
		var rope := await hang(
			{end_mode = CARRIES, end_node = ^"../Lamp", end_position = released_at(60.0)}
		)
		lamp.rope = rope
		await ticks(5)
		check_carried(rope, lamp, "at first")
		lamp.unties = true
		await ticks(5)
		check_eq(lamp.moves, 1, "moves before it was untied")
		check_eq(rope.end_node, ^"", "end_node")
		var place := lamp.global_position
		await ticks(20)
		check_near(lamp.global_position, place, 0.01, "it stays where it was untied")
		check_gt(tip(rope).distance_to(place), 20.0, "the rope goes on without it")
		rope.attach_end(lamp)
		await ticks(5)
		check_carried(rope, lamp, "tied again")
		rope.free()
		lamp.free()


func test_a_stroke_through_neighbouring_links_of_a_folded_chain_cuts_each() -> void:
	var rope := await hang(
		{
			position = Vector2(400, 190),
			draw_mode = SEGMENTS,
			segments = 6,
			length = 120,
			gravity_scale = 0.0,
			end_pinned = true,
			end_position = Vector2(0, 20),
		}
	)
	rope.set_point_pinned(3, true)
	rope.set_pin_position(3, Vector2(459, 200))
	await seconds(2.0)
	rope.set_point_pinned(3, false)
	var points := rope.get_points()
	var from := points[2].lerp(points[3], 0.75)
	var to := points[3].lerp(points[4], 0.75)
	var way := to - from
	check_eq(rope.cut_line(from - way * 0.3, to + way * 0.1), 2, "cuts")
	check_eq(get_child_count(), 3, "parts")


func test_a_chain_of_one_link_that_is_pulled_too_hard_is_torn_once() -> void:
	for mass: float in [5.0, 50.0]:
		var rope := await hang(
			{
				draw_mode = SEGMENTS,
				segments = 1,
				length = 50,
				end_mass = mass,
				end_position = Vector2(0, 50),
			}
		)
		var torn := count_emissions(rope, &"torn")
		await ticks(10)
		rope.break_force = 1000.0
		await seconds(1.0)
		check_eq(torn.size(), 1, "torn")
		check_gt(rope.get_point_position(0).y, 200.0, "height: it fell")
		rope.free()


## Fails unless the end is free and comes to rest straight below the start.
func _check_hangs_free(rope: VerletRope2D, what: String) -> void:
	var last := rope.get_point_count() - 1
	check_true(not rope.is_point_pinned(last), what + ": let go")
	check_eq(rope.end_pinned, false, what + ": end_pinned")
	check_true(await until_asleep([rope]), what + ": asleep")
	var below := rope.position + Vector2(0, rope.get_current_length())
	check_near(tip(rope), below, 1.0, what + ": end at rest")


func _driver(rope: VerletRope2D, point: int) -> PointAnchor2D:
	var anchor := PointAnchor2D.new()
	anchor.mode = PointAnchor2D.MODE_DRIVE
	anchor.point = point
	anchor.position = rope.to_local(rope.get_point_position(point))
	rope.add_child(anchor)
	return anchor
