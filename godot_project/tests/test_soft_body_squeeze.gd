extends "res://tests/support/soft_scene_test.gd"
## A soft body that is pushed through a gap of 60 % of its width, there and back, 100 times.

## Of the body, and of what is open between the walls, in px.
const WIDTH := 100.0
const GAP := 60.0

## Where the gap is, and the radius of the two posts that leave it open, in px.
const MIDDLE := Vector2(576, 300)
const RADIUS := 80.0

## With more it jams: the posts push it back as a wedge does.
const FRICTION := 0.3

## How far beyond the gap it comes to rest, and how long it may take, in px and s.
const BEYOND := 190.0
const PATIENCE := 5.0

## How its push grows with the way that is left, and what slows it, in kg/s² and kg/s.
const STRENGTHENS := 200.0
const SLOWS := 8.0

## For how long it may wobble after that, in s.
const SETTLES := 1.5

var _rest := PackedVector2Array()


func time_limit() -> float:
	return 300.0


func test_a_jelly_is_pushed_through() -> void:
	await _push_through("jelly", {}, 15000.0)


func test_a_slime_is_pushed_through() -> void:
	var look := {source = SoftBody2D.SOURCE_ELLIPSE, spacing = 16.0}
	var made_of := {stiffness = 70.0, area_stiffness = 150.0, shape_memory = 0.12}
	look.merge(made_of)
	await _push_through("slime", look, 8000.0)


func test_a_ball_of_rubber_is_pushed_through() -> void:
	var look := {source = SoftBody2D.SOURCE_ELLIPSE, spacing = 16.0}
	var made_of := {stiffness = 2000.0, damping = 12.0}
	look.merge(made_of)
	await _push_through("rubber", look, 60000.0)


func test_a_jelly_is_drawn_through_by_a_hand() -> void:
	var body := await _made({})
	var area := body.get_area()
	for pass_number in ceili(_passes() / 4.0):
		var side := 1.0 if pass_number % 2 == 0 else -1.0
		var hand := body.grab(body.get_center(), 40.0)
		check_ge(hand, 0, "a hand")
		var from := body.get_center()
		var to := MIDDLE + Vector2(side * BEYOND, 0)
		for tick in 90:
			body.drag(hand, from.lerp(to, tick / 89.0))
			await ticks(1)
		body.release(hand)
		await seconds(SETTLES)
		if not _check_recovered(body, area, side, "pass %d" % pass_number):
			return


## Pushes it by its middle, as strongly as given, in kg px/s².
func _push_through(kind: String, properties: Dictionary, strength: float) -> void:
	var body := await _made(properties)
	var area := body.get_area()
	var slowest := 0
	for pass_number in _passes():
		var side := 1.0 if pass_number % 2 == 0 else -1.0
		var to := MIDDLE + Vector2(side * BEYOND, 0)
		var count := 0
		while absf(body.get_center().x - to.x) > 40.0 and count < PATIENCE * 60.0:
			var force := ((to - body.get_center()) * STRENGTHENS).limit_length(strength)
			body.apply_central_impulse((force - body.linear_velocity * SLOWS) / 60.0)
			await ticks(1)
			count += 1
		slowest = maxi(slowest, count)
		body.linear_velocity = Vector2.ZERO
		await seconds(SETTLES)
		if not _check_recovered(body, area, side, "%s, pass %d" % [kind, pass_number]):
			return
	note("%s: %d passes, the slowest in %d ticks" % [kind, _passes(), slowest])


## 100 times there and back; a few times where there is no time for that.
func _passes() -> int:
	return 200 if thorough else 20


## A body of 100 px left of two posts that leave 60 px open.
func _made(properties: Dictionary) -> SoftBody2D:
	for side: float in [-1.0, 1.0]:
		solid(circle(RADIUS), MIDDLE + Vector2(0, side * (GAP * 0.5 + RADIUS)))
	var settings := {
		position = MIDDLE - Vector2(BEYOND, 0),
		size = Vector2(WIDTH, WIDTH),
		gravity_scale = 0.0,
		can_sleep = false,
		physics_material_override = material(FRICTION),
	}
	settings.merge(properties)
	var body := await soft(settings)
	_rest = body.get_points()
	return body


func _check_recovered(body: SoftBody2D, area: float, side: float, what: String) -> bool:
	var held := true
	for point in body.get_points():
		if not (point.x - MIDDLE.x) * side > RADIUS * 0.5:
			held = fail("%s: a point is left at %s" % [what, point])
			break
	held = check_near(body.get_area() / area, 1.0, AREA_OFF, what + ": area") and held
	return check_lt(_off_rest(body), SHAPE_OFF, what + ": shape") and held


## How far its points are from their places at rest, where these fit best: root mean square, as a
## part of its width.
func _off_rest(body: SoftBody2D) -> float:
	var now := body.get_points()
	var mean_now := middle(body)
	var mean_rest := Vector2.ZERO
	for point in _rest:
		mean_rest += point / _rest.size()
	var squares := 0.0
	var along := 0.0
	var across := 0.0
	for i in now.size():
		var a := _rest[i] - mean_rest
		var b := now[i] - mean_now
		squares += a.length_squared() + b.length_squared()
		along += a.dot(b)
		across += a.cross(b)
	squares -= 2.0 * Vector2(along, across).length()
	return sqrt(maxf(squares, 0.0) / now.size()) / WIDTH
