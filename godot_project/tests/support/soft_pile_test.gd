extends "res://tests/support/soft_scene_test.gd"
## The base of the tests of soft bodies among rigid ones and other soft ones. Overlaps are measured
## by brute force, from outlines and the scene's shapes.

const RATES: Array[int] = [30, 60, 120]
const GRAVITY := 980.0

## How far apart the places on an edge are that are looked at, in px.
const SAMPLE := 3.0
## Faster than this, nothing is calm, in px/s.
const FLYING := 3000.0

## The deepest of [method watch], in px, and where.
var deepest := 0.0
var deepest_at := ""


## The rates that are tried: there is time for all in long runs.
func rates() -> Array[int]:
	var usual: Array[int] = [60]
	return RATES if thorough else usual


# --- Scenes ----------------------------------------------------------------------------------


## A rigid body with one shape, and no damping of its own.
func rigid(shape: Shape2D, mass: float, at: Vector2) -> RigidBody2D:
	var body := RigidBody2D.new()
	body.mass = mass
	return body_with(body, at, [shape], "Rigid")


## A square crate.
func crate(mass: float, at: Vector2, side := 60.0) -> RigidBody2D:
	return rigid(rectangle(Vector2.ONE * side), mass, at)


## A body that lies freely in space.
func adrift(body: Node2D) -> void:
	body.gravity_scale = 0.0
	body.linear_damp = 0.0
	if body is RigidBody2D:
		body.linear_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
		body.angular_damp_mode = RigidBody2D.DAMP_MODE_REPLACE
		body.angular_damp = 0.0


## A box that is open at its top, with its floor's top at [constant GROUND].
func box(width: float, height := 1200.0) -> StaticBody2D:
	ground()
	for side: float in [-1.0, 1.0]:
		solid(
			rectangle(Vector2(100, height)),
			Vector2(576 + side * (width * 0.5 + 50), GROUND - height * 0.5)
		)
	return get_child(0)


# --- What is measured ------------------------------------------------------------------------


## All bodies of the test that move by themselves.
func movers() -> Array[Node2D]:
	var all: Array[Node2D] = []
	for node in find_children("*", "Node2D", true, false):
		if (node is SoftBody2D or node is RigidBody2D) and not node.is_queued_for_deletion():
			all.append(node)
	return all


## The outlines of a body, in global px.
func outlines_of(body: Node2D) -> Array[PackedVector2Array]:
	if body is SoftBody2D:
		return [body.get_outline()]
	var all: Array[PackedVector2Array] = []
	for node in body.find_children("*", "CollisionShape2D", true, false):
		var corners := PackedVector2Array()
		if node.shape is RectangleShape2D:
			var half: Vector2 = node.shape.size * 0.5
			corners = [-half, Vector2(half.x, -half.y), half, Vector2(-half.x, half.y)]
		elif node.shape is CircleShape2D:
			for i in 48:
				corners.append(Vector2.from_angle(TAU * i / 48.0) * node.shape.radius)
		all.append(node.global_transform * corners)
	return all


## How deep places on the edges of one outline are in another.
func depth_in(one: PackedVector2Array, other: PackedVector2Array) -> float:
	var bounds := bounds_of(other)
	var most := 0.0
	for i in one.size():
		var from := one[i]
		var to := one[(i + 1) % one.size()]
		if not bounds.intersects(Rect2(from, Vector2.ZERO).expand(to).grow(0.01)):
			continue
		var count := maxi(1, ceili(from.distance_to(to) / SAMPLE))
		for k in count:
			var at := from.lerp(to, float(k) / count)
			if bounds.has_point(at) and Geometry2D.is_point_in_polygon(at, other):
				most = maxf(most, to_outline(at, other))
	return most


func to_outline(at: Vector2, outline: PackedVector2Array) -> float:
	var least := INF
	for i in outline.size():
		var to := outline[(i + 1) % outline.size()]
		var on := Geometry2D.get_closest_point_to_segment(at, outline[i], to)
		least = minf(least, on.distance_to(at))
	return least


