extends "res://demos/shared/demo.gd"
## A small level for a slime: ledges, a slope, gaps to squeeze through, mushrooms that throw.
##
## How it moves is in `player_slime.gd`.

const PlayerSlime := preload("res://demos/slime/player_slime.gd")
const Face := preload("res://demos/slime/slime_face.gd")

## Below this it is in the water or out of the level, in px.
const DEEPEST := 680.0

## Slower than this it is somewhere safe, in px/s.
const SAFE_SPEED := 260.0

## What the camera is ahead of it by, in s of its way.
const AHEAD := 0.4

var _drops := 0
var _respawns := 0
var _safe := Transform2D.IDENTITY

@onready var _slime: PlayerSlime = %Slime
@onready var _face: Face = %Slime/Face
@onready var _splash: CPUParticles2D = %Splash


func _ready() -> void:
	super()
	for drop in %Drops.get_children():
		drop.taken.connect(_on_drop_taken)
	_slime.landed.connect(_on_landed)
	_safe = _slime.global_transform
	_camera.global_position = _slime.global_position
	_camera.reset_smoothing()
	_show_drops()


func _physics_process(delta: float) -> void:
	var ahead := (_slime.linear_velocity * AHEAD * Vector2(1.0, 0.2)).limit_length(140.0)
	var target := _slime.global_position + ahead - Vector2(0, 60)
	_camera.global_position = _camera.global_position.lerp(target, 1.0 - exp(-4.0 * delta))
	if _slime.global_position.y > DEEPEST:
		respawn()
	elif _slime.linear_velocity.length() < SAFE_SPEED and _slime.stands():
		_safe = Transform2D(0.0, _slime.global_position - Vector2(0, 12))
	if _slime.global_position.x > %Goal.global_position.x and not %Goal.done:
		%Goal.done = true
		_face.cheer()
		_hud.show_ending()


## Puts the slime back where it was safe last.
func respawn() -> void:
	_respawns += 1
	_burst(_slime.global_position, 24)
	_slime.teleport(_safe)


func numbers() -> Dictionary:
	return {drops = _drops, respawns = _respawns}


## Plays the level through.
func play(hands: Hands) -> void:
	var slime := _slime
	await hands.wait(1.0)
	await hands.tap(KEY_SPACE, 0.3)
	await hands.wait(1.2)
	await _hop_up(hands, 420.0, 0.3, 590.0)
	await _hop_up(hands, 655.0, 0.3, 800.0)
	hands.hold([KEY_D])
	await hands.until(func() -> bool: return slime.global_position.x > 1350.0, 8.0)
	hands.hold([KEY_D, KEY_S])
	await hands.until(func() -> bool: return slime.global_position.x > 1710.0, 8.0)
	hands.hold([])
	await hands.wait(0.8)
	# Over the mushrooms: from each to the next.
	hands.hold([KEY_D])
	await hands.until(func() -> bool: return slime.global_position.x > 1740.0)
	await hands.tap(KEY_SPACE, 0.15)
	for pad: StaticBody2D in %Pads.get_children():
		await _steer(hands, pad.global_position.x, func() -> bool: return _thrown(pad))
	await _steer(
		hands, 2590.0, func() -> bool: return slime.global_position.x > 2540.0 and _stands()
	)
	await _steer(hands, 2720.0, func() -> bool: return absf(slime.global_position.x - 2720.0) < 6.0)
	hands.hold([])
	await hands.wait(0.6)
	hands.hold([KEY_S])
	await hands.until(func() -> bool: return slime.global_position.y > 600.0)
	hands.hold([KEY_D])
	await hands.until(func() -> bool: return %Goal.done, 8.0)
	hands.hold([])


func _hop_up(hands: Hands, from: float, squat: float, to: float) -> void:
	var slime := _slime
	hands.hold([KEY_D])
	await hands.until(func() -> bool: return slime.global_position.x > from)
	hands.hold([])
	await hands.tap(KEY_SPACE, squat)
	await _steer(hands, to, func() -> bool: return absf(slime.global_position.x - to) < 20.0)


## Holds the keys that lead there, until something holds.
func _steer(hands: Hands, to: float, holds: Callable) -> void:
	await hands.until(
		func() -> bool:
			var way := to - _slime.global_position.x - _slime.linear_velocity.x * 0.15
			if absf(way) < 4.0:
				hands.hold([])
			elif way > 0.0:
				hands.hold([KEY_D])
			else:
				hands.hold([KEY_A])
			return holds.call()
	)
	hands.hold([])


func _thrown(pad: Node2D) -> bool:
	return (
		absf(_slime.global_position.x - pad.global_position.x) < 60.0
		and _slime.linear_velocity.y < -500.0
	)


func _stands() -> bool:
	return _slime.stands() and absf(_slime.linear_velocity.y) < 30.0


func _on_drop_taken() -> void:
	_drops += 1
	_face.cheer()
	_slime.apply_radial_impulse(_slime.global_position, 60.0, 80.0)
	_show_drops()


func _on_landed(speed: float) -> void:
	if speed > 200.0:
		_burst(_slime.global_position + Vector2(0, 30), clampi(int(speed / 40.0), 4, 20))


func _burst(at: Vector2, amount: int) -> void:
	_splash.global_position = at
	_splash.amount = amount
	_splash.restart()


func _show_drops() -> void:
	_hud.count = "%d / %d" % [_drops, %Drops.get_child_count()]
