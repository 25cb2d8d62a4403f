extends "res://tests/support/rigid_test.gd"
## Rigid bodies on ropes that are freed, frozen, weightless, huge, or tied to themselves.


## Nothing flies away, and nothing is no number.
func check_calm(body: RigidBody2D, rope: VerletRope2D, what: String, most := 3000.0) -> void:
	for i in rope.get_point_count():
		check_true(rope.get_point_position(i).is_finite(), "%s: point %d" % [what, i])
	if is_instance_valid(body):
		check_true(body.position.is_finite(), "%s: the body" % what)
		check_lt(body.linear_velocity.length(), most, "%s: speed" % what)


func test_a_body_is_freed_while_it_hangs() -> void:
	var body := crate(5.0, Vector2(0, 220))
	var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
	var detached: Array[int] = []
	rope.detached.connect(func(end: int) -> void: detached.append(end))
	await seconds(0.5)
	body.free()
	await seconds(0.5)
	check_eq(detached.size(), 1, "detached")
	check_calm(null, rope, "freed")


func test_a_body_frees_itself_in_a_signal() -> void:
	var body := crate(5.0, Vector2(0, 220))
	var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
	rope.sleeping_state_changed.connect(body.queue_free)
	await seconds(2.0)
	check_true(not is_instance_valid(body), "it is gone")
	await seconds(0.5)
	check_calm(null, rope, "freed in a signal")


func test_both_ends_on_one_body() -> void:
	var body := crate(1.0, Vector2(0, 200), 60.0)
	var floor_body := StaticBody2D.new()
	floor_body.position = Vector2(0, 300)
	var shape := CollisionShape2D.new()
	shape.shape = WorldBoundaryShape2D.new()
	floor_body.add_child(shape)
	add(floor_body)
	var rope := tied(Vector2(-50, 140), body, Vector2(50, -60))
	rope.attach_start(body, Vector2(-50, -60))
	await seconds(3.0)
	check_calm(body, rope, "both ends", 5.0)
	check_lt(absf(body.position.x), 2.0, "it does not creep")


func test_a_taut_rope_from_a_body_to_itself() -> void:
	# Shorter than the places are apart: nothing can give way.
	var body := crate(1.0, Vector2(0, 0), 60.0)
	body.gravity_scale = 0.0
	var rope := tied(Vector2(-60, 0), body, Vector2(60, 0))
	rope.length = 80.0
	rope.attach_start(body, Vector2(-60, 0))
	await seconds(3.0)
	check_calm(body, rope, "within", 2.0)
	check_lt(absf(body.angular_velocity), 0.1, "it does not spin")


func test_light_and_heavy_bodies() -> void:
	for mass: float in [1e-6, 0.001, 1e5]:
		var body := crate(mass, Vector2(0, 220))
		var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
		await seconds(2.0)
		check_calm(body, rope, "%s kg" % mass)
		check_near(body.position, Vector2(0, 220), 4.0, "%s kg: where it hangs" % mass)
		body.linear_velocity = Vector2(500, -300)
		await seconds(2.0)
		check_calm(body, rope, "%s kg thrown" % mass)
		var away := body.to_global(Vector2(0, -20)).length()
		check_lt(away, 204.0, "%s kg: how far" % mass)
		body.free()
		rope.free()


func test_a_light_rope_with_a_heavy_body() -> void:
	var body := crate(1000.0, Vector2(100, 150))
	var rope := tied(Vector2.ZERO, body, Vector2.ZERO, 0.01)
	var farthest := 0.0
	for tick in 240:
		await ticks(1)
		farthest = maxf(farthest, body.position.length())
	check_calm(body, rope, "heavy")
	check_lt(farthest, 204.0, "how far")


func test_without_gravity_nothing_begins_to_move() -> void:
	var body := crate(1.0, Vector2(0, 150))
	body.gravity_scale = 0.0
	var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
	rope.gravity_scale = 0.0
	await seconds(2.0)
	# The rope was laid out hanging, and unfolds a little.
	check_lt(body.linear_velocity.length(), 20.0, "speed")
	check_calm(body, rope, "weightless")


