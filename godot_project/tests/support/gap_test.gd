extends "res://tests/support/picture_test.gd"
## The base of the tests that look in pictures for gaps between ropes and the nodes at them.
##
## A red rope on a black ground has to meet the middle of the node's green square in every frame.


func mover_text(when: Mover.When, rate: int, interpolated: bool) -> String:
	var names := ["_physics_process", "deferred call", "physics tween", "_process", "tween"]
	return (
		"moved in a %s, %d ticks to 60 frames, interpolation %s" % [names[when], rate, interpolated]
	)


## Moves it horizontally at up to 3000 px/s.
func start_mover(node: Node2D, when: Mover.When) -> Mover:
	var mover := Mover.new()
	mover.target = node
	mover.when = when
	mover.way = Vector2(400, 0)
	mover.rate = 7.5
	if node.get_child_count() and node.get_child(0) is VerletRope2D:
		mover.center -= node.get_child(0).position
	add(mover)
	return mover


## Puts a green square behind the node's own picture.
func add_mark(node: Node2D) -> void:
	var mark := Polygon2D.new()
	mark.polygon = PackedVector2Array(
		[Vector2(-12, -12), Vector2(12, -12), Vector2(12, 12), Vector2(-12, 12)]
	)
	mark.color = GREEN
	mark.show_behind_parent = true
	mark.z_index = -1
	node.add_child(mark)


## Looks at some frames: the rope must begin in the middle of the node's square. Another part of it
## may cross the square only where `may_cross` says so. Gives back the largest gap in px.
func check_gaps(what: String, may_cross: bool = false) -> float:
	await frames(4)
	var places: Array[float] = []
	var largest := 0.0
	for i in 5:
		for frame in 4:
			await RenderingServer.frame_post_draw
		var image := get_viewport().get_texture().get_image()
		var center := find_mark(image)
		if not check_true(center.is_finite(), what + ": the mark is in the picture"):
			image.save_png(pictures_folder.path_join("rope_gap.png"))
			return INF
		places.append(center.x)
		var red := _red_around(image, center)
		var gap := INF
		var middle := Vector2.ZERO
		for pixel in red:
			gap = minf(gap, pixel.length())
			middle += pixel
		var overshoot := 0.0
		for pixel in red:
			overshoot = maxf(overshoot, -pixel.dot(middle.normalized()))
		largest = maxf(largest, gap)
		var good := check_lt(gap, 2.0, "%s: gap at picture %d" % [what, i])
		if not may_cross:
			good = check_lt(overshoot, 12.0, "%s: overshoot at picture %d" % [what, i]) and good
		if not good:
			image.save_png(pictures_folder.path_join("rope_gap.png"))
			return largest
	check_gt(places.max() - places.min(), 60.0, what + ": way of the mark")
	return largest


## The middle of the green square; infinite if there is none.
func find_mark(image: Image) -> Vector2:
	var box := Rect2()
	for y in range(0, image.get_height(), 6):
		for x in range(0, image.get_width(), 6):
			if _is_green(image, x, y):
				for near_y in range(maxi(0, y - 34), mini(image.get_height(), y + 35)):
					for near_x in range(maxi(0, x - 34), mini(image.get_width(), x + 35)):
						if _is_green(image, near_x, near_y):
							var pixel := Rect2(near_x, near_y, 1, 1)
							box = box.merge(pixel) if box.has_area() else pixel
				return box.get_center()
	return Vector2.INF


func _is_green(image: Image, x: int, y: int) -> bool:
	return _distance(image.get_pixel(x, y), GREEN) < 0.3


## Places of the red pixels near there, relative to it.
func _red_around(image: Image, center: Vector2) -> PackedVector2Array:
	var found := PackedVector2Array()
	var size := image.get_size()
	for y in range(maxi(0, int(center.y) - 30), mini(size.y, int(center.y) + 30)):
		for x in range(maxi(0, int(center.x) - 30), mini(size.x, int(center.x) + 30)):
			if _distance(image.get_pixel(x, y), RED) < 0.3:
				found.append(Vector2(x + 0.5, y + 0.5) - center)
	return found