func bounds_of(outline: PackedVector2Array) -> Rect2:
	var bounds := Rect2(outline[0], Vector2.ZERO)
	for point in outline:
		bounds = bounds.expand(point)
	return bounds


## How deep two bodies are in each other, in px.
func overlap(one: Node2D, other: Node2D) -> float:
	var most := 0.0
	for first in outlines_of(one):
		for second in outlines_of(other):
			if bounds_of(first).intersects(bounds_of(second)):
				most = maxf(most, maxf(depth_in(first, second), depth_in(second, first)))
	return most


## The deepest overlap of a soft body with any other body of the test, and of any with the ground;
## noted in [member deepest]. Call it at the beginning of a tick.
func look(what := "") -> float:
	var all := movers()
	var most := 0.0
	var text := ""
	var outlines: Array = all.map(outlines_of)
	var bounds: Array[Rect2] = []
	for of_one: Array[PackedVector2Array] in outlines:
		var whole := bounds_of(of_one[0])
		for outline in of_one:
			whole = whole.merge(bounds_of(outline))
		bounds.append(whole)
	for i in all.size():
		for k in i:
			if not (all[i] is SoftBody2D or all[k] is SoftBody2D):
				continue
			if not bounds[i].intersects(bounds[k]):
				continue
			var depth := overlap(all[i], all[k])
			if depth > most:
				most = depth
				text = "%s in %s" % [all[i].name, all[k].name]
	if most > deepest:
		deepest = most
		deepest_at = "%s, %s" % [text, what]
	return most


## Looks in each tick of so many seconds.
func watch(duration: float) -> void:
	for tick in roundi(duration * Engine.physics_ticks_per_second):
		await ticks(1)
		look("tick %d" % tick)


## Waits until all bodies sleep, at most so many seconds. Gives back how many seconds it took, or
## INF.
func until_all_asleep(limit: float) -> float:
	var rate := Engine.physics_ticks_per_second
	for tick in roundi(limit * rate):
		await ticks(1)
		if awake().is_empty():
			return float(tick) / rate
	return INF


## The names of the bodies that do not sleep.
func awake() -> Array:
	return (
		movers()
		. filter(func(b: Node2D) -> bool: return not b.sleeping)
		. map(func(b: Node2D) -> String: return str(b.name))
	)


func speed_of(body: Node2D) -> float:
	return top_speed(body) if body is SoftBody2D else body.linear_velocity.length()


## Fails unless all is finite, slow, and above the ground.
func check_calm(what: String, limit := FLYING, bottom := GROUND) -> void:
	for body in movers():
		var text := "%s: %s" % [what, body.name]
		check_true(body.global_transform.is_finite(), text + " is somewhere")
		check_le(speed_of(body), limit, text + ": speed")
		var lowest := body.global_position.y
		if body is SoftBody2D:
			check_true(all_finite(body.get_points()), text + ": points are finite")
			lowest = box_of(body).end.y
		check_le(lowest, bottom + 2.0, text + ": lowest")


## The sum of mass times velocity.
func momentum(bodies: Array) -> Vector2:
	var sum := Vector2.ZERO
	for body: Node2D in bodies:
		if body is SoftBody2D:
			for i in body.get_point_count():
				sum += body.get_point_velocity(i) * body.mass / body.get_point_count()
		else:
			sum += body.linear_velocity * body.mass
	return sum


## The sum of the turning about the origin.
func angular_momentum(bodies: Array) -> float:
	var sum := 0.0
	for body: Node2D in bodies:
		if body is SoftBody2D:
			var mass: float = body.mass / body.get_point_count()
			for i in body.get_point_count():
				sum += body.get_point_position(i).cross(body.get_point_velocity(i)) * mass
		else:
			var inertia: float = PhysicsServer2D.body_get_param(
				body.get_rid(), PhysicsServer2D.BODY_PARAM_INERTIA
			)
			sum += body.global_position.cross(body.linear_velocity) * body.mass
			sum += inertia * body.angular_velocity
	return sum
