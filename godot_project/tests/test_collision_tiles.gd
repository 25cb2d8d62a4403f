extends "res://tests/support/collision_test.gd"
## Tile maps: erased and added tiles, one-way tiles, moved layers.


func test_a_tile_map_holds_a_rope() -> void:
	tile_row(400.0)
	var rope := await loose_rope(340.0)
	check_true(await until_asleep([rope]), "it comes to rest")
	check_lies_on(rope, 400.0, "tiles")


func test_a_rope_falls_where_tiles_are_erased_and_lies_on_added_ones() -> void:
	var map := tile_row(400.0)
	var rope := await loose_rope(340.0)
	check_true(await until_asleep([rope]), "it comes to rest")
	for x in range(8, 30):
		map.erase_cell(Vector2i(x, 0))
		map.set_cell(Vector2i(x, 2), 0, Vector2i(0, 0))
	# The engine updates tile maps at the end of the frame.
	await ticks(1)
	await check_wakes(rope, "tiles erased")
	check_true(await until_asleep([rope]), "it comes to rest again")
	check_lies_on(rope, 464.0, "added tiles")


func test_a_far_tile_erased_wakes_nothing() -> void:
	var map := tile_row(400.0)
	var rope := await loose_rope(340.0)
	check_true(await until_asleep([rope]), "it comes to rest")
	map.erase_cell(Vector2i(29, 0))
	await ticks(2)
	var woken := count_emissions(rope, "sleeping_state_changed")
	map.set_cell(Vector2i(29, 3), 0, Vector2i(0, 0))
	await ticks(20)
	# A quadrant is one body: its rid is another now, once.
	check_le(woken.size(), 2, "changes of sleep")
	check_true(await until_asleep([rope]), "it sleeps")
	check_lies_on(rope, 400.0, "tiles")


func test_a_moved_tile_map_carries_the_rope() -> void:
	var map := tile_row(400.0)
	var rope := await loose_rope(340.0)
	check_true(await until_asleep([rope]), "it comes to rest")
	map.position.y -= 2.0
	await check_wakes(rope, "tile map moved")
	for i in 30:
		map.position.y -= 1.0
		await ticks(1)
		check_le(lowest(rope), map.position.y - 2.0 + DEEPEST, "lowest point at tick %d" % i)
	await seconds(1.0)
	check_lies_on(rope, 368.0, "moved tiles")


func test_a_scaled_tile_map_is_met_where_it_is() -> void:
	var map := tile_row(400.0)
	map.scale = Vector2(1.0, 1.5)
	map.position.y = 350.0
	var rope := await loose_rope(300.0)
	await seconds(1.5)
	check_lies_on(rope, 350.0, "scaled tiles")


func test_one_way_tiles_hold_from_above_and_let_through_from_below() -> void:
	tile_row(400.0, 1)
	var above := await loose_rope(340.0)
	await seconds(1.5)
	check_lies_on(above, 400.0, "one-way tiles from above")
	var below := await loose_rope(500.0, {gravity_scale = -1.0})
	await seconds(1.5)
	check_lt(lowest(below), 380.0, "one-way tiles from below: passed")


func test_solid_tiles_stop_what_rises() -> void:
	tile_row(400.0, 0)
	var below := await loose_rope(500.0, {gravity_scale = -1.0})
	await seconds(1.5)
	check_near(highest(below), 434.0, DEEPEST, "below solid tiles")


func test_one_way_and_solid_tiles_in_one_quadrant_are_told_apart() -> void:
	var map := tile_row(400.0, 0)
	for x in range(8, 30):
		map.set_cell(Vector2i(x, 3), 0, Vector2i(1, 0))
	await ticks(2)
	var on_one_way := await loose_rope(470.0)
	await seconds(1.0)
	check_lies_on(on_one_way, 496.0, "on the one-way row")
	var rising := await loose_rope(560.0, {gravity_scale = -1.0})
	await seconds(1.5)
	# Through the one-way row, up to the solid one.
	check_near(highest(rising), 434.0, DEEPEST, "below the solid row")


