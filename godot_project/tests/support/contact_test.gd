extends "res://tests/support/solid_test.gd"
## The base of the tests of ropes that touch bodies: worlds to build, and what is measured in them.

const Solids := preload("res://tests/support/solids.gd")

## How far a rope's surface is from its middle line: half of the default width.
const RADIUS := 2.0

## How far a link may stretch.
const STRETCH := 0.01

const RATES: Array[int] = [30, 60, 120]

## How long a contact is watched, in s of the world's time: in the release run, and in others.
const LONG := 60.0
const SHORT := 12.0


## Measures ropes right after the world's step of each tick; in rigid bodies when the engine has
## moved these too, at the beginning of the next.
class Probe:
	extends Node

	var ropes: Array[VerletRope2D] = []
	var solids := Solids.new()
	var rigid_solids := Solids.new()

	## The deepest that a rope's surface was in a shape, in px, and the tick, rope and shape.
	var depth := -INF
	var depth_at := ""
	## The part by which a link was too long, and the tick, rope and link.
	var stretch := 0.0
	var stretch_at := ""
	## How fast a load was since the tick [member calm_from], in px/s, and the tick and rope.
	var speed := 0.0
	var speed_at := ""
	var calm_from := 0
	## Whether a point was no number.
	var broken := false
	var tick := 0

	func _init() -> void:
		process_physics_priority = 2000
		rigid_solids.rigid = true

	func _ready() -> void:
		get_tree().physics_frame.connect(_measure_rigid)

	func _measure_rigid() -> void:
		if tick == 0:
			return
		rigid_solids.refresh()
		for rope in ropes:
			_measure_depth(rope, rope.get_points(), rigid_solids)

	func _physics_process(_delta: float) -> void:
		tick += 1
		solids.refresh()
		for rope in ropes:
			var points := rope.get_points()
			_measure_depth(rope, points, solids)
			_measure_stretch(rope, points)
			if rope.end_mass > 0.0 and tick > calm_from:
				var own := rope.get_point_velocity(points.size() - 1).length()
				if own > speed:
					speed = own
					speed_at = "%s, tick %d" % [rope.name, tick]

	func _measure_depth(rope: VerletRope2D, points: PackedVector2Array, among: Solids) -> void:
		var found := among.nearest(points, RADIUS - depth if depth > -INF else INF)
		var nearest: float = found[0]
		if is_finite(nearest) and RADIUS - nearest > depth:
			depth = RADIUS - nearest
			depth_at = "%s in %s, tick %d" % [rope.name, found[1], tick]

	func _measure_stretch(rope: VerletRope2D, points: PackedVector2Array) -> void:
		var link := rope.length / (points.size() - 1)
		for i in points.size() - 1:
			var strain := points[i].distance_to(points[i + 1]) / link - 1.0
			if is_nan(strain):
				broken = true
			elif strain > stretch:
				stretch = strain
				stretch_at = "%s, link %d, tick %d" % [rope.name, i, tick]


## Moves a body in each tick before the world's step: along a way to and fro, and round.
class Driver:
	extends Node

	var body: Node2D
	## From where it stands to the other end of its way.
	var way := Vector2.ZERO
	## In px/s and radians a second.
	var speed := 0.0
	var turning := 0.0
	var time := 0.0

	var _home := Transform2D()

	func _ready() -> void:
		_home = body.global_transform

	func _physics_process(delta: float) -> void:
		time += delta
		var at := Vector2.ZERO
		if way:
			at = way.normalized() * pingpong(time * speed, way.length())
		body.global_transform = Transform2D(
			_home.get_rotation() + turning * time, _home.origin + at
		)


# --- Worlds ----------------------------------------------------------------------------------


## A static body with one shape.
func solid(shape: Shape2D, at: Vector2, body_name: String = "Solid") -> StaticBody2D:
	return body_with(StaticBody2D.new(), at, [shape], body_name)


## An animatable body with one shape.
func platform(shape: Shape2D, at: Vector2, body_name: String = "Platform") -> AnimatableBody2D:
	return body_with(AnimatableBody2D.new(), at, [shape], body_name)


