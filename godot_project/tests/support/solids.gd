extends RefCounted
## Measures by brute force how near lines are to the collision shapes below a node.
##
## It knows nothing of the library: shapes are taken from the scene's nodes as they stand. The
## signed distance to a convex piece is a convex function along a line, so its least value is found
## by narrowing. Circles and capsules must be scaled evenly.

## Side of the cells by which pieces that do not move are found, in px.
const CELL := 64.0

## How far from its cell's centre line a piece is found: half of the longest link, and some more.
const MARGIN := 40.0

## How much of an interval is left by each narrowing, and how often it is narrowed.
const GOLDEN := 0.618034
const NARROWINGS := 14

## Whether one-way shapes are measured too.
var with_one_way := false

## Whether rigid bodies are measured, or all others.
var rigid := false

var _still := {}
var _planes: Array[Piece] = []
var _moving: Array[Piece] = []
var _carriers: Array[Carrier] = []
var _none: Array[Piece] = []


## A convex part of a shape, in global px.
class Piece:
	## One of a circle, two of a line, none of a half plane.
	var corners := PackedVector2Array()
	var radius := 0.0
	var normal := Vector2.ZERO
	var offset := 0.0
	var bounds := Rect2()
	var owner_name := ""


## A node with collision shapes, and where it was when its pieces were made.
class Carrier:
	var node: Node2D
	var made_at := Transform2D()
	var pieces: Array[Piece] = []


## Takes in all bodies on layer 1 and tile maps below `root`. Those of `movers` are looked at in
## each tick.
func take_in(root: Node, movers: Array[Node2D] = []) -> void:
	for node in root.find_children("*", "Node2D", true, false):
		var moves := movers.any(func(body: Node2D) -> bool: return body.is_ancestor_of(node))
		if node is TileMapLayer:
			if not rigid:
				_file(_tile_pieces(node))
		elif (node is CollisionShape2D or node is CollisionPolygon2D) and not node.disabled:
			if node.one_way_collision and not with_one_way:
				continue
			if not node.get_parent().collision_layer & 1:
				continue
			if (node.get_parent() is RigidBody2D) != rigid:
				continue
			if moves or rigid:
				var carrier := Carrier.new()
				carrier.node = node
				carrier.made_at = Transform2D(0.0, Vector2.INF)
				_carriers.append(carrier)
			else:
				_file(_node_pieces(node))
	refresh()


## Follows what has moved.
func refresh() -> void:
	var changed := false
	for carrier in _carriers:
		if carrier.node.global_transform != carrier.made_at:
			carrier.made_at = carrier.node.global_transform
			carrier.pieces = _node_pieces(carrier.node)
			changed = true
	if changed:
		_moving.clear()
		for carrier in _carriers:
			_moving.append_array(carrier.pieces)


## The least signed distance of a line of points to a piece, if it is less than `least`; with the
## name of what is nearest: [distance, name].
func nearest(points: PackedVector2Array, least: float) -> Array:
	var found := [least, ""]
	var box := Rect2(points[0], Vector2.ZERO)
	for point in points:
		box = box.expand(point)
	var near_moving := _planes.duplicate()
	for piece in _moving:
		if piece.bounds.grow(MARGIN).intersects(box):
			near_moving.append(piece)
	for i in points.size() - 1:
		var cell := Vector2i((((points[i] + points[i + 1]) * 0.5) / CELL).floor())
		var still: Array[Piece] = _still.get(cell, _none)
		for piece in still:
			_look(piece, points[i], points[i + 1], found)
		for piece in near_moving:
			_look(piece, points[i], points[i + 1], found)
	return found


## Signed distance of a point to a piece: negative inside.
func distance(piece: Piece, point: Vector2) -> float:
	var corners := piece.corners
	var count := corners.size()
	if count == 0:
		return piece.normal.dot(point) - piece.offset
	if count == 1:
		return point.distance_to(corners[0]) - piece.radius
	if count == 2:
		var on_line := Geometry2D.get_closest_point_to_segment(point, corners[0], corners[1])
		return point.distance_to(on_line) - piece.radius
	var outermost := -INF
	var squared := INF
	var from := corners[count - 1]
	for to in corners:
		var edge := to - from
		var away := point - from
		outermost = maxf(outermost, edge.cross(away) / -edge.length())
		var part := clampf(away.dot(edge) / edge.length_squared(), 0.0, 1.0)
		squared = minf(squared, (away - edge * part).length_squared())
		from = to
	return sqrt(squared) if outermost > 0.0 else outermost


func _look(piece: Piece, from: Vector2, to: Vector2, found: Array) -> void:
	var at_from := distance(piece, from)
	var at_to := distance(piece, to)
	var middle := distance(piece, (from + to) * 0.5)
	# Below a convex function's chord, continued, it is nowhere.
	var bound := 2.0 * middle - maxf(at_from, at_to)
	var least: float = found[0]
	if bound >= least:
		return
	var value := minf(minf(at_from, at_to), minf(middle, _least_within(piece, from, to)))
	if value < least:
		found[0] = value
		found[1] = piece.owner_name


