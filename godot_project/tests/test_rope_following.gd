extends "res://tests/support/rope_test.gd"
## Held points follow their nodes: in the same tick if these were moved by then, else in the next.


## Moves its own rope, on whatever thread it is processed.
class SelfMover:
	extends VerletRope2D
	var speed := Vector2(240, 35)

	func _physics_process(delta: float) -> void:
		position += speed * delta


## Looks, in a deferred call of each tick, where rope and node are.
class Onlooker:
	extends Node
	var rope: VerletRope2D
	var differences := 0
	var looks := 0

	func _physics_process(_delta: float) -> void:
		_look.call_deferred()

	func _look() -> void:
		looks += 1
		if rope.get_point_position(0) != rope.global_position:
			differences += 1


func test_a_node_moved_before_or_after_the_rope_in_tree_order_is_followed_without_lag() -> void:
	for before: bool in [true, false]:
		var what := "a mover %s the rope" % ("before" if before else "after")
		var rope := await hang()
		var mover := _mover(rope, Mover.When.PHYSICS)
		if before:
			move_child(mover, 0)
		await _check_no_lag(rope, what)
		mover.free()
		rope.free()


func test_a_rope_that_moves_itself_is_followed_without_lag() -> void:
	var rope := SelfMover.new()
	add(rope)
	await ticks(2)
	await _check_no_lag(rope, "its own script")


func test_a_moved_turned_and_scaled_parent_is_followed_without_lag() -> void:
	var parent: Node2D = add(Node2D.new())
	var rope := make_rope({position = Vector2(50, 20)})
	parent.add_child(rope)
	await ticks(2)
	for i in 60:
		parent.position.x += 5.0
		parent.rotation += 0.03
		parent.scale *= 1.005
		await ticks(1)
		check_near(rope.get_point_position(0), rope.global_position, 0.001, "start")
	check_gt(rope.global_position.x, 250.0, "way")


func test_an_animation_player_in_physics_mode_is_followed_without_lag() -> void:
	var rope := await hang()
	var animation := Animation.new()
	animation.length = 2.0
	var track := animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, NodePath("Rope:position"))
	animation.track_insert_key(track, 0.0, Vector2(100, 100))
	animation.track_insert_key(track, 2.0, Vector2(900, 300))
	var library := AnimationLibrary.new()
	library.add_animation("move", animation)
	var player := AnimationPlayer.new()
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	player.add_animation_library("", library)
	add(player)
	player.play("move")
	# The first tick of the animation places the rope.
	await ticks(3)
	await _check_no_lag(rope, "an AnimationPlayer")


func test_a_rigid_body_above_it_is_followed_without_lag() -> void:
	var body: RigidBody2D = add(RigidBody2D.new())
	body.angular_velocity = 3.0
	body.position = Vector2(300, 0)
	var rope := make_rope({position = Vector2(20, 0)})
	body.add_child(rope)
	await ticks(3)
	# The engine moves the body at the very beginning of a tick.
	var onlooker := Onlooker.new()
	onlooker.rope = rope
	add(onlooker)
	await ticks(40)
	check_ge(onlooker.looks, 39, "looks")
	check_eq(onlooker.differences, 0, "looks at which the start was elsewhere")
	check_gt(body.position.y, 100.0, "fall of the body")


func test_the_new_place_can_be_read_in_deferred_calls_of_the_same_tick() -> void:
	var rope := await hang()
	_mover(rope, Mover.When.PHYSICS)
	var onlooker := Onlooker.new()
	onlooker.rope = rope
	add(onlooker)
	await ticks(30)
	check_ge(onlooker.looks, 29, "looks")
	check_eq(onlooker.differences, 0, "looks at which the start was elsewhere")


func test_a_sleeping_rope_follows_its_node_without_lag() -> void:
	var rope := await hang_asleep()
	for i in 5:
		rope.position += Vector2(7, 3)
		await ticks(1)
		check_eq(rope.get_point_position(0), rope.global_position, "start in tick %d" % i)
	check_true(not rope.sleeping, "awake")


func test_a_sleeping_rope_follows_its_ancestors_without_lag() -> void:
	for top: bool in [false, true]:
		var what := "grandparent" if top else "parent"
		var grandparent: Node2D = add(Node2D.new())
		var parent := Node2D.new()
		grandparent.add_child(parent)
		var rope := make_rope()
		parent.add_child(rope)
		await until_asleep([rope])
		var moved := grandparent if top else parent
		for i in 5:
			moved.position += Vector2(7, 3)
			await ticks(1)
			check_eq(rope.get_point_position(0), rope.global_position, "start, moved " + what)
		check_true(not rope.sleeping, "awake, moved " + what)
		grandparent.free()


