extends Control
## Lesson A: the Verlet rope, once as a [VerletRope2D] and once as the lesson's script.
##
## Both have 20 points and 19 links of 18 px. Drag a ring: the rope follows. The readouts compare
## the time of a tick, without drawing, and the worst stretch of a link.

const ScriptRope := preload("res://demos/rope/verlet_rope.gd")
const RopeAnchor := preload("res://demos/rope/anchor.gd")
const LabelledSlider := preload("res://demos/shared/labelled_slider.gd")

const LINK_COUNT := 19
const LINK_LENGTH := 18.0
const TOP_MARGIN := 60.0

## Ticks over which the readouts are averaged.
const WINDOW := 20

## Ticks after a reset that are left out.
const UNCOUNTED := 10

## How far to either side of the anchor copies hang, as a part of the rope's share of the stage.
const COPIES_SPREAD := 0.4
const COPY_COLOR := Color(1.0, 1.0, 1.0, 0.16)

## The faults that the lesson names, and what in the script causes them.
const FAULTS: Array[Dictionary] = [
	{key = "FAULT_NONE"},
	{key = "FAULT_EXPLODES", fixed_step = 0.2},
	{key = "FAULT_GUM", iterations = 1},
	{key = "FAULT_FALLS", anchor_held = false},
	{key = "FAULT_SWINGS", keep = 1.0},
	{key = "FAULT_ZERO", skip_zero = false, coincide = true},
]

## What the tour plays: when it begins, which solver, passes, ropes of each, and fault.
const TOUR: Array[Dictionary] = [
	{at = 0.0, name = "Direct", solver = 0, passes = 12, copies = 1, fault = 0},
	{at = 3.5, name = "Relaxation, 2 passes", solver = 1, passes = 2, copies = 1, fault = 0},
	{at = 7.0, name = "Relaxation, 8 passes", solver = 1, passes = 8, copies = 1, fault = 0},
	{at = 9.5, name = "Relaxation, 32 passes", solver = 1, passes = 32, copies = 1, fault = 0},
	{at = 12.0, name = "Direct, 24 ropes", solver = 0, passes = 12, copies = 24, fault = 0},
]
const TOUR_SECONDS := 15.0

## Time of a tick of all ropes in ms, averaged.
var supple_ms := 0.0
var script_ms := 0.0

## Worst stretch of a link in the last readout's ticks; 0.01 is 1 %.
var supple_stretch := 0.0
var script_stretch := 0.0

var _grabbed: RopeAnchor
var _grab_offset := Vector2.ZERO
var _sums := PackedFloat64Array([0.0, 0.0, 0.0, 0.0])
var _awake_ticks := 0
var _ticks := 0
var _tour_part := -1
var _tour_numbers := {}

@onready var _stage: Control = %Stage
@onready var _supple_anchor: RopeAnchor = %SuppleAnchor
@onready var _script_anchor: RopeAnchor = %ScriptAnchor
@onready var _supple_rope: VerletRope2D = %SuppleRope
@onready var _script_rope: ScriptRope = %ScriptRope
@onready var _supple_copies: Node2D = %SuppleCopies
@onready var _script_copies: Node2D = %ScriptCopies
@onready var _direct: Button = %Direct
@onready var _relaxation: Button = %Relaxation
@onready var _solver_about: Label = %SolverAbout
@onready var _passes: LabelledSlider = %Passes
@onready var _damping: LabelledSlider = %Damping
@onready var _copies: LabelledSlider = %Copies
@onready var _together: CheckButton = %Together
@onready var _fault: OptionButton = %Fault
@onready var _fault_about: Label = %FaultAbout


func _ready() -> void:
	for fault in FAULTS:
		_fault.add_item(fault.key)
	_stage.resized.connect(reset)
	_direct.pressed.connect(_apply)
	_relaxation.pressed.connect(_apply)
	_passes.value_changed.connect(_apply.unbind(1))
	_damping.value_changed.connect(_apply.unbind(1))
	_copies.value_changed.connect(_on_copies_changed)
	_fault.item_selected.connect(_on_fault_selected)
	%Reset.pressed.connect(reset)
	_apply()
	reset.call_deferred()


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_LEFT:
		_grab(event.position if event.pressed else Vector2.INF)
	elif event is InputEventMouseMotion:
		if _grabbed:
			_drag(event.position)
		else:
			_hover(event.position)


## The world has stepped by now: its nodes have a lower priority.
func _physics_process(_delta: float) -> void:
	_measure()


## Both anchors go home, and the ropes hang at rest.
func reset() -> void:
	_supple_anchor.place(Vector2(_stage.size.x * 0.25, TOP_MARGIN))
	_script_anchor.place(Vector2(_stage.size.x * 0.75, TOP_MARGIN))
	_place_copies()
	for rope in _supple_ropes():
		rope.reset()
	for rope in _script_ropes():
		rope.reset()
	_sums.fill(0.0)
	_ticks = -UNCOUNTED
	_awake_ticks = 0