func test_frozen_locked_and_unbalanced_bodies() -> void:
	for freeze: int in [RigidBody2D.FREEZE_MODE_STATIC, RigidBody2D.FREEZE_MODE_KINEMATIC]:
		var frozen := crate(1.0, Vector2(0, 100))
		frozen.freeze_mode = freeze
		frozen.freeze = true
		var rope := tied(Vector2.ZERO, frozen, Vector2(0, -20))
		await seconds(1.0)
		check_near(frozen.position, Vector2(0, 100), 0.001, "a frozen one stays")
		frozen.freeze = false
		await seconds(2.0)
		check_near(frozen.position.length(), 220.0, 12.0, "thawed it hangs")
		frozen.freeze = true
		var at := frozen.position
		await seconds(0.5)
		check_near(frozen.position, at, 0.001, "frozen again it stays")
		frozen.free()
		rope.free()
	var locked := crate(1.0, Vector2(0, 200))
	locked.lock_rotation = true
	var one := tied(Vector2(-20, 0), locked, Vector2(-20, -20))
	await seconds(1.0)
	check_eq(locked.rotation, 0.0, "a locked one does not turn")
	check_calm(locked, one, "locked")
	var heavy_below := crate(4.0, Vector2(400, 200))
	heavy_below.center_of_mass_mode = RigidBody2D.CENTER_OF_MASS_MODE_CUSTOM
	heavy_below.center_of_mass = Vector2(15, 15)
	var other := tied(Vector2(400, 0), heavy_below, Vector2(0, -20))
	await seconds(12.0)
	check_calm(heavy_below, other, "unbalanced", 20.0)
	# Its centre of mass hangs below the tie.
	var tie := heavy_below.to_global(Vector2(0, -20))
	var center := heavy_below.to_global(Vector2(15, 15))
	check_lt(absf(center.x - tie.x), 4.0, "how far beside the tie its centre hangs")


func test_a_body_that_is_put_elsewhere_is_held_there_in_reach() -> void:
	var body := crate(1.0, Vector2(0, 220))
	var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
	await seconds(1.0)
	body.position = Vector2(150, 80)
	body.linear_velocity = Vector2.ZERO
	await seconds(1.0)
	check_calm(body, rope, "put in reach", 1500.0)
	body.position = Vector2(2000, 0)
	for tick in 300:
		await ticks(1)
		check_lt(body.linear_velocity.length(), 2500.0, "fetched from out of reach")
	check_lt(body.to_global(Vector2(0, -20)).length(), 210.0, "it is back")


func test_a_body_that_cannot_follow_is_not_torn_through_a_wall() -> void:
	var wall := StaticBody2D.new()
	var shape := CollisionShape2D.new()
	var block := RectangleShape2D.new()
	block.size = Vector2(10, 400)
	shape.shape = block
	wall.add_child(shape)
	wall.position = Vector2(150, 0)
	# The rope goes through it, the body does not.
	wall.collision_layer = 2
	add(wall)
	var body := crate(1.0, Vector2(180, 0))
	body.collision_mask = 2
	var rope := tied(Vector2.ZERO, body, Vector2.ZERO)
	await seconds(0.5)
	rope.length = 40.0
	await seconds(4.0)
	check_gt(body.position.x, 160.0, "it is still behind the wall")
	check_calm(body, rope, "behind a wall", 700.0)


func test_velocities_that_scripts_set_are_kept_in_reach() -> void:
	var body := crate(1.0, Vector2(0, 150))
	var rope := tied(Vector2.ZERO, body, Vector2.ZERO)
	for tick in 180:
		body.linear_velocity = Vector2(600, 0).rotated(tick * 0.1)
		await ticks(1)
		check_lt(body.position.length(), 215.0, "how far at tick %d" % tick)
	check_calm(body, rope, "driven")


func test_what_is_not_a_number_does_no_harm() -> void:
	var body := crate(1.0, Vector2(0, 220))
	var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
	await seconds(0.2)
	rope.attach_end(body, Vector2(0, -20))
	expect_error("attach_end", 1)
	rope.attach_end(body, Vector2(NAN, 0))
	await seconds(0.5)
	check_calm(body, rope, "offsets")
	check_near(body.position, Vector2(0, 220), 2.0, "it still hangs")


func test_modes_and_ties_change_while_it_hangs() -> void:
	var body := crate(2.0, Vector2(0, 220))
	var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
	await seconds(0.3)
	rope.end_mode = VerletRope2D.ATTACH_NODE_HOLDS_ROPE
	await seconds(0.5)
	# Now it is not held any more, and takes the rope with it.
	check_gt(body.position.y, 300.0, "it falls")
	rope.end_mode = VerletRope2D.ATTACH_AUTO
	await seconds(3.0)
	check_lt(body.to_global(Vector2(0, -20)).length(), 210.0, "it is held again")
	check_calm(body, rope, "modes")
	rope.attach_end(null)
	await seconds(0.5)
	check_gt(body.linear_velocity.y, 300.0, "let go it falls")


