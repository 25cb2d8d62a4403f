extends "res://tests/support/rope_test.gd"
## Bad values, calls and nodes: one clear error each, nothing changes, and the rope works on.

const LAST := 20
const NOT_A_NUMBER := Vector2(NAN, 0)
const ENDLESS := Vector2(0, INF)
const HUGE := Vector2(1e30, -1e30)


## Goes away in the middle of its own tick.
class Vanishing:
	extends VerletRope2D

	func _physics_process(_delta: float) -> void:
		apply_point_impulse(3, Vector2(5, 0))
		queue_free()


func test_bad_values_of_properties_are_refused_or_clamped() -> void:
	var rope := await hang()
	var bad_numbers := {
		length = [NAN, INF, -INF, -1.0, 1e30],
		segment_length = [NAN, INF, -5.0, 0.0, 1e30],
		segments = [-1, 9_000_000_000],
		mass = [NAN, INF, 0.0, -1.0, 1e30],
		gravity_scale = [NAN, INF, -INF, 1e30],
		linear_damp = [NAN, INF, -1.0, 1e30],
		air_drag = [NAN, INF, -1.0, 1e30],
		wind_scale = [NAN, INF, -INF, 1e30],
		iteration_count = [0, -3, 9_000_000_000],
		substeps = [-1, 1000],
		width = [NAN, -1.0, INF],
		end_position = [NOT_A_NUMBER, ENDLESS, HUGE],
	}
	await check_refused(rope, bad_numbers)


func test_values_at_the_ends_of_their_ranges_are_no_error() -> void:
	var rope := await hang({can_sleep = false})
	var good_numbers := {
		length = [0.1, 1.0, 100_000.0],
		segments = [1, 2, 500],
		segment_length = [0.5, 2.0, 5000.0],
		mass = [0.001, 0.01, 10_000.0],
		gravity_scale = [0.0, -100.0, 100.0],
		linear_damp = [0.0, 1000.0],
		air_drag = [0.0, 1000.0],
		wind_scale = [0.0, -100.0, 100.0],
		iteration_count = [1, 64],
		substeps = [1, 32],
		width = [0.0, 1000.0],
		end_position = [Vector2.ZERO, Vector2(-100_000, 0)],
	}
	for property: StringName in good_numbers:
		var usual: Variant = rope.get(property)
		for value: Variant in good_numbers[property]:
			rope.set(property, value)
			await ticks(3)
			check_near(rope.get(property), value, 1e-3, "%s = %s" % [property, value])
			check_true(all_finite(rope.get_points()), "%s = %s: finite" % [property, value])
		rope.set(property, usual)
	rope.reset()
	await check_works(rope, "afterwards")


func test_bad_arguments_are_refused() -> void:
	var rope := await hang()
	var freed: Node2D = add(Node2D.new())
	var freed_path := str(rope.get_path_to(freed))
	freed.free()
	add(Node.new()).name = "NoNode2D"
	var calls := [
		["get_point_position", [-1], "point_index"],
		["get_point_position", [LAST + 1], "point_index"],
		["get_point_velocity", [1 << 40], "point_index"],
		["set_point_position", [-1, Vector2.ZERO], "point_index"],
		["set_point_position", [5, NOT_A_NUMBER], "position"],
		["set_point_position", [5, ENDLESS], "position"],
		["set_point_position", [5, HUGE], "position"],
		["set_point_position", [0, Vector2.ZERO], "point_index"],
		["set_point_pinned", [LAST + 1, true], "point_index"],
		["set_point_pinned", [-7, false], "point_index"],
		["set_point_pinned", [5, true, "../Nobody"], "attachment_path"],
		["set_point_pinned", [5, true, "///"], "attachment_path"],
		["set_point_pinned", [5, true, freed_path], "attachment_path"],
		["set_point_pinned", [5, true, "../NoNode2D"], "attachment_path"],
		["is_point_pinned", [99], "point_index"],
		["set_pin_position", [5, Vector2.ZERO], "point_index"],
		["set_pin_position", [99, Vector2.ZERO], "point_index"],
		["set_pin_position", [0, NOT_A_NUMBER], "position"],
		["set_pin_position", [0, HUGE], "position"],
		["get_closest_point_index", [NOT_A_NUMBER], "to_point"],
		["get_closest_point_index", [Vector2.ZERO, NAN], "max_distance"],
		["get_closest_point_index", [Vector2.ZERO, -6.0], "max_distance"],
		["apply_point_impulse", [-1, Vector2.ONE], "point_index"],
		["apply_point_impulse", [5, NOT_A_NUMBER], "impulse"],
		["apply_point_impulse", [5, HUGE], "impulse"],
		["apply_point_force", [LAST + 1, Vector2.ONE], "point_index"],
		["apply_point_force", [5, ENDLESS], "force"],
	]
	await ticks(2)
	var before := rope.get_state_hash()
	for call: Array in calls:
		expect_rope_error(rope, "%s(): %s" % [call[0], call[2]])
		rope.callv(call[0], call[1])
		check_true(not rope.is_point_pinned(5), "%s%s: pins nothing" % [call[0], call[1]])
		check_eq(rope.get_state_hash(), before, "%s%s: state" % [call[0], call[1]])
	await check_works(rope, "afterwards")


