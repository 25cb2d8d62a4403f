extends "res://tests/support/rope_test.gd"
## Characters and blades, also with physics on a thread of its own.

const Characters := preload("res://tests/test_rope_characters.gd")


func test_a_player_swings_and_stops_at_walls() -> void:
	await set_ticks_per_second(60)
	await hang({position = Vector2(-5000, 0)})
	var wall := StaticBody2D.new()
	var form := CollisionShape2D.new()
	form.shape = RectangleShape2D.new()
	form.shape.size = Vector2(40, 300)
	wall.add_child(form)
	wall.position = Vector2(700, 300)
	add(wall)
	var player := Characters.Player.new()
	player.position = Vector2(400, 140)
	add(player)
	var rope: VerletRope2D = add(make_rope({length = 180.0, collision_mask = 0}))
	rope.attach_end(player)
	var watcher := Characters.Watch.new()
	watcher.rope = rope
	watcher.player = player
	watcher.anchor = rope
	add(watcher)
	await seconds(4.0)
	check_lt(watcher.over, 0.5, "how far it is")
	check_gt(watcher.fastest, 100.0, "it swings")
	check_lt(player.position.x, 671.0, "it is before the wall")


func test_a_blade_cuts() -> void:
	await set_ticks_per_second(60)
	for kind: int in 2:
		var rope := await hang({length = 200.0, cut_mask = 16, collision_mask = 0})
		var blade: CollisionObject2D = Area2D.new() if kind == 0 else AnimatableBody2D.new()
		var form := CollisionShape2D.new()
		form.shape = CircleShape2D.new()
		blade.add_child(form)
		blade.collision_layer = 16
		blade.position = Vector2(576, 200)
		add(blade)
		await ticks(4)
		check_near(rope.get_current_length(), 100.0, 12.0, "it is cut where the blade is")
		for child in get_children():
			child.free()
		await ticks(2)
