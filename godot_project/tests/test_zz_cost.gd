extends "res://tests/support/soft_presence_test.gd"

var _start := 0
var _sum := 0


func _before() -> void:
	_start = Time.get_ticks_usec()


func _after() -> void:
	_sum += Time.get_ticks_usec() - _start


func test_cost() -> void:
	get_tree().physics_frame.connect(_before)
	for layer: int in [0, 1, 0, 1]:
		var bodies: Array[SoftBody2D] = []
		for i in 200:
			var body: SoftBody2D = add(
				make_soft(
					{
						position = Vector2(150 * (i % 20), 150 * (i / 20)),
						particle_count = Vector2i(10, 10),
						collision_layer = layer,
						gravity_scale = 0.0,
						squash_threshold = 0.0,
						can_sleep = false
					}
				)
			)
			body.linear_velocity = Vector2(100, 0)
			body.angular_velocity = 1.0
			bodies.append(body)
		await ticks(10)
		get_tree().physics_frame.connect(_after)
		_sum = 0
		var start := Time.get_ticks_usec()
		await ticks(120)
		print("layer %d: %.3f ms a tick, %.3f ms the showing" % [layer, (Time.get_ticks_usec() - start) / 120000.0, _sum / 120000.0])
		get_tree().physics_frame.disconnect(_after)
		for body in bodies:
			body.free()
		await ticks(2)
	get_tree().physics_frame.disconnect(_before)
	check_true(true, "done")
