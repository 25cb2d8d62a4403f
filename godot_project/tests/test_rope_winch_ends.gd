extends "res://tests/support/rope_test.gd"
## Wound ropes: what their ends and anchors do when nearly all of the rope is wound in.

const DRIVE := PointAnchor2D.MODE_DRIVE


func test_wound_out_from_a_few_px_it_has_the_links_of_one_laid_at_full_length() -> void:
	var laid := await hang({length = 200.0})
	var wanted := laid.get_point_count()
	laid.free()
	for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
		for from: float in [1.0, 4.0, 12.0]:
			for how: String in ["laid", "wound in", "reset"]:
				var length := from if how == "laid" else 200.0
				var rope := await hang({length = length, reel_end = reel_end})
				await _wind(rope, from)
				if how == "reset":
					rope.reset()
				await ticks(5)
				await _wind(rope, 200.0)
				var what := "%s at %s px, reel end %d" % [how, from, reel_end]
				check_near(rope.get_point_count(), wanted, 1, what + ": points")
				check_near(rope.get_current_length(), 200.0, 0.3, what + ": length")
				rope.free()


func test_an_anchor_on_a_piece_that_was_wound_in_leaves_the_winch_alone_and_gets_it_back() -> void:
	for at_end: bool in [false, true]:
		var properties := {linear_damp = 4.0}
		if at_end:
			(
				properties
				. merge(
					{
						reel_end = VerletRope2D.REEL_END,
						end_pinned = true,
						end_position = Vector2(0, 200),
						start_pinned = false,
					}
				)
			)
		var rope := await hang(properties)
		var held := tip(rope) if at_end else rope.position
		var anchor := PointAnchor2D.new()
		anchor.mode = DRIVE
		anchor.point = rope.get_point_count() - 2 if at_end else 1
		anchor.position = rope.to_local(rope.get_point_position(anchor.point))
		rope.add_child(anchor)
		await ticks(3)
		check_eq(_driven(rope, anchor), 1, "driven at first")
		for to: float in [100.0, 60.0]:
			await _wind(rope, to)
			for i in 20:
				await ticks(1)
				var start := rope.get_point_position(rope.get_point_count() - 1 if at_end else 0)
				check_near(start, held, 0.01, "reel end %s: on its winch" % at_end)
			check_eq(_driven(rope, anchor), 0, "reel end %s: driven when wound in" % at_end)
		await _wind(rope, 200.0)
		await ticks(5)
		check_eq(_driven(rope, anchor), 1, "reel end %s: driven when wound out again" % at_end)
		check_true(all_finite(rope.get_points()), "finite")
		rope.free()


func test_a_point_of_an_anchor_counts_from_the_start_of_a_wound_rope_as_it_is() -> void:
	for reel_end: int in [VerletRope2D.REEL_START, VerletRope2D.REEL_END]:
		for to: float in [120.0, 300.0]:
			for mode: int in [PointAnchor2D.MODE_FOLLOW, DRIVE]:
				var rope := await hang({reel_end = reel_end})
				await _wind(rope, to)
				var anchor := PointAnchor2D.new()
				anchor.mode = mode
				anchor.point = 3
				anchor.position = rope.to_local(rope.get_point_position(3))
				rope.add_child(anchor)
				var what := "reel end %d, wound to %s, mode %d" % [reel_end, to, mode]
				for i in 5:
					await ticks(1)
					var place := rope.get_point_position(3)
					check_near(anchor.global_position, place, 0.01, what + ": point 3")
				check_eq(rope.is_point_pinned(3), mode == DRIVE, what + ": held")
				anchor.point = 5
				await ticks(2)
				if mode == DRIVE:
					check_true(rope.is_point_pinned(5), what + ": another point is held")
				var other := rope.get_point_position(5)
				check_near(anchor.global_position, other, 0.01, what + ": another point")
				rope.free()


## Winds at 200 px/s.
func _wind(rope: VerletRope2D, to: float) -> void:
	while rope.length != to:
		rope.length = move_toward(rope.length, to, 200.0 / 60.0)
		await ticks(1)
	await ticks(20)


## How many held points, other than the ends, are at the anchor.
func _driven(rope: VerletRope2D, anchor: PointAnchor2D) -> int:
	var count := 0
	for i in range(1, rope.get_point_count() - 1):
		var near := rope.get_point_position(i).distance_to(anchor.global_position) < 0.02
		count += int(near and rope.is_point_pinned(i))
	return count
