extends "res://tests/support/rope_test.gd"
## A scale of -1 mirrors a rope at once, with all that hangs on it.

const CENTER := Vector2(500, 120)


func test_a_mirrored_node_mirrors_its_rope_at_once() -> void:
	var rope := await _swinging(self, CENTER)
	var twin := await _swinging(self, CENTER)
	rope.reset()
	twin.reset()
	await seconds(0.4)
	rope.scale.x = -1.0
	await ticks(1)
	_check_mirrored(rope, twin, "a rope")
	rope.scale.x = 1.0
	await ticks(1)
	check_le(largest_distance(rope.get_points(), twin.get_points()), 1.0, "turned back: px")


func test_a_mirrored_figure_mirrors_its_strands_at_once() -> void:
	var figures: Array[Node2D] = []
	var strands: Array[Array] = [[], []]
	for i in 2:
		figures.append(node_at(CENTER, "Figure"))
		for k in 3:
			var direction := Vector2(30, -40).rotated(0.4 * k)
			strands[i].append(await _swinging(figures[i], Vector2(12 * k, 5), direction))
			# A strand of a strand.
			var small := make_rope({position = Vector2(-8, 3), end_position = Vector2(40, 10)})
			small.length = 50.0
			strands[i][-1].add_child(small)
			strands[i].append(small)
	# Both were laid out at other times.
	for strand: VerletRope2D in strands[0] + strands[1]:
		strand.reset()
	await seconds(0.3)
	for times in 3:
		figures[0].scale.x *= -1.0
		await ticks(1)
		for k in strands[0].size():
			var what := "strand %d, turn %d" % [k, times]
			if figures[0].scale.x < 0.0:
				_check_mirrored(strands[0][k], strands[1][k], what)
			else:
				var way := largest_distance(strands[0][k].get_points(), strands[1][k].get_points())
				check_le(way, 1.0, what + ": px")


func test_the_mirrored_parent_of_a_start_node_mirrors_the_rope_at_once() -> void:
	var parents: Array[Node2D] = []
	var ropes: Array[VerletRope2D] = []
	for i in 2:
		var parent := node_at(CENTER, "Parent%d" % i)
		var head := Node2D.new()
		head.name = "Head"
		head.position = Vector2(20, -15)
		parent.add_child(head)
		var rope := await _swinging(self, CENTER + head.position)
		rope.attach_start(head)
		parents.append(parent)
		ropes.append(rope)
	for rope in ropes:
		rope.reset()
	await seconds(0.3)
	parents[0].scale.x = -1.0
	await ticks(1)
	_check_mirrored(ropes[0], ropes[1], "a rope that is tied to a head")


func _check_mirrored(rope: VerletRope2D, twin: VerletRope2D, what: String) -> void:
	var mirror := Transform2D(Vector2(-1, 0), Vector2(0, 1), Vector2(2 * CENTER.x, 0))
	var wanted := mirror * twin.get_points()
	check_gt(largest_distance(twin.get_points(), wanted), 10.0, what + ": px if it were not")
	check_le(largest_distance(rope.get_points(), wanted), 1.0, what + ": px from its mirror image")


func _swinging(
	parent: Node, position: Vector2, direction: Vector2 = Vector2(70, -30)
) -> VerletRope2D:
	var rope := make_rope(
		{position = position, end_position = direction, length = 90.0, bend = 0.3}
	)
	parent.add_child(rope)
	await ticks(2)
	rope.reset()
	return rope
