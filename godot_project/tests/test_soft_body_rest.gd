extends "res://tests/support/soft_scene_test.gd"
## Soft bodies come to rest and sleep wherever they lie, of whatever they are made.

## How long they may take, in s.
const SETTLING := 6.0


func time_limit() -> float:
	return 240.0


func test_it_comes_to_rest_across_a_gap() -> void:
	await _lie("gap", func(k: int) -> void: _two_blocks(0.0, 30.0, k - 20))


func test_it_comes_to_rest_on_a_step() -> void:
	await _lie("step", func(k: int) -> void: _two_blocks(4.0, 0.0, k))


func test_it_comes_to_rest_on_a_low_post() -> void:
	var build := func(k: int) -> void:
		ground()
		solid(rectangle(Vector2(24, 12)), Vector2(546 + 1.5 * k, GROUND - 6.0))
	await _lie("post", build)


func test_it_comes_to_rest_in_a_gutter() -> void:
	var build := func(k: int) -> void:
		var slope := 0.3 + 0.01 * k
		solid(rectangle(Vector2(600, 100)), Vector2(300, GROUND), slope)
		solid(rectangle(Vector2(600, 100)), Vector2(852, GROUND), -slope)
	await _lie("gutter", build)


func test_all_settings_together_come_to_rest() -> void:
	var settings: Array[Dictionary] = []
	for passes: int in [0, 1, 5, 20]:
		for pressure: float in [0.0, 10.0, 100.0, 1000.0]:
			settings.append({iteration_count = passes, pressure = pressure})
	for plasticity: float in [0.0, 0.1, 0.9]:
		for stretch: float in [1.05, 1.1, 1.6]:
			for damping: float in [2.0, 20.0]:
				settings.append({plasticity = plasticity, max_stretch = stretch, damping = damping})
	for memory: float in [0.1, 0.5, 1.0]:
		for locked: bool in [false, true]:
			settings.append({shape_memory = memory, lock_rotation = locked, rotation = 0.7})
			settings.append({shape_memory = memory, stiffness = 0.0, area_stiffness = 0.0})
	var restless := PackedStringArray()
	for setting in settings:
		ground()
		var body := await soft(setting.merged({linear_damp = 1.0, position = Vector2(576, 250)}))
		body.linear_velocity = Vector2(0, 1000)
		await seconds(10.0)
		check_sound(body, str(setting))
		var speed := await _speed(body)
		if not speed <= REST_SPEED:
			restless.append("%s: %.1f px/s" % [setting, speed])
		await clear()
	note("%d of %d settings are restless" % [restless.size(), settings.size()])
	for line in restless:
		note("  restless: " + line)
	check_eq(restless, PackedStringArray(), "settings that do not come to rest")


## Lays bodies down at 40 places, or fewer in short runs, of bodies of different numbers of points.
func _lie(what: String, build: Callable) -> void:
	for count: int in [3, 4, 5, 8, 10] if thorough else [5]:
		var restless := PackedStringArray()
		var awake := 0
		var all := 0
		for k in range(0, 40, 1 if thorough else 4):
			build.call(k)
			var body := await soft(
				{position = Vector2(576, 320), particle_count = Vector2i(count, count)}
			)
			await seconds(SETTLING)
			var speed := await _speed(body)
			all += 1
			awake += int(not body.sleeping)
			if not speed <= REST_SPEED:
				restless.append("%d: %.0f px/s" % [k, speed])
			await clear()
		var name := "%s, %dx%d points" % [what, count, count]
		note("%s: of %d %d awake, restless %s" % [name, all, awake, restless])
		check_eq(restless, PackedStringArray(), name + ": restless")
		# On the edge of a post some creep for longer.
		check_le(awake, all * 0.15, name + ": awake")


func _two_blocks(lower: float, gap: float, at: float) -> void:
	var half := Vector2(200.0 + gap * 0.5, 0.0)
	var middle_at := Vector2(576.0 + at, GROUND + 50.0)
	solid(rectangle(Vector2(400, 100)), middle_at - half)
	solid(rectangle(Vector2(400, 100)), middle_at + half + Vector2(0, lower))


## How fast it is at most in half a second.
func _speed(body: SoftBody2D) -> float:
	var most := 0.0
	for i in roundi(0.5 * Engine.physics_ticks_per_second):
		await ticks(1)
		most = maxf(most, top_speed(body))
	return most
