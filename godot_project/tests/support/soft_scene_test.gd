extends "res://tests/support/soft_test.gd"
## The base of the tests of soft bodies in scenes: what is solid in them, and what is measured.

const Solids := preload("res://tests/support/solids.gd")
const Contact := preload("res://tests/support/contact_test.gd")

## How deep anything may be in anything, in px: a point or an edge of a body in a shape, or a corner
## of a shape in a body.
const DEEPEST_PX := 2.0
## How far a body's area may be from that at rest, and its points from its shape, root mean square,
## as a part of its size.
const AREA_OFF := 0.02
const SHAPE_OFF := 0.05

## Slower than this is rest, in px/s.
const REST_SPEED := 5.0

## The ground's height.
const GROUND := 400.0

## How many ticks a triangle may be inside out.
const MOST_INVERTED := 5


## Measures bodies right after the world's step of each tick.
class Probe:
	extends Node

	var bodies: Array[SoftBody2D] = []
	var solids := Solids.new()
	var pieces: Array[Solids.Piece] = []

	## The deepest that anything was, in px, and the tick and what.
	var depth := 0.0
	var depth_at := ""
	## How near anything was to a shape, in px.
	var nearest := INF
	var broken := false
	var tick := 0

	func _init() -> void:
		process_physics_priority = 2000

	func _physics_process(_delta: float) -> void:
		tick += 1
		solids.refresh()
		for body in bodies:
			_measure(body)

	func _measure(body: SoftBody2D) -> void:
		for point in body.get_points():
			if not point.is_finite():
				broken = true
				return
		var outline := body.get_outline()
		outline.append(outline[0])
		_note(solids.nearest(outline, nearest), "edge")
		for point in body.get_points():
			_note(solids.nearest([point, point], nearest), "point")
		var box := Rect2(outline[0], Vector2.ZERO)
		for point in outline:
			box = box.expand(point)
		for piece in pieces_now():
			if not piece.bounds.intersects(box):
				continue
			for corner in piece.corners:
				if box.has_point(corner) and Geometry2D.is_point_in_polygon(corner, outline):
					_note(
						[-_to_outline(corner, outline) - piece.radius, piece.owner_name], "corner"
					)

	func pieces_now() -> Array[Solids.Piece]:
		var all := pieces.duplicate()
		for carrier in solids._carriers:
			all.append_array(carrier.pieces)
		return all

	func _note(found: Array, what: String) -> void:
		nearest = minf(nearest, found[0])
		if -found[0] > depth:
			depth = -found[0]
			depth_at = "%s, %s, tick %d" % [what, found[1], tick]

	func _to_outline(at: Vector2, outline: PackedVector2Array) -> float:
		var least := INF
		for i in outline.size() - 1:
			var on := Geometry2D.get_closest_point_to_segment(at, outline[i], outline[i + 1])
			least = minf(least, on.distance_to(at))
		return least


## Counts for how many ticks triangles of rectangles are inside out.
class InversionProbe:
	extends Node

	var bodies: Array[SoftBody2D] = []
	## The longest streak of any triangle of each body.
	var longest := PackedInt32Array()

	var _triangles := {}
	var _streaks: Array[PackedInt32Array] = []

	func _init() -> void:
		process_physics_priority = 2000

	func watch(body: SoftBody2D) -> void:
		bodies.append(body)
		longest.append(0)
		var streaks := PackedInt32Array()
		streaks.resize(triangles_of(body.particle_count).size() / 3)
		_streaks.append(streaks)

	func _physics_process(_delta: float) -> void:
		for index in bodies.size():
			var points := bodies[index].get_points()
			var corners := triangles_of(bodies[index].particle_count)
			var streaks := _streaks[index]
			for i in streaks.size():
				var first := points[corners[3 * i]]
				var second := points[corners[3 * i + 1]] - first
				if second.cross(points[corners[3 * i + 2]] - first) < 0.0:
					streaks[i] += 1
					longest[index] = maxi(longest[index], streaks[i])
				else:
					streaks[i] = 0

	## The corners of a rectangle's triangles: its cells are halved one way and the other in turn.
	func triangles_of(count: Vector2i) -> PackedInt32Array:
		if count in _triangles:
			return _triangles[count]
		var corners := PackedInt32Array()
		for y in count.y - 1:
			for x in count.x - 1:
				var here := y * count.x + x
				var right := here + 1
				var below := here + count.x
				var across := below + 1
				if (x + y) % 2 == 0:
					corners.append_array([here, right, across, here, across, below])
				else:
					corners.append_array([here, right, below, right, across, below])
		_triangles[count] = corners
		return corners


# --- Scenes ----------------------------------------------------------------------------------


