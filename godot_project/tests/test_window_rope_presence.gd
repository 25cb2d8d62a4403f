extends "res://tests/support/presence_test.gd"
## A player walks across a bridge by the keys, as one sees it.


func before_each() -> void:
	await super()
	RenderingServer.set_default_clear_color(Color(0.85, 0.9, 0.95))


func after_each() -> void:
	RenderingServer.set_default_clear_color(Color(0.3, 0.3, 0.3))
	await super()


func test_a_player_walks_across_a_bridge_by_the_keys() -> void:
	var bridge := make_bridge({slack = 0.02})
	for body: Node in get_children():
		if body is StaticBody2D:
			var ground := Polygon2D.new()
			ground.color = Color(0.4, 0.5, 0.35)
			ground.polygon = [
				Vector2(-200, -100), Vector2(200, -100), Vector2(200, 100), Vector2(-200, 100)
			]
			body.add_child(ground)
	var walker := make_walker(START + Vector2(-60, -10))
	var look := Polygon2D.new()
	look.color = Color(0.8, 0.3, 0.2)
	var outline := PackedVector2Array()
	for i in 32:
		var direction := Vector2.from_angle(TAU * (i + 0.5) / 32)
		outline.append(direction * 15.0 + Vector2(0, 15.0 * signf(direction.y)))
	look.polygon = outline
	walker.add_child(look)
	walker.reads_keys = true
	walker.floor_snap_length = 6.0
	await seconds(1.0)
	var rest := sag(bridge)
	_send_key(KEY_RIGHT, true)
	await _next_frame()
	var part := 0
	var sunk := 0.0
	var far := 0.0
	for i in 300:
		await ticks(1)
		var x := walker.global_position.x - START.x
		if x > SPAN + 60:
			break
		if x > 20 and x < SPAN - 20:
			sunk = minf(sunk, gap(walker, bridge))
			far = maxf(far, gap(walker, bridge))
		if x > SPAN * (0.1 + 0.2 * part) and part < 5:
			await picture("rope_presence_walk_%d" % part)
			part += 1
	_send_key(KEY_RIGHT, false)
	await _next_frame()
	check_eq(part, 5, "pictures")
	check_gt(walker.global_position.x, START.x + SPAN + 50, "got across")
	check_gt(sunk, -2.0, "sunk in")
	check_lt(far, 4.0, "in the air")
	walker.global_position = START + Vector2(0.5 * SPAN, -20)
	walker.velocity = Vector2.ZERO
	await seconds(5.0)
	check_gt(sag(bridge), rest + 3.0, "it sags under the player")
	check_near(gap(walker, bridge), 0.0, 0.7, "the gap below a player who stands")
	await picture("rope_presence_stands")
	var height := walker.global_position.y
	await key(KEY_UP, 0.1)
	await seconds(0.25)
	check_lt(walker.global_position.y, height - 40, "it jumps")
	await picture("rope_presence_jumps")