# --- Dragging --------------------------------------------------------------------------------


## Takes the anchor of the half in which the pointer is; INF lets it go.
func _grab(at: Vector2) -> void:
	_grabbed = null
	if at.is_finite() and _stage.get_rect().has_point(at):
		_grabbed = _nearest_anchor(at)
		# The ring itself is held where it is touched; from elsewhere it comes.
		_grab_offset = _grabbed.target - at
		if _grab_offset.length() > 3.0 * RopeAnchor.RADIUS:
			_grab_offset = Vector2.ZERO
		_drag(at)
	_hover(at)


func _drag(at: Vector2) -> void:
	var motion := at + _grab_offset - _grabbed.target
	_grabbed.target += motion
	if _together.button_pressed:
		var other := _script_anchor if _grabbed == _supple_anchor else _supple_anchor
		other.target += motion


func _hover(at: Vector2) -> void:
	var near := _nearest_anchor(at) if at.is_finite() else null
	for anchor: RopeAnchor in [_supple_anchor, _script_anchor]:
		var touched: bool = (
			anchor == near and at.distance_to(anchor.position) < 3.0 * RopeAnchor.RADIUS
		)
		anchor.lively = anchor == _grabbed or (touched and not _grabbed)


func _nearest_anchor(at: Vector2) -> RopeAnchor:
	var to_supple := at.distance_squared_to(_supple_anchor.position)
	var to_script := at.distance_squared_to(_script_anchor.position)
	return _supple_anchor if to_supple <= to_script else _script_anchor


# --- The panel -------------------------------------------------------------------------------


func _apply() -> void:
	var direct := _direct.button_pressed
	_solver_about.text = "ROPE_DIRECT_ABOUT" if direct else "ROPE_RELAXATION_ABOUT"
	for rope in _supple_ropes():
		_set_up(rope)
	var fault := FAULTS[_fault.selected]
	_fault_about.text = fault.key + "_ABOUT"
	for rope in _script_ropes():
		rope.iterations = fault.get("iterations", int(_passes.value))
		# 0.99 a tick is a damping of 0.6 a second.
		rope.keep = fault.get("keep", 1.0 - _damping.value / 60.0)
		rope.fixed_step = fault.get("fixed_step", 0.0)
		rope.anchor_held = fault.get("anchor_held", true)
		rope.skip_zero = fault.get("skip_zero", true)


func _set_up(rope: VerletRope2D) -> void:
	rope.length = LINK_COUNT * LINK_LENGTH
	rope.segments = LINK_COUNT
	rope.linear_damp = _damping.value
	rope.solver = 0 if _direct.button_pressed else 1
	rope.iteration_count = int(_passes.value)


func _on_fault_selected(_index: int) -> void:
	_apply()
	for rope in _script_ropes():
		rope.reset()
		rope.coincide = FAULTS[_fault.selected].get("coincide", false)


func _on_copies_changed(count: float) -> void:
	var wanted := int(count) - 1
	while _supple_copies.get_child_count() > wanted:
		for copies: Node2D in [_supple_copies, _script_copies]:
			var last := copies.get_child(-1)
			copies.remove_child(last)
			last.queue_free()
	while _supple_copies.get_child_count() < wanted:
		_add_copies()
	_apply()
	_place_copies()
	for copies: Node2D in [_supple_copies, _script_copies]:
		for rope in copies.get_children():
			rope.call(&"reset")


func _add_copies() -> void:
	var native := VerletRope2D.new()
	native.width = _supple_rope.width
	native.default_color = Color.WHITE
	native.air_drag = _supple_rope.air_drag
	native.self_modulate = COPY_COLOR
	_set_up(native)
	_supple_copies.add_child(native)
	var script := ScriptRope.new()
	script.dots = false
	script.self_modulate = COPY_COLOR
	_script_copies.add_child(script)


func _place_copies() -> void:
	var half := _stage.size.x * 0.5 * COPIES_SPREAD
	for copies: Node2D in [_supple_copies, _script_copies]:
		for i in copies.get_child_count():
			# Evenly spread however many there are (golden ratio).
			var part := fposmod(0.5 + (i + 1) * 0.618034, 1.0) * 2.0 - 1.0
			(copies.get_child(i) as Node2D).position = Vector2(part * half, 0.0)


func _supple_ropes() -> Array[VerletRope2D]:
	var ropes: Array[VerletRope2D] = [_supple_rope]
	ropes.append_array(_supple_copies.get_children())
	return ropes


func _script_ropes() -> Array[ScriptRope]:
	var ropes: Array[ScriptRope] = [_script_rope]
	ropes.append_array(_script_copies.get_children())
	return ropes


# --- Numbers ---------------------------------------------------------------------------------


