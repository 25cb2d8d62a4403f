extends "res://tests/support/rope_test.gd"
## What cuts a rope by going over it.

const LAYER := 1 << 4


## Moves evenly.
class Blade:
	extends Node
	var target: Node2D
	var velocity := Vector2.ZERO

	func _physics_process(delta: float) -> void:
		if is_instance_valid(target):
			target.position += velocity * delta


## A blade on the layer that cuts, with this shape.
func blade(
	node: CollisionObject2D, shape: Shape2D, place: Vector2, velocity: Vector2 = Vector2.ZERO
) -> Node2D:
	var form := CollisionShape2D.new()
	form.shape = shape
	node.add_child(form)
	node.collision_layer = LAYER
	node.collision_mask = 0
	node.position = place
	if node is AnimatableBody2D:
		node.sync_to_physics = false
	if node is RigidBody2D:
		node.gravity_scale = 0.0
		node.linear_velocity = velocity
	elif velocity != Vector2.ZERO:
		var mover := Blade.new()
		mover.target = node
		mover.velocity = velocity
		add(mover)
	return add(node)


func circle(radius: float = 4.0) -> CircleShape2D:
	var shape := CircleShape2D.new()
	shape.radius = radius
	return shape


func line(from: Vector2, to: Vector2) -> SegmentShape2D:
	var shape := SegmentShape2D.new()
	shape.a = from
	shape.b = to
	return shape


func ropes() -> Array[VerletRope2D]:
	var found: Array[VerletRope2D] = []
	for child in get_children():
		if child is VerletRope2D:
			found.append(child)
	return found


func clear() -> void:
	for child in get_children():
		child.free()
	await ticks(2)


func test_whatever_is_on_the_layer_cuts_once_however_fast() -> void:
	for rate: int in [30, 60]:
		await set_ticks_per_second(rate)
		for speed: float in [60.0, 500.0, 2000.0, 4000.0]:
			for kind: int in 4:
				var rope := await hang({length = 200.0, cut_mask = LAYER, collision_mask = 0})
				var cuts: Array[Node] = []
				rope.split.connect(func(rest: VerletRope2D) -> void: cuts.append(rest))
				var node: CollisionObject2D = (
					[Area2D, AnimatableBody2D, CharacterBody2D, RigidBody2D][kind].new()
				)
				var shape: Shape2D = circle() if kind % 2 else line(Vector2(-3, 0), Vector2(3, 0))
				blade(node, shape, Vector2(576 - 0.1 * speed, 200), Vector2(speed, 0))
				await seconds(0.3)
				check_eq(
					cuts.size(), 1, "cuts of kind %d at %f px/s, %d ticks" % [kind, speed, rate]
				)
				check_eq(ropes().size(), 2, "ropes")
				if cuts:
					check_near(rope.get_current_length(), 100.0, 12.0, "where it is cut")
				await clear()


func test_a_blade_that_stays_cuts_once_until_it_has_left() -> void:
	await set_ticks_per_second(60)
	var rope := await hang(
		{length = 200.0, cut_mask = LAYER, collision_mask = 0, gravity_scale = 0.0}
	)
	var saw := blade(Area2D.new(), circle(15.0), Vector2(576, 200))
	await seconds(1.0)
	check_eq(ropes().size(), 2, "cut where the saw is")
	saw.position.y += 12.0
	await seconds(0.5)
	saw.position.y -= 12.0
	await seconds(0.5)
	check_eq(ropes().size(), 2, "it is still on it")
	saw.position.x += 100.0
	await ticks(3)
	saw.position = Vector2(576, 150)
	await ticks(3)
	check_eq(ropes().size(), 3, "it has come back")
	check_true(is_instance_valid(rope), "the first part is there")


func test_a_sleeping_rope_is_cut_and_others_cost_and_notice_nothing() -> void:
	await set_ticks_per_second(60)
	var rope := await hang_asleep({length = 200.0, cut_mask = LAYER, linear_damp = 8.0})
	var other: VerletRope2D = add(make_rope({length = 200.0, position = Vector2(600, 100)}))
	await until_asleep([rope, other])
	blade(Area2D.new(), circle(), Vector2(500, 180), Vector2(2000, 0))
	await ticks(6)
	check_eq(ropes().size(), 3, "it is cut")
	check_true(not rope.sleeping, "it wakes")
	check_true(other.sleeping, "one without a mask does not")


func test_a_folded_rope_is_cut_at_each_fold() -> void:
	await set_ticks_per_second(60)
	var rope: VerletRope2D = add(
		make_rope(
			{
				length = 400.0,
				end_position = Vector2(60, 0),
				end_pinned = true,
				cut_mask = LAYER,
				collision_mask = 0
			}
		)
	)
	await seconds(1.0)
	var cuts: Array[VerletRope2D] = []
	rope.split.connect(func(rest: VerletRope2D) -> void: cuts.append(rest))
	blade(Area2D.new(), line(Vector2(-100, 0), Vector2(100, 0)), Vector2(606, 10), Vector2(0, 600))
	await seconds(0.2)
	check_eq(ropes().size(), 3, "three parts")
	check_ge(cuts.size(), 1, "it is told")


