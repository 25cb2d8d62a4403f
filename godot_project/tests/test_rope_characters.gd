extends "res://tests/support/rope_test.gd"
## Characters at the ends of a rope: kept within reach, and what the rope pulls at them.

const GRAVITY := 980.0

## Farther than its length plus this nobody may be, in px.
const OVER := 0.5

## What a character weighs on the rope, in kg.
const WEIGHT := 50.0


## A player as games write it: falls, walks, is moved by move_and_slide.
class Player:
	extends CharacterBody2D
	## What it walks with, in px/s; it only falls while this is NAN.
	var walk := NAN
	var gravity := GRAVITY
	## The rope that limits its velocity beforehand, and at which end.
	var limiter: VerletRope2D
	## Ticks on the floor, and all.
	var on_floor := 0
	var count := 0

	func _init() -> void:
		name = "Player"
		var shape := CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		shape.shape.size = Vector2(20, 20)
		add_child(shape)

	func _physics_process(delta: float) -> void:
		count += 1
		if count == 1 and ProjectSettings.get_setting("physics/2d/run_on_separate_thread"):
			# The engine itself cannot move a new body there before its server was asked for something.
			PhysicsServer2D.body_get_space(get_rid())
		velocity.y += gravity * delta
		if is_finite(walk):
			velocity.x = walk
		if limiter:
			velocity = limiter.limit_velocity(1, velocity, delta)
		move_and_slide()
		on_floor += int(is_on_floor())


## Looks after the world's step how far a player is from where it hangs.
class Watch:
	extends Node
	var player: Node2D
	var offset := Vector2.ZERO
	var anchor: Node2D
	var rope: VerletRope2D
	## The most that it was farther away than the rope is long.
	var over := -INF
	## The highest energy of a kilogram.
	var energy := -INF
	var fastest := 0.0
	## When it passed below the anchor to the right, in ticks and parts of them.
	var passes: Array[float] = []
	var before := 0.0
	var tick := 0

	func _init() -> void:
		process_physics_priority = 2000

	func _physics_process(_delta: float) -> void:
		tick += 1
		var arm := player.to_global(offset) - anchor.global_position
		over = maxf(over, arm.length() - rope.length)
		if player is CharacterBody2D:
			energy = maxf(
				energy, 0.5 * player.velocity.length_squared() - GRAVITY * player.global_position.y
			)
			fastest = maxf(fastest, player.velocity.length())
		if before < 0.0 and arm.x >= 0.0:
			passes.append(tick - arm.x / (arm.x - before))
		before = arm.x


func player_at(place: Vector2, properties: Dictionary = {}) -> Player:
	var player := Player.new()
	player.position = place
	for property: StringName in properties:
		player.set(property, properties[property])
	return add(player)


func block(place: Vector2, size: Vector2, turn: float = 0.0) -> StaticBody2D:
	var body := StaticBody2D.new()
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	shape.shape.size = size
	body.add_child(shape)
	body.position = place
	body.rotation = turn
	return add(body)


## There is a step of the world from the first tick on.
func before_each() -> void:
	add(make_rope({position = Vector2(-5000, 0)}))
	await ticks(2)


## A rope from its node to a player.
func tie(player: Node2D, properties: Dictionary = {}) -> VerletRope2D:
	var rope := make_rope(properties)
	add(rope)
	rope.attach_end(player)
	return rope


func watch(rope: VerletRope2D, player: Node2D, anchor: Node2D = null) -> Watch:
	var watcher := Watch.new()
	watcher.rope = rope
	watcher.player = player
	watcher.anchor = anchor if anchor else rope as Node2D
	return add(watcher)


func at(degrees: float, length: float = 200.0) -> Vector2:
	return Vector2(576, 100) + released_at(degrees, length)


