extends "res://tests/support/rope_test.gd"
## Ropes with riders as they come out of scenes, and what other threads may read.

const CARRIES := VerletRope2D.ATTACH_ROPE_CARRIES_NODE


func test_an_anchor_in_a_loaded_scene_sits_on_the_place_of_a_tied_rope_where_it_was_put() -> void:
	for mode: int in [PointAnchor2D.MODE_FOLLOW, PointAnchor2D.MODE_DRIVE]:
		for last: bool in [false, true]:
			var scene := _bridge(mode, last)
			for ready: bool in [false, true]:
				var root: Node2D = scene.instantiate()
				if ready:
					root.position = Vector2(40, 60)
				add(root)
				var rope: VerletRope2D = root.get_node("Rope")
				var anchor: PointAnchor2D = rope.get_node("Anchor")
				await ticks(3)
				var what := "mode %d, rope last %s" % [mode, last]
				var part := (
					rope.get_closest_offset(anchor.global_position) / rope.get_current_length()
				)
				check_near(part, 0.7, 0.04, what + ": part of the length")
				for i in 10:
					await ticks(1)
					var point := rope.get_closest_point_index(anchor.global_position)
					var place := rope.get_point_position(point)
					check_near(anchor.global_position, place, 0.01, what + ": on its point")
				check_near(
					rope.get_point_position(0), root.to_global(Vector2(500, 100)), 0.01, what
				)
				check_near(tip(rope), root.to_global(Vector2(800, 150)), 0.01, what)
				root.free()


func test_a_carried_node_is_in_its_place_in_the_first_frame() -> void:
	for end: int in [0, 1]:
		for child: bool in [false, true]:
			for last: bool in [false, true]:
				var root := Node2D.new()
				root.position = Vector2(120, 30)
				var rope := make_rope({end_position = Vector2(150, 80)})
				var lamp := Node2D.new()
				lamp.name = "Lamp"
				lamp.position = Vector2(-300, 400)
				root.add_child(rope)
				(rope if child else root).add_child(lamp)
				if last and not child:
					root.move_child(rope, 1)
				var path := ^"Lamp" if child else ^"../Lamp"
				if end:
					rope.end_mode = CARRIES
					rope.end_node = path
				else:
					rope.start_mode = CARRIES
					rope.start_node = path
					rope.start_pinned = false
				# Between two ticks: what is shown before the next one.
				await get_tree().process_frame
				add(root)
				var what := "end %d, child %s, rope last %s" % [end, child, last]
				check_carried(rope, lamp, what + ", at once", Vector2.ZERO, end)
				root.free()


func test_reading_on_threads_while_the_node_moves_is_no_error() -> void:
	var rope := await hang({end_position = released_at(60.0)})
	var stop := [false]
	var bad := [0, 0]
	var reads := [0, 0]
	var threads: Array[Thread] = []
	for i in 2:
		var thread := Thread.new()
		thread.start(_read.bind(rope, i, stop, bad, reads))
		threads.append(thread)
	for i in 10000:
		if mini(reads[0], reads[1]) > 500:
			break
		rope.position += Vector2(3 * sin(0.1 * i), cos(0.2 * i))
		rope.rotation = 0.2 * sin(0.05 * i)
		# They read while it is not where it was simulated.
		OS.delay_usec(200)
		await ticks(1)
	stop[0] = true
	for thread in threads:
		thread.wait_to_finish()
	check_eq(bad, [0, 0], "answers that are no numbers")
	check_gt(mini(reads[0], reads[1]), 500, "reads")
	await check_works(rope, "afterwards")


func _read(rope: VerletRope2D, index: int, stop: Array, bad: Array, reads: Array) -> void:
	while not stop[0]:
		var fine := all_finite(rope.get_points())
		fine = fine and rope.get_point_position(5).is_finite()
		fine = fine and rope.get_point_velocity(5).is_finite()
		fine = fine and is_finite(rope.get_tension(3))
		bad[index] += int(not fine)
		reads[index] += 1


## A rope between two nodes with an anchor near 70 % of its length.
func _bridge(mode: int, last: bool) -> PackedScene:
	var root := Node2D.new()
	var rope := make_rope({position = Vector2(500, 100), length = 0.0})
	rope.start_node = ^"../A"
	rope.end_node = ^"../B"
	var anchor := PointAnchor2D.new()
	anchor.name = "Anchor"
	anchor.mode = mode
	anchor.position = Vector2(210, 35)
	rope.add_child(anchor)
	var nodes: Array[Node] = []
	for place: Array in [["A", Vector2(500, 100)], ["B", Vector2(800, 150)]]:
		var node := Node2D.new()
		node.name = place[0]
		node.position = place[1]
		nodes.append(node)
	if last:
		nodes.append(rope)
	else:
		nodes.push_front(rope)
	for node in nodes:
		root.add_child(node)
		node.owner = root
	anchor.owner = root
	var packed := PackedScene.new()
	packed.pack(root)
	root.free()
	return packed