func test_results_of_bad_calls_are_neutral() -> void:
	var rope := await hang()
	expect_error("point_index", 3)
	check_eq(rope.get_point_position(-1), Vector2.ZERO, "position")
	check_eq(rope.get_point_velocity(-1), Vector2.ZERO, "velocity")
	check_eq(rope.is_point_pinned(-1), false, "pinned")
	expect_error("to_point")
	check_eq(rope.get_closest_point_index(NOT_A_NUMBER), -1, "closest")


func test_calls_outside_the_tree_work_and_the_rope_works_later() -> void:
	var rope := make_rope()
	_call_everything(rope)
	await hang()
	add(rope)
	await ticks(2)
	for i in rope.get_point_count():
		rope.set_point_pinned(i, i == 0)
	rope.reset()
	await check_works(rope, "in the tree")
	remove_child(rope)
	_call_everything(rope)
	await ticks(3)
	add_child(rope)
	for i in rope.get_point_count():
		rope.set_point_pinned(i, i == 0)
	rope.reset()
	await check_works(rope, "in the tree again")


func test_a_pin_on_a_node_outside_the_tree_is_one_error() -> void:
	var rope := make_rope()
	expect_error("attachment_path")
	rope.set_point_pinned(5, true, "../Hook")
	expect_error("attachment_path")
	rope.set_point_pinned(5, true, "/root/Hook")
	var child := Node2D.new()
	child.name = "Child"
	rope.add_child(child)
	expect_error("attachment_path")
	rope.set_point_pinned(5, true, "Child")
	check_true(not rope.is_point_pinned(5), "not pinned")
	rope.free()


func test_a_pin_on_itself_its_child_or_its_parent_is_harmless() -> void:
	var parent: Node2D = add(Node2D.new())
	parent.name = "Parent"
	var rope := make_rope()
	parent.add_child(rope)
	var child := Node2D.new()
	child.name = "Child"
	rope.add_child(child)
	await ticks(2)
	for path: String in [".", "Child", ".."]:
		rope.set_point_pinned(12, true, path)
		rope.set_point_pinned(12, true, path)
		var offset := rope.get_point_position(12) - rope.position
		rope.position.x += 5.0
		parent.position.x += 5.0
		await ticks(2)
		var way := rope.get_point_position(12) - rope.position - offset
		check_lt(way.length(), 5.1, "way of the pin on " + path)
	rope.set_point_pinned(12, false)
	await check_works(rope, "afterwards")


func test_a_node_that_is_nowhere_or_flat_leaves_the_rope_whole() -> void:
	var rope := await hang()
	var transforms := {
		"NaN position": Transform2D(0.0, Vector2(NAN, NAN)),
		"infinite position": Transform2D(0.0, Vector2(INF, 0)),
		"zero scale": Transform2D(0.0, Vector2.ZERO, 0.0, Vector2(576, 100)),
		"flat scale": Transform2D(0.0, Vector2(1, 0), 0.0, Vector2(576, 100)),
		"tiny scale": Transform2D(0.0, Vector2(1e-20, 1e-20), 0.0, Vector2(576, 100)),
		"huge scale": Transform2D(0.0, Vector2(1e20, 1e20), 0.0, Vector2(576, 100)),
		"NaN rotation": Transform2D(Vector2(NAN, 0), Vector2(0, 1), Vector2(576, 100)),
		"huge position": Transform2D(0.0, Vector2(1e30, 1e30)),
	}
	for interpolated: bool in [false, true]:
		get_tree().physics_interpolation = interpolated
		for what: String in transforms:
			rope.transform = transforms[what]
			await ticks(3)
			check_true(all_finite(rope.get_points()), what + ": points are finite")
			rope.reset()
			await ticks(3)
			check_true(all_finite(rope.get_points()), what + ": points are finite after reset")
			rope.transform = Transform2D(0.0, Vector2(576, 100))
			await ticks(2)
			rope.reset()
			await check_works(rope, "after %s, interpolation %s" % [what, interpolated])