func test_a_player_swings_with_the_period_of_its_length_and_gains_no_energy() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var player := player_at(at(-10))
		var rope := tie(player, {length = 200.0})
		var watcher := watch(rope, player)
		var start := -GRAVITY * player.position.y
		await seconds(8.0)
		var period := (watcher.passes[-1] - watcher.passes[0]) / (watcher.passes.size() - 1) / rate
		var wanted := TAU * sqrt(200.0 / GRAVITY) * 1.0019
		check_near(period / wanted, 1.0, 0.05, "the period at %d ticks" % rate)
		check_lt(watcher.over, OVER, "how far it is at %d ticks" % rate)
		# A tick is half a tick of gravity fast or slow.
		var high := GRAVITY * 200.0 * (1.0 - cos(deg_to_rad(10)))
		check_lt(watcher.energy - start, 0.06 * high * 60.0 / rate, "energy at %d ticks" % rate)
		player.free()
		rope.free()
		watcher.free()


func test_a_wide_swing_neither_dies_nor_grows() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var player := player_at(at(-80))
		var rope := tie(player, {length = 200.0})
		var watcher := watch(rope, player)
		var highest: Array[float] = []
		for i in 10:
			var top := INF
			for j in rate:
				await ticks(1)
				top = minf(top, player.position.y)
			highest.append(top)
		var start := at(-80).y
		check_lt(watcher.over, OVER, "how far it is at %d ticks" % rate)
		check_gt(highest.min(), start - 2.0, "it comes no higher at %d ticks" % rate)
		check_lt(highest[-1], start + 20.0, "it still swings at %d ticks" % rate)
		player.free()
		rope.free()
		watcher.free()


func test_a_fall_is_stopped_at_the_length() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var player := player_at(Vector2(586, 100))
		var rope := tie(player, {length = 300.0})
		var watcher := watch(rope, player)
		await seconds(6.0)
		check_lt(watcher.over, OVER, "how far it is at %d ticks" % rate)
		check_near(player.position.y, 400.0, 1.0, "it hangs")
		player.free()
		rope.free()
		watcher.free()


func test_what_hangs_pulls_with_its_weight_and_lets_the_rope_sleep() -> void:
	await set_ticks_per_second(60)
	var player := player_at(Vector2(576, 290))
	var rope := tie(player, {length = 200.0})
	await seconds(3.0)
	var force := rope.get_end_force(1)
	check_near(force.length() / (WEIGHT * GRAVITY), 1.0, 0.05, "the force")
	check_lt(force.normalized().distance_to(Vector2.UP), 0.01, "it points into the rope")
	check_true(rope.sleeping, "the rope sleeps")
	check_lt(player.velocity.length(), 1.0, "it is still")
	player.velocity = Vector2(100, 0)
	await ticks(WAKES_WITHIN)
	check_true(not rope.sleeping, "it wakes")
	check_eq(
		rope.get_end_force(0).length() > 0.0, true, "its start is pulled by the rope's own weight"
	)


func test_a_winch_pulls_a_player_up_and_lets_it_down_smoothly() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var player := player_at(Vector2(576, 400))
		var rope := tie(player, {length = 300.0})
		var watcher := watch(rope, player)
		await seconds(0.5)
		for speed: float in [-150.0, 150.0, -300.0, 300.0]:
			var fastest := 0.0
			for i in rate:
				rope.length += speed * 0.8 / rate
				await ticks(1)
				fastest = maxf(fastest, player.velocity.length())
			check_lt(
				fastest,
				maxf(1.6 * speed, 0.0) + 2.0 * GRAVITY / rate,
				"its velocity at %d ticks" % rate
			)
			check_near(
				player.position.y - 100.0, rope.length, OVER, "where it hangs at %d ticks" % rate
			)
		check_lt(watcher.over, OVER, "how far it was")
		await seconds(1.0)
		check_near(player.velocity.length(), 0.0, 1.0, "it does not fly on")
		player.free()
		rope.free()
		watcher.free()


