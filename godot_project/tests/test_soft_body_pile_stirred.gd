extends "res://tests/support/soft_pile_test.gd"
## Piles that are stirred and crushed by what nothing stops.

## How wide the box is, in px.
const WIDE := 560.0

## The ways of what stirs, from the middle of the ground.
const WAY: PackedVector2Array = [
	Vector2(210, -420),
	Vector2(-180, -70),
	Vector2(200, -60),
	Vector2(-200, -35),
	Vector2(120, -260),
	Vector2(-150, -150),
]


## Goes from place to place at one speed.
class Stirrer:
	extends AnimatableBody2D

	var places: PackedVector2Array
	var speed := 700.0

	func _init() -> void:
		sync_to_physics = false

	func _physics_process(delta: float) -> void:
		if places:
			position = position.move_toward(places[0], speed * delta)
			if position == places[0]:
				places.remove_at(0)


## Watches how fast anything gets.
class Watcher:
	extends Node

	var bodies: Array[Node2D] = []
	var fastest := 0.0
	var fastest_of := ""
	var broken := false

	func _init() -> void:
		process_physics_priority = 2000

	func _physics_process(_delta: float) -> void:
		for body in bodies:
			var speed: float = body.linear_velocity.length()
			broken = broken or not is_finite(speed)
			if speed > fastest:
				fastest = speed
				fastest_of = body.name


func time_limit() -> float:
	return 180.0


## Jellies, and rigid bodies between them, in rows above each other.
func _fill(count: int, every: int) -> Array[Node2D]:
	var all: Array[Node2D] = []
	for i in count:
		var at := Vector2(576 + (i % 7 - 3) * 72.0 + i / 7 % 2 * 12.0, GROUND - 40 - i / 7 * 72.0)
		if i % every == every - 1:
			var rigid_one := (
				crate(1.5, at, 46.0) if i % 2 == 0 else rigid(circle(23.0), 0.5 + 0.1 * i, at)
			)
			all.append(rigid_one)
			continue
		var jelly := make_soft(
			{size = Vector2(60, 60), particle_count = Vector2i(8, 8), stiffness = 160.0 + 4.0 * i}
		)
		jelly.damping = 2.0
		jelly.position = at
		all.append(add(jelly))
	return all


func _watcher(all: Array[Node2D]) -> Watcher:
	var watcher := Watcher.new()
	watcher.bodies = all
	return add(watcher)


func _spoons() -> Array[Shape2D]:
	var capsule := CapsuleShape2D.new()
	capsule.radius = 27.0
	capsule.height = 72.0
	return [capsule, circle(30.0), rectangle(Vector2(20, 120))]


func test_a_pile_is_stirred() -> void:
	var spoons := _spoons()
	for rate in rates():
		await set_ticks_per_second(rate)
		for index in spoons.size():
			for speed: float in [300.0, 700.0, 1500.0] if thorough else [700.0]:
				for every: int in [3, 5, 100]:
					var what := "shape %d, %s px/s, 1 of %d, %d ticks" % [index, speed, every, rate]
					await _stir(spoons[index], speed, every, what)


func _stir(shape: Shape2D, speed: float, every: int, what: String) -> void:
	box(WIDE)
	var all := _fill(35, every)
	await seconds(1.2)
	var spoon := Stirrer.new()
	spoon.speed = speed
	body_with(spoon, Vector2(576 + 210, GROUND - 700), [shape], "Spoon")
	for place in WAY:
		spoon.places.append(place + Vector2(576, GROUND))
	var watcher := _watcher(all)
	while spoon.places:
		await ticks(1)
	check_true(not watcher.broken, what + ": finite")
	var fastest := 4.0 * speed + 2000.0
	check_le(watcher.fastest, fastest, "%s: the fastest (%s)" % [what, watcher.fastest_of])
	note("%s: fastest %.0f px/s" % [what, watcher.fastest])
	spoon.free()
	await seconds(2.5)
	# What is faster may press one through a wall.
	if speed < 1000.0:
		_check_in_the_box(all, what)
	await clear()


## No jelly has left the box, and they have their shapes. A crate is pushed through a wall by the
## engine itself when it is crushed hard.
func _check_in_the_box(all: Array[Node2D], what: String) -> void:
	for node in all:
		var body := node as SoftBody2D
		if not body:
			continue
		var at := body.global_position
		var inside := absf(at.x - 576) < WIDE * 0.5 and at.y < GROUND
		check_true(inside, "%s: %s is in the box, at %s" % [what, body.name, at])
		check_sound(body, what)
		check_ge(body.get_area() / 3600.0, 0.7, "%s: area of %s" % [what, body.name])


func test_walls_close_on_a_pile() -> void:
	for rate in rates():
		await set_ticks_per_second(rate)
		for speed: float in [100.0, 500.0, 2000.0] if thorough else [500.0]:
			for every: int in [3, 100]:
				await _close(speed, every, "%s px/s, 1 of %d, %d ticks" % [speed, every, rate])


func _close(speed: float, every: int, what: String) -> void:
	box(WIDE)
	var all := _fill(28, every)
	await seconds(1.2)
	var walls: Array[Stirrer] = []
	for side: float in [-1.0, 1.0]:
		var wall := Stirrer.new()
		wall.speed = speed
		var at := Vector2(576 + side * (WIDE * 0.5 + 40.0), GROUND - 600)
		body_with(wall, at, [rectangle(Vector2(80, 1200))], "Wall")
		wall.places = [at - Vector2(side * (WIDE * 0.5 - 50.0), 0), at]
		walls.append(wall)
	var watcher := _watcher(all)
	while walls[0].places:
		await ticks(1)
	check_true(not watcher.broken, what + ": finite")
	var fastest := 4.0 * speed + 2000.0
	check_le(watcher.fastest, fastest, "%s: the fastest (%s)" % [what, watcher.fastest_of])
	note("%s: fastest %.0f px/s" % [what, watcher.fastest])
	walls.map(func(wall: Stirrer) -> void: wall.free())
	await seconds(2.0)
	_check_in_the_box(all, what)
	await clear()
