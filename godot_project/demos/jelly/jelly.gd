extends Node2D
## Soft bodies: the lesson's, native and as a script, and a shelf of toys.

const LabelledSlider := preload("res://demos/shared/labelled_slider.gd")
const Lesson := preload("res://demos/jelly/lesson.gd")
const Shelf := preload("res://demos/jelly/shelf.gd")

## What is in view at least on each page, in px.
const VIEWS: Array[Rect2] = [Rect2(0, 0, 520, 405), Rect2(-10, 966, 1000, 797)]
const TITLES: PackedStringArray = ["JELLY_LESSON_ABOUT", "JELLY_SHELF_ABOUT"]
const HINTS: PackedStringArray = ["JELLY_LESSON_HINT", "JELLY_SHELF_HINT"]
const HINT_COLORS: PackedColorArray = [Color(0.6, 0.65, 0.76), Color(0.36, 0.22, 0.18)]

## How often the counters are written, in s.
const COUNT_SECONDS := 0.5

## When the tour does what, in s: drags the hanging bodies, breaks the script's, and plays with the
## toys.
const TOUR_DRAG := Vector2(1.0, 2.2)
const TOUR_BREAK := 5.0
const TOUR_DRAG_AGAIN := Vector2(5.2, 6.2)
const TOUR_SHELF := 9.0
const TOUR_TOY := Vector2(12.5, 13.7)
const TOUR_SHAKE := 16.0
const TOUR_SECONDS := 20.0

var page := 0:
	set = show_page

var _milliseconds := 0.0
var _ticks := 0
var _count_in := COUNT_SECONDS
var _tour_at := Vector2.ZERO
var _tour_numbers := {}

@onready var _camera: Camera2D = %Camera
@onready var _stage: Control = %Stage
@onready var _lesson: Lesson = %Lesson
@onready var _shelf: Shelf = %Shelf
@onready var _pages: Array[Node2D] = [%Lesson, %Shelf]
@onready var _tabs: Array[Button] = [%LessonTab, %ShelfTab]
@onready var _controls: Array[Control] = [%LessonControls, %ShelfControls]


func _ready() -> void:
	_stage.resized.connect(_fit)
	for i in _tabs.size():
		_tabs[i].pressed.connect(show_page.bind(i))
	%TimeSpeed.value_changed.connect(_on_time_changed)
	%Firmness.value_changed.connect(_on_firmness_changed)
	%Points.toggled.connect(_show_points)
	%Shake.pressed.connect(_shelf.shake)
	%Reset.pressed.connect(reset)
	# The keys are for the pages, not for the button that was clicked last.
	for control: Control in %Panel.find_children("*", "Control", true, false):
		control.focus_mode = Control.FOCUS_NONE
	show_page.call_deferred(page)


func _exit_tree() -> void:
	Engine.time_scale = 1.0


func _unhandled_key_input(event: InputEvent) -> void:
	if not event.is_pressed() or event.is_echo():
		return
	match event.physical_keycode:
		KEY_TAB:
			page = 1 - page
		KEY_1:
			page = 0
		KEY_2:
			page = 1
		KEY_R:
			reset()
		KEY_SPACE:
			if page == 1:
				_shelf.shake()


func _process(delta: float) -> void:
	_count_in -= delta / Engine.time_scale
	if _count_in <= 0.0 and _ticks > 0:
		_count_in = COUNT_SECONDS
		var frames := Engine.get_frames_per_second()
		%Counters.text = "%d FPS   %.2f ms" % [frames, _milliseconds / _ticks]
		_milliseconds = 0.0
		_ticks = 0


## The world has stepped by now: its nodes have a lower priority.
func _physics_process(_delta: float) -> void:
	_ticks += 1
	for monitor: StringName in [&"supple/gather_ms", &"supple/step_ms"]:
		if Performance.has_custom_monitor(monitor):
			_milliseconds += Performance.get_custom_monitor(monitor)


## Shows one of the pages; the other one stands still.
func show_page(index: int) -> void:
	page = index
	if not is_node_ready():
		return
	for i in _pages.size():
		var shown := i == page
		_pages[i].visible = shown
		_pages[i].process_mode = PROCESS_MODE_INHERIT if shown else PROCESS_MODE_DISABLED
		_controls[i].visible = shown
		_tabs[i].set_pressed_no_signal(shown)
	%Readouts.visible = page == 0
	%About.text = TITLES[page]
	%Hint.text = HINTS[page]
	%Hint.add_theme_color_override(&"font_color", HINT_COLORS[page])
	_fit()


