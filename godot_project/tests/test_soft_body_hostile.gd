extends "res://tests/support/soft_test.gd"
## Bad input to soft bodies: one clear error, and nothing changes; and what they survive.

const BAD_VECTORS := [Vector2(NAN, 0), Vector2(0, INF)]


func test_properties_out_of_range_are_brought_into_it_with_an_error() -> void:
	var body := await soft()
	var bad := {
		size = [Vector2(0, 100), Vector2(1e9, 100)],
		particle_count = [Vector2i(1, 5), Vector2i(5, 65)],
		spacing = [-1.0, 0.0],
		pin_sides = [16, -1],
		pin_interval = [0, -5],
		mass = [0.0, -1.0, 1e9],
		particle_mass = [-1.0],
		stiffness = [-1.0, 1e9],
		damping = [-1.0, 1e9],
		shear_ratio = [-0.1, 1.1],
		area_stiffness = [-1.0, 1e9],
		pressure = [-1.0],
		shape_memory = [-1.0, 2.0],
		plasticity = [-1.0, 2.0],
		max_stretch = [-1.0, 0.5],
		iteration_count = [-1, 1 << 40],
		linear_damp = [-1.0],
		gravity_scale = [1e9],
		collision_radius = [-1.0],
		impact_threshold = [-1.0],
		grab_radius = [-1.0],
		grab_force = [-1.0],
		substeps = [-1, 100],
		outline_width = [-1.0],
	}
	for property: String in bad:
		for value: Variant in bad[property]:
			expect_soft_error(body, property + ": ")
			body.set(property, value)
	await seconds(0.2)
	check_sound(body, "after bad values")


func test_what_is_no_number_changes_nothing() -> void:
	var body := await soft()
	for property: String in numbers(body):
		var before: Variant = body.get(property)
		expect_soft_error(body, property + ": NaN is not a value, it stays as it was")
		body.set(property, NAN)
		check_eq(body.get(property), before, property)
	for bad: Vector2 in BAD_VECTORS:
		expect_soft_error(body, "linear_velocity: ")
		body.linear_velocity = bad
	expect_soft_error(body, "polygon: ")
	body.polygon = PackedVector2Array([Vector2.ZERO, Vector2(NAN, 0), Vector2.ONE])
	await seconds(0.2)
	check_sound(body, "after what is no number")


func test_methods_refuse_bad_arguments_with_one_error() -> void:
	var body := await soft({gravity_scale = 0})
	var before := body.get_points()
	var hash_before := body.get_state_hash()
	for index in [-1, 25, 1 << 40]:
		for method in ["get_point_position", "get_point_velocity", "is_point_pinned"]:
			expect_soft_error(body, "%s(): point_index %d is out of range" % [method, index])
			body.call(method, index)
		for method in [
			"set_point_position", "set_pin_position", "apply_point_impulse", "apply_point_force"
		]:
			expect_soft_error(body, "%s(): point_index %d is out of range" % [method, index])
			body.call(method, index, Vector2.ZERO)
		expect_soft_error(body, "set_point_pinned(): point_index %d is out of range" % index)
		body.set_point_pinned(index, true)
	for bad: Vector2 in BAD_VECTORS + [Vector2(1e9, 0)]:
		for method in ["set_point_position", "apply_point_impulse", "apply_point_force"]:
			expect_soft_error(body, method + "(): ")
			body.call(method, 0, bad)
		expect_soft_error(body, "apply_impulse(): impulse")
		body.apply_impulse(bad, Vector2.ZERO)
		expect_soft_error(body, "apply_impulse(): position")
		body.apply_impulse(Vector2.ZERO, bad)
		expect_soft_error(body, "apply_central_impulse(): ")
		body.apply_central_impulse(bad)
		expect_soft_error(body, "apply_radial_impulse(): center")
		body.apply_radial_impulse(bad, 1, 1)
		expect_soft_error(body, "grab(): position")
		check_eq(body.grab(bad, 10), -1, "grab")
	expect_soft_error(body, "apply_radial_impulse(): strength")
	body.apply_radial_impulse(Vector2.ZERO, NAN, 1)
	expect_soft_error(body, "apply_radial_impulse(): radius")
	body.apply_radial_impulse(Vector2.ZERO, 1, -1)
	expect_soft_error(body, "grab(): radius -1 is not 0 or more")
	check_eq(body.grab(Vector2.ZERO, -1), -1, "grab")
	expect_soft_error(body, "drag(): handle 7777777 holds nothing")
	body.drag(7777777, Vector2.ZERO)
	body.release(7777777)
	expect_soft_error(body, "set_pin_position(): point_index 0 is not pinned")
	body.set_pin_position(0, Vector2.ZERO)
	expect_soft_error(body, 'set_point_pinned(): attachment_path "../Nobody" leads to no Node2D')
	body.set_point_pinned(0, true, "../Nobody")
	expect_soft_error(body, "get_closest_point_index(): ")
	check_eq(body.get_closest_point_index(Vector2(NAN, 0)), -1, "closest")
	expect_soft_error(body, "get_closest_point_index(): ")
	check_eq(body.get_closest_point_index(Vector2.ZERO, -1.0), -1, "closest")
	expect_soft_error(body, "teleport(): ")
	body.teleport(Transform2D(0, Vector2(NAN, 0)))
	expect_soft_error(body, "set_collision_mask_value(): ")
	body.set_collision_mask_value(33, true)
	expect_soft_error(body, "add_collision_exception_with(): body is null")
	body.add_collision_exception_with(null)
	expect_soft_error(body, 'apply_preset(): there is no preset "Nothing"')
	body.apply_preset("Nothing")
	check_eq(body.get_points(), before, "points")
	check_eq(body.get_state_hash(), hash_before, "state")


