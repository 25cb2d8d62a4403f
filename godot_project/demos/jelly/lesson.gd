extends Node2D
## Lesson D: the soft body, once as a [SoftBody2D] with the preset Lesson and once as the lesson's
## script.
##
## Both hang by their top rows and have the same settings. The sliders have the Inspector's names.

const LessonSoftBody := preload("res://demos/jelly/lesson_soft_body.gd")
const LabelledSlider := preload("res://demos/shared/labelled_slider.gd")
const SLIDER := preload("res://demos/shared/labelled_slider.tscn")

## The sliders of the panel, by the groups of the Inspector. What the script has too is set on both.
const SLIDERS: Array[Dictionary] = [
	{group = "JELLY_SIMULATION"},
	{name = &"stiffness", least = 1.0, most = 100000.0, step = 1.0, exponential = true},
	{name = &"damping", most = 100.0, step = 0.5, format = "%.1f kg/s"},
	{name = &"particle_count", least = 2.0, most = 24.0, step = 1.0},
	{
		name = &"particle_mass",
		least = 0.001,
		most = 10.0,
		step = 0.001,
		exponential = true,
		format = "%.3f kg"
	},
	{name = &"iteration_count", most = 20.0, step = 1.0},
	{name = &"gravity_scale", least = -2.0, most = 4.0, step = 0.05, format = "%.2f"},
	{group = "JELLY_MATERIAL"},
	{name = &"area_stiffness", least = 1.0, most = 10000.0, step = 1.0, exponential = true},
	{name = &"pressure", most = 1000.0, step = 1.0},
	{name = &"shape_memory", most = 1.0, step = 0.01, format = "%.2f"},
	{name = &"shear_ratio", most = 1.0, step = 0.01, format = "%.2f"},
	{name = &"plasticity", most = 1.0, step = 0.01, format = "%.2f"},
	{name = &"max_stretch", most = 4.0, step = 0.05, format = "%.2f"},
]

## Ticks over which the readouts are averaged.
const WINDOW := 30

## How far a point of the script's body may get from its node before it counts as exploded, in px,
## and how fast its points may be on average while nobody drags them, in px/s.
const FARTHEST := 350.0
const FASTEST := 700.0

## For how long they are as fast, in s: a body that is let go is fast too.
const FAST_SECONDS := 0.3

## After what time an explosion is cleared away, in s.
const CLEAR_SECONDS := 2.0

## Who has not been touched for so long, in s, should be at rest: slower than so many px/s.
const CALM_SECONDS := 6.0
const CALM_SPEED := 10.0

## Time of a tick in ms, averaged, without drawing.
var supple_ms := 0.0
var script_ms := 0.0

## How often the script exploded.
var explosions := 0

var _sliders := {}
var _supple_sum := 0.0
var _script_sum := 0.0
var _ticks := 0
var _awake_ticks := 0
var _exploded_for := 0.0
var _fast_for := 0.0
var _calm_for := 0.0
var _hand := -1

@onready var _supple: SoftBody2D = %SuppleBody
@onready var _script: LessonSoftBody = %ScriptBody
@onready var _controls: Control = %LessonControls
@onready var _together: CheckButton = %Together


func _ready() -> void:
	_supple.apply_preset("Lesson")
	for entry in SLIDERS:
		if entry.has("group"):
			_add_heading(entry.group)
		else:
			_add_slider(entry)


## Sees what is dragged before the bodies do, and drags the other one along.
func _input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_LEFT:
		_let_go()
		if event.pressed and _together.button_pressed:
			_grab_other(_place_of(event))
	elif event is InputEventMouseMotion and event.button_mask & MOUSE_BUTTON_MASK_LEFT:
		_calm_for = 0.0
		var apart := _script.global_position - _supple.global_position
		if _hand >= 0:
			_supple.drag(_hand, _place_of(event) - apart)
		elif _together.button_pressed and not _is_right(_place_of(event)):
			_script.drag(_place_of(event) + apart)


## The world has stepped by now: its nodes have a lower priority.
func _physics_process(delta: float) -> void:
	_measure()
	_look_for_faults(delta)


## Both hang still.
func reset() -> void:
	_let_go()
	_supple.reset()
	_script.reset()
	_exploded_for = 0.0
	_fast_for = 0.0
	_calm_for = 0.0
	_show_fault("")


## Moves one of the sliders.
func set_slider(property: StringName, value: float) -> void:
	(_sliders[property] as LabelledSlider).value = value


# --- The panel -------------------------------------------------------------------------------


func _add_heading(text: String) -> void:
	var heading := Label.new()
	heading.text = text
	heading.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	heading.custom_minimum_size.y = 24.0
	_controls.add_child(heading)