func test_a_sleeping_rope_follows_the_node_of_its_pin_without_lag() -> void:
	var rope := await hang()
	var hook: Node2D = add(Node2D.new())
	var last := rope.get_point_count() - 1
	hook.global_position = tip(rope)
	rope.set_point_pinned(last, true, str(rope.get_path_to(hook)))
	await until_asleep([rope])
	for i in 5:
		hook.position += Vector2(-2, -4)
		await ticks(1)
		check_near(rope.get_point_position(last), hook.position, 0.001, "end in tick %d" % i)
	check_true(not rope.sleeping, "awake")


func test_a_node_moved_late_in_the_tick_is_followed_one_tick_later() -> void:
	var names := ["physics", "deferred", "physics tween", "_process", "tween"]
	for when: Mover.When in Mover.When.values().slice(1):
		var rope := await hang()
		var mover := _mover(rope, when)
		await ticks(5)
		var before := rope.global_position
		for i in 30:
			await ticks(1)
			var what := "start, moved by %s" % names[when]
			check_near(rope.get_point_position(0), before, 0.001, what)
			check_true(rope.global_position != before, "the node moved by %s" % names[when])
			before = rope.global_position
		mover.free()
		rope.free()


func test_the_end_held_by_the_node_follows_its_turns_without_lag() -> void:
	var rope := await hang({end_pinned = true, end_position = Vector2(150, 0)})
	for i in 40:
		rope.rotation += 0.05
		await ticks(1)
		check_near(tip(rope), rope.to_global(Vector2(150, 0)), 0.001, "end")
		check_near(rope.get_point_position(0), rope.global_position, 0.001, "start")


func test_a_jump_places_the_whole_rope_at_rest() -> void:
	var rope := await hang({end_position = released_at(45.0), can_sleep = false})
	await seconds(0.3)
	rope.position += Vector2(5000, -3000)
	await ticks(1)
	check_eq(rope.get_point_position(0), rope.position, "start")
	check_lt(fastest(rope), 40.0, "speed after one tick")
	check_lt(worst_strain(rope), EXACT, "strain")


func test_reset_physics_interpolation_places_the_whole_rope_at_rest() -> void:
	# Without interpolation the engine does not tell anyone of it.
	get_tree().physics_interpolation = true
	var rope := await hang({can_sleep = false})
	await seconds(0.2)
	rope.position += Vector2(150, 0)
	rope.reset_physics_interpolation()
	await ticks(1)
	check_near(tip(rope), rope.position + Vector2(0, 200), 0.5, "tip")
	check_lt(fastest(rope), 40.0, "speed after one tick")


func test_a_rope_added_in_a_tick_hangs_from_where_its_node_was_put() -> void:
	# The world exists already.
	await hang()
	var rope := VerletRope2D.new()
	add(rope)
	rope.position = Vector2(300, 50)
	await ticks(1)
	rope.position = Vector2(302, 50)
	await ticks(1)
	check_eq(rope.get_point_position(0), Vector2(302, 50), "start")
	check_near(tip(rope), Vector2(300, 250), 3.0, "tip")


func _mover(rope: VerletRope2D, when: Mover.When) -> Mover:
	var mover := Mover.new()
	mover.target = rope
	mover.when = when
	add(mover)
	return mover


## At the beginning of the next tick nothing has moved since the simulation.
func _check_no_lag(rope: VerletRope2D, what: String) -> void:
	var from := rope.global_position
	for i in 45:
		await ticks(1)
		check_eq(rope.get_point_position(0), rope.global_position, "start, moved by " + what)
	check_gt(rope.global_position.distance_to(from), 20.0, "way, moved by " + what)


func test_teleport_lays_it_out_at_rest_or_carries_it_along() -> void:
	for keep: bool in [false, true]:
		var rope := await hang({end_position = released_at(80.0)})
		await ticks(20)
		var before := tip(rope) - rope.global_position
		var speed := rope.get_point_velocity(rope.get_point_count() - 1)
		rope.teleport(rope.global_transform.translated(Vector2(300, -40)), keep)
		var after := tip(rope) - rope.global_position
		if keep:
			check_near(after, before, 0.01, "tip, kept")
			check_near(rope.get_point_velocity(20), speed, 0.01, "its velocity, kept")
		else:
			check_near(after, released_at(80.0), 0.01, "tip, laid out")
			check_near(rope.get_point_velocity(20), Vector2.ZERO, 0.01, "its velocity, laid out")
		await check_works(rope, "after a teleport")
		rope.free()


func test_hiding_and_showing_keeps_what_was_asked_for() -> void:
	get_tree().physics_interpolation = true
	for order: String in ["hide first", "show after", "shown"]:
		var rope := await hang({end_position = released_at(80.0)})
		await ticks(20)
		if order == "hide first":
			rope.hide()
		rope.position += Vector2(200, 0)
		rope.reset_physics_interpolation()
		if order == "show after":
			rope.hide()
		rope.show()
		check_near(tip(rope), rope.position + released_at(80.0), 0.01, "tip, " + order)
		rope.free()
