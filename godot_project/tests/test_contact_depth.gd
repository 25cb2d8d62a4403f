extends "res://tests/support/contact_test.gd"
## Ropes over corners, walls, notches, tiles and moving bodies: on no tick is one deep in them, nor
## is it stretched.

## Of the world that each test builds.
const MIDDLE := Vector2(576, 300)

## What swings a rope's holder to and fro, in px and px/s: enough to drag the rope over its corner.
const SWING := 80.0
const SWING_SPEED := 90.0

## A load that makes a rope taut, in kg.
const LOAD := 5.0


func time_limit() -> float:
	return 400.0 if thorough else 120.0


func test_a_draped_rope_lies_on_a_box() -> void:
	await _watch_all(_draped_over.bind(rectangle(Vector2(120, 80)), Vector2(0, 40), 0.0))


func test_a_draped_rope_lies_on_an_edge_of_90_degrees() -> void:
	await _watch_all(_draped_over.bind(wedge(90.0, 120.0), Vector2.ZERO, 0.0))


func test_a_draped_rope_lies_on_an_edge_of_30_degrees() -> void:
	await _watch_all(_draped_over.bind(wedge(30.0, 200.0), Vector2.ZERO, 0.0))


func test_a_taut_rope_holds_on_a_box() -> void:
	await _watch_all(_draped_over.bind(rectangle(Vector2(120, 80)), Vector2(0, 40), LOAD))


func test_a_taut_rope_holds_on_an_edge_of_90_degrees() -> void:
	await _watch_all(_draped_over.bind(wedge(90.0, 120.0), Vector2.ZERO, LOAD))


func test_a_taut_rope_holds_on_an_edge_of_30_degrees() -> void:
	await _watch_all(_draped_over.bind(wedge(30.0, 200.0), Vector2.ZERO, LOAD))


func test_a_draped_rope_lies_on_a_wall_of_2_px() -> void:
	await _watch_all(_draped_over.bind(rectangle(Vector2(2, 300)), Vector2(0, 150), 0.0))


func test_a_taut_rope_holds_on_a_wall_of_2_px() -> void:
	await _watch_all(_draped_over.bind(rectangle(Vector2(2, 300)), Vector2(0, 150), LOAD))


func test_a_rope_lies_in_a_notch() -> void:
	await _watch_all(_in_a_notch.bind(0.0))


func test_a_loaded_rope_lies_in_a_notch() -> void:
	await _watch_all(_in_a_notch.bind(LOAD))


func test_ropes_lie_on_a_box_that_spins_with_2_radians_a_second() -> void:
	await _watch_all(_on_a_spinning_box.bind(2.0))


func test_ropes_lie_on_a_box_that_spins_with_6_radians_a_second() -> void:
	await _watch_all(_on_a_spinning_box.bind(6.0))


func test_ropes_lie_on_a_lift() -> void:
	await _watch_all(_on_a_platform.bind(Vector2(0, -150)))


func test_ropes_lie_on_a_sliding_platform() -> void:
	await _watch_all(_on_a_platform.bind(Vector2(200, 0)))


func test_a_rope_is_dragged_over_tiles() -> void:
	await _watch_all(_over_tiles)


## Builds a world at each tick rate, and watches it. `build` gives back the bodies that move.
func _watch_all(build: Callable) -> void:
	for rate in RATES:
		await set_ticks_per_second(rate)
		var movers: Array[Node2D] = await build.call()
		var measured := probe(movers)
		await seconds(watch_seconds())
		check_contacts(measured, "%d ticks" % rate)
		await clear()


## A rope over the upper edge of a body, which is dragged to and fro over it by its holder.
func _draped_over(shape: Shape2D, offset: Vector2, end_mass: float) -> Array[Node2D]:
	solid(shape, MIDDLE + offset)
	var from := MIDDLE + Vector2(-160, -30)
	var to := MIDDLE + Vector2(140, -30)
	var rope := held(from, to, {can_sleep = false, end_mass = end_mass})
	# With its load it has come down before it is dragged.
	drive(rope, Vector2(-SWING, SWING * 0.5), SWING_SPEED)
	return []


## A loose rope over a notch between two bodies, and one that hangs down into it from above.
func _in_a_notch(end_mass: float) -> Array[Node2D]:
	var left: Array[Vector2] = [Vector2(-150, 0), Vector2(0, 150), Vector2(-150, 150)]
	var right: Array[Vector2] = [Vector2(150, 0), Vector2(150, 150), Vector2(0, 150)]
	solid(convex(left), MIDDLE, "Left")
	solid(convex(right), MIDDLE, "Right")
	var settings := {can_sleep = false}
	loose(MIDDLE + Vector2(-200, -20), MIDDLE + Vector2(220, -20), settings)
	settings.end_mass = end_mass
	var hanging := held(MIDDLE + Vector2(-20, -220), MIDDLE + Vector2(10, 100), settings)
	drive(hanging, Vector2(60, 20), SWING_SPEED)
	return []


## A rope that is held at both ends and hangs over the box, one held at its start, and a loose one.
func _on_a_spinning_box(turning: float) -> Array[Node2D]:
	var box := platform(rectangle(Vector2(80, 80)), MIDDLE, "Box")
	drive(box, Vector2.ZERO, 0.0, turning)
	var above := MIDDLE + Vector2(0, -80)
	# The corners lift it from below.
	var spanned := {length = 310.0, end_pinned = true, can_sleep = false}
	held(above + Vector2(-150, 0), above + Vector2(150, 0), spanned)
	held(above + Vector2(-120, -20), above + Vector2(120, -20), {can_sleep = false})
	loose(above + Vector2(-60, -10), above + Vector2(60, -10), {can_sleep = false})
	return [box]


## A loose rope on a platform that moves with 100 px/s, and one that hangs down to it.
func _on_a_platform(way: Vector2) -> Array[Node2D]:
	var moved := platform(rectangle(Vector2(300, 20)), MIDDLE)
	drive(moved, way, 100.0)
	var above := MIDDLE + Vector2(0, -20)
	loose(above + Vector2(-80, 0), above + Vector2(80, 0), {can_sleep = false})
	held(above + Vector2(20, -180), above + Vector2(260, -180), {can_sleep = false})
	return [moved]


## A long rope whose holder moves to and fro over hills and holes of tiles.
func _over_tiles() -> Array[Node2D]:
	var rows: PackedStringArray = [
		"               #    ",
		"    #         /##   ",
		"   ##\\   /#\\  ###   ",
		"  ####\\ /####   ##  ",
		"####################",
	]
	tile_map(rows, Vector2(200, 300))
	var rope := held(Vector2(260, 250), Vector2(600, 250), {length = 400.0, can_sleep = false})
	drive(rope, Vector2(480, 0), 100.0)
	return []