func test_a_moving_anchor_takes_the_player_along() -> void:
	for kind: int in 4:
		await set_ticks_per_second(60)
		var anchor: Node2D
		if kind == 0:
			anchor = Node2D.new()
		elif kind == 1:
			anchor = AnimatableBody2D.new()
			anchor.sync_to_physics = false
		elif kind == 2:
			anchor = RigidBody2D.new()
			anchor.freeze = true
		else:
			anchor = Node2D.new()
		anchor.position = Vector2(576, 100)
		add(anchor)
		var player := player_at(Vector2(576, 300))
		var rope: VerletRope2D
		if kind == 3:
			rope = tie(player, {length = 200.0, position = Vector2.ZERO})
			rope.reparent(anchor, false)
		else:
			rope = tie(player, {length = 200.0})
			rope.attach_start(anchor)
		var mover := Mover.new()
		mover.target = anchor
		mover.way = Vector2(80, 60)
		mover.rate = 2.0
		await ticks(1)
		add(mover)
		var watcher := watch(rope, player, anchor)
		await seconds(6.0)
		check_lt(watcher.over, OVER, "how far it is from anchor %d" % kind)
		check_lt(watcher.fastest, 1500.0, "how fast it gets")
		for child in get_children():
			child.free()


func test_a_swing_into_a_wall_is_stopped_within_reach() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var wall := block(Vector2(640, 300), Vector2(40, 300))
		var player := player_at(at(80))
		player.position.x = 576.0 - 200.0 * sin(deg_to_rad(80))
		var rope := tie(player, {length = 200.0, collision_mask = 0})
		var watcher := watch(rope, player)
		var start := -GRAVITY * player.position.y
		await seconds(5.0)
		check_lt(watcher.over, OVER, "how far it is at %d ticks" % rate)
		check_lt(watcher.energy - start, 0.06 * GRAVITY * 200.0 * 60.0 / rate, "energy")
		check_lt(player.position.x, 611.0, "it is before the wall")
		check_lt(watcher.fastest, 700.0, "its velocity")
		wall.free()
		player.free()
		rope.free()
		watcher.free()


func test_either_end_and_offsets_hold() -> void:
	await set_ticks_per_second(60)
	for end: int in 2:
		var player := player_at(Vector2(700, 120))
		var rope := make_rope({length = 150.0, start_pinned = false})
		add(rope)
		var hook: Node2D = add(Node2D.new())
		hook.position = Vector2(576, 100)
		var grip := Vector2(5, -10)
		if end == 0:
			rope.attach_start(player, grip)
			rope.attach_end(hook)
		else:
			rope.attach_start(hook)
			rope.attach_end(player, grip)
		var watcher := watch(rope, player, hook)
		watcher.offset = grip
		await seconds(3.0)
		check_lt(watcher.over, OVER, "how far its hand is at end %d" % end)
		check_gt(watcher.over, -1.0, "it is taut")
		check_gt(rope.get_end_force(end).length(), 1000.0, "it pulls")
		for child in get_children():
			child.free()


func test_a_pin_and_a_hand_below_the_player_hold_it_too() -> void:
	await set_ticks_per_second(60)
	var player := player_at(Vector2(576, 200))
	var hand := Node2D.new()
	hand.position = Vector2(8, 0)
	player.add_child(hand)
	var rope: VerletRope2D = add(make_rope({length = 200.0}))
	await ticks(2)
	var last := rope.get_point_count() - 1
	rope.set_point_pinned(last, true, String(rope.get_path_to(hand)))
	rope.set_pin_position(last, hand.global_position)
	var watcher := watch(rope, hand)
	await seconds(2.0)
	check_lt(watcher.over, OVER, "how far the hand is")
	check_near(hand.global_position.distance_to(rope.position), 200.0, 1.0, "it hangs")
	rope.set_point_pinned(last, false)
	await seconds(0.5)
	check_gt(hand.global_position.distance_to(rope.position), 250.0, "let go it falls")


