extends "res://tests/support/soft_test.gd"
## The source Child Polygon: the outline and the picture of a soft body come from a child.

const SQUARE: PackedVector2Array = [
	Vector2(-60, -40), Vector2(60, -40), Vector2(60, 40), Vector2(-60, 40)
]


## A polygon on a body that is not in the tree yet.
func polygon_on(body: SoftBody2D, properties: Dictionary = {}) -> Polygon2D:
	var child := Polygon2D.new()
	var settings := {polygon = SQUARE, name = "Picture"}
	settings.merge(properties, true)
	for property: String in settings:
		child.set(property, settings[property])
	body.add_child(child)
	return child


func child_soft(properties: Dictionary = {}) -> SoftBody2D:
	var settings := {source = SoftBody2D.SOURCE_CHILD_POLYGON, spacing = 15.0}
	settings.merge(properties, true)
	return make_soft(settings)


func box_of(points: PackedVector2Array) -> Rect2:
	var box := Rect2(points[0], Vector2.ZERO)
	for point in points:
		box = box.expand(point)
	return box


func test_a_polygon_in_its_own_transform_is_the_outline() -> void:
	var body := child_soft({gravity_scale = 0})
	polygon_on(body, {position = Vector2(20, 10), scale = Vector2(2, 1), offset = Vector2(5, 0)})
	add(body)
	await ticks(1)
	var box := box_of(body.get_outline())
	check_near(box.size, Vector2(240, 80), 0.5, "size")
	check_near(body.get_area(), 240.0 * 80.0, 50.0, "area")
	var first := box_of(body.get_points())
	check_near(first.get_center(), Vector2(576 + 30, 310), 0.5, "middle")


func test_a_collision_polygon_gives_the_outline_and_stays_as_it_is() -> void:
	var body := child_soft({gravity_scale = 0})
	var child := CollisionPolygon2D.new()
	child.polygon = SQUARE
	body.add_child(child)
	add(body)
	await ticks(5)
	check_near(box_of(body.get_outline()).size, Vector2(120, 80), 0.5, "size")
	check_eq(child.polygon, SQUARE, "its polygon")


func test_a_polygon_is_deformed_where_the_body_is() -> void:
	body_at(StaticBody2D.new(), Vector2(576, 620), rectangle(Vector2(1000, 40)))
	var body := child_soft()
	var child := polygon_on(body)
	add(body)
	var least := INF
	for i in 120:
		await ticks(1)
		await frames(1)
		var drawn := box_of(child.get_global_transform() * child.polygon)
		var real := box_of(body.get_outline())
		check_near(drawn.get_center(), real.get_center(), 3.0, "middle in tick %d" % i)
		least = minf(least, drawn.size.y)
	check_lt(least, 74.0, "height when it strikes")


func test_what_a_polygon_had_is_back_when_the_body_leaves_or_is_another() -> void:
	var body := child_soft()
	var child := polygon_on(body)
	add(body)
	await ticks(20)
	await frames(1)
	check_true(child.polygon != SQUARE, "deformed while it runs")
	check_eq(child.uv.size(), child.polygon.size(), "uvs")
	remove_child(body)
	check_eq(child.polygon, SQUARE, "outside of the tree")
	check_eq(child.uv.size(), 0, "uvs outside")
	check_eq(child.polygons.size(), 0, "triangles outside")
	var points := body.get_points()
	add_child(body)
	check_eq(body.get_points(), points, "points when it is back")
	await ticks(2)
	await frames(1)
	check_true(child.polygon != SQUARE, "deformed again")
	body.source = SoftBody2D.SOURCE_RECTANGLE
	check_eq(child.polygon, SQUARE, "with another source")
	await frames(2)
	check_eq(child.polygon, SQUARE, "and so it stays")


func test_a_scene_that_is_packed_while_it_runs_has_the_original_polygon() -> void:
	var body := child_soft()
	var child := polygon_on(body)
	child.owner = body
	add(body)
	await ticks(20)
	await frames(1)
	check_true(child.polygon != SQUARE, "deformed while it runs")
	var scene := PackedScene.new()
	check_eq(scene.pack(body), OK, "packed")
	var copy: SoftBody2D = scene.instantiate()
	check_eq((copy.get_node("Picture") as Polygon2D).polygon, SQUARE, "in the scene")
	check_eq((copy.get_node("Picture") as Polygon2D).uv.size(), 0, "uvs in the scene")
	copy.free()
	await frames(2)
	check_true(child.polygon != SQUARE, "deformed on")
	var twin: SoftBody2D = body.duplicate()
	check_eq((twin.get_node("Picture") as Polygon2D).polygon, SQUARE, "in a duplicate")
	twin.free()


