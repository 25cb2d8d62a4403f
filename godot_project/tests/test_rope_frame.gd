extends "res://tests/support/rope_test.gd"
## A rope's shape wherever its node is, and however that is turned, mirrored and scaled.

const TICKS := 90


func test_far_from_the_origin_it_swings_as_near_it() -> void:
	var near := await _swing(Transform2D(0.0, Vector2(576, 100)))
	for origin: Vector2 in [Vector2(1e6, 0), Vector2(-1e6, 1e6), Vector2(1e6, -1e6)]:
		var far := await _swing(Transform2D(0.0, origin))
		check_lt(largest_distance(near, far), 0.5, "difference at %s" % origin)


func test_far_from_the_origin_it_hangs_still() -> void:
	var rope := await hang_asleep({position = Vector2(1e6, 1e6), end_position = released_at(20.0)})
	check_near(tip(rope), rope.position + Vector2(0, 200), 1.0, "tip")


func test_a_turned_node_changes_nothing_but_the_direction_of_its_end() -> void:
	var straight := await _swing(Transform2D(0.0, Vector2(576, 100)))
	for degrees: float in [37.0, 90.0, 180.0, -135.0]:
		var turned := await _swing(Transform2D(deg_to_rad(degrees), Vector2(576, 100)))
		check_lt(largest_distance(straight, turned), 0.5, "difference at %s degrees" % degrees)


func test_a_mirrored_node_changes_nothing_but_the_direction_of_its_end() -> void:
	var straight := await _swing(Transform2D(0.0, Vector2(576, 100)))
	for mirror: Vector2 in [Vector2(-1, 1), Vector2(1, -1), Vector2(-1, -1)]:
		var pose := Transform2D(0.0, mirror, 0.0, Vector2(576, 100))
		check_lt(largest_distance(straight, await _swing(pose)), 0.5, "difference at %s" % mirror)


func test_parents_count_as_the_node_s_own_transform() -> void:
	var straight := await _swing(Transform2D(0.0, Vector2(576, 100)))
	var grandparent: Node2D = add(Node2D.new())
	grandparent.transform = Transform2D(0.4, Vector2(-2, 2), 0.0, Vector2(300, -80))
	var parent := Node2D.new()
	parent.transform = Transform2D(-1.1, Vector2(0.5, 0.5), 0.0, Vector2(40, 60))
	grandparent.add_child(parent)
	var below := await _swing(Transform2D(0.0, Vector2(576, 100)), parent)
	check_lt(largest_distance(straight, below), 0.5, "difference below two parents")


func test_a_scaled_rope_has_the_same_shape_times_the_scale() -> void:
	var plain := await _bridge(Transform2D(0.0, Vector2(300, 100)))
	for scale_factor: float in [0.25, 2.0, 5.0]:
		var pose := Transform2D(0.0, Vector2.ONE * scale_factor, 0.0, Vector2(300, 100))
		var scaled := await _bridge(pose)
		var expected := Transform2D.IDENTITY.scaled(Vector2.ONE * scale_factor) * plain
		var limit := 0.5 * maxf(scale_factor, 1.0)
		check_lt(largest_distance(scaled, expected), limit, "difference at %s" % scale_factor)


func test_a_scaled_parent_scales_the_rope() -> void:
	var plain := await _bridge(Transform2D(0.0, Vector2(300, 100)))
	var parent: Node2D = add(Node2D.new())
	parent.transform = Transform2D(0.0, Vector2(-3, 3), 0.0, Vector2(10, 20))
	var scaled := await _bridge(Transform2D(0.0, Vector2(-50, 30)), parent)
	var expected := Transform2D.IDENTITY.scaled(Vector2(-3, 3)) * plain
	check_lt(largest_distance(scaled, expected), 1.5, "difference below a mirrored, scaled parent")


func test_a_free_rope_is_as_long_as_its_scale_says() -> void:
	var rope := await hang({scale = Vector2(2, 3), end_position = Vector2(0, 1)})
	check_near(rope.get_current_length(), 600.0, 0.6, "length straight down")
	await ticks(1)
	rope.scale = Vector2(2, 2)
	await ticks(5)
	check_near(rope.get_current_length(), 600.0, 0.6, "length after the scale was changed")
	rope.reset()
	check_near(rope.get_current_length(), 400.0, 0.4, "length after reset")


## Relative points of a rope that was released from 45 degrees, after 1.5 s.
func _swing(pose: Transform2D, parent: Node = self) -> PackedVector2Array:
	var rope := make_rope({can_sleep = false})
	parent.add_child(rope)
	rope.global_transform = pose
	rope.end_position = pose.affine_inverse().basis_xform(released_at(45.0))
	rope.length = rope.end_position.length()
	await ticks(2)
	rope.reset()
	await ticks(TICKS)
	var points := relative(rope.get_points(), pose.origin)
	rope.free()
	return points


## Relative points of a rope that hangs between two ends, at rest.
func _bridge(pose: Transform2D, parent: Node = self) -> PackedVector2Array:
	var rope := make_rope({end_pinned = true, end_position = Vector2(150, 40)})
	rope.transform = pose
	parent.add_child(rope)
	await until_asleep([rope])
	check_true(rope.sleeping, "at rest")
	var points := relative(rope.get_points(), rope.global_position)
	rope.free()
	return points