func test_hold_characters_off_lets_go() -> void:
	await set_ticks_per_second(60)
	var player := player_at(Vector2(576, 290))
	var rope := tie(player, {length = 200.0, hold_characters = false})
	await seconds(0.5)
	check_gt(player.position.y, 350.0, "it falls")
	rope.hold_characters = true
	await ticks(2)
	check_near(player.position.y, 300.0, OVER, "it is held")
	rope.hold_characters = false
	await seconds(0.5)
	check_gt(player.position.y, 350.0, "it falls again")


func test_a_walker_is_stopped_on_the_floor_without_jitter() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		for hook: Vector2 in [Vector2(576, 290), Vector2(576, 200), Vector2(576, 110)]:
			var ground := block(Vector2(576, 320), Vector2(2000, 40))
			var player := player_at(Vector2(576, 289.9), {walk = 200.0})
			var rope := tie(player, {length = 200.0, position = hook})
			await seconds(2.0)
			var near := player.position
			var moved := 0.0
			player.on_floor = 0
			player.count = 0
			for i in rate:
				await ticks(1)
				moved = maxf(moved, player.position.distance_to(near))
			check_near(player.position.distance_to(hook), 200.0, OVER, "where it is stopped")
			check_lt(moved, 0.1, "jitter")
			check_ge(player.on_floor, player.count - 1, "it stays on the floor")
			check_lt(absf(player.velocity.x), 1.0, "its velocity")
			player.walk = -200.0
			await seconds(0.25)
			check_lt(player.position.x, near.x - 30.0, "it can walk back")
			ground.free()
			player.free()
			rope.free()


func test_a_walker_is_stopped_on_a_slope() -> void:
	await set_ticks_per_second(60)
	for degrees: float in [-20.0, 20.0]:
		var ground := block(Vector2(576, 400), Vector2(2000, 40), deg_to_rad(degrees))
		var up := Vector2.UP.rotated(deg_to_rad(degrees))
		var hook := Vector2(576, 400) + up * 30.0
		var player := player_at(hook + up * 10.0 + up.orthogonal() * 5.0, {walk = 150.0})
		var rope := tie(player, {length = 180.0, position = hook + up * 40.0})
		var watcher := watch(rope, player)
		await seconds(3.0)
		var near := player.position
		var moved := 0.0
		player.on_floor = 0
		player.count = 0
		for i in 60:
			await ticks(1)
			moved = maxf(moved, player.position.distance_to(near))
		check_lt(watcher.over, OVER, "how far")
		check_gt(player.position.distance_to(rope.position), 178.0, "it is at the end of the rope")
		check_lt(moved, 0.5, "jitter at %f" % degrees)
		check_ge(player.on_floor, 58, "it stays on the floor")
		ground.free()
		player.free()
		rope.free()
		watcher.free()


func test_two_players_stop_each_other() -> void:
	await set_ticks_per_second(60)
	block(Vector2(576, 420), Vector2(3000, 40))
	var one := player_at(Vector2(500, 389.9), {walk = -200.0})
	var other := player_at(Vector2(600, 389.9), {walk = 200.0})
	var rope: VerletRope2D = add(make_rope({length = 200.0}))
	rope.attach_start(one)
	rope.attach_end(other)
	var watcher := watch(rope, other, one)
	await seconds(3.0)
	check_lt(watcher.over, OVER, "how far they are apart")
	check_near(
		(one.position.x + other.position.x) / 2.0, 550.0, 3.0, "they stop each other in the middle"
	)
	check_ge(one.on_floor, one.count - 3, "on the floor")
	# The stronger pulls the other along; against a wall it cannot.
	one.walk = NAN
	one.velocity = Vector2.ZERO
	await seconds(1.0)
	check_gt(one.position.x, 470.0, "one is dragged")
	block(Vector2(one.position.x + 30.0, 380), Vector2(20, 60))
	await seconds(2.0)
	check_lt(watcher.over, OVER, "how far they are apart at a wall")
	var at_wall := other.position.x
	await seconds(1.0)
	check_near(other.position.x, at_wall, 0.5, "the other is stopped by the wall")


