extends "res://tests/support/rope_test.gd"
## The base of the tests of ropes and solid things: bodies, shapes and tile sets to build with.

const Walker := preload("res://tests/support/walker.gd")

## How deep a rope's surface may be in something, in px.
const DEEPEST := 1.0


## A body with one shape, in the test's tree.
func body_at(
	body: CollisionObject2D, position: Vector2, shape: Shape2D, shape_transform := Transform2D()
) -> CollisionObject2D:
	body.position = position
	add_shape(body, shape, shape_transform)
	return add(body)


## One more shape of a body.
func add_shape(
	body: CollisionObject2D, shape: Shape2D, transform := Transform2D()
) -> CollisionShape2D:
	var node := CollisionShape2D.new()
	node.shape = shape
	node.transform = transform
	body.add_child(node)
	return node


func rectangle(size: Vector2) -> RectangleShape2D:
	var shape := RectangleShape2D.new()
	shape.size = size
	return shape


func circle(radius: float) -> CircleShape2D:
	var shape := CircleShape2D.new()
	shape.radius = radius
	return shape


func segment(from: Vector2, to: Vector2) -> SegmentShape2D:
	var shape := SegmentShape2D.new()
	shape.a = from
	shape.b = to
	return shape


## A body with these shapes, in the test's tree.
func body_with(
	body: CollisionObject2D, at: Vector2, shapes: Array[Shape2D], body_name: String = ""
) -> CollisionObject2D:
	body.position = at
	if body_name:
		body.name = body_name
	for shape in shapes:
		add_shape(body, shape)
	return add(body)


func convex(corners: PackedVector2Array) -> ConvexPolygonShape2D:
	var shape := ConvexPolygonShape2D.new()
	shape.points = corners
	return shape


## Of what a surface is made.
func material(friction: float, bounce: float = 0.0) -> PhysicsMaterial:
	var made := PhysicsMaterial.new()
	made.friction = friction
	made.bounce = bounce
	return made


## The outline of a whole tile of 32 px.
func full_tile() -> PackedVector2Array:
	return [Vector2(-16, -16), Vector2(16, -16), Vector2(16, 16), Vector2(-16, 16)]


## A set of tiles of 32 px with these outlines, one after the other; an empty one is no obstacle.
## `one_way` are the indices of those that are.
func tile_set_of(
	outlines: Array[PackedVector2Array], one_way: Array[int], layer: int = 1
) -> TileSet:
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(32, 32)
	tiles.add_physics_layer()
	tiles.set_physics_layer_collision_layer(0, layer)
	var source := TileSetAtlasSource.new()
	var image := Image.create_empty(32 * outlines.size(), 32, false, Image.FORMAT_RGBA8)
	source.texture = ImageTexture.create_from_image(image)
	source.texture_region_size = Vector2i(32, 32)
	tiles.add_source(source, 0)
	for index in outlines.size():
		source.create_tile(Vector2i(index, 0))
		if outlines[index].is_empty():
			continue
		var data := source.get_tile_data(Vector2i(index, 0), 0)
		data.add_collision_polygon(0)
		data.set_collision_polygon_points(0, 0, outlines[index])
		data.set_collision_polygon_one_way(0, 0, index in one_way)
	return tiles


## A player of 30 x 60 px whose feet are there.
func make_walker(feet: Vector2, box: bool = false) -> Walker:
	var walker: Walker = Walker.new()
	var shape: Shape2D = rectangle(Vector2(30, 60))
	if not box:
		shape = CapsuleShape2D.new()
		shape.radius = 15.0
		shape.height = 60.0
	return body_at(walker, feet - Vector2(0, 30), shape)
