extends "res://tests/support/soft_presence_test.gd"


func test_debug() -> void:
	ground()
	for box: bool in [false, true]:
		var body := await soft({position = Vector2(576, GROUND - 51)})
		await seconds(1.0)
		var walker := make_walker(Vector2(576, top_of(body, 576) - 2), box)
		for i in 14:
			await ticks(9)
			var text := "%3d w %s v %s floor %s top %.1f rot %.3f plat %s n %s | " % [i * 9, walker.global_position, walker.velocity, walker.is_on_floor(), top_of(body, walker.global_position.x), body.global_rotation, walker.get_platform_velocity(), walker.get_floor_normal()]
			for k in 5:
				text += "%.0f,%.0f " % [body.get_point_position(k).x - 576, body.get_point_position(k).y - 300]
			print(text)
		walker.free()
		body.free()
	var body := await soft({position = Vector2(576, GROUND - 51)})
	await seconds(1.0)
	body.squashed.connect(func(r: float) -> void: print(" w squashed ", r))
	body.position.y -= 250
	for i in 70:
		await ticks(1)
		if i > 35 and i < 60: print(" w ", top_of(body, body.position.x), " ", body.position)
	check_true(true, "done")
