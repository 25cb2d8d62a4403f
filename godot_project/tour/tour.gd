extends Node
## Plays the demo scenes one after another, takes pictures of them, and prints what they show in
## numbers. Started by `cargo xtask demo` where there is no display.
##
## A scene is `res://demos/NAME/NAME.tscn`. Its root may have
## [codeblock]
## func tour_seconds() -> float  # how long to play it; 6 without
## func tour_act(time: float, delta: float) -> void  # before each tick: plays the user
## func tour_numbers() -> Dictionary  # label -> value, read at the end
## [/codeblock]
## Arguments after `--`: `--only=NAME`, `--pictures=FOLDER`.

const DEMOS := "res://demos"
const DEFAULT_SECONDS := 6.0

## When pictures are taken, as parts of a scene's time.
const PICTURES_AT: Array[float] = [0.0, 0.15, 0.4, 0.7, 1.0]

var _options := {only = "", pictures = ""}
var _scene: Node
var _time := 0.0


func _ready() -> void:
	# The actor moves before the scene does.
	process_physics_priority = -1000
	for argument in OS.get_cmdline_user_args():
		var parts := argument.trim_prefix("--").split("=", true, 1)
		if parts.size() == 2 and parts[0] in _options:
			_options[parts[0]] = parts[1]
		else:
			push_error("The tour knows no argument %s" % argument)
	# A scene may ask for the current scene, and change it.
	get_tree().current_scene = null
	_play_all()


func _physics_process(delta: float) -> void:
	if not is_instance_valid(_scene):
		return
	if _scene.has_method(&"tour_act"):
		_scene.call(&"tour_act", _time, delta)
	_time += delta


func _play_all() -> void:
	await get_tree().process_frame
	var played := 0
	for demo in DirAccess.get_directories_at(DEMOS):
		var path := DEMOS.path_join(demo).path_join(demo + ".tscn")
		if not ResourceLoader.exists(path) or (_options.only and _options.only != demo):
			continue
		await _play(demo, path)
		played += 1
	print("\nPlayed %d demos" % played)
	print("@supple done 0 0")
	get_tree().quit(0 if played else 1)


func _play(demo: String, path: String) -> void:
	var started := Time.get_ticks_msec()
	var packed: PackedScene = load(path)
	_scene = packed.instantiate()
	_time = 0.0
	get_tree().root.add_child(_scene)
	get_tree().current_scene = _scene
	var duration := DEFAULT_SECONDS
	if _scene.has_method(&"tour_seconds"):
		duration = _scene.call(&"tour_seconds")

	var pictures := PackedStringArray()
	for part in PICTURES_AT:
		while _time < part * duration and is_instance_valid(_scene):
			await get_tree().process_frame
		pictures.append(await _picture("%s_%04.1f" % [demo, part * duration]))

	var numbers := {}
	if is_instance_valid(_scene):
		if _scene.has_method(&"tour_numbers"):
			numbers = _scene.call(&"tour_numbers")
	else:
		push_error("%s: the scene went away while it was played" % demo)
	numbers["nodes"] = Performance.get_monitor(Performance.OBJECT_NODE_COUNT)
	numbers["draw calls"] = Performance.get_monitor(Performance.RENDER_TOTAL_DRAW_CALLS_IN_FRAME)
	numbers["game time, s"] = snappedf(_time, 0.01)
	numbers["wall time, s"] = snappedf((Time.get_ticks_msec() - started) / 1000.0, 0.1)
	_print_table(demo, numbers, pictures)

	if is_instance_valid(_scene):
		_scene.queue_free()
	get_tree().current_scene = null
	get_tree().paused = false
	Engine.time_scale = 1.0
	await get_tree().process_frame
	await get_tree().process_frame


func _picture(picture_name: String) -> String:
	await RenderingServer.frame_post_draw
	var image := get_viewport().get_texture().get_image()
	var file: String = _options.pictures.path_join(picture_name.replace(".", "_") + ".png")
	var error := image.save_png(file)
	if error:
		push_error("%s is not saved: %s" % [file, error_string(error)])
	return file.get_file()


func _print_table(demo: String, numbers: Dictionary, pictures: PackedStringArray) -> void:
	print("\n%s" % demo)
	for label: Variant in numbers:
		var value: Variant = numbers[label]
		var text := String.num(value, 4) if value is float else str(value)
		print("  %-32s %s" % [label, text])
	print("  %-32s %s" % ["pictures", " ".join(pictures)])
