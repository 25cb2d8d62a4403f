extends "res://tests/support/rope_test.gd"
## Ropes that come and go: by threads, scenes, worlds, copies; and users' scripts on them.


## Runs on the sub thread of its parent's process group.
class ThreadMover:
	extends VerletRope2D
	var thread := -1
	var lengths_seen := 0

	func _physics_process(delta: float) -> void:
		thread = OS.get_thread_caller_id()
		position.x += 120.0 * delta
		if get_current_length() > 100.0 and get_point_position(5).is_finite():
			lengths_seen += 1
		apply_point_impulse(10, Vector2(0.1, 0))
		apply_point_force(9, Vector2(5, 0))


## A user's script that counts its own ticks.
class Counting:
	extends VerletRope2D
	signal counted
	@export var bonus := 3
	var ticks_seen := 0

	func _physics_process(_delta: float) -> void:
		ticks_seen += 1
		counted.emit()


func test_a_script_that_overrides_every_virtual_leaves_the_rope_alive() -> void:
	var rope: VerletRope2D = override_everything(make_rope({end_position = released_at(50.0)}))
	add(rope)
	await ticks(20)
	var calls: Dictionary = rope.get("calls")
	for function: StringName in [&"_enter_tree", &"_ready", &"_process", &"_physics_process"]:
		check_gt(calls.get(function, 0), 0, "calls of %s" % function)
	check_gt(tip(rope).distance_to(rope.position + released_at(50.0)), 10.0, "way of the tip")
	check_gt(calls.get(&"_draw", 0), 0, "calls of _draw")
	await until_asleep([rope])
	check_true(rope.sleeping, "asleep in the end")
	check_near(tip(rope), rope.position + Vector2(0, 200), 1.5, "tip at rest")
	await check_works(rope, "afterwards")
	remove_child(rope)
	add_child(rope)
	await check_works(rope, "in the tree again")


func test_a_script_with_its_own_process_callbacks_runs_beside_the_rope() -> void:
	var rope := Counting.new()
	add(rope)
	await ticks(10)
	check_ge(rope.ticks_seen, 9, "ticks of the script")
	rope.set_physics_process(false)
	rope.set_process(false)
	rope.set_physics_process_internal(false)
	await check_works(rope, "with the node's own processing off")


func test_a_rope_made_on_a_thread_works() -> void:
	var scene := scene_with_ropes(5)
	var thread := Thread.new()
	thread.start(func() -> Node: return scene.instantiate())
	while thread.is_alive():
		await frames(1)
	var root: Node = thread.wait_to_finish()
	add(root)
	for rope: VerletRope2D in root.get_children():
		await check_works(rope, "a rope of a scene instantiated on a thread")


func test_a_rope_made_and_set_up_by_code_on_a_thread_works() -> void:
	var thread := Thread.new()
	expect_error("mass: ")
	thread.start(
		func() -> VerletRope2D:
			var rope := make_rope({length = 150, segments = 12, end_position = released_at(30.0)})
			rope.mass = NAN
			rope.set_point_pinned(3, true)
			rope.set_point_pinned(3, false)
			rope.apply_point_impulse(4, Vector2(1, 0))
			return rope
	)
	while thread.is_alive():
		await frames(1)
	var rope: VerletRope2D = thread.wait_to_finish()
	add(rope)
	await check_works(rope, "a rope made on a thread")


func test_many_threads_make_ropes_at_once() -> void:
	var scene := scene_with_ropes(20)
	var threads: Array[Thread] = []
	for i in 4:
		threads.append(Thread.new())
		threads[i].start(func() -> Node: return scene.instantiate())
	for thread in threads:
		while thread.is_alive():
			await frames(1)
		add(thread.wait_to_finish())
	await ticks(10)
	for root in get_children():
		for rope: VerletRope2D in root.get_children():
			check_lt(worst_strain(rope), EXACT, "strain")