func _least_within(piece: Piece, from: Vector2, to: Vector2) -> float:
	var low := 0.0
	var high := 1.0
	var left := 1.0 - GOLDEN
	var right := GOLDEN
	var at_left := distance(piece, from.lerp(to, left))
	var at_right := distance(piece, from.lerp(to, right))
	for i in NARROWINGS:
		if at_left < at_right:
			high = right
			right = left
			at_right = at_left
			left = high - GOLDEN * (high - low)
			at_left = distance(piece, from.lerp(to, left))
		else:
			low = left
			left = right
			at_left = at_right
			right = low + GOLDEN * (high - low)
			at_right = distance(piece, from.lerp(to, right))
	return minf(at_left, at_right)


# --- Pieces ----------------------------------------------------------------------------------


func _file(pieces: Array[Piece]) -> void:
	for piece in pieces:
		if piece.corners.is_empty():
			_planes.append(piece)
			continue
		var box := piece.bounds.grow(MARGIN)
		var first := Vector2i((box.position / CELL).floor())
		var last := Vector2i((box.end / CELL).floor())
		for y in range(first.y, last.y + 1):
			for x in range(first.x, last.x + 1):
				var cell := Vector2i(x, y)
				if cell not in _still:
					var empty: Array[Piece] = []
					_still[cell] = empty
				_still[cell].append(piece)


func _node_pieces(node: Node2D) -> Array[Piece]:
	var pieces: Array[Piece] = []
	if node is CollisionPolygon2D:
		for part in Geometry2D.decompose_polygon_in_convex(node.polygon):
			pieces.append(_polygon(node.global_transform * part))
	else:
		pieces = _shape_pieces(node.shape, node.global_transform)
	for piece in pieces:
		piece.owner_name = str(node.get_parent().name)
	return pieces


func _shape_pieces(shape: Shape2D, at: Transform2D) -> Array[Piece]:
	if shape is WorldBoundaryShape2D:
		var piece := Piece.new()
		piece.normal = at.basis_xform(shape.normal).normalized()
		piece.offset = piece.normal.dot(at * (shape.normal * shape.distance))
		piece.bounds = Rect2(-1e6, -1e6, 2e6, 2e6)
		return [piece]
	if shape is ConcavePolygonShape2D:
		var pieces: Array[Piece] = []
		for i in range(0, shape.segments.size(), 2):
			pieces.append(_polygon(at * shape.segments.slice(i, i + 2)))
		return pieces
	var corners := PackedVector2Array()
	var radius := 0.0
	if shape is CircleShape2D:
		corners = [Vector2.ZERO]
		radius = shape.radius
	elif shape is CapsuleShape2D:
		var half := Vector2(0.0, shape.height * 0.5 - shape.radius)
		corners = [-half, half]
		radius = shape.radius
	elif shape is SegmentShape2D:
		corners = [shape.a, shape.b]
	elif shape is RectangleShape2D:
		var half: Vector2 = shape.size * 0.5
		corners = [-half, Vector2(half.x, -half.y), half, Vector2(-half.x, half.y)]
	elif shape is ConvexPolygonShape2D:
		corners = shape.points
	return [_polygon(at * corners, radius * at.get_scale().x)]


func _tile_pieces(tiles: TileMapLayer) -> Array[Piece]:
	var pieces: Array[Piece] = []
	for cell in tiles.get_used_cells():
		var data := tiles.get_cell_tile_data(cell)
		var at := tiles.global_transform.translated_local(tiles.map_to_local(cell))
		for layer in tiles.tile_set.get_physics_layers_count():
			for polygon in data.get_collision_polygons_count(layer):
				if data.is_collision_polygon_one_way(layer, polygon) and not with_one_way:
					continue
				var corners := data.get_collision_polygon_points(layer, polygon)
				for part in Geometry2D.decompose_polygon_in_convex(corners):
					var piece := _polygon(at * part)
					piece.owner_name = "tile %s" % cell
					pieces.append(piece)
	return pieces


## With corners around which it turns to the right, with y down.
func _polygon(corners: PackedVector2Array, radius: float = 0.0) -> Piece:
	var piece := Piece.new()
	var area := 0.0
	for i in corners.size():
		area += corners[i - 1].cross(corners[i])
	if area < 0.0:
		corners.reverse()
	piece.corners = corners
	piece.radius = radius
	piece.bounds = Rect2(corners[0], Vector2.ZERO)
	for corner in corners:
		piece.bounds = piece.bounds.expand(corner)
	piece.bounds = piece.bounds.grow(radius)
	return piece