func test_a_player_hangs_from_another_that_stands_against_a_wall() -> void:
	await set_ticks_per_second(60)
	# A ledge whose edge is the corner of the rope.
	block(Vector2(400, 320), Vector2(400, 40))
	block(Vector2(590, 290), Vector2(20, 20))
	var one := player_at(Vector2(560, 289.9))
	var other := player_at(Vector2(640, 330))
	var rope: VerletRope2D = add(make_rope({length = 150.0}))
	rope.attach_start(one)
	rope.attach_end(other)
	for i in 300:
		await ticks(1)
		other.velocity *= 0.98
	check_near(one.position.y, 289.9, 1.0, "one stands")
	check_lt(other.velocity.length(), 40.0, "the other hangs")
	check_lt(rope.get_current_length(), 155.0, "they are tied")
	check_near(rope.get_end_force(1).length() / (WEIGHT * GRAVITY), 1.0, 0.15, "its weight")


func test_a_rope_around_a_corner_is_shorter() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var beam := block(Vector2(650, 140), Vector2(100, 20))
		# The hook is above the beam; the player falls beside it.
		var player := player_at(Vector2(740, 110))
		var rope := tie(player, {length = 300.0})
		await seconds(4.0)
		var longest := 0.0
		for i in 2 * rate:
			await ticks(1)
			longest = maxf(longest, rope.get_current_length())
		check_lt(longest, 303.0, "the rope around the corner at %d ticks" % rate)
		check_gt(longest, 299.0, "it is taut")
		beam.free()
		player.free()
		rope.free()


func test_limit_velocity_keeps_anything_within_reach() -> void:
	for rate: int in [30, 60, 120]:
		await set_ticks_per_second(rate)
		var player := player_at(at(-60))
		var rope := tie(player, {length = 200.0, hold_characters = false})
		player.limiter = rope
		var watcher := watch(rope, player)
		var start := -GRAVITY * player.position.y
		var top := INF
		for i in 6 * rate:
			await ticks(1)
			if i > 5 * rate:
				top = minf(top, player.position.y)
		check_lt(watcher.over, OVER, "how far it is at %d ticks" % rate)
		check_lt(watcher.energy - start, 0.05 * GRAVITY * 100.0 * 60.0 / rate, "energy")
		player.free()
		rope.free()
		watcher.free()
	var node: Node2D = add(Node2D.new())
	node.position = Vector2(576, 250)
	var rope := tie(node, {length = 200.0})
	await ticks(2)
	var way := rope.limit_velocity(1, Vector2(0, 600), 0.5) * 0.5
	check_lt((node.position + way).distance_to(rope.position), 200.1, "a plain node")
	check_eq(
		rope.limit_velocity(1, Vector2(30, 20), 0.5), Vector2(30, 20), "what stays within reach"
	)


func test_bad_arguments_change_nothing_and_say_so() -> void:
	await set_ticks_per_second(60)
	var rope := await hang()
	expect_error("limit_velocity(): end 2 is neither 0, the start, nor 1, the end")
	check_eq(rope.limit_velocity(2, Vector2.ONE, 0.1), Vector2.ONE, "the velocity")
	expect_error("limit_velocity(): delta 0")
	check_eq(rope.limit_velocity(1, Vector2.ONE, 0.0), Vector2.ONE, "the velocity")
	expect_error("limit_velocity(): delta NaN")
	check_eq(rope.limit_velocity(1, Vector2.ONE, NAN), Vector2.ONE, "the velocity")
	expect_error("limit_velocity(): velocity")
	check_true(not rope.limit_velocity(1, Vector2(NAN, 0), 0.1).is_finite(), "the velocity")
	expect_error("get_end_force(): end -1")
	check_eq(rope.get_end_force(-1), Vector2.ZERO, "no force")


