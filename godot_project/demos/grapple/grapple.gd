extends Node2D
## A small level for a player with a grappling hook: he swings over gaps, wraps corners, climbs a
## rope, pulls crates, and ties himself to a friend.
##
## Everything about ropes is in `player.gd`, `hook.gd`, `climbing_rope.gd` and `tie_rope.gd`.

const PlayerScript := preload("res://demos/grapple/player.gd")
const Bot := preload("res://demos/grapple/bot.gd")
const TieRope := preload("res://demos/grapple/tie_rope.gd")

## The height that is in view, in px.
const VIEW_HEIGHT := 648.0

## Who falls deeper than this is put back, in px.
const DEEPEST := 760.0

## So far ahead of the player the camera looks, in s of his way.
const AHEAD := 0.45

var _stars := 0
var _stretch := 0.0
var _safe := Vector2.ZERO

@onready var _player: PlayerScript = %Player
@onready var _friend: CharacterBody2D = %Friend
@onready var _tie: TieRope = %Tie
@onready var _camera: Camera2D = %Camera
@onready var _count: Label = %Stars
@onready var _goal: Area2D = %Goal
@onready var _won: Control = %Won


func _ready() -> void:
	for star: Area2D in %StarList.get_children():
		star.taken.connect(_on_star_taken)
	_goal.body_entered.connect(func(_body: Node2D) -> void: _won.show())
	%Again.pressed.connect(get_tree().reload_current_scene)
	get_viewport().size_changed.connect(_fit)
	_fit()
	_safe = _player.global_position
	_camera.global_position = _player.global_position
	_camera.reset_smoothing()
	_show_stars()


func _physics_process(delta: float) -> void:
	var look := _player.velocity * AHEAD * Vector2(1.0, 0.3)
	var target := _player.global_position + look.limit_length(150.0)
	_camera.global_position = _camera.global_position.lerp(target, 1.0 - exp(-4.0 * delta))
	var under := _player.get_last_slide_collision()
	if under and under.get_collider() is StaticBody2D and under.get_normal().y < -0.7:
		_safe = _player.global_position
	if _player.global_position.y > DEEPEST:
		_put_back(_player)
	if _friend.global_position.y > DEEPEST:
		_put_back(_friend)


## To where the player stood last.
func _put_back(character: CharacterBody2D) -> void:
	_tie.untie()
	_player.leave()
	character.global_position = _safe - Vector2(signf(character.velocity.x) * 30.0, 10.0)
	character.velocity = Vector2.ZERO


func _on_star_taken() -> void:
	_stars += 1
	_show_stars()


func _show_stars() -> void:
	_count.text = "★ %d / %d" % [_stars, %StarList.get_child_count()]


## Shows the level's height, however large the window is.
func _fit() -> void:
	var zoom := get_viewport_rect().size.y / VIEW_HEIGHT
	_camera.zoom = Vector2(zoom, zoom)


# --- The tour --------------------------------------------------------------------------------


## How long the tour plays this demo.
func tour_seconds() -> float:
	return 23.0


## A bot plays it.
func tour_act(time: float, delta: float) -> void:
	if time < delta:
		var bot := Bot.new()
		add_child(bot)
		bot.play()
	for rope: VerletRope2D in find_children("*", "VerletRope2D", true, false):
		var stretch := (rope.get_current_length() / rope.length - 1.0) * 100.0
		_stretch = maxf(_stretch, stretch)


## What was measured during the tour.
func tour_numbers() -> Dictionary:
	return {
		"stars": _stars,
		"stretch at most, %": _stretch,
		"ms": Performance.get_custom_monitor(&"supple/step_ms"),
	}
