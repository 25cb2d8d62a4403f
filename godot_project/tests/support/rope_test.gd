extends "res://tests/support/supple_test.gd"
## The base of the tests of [VerletRope2D].

## What an exact rope may differ from its lengths, as a part of them.
const EXACT := 0.001

## Within so many ticks a sleeping rope must be awake again.
const WAKES_WITHIN := 4

## After so many ticks without a body a space's step has gone.
const IDLE_TICKS := 130


## Moves a node to and fro at one place of the tick.
class Mover:
	extends Node
	## When the node is moved.
	enum When { PHYSICS, DEFERRED, PHYSICS_TWEEN, PROCESS, IDLE_TWEEN }

	var target: Node2D
	var when := When.PHYSICS
	var center := Vector2(576, 100)
	var way := Vector2(300, 0)
	## Of the swing, in radians a second.
	var rate := 4.0
	var time := 0.0

	func _ready() -> void:
		if when == When.PHYSICS_TWEEN:
			var tween := create_tween().set_process_mode(Tween.TWEEN_PROCESS_PHYSICS)
			tween.tween_method(move, 0.0, 1000.0, 1000.0)
		elif when == When.IDLE_TWEEN:
			create_tween().tween_method(move, 0.0, 1000.0, 1000.0)

	func _physics_process(delta: float) -> void:
		time += delta
		if when == When.PHYSICS:
			move(time)
		elif when == When.DEFERRED:
			move.call_deferred(time)

	func _process(delta: float) -> void:
		if when == When.PROCESS:
			time += delta
			move(time)

	## Puts the node where it is after so many seconds.
	func move(after: float) -> void:
		target.global_position = center + way * sin(rate * after)


## Everything goes, and the space's step with it, so that no test depends on the one before.
func after_each() -> void:
	for child in get_children():
		child.free()
	if get_tree().current_scene:
		get_tree().current_scene.free()
	restore()
	get_tree().physics_interpolation = false
	await set_ticks_per_second(1000)
	await ticks(IDLE_TICKS)


## A rope with these properties, outside the tree.
func make_rope(properties: Dictionary = {}) -> VerletRope2D:
	var rope := VerletRope2D.new()
	rope.name = "Rope"
	rope.position = Vector2(576, 100)
	for property: StringName in properties:
		rope.set(property, properties[property])
	return rope


## A rope with these properties, hanging in the test's tree and simulated from now on.
func hang(properties: Dictionary = {}) -> VerletRope2D:
	var rope: VerletRope2D = add(make_rope(properties))
	# The space's step enters the tree after its first rope.
	await ticks(2)
	rope.reset()
	return rope


## A rope that has come to rest and fallen asleep.
func hang_asleep(properties: Dictionary = {}) -> VerletRope2D:
	var rope := await hang(properties)
	await until_asleep([rope])
	check_true(rope.sleeping, "asleep at the start")
	return rope


## Waits until all of these sleep, at most so many seconds; false if they do not.
func until_asleep(ropes: Array[VerletRope2D], limit: float = 30.0) -> bool:
	for i in roundi(limit * Engine.physics_ticks_per_second):
		if ropes.all(func(rope: VerletRope2D) -> bool: return rope.sleeping):
			return true
		await ticks(1)
	return false


## A local direction, so that the rope is released at this angle from straight down.
func released_at(degrees: float, length: float = 200.0) -> Vector2:
	return Vector2.DOWN.rotated(-deg_to_rad(degrees)) * length


## Global position of the last point.
func tip(rope: VerletRope2D) -> Vector2:
	return rope.get_point_position(rope.get_point_count() - 1)


## By which part of a link's length the worst link differs from it; `scale` is the node's.
func worst_strain(rope: VerletRope2D, scale: float = 1.0) -> float:
	var points := rope.get_points()
	var link := rope.length * scale / (points.size() - 1)
	var worst := 0.0
	for i in points.size() - 1:
		var strain := absf(points[i].distance_to(points[i + 1]) / link - 1.0)
		# Written so that NaN counts.
		if not strain <= worst:
			worst = strain
	return worst


## Speed of the fastest point.
func fastest(rope: VerletRope2D) -> float:
	var speed := 0.0
	for i in rope.get_point_count():
		var own := rope.get_point_velocity(i).length()
		if not own <= speed:
			speed = own
	return speed


## The largest distance between points of the same index.
func largest_distance(one: PackedVector2Array, other: PackedVector2Array) -> float:
	if one.size() != other.size():
		return INF
	var worst := 0.0
	for i in one.size():
		var distance := one[i].distance_to(other[i])
		if not distance <= worst:
			worst = distance
	return worst