## Everything on the page begins anew.
func reset() -> void:
	if page == 0:
		_lesson.reset()
	else:
		_shelf.reset()


# --- The view and the panel ------------------------------------------------------------------


## Shows the whole page in the middle of the stage, however large the window is.
func _fit() -> void:
	var view := VIEWS[page]
	var zoom := minf(_stage.size.x / view.size.x, _stage.size.y / view.size.y)
	_camera.zoom = Vector2(zoom, zoom)
	_camera.position = view.get_center() - _stage.size * 0.5 / zoom
	# The numbers stand below the bodies.
	var width := VIEWS[0].size.x * zoom
	%Readouts.offset_left = width * -0.5
	%Readouts.offset_right = width * 0.5


func _on_time_changed(percent: float) -> void:
	Engine.time_scale = percent / 100.0


func _on_firmness_changed(percent: float) -> void:
	_shelf.set_firmness(percent / 100.0)


func _show_points(shown: bool) -> void:
	get_tree().set_group(&"soft_bodies", &"debug_enabled", shown)
	%ScriptBody.show_points = shown


# --- The tour --------------------------------------------------------------------------------


## How long the tour plays this demo.
func tour_seconds() -> float:
	return TOUR_SECONDS


## Drags the lesson's bodies, makes the script explode, and plays with the shelf.
func tour_act(time: float, delta: float) -> void:
	if _passes(TOUR_BREAK, time, delta):
		_tour_note("soft")
		_lesson.set_slider(&"stiffness", 75000.0)
	if _passes(TOUR_SHELF, time, delta):
		_tour_note("stiff")
		_lesson.set_slider(&"stiffness", 200.0)
		_tour_key(KEY_2)
	if _passes(TOUR_SHAKE, time, delta):
		_tour_key(KEY_SPACE)
	for drag: Vector2 in [TOUR_DRAG, TOUR_DRAG_AGAIN]:
		var edge := Vector2(130, 174)
		_tour_drag(drag, edge, edge + Vector2(70, 60), time, delta)
	var toy: Node2D = %Shelf/Jelly
	_tour_drag(TOUR_TOY, toy.global_position, Vector2(90, 1100), time, delta)


## What was measured during the tour.
func tour_numbers() -> Dictionary:
	_tour_numbers["toys"] = %Shelf.toys().size()
	_tour_numbers["ms of the shelf"] = Performance.get_custom_monitor(&"supple/step_ms")
	return _tour_numbers


func _tour_note(part: String) -> void:
	_tour_numbers[part + ": ms"] = _lesson.supple_ms
	_tour_numbers[part + ": ms of script"] = _lesson.script_ms
	_tour_numbers[part + ": explosions of script"] = _lesson.explosions


## Drags from one place to another while it is time for that.
func _tour_drag(when: Vector2, from: Vector2, to: Vector2, time: float, delta: float) -> void:
	if _passes(when.x, time, delta):
		_tour_at = from
		_tour_button(true)
	elif time > when.x and time < when.y:
		_tour_move(_tour_at.move_toward(to, from.distance_to(to) * 0.04 + 3.0))
	elif _passes(when.y, time, delta):
		_tour_button(false)


func _passes(moment: float, time: float, delta: float) -> bool:
	return time >= moment and time - delta < moment


func _tour_button(pressed: bool) -> void:
	var click := InputEventMouseButton.new()
	click.button_index = MOUSE_BUTTON_LEFT
	click.pressed = pressed
	click.position = get_canvas_transform() * _tour_at
	click.global_position = click.position
	get_viewport().push_input(click, true)


func _tour_move(to: Vector2) -> void:
	var motion := InputEventMouseMotion.new()
	motion.position = get_canvas_transform() * to
	motion.global_position = motion.position
	motion.relative = motion.position - get_canvas_transform() * _tour_at
	motion.button_mask = MOUSE_BUTTON_MASK_LEFT
	_tour_at = to
	get_viewport().push_input(motion, true)


func _tour_key(code: Key) -> void:
	for pressed: bool in [true, false]:
		var event := InputEventKey.new()
		event.keycode = code
		event.physical_keycode = code
		event.pressed = pressed
		Input.parse_input_event(event)