func test_neighbours_in_a_row_are_told_apart() -> void:
	var map := tile_row(400.0, 0)
	for x in range(14, 23):
		map.set_cell(Vector2i(x, 0), 0, Vector2i(1, 0))
	await ticks(2)
	var rising := await loose_rope(500.0, {gravity_scale = -1.0})
	await seconds(1.5)
	check_lt(lowest(rising), 380.0, "passed between solid neighbours")
	rising.free()
	var stopped := await loose_rope(500.0, {gravity_scale = -1.0, position = Vector2(730, 500)})
	await seconds(1.5)
	check_gt(highest(stopped), 430.0, "stopped beside")


func test_flipped_and_transposed_one_way_tiles_are_recognised() -> void:
	var map := tile_row(400.0, 2)
	var data: TileData = (map.tile_set.get_source(0) as TileSetAtlasSource).get_tile_data(
		Vector2i(1, 0), 0
	)
	# The upper left half of a tile.
	data.set_collision_polygon_points(
		0, 0, PackedVector2Array([Vector2(-16, -16), Vector2(16, -16), Vector2(-16, 16)])
	)
	var flips := [
		0,
		TileSetAtlasSource.TRANSFORM_FLIP_H,
		TileSetAtlasSource.TRANSFORM_TRANSPOSE,
		TileSetAtlasSource.TRANSFORM_TRANSPOSE | TileSetAtlasSource.TRANSFORM_FLIP_H
	]
	for x in range(8, 30):
		map.set_cell(Vector2i(x, 0), 0, Vector2i(1, 0), flips[x % flips.size()])
	await ticks(2)
	var above := await loose_rope(340.0)
	await seconds(1.5)
	check_lies_on(above, 400.0, "from above")
	var below := await loose_rope(500.0, {gravity_scale = -1.0})
	await seconds(1.5)
	check_lt(lowest(below), 380.0, "from below: passed")


func test_two_physics_layers_of_a_tile_map_are_told_apart() -> void:
	var map := tile_row(400.0, 2)
	map.tile_set.add_physics_layer()
	map.tile_set.set_physics_layer_collision_layer(1, 2)
	var data: TileData = (map.tile_set.get_source(0) as TileSetAtlasSource).get_tile_data(
		Vector2i(2, 0), 0
	)
	data.add_collision_polygon(1)
	data.set_collision_polygon_points(
		1,
		0,
		PackedVector2Array([Vector2(-16, -16), Vector2(16, -16), Vector2(16, 16), Vector2(-16, 16)])
	)
	data.set_collision_polygon_one_way(1, 0, true)
	await ticks(2)
	var one := await loose_rope(340.0)
	var two := await loose_rope(340.0, {collision_mask = 2})
	await seconds(1.5)
	check_gt(highest(one), 450.0, "mask 1 falls through")
	check_lies_on(two, 400.0, "mask 2")


func test_one_way_mask_counts_where_nothing_can_be_read() -> void:
	var map := tile_row(400.0, 0)
	# One-way and solid at the same place: that cannot be told apart.
	var data: TileData = (map.tile_set.get_source(0) as TileSetAtlasSource).get_tile_data(
		Vector2i(0, 0), 0
	)
	data.add_collision_polygon(0)
	data.set_collision_polygon_points(0, 1, data.get_collision_polygon_points(0, 0))
	data.set_collision_polygon_one_way(0, 1, true)
	await ticks(2)
	var stopped := await loose_rope(500.0, {gravity_scale = -1.0})
	await seconds(1.5)
	check_gt(highest(stopped), 430.0, "one_way_mask 0")
	stopped.free()
	var passed := await loose_rope(500.0, {gravity_scale = -1.0, one_way_mask = 1})
	await seconds(1.5)
	check_lt(lowest(passed), 380.0, "one_way_mask 1")
