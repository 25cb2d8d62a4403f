extends "res://tests/support/soft_presence_test.gd"
## How what is met of soft bodies lies on what is drawn.


## Shows where rays from above end.
class Rays:
	extends Node2D
	var ends := PackedVector2Array()

	func _draw() -> void:
		for end in ends:
			draw_line(end - Vector2(0, 20), end, Color.RED, 1.0)
			draw_circle(end, 2.0, Color.RED)


func test_rays_end_and_players_stand_where_bodies_are_drawn() -> void:
	ground()
	var letter := PackedVector2Array()
	for corner: Vector2 in [
		Vector2(-60, -60),
		Vector2(60, -60),
		Vector2(60, -25),
		Vector2(-25, -25),
		Vector2(-25, 25),
		Vector2(60, 25),
		Vector2(60, 60),
		Vector2(-60, 60)
	]:
		letter.append(corner)
	var bodies: Array[SoftBody2D] = [
		await soft({position = Vector2(250, GROUND - 51)}),
		await soft(
			{
				position = Vector2(450, GROUND - 61),
				source = SoftBody2D.SOURCE_POLYGON,
				polygon = letter,
				spacing = 14.0,
				stiffness = 3000.0
			}
		),
		await soft(
			{
				position = Vector2(700, GROUND - 51),
				source = SoftBody2D.SOURCE_ELLIPSE,
				size = Vector2(160, 100)
			}
		),
	]
	await seconds(1.0)
	for body: SoftBody2D in [bodies[0], bodies[2]]:
		var walker := make_walker(Vector2(body.global_position.x, GROUND - 110))
		var look := ColorRect.new()
		look.size = Vector2(30, 60)
		look.position = Vector2(-15, -30)
		look.color = Color(1, 1, 1, 0.4)
		walker.add_child(look)
	await seconds(2.0)
	var rays := Rays.new()
	rays.z_index = 5
	for x in range(180, 800, 5):
		var hit := ray(Vector2(x, 200), Vector2(x, GROUND + 10), 1)
		if hit and hit.collider is SoftBody2D:
			rays.ends.append(hit.position)
			var outline: PackedVector2Array = hit.collider.get_outline()
			check_lt(_distance_to(outline, hit.position), 4.0, "how far off the outline at %d" % x)
	add(rays)
	var image := await picture("soft_body_presence")
	for body in bodies:
		var inside := Vector2i(get_viewport().get_canvas_transform() * body.get_center())
		if body != bodies[1]:
			check_gt(image.get_pixelv(inside).g, 0.4, "it is drawn where it is")
