extends "res://tests/support/soft_test.gd"
## The base of the tests of what meets a soft body: rays, areas, players.

## The top of the floor.
const GROUND := 400.0


## Tells of the moment after the world's step, when bodies are where they were shown in this tick.
class Late:
	extends Node
	signal stepped

	func _init() -> void:
		process_physics_priority = 2000

	func _physics_process(_delta: float) -> void:
		stepped.emit()


var _late: Late


## Comes back after the world's step of this tick.
func after_step() -> void:
	if not is_instance_valid(_late):
		_late = add(Late.new())
	await _late.stepped


func ground(width: float = 4000.0) -> StaticBody2D:
	return body_at(StaticBody2D.new(), Vector2(576, GROUND + 50), rectangle(Vector2(width, 100)))


func space() -> PhysicsDirectSpaceState2D:
	return get_tree().root.world_2d.direct_space_state


## What a ray meets first.
func ray(from: Vector2, to: Vector2, mask: int = 0xFFFFFFFF) -> Dictionary:
	return space().intersect_ray(PhysicsRayQueryParameters2D.create(from, to, mask))


## Whether a body is found at a place.
func found_at(place: Vector2, body: SoftBody2D) -> bool:
	var query := PhysicsPointQueryParameters2D.new()
	query.position = place
	for hit: Dictionary in space().intersect_point(query):
		if hit.collider == body:
			return true
	return false


## How far down from `from` a vertical line meets an outline.
func top_of(body: SoftBody2D, x: float) -> float:
	var outline := body.get_outline()
	var least := INF
	for i in outline.size():
		var a := outline[i]
		var b := outline[(i + 1) % outline.size()]
		if (a.x - x) * (b.x - x) <= 0.0 and a.x != b.x:
			least = minf(least, lerpf(a.y, b.y, (x - a.x) / (b.x - a.x)))
	return least


## The part of the places of a body's box in which what is found is not what its outline says, but
## for those nearer to it than `margin`.
func wrong_part(body: SoftBody2D, margin: float = 3.0, step: float = 4.0) -> float:
	var outline := body.get_outline()
	var box := Rect2(outline[0], Vector2.ZERO)
	for point in outline:
		box = box.expand(point)
	var wrong := 0
	var all := 0
	var y := box.position.y + 0.3
	while y < box.end.y:
		var x := box.position.x + 0.3
		while x < box.end.x:
			var place := Vector2(x, y)
			x += step
			if _distance_to(outline, place) < margin:
				continue
			all += 1
			var inside := Geometry2D.is_point_in_polygon(place, outline)
			wrong += int(inside != found_at(place, body))
		y += step
	return float(wrong) / maxi(all, 1)


func _distance_to(outline: PackedVector2Array, place: Vector2) -> float:
	var least := INF
	for i in outline.size():
		var near := Geometry2D.get_closest_point_to_segment(
			place, outline[i], outline[(i + 1) % outline.size()]
		)
		least = minf(least, near.distance_to(place))
	return least
