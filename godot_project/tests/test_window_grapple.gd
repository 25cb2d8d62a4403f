extends "res://tests/support/picture_test.gd"
## The demo `grapple`, played with keys and mouse.

const SCENE := preload("res://demos/grapple/grapple.tscn")
const Bot := preload("res://demos/grapple/bot.gd")

## Farther than a rope's length plus this nobody may be, in px.
const OVER := 0.5

## All that the bot tells of when it plays the level through.
const PLACES: Array[String] = [
	"hooked",
	"landed",
	"wrapped",
	"hooked_on",
	"court",
	"climbed",
	"swung",
	"cliff",
	"tied",
	"hanging",
	"wound",
	"far",
	"bridge",
	"flag"
]


## Looks after every tick, when everything has moved.
class Watch:
	extends Node
	var player: CharacterBody2D
	var tie: VerletRope2D
	## By how much each was longer than it may be, at most.
	var hook_over := -INF
	var hook_stretch := -INF
	var leash_over := -INF
	var tie_over := -INF
	## How far the hand was from the rope that it climbs.
	var beside := 0.0
	var fastest := 0.0
	## The largest change of velocity in a tick of those in which it hung on a rope.
	var jerk := 0.0
	var hung := 0
	var climbing := 0
	var bent := 0
	var _before := Vector2.ZERO

	func _init() -> void:
		process_physics_priority = 2000

	func _physics_process(_delta: float) -> void:
		var hand: Vector2 = player.get_node(^"Hand").global_position
		var hook: Node2D = player.get_node(^"Hook")
		var rope: VerletRope2D = hook.rope
		if rope:
			var straight := hand.distance_to(rope.get_point_position(0))
			hook_over = maxf(hook_over, straight - rope.length)
			hook_stretch = maxf(hook_stretch, rope.get_current_length() - rope.length)
			if hook.pulls():
				bent += int(straight < rope.length - 3.0)
		var climbed: VerletRope2D = player._climbing
		climbing = climbing + 1 if climbed else 0
		if climbing > 10:
			var leash: VerletRope2D = climbed.leash
			leash_over = maxf(leash_over, hand.distance_to(leash.global_position) - leash.length)
			beside = maxf(beside, climbed.get_closest_point(hand).distance_to(hand))
		if tie.visible:
			var ends := tie.get_point_position(0).distance_to(
				tie.get_point_position(tie.get_point_count() - 1)
			)
			tie_over = maxf(tie_over, ends - tie.length)
		hung = hung + 1 if player.is_hanging() and not player.get_slide_collision_count() else 0
		if hung > 10:
			jerk = maxf(jerk, (player.velocity - _before).length())
		_before = player.velocity
		fastest = maxf(fastest, player.velocity.length())


var _level: Node2D
var _player: CharacterBody2D
var _bot: Bot
var _watch := Watch.new()
var _places: Array[String] = []


func time_limit() -> float:
	return 240.0


func before_each() -> void:
	await super()
	_level = add(SCENE.instantiate())
	_player = _level.get_node(^"%Player")
	_bot = Bot.new()
	_level.add_child(_bot)
	_bot.reached.connect(_on_reached)
	_watch.player = _player
	_watch.tie = _level.get_node(^"%Tie")
	_level.add_child(_watch)
	await frames(2)
	RenderingServer.render_loop_enabled = false


func after_each() -> void:
	RenderingServer.render_loop_enabled = true
	_bot.hold([])
	await super()


func test_the_level_is_played_through_with_keys_and_mouse() -> void:
	await _bot.play()
	await frames(2)
	check_eq(_places, PLACES, "where the player was")
	check_true(_level.get_node(^"%Won").visible, "the flag is reached")
	check_le(_watch.hook_over, OVER, "how far the hand is from the hook")
	check_le(_watch.hook_stretch, 1.0, "how much the hook's rope is stretched")
	check_gt(_watch.bent, 5, "ticks on a rope around a corner")
	check_le(_watch.leash_over, OVER, "how far a climber is from where the rope hangs")
	check_lt(_watch.beside, 4.0, "how far his hand is from the rope")
	check_le(_watch.tie_over, OVER, "how far two are apart who are tied together")
	check_lt(_watch.jerk, 120.0, "what changes his velocity in a tick on a rope")
	check_lt(_watch.fastest, 900.0, "his velocity")