func test_scenes_are_paused_and_taken_out() -> void:
	var body := crate(2.0, Vector2(100, 150))
	var rope := tied(Vector2.ZERO, body, Vector2(0, -20))
	await seconds(0.5)
	get_tree().paused = true
	await seconds(0.5)
	get_tree().paused = false
	await seconds(0.5)
	check_calm(body, rope, "paused")
	remove_child(body)
	await seconds(0.5)
	add_child(body)
	await seconds(1.0)
	check_calm(body, rope, "taken out")
	remove_child(rope)
	await seconds(0.2)
	add_child(rope)
	await seconds(2.0)
	check_calm(body, rope, "the rope taken out")


func test_a_hundred_ropes_on_a_body() -> void:
	var body := crate(10.0, Vector2(0, 220), 60.0)
	for i in 100:
		var x := -50.0 + i
		tied(Vector2(x, 20), body, Vector2(x, -60) + Vector2(0, 60) * float(i % 2))
	var worst := 0.0
	for tick in 120:
		await ticks(1)
		worst = maxf(worst, body.position.distance_to(Vector2(0, 220)))
	check_lt(worst, 70.0, "how far it went")
	check_lt(body.linear_velocity.length(), 30.0, "speed")


func test_a_rope_is_laid_anew_while_something_hangs_on_it() -> void:
	var body := crate(1.0, Vector2(42, 0), 5.0)
	var rope := tied(Vector2.ZERO, body, Vector2.ZERO)
	rope.length = 80.0
	await ticks(10)
	rope.reset()
	await ticks(10)
	rope.teleport(Transform2D(0.0, Vector2(20, 20)))
	await seconds(1.0)
	check_calm(body, rope, "laid anew", 1000.0)


func test_a_heavy_body_that_has_just_come_keeps_its_momentum() -> void:
	var light := crate(1.0, Vector2(0, 0), 5.0)
	light.gravity_scale = 0.0
	await ticks(3)
	var heavy := crate(100.0, Vector2(200, 0), 5.0)
	heavy.gravity_scale = 0.0
	heavy.linear_velocity = Vector2(200, 0)
	var rope := VerletRope2D.new()
	rope.start_pinned = false
	rope.gravity_scale = 0.0
	rope.mass = 0.01
	rope.end_position = Vector2(200, 0)
	add(rope)
	rope.attach_start(light)
	rope.attach_end(heavy)
	await seconds(0.2)
	check_gt(heavy.linear_velocity.x, 180.0, "the heavy one goes on")
	check_calm(light, rope, "just come")


func test_two_bodies_turn_about_each_other_in_the_air() -> void:
	var bodies: Array[RigidBody2D] = []
	for side: float in [-1.0, 1.0]:
		var body := crate(1.0, Vector2(75 * side, 0), 8.0)
		body.gravity_scale = 0.0
		body.linear_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
		body.linear_velocity = Vector2(0, 300 * side)
		bodies.append(body)
	var rope := VerletRope2D.new()
	rope.start_pinned = false
	rope.gravity_scale = 0.0
	rope.linear_damp = 0.0
	rope.air_drag = 0.0
	rope.mass = 0.01
	rope.length = 150.0
	rope.position = Vector2(-75, 0)
	rope.end_position = Vector2(150, 0)
	add(rope)
	rope.attach_start(bodies[0])
	rope.attach_end(bodies[1])
	await seconds(5.0)
	for body in bodies:
		check_near(body.linear_velocity.length(), 300.0, 15.0, "speed after 5 s")
	var middle := (bodies[0].position + bodies[1].position) * 0.5
	check_lt(middle.length(), 3.0, "their middle stays")


func test_who_stood_on_a_rope_that_came_back_does_not_weigh() -> void:
	var rope := VerletRope2D.new()
	rope.length = 410.0
	rope.end_position = Vector2(400, 0)
	rope.end_pinned = true
	rope.collision_layer = 1
	add(rope)
	var player := CharacterBody2D.new()
	var shape := CollisionShape2D.new()
	shape.shape = CapsuleShape2D.new()
	player.add_child(shape)
	player.position = Vector2(200, -20)
	add(player)
	for tick in 120:
		player.velocity.y += 10.0
		player.move_and_slide()
		await ticks(1)
	var loaded := rope.get_tension(20)
	remove_child(rope)
	player.free()
	add_child(rope)
	await seconds(2.0)
	check_lt(rope.get_tension(20), 0.2 * loaded, "tension")