func test_inner_vertices_index_lists_and_uvs_are_kept() -> void:
	var body := child_soft({gravity_scale = 0})
	var points := SQUARE.duplicate()
	points.append(Vector2(10, 0))
	var uv := PackedVector2Array()
	for point in points:
		uv.append(point * 2.0)
	var lists := [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]].map(
		func(list: Array) -> PackedInt32Array: return PackedInt32Array(list)
	)
	var child := polygon_on(
		body, {polygon = points, internal_vertex_count = 1, uv = uv, polygons = lists}
	)
	add(body)
	await ticks(2)
	for i in body.get_point_count():
		body.apply_point_impulse(i, Vector2.RIGHT.rotated(i) * 10)
	await ticks(5)
	await frames(1)
	check_eq(child.polygon.size(), 5, "vertices")
	check_true(child.polygon != points, "deformed")
	check_eq(child.uv, uv, "uvs")
	check_eq(child.polygons.size(), 4, "index lists")
	check_near(
		child.get_global_transform() * child.polygon[0], body.get_point_position(0), 2.0, "corner"
	)


func test_a_child_that_comes_goes_and_is_freed() -> void:
	var body := await soft({source = SoftBody2D.SOURCE_CHILD_POLYGON, gravity_scale = 0})
	check_eq(body.get_point_count(), 25, "a rectangle until then")
	var child := polygon_on(body)
	await ticks(2)
	check_near(body.get_area(), 9600.0, 20.0, "area of the child")
	child.free()
	await ticks(2)
	await frames(2)
	check_near(body.get_area(), 9600.0, 20.0, "it keeps its shape")
	var other := polygon_on(
		body, {polygon = PackedVector2Array([Vector2.ZERO, Vector2(50, 0), Vector2(0, 50)])}
	)
	await ticks(2)
	check_near(body.get_area(), 1250.0, 20.0, "area of another")
	body.remove_child(other)
	check_eq(other.polygon.size(), 3, "what is taken away is as it was")
	other.free()
	await frames(2)
	check_sound(body, "without a child")


func test_a_polygon_that_a_script_changes_while_it_runs() -> void:
	var body := child_soft({gravity_scale = 0})
	var child := polygon_on(body)
	add(body)
	await ticks(5)
	await frames(1)
	var larger := SQUARE.duplicate()
	larger[0] = Vector2(-100, -80)
	child.polygon = larger
	body.reset()
	check_eq(child.uv.size(), 0, "uvs of the other polygon")
	await ticks(2)
	check_near(body.get_area(), 9600.0 + 4000.0, 400.0, "area")
	await frames(1)
	body.source = SoftBody2D.SOURCE_RECTANGLE
	check_eq(child.polygon, larger, "and it is kept")


func test_a_polygon_that_is_no_outline_is_told_once() -> void:
	for bad: PackedVector2Array in [
		[Vector2.ZERO, Vector2(NAN, 0), Vector2(0, 50)],
		[Vector2.ZERO, Vector2(50, 50), Vector2(50, 0), Vector2(0, 50)],
		[Vector2.ZERO, Vector2(50, 0)],
		[Vector2.ZERO, Vector2(1e-4, 0), Vector2(0, 1e-4)],
	]:
		var body := await soft({source = SoftBody2D.SOURCE_CHILD_POLYGON, gravity_scale = 0})
		expect_soft_error(body, "source: this outline cannot become a body: ")
		var child := polygon_on(body, {polygon = bad})
		await ticks(3)
		await frames(3)
		check_sound(body, "with %s" % [bad])
		check_eq(var_to_str(child.polygon), var_to_str(bad), "left alone")
		child.polygon = SQUARE
		body.reset()
		await ticks(2)
		check_near(body.get_area(), 9600.0, 20.0, "mended")
		body.free()


func test_a_crossing_polygon_says_where() -> void:
	var body := await soft({gravity_scale = 0})
	body.source = SoftBody2D.SOURCE_POLYGON
	expect_soft_error(
		body,
		"polygon: this outline cannot become a body: the outline crosses or touches itself at (25, 25)"
	)
	body.polygon = PackedVector2Array(
		[Vector2.ZERO, Vector2(50, 50), Vector2(50, 0), Vector2(0, 50)]
	)
	check_near(body.get_area(), 10000.0, 20.0, "it keeps its shape")
	body.polygon = SQUARE
	check_near(body.get_area(), 9600.0, 20.0, "mended")


func test_a_crossing_child_polygon_says_where_on_the_body() -> void:
	var body := await soft({source = SoftBody2D.SOURCE_CHILD_POLYGON, gravity_scale = 0})
	expect_soft_error(
		body,
		"source: this outline cannot become a body: the outline crosses or touches itself at (70, 35)"
	)
	var crossing: PackedVector2Array = [
		Vector2.ZERO, Vector2(50, 50), Vector2(50, 0), Vector2(0, 50)
	]
	polygon_on(body, {polygon = crossing, position = Vector2(20, 10), scale = Vector2(2, 1)})
	await ticks(2)
	check_near(body.get_area(), 10000.0, 20.0, "it keeps its shape")