func test_a_rope_moved_by_its_script_on_a_sub_thread_is_followed_without_lag() -> void:
	var group: Node2D = add(Node2D.new())
	group.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	var ropes: Array[ThreadMover] = []
	for i in 8:
		ropes.append(ThreadMover.new())
		ropes[i].position = Vector2(100, 50 + i)
		group.add_child(ropes[i])
	await ticks(3)
	for i in 30:
		await ticks(1)
		for rope in ropes:
			check_near(rope.get_point_position(0), rope.global_position, 0.001, "start")
			check_lt(worst_strain(rope), EXACT, "strain")
	check_gt(ropes[0].position.x, 140.0, "way")
	check_gt(ropes[0].lengths_seen, 20, "ticks in which the script read the rope")
	check_true(ropes[0].thread != OS.get_main_thread_id(), "it ran on another thread")


func test_a_rope_that_is_a_sub_thread_group_itself_works() -> void:
	var rope := ThreadMover.new()
	rope.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	rope.position = Vector2(100, 50)
	add(rope)
	await ticks(3)
	for i in 30:
		await ticks(1)
		check_near(rope.get_point_position(0), rope.global_position, 0.001, "start")
	check_true(rope.thread != OS.get_main_thread_id(), "its script ran on another thread")
	check_lt(worst_strain(rope), EXACT, "strain")


func test_a_node_that_holds_a_point_may_change_its_parent() -> void:
	var parents: Array[Node2D] = [add(Node2D.new()), add(Node2D.new())]
	parents[1].position = Vector2(50, 0)
	var hook := Node2D.new()
	parents[0].add_child(hook)
	var rope := await hang({end_position = released_at(60.0)})
	var last := rope.get_point_count() - 1
	hook.position = tip(rope)
	rope.set_point_pinned(last, true, str(rope.get_path_to(hook)))
	await ticks(3)
	hook.reparent(parents[1])
	hook.global_position += Vector2(-5, 0)
	await ticks(3)
	check_true(rope.is_point_pinned(last), "still pinned")
	check_near(tip(rope), hook.global_position, 0.01, "end")


func test_a_scene_change_takes_a_hundred_ropes_along() -> void:
	var scene := scene_with_ropes(100)
	for i in 3:
		get_tree().change_scene_to_packed(scene)
		await ticks(3)
		check_eq(get_tree().current_scene.get_child_count(), 100, "ropes")
	var rope: VerletRope2D = get_tree().current_scene.get_child(99)
	await check_works(rope, "a rope of the last scene")


func test_a_thousand_ropes_come_and_go_in_one_tick() -> void:
	var other := await hang()
	for tick in 3:
		var ropes: Array[VerletRope2D] = []
		for i in 1000:
			ropes.append(add(make_rope()))
		if tick == 1:
			ropes.shuffle()
		for rope in ropes:
			if tick == 2:
				rope.queue_free()
			else:
				rope.free()
		await ticks(2)
		check_eq(get_child_count(), 1, "ropes left")
	await check_works(other, "the other rope")


func test_a_thousand_ropes_live_a_while() -> void:
	for i in 1000:
		add(make_rope({segments = 5}))
	await ticks(5)
	for i in range(0, 1000, 2):
		get_child(i).queue_free()
	await ticks(2)
	check_eq(get_child_count(), 500, "ropes left")
	await check_works(get_child(499), "the last rope")


func test_a_rope_added_at_any_time_after_the_last_one_went_is_simulated() -> void:
	# Somewhere here the step of the empty space ends; a rope that comes in that very tick, after
	# the step, must not be forgotten.
	for pause in range(110, 130):
		var first := await hang()
		first.free()
		await ticks(pause)
		var rope := make_rope({end_position = released_at(60.0)})
		var enter := func() -> void: add_child(rope)
		enter.call_deferred()
		await ticks(8)
		var way := tip(rope).distance_to(rope.position + released_at(60.0))
		check_gt(way, 1.0, "way of the tip of a rope added after %d ticks" % pause)
		rope.free()


