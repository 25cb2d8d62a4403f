extends Node2D
## Makes the pictures of the pages under `docs/`, into the folder given after `--`.
##
## Run it in a window: `godot --path godot_project --fixed-fps 60 res://tour/docs_pictures.tscn --
## FOLDER`.

const BACKGROUND := Color(0.12, 0.13, 0.16)
const TEXT := Color(0.75, 0.77, 0.82)
const SIZE := Vector2i(900, 300)

var _folder := "."


func _ready() -> void:
	var arguments := OS.get_cmdline_user_args()
	if arguments:
		_folder = arguments[0]
	get_window().content_scale_mode = Window.CONTENT_SCALE_MODE_DISABLED
	get_window().size = SIZE
	RenderingServer.set_default_clear_color(BACKGROUND)
	await _swing()
	await _shapes()
	await _solvers()
	await _presets()
	await _anchor()
	await _wind()
	await _soft_fall()
	await _soft_presets()
	await _soft_sources()
	get_tree().quit()


## A rope let go from the level: one frozen picture of it every sixth of a second.
func _swing() -> void:
	var rope := _rope(Vector2(450, 30), {"length": 250.0, "end_position": Vector2.RIGHT})
	for i in 8:
		var line := Line2D.new()
		line.points = rope.get_points()
		line.width = 4.0
		line.default_color = Color(rope.default_color, 0.25 + 0.75 * i / 7.0)
		line.joint_mode = Line2D.LINE_JOINT_ROUND
		add_child(line)
		await _ticks(10)
	rope.visible = false
	await _save("rope_swing")


func _shapes() -> void:
	var shapes: Array[Dictionary] = [
		{"start_pinned": true},
		{"end_pinned": true, "end_position": Vector2(130, 0)},
		{"end_pinned": true, "end_position": Vector2(130, 60), "length": 0.0},
		{"end_pinned": true, "end_position": Vector2(130, 130), "length": 100.0},
	]
	var labels := ["start_pinned", "end_pinned", "length = 0", "too far apart"]
	for i in shapes.size():
		_rope(Vector2(60 + 220 * i, 50), shapes[i])
		_label(Vector2(60 + 220 * i, 15), labels[i])
	await _ticks(30)
	await _save("rope_shapes")


func _solvers() -> void:
	for i in 4:
		var relaxed := i < 3
		var passes: int = [2, 8, 32, 12][i]
		var settings := {
			"length": 180.0,
			"segments": 18,
			"end_position": Vector2(1.0, 1.0),
			"solver": int(relaxed),
			"iteration_count": passes,
			"substeps": int(relaxed),
		}
		_rope(Vector2(60 + 220 * i, 50), settings)
		_label(Vector2(60 + 220 * i, 15), "Relaxation, %d passes" % passes if relaxed else "Direct")
	await _ticks(30)
	await _save("rope_solvers")


func _presets() -> void:
	_blow(140.0)
	var names := ["Rope", "Chain", "Cable", "Elastic", "Hair", "Lesson", "Scarf", "Vine"]
	for i in names.size():
		var at := Vector2(50 + 75 * i, 50)
		var rope := _rope(at, {})
		rope.apply_preset(names[i])
		if names[i] == "Hair":
			rope.end_position = Vector2(60, -20)
			rope.length = 90
		_label(at - Vector2(20, 30), names[i])
	var bridge := _rope(Vector2(640, 130), {})
	bridge.apply_preset("Bridge")
	bridge.end_position = Vector2(230, 0)
	_label(Vector2(640, 100), "Bridge")
	await _ticks(120)
	await _save("rope_presets")


func _anchor() -> void:
	var cable := _rope(Vector2(80, 60), {})
	cable.apply_preset("Cable")
	cable.end_pinned = true
	cable.end_position = Vector2(740, 20)
	cable.length = 800
	for offset: float in [180.0, 430.0, 640.0]:
		var anchor := PointAnchor2D.new()
		anchor.rope_offset = offset
		anchor.follow_rotation = true
		var bulb := Polygon2D.new()
		bulb.polygon = PackedVector2Array(
			[Vector2(-4, 2), Vector2(4, 2), Vector2(9, 16), Vector2(0, 25), Vector2(-9, 16)]
		)
		bulb.color = Color(1.0, 0.82, 0.4)
		anchor.add_child(bulb)
		cable.add_child(anchor)
	var hand := PointAnchor2D.new()
	hand.mode = PointAnchor2D.MODE_DRIVE
	hand.point = 50
	cable.add_child(hand)
	hand.global_position = Vector2(640, 120)
	_label(Vector2(150, 250), "three anchors follow, one drives")
	await _ticks(90)
	await _save("point_anchor")


func _wind() -> void:
	_blow(300.0)
	for i in 11:
		var rope := _rope(Vector2(40 + 80 * i, 40), {"length": 150.0})
		rope.apply_preset("Scarf")
	await _ticks(170)
	await _save("wind")


