extends "res://demos/shared/demo.gd"
## Soft floors to jump on: trampolines, and a bridge that gives way.
##
## How one is thrown by them is in `jumper.gd`.

const Jumper := preload("res://demos/trampoline/jumper.gd")

## Faster than this the floor comes up when the tour jumps, in px/s.
const JUMPS_AT := 90.0

## Who falls deeper than this is put back, in px.
const DEEPEST := 820.0

var _stars := 0
var _highest := 0.0
var _fastest := 0.0
var _stood := 0
var _rose := 0.0
var _safe := Vector2.ZERO

@onready var _jumper: Jumper = %Jumper


func _ready() -> void:
	super()
	for star: Area2D in %Stars.get_children():
		star.taken.connect(_on_star_taken)
	for body: SoftBody2D in get_tree().get_nodes_in_group(&"soft_floors"):
		body.pressed.connect(_on_pressed.bind(body))
	_jumper.thrown.connect(_on_thrown)
	%Goal.body_entered.connect(func(_body: Node2D) -> void: _hud.show_ending())
	_safe = _jumper.global_position
	_camera.global_position = _jumper.global_position - Vector2(0, 120)
	_camera.reset_smoothing()
	_show_stars()


func _physics_process(delta: float) -> void:
	var ahead := _jumper.velocity * Vector2(0.35, 0.12)
	var target := _jumper.global_position + ahead.limit_length(150.0) - Vector2(0, 90)
	_camera.global_position = _camera.global_position.lerp(target, 1.0 - exp(-5.0 * delta))
	_highest = maxf(_highest, %Ground.global_position.y - _jumper.global_position.y)
	if _jumper.is_on_floor() and not _jumper.soft_floor:
		_safe = _jumper.global_position
	if _jumper.global_position.y > DEEPEST:
		_jumper.global_position = _safe - Vector2(0, 10)
		_jumper.velocity = Vector2.ZERO


func numbers() -> Dictionary:
	return {"stars": _stars, "highest, px": roundi(_highest), "fastest, px/s": roundi(_fastest)}


## Jumps on the trampoline, each time at the right moment, and goes on to the flag.
func play(hands: Hands) -> void:
	await hands.wait(0.5)
	await _go(hands, 450.0)
	await _bounce_until(hands, 450.0, func() -> bool: return _stars >= 5)
	await _bounce_onto(hands, 450.0, %LedgeA)
	await _go(hands, 1080.0)
	await hands.wait(0.6)
	await _go(hands, 1430.0)
	await _go(hands, 1640.0)
	await _bounce_until(hands, 1690.0, func() -> bool: return _stars >= 10)
	await _bounce_onto(hands, 1690.0, %Top)
	await _go(hands, 2100.0)


## Bounces above a cloth until he is thrown fast enough for a ledge, and steers onto that.
func _bounce_onto(hands: Hands, above: float, ledge: Node2D) -> void:
	var duration := (ledge.position.x - above + 20.0) / Jumper.RUN_SPEED
	var height: float = %Ground.position.y - ledge.position.y + 40.0
	var speed := height / duration + 0.5 * Jumper.GRAVITY * duration
	for attempt in 4:
		await _go(hands, above)
		await _bounce_until(hands, above, func() -> bool: return _jumper.velocity.y < -speed)
		await _go(hands, ledge.position.x + 90.0)
		if _jumper.global_position.y < ledge.position.y:
			break


## Runs and steers there.
func _go(hands: Hands, to: float) -> void:
	await hands.until(
		func() -> bool:
			_steer(hands, to)
			return absf(to - _jumper.global_position.x) < 12.0,
		6.0
	)
	hands.hold([])


## Stays above a place, and jumps whenever the floor comes up.
func _bounce_until(hands: Hands, above: float, holds: Callable) -> void:
	_stood = 0
	await hands.until(
		func() -> bool:
			_steer(hands, above)
			_stood = _stood + 1 if _jumper.soft_floor else 0
			var rises := _jumper.rises()
			var jumps := _stood > 90 or (rises > JUMPS_AT and rises < _rose + 8.0)
			_rose = rises
			if jumps:
				_stood = 0
				hands.tap(KEY_SPACE, 0.02)
			return holds.call(),
		14.0
	)
	hands.hold([])


func _steer(hands: Hands, to: float) -> void:
	var way := to - _jumper.global_position.x - _jumper.velocity.x * 0.12
	if absf(way) < 8.0:
		hands.hold([])
	else:
		hands.hold_one(KEY_D if way > 0.0 else KEY_A)


func _on_star_taken() -> void:
	_stars += 1
	_show_stars()


func _on_thrown(speed: float, timed: bool) -> void:
	_fastest = maxf(_fastest, speed)
	if timed:
		%Ring.global_position = _jumper.global_position + Vector2(0, 24)
		%Ring.restart()


## A cloth of a trampoline flashes while it is pressed.
func _on_pressed(_body: Node2D, _depth: float, floor_body: SoftBody2D) -> void:
	floor_body.modulate = Color(1.35, 1.35, 1.35)
	create_tween().tween_property(floor_body, ^"modulate", Color.WHITE, 0.4)


func _show_stars() -> void:
	_hud.count = "★ %d / %d" % [_stars, %Stars.get_child_count()]