func test_a_rope_that_enters_the_tree_at_a_bad_place_works_when_that_is_mended() -> void:
	await hang()
	for bad: Vector2 in [NOT_A_NUMBER, ENDLESS]:
		var rope := make_rope({position = bad})
		add(rope)
		await ticks(3)
		check_true(all_finite(rope.get_points()), "%s: finite" % bad)
		rope.position = Vector2(500, 100)
		await ticks(2)
		rope.reset()
		await check_works(rope, "put right after %s" % bad)


func test_a_pin_on_a_node_that_is_nowhere_leaves_the_rope_whole() -> void:
	var hook: Node2D = add(Node2D.new())
	hook.position = Vector2(600, 200)
	var rope := await hang()
	rope.set_point_pinned(LAST, true, str(rope.get_path_to(hook)))
	await ticks(2)
	for bad: Vector2 in [NOT_A_NUMBER, ENDLESS, HUGE, Vector2(1e8, 0), Vector2(90_000, 0)]:
		hook.position = bad
		await ticks(3)
		check_true(all_finite(rope.get_points()), "%s: finite" % bad)
		hook.position = Vector2(600, 200)
		await ticks(3)
	rope.set_point_pinned(LAST, false)
	rope.reset()
	await check_works(rope, "afterwards")


func test_the_strongest_pushes_stay_finite_and_come_to_rest() -> void:
	for solver: int in [0, 1]:
		var rope := await hang({solver = solver, mass = 0.001})
		for i in 60:
			rope.apply_point_impulse(1 + i % LAST, Vector2(1e8, -1e8))
			rope.apply_point_force(1 + i % LAST, Vector2(-1e8, 1e8))
			await ticks(1)
			if not check_true(all_finite(rope.get_points()), "finite at tick %d" % i):
				return
		await seconds(12.0)
		check_lt(fastest(rope), 100.0, "speed 12 s later, solver %d" % solver)
		check_lt(tip(rope).distance_to(rope.position), 1000.0, "way of the tip")
		rope.free()


func test_absurd_gravity_stays_finite() -> void:
	var space := get_viewport().find_world_2d().space
	var rope := await hang({can_sleep = false})
	for gravity: float in [1e30, INF, NAN, -1e30]:
		PhysicsServer2D.area_set_param(space, PhysicsServer2D.AREA_PARAM_GRAVITY, gravity)
		await ticks(10)
		check_true(all_finite(rope.get_points()), "finite under %s" % gravity)
	PhysicsServer2D.area_set_param(space, PhysicsServer2D.AREA_PARAM_GRAVITY, 980.0)
	rope.reset()
	await check_works(rope, "afterwards")


func test_a_rope_may_free_itself_in_its_own_tick() -> void:
	var other := await hang()
	for i in 5:
		add(Vanishing.new())
	await ticks(3)
	check_eq(get_child_count(), 1, "children left")
	await check_works(other, "the other rope")


func test_freed_between_set_and_tick() -> void:
	var other := await hang()
	for i in 30:
		var rope := make_rope()
		add(rope)
		if i % 3 == 0:
			await ticks(1)
		rope.apply_point_impulse(4, Vector2(10, 0))
		rope.sleeping = i % 2 == 0
		rope.free()
	await check_works(other, "the other rope")


func test_shape_and_colour_of_any_kind_draw_without_an_error() -> void:
	var rope := await hang({can_sleep = false})
	for color: Color in [Color(NAN, 0, 0), Color(INF, 0, 0), Color(-5, 9, 1e30, -1)]:
		rope.default_color = color
		await frames(3)
	# All points in one place, and a fold.
	rope.end_position = Vector2.ZERO
	rope.end_pinned = true
	await frames(3)
	rope.length = 0.1
	await frames(3)
	rope.width = 10_000.0
	await frames(3)
	check_true(all_finite(rope.get_points()), "points are finite")
	rope.end_pinned = false
	rope.end_position = Vector2(0, 200)
	rope.length = 200.0
	rope.reset()
	await check_works(rope, "afterwards")