## The same jelly, stopped at eight times.
func _soft_fall() -> void:
	_ground(270.0, SIZE.x)
	var stops: Array[int] = [0, 10, 18, 21, 24, 27, 33, 120]
	var jellies: Array[SoftBody2D] = []
	for i in stops.size():
		jellies.append(_soft(Vector2(62 + 111 * i, 60), {"size": Vector2(90, 90)}))
		jellies[i].linear_velocity = Vector2(0, 350)
	for tick in stops[-1] + 1:
		await _ticks(1)
		if stops.has(tick):
			jellies[stops.find(tick)].process_mode = PROCESS_MODE_DISABLED
	await _save("soft_fall")


## Each preset twice: as it strikes the floor, and below at rest.
func _soft_presets() -> void:
	var names := ["Jelly", "Rubber", "Balloon", "Slime", "Tyre", "Lesson"]
	var dropped: Array[SoftBody2D] = []
	for i in names.size():
		var at := Vector2(80 + 148 * i, 0)
		_label(at + Vector2(-25, 15), names[i])
		_ground(150.0, 140.0, at.x)
		_ground(290.0, 140.0, at.x)
		for low: bool in [false, true]:
			var hangs: bool = names[i] == "Lesson"
			var height := (225.0 if low else 85.0) if hangs or low else 65.0
			var body := _soft(at + Vector2(0, height), {})
			body.apply_preset(names[i])
			body.size = Vector2(84, 84)
			if not low:
				dropped.append(body)
				body.linear_velocity = Vector2(150, 0) if hangs else Vector2(0, 500)
	for tick in 240:
		await _ticks(1)
		if tick == 6:
			for body in dropped:
				body.process_mode = PROCESS_MODE_DISABLED
	await _save("soft_presets")


func _soft_sources() -> void:
	_ground(270.0, SIZE.x)
	var star := PackedVector2Array()
	for i in 10:
		star.append(Vector2.UP.rotated(TAU * i / 10) * (80 if i % 2 == 0 else 42))
	var sources: Array[Dictionary] = [
		{},
		{"source": SoftBody2D.SOURCE_ELLIPSE, "size": Vector2(150, 100)},
		{"source": SoftBody2D.SOURCE_POLYGON, "polygon": star},
		{"source": SoftBody2D.SOURCE_CHILD_POLYGON, "spacing": 14.0},
	]
	var labels := ["Rectangle", "Ellipse", "Polygon", "Child Polygon"]
	for i in sources.size():
		var body := _soft(Vector2(130 + 215 * i, 150), sources[i])
		_label(body.position + Vector2(-45, -125), labels[i])
		if i == 3:
			var picture := Polygon2D.new()
			picture.polygon = PackedVector2Array(
				[Vector2(8, 8), Vector2(120, 8), Vector2(120, 120), Vector2(8, 120)]
			)
			picture.texture = load("res://icon.svg")
			picture.position = Vector2(-64, -64)
			body.add_child(picture)
		body.linear_velocity = Vector2(0, 550)
	await _ticks(10)
	await _save("soft_sources")


func _soft(at: Vector2, settings: Dictionary) -> SoftBody2D:
	var body := SoftBody2D.new()
	for property: String in settings:
		body.set(property, settings[property])
	body.position = at
	add_child(body)
	return body


## A floor whose surface is at a height; without a middle it begins at the left.
func _ground(height: float, width: float, middle: float = -1.0) -> void:
	var size := Vector2(width, 30)
	var ground := StaticBody2D.new()
	ground.position = Vector2(width / 2 if middle < 0 else middle, height + size.y / 2)
	var shape := CollisionShape2D.new()
	var rectangle := RectangleShape2D.new()
	rectangle.size = size
	shape.shape = rectangle
	ground.add_child(shape)
	var look := ColorRect.new()
	look.color = Color(0.3, 0.32, 0.36)
	look.size = Vector2(size.x, minf(size.y, 4.0 if middle >= 0 else size.y))
	look.position = -size / 2
	ground.add_child(look)
	add_child(ground)


func _blow(speed: float) -> void:
	var wind := Wind2D.new()
	wind.velocity = Vector2(speed, 0)
	add_child(wind)


func _rope(at: Vector2, settings: Dictionary) -> VerletRope2D:
	var rope := VerletRope2D.new()
	for property: String in settings:
		rope.set(property, settings[property])
	rope.position = at
	add_child(rope)
	return rope


func _label(at: Vector2, text: String) -> void:
	var label := Label.new()
	label.text = text
	label.position = at - Vector2(0.0, 12.0)
	label.add_theme_color_override("font_color", TEXT)
	label.add_theme_font_size_override("font_size", 15)
	add_child(label)


func _ticks(count: int) -> void:
	for i in count:
		await get_tree().physics_frame


func _save(picture: String) -> void:
	await RenderingServer.frame_post_draw
	await RenderingServer.frame_post_draw
	var image := get_viewport().get_texture().get_image()
	var error := image.save_png(_folder.path_join(picture + ".png"))
	if error:
		push_error("%s was not saved: %s" % [picture, error_string(error)])
	get_children().map(func(child: Node) -> void: child.free())