func test_a_node_with_no_size_or_far_away_or_not_finite_does_no_harm() -> void:
	for transform: Transform2D in [
		Transform2D(0, Vector2.ZERO, 0, Vector2(576, 300)),
		Transform2D(0, Vector2(1, 0), 0, Vector2(576, 300)),
		Transform2D(0, Vector2(1e6, -1e6)),
		Transform2D(1.0, Vector2(1e-6, 1e-6), 0, Vector2(576, 300)),
	]:
		var body := make_soft()
		body.transform = transform
		add(body)
		await seconds(0.3)
		check_true(all_finite(body.get_points()), "finite at %s" % transform)
		check_true(body.global_position.is_finite(), "node at %s" % transform)
		body.transform = Transform2D(0, Vector2(576, 300))
		body.reset()
		await ticks(10)
		check_sound(body, "after %s" % transform)
		body.free()
	var body := await soft()
	body.global_position = Vector2(NAN, 0)
	await ticks(5)
	check_true(all_finite(body.get_points()), "finite after NaN")
	body.global_position = Vector2(576, 300)
	body.reset()
	await ticks(5)
	check_sound(body, "after NaN")


func test_methods_work_before_it_enters_the_tree() -> void:
	var body := make_soft({particle_count = Vector2i(3, 3)})
	check_eq(body.get_point_count(), 9, "points")
	body.linear_velocity = Vector2(100, 0)
	body.apply_central_impulse(Vector2(0, 1))
	body.set_point_pinned(4, true)
	body.set_point_pinned(4, false)
	check_true(not body.get_state().is_empty(), "state")
	body.reset()
	body.teleport(Transform2D(0, Vector2(100, 100)))
	body.sleeping = true
	body.grab(Vector2.ZERO, 1000)
	add(body)
	await ticks(5)
	check_sound(body, "in the tree")


func test_handlers_may_do_anything_with_the_body() -> void:
	var body_at_floor := body_at(
		StaticBody2D.new(), Vector2(576, 450), rectangle(Vector2(2000, 100))
	)
	var deeds := {
		free = func(body: SoftBody2D) -> void: body.queue_free(),
		remove = func(body: SoftBody2D) -> void: remove_child(body),
		remesh = func(body: SoftBody2D) -> void: body.particle_count = Vector2i(3, 3),
		reset = func(body: SoftBody2D) -> void: body.reset(),
		teleport = func(body: SoftBody2D) -> void: body.teleport(Transform2D(0, Vector2(100, 0))),
		state = func(body: SoftBody2D) -> void: body.set_state(body.get_state()),
		floor = func(_body: SoftBody2D) -> void: body_at_floor.position.y += 20,
	}
	for deed: String in deeds:
		for signal_name in ["body_entered", "impact", "sleeping_state_changed"]:
			var settings := {contact_monitor = true, impact_threshold = 1.0, linear_damp = 5.0}
			var body := await soft(settings)
			var calls := []
			var act := func() -> void:
				calls.append(deed)
				if calls.size() == 1:
					deeds[deed].call(body)
			var arguments: int = {body_entered = 1, impact = 5}.get(signal_name, 0)
			body.connect(signal_name, act.unbind(arguments) if arguments else act)
			for i in 600:
				await ticks(1)
				if calls:
					break
			check_ge(calls.size(), 1.0, "%s in %s" % [deed, signal_name])
			await ticks(5)
			if is_instance_valid(body):
				body.free()
			body_at_floor.position.y = 450


## The names of all properties that are real numbers.
func numbers(body: SoftBody2D) -> Array[String]:
	var found: Array[String] = []
	for property: Dictionary in ClassDB.class_get_property_list("SoftBody2D", true):
		if property.type == TYPE_FLOAT and property.usage & PROPERTY_USAGE_STORAGE:
			found.append(property.name)
	check_gt(found.size(), 15.0, "numbers")
	check_true(body.get(found[0]) != null, "a number")
	return found