func _measure() -> void:
	_ticks += 1
	if _ticks <= 0:
		return
	var script_usec := 0
	for rope in _script_ropes():
		script_usec += rope.tick_usec
	_sums[1] += script_usec / 1000.0
	if not _supple_rope.sleeping and Performance.has_custom_monitor(&"supple/step_ms"):
		_awake_ticks += 1
		_sums[0] += Performance.get_custom_monitor(&"supple/gather_ms")
		_sums[0] += Performance.get_custom_monitor(&"supple/step_ms")
	_sums[2] = maxf(_sums[2], _worst_stretch(_supple_rope.get_points()))
	_sums[3] = maxf(_sums[3], _worst_stretch(_script_rope.points))
	if _ticks < WINDOW:
		return
	script_ms = _sums[1] / _ticks
	if _awake_ticks > 0:
		supple_ms = _sums[0] / _awake_ticks
	supple_stretch = _sums[2]
	script_stretch = _sums[3]
	_sums.fill(0.0)
	_ticks = 0
	_awake_ticks = 0
	_show_numbers()


func _worst_stretch(points: PackedVector2Array) -> float:
	var worst := 0.0
	for i in points.size() - 1:
		var length := points[i].distance_to(points[i + 1])
		# Written so that NaN, of a broken rope, gets through.
		if not length <= worst * LINK_LENGTH + LINK_LENGTH:
			worst = length / LINK_LENGTH - 1.0
			if is_nan(worst):
				break
	return worst


func _show_numbers() -> void:
	var asleep := _supple_rope.sleeping
	%SuppleTime.text = "0 ms" if asleep else _time_text(supple_ms)
	%SuppleTimeUnit.text = "ROPE_ASLEEP" if asleep else "ROPE_TIME"
	%ScriptTime.text = _time_text(script_ms)
	%SuppleStretch.text = _stretch_text(supple_stretch)
	%ScriptStretch.text = _stretch_text(script_stretch)
	var ratio := script_ms / supple_ms if supple_ms > 0.0 else 0.0
	# A broken script is no measure, and rest cannot be divided by.
	%Faster.visible = ratio > 0.0 and _fault.selected == 0 and not asleep
	var digits := 0 if ratio >= 10.0 else 1
	%FasterRatio.text = String.num(ratio, digits) + "×"


func _time_text(milliseconds: float) -> String:
	return "%.4f ms" % milliseconds if milliseconds < 0.1 else "%.2f ms" % milliseconds


func _stretch_text(stretch: float) -> String:
	if is_nan(stretch):
		return "NaN"
	if stretch >= 100.0:
		return "> 9999 %"
	return "%.2f %%" % (stretch * 100.0) if stretch < 0.1 else "%.0f %%" % (stretch * 100.0)


# --- The tour --------------------------------------------------------------------------------


## How long the tour plays this demo.
func tour_seconds() -> float:
	return TOUR_SECONDS


## Drags the ring with the mouse, and tries both solvers.
func tour_act(time: float, _delta: float) -> void:
	var part := 0
	while part + 1 < TOUR.size() and time >= TOUR[part + 1].at:
		part += 1
	if part != _tour_part:
		_tour_note()
		_tour_part = part
		_direct.button_pressed = TOUR[part].solver == 0
		_relaxation.button_pressed = TOUR[part].solver == 1
		_passes.value = TOUR[part].passes
		_copies.value = TOUR[part].copies
		_fault.select(TOUR[part].fault)
		_apply()
		reset()
		_tour_button(false)
		_tour_button(true)
	var swing := time - float(TOUR[part].at)
	var home := Vector2(_stage.size.x * 0.25, TOP_MARGIN)
	var reach := Vector2(90.0 * sin(swing * 3.1), 18.0 * (1.0 - cos(swing * 2.0)))
	var motion := InputEventMouseMotion.new()
	motion.position = home + reach
	motion.global_position = motion.position
	motion.button_mask = MOUSE_BUTTON_MASK_LEFT
	get_viewport().push_input(motion, true)


## What was measured during the tour.
func tour_numbers() -> Dictionary:
	_tour_note()
	_tour_button(false)
	return _tour_numbers


func _tour_button(pressed: bool) -> void:
	var click := InputEventMouseButton.new()
	click.button_index = MOUSE_BUTTON_LEFT
	click.pressed = pressed
	click.position = _supple_anchor.target
	click.global_position = click.position
	get_viewport().push_input(click, true)


func _tour_note() -> void:
	if _tour_part < 0:
		return
	var part: String = TOUR[_tour_part].name
	_tour_numbers[part + ": stretch, %"] = supple_stretch * 100.0
	_tour_numbers[part + ": ms"] = supple_ms
	_tour_numbers[part + ": times as fast as script"] = script_ms / maxf(supple_ms, 1e-6)
	_tour_numbers[part + ": stretch of script, %"] = script_stretch * 100.0
