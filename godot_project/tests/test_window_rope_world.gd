extends "res://tests/support/picture_test.gd"
## The demo `rope_world`, as a player sees it: no rope is drawn inside of what is solid.

const Solids := preload("res://tests/support/solids.gd")

const SCENE := preload("res://demos/rope_world/rope_world.tscn")

## How far a rope's picture may reach into a solid's, in px: what a contact may sink in, and the
## edge of a pixel.
const DEEPEST := 2.0

## What the ropes cover at least, in pixels.
const COVERED := 8000

var _world: Node2D


func time_limit() -> float:
	return 180.0


func before_each() -> void:
	await super()
	_world = add(SCENE.instantiate())
	await frames(2)


func after_each() -> void:
	RenderingServer.render_loop_enabled = true
	await super()


func test_no_rope_is_drawn_in_a_solid() -> void:
	await _run(0.5)
	for second: float in [0.5, 1.0, 2.0, 4.0, 8.0]:
		await _check_picture("rope_world_%.1f" % second)
		await _run(second)


func test_no_rope_that_is_dragged_about_is_drawn_in_a_solid() -> void:
	await _run(2.0)
	var tiles: Node2D = _world.get_node(^"Tiles")
	var rope: VerletRope2D = tiles.get_node(^"Loose")
	var from := rope.get_point_position(rope.get_point_count() - 1)
	await move_mouse(from)
	await press(from)
	for to: Vector2 in [Vector2(-20, -150), Vector2(40, -10), Vector2(190, -60), Vector2(150, 30)]:
		await drag_on(from, tiles.to_global(to), 0.6)
		from = tiles.to_global(to)
		await _check_picture("rope_world_dragged_%d" % to.x)
	await let_go(from)


func test_no_rope_is_drawn_in_a_solid_at_three_times_the_speed() -> void:
	get_tree().set_group(&"machines", &"pace", 3.0)
	for part in 4:
		await _run(1.7)
		await _check_picture("rope_world_fast_%d" % part)


## Lets the world's time pass without drawing it.
func _run(duration: float) -> void:
	RenderingServer.render_loop_enabled = false
	await seconds(duration)
	RenderingServer.render_loop_enabled = true


## What differs between a picture with ropes and one without is where the ropes are.
func _check_picture(picture_name: String) -> void:
	# Until the next tick nothing moves: bodies would be brought to where this one has sent them.
	await get_tree().process_frame
	var ropes := _world.find_children("*", "VerletRope2D", true, false)
	var with_ropes := _drawn_now()
	for rope: VerletRope2D in ropes:
		rope.visible = false
	var without := _drawn_now()
	for rope: VerletRope2D in ropes:
		rope.visible = true
	if pictures_folder:
		check_eq(with_ropes.save_png(pictures_folder.path_join(picture_name + ".png")), OK, "saved")
	var solids := Solids.new()
	solids.take_in(_world)
	var to_world := get_viewport().canvas_transform.affine_inverse()
	var covered := 0
	var inside := 0
	var deepest := 0.0
	var at := ""
	for y in with_ropes.get_height():
		for x in with_ropes.get_width():
			if _distance(with_ropes.get_pixel(x, y), without.get_pixel(x, y)) < 0.1:
				continue
			covered += 1
			var place := to_world * Vector2(x + 0.5, y + 0.5)
			var found := solids.nearest([place, place], -DEEPEST)
			inside += int(found[1] != "")
			if found[0] < -deepest:
				deepest = -found[0]
				at = "%s in %s" % [place, found[1]]
	check_gt(covered, COVERED, picture_name + ": pixels of ropes")
	var text := "%s: pixels of ropes in solids, the deepest %.1f px, at %s"
	check_eq(inside, 0, text % [picture_name, deepest, at])


func _drawn_now() -> Image:
	RenderingServer.force_draw(false)
	return get_viewport().get_texture().get_image()