func test_a_swinging_rope_keeps_its_shape_under_a_new_parent() -> void:
	var one: Node2D = add(Node2D.new())
	var two: Node2D = add(Node2D.new())
	two.position = Vector2(40, 30)
	two.rotation = 0.5
	for interpolated: bool in [false, true]:
		get_tree().physics_interpolation = interpolated
		var rope := make_rope({end_position = released_at(70.0), can_sleep = false})
		one.add_child(rope)
		await seconds(0.3)
		var before := rope.get_points()
		var speed := fastest(rope)
		rope.reparent(two)
		check_lt(largest_distance(rope.get_points(), before), 0.01, "change at once")
		await ticks(1)
		var moved := largest_distance(rope.get_points(), before)
		check_gt(moved, 0.5, "way in the next tick, interpolation %s" % interpolated)
		check_lt(moved, speed / 60.0 * 1.5, "way in the next tick, interpolation %s" % interpolated)
		check_lt(worst_strain(rope), EXACT, "strain")
		rope.free()


func test_a_rope_taken_out_and_put_elsewhere_comes_along_as_it_was() -> void:
	var rope := await hang({end_position = released_at(70.0), can_sleep = false})
	await seconds(0.3)
	var before := relative(rope.get_points(), rope.position)
	var speed := fastest(rope)
	remove_child(rope)
	await ticks(10)
	rope.position += Vector2(300, 40)
	add_child(rope)
	await ticks(1)
	var after := relative(rope.get_points(), rope.position)
	check_lt(largest_distance(before, after), speed / 60.0 * 1.5, "change of shape")
	check_eq(rope.get_point_position(0), rope.position, "start")
	await check_works(rope, "afterwards")


func test_every_property_survives_a_scene_file() -> void:
	var rope := VerletRope2D.new()
	_set_all_to_other_values(rope)
	var packed := PackedScene.new()
	packed.pack(rope)
	var path := "user://rope_roundtrip.tscn"
	check_eq(ResourceSaver.save(packed, path), OK, "saved")
	var loaded: PackedScene = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	var other: VerletRope2D = loaded.instantiate()
	_check_same_properties(other, rope)
	DirAccess.remove_absolute(path)
	rope.free()
	other.free()


func test_an_untouched_rope_saves_nothing() -> void:
	var rope := VerletRope2D.new()
	for property in _stored_properties():
		var default: Variant = ClassDB.class_get_property_default_value(
			"VerletRope2D", property.name
		)
		check_eq(rope.get(property.name), default, property.name)
	rope.free()


func test_a_duplicate_has_every_property_and_the_script_and_works() -> void:
	var rope := Counting.new()
	_set_all_to_other_values(rope)
	rope.bonus = 11
	rope.position = Vector2(300, 80)
	add(rope)
	await ticks(3)
	var copy: Counting = rope.duplicate()
	_check_same_properties(copy, rope)
	check_eq(copy.bonus, 11, "property of the script")
	rope.free()
	copy.preview_in_editor = false
	copy.solver = 0
	copy.end_pinned = false
	copy.start_pinned = true
	copy.can_sleep = true
	add(copy)
	copy.reset()
	await check_works(copy, "the copy")
	check_gt(copy.ticks_seen, 10, "ticks of the script")


func test_worlds_are_apart_and_each_has_its_own_gravity() -> void:
	var viewport: SubViewport = add(SubViewport.new())
	viewport.world_2d = World2D.new()
	var weightless := make_rope({end_position = Vector2(200, 0)})
	viewport.add_child(weightless)
	PhysicsServer2D.area_set_param(viewport.world_2d.space, PhysicsServer2D.AREA_PARAM_GRAVITY, 0.0)
	var heavy := await hang({end_position = Vector2(200, 0)})
	await seconds(0.5)
	check_near(tip(weightless), weightless.position + Vector2(200, 0), 0.1, "tip without gravity")
	check_gt(tip(heavy).y, heavy.position.y + 50.0, "height of the tip with gravity")
	await check_works(weightless, "the rope of the other world")
	viewport.free()
	await ticks(130)
	await check_works(heavy, "after the other world has gone")


