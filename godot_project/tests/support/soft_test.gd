extends "res://tests/support/solid_test.gd"
## The base of the tests of [SoftBody2D].


## A body that is not in the tree yet.
func make_soft(properties: Dictionary = {}) -> SoftBody2D:
	var body := SoftBody2D.new()
	var settings := {position = Vector2(576, 300)}
	settings.merge(properties, true)
	for property: String in settings:
		body.set(property, settings[property])
	return body


## A body in the tree, after its first tick.
func soft(properties: Dictionary = {}) -> SoftBody2D:
	var body: SoftBody2D = add(make_soft(properties))
	await ticks(1)
	return body


## The next error of a body's method or property.
func expect_soft_error(body: SoftBody2D, text: String, count: int = 1) -> void:
	expect_error('SoftBody2D "%s" (%s): %s' % [body.name, body.get_path(), text], count)


## The mean of all points.
func middle(body: SoftBody2D) -> Vector2:
	var sum := Vector2.ZERO
	for point in body.get_points():
		sum += point
	return sum / body.get_point_count()


## The farthest that a point is from where it would be if the body were undeformed on its node; for a rectangle.
func deformation(body: SoftBody2D) -> float:
	var count := body.particle_count
	var farthest := 0.0
	for i in body.get_point_count():
		var part := Vector2(i % count.x, i / count.x) / Vector2(count - Vector2i.ONE)
		var rest := body.global_transform * ((part - Vector2(0.5, 0.5)) * body.size)
		farthest = maxf(farthest, rest.distance_to(body.get_point_position(i)))
	return farthest
