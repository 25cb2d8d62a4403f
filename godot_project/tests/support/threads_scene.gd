extends SceneTree
## A scene of many soft bodies among colliders, run in an engine process of its own by
## tests/test_soft_body_threads.gd: after some ticks it prints what became of the bodies.

const BODIES := 60
const TICKS := 120

var _bodies: Array[SoftBody2D] = []


func _initialize() -> void:
	_build()
	for i in TICKS:
		await physics_frame
	# By hand, so that sums wrap as they do in every process.
	var sum := 0
	for body in _bodies:
		sum = (sum * 31 + body.get_state_hash()) & 0x7FFFFFFFFFFFFFFF
	print("@threads %d" % _workers())
	print("@hash %d" % sum)
	for child in root.get_children():
		child.free()
	quit()


func _build() -> void:
	_static(_rectangle(Vector2(8000, 100)), Vector2(2000, 450), 0.0)
	for i in 24:
		var shape: Shape2D = _rectangle(Vector2(60, 20 + i))
		if i % 3 == 0:
			shape = CircleShape2D.new()
			shape.radius = 15.0 + i
		_static(shape, Vector2(170 * i, 330), 0.2 * i)
	for i in 12:
		var crate := RigidBody2D.new()
		crate.position = Vector2(330 * i + 40, 150)
		_give_shape(crate, _rectangle(Vector2(40, 40)))
		root.add_child(crate)
	for i in BODIES:
		var body := SoftBody2D.new()
		body.source = SoftBody2D.SOURCE_ELLIPSE if i % 3 == 1 else SoftBody2D.SOURCE_RECTANGLE
		body.particle_count = Vector2i(5 + i % 6, 5 + i % 5)
		body.spacing = 10.0
		body.size = Vector2(60 + i % 7 * 10, 60 + i % 4 * 15)
		body.stiffness = 50.0 * (1 + i % 9)
		body.self_collision = i % 2 == 0
		body.can_sleep = i % 5 != 0
		body.position = Vector2(68 * i, 220 - 20 * (i % 3))
		body.rotation = 0.4 * i
		body.linear_velocity = Vector2(20 * (i % 11) - 100, 300)
		root.add_child(body)
		_bodies.append(body)


func _static(shape: Shape2D, at: Vector2, turned: float) -> void:
	var body := StaticBody2D.new()
	body.position = at
	body.rotation = turned
	_give_shape(body, shape)
	root.add_child(body)


func _give_shape(body: CollisionObject2D, shape: Shape2D) -> void:
	var node := CollisionShape2D.new()
	node.shape = shape
	body.add_child(node)


func _rectangle(size: Vector2) -> RectangleShape2D:
	var shape := RectangleShape2D.new()
	shape.size = size
	return shape


## How many threads of the library there are besides the main one, where Linux can tell.
func _workers() -> int:
	var count := 0
	for task in DirAccess.get_directories_at("/proc/self/task"):
		var file := FileAccess.open("/proc/self/task/%s/comm" % task, FileAccess.READ)
		if file and file.get_buffer(64).get_string_from_utf8().begins_with("supple"):
			count += 1
	return count