func test_a_hook_let_go_keeps_the_speed() -> void:
	await _bot.over_the_gap()
	check_gt(_player.position.x, 760.0, "he is across")
	_bot.hold_one(KEY_D)
	await _bot.until(func() -> bool: return _player.position.x > 975.0)
	await _bot._hook_on(Vector2(1130, 99))
	await _bot._swing_until(
		func() -> bool: return _player.velocity.x > 250.0 and _player.position.x > 1130.0
	)
	_bot.hold([])
	await ticks(2)
	var velocity := _player.velocity
	_bot.tap(KEY_SPACE)
	await ticks(3)
	check_true(not _player.is_holding(), "he has let go")
	check_near(_player.velocity.x, velocity.x, 15.0, "his speed")
	check_near(_player.velocity.y, velocity.y, 80.0, "his speed upwards")


func test_the_rope_is_wound_by_keys_and_wheel() -> void:
	_bot.hold_one(KEY_D)
	await _bot.until(func() -> bool: return _player.position.x > 400.0)
	await _bot._hook_on(Vector2(590, 149))
	_bot.hold([])
	await seconds(0.5)
	var hook: Node2D = _player.get_node(^"Hook")
	var length: float = hook.rope.length
	await key(KEY_W, 0.5)
	check_near(hook.rope.length, length - 120.0, 12.0, "wound in")
	await key(KEY_S, 0.25)
	check_near(hook.rope.length, length - 60.0, 16.0, "wound out")
	length = hook.rope.length
	await press(_player.position, MOUSE_BUTTON_WHEEL_UP)
	await let_go(_player.position, MOUSE_BUTTON_WHEEL_UP)
	check_near(hook.rope.length, length - 24.0, 5.0, "wound in by the wheel")
	check_le(_watch.hook_over, OVER, "how far the hand is from the hook")
	await seconds(5.0)
	check_lt(_player.velocity.length(), 260.0, "the swing dies down")


func test_a_crate_is_hooked_and_pulled() -> void:
	var crate: RigidBody2D = _level.get_node(^"Crates/Crate3")
	var before := crate.position
	_bot.hold_one(KEY_D)
	await _bot.until(func() -> bool: return _player.position.x > 40.0)
	_bot.hold([])
	await ticks(20)
	await _bot._shoot(crate.position)
	await _shot("crate_hooked")
	check_true(_player.is_holding(), "it is hooked")
	_bot.hold_one(KEY_W)
	await seconds(0.8)
	await _shot("crate_pulled")
	_bot.hold([])
	check_lt(crate.position.x, before.x - 30.0, "it comes")
	# What is wound against a heavy crate comes back to its length a little later.
	check_le(_watch.hook_stretch, 6.0, "the rope's stretch")


func test_who_falls_is_put_back() -> void:
	# He pushes the crates over the edge on his way: what falls is no place to stand.
	_bot.hold_one(KEY_D)
	await _bot.until(func() -> bool: return _player.position.y > 600.0)
	_bot.hold([])
	await seconds(1.5)
	check_true(_player.is_on_floor(), "he stands")
	check_near(_player.position.x, 380.0, 200.0, "before the edge")
	for language: String in ["es", "zh", "en"]:
		TranslationServer.set_locale(language)
		await ticks(1)
		await _shot("language_" + language)


func test_keys_pressed_and_clicks_made_at_random_break_nothing() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 5
	var held: Array[Key] = [KEY_A, KEY_D, KEY_D, KEY_W, KEY_S]
	var starts: Array[float] = [-80.0, 900.0, 1750.0, 2200.0, 2900.0]
	for start in starts:
		_player.leave()
		_player.position = Vector2(start, 100.0)
		for i in 40 if thorough else 15:
			_bot.hold_one(held[random.randi() % held.size()])
			match random.randi() % 4:
				0:
					var away := Vector2(random.randf_range(-250, 250), random.randf_range(-300, 60))
					_bot._click(_player.position + away)
				1:
					_bot.tap(KEY_SPACE)
				2:
					_bot.tap(KEY_E)
			await ticks(random.randi_range(4, 30))
			check_true(_player.position.is_finite(), "where he is")
	# He may stretch it a little while he drags a crate.
	check_le(_watch.hook_over, 12.0, "how far the hand is from the hook")
	check_le(_watch.leash_over, OVER, "how far a climber is from where the rope hangs")
	check_lt(_watch.fastest, 2000.0, "his velocity")


func _on_reached(place: String) -> void:
	_places.append(place)
	_shot(place)


func _shot(shot_name: String) -> void:
	await get_tree().process_frame
	RenderingServer.force_draw(false)
	var image := get_viewport().get_texture().get_image()
	if pictures_folder:
		var file := pictures_folder.path_join("grapple_%s.png" % shot_name)
		check_eq(image.save_png(file), OK, "saved")
