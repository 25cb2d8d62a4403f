extends Node2D
## Draws a small figure, at the place of its raised hand.
##
## It hangs from that hand, and turns with the rope that it holds.

const SKIN := Color(0.98, 0.82, 0.66)
const TROUSERS := Color(0.55, 0.5, 0.68)
const INK := Color(0.12, 0.11, 0.2)

## How fast it turns with the rope, per second.
const TURNS := 14.0

## A step, in px.
const STRIDE := 44.0

@export var coat := Color(0.2, 0.62, 0.66)

var _facing := 1.0
var _way := 0.0
var _state := &"stand"
var _holds := false
var _rise := 0.0


## Poses it as its owner moves. In every tick.
func pose(body: CharacterBody2D, side: float, holds: bool) -> void:
	_holds = holds
	if side:
		_facing = signf(side)
	_rise = clampf(body.velocity.y / 400.0, -1.0, 1.0)
	var angle := 0.0
	if body.is_on_floor():
		_state = &"run" if absf(body.velocity.x) > 20.0 else &"stand"
		_way += body.velocity.x * get_physics_process_delta_time()
	else:
		_state = &"hang" if holds and body.is_hanging() else &"fly"
		_way = lerpf(_way, 0.0, 0.1)
		if _state == &"hang":
			angle = Vector2.UP.angle_to(body.rope_direction())
	rotation = lerp_angle(rotation, angle, 1.0 - exp(-TURNS * get_physics_process_delta_time()))
	queue_redraw()


func _draw() -> void:
	draw_set_transform(Vector2.ZERO, 0.0, Vector2(_facing, 1.0))
	var bob := absf(sin(_way / STRIDE * TAU)) * 2.0 if _state == &"run" else 0.0
	var head := Vector2(1, 13 - bob)
	var neck := Vector2(0, 21 - bob)
	var hips := Vector2(-1, 34 - bob)
	_legs(hips)
	# The farther arm.
	_limb(neck + Vector2(2, 2), neck + _swing_of_arm(0.5), coat.darkened(0.35), 4.5)
	draw_line(neck + Vector2(0, 2), hips, coat, 13.0, true)
	draw_circle(neck + Vector2(0, 2), 6.5, coat)
	draw_circle(hips, 6.5, coat.darkened(0.12))
	draw_line(hips + Vector2(-6, -3), hips + Vector2(6, -3), INK, 2.5)
	# Hood and face.
	draw_circle(head, 9.5, coat.lightened(0.08))
	draw_colored_polygon(
		PackedVector2Array(
			[head + Vector2(-4, -9), head + Vector2(-14, -3), head + Vector2(-8, 3)]
		),
		coat.lightened(0.08)
	)
	draw_circle(head + Vector2(2.5, 1), 6.5, SKIN)
	draw_circle(head + Vector2(5, 0), 1.5, INK)
	draw_circle(head + Vector2(0.5, 0), 1.5, INK)
	var hand := Vector2.ZERO if _holds else neck + _swing_of_arm(0.0)
	_limb(neck + Vector2(-2, 3), hand, coat.darkened(0.18), 5.0)
	draw_circle(hand, 3.2, SKIN)


func _legs(hips: Vector2) -> void:
	for leg: float in [0.5, 0.0]:
		var foot := hips + Vector2(-3 + 6 * leg, 14)
		var shade := TROUSERS.darkened(0.25 if leg else 0.0)
		match _state:
			&"run":
				var turn := (_way * _facing / STRIDE + leg) * TAU
				foot = Vector2(hips.x + cos(turn) * 11.0, 48.0 - maxf(0.0, -sin(turn)) * 9.0)
			&"fly":
				foot += Vector2(5 - 12 * leg, -4 - 3 * _rise * (1 - 2 * leg))
			&"hang":
				foot += Vector2(-4 + 3 * leg, -1 - 3 * leg)
			_:
				foot.y = 48.0
		_limb(hips, foot, shade, 5.0)
		draw_line(foot, foot + Vector2(4, 0), INK, 4.5, true)


func _swing_of_arm(part: float) -> Vector2:
	match _state:
		&"run":
			return Vector2(sin((_way * _facing / STRIDE + part) * TAU) * 10.0, 12)
		&"fly":
			return Vector2(10 - 20 * part, 2 + 8 * -_rise)
	return Vector2(4 - 6 * part, 13)


## A limb with a joint in its middle.
func _limb(from: Vector2, to: Vector2, colour: Color, width: float) -> void:
	draw_line(from, to, colour, width, true)
	draw_circle(from, width * 0.5, colour)
	draw_circle(to, width * 0.5, colour)