func test_many_worlds_come_and_go() -> void:
	for i in 5:
		for k in 4:
			var viewport: SubViewport = add(SubViewport.new())
			viewport.world_2d = World2D.new()
			for rope_index in 10:
				viewport.add_child(make_rope())
		await ticks(3)
		await check_works(get_child(3).get_child(9), "a rope of the last world")
		for viewport in get_children():
			viewport.free()
		await ticks(2)
	check_eq(get_child_count(), 0, "worlds left")


func test_a_rope_goes_with_its_viewport_into_another_world() -> void:
	var viewport: SubViewport = add(SubViewport.new())
	viewport.world_2d = World2D.new()
	var rope := make_rope()
	viewport.add_child(rope)
	await ticks(5)
	# The old world, and its physics space, are freed by this.
	viewport.world_2d = World2D.new()
	await ticks(5)
	await check_works(rope, "in the new world")
	PhysicsServer2D.area_set_param(
		viewport.world_2d.space, PhysicsServer2D.AREA_PARAM_GRAVITY, -980.0
	)
	await seconds(1.0)
	check_lt(tip(rope).y, rope.position.y, "height of the tip under the new world's gravity")


func test_a_rope_under_a_canvas_layer_or_a_control_works() -> void:
	for parent: Node in [CanvasLayer.new(), Control.new(), Node.new()]:
		add(parent)
		var rope := make_rope()
		parent.add_child(rope)
		await check_works(rope, "under a " + parent.get_class())


func _stored_properties() -> Array[Dictionary]:
	return ClassDB.class_get_property_list("VerletRope2D", true).filter(
		func(property: Dictionary) -> bool: return property.usage & PROPERTY_USAGE_STORAGE
	)


## Gives each stored property a value that is not its default.
func _set_all_to_other_values(rope: VerletRope2D) -> void:
	var properties := _stored_properties()
	check_gt(properties.size(), 15, "stored properties")
	for property in properties:
		var value: Variant = rope.get(property.name)
		match typeof(value):
			TYPE_BOOL:
				value = not value
			TYPE_INT:
				value = int(value != 1) if property.hint == PROPERTY_HINT_ENUM else value + 3
			TYPE_FLOAT:
				# It must not tear.
				value = 1e6 if property.name == "break_force" else value * 0.5 + 0.3125
			TYPE_VECTOR2:
				value += Vector2(10, 5)
			TYPE_NODE_PATH:
				value = ^"../Nobody"
			TYPE_COLOR:
				value = Color(0.25, 0.5, 0.75, 0.5)
			TYPE_NIL, TYPE_OBJECT:
				var kind: StringName = property.hint_string
				kind = &"PlaceholderTexture2D" if kind == &"Texture2D" else kind
				value = ClassDB.instantiate(kind)
			_:
				fail("no other value for %s" % property.name)
		var default: Variant = rope.get(property.name)
		rope.set(property.name, value)
		check_true(rope.get(property.name) != default, "%s was set" % property.name)


func _check_same_properties(one: VerletRope2D, other: VerletRope2D) -> void:
	for property in _stored_properties():
		var value: Variant = one.get(property.name)
		var loaded: Variant = other.get(property.name)
		if value is Resource:
			# A scene's own resources are made anew.
			check_true(loaded is Resource, property.name)
			check_eq(loaded.get_class(), value.get_class(), property.name)
		else:
			check_eq(loaded, value, property.name)


func test_a_viewport_without_its_world_costs_no_errors() -> void:
	var viewport := SubViewport.new()
	viewport.world_2d = World2D.new()
	add(viewport)
	var rope := make_rope({end_position = released_at(30.0)})
	viewport.add_child(rope)
	await ticks(5)
	viewport.world_2d = World2D.new()
	await ticks(5)
	await check_works(rope, "in the new world")