func test_a_freed_player_lets_go_and_a_new_one_holds() -> void:
	await set_ticks_per_second(60)
	var player := player_at(Vector2(576, 290))
	var rope := tie(player, {length = 200.0})
	await seconds(0.5)
	player.free()
	await seconds(0.5)
	check_true(not rope.is_point_pinned(rope.get_point_count() - 1), "let go")
	player = player_at(Vector2(576, 290))
	rope.attach_end(player)
	await seconds(0.5)
	check_near(player.position.y, 300.0, OVER, "it is held")


func test_hostile_ties_do_no_harm() -> void:
	await set_ticks_per_second(60)
	# Both ends on the same character.
	var player := player_at(Vector2(576, 100))
	var loop: VerletRope2D = add(make_rope({length = 50.0}))
	loop.attach_start(player, Vector2(-60, 0))
	loop.attach_end(player, Vector2(60, 0))
	# The rope is below the character, whose other end its own node holds.
	var below := player_at(Vector2(300, 100))
	var tail := make_rope({length = 30.0, position = Vector2(0, 100)})
	below.add_child(tail)
	tail.attach_end(below)
	# A rope to itself, and to a rope.
	var knot: VerletRope2D = add(make_rope({length = 50.0}))
	expect_error("node is this rope or above it", 0)
	# No number, no gravity, no time.
	var lost := player_at(Vector2(800, 100), {gravity = 0.0})
	var held := tie(lost, {length = 100.0, position = Vector2(800, 100)})
	lost.set_physics_process(false)
	lost.velocity = Vector2(NAN, INF)
	await seconds(1.0)
	check_gt(player.position.y, 400.0, "what holds itself falls")
	check_gt(below.position.y, 400.0, "so does what carries its rope")
	check_eq(lost.position, Vector2(800, 100), "it stays")
	lost.position = Vector2(1000, 100)
	await ticks(2)
	check_near(lost.position.x, 900.0, OVER, "it is taken back")
	check_true(held.get_end_force(1).is_finite(), "the force is finite")
	check_true(knot.get_end_force(1).is_finite(), "any force is finite")
	lost.velocity = Vector2(100, 0)
	lost.process_mode = Node.PROCESS_MODE_DISABLED
	lost.position = Vector2(950, 100)
	await ticks(3)
	check_eq(lost.position.x, 950.0, "one that is disabled is left alone")
	held.process_mode = Node.PROCESS_MODE_DISABLED
	lost.process_mode = Node.PROCESS_MODE_INHERIT
	await ticks(3)
	check_eq(lost.position.x, 950.0, "a rope that is disabled holds nobody")
	held.process_mode = Node.PROCESS_MODE_INHERIT
	await ticks(3)
	check_near(lost.position.x, 900.0, OVER, "it goes on")


func test_a_player_hangs_on_a_crate_and_pulls_it() -> void:
	await set_ticks_per_second(60)
	for mass: float in [5.0, 50.0, 500.0]:
		block(Vector2(300, 320), Vector2(600, 40))
		var crate := RigidBody2D.new()
		var form := CollisionShape2D.new()
		form.shape = RectangleShape2D.new()
		form.shape.size = Vector2(40, 40)
		crate.add_child(form)
		crate.mass = mass
		crate.position = Vector2(560, 279.9)
		add(crate)
		var player := player_at(Vector2(640, 290))
		var rope := add(make_rope({length = 120.0, mass = 0.1})) as VerletRope2D
		await ticks(2)
		rope.attach_start(crate)
		rope.attach_end(player)
		var watcher := watch(rope, player, crate)
		await seconds(1.5)
		if mass > 400.0:
			check_lt(rope.get_current_length(), 121.0, "a heavy crate holds")
			check_lt(absf(crate.position.y - 279.9), 1.0, "it stays on the ledge")
		elif mass < 10.0:
			check_gt(
				crate.position.distance_to(Vector2(560, 279.9)), 20.0, "a light crate is dragged"
			)
		check_lt(watcher.fastest, 2500.0, "nothing flies")
		for child in get_children():
			child.free()
		await ticks(2)