func test_ordinary_calls_in_any_order_do_no_harm() -> void:
	for seed_of_run in 12:
		var random := RandomNumberGenerator.new()
		random.seed = seed_of_run
		get_tree().physics_interpolation = seed_of_run % 2 == 1
		var parents: Array[Node2D] = [add(Node2D.new()), add(Node2D.new())]
		parents[1].transform = Transform2D(1.0, Vector2(-1.5, 1.5), 0.0, Vector2(80, 40))
		var rope := make_rope()
		parents[0].add_child(rope)
		for step in 300:
			_do_something(rope, parents, random)
			if random.randf() < 0.5:
				await ticks(1)
			if not check_true(all_finite(rope.get_points()), "finite, %d %d" % [seed_of_run, step]):
				return
		get_tree().paused = false
		rope.process_mode = Node.PROCESS_MODE_INHERIT
		rope.start_pinned = true
		rope.transform = Transform2D(0.0, Vector2(576, 100))
		for i in rope.get_point_count():
			rope.set_point_pinned(i, i == 0)
		rope.can_sleep = true
		rope.gravity_scale = 1.0
		rope.linear_damp = 1.5
		rope.length = 200.0
		rope.segments = 20
		rope.end_position = Vector2(0, 200)
		rope.substeps = 0
		rope.reset()
		await check_works(rope, "after run %d" % seed_of_run)
		for parent in parents:
			parent.free()


## Every method once, with arguments that are in order.
func _call_everything(rope: VerletRope2D) -> void:
	check_eq(rope.get_points().size(), rope.get_point_count(), "points")
	check_true(rope.get_point_position(3).is_finite(), "position")
	check_true(rope.get_point_velocity(3).is_finite(), "velocity")
	rope.set_point_position(7, Vector2(50, 50))
	rope.set_point_pinned(4, true)
	check_true(rope.is_point_pinned(4), "pinned")
	rope.set_pin_position(4, Vector2(20, 20))
	rope.set_point_pinned(4, false)
	check_ge(rope.get_closest_point_index(Vector2.ZERO), 0, "closest")
	rope.apply_point_impulse(5, Vector2(1, 1))
	rope.apply_point_force(5, Vector2(1, 1))
	check_gt(rope.get_current_length(), 100.0, "length")
	check_true(not rope.is_taut(), "taut")
	rope.get_state_hash()
	rope.sleeping = true
	rope.sleeping = false
	rope.segments = 15
	rope.length = 210
	rope.length = 200
	rope.segments = 0
	rope.width = 5.0
	rope.default_color = Color.RED
	rope.preview_in_editor = true
	rope.preview_in_editor = false
	rope.reset()
	check_true(all_finite(rope.get_points()), "points are finite")


## Calls one method, or sets one property, as a game might.
func _do_something(
	rope: VerletRope2D, parents: Array[Node2D], random: RandomNumberGenerator
) -> void:
	var count := rope.get_point_count()
	var i := random.randi() % count
	var place := (
		rope.position + Vector2(random.randf_range(-300, 300), random.randf_range(-300, 300))
	)
	match random.randi() % 26:
		0:
			rope.length = [0.0, 0.1, 5.0, 80.0, 200.0, 1000.0][random.randi() % 6]
		1:
			rope.segments = random.randi() % 40
		2:
			rope.set_point_pinned(i, random.randf() < 0.4)
		3:
			rope.set_point_pinned(i, true, "../../" + parents[random.randi() % 2].name)
		4:
			if rope.is_point_pinned(i):
				rope.set_pin_position(i, place)
			else:
				rope.set_point_position(i, place)
		5:
			rope.apply_point_impulse(i, place)
		6:
			rope.apply_point_force(i, place * 100.0)
		7:
			rope.reset()
		8:
			rope.start_pinned = random.randf() < 0.7
		9:
			rope.end_pinned = random.randf() < 0.5
		10:
			rope.end_position = Vector2.ZERO if random.randf() < 0.2 else place - rope.position
		11:
			rope.solver = random.randi() % 2
		12:
			rope.substeps = random.randi() % 33
		13:
			rope.iteration_count = 1 + random.randi() % 30
		14:
			rope.sleeping = random.randf() < 0.5
		15:
			rope.position = place
		16:
			rope.rotation = random.randf() * TAU
		17:
			rope.scale = Vector2(random.randf_range(-2, 2), random.randf_range(-2, 2))
		18:
			rope.reparent(parents[random.randi() % 2], random.randf() < 0.5)
		19:
			rope.mass = random.randf_range(0.01, 20.0)
		20:
			rope.gravity_scale = random.randf_range(-3, 3)
		21:
			rope.visible = not rope.visible
		22:
			get_tree().paused = random.randf() < 0.3
		23:
			rope.process_mode = [PROCESS_MODE_INHERIT, PROCESS_MODE_DISABLED][random.randi() % 2]
		24:
			parents[random.randi() % 2].position = place
		25:
			rope.reset_physics_interpolation()