## A static body with one shape.
func solid(shape: Shape2D, at: Vector2, turned: float = 0.0) -> StaticBody2D:
	var body: StaticBody2D = body_with(StaticBody2D.new(), at, [shape], "Solid")
	body.rotation = turned
	return body


## The ground, with its top at [constant GROUND].
func ground(width: float = 20_000.0) -> StaticBody2D:
	return body_with(
		StaticBody2D.new(), Vector2(576, GROUND + 50), [rectangle(Vector2(width, 100))], "Ground"
	)


## A static body with a polygon.
func polygon(corners: PackedVector2Array, at: Vector2) -> StaticBody2D:
	var body := StaticBody2D.new()
	body.name = "Polygon"
	body.position = at
	var node := CollisionPolygon2D.new()
	node.polygon = corners
	body.add_child(node)
	return add(body)


## Rows of tiles of 32 px: "#" is solid, "/" rises to the right, "\" to the left.
func tiles(rows: PackedStringArray, at: Vector2) -> TileMapLayer:
	var full := full_tile()
	var kinds := "#/\\"
	var map := TileMapLayer.new()
	map.name = "Tiles"
	map.position = at
	var rising := PackedVector2Array([full[1], full[2], full[3]])
	var falling := PackedVector2Array([full[0], full[2], full[3]])
	map.tile_set = tile_set_of([full, rising, falling], [])
	for y in rows.size():
		for x in rows[y].length():
			var index := kinds.find(rows[y][x])
			if index >= 0:
				map.set_cell(Vector2i(x, y), 0, Vector2i(index, 0))
	return add(map)


## Moves a body to and fro along `way` at `speed`, and round.
func drive(body: Node2D, way: Vector2, speed: float, turning: float = 0.0) -> Node:
	var driver := Contact.Driver.new()
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


# --- What is measured ------------------------------------------------------------------------


## Begins to measure all soft bodies of the test in all that is solid in it.
func probe(movers: Array[Node2D] = []) -> Probe:
	var made := Probe.new()
	made.solids.take_in(self, movers)
	for cell: Array in made.solids._still.values():
		for piece: Solids.Piece in cell:
			if piece not in made.pieces:
				made.pieces.append(piece)
	for body: SoftBody2D in find_children("*", "SoftBody2D", true, false):
		made.bodies.append(body)
	return add(made)


## How far its points are from its shape at rest, where that fits best: root mean square, as a part
## of its size; for a rectangle.
func off_shape(body: SoftBody2D) -> float:
	var count := body.particle_count
	var mean := middle(body)
	var squares := 0.0
	var along := 0.0
	var across := 0.0
	for i in body.get_point_count():
		var part := Vector2(i % count.x, i / count.x) / Vector2(count - Vector2i.ONE)
		var rest := (part - Vector2(0.5, 0.5)) * body.size * body.global_scale
		var now := body.get_point_position(i) - mean
		squares += rest.length_squared() + now.length_squared()
		along += rest.dot(now)
		across += rest.cross(now)
	squares -= 2.0 * Vector2(along, across).length()
	return sqrt(maxf(squares, 0.0) / body.get_point_count()) / body.size.length() * sqrt(2.0)


## How fast its fastest point is, in px/s.
func top_speed(body: SoftBody2D) -> float:
	var most := 0.0
	for i in body.get_point_count():
		var speed := body.get_point_velocity(i).length()
		# Written so that NaN counts.
		if not speed <= most:
			most = speed
	return most


## Its box.
func box_of(body: SoftBody2D) -> Rect2:
	var box := Rect2(body.get_point_position(0), Vector2.ZERO)
	for point in body.get_points():
		box = box.expand(point)
	return box


## Fails unless it has its area and its shape, and nothing was deep in anything.
func check_whole(body: SoftBody2D, measured: Probe, what: String) -> void:
	check_sound(body, what)
	var rest := body.size.x * body.size.y * absf(body.global_scale.x * body.global_scale.y)
	check_near(body.get_area() / rest, 1.0, AREA_OFF, what + ": area")
	check_le(off_shape(body), SHAPE_OFF, what + ": off its shape")
	check_true(not measured.broken, what + ": was finite")
	check_le(measured.nearest, DEEPEST_PX, what + ": was touched")
	check_le(measured.depth, DEEPEST_PX, "%s: px deep (%s)" % [what, measured.depth_at])
	var numbers := [what, body.get_area() / rest, off_shape(body), measured.depth]
	note("%s: area %.4f, off shape %.4f, %.2f px deep" % numbers)


## Says a figure, in long runs.
func note(text: String) -> void:
	if thorough:
		print("figure: ", text)
