extends "res://tests/support/soft_scene_test.gd"
## Which points are held, where they are held, and that what hangs from them comes to rest.

## Of which the sides of a body are found by its numbers, not by chance.
const SIZES: Array[Vector2] = [Vector2(100, 100), Vector2(107, 33.3), Vector2(641.7, 480.1)]


func test_the_top_side_is_one_point_of_each_column() -> void:
	for count: int in [2, 3, 16, 33, 64]:
		for size in SIZES:
			var body := make_soft({particle_count = Vector2i(count, count), size = size})
			body.pin_mode = SoftBody2D.PIN_SIDES
			add(body)
			var what := "%dx%d points of %s px" % [count, count, size]
			check_eq(pinned(body), range(count), what + ": held by the top")
			body.pin_sides = 4
			var last := count * (count - 1)
			check_eq(pinned(body), range(last, last + count), what + ": held by the bottom")
			body.pin_sides = 8
			check_eq(pinned(body), range(0, count * count, count), what + ": held by the left")
			body.pin_sides = 2
			var right := range(count - 1, count * count, count)
			check_eq(pinned(body), right, what + ": held by the right")
			body.free()


func test_every_third_column_is_held_by_the_top() -> void:
	for count: int in [5, 16, 64]:
		for size in SIZES:
			var body := make_soft({particle_count = Vector2i(count, count), size = size})
			body.pin_mode = SoftBody2D.PIN_TOP_EVERY
			body.pin_interval = 3
			add(body)
			var what := "%dx%d points of %s px" % [count, count, size]
			check_eq(pinned(body), range(0, count, 3), what)
			body.free()


func test_the_top_of_an_ellipse_is_a_few_points_up_there() -> void:
	for size: Vector2 in [Vector2(100, 100), Vector2(200, 80), Vector2(80, 200)]:
		for spacing: float in [6.0, 12.0, 20.0]:
			var body := make_soft({source = SoftBody2D.SOURCE_ELLIPSE, size = size})
			body.spacing = spacing
			body.pin_mode = SoftBody2D.PIN_SIDES
			add(body)
			var held := pinned(body)
			var what := "ellipse of %s px, spacing %s" % [size, spacing]
			check_ge(held.size(), 1, what + ": held points")
			check_le(held.size(), body.get_outline().size() / 3.0, what + ": held points")
			note("%s: %d held of %d" % [what, held.size(), body.get_outline().size()])
			for i: int in held:
				var at := body.get_point_position(i) - body.position
				check_lt(at.y, -0.25 * size.y, "%s: height of point %d" % [what, i])
			body.free()


func test_a_point_is_where_its_pin_is_set_after_its_holder_moved() -> void:
	for way: Vector2 in [Vector2(100, 0), Vector2(-60, -80)]:
		for wait: int in [0, 1, 10]:
			var hook: Node2D = add(Node2D.new())
			hook.position = Vector2(526, 250)
			var body := await soft()
			body.set_point_pinned(0, true, str(body.get_path_to(hook)))
			await ticks(wait)
			hook.position += way
			body.set_pin_position(0, hook.global_position)
			var what := "hook moved by %s after %d ticks" % [way, wait]
			for i in 20:
				await ticks(1)
				if i >= 1:
					var at := body.get_point_position(0)
					check_near(at, hook.global_position, 0.5, "%s: tick %d" % [what, i])
			hook.position += Vector2(0, -20)
			await ticks(2)
			check_near(body.get_point_position(0), hook.global_position, 0.5, what + ": later")
			body.free()
			hook.free()


func test_what_hangs_from_its_top_within_its_stretch_comes_to_rest() -> void:
	for stretch: float in [1.05, 1.066, 1.1]:
		var body := await soft(
			{pin_mode = SoftBody2D.PIN_TOP_EVERY, max_stretch = stretch, substeps = 32}
		)
		await seconds(5.0)
		var what := "max_stretch %s" % stretch
		var fastest := 0.0
		var longest := 0.0
		for i in 60:
			fastest = maxf(fastest, top_speed(body))
			longest = maxf(longest, body.get_current_stretch())
			await ticks(1)
		note("%s: top speed %.2f px/s, stretch %.4f" % [what, fastest, longest])
		check_lt(fastest, REST_SPEED, what + ": top speed")
		check_le(longest, 0.1, what + ": stretch")
		check_sound(body, what)
		body.free()