func test_holders_riders_exceptions_and_other_layers_do_not_cut() -> void:
	await set_ticks_per_second(60)
	var hand := AnimatableBody2D.new()
	blade(hand, circle(20.0), Vector2(576, 100))
	var lamp := Area2D.new()
	blade(lamp, circle(20.0), Vector2(576, 300))
	var friend := AnimatableBody2D.new()
	blade(friend, circle(), Vector2(576, 200))
	var stranger: CollisionObject2D = blade(Area2D.new(), circle(), Vector2(576, 250))
	stranger.collision_layer = 2
	var rope := make_rope(
		{length = 200.0, end_mode = VerletRope2D.ATTACH_ROPE_CARRIES_NODE, collision_mask = 0}
	)
	add(rope)
	rope.attach_start(hand)
	rope.attach_end(lamp)
	rope.add_collision_exception_with(friend)
	rope.exclude_attached = false
	rope.cut_mask = LAYER
	await seconds(1.0)
	check_eq(ropes().size(), 1, "nothing cuts it")
	rope.remove_collision_exception_with(friend)
	await ticks(3)
	check_eq(ropes().size(), 2, "no exception any more")


func test_what_the_rope_lies_on_cuts_it_by_touching() -> void:
	await set_ticks_per_second(60)
	var rope := await hang({length = 200.0, cut_mask = LAYER, collision_mask = LAYER})
	var sword := blade(AnimatableBody2D.new(), circle(10.0), Vector2(520, 200), Vector2(200, 0))
	await seconds(0.5)
	check_ge(ropes().size(), 2, "it is cut by what pushes it")
	check_true(is_instance_valid(sword) and is_instance_valid(rope), "both are there")


func test_handlers_may_do_anything() -> void:
	await set_ticks_per_second(60)
	for what: int in 4:
		var rope := await hang({length = 200.0, cut_mask = LAYER, collision_mask = 0})
		var sword := blade(Area2D.new(), circle(), Vector2(480, 180), Vector2(2000, 0))
		blade(Area2D.new(), circle(), Vector2(480, 250), Vector2(2000, 0))
		var act := func(rest: VerletRope2D) -> void:
			if what == 0:
				rest.free()
			elif what == 1:
				rope.queue_free()
			elif what == 2:
				sword.free()
			else:
				rope.cut_mask = 0
				rest.cut(2)
		rope.split.connect(act)
		await seconds(0.3)
		check_le(ropes().size(), 5, "ropes")
		await clear()


func test_paused_and_hostile_blades() -> void:
	await set_ticks_per_second(60)
	var rope := await hang({length = 200.0, cut_mask = 0xffffffff, collision_mask = 0})
	rope.process_mode = Node.PROCESS_MODE_DISABLED
	var saw := blade(Area2D.new(), circle(), Vector2(576, 200))
	await ticks(5)
	check_eq(ropes().size(), 1, "a disabled rope is not cut")
	saw.get_child(0).disabled = true
	await ticks(2)
	rope.process_mode = Node.PROCESS_MODE_INHERIT
	await ticks(5)
	check_eq(ropes().size(), 1, "a disabled shape does not cut")
	saw.get_child(0).set_deferred(&"disabled", false)
	await ticks(3)
	check_eq(ropes().size(), 2, "it cuts")
	# A body of the server alone, and one that is freed while it cuts.
	var server := PhysicsServer2D
	var body := server.body_create()
	var form := server.circle_shape_create()
	server.shape_set_data(form, 5.0)
	server.body_add_shape(body, form)
	server.body_set_mode(body, PhysicsServer2D.BODY_MODE_KINEMATIC)
	server.body_set_state(
		body, PhysicsServer2D.BODY_STATE_TRANSFORM, Transform2D(0, Vector2(576, 140))
	)
	server.body_set_space(body, get_viewport().world_2d.space)
	var area := server.area_create()
	server.area_add_shape(area, form)
	server.area_set_transform(area, Transform2D(0, Vector2(576, 120)))
	server.area_set_space(area, get_viewport().world_2d.space)
	await ticks(5)
	check_eq(ropes().size(), 3, "one of the server cuts too")
	saw.free()
	await ticks(2)
	server.free_rid(body)
	server.free_rid(area)
	server.free_rid(form)
	await ticks(3)
	check_eq(ropes().size(), 3, "no more cuts")


func test_ropes_without_a_mask_ask_nothing() -> void:
	await set_ticks_per_second(60)
	var many: Array[VerletRope2D] = []
	for i in 100:
		many.append(
			add(make_rope({length = 200.0, position = Vector2(10 * i, 100), collision_mask = 0}))
		)
	await ticks(10)
	var before := Time.get_ticks_usec()
	await ticks(30)
	var without := Time.get_ticks_usec() - before
	for rope in many:
		rope.cut_mask = LAYER
	await ticks(10)
	before = Time.get_ticks_usec()
	await ticks(30)
	var with_mask := Time.get_ticks_usec() - before
	check_lt(with_mask, 3.0 * without + 3000.0, "the cost of a mask")