func _add_slider(entry: Dictionary) -> void:
	var slider: LabelledSlider = SLIDER.instantiate()
	slider.name = String(entry.name).to_pascal_case()
	# Properties have the same names in all languages.
	slider.text = String(entry.name).capitalize()
	slider.auto_translate_mode = AUTO_TRANSLATE_MODE_DISABLED
	slider.min_value = entry.get("least", 0.0)
	slider.max_value = entry.most
	slider.step = entry.step
	slider.exponential = entry.get("exponential", false)
	slider.format = entry.get("format", "%d")
	var value: Variant = _supple.get(entry.name)
	slider.value = value.x if value is Vector2i else value
	_controls.add_child(slider)
	_sliders[entry.name] = slider
	slider.value_changed.connect(_on_slid.bind(entry.name))


func _on_slid(value: float, property: StringName) -> void:
	_calm_for = 0.0
	var given: Variant = value
	if property == &"particle_count":
		given = Vector2i.ONE * int(value)
	elif property == &"iteration_count":
		given = int(value)
	_supple.set(property, given)
	if property in _script:
		_script.set(property, given)
		if property == &"particle_count":
			_script.reset()


# --- Dragging both ---------------------------------------------------------------------------


func _place_of(event: InputEventMouse) -> Vector2:
	return get_canvas_transform().affine_inverse() * event.position


func _is_right(at: Vector2) -> bool:
	return at.x > (_supple.global_position.x + _script.global_position.x) * 0.5


func _grab_other(at: Vector2) -> void:
	var apart := _script.global_position - _supple.global_position
	if not _is_right(at):
		_script.grab(at + apart)
	elif not _near_panel(at):
		_hand = _supple.grab(at - apart, LessonSoftBody.GRAB_DISTANCE)


func _near_panel(at: Vector2) -> bool:
	var stage: Control = %Stage
	return not stage.get_rect().has_point(get_canvas_transform() * at)


func _let_go() -> void:
	if _hand >= 0:
		_supple.release(_hand)
	_hand = -1
	_script.release()


# --- Numbers and faults ----------------------------------------------------------------------


func _measure() -> void:
	_ticks += 1
	_script_sum += _script.tick_usec / 1000.0
	if not _supple.sleeping:
		_awake_ticks += 1
		for monitor: StringName in [&"supple/gather_ms", &"supple/step_ms"]:
			if Performance.has_custom_monitor(monitor):
				_supple_sum += Performance.get_custom_monitor(monitor)
	if _ticks < WINDOW:
		return
	script_ms = _script_sum / _ticks
	if _awake_ticks > 0:
		supple_ms = _supple_sum / _awake_ticks
	_ticks = 0
	_awake_ticks = 0
	_supple_sum = 0.0
	_script_sum = 0.0
	var asleep := _supple.sleeping
	%SuppleTime.text = "0 ms" if asleep else "%.3f ms" % supple_ms
	%SuppleTimeUnit.text = "JELLY_ASLEEP" if asleep else "JELLY_TIME"
	%ScriptTime.text = "%.3f ms" % script_ms
	%Faster.visible = not asleep and supple_ms > 0.0
	%FasterRatio.text = "%.0f×" % (script_ms / maxf(supple_ms, 1e-6))


## Tells what is wrong with the script's body, and clears it away when it has exploded.
func _look_for_faults(delta: float) -> void:
	if _exploded_for > 0.0:
		_exploded_for += delta
		if _exploded_for > CLEAR_SECONDS:
			reset()
		return
	_calm_for += delta
	var farthest := 0.0
	var speed := 0.0
	for point in _script.points:
		# Written so that NaN gets through.
		var distance := point.position.distance_to(_script.global_position)
		if not distance <= farthest:
			farthest = distance
		speed += point.position.distance_to(point.previous) / delta / _script.points.size()
	_fast_for = _fast_for + delta if speed > FASTEST else 0.0
	if not farthest <= FARTHEST or _fast_for > FAST_SECONDS:
		explosions += 1
		_exploded_for = delta
		_show_fault("JELLY_EXPLODED")
	elif _calm_for < CALM_SECONDS:
		_show_fault("")
	elif speed > CALM_SPEED:
		_show_fault("JELLY_TREMBLES")
	elif _is_folded():
		_show_fault("JELLY_FOLDED")


func _show_fault(text: String) -> void:
	%ScriptFault.text = text


## Whether a cell of the script's grid is inside out.
func _is_folded() -> bool:
	var across := _script.particle_count.x
	for i in _script.points.size() - across:
		if i % across == across - 1:
			continue
		var right := _script.points[i + 1].position
		var below := _script.points[i + across].position
		for corner: Vector2 in [
			_script.points[i].position, right + below - _script.points[i + across + 1].position
		]:
			if (right - corner).cross(below - corner) < 0.0:
				return true
	return false
