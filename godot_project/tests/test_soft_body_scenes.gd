extends "res://tests/support/soft_test.gd"
## Soft bodies in scenes: stored, built on threads, below others, with other nodes on them.


## A body whose script moves it on another thread.
class ThreadReader:
	extends SoftBody2D
	var thread := 0
	var read := 0

	func _physics_process(_delta: float) -> void:
		thread = OS.get_thread_caller_id()
		apply_central_impulse(Vector2(1, 0))
		if get_points().size() == get_point_count() and linear_velocity.is_finite():
			read += 1


func test_a_stored_scene_brings_back_all_properties() -> void:
	var body := SoftBody2D.new()
	var values := {
		source = SoftBody2D.SOURCE_RECTANGLE,
		size = Vector2(60, 80),
		particle_count = Vector2i(4, 6),
		pin_mode = SoftBody2D.PIN_SIDES,
		pin_sides = 5,
		stiffness = 321.0,
		damping = 7.0,
		pressure = 2.0,
		mass = 3.0,
		collision_mask = 6,
		grab_radius = 33.0,
		color = Color.RED,
		move_node = false,
		lock_rotation = true,
		position = Vector2(100, 100),
		scale = Vector2(2, 2),
	}
	for property: String in values:
		body.set(property, values[property])
	var scene := PackedScene.new()
	check_eq(scene.pack(body), OK, "packed")
	body.free()
	var loaded: SoftBody2D = add(scene.instantiate())
	await ticks(1)
	for property: String in values:
		check_eq(loaded.get(property), values[property], property)
	check_eq(pinned(loaded), [0, 1, 2, 3, 20, 21, 22, 23], "held points")
	check_near(loaded.get_point_position(0), Vector2(40, 20), 0.01, "first corner, scaled")


func test_what_is_not_stored_is_not_in_a_scene() -> void:
	var body := SoftBody2D.new()
	body.linear_velocity = Vector2(10, 0)
	body.apply_preset("Jelly")
	var names := []
	for property in body.get_property_list():
		if property.usage & PROPERTY_USAGE_STORAGE:
			names.append(property.name)
	for name in ["preset", "sleeping", "linear_velocity", "angular_velocity"]:
		check_true(name not in names, name)
	body.free()


func test_bodies_are_built_on_threads() -> void:
	var root := Node2D.new()
	for i in 8:
		var body := SoftBody2D.new()
		body.position = Vector2(100 + 120 * i, 100)
		body.particle_count = Vector2i(3 + i, 4)
		root.add_child(body)
		body.owner = root
	var scene := PackedScene.new()
	scene.pack(root)
	root.free()
	var threads: Array[Thread] = []
	for i in 4:
		threads.append(Thread.new())
		threads[i].start(func() -> Node: return scene.instantiate())
	for thread in threads:
		while thread.is_alive():
			await frames(1)
		add(thread.wait_to_finish())
	await ticks(10)
	for built in get_children():
		for body: SoftBody2D in built.get_children():
			check_sound(body, "built on a thread")
			check_gt(body.position.y, 100.0, "it falls")


func test_a_script_on_a_sub_thread_may_use_it() -> void:
	var group: Node2D = add(Node2D.new())
	group.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	var bodies: Array[ThreadReader] = []
	for i in 4:
		bodies.append(ThreadReader.new())
		bodies[i].position = Vector2(150 * i, 50)
		group.add_child(bodies[i])
	await ticks(30)
	for body in bodies:
		check_gt(body.read, 20, "ticks in which its script read it")
		check_true(body.thread != OS.get_main_thread_id(), "on another thread")
		check_gt(body.linear_velocity.x, 10.0, "pushed")
		check_near(body.global_position, middle(body), 0.1, "node on the middle")


func test_a_child_area_sees_what_the_body_falls_into() -> void:
	var solid := body_at(StaticBody2D.new(), Vector2(576, 600), rectangle(Vector2(400, 20)))
	var body := make_soft({collision_mask = 0})
	var area := Area2D.new()
	add_shape(area, circle(30.0))
	body.add_child(area)
	add(body)
	var seen := count_emissions(area, "body_entered")
	await seconds(1.2)
	# As below a RigidBody2D, the area sees the body on which it is, too.
	check_eq(seen, [[body], [solid]], "seen by the area on the body")


func test_the_same_scene_runs_the_same_each_time() -> void:
	var hashes := []
	for run in 2:
		body_at(StaticBody2D.new(), Vector2(576, 450), rectangle(Vector2(2000, 100)))
		var all: Array[SoftBody2D] = []
		for i in 6:
			all.append(add(make_soft({position = Vector2(200 + 130 * i, 300), rotation = 0.3 * i})))
		await ticks(90)
		var sums := []
		for body in all:
			sums.append(body.get_state_hash())
		hashes.append(sums)
		for child in get_children():
			child.free()
		await ticks(3)
	check_eq(hashes[0], hashes[1], "hashes of two runs")


func test_falling_asleep_and_waking_is_told_of() -> void:
	body_at(StaticBody2D.new(), Vector2(576, 450), rectangle(Vector2(2000, 100)))
	var body := await soft({linear_damp = 2.0})
	var states := []
	body.sleeping_state_changed.connect(func() -> void: states.append(body.sleeping))
	await seconds(6.0)
	check_eq(states, [true], "asleep")
	body.linear_velocity = Vector2(0, -100)
	await ticks(2)
	check_eq(states, [true, false], "awake")
	body.sleeping = true
	await ticks(2)
	check_eq(states, [true, false, true], "put to sleep")


func test_interpolation_that_is_reset_after_a_move_lays_the_body_out_there() -> void:
	get_tree().physics_interpolation = true
	var body := await soft()
	await ticks(20)
	body.position = Vector2(200, 100)
	body.reset_physics_interpolation()
	await ticks(1)
	check_near(body.position, Vector2(200, 100), 1.0, "place")
	check_lt(body.linear_velocity.length(), 30.0, "at rest")