## Global points relative to a place.
func relative(points: PackedVector2Array, origin: Vector2) -> PackedVector2Array:
	return Transform2D(0.0, -origin) * points


## Whether every coordinate is a number.
func all_finite(points: PackedVector2Array) -> bool:
	for point in points:
		if not point.is_finite():
			return false
	return true


## Fails unless the rope is whole, is where its node is, and swings when that moves.
func check_works(rope: VerletRope2D, what: String) -> void:
	await ticks(2)
	check_true(all_finite(rope.get_points()), what + ": points are finite")
	var before := tip(rope)
	for i in 10:
		rope.global_position += Vector2(6, 0)
		await ticks(1)
		check_near(rope.get_point_position(0), rope.global_position, 0.001, what + ": start")
	await ticks(20)
	check_true(all_finite(rope.get_points()), what + ": points are finite in motion")
	check_gt(tip(rope).distance_to(before), 5.0, what + ": way of the tip")
	if rope.solver == 0:
		var scale := absf(rope.global_scale.y)
		check_lt(worst_strain(rope, scale), EXACT, what + ": strain")


## Fails unless the rope is awake within a few ticks.
func check_wakes(rope: VerletRope2D, what: String) -> void:
	for i in WAKES_WITHIN:
		if not rope.sleeping:
			break
		await ticks(1)
	check_true(not rope.sleeping, "awake after: " + what)


## Announces an error that names the rope and begins like this.
func expect_rope_error(rope: VerletRope2D, what: String) -> void:
	expect_error('VerletRope2D "%s" (%s): %s' % [rope.name, rope.get_path(), what])


## Sets bad values, a list for each property: one error each; what is no number changes nothing.
func check_refused(rope: VerletRope2D, bad_values: Dictionary) -> void:
	for property: StringName in bad_values:
		var good: Variant = rope.get(property)
		for bad: Variant in bad_values[property]:
			expect_rope_error(rope, "%s: " % property)
			rope.set(property, bad)
			await ticks(1)
			var what := "%s = %s" % [property, bad]
			check_true(all_finite(rope.get_points()), what + ": points are finite")
			if bad is Vector2 or is_nan(bad):
				check_eq(rope.get(property), good, what + ": it stays as it was")
			rope.set(property, good)
	rope.reset()
	await check_works(rope, "afterwards")


## A scene of so many ropes.
func scene_with_ropes(count: int) -> PackedScene:
	var root := Node2D.new()
	for i in count:
		var rope := make_rope({position = Vector2(20 + 10 * i, 50)})
		root.add_child(rope)
		rope.owner = root
	var packed := PackedScene.new()
	packed.pack(root)
	root.free()
	return packed


## A node in the test's tree.
func node_at(position: Vector2, node_name: String = "Node") -> Node2D:
	var node := Node2D.new()
	node.name = node_name
	node.position = position
	return add(node)


## Direction of a link, towards the end.
func link_direction(rope: VerletRope2D, link: int) -> Vector2:
	return rope.get_point_position(link).direction_to(rope.get_point_position(link + 1))


## How far the place `offset` of a carried node is from the end (1) or start (0) of the rope.
func carried_distance(
	rope: VerletRope2D, node: Node2D, offset: Vector2 = Vector2.ZERO, end: int = 1
) -> float:
	var point := rope.get_point_position(rope.get_point_count() - 1 if end else 0)
	return node.to_global(offset).distance_to(point)


## Angle between a carried node's downward axis and the rope's direction away from its end.
func carried_turn(rope: VerletRope2D, node: Node2D, end: int = 1) -> float:
	var away := (
		link_direction(rope, rope.get_point_count() - 2) if end else -link_direction(rope, 0)
	)
	return absf(node.global_transform.basis_xform(Vector2.DOWN).angle_to(away))


## Holds when the node is within 0.01 px of the end and turned with it.
func check_carried(
	rope: VerletRope2D, node: Node2D, what: String, offset: Vector2 = Vector2.ZERO, end: int = 1
) -> bool:
	var near := check_le(
		carried_distance(rope, node, offset, end), 0.01, what + ": px from the end"
	)
	return check_le(carried_turn(rope, node, end), 0.002, what + ": turn against the rope") and near


## Counts the emissions of a signal; the arguments of each are kept.
func count_emissions(from: Object, signal_name: StringName) -> Array:
	var calls := []
	var arguments := 0
	for info in from.get_signal_list():
		if info.name == signal_name:
			arguments = info.args.size()
	match arguments:
		0:
			from.connect(signal_name, func() -> void: calls.append([]))
		1:
			from.connect(signal_name, func(one: Variant) -> void: calls.append([one]))
		_:
			from.connect(signal_name, func(a: Variant, b: Variant) -> void: calls.append([a, b]))
	return calls