func test_a_player_and_a_crate_in_space_keep_their_momentum() -> void:
	await set_ticks_per_second(60)
	for mass: float in [5.0, 50.0, 500.0]:
		var crate := RigidBody2D.new()
		var form := CollisionShape2D.new()
		form.shape = RectangleShape2D.new()
		crate.add_child(form)
		crate.mass = mass
		crate.gravity_scale = 0.0
		crate.linear_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
		crate.position = Vector2(560, 280)
		add(crate)
		var player := player_at(Vector2(640, 280), {gravity = 0.0})
		var rope := (
			add(make_rope({length = 120.0, mass = 0.01, gravity_scale = 0.0})) as VerletRope2D
		)
		await ticks(2)
		rope.attach_start(crate)
		rope.attach_end(player)
		player.velocity = Vector2(300, 0)
		await seconds(1.0)
		var momentum := mass * crate.linear_velocity.x + WEIGHT * player.velocity.x
		check_near(momentum / (300.0 * WEIGHT), 1.0, 0.05, "momentum with %d kg" % mass)
		check_near(
			player.velocity.x,
			300.0 * WEIGHT / (mass + WEIGHT),
			15.0,
			"both move on with %d kg" % mass
		)
		for child in get_children():
			child.free()
		await ticks(2)


func test_an_anchor_that_jumps_throws_nobody() -> void:
	await set_ticks_per_second(60)
	var player := player_at(Vector2(576, 290))
	var rope := tie(player, {length = 200.0})
	var watcher := watch(rope, player)
	await seconds(0.5)
	for i in 3:
		rope.position.x += 150.0
		await seconds(0.3)
	var hook: Node2D = add(Node2D.new())
	hook.position = rope.position + Vector2(200, -100)
	watcher.anchor = hook
	rope.attach_start(hook)
	await seconds(0.3)
	rope.process_mode = Node.PROCESS_MODE_DISABLED
	hook.position.x -= 250.0
	await ticks(5)
	rope.process_mode = Node.PROCESS_MODE_INHERIT
	await seconds(1.0)
	check_lt(watcher.fastest, 1200.0, "its velocity")
	check_lt(player.position.distance_to(hook.position), 200.0 + OVER, "it is held")


func test_a_pause_holds_all() -> void:
	await set_ticks_per_second(60)
	var player := player_at(at(-60))
	var rope := tie(player, {length = 200.0})
	await seconds(0.4)
	var here := player.position
	var velocity := player.velocity
	get_tree().paused = true
	await seconds(0.5)
	check_eq(player.position, here, "it stands")
	check_eq(player.velocity, velocity, "its velocity")
	get_tree().paused = false
	await seconds(0.5)
	check_lt(player.position.distance_to(rope.position), 200.0 + OVER, "it swings on")


func test_a_player_on_two_ropes_and_a_chain_of_players() -> void:
	await set_ticks_per_second(60)
	var player := player_at(Vector2(576, 150))
	var left := tie(player, {length = 200.0, position = Vector2(476, 100)})
	var right := tie(player, {length = 200.0, position = Vector2(676, 100)})
	var ends := [watch(left, player), watch(right, player)]
	await seconds(3.0)
	for watcher: Watch in ends:
		check_lt(watcher.over, OVER, "how far it is")
	check_near(player.position.x, 576.0, 2.0, "it hangs between them")
	var above := player
	var watchers: Array[Watch] = []
	for i in 3:
		var next := player_at(above.position + Vector2(0, 40))
		var rope: VerletRope2D = add(make_rope({length = 60.0}))
		rope.attach_start(above)
		rope.attach_end(next)
		watchers.append(watch(rope, next, above))
		above = next
	await seconds(4.0)
	for watcher in watchers:
		check_lt(watcher.over, 3.0, "a chain of players")