## An upright wedge with its edge on top at the origin.
func wedge(degrees: float, height: float) -> ConvexPolygonShape2D:
	var half := tan(deg_to_rad(degrees * 0.5)) * height
	return convex([Vector2.ZERO, Vector2(half, height), Vector2(-half, height)])


## A layer of square tiles of 32 px, drawn with letters: "#" is solid, "-" one-way along its upper
## edge, "/" rises to the right, "\" to the left.
func tile_map(rows: PackedStringArray, at: Vector2) -> TileMapLayer:
	var full := full_tile()
	var outlines := {
		"#": full,
		"-": PackedVector2Array([full[0], full[1], Vector2(16, -8), Vector2(-16, -8)]),
		"/": PackedVector2Array([full[1], full[2], full[3]]),
		"\\": PackedVector2Array([full[0], full[2], full[3]]),
	}
	var tiles := TileMapLayer.new()
	tiles.name = "Tiles"
	tiles.position = at
	var all: Array[PackedVector2Array] = []
	all.assign(outlines.values())
	tiles.tile_set = tile_set_of(all, [outlines.keys().find("-")])
	for y in rows.size():
		for x in rows[y].length():
			var index := outlines.keys().find(rows[y][x])
			if index >= 0:
				tiles.set_cell(Vector2i(x, y), 0, Vector2i(index, 0))
	add(tiles)
	return tiles


## Moves a body, or what holds a rope, to and fro along `way` at `speed`, and round.
func drive(body: Node2D, way: Vector2, speed: float, turning: float = 0.0) -> Driver:
	var driver := Driver.new()
	driver.body = body
	driver.way = way
	driver.speed = speed
	driver.turning = turning
	return add(driver)


## Frees all that the test has built, for the next case.
func clear() -> void:
	for child in get_children():
		child.free()
	await ticks(2)


# --- Ropes -----------------------------------------------------------------------------------


## A rope laid out straight and held by nothing, in the test's tree. It falls at once.
func loose(from: Vector2, to: Vector2, properties: Dictionary = {}) -> VerletRope2D:
	var settings := {
		position = from,
		end_position = to - from,
		length = from.distance_to(to),
		start_pinned = false,
	}
	return add(make_rope(settings.merged(properties, true)))


## A rope held at its start, laid out towards `to`.
func held(from: Vector2, to: Vector2, properties: Dictionary = {}) -> VerletRope2D:
	return loose(from, to, {start_pinned = true}.merged(properties, true))


## The part of a rope's points that are, in the mean, here.
func center_of(rope: VerletRope2D) -> Vector2:
	var sum := Vector2.ZERO
	var points := rope.get_points()
	for point in points:
		sum += point
	return sum / points.size()


## The mean velocity of its points.
func drift_of(rope: VerletRope2D) -> Vector2:
	var sum := Vector2.ZERO
	for i in rope.get_point_count():
		sum += rope.get_point_velocity(i)
	return sum / rope.get_point_count()


# --- What is measured ------------------------------------------------------------------------


## Begins to measure all ropes of the test in all that is solid in it. `movers` are the bodies that
## move.
func probe(movers: Array[Node2D] = [], with_one_way: bool = false) -> Probe:
	var made := Probe.new()
	made.solids.with_one_way = with_one_way
	made.solids.take_in(self, movers)
	made.rigid_solids.with_one_way = with_one_way
	made.rigid_solids.take_in(self, movers)
	for rope: VerletRope2D in find_children("*", "VerletRope2D", true, false):
		made.ropes.append(rope)
	return add(made)


## How long to watch.
func watch_seconds() -> float:
	return LONG if thorough else SHORT


## Fails unless all was as it should be since the probe began.
func check_contacts(measured: Probe, what: String, deepest: float = DEEPEST) -> void:
	check_true(not measured.broken, what + ": points are finite")
	check_gt(measured.depth, -DEEPEST, what + ": was touched")
	check_le(measured.depth, deepest, "%s: px deep (%s)" % [what, measured.depth_at])
	check_le(measured.stretch, STRETCH, "%s: stretch (%s)" % [what, measured.stretch_at])
