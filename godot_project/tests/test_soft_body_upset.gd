extends "res://tests/support/soft_scene_test.gd"
## Bodies that are flicked through themselves, dropped askew, or too thick for their own folds come
## to rest in shape.

## How far a flicked body may be from its shape, root mean square, in px.
const FLICKED_OFF := 10.0
## A hand's speed in px/s, and for how long it pulls, in s.
const FLICK_SPEED := 2200.0
const FLICK_TIME := 0.15


func test_a_corner_flicked_through_the_body_comes_back() -> void:
	for can_sleep: bool in [true, false]:
		for degrees in range(216, 239, 4):
			ground()
			var body := await soft({position = Vector2(576, GROUND - 51.0), can_sleep = can_sleep})
			await seconds(0.5)
			var from := body.get_point_position(24)
			var hand := body.grab(from, 10.0)
			check_ge(hand, 0, "hand")
			var velocity := Vector2.from_angle(deg_to_rad(degrees)) * FLICK_SPEED
			var count := roundi(FLICK_TIME * 60.0)
			for i in count:
				body.drag(hand, from + velocity * (i + 1) / 60.0)
				await ticks(1)
			body.release(hand)
			await seconds(4.0)
			var what := "flicked to %d degrees, can_sleep %s" % [degrees, can_sleep]
			var off := off_shape(body) * body.size.length() / sqrt(2.0)
			note("%s: %.1f px off its shape" % [what, off])
			check_sound(body, what)
			check_le(off, FLICKED_OFF, what + ": px off its shape")
			await clear()


func test_what_may_not_turn_falls_askew_and_stays_so() -> void:
	for size: Vector2 in [Vector2(40, 100), Vector2(100, 100)]:
		ground()
		var half := 0.5 * (size.y * cos(0.3) + size.x * sin(0.3))
		var from := Vector2(576, GROUND - 250.0 - half)
		var body := await soft({size = size, rotation = 0.3, lock_rotation = true, position = from})
		var measured := probe()
		var fastest := 0.0
		var aside := 0.0
		for i in 8 * 60:
			await ticks(1)
			fastest = maxf(fastest, top_speed(body))
			aside = maxf(aside, absf(middle(body).x - from.x))
		var what := "locked body of %s px" % size
		var turned := absf(angle_difference(body.global_rotation, 0.3))
		note("%s: %.0f px/s, %.1f px aside, turned %.3f" % [what, fastest, aside, turned])
		check_sound(body, what)
		check_le(fastest, 1500.0, what + ": top speed")
		check_le(aside, 30.0, what + ": px aside")
		check_le(turned, 0.15, what + ": turned")
		check_lt(top_speed(body), REST_SPEED, what + ": speed at the end")
		check_le(measured.depth, DEEPEST_PX, "%s: px deep (%s)" % [what, measured.depth_at])
		await clear()


## Thinner ones may creep: see the known limits.
func test_what_may_not_turn_does_not_creep() -> void:
	for width: float in [30.0, 40.0]:
		ground()
		var body := await soft(
			{
				size = Vector2(width, 100),
				rotation = 0.3,
				lock_rotation = true,
				position = Vector2(576, GROUND - 300.0),
			}
		)
		await seconds(10.0)
		var what := "locked body %s px wide" % width
		var from := middle(body)
		await seconds(5.0)
		var crept := middle(body).distance_to(from)
		note("%s: crept by %.2f px, asleep %s" % [what, crept, body.sleeping])
		check_le(crept, 1.0, what + ": px crept in 5 s")
		check_true(body.sleeping, what + ": asleep")
		await clear()


func test_what_is_thicker_than_it_is_far_from_itself_comes_to_rest() -> void:
	for radius: float in [5.0, 20.0]:
		ground()
		var body := await soft(
			{
				size = Vector2(52, 37),
				self_collision = true,
				collision_radius = radius,
				position = Vector2(576, 340),
			}
		)
		await seconds(4.0)
		var what := "radius %s" % radius
		var fastest := 0.0
		for i in 60:
			fastest = maxf(fastest, top_speed(body))
			await ticks(1)
		note("%s: top speed %.2f px/s, %.3f off shape" % [what, fastest, off_shape(body)])
		check_lt(fastest, REST_SPEED, what + ": top speed")
		check_sound(body, what)
		check_le(off_shape(body), 2.0 * SHAPE_OFF, what + ": off its shape")
		check_near(box_of(body).end.y, GROUND - radius, DEEPEST_PX, what + ": on the ground")
		await clear()
