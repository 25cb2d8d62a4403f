extends SoftBody2D
## A button of jelly: it quivers under the mouse, dents when it is pressed, and works as a [Button].
##
## Its child [code]Button[/code] is not seen: it has the focus and the keys, and tells when it is
## pressed. The mouse is felt by the body itself, so that what counts is the shape that is seen.

## It was clicked, or chosen with the keys.
signal chosen

## How strongly the mouse ripples it where it comes in and goes out, in kg px/s, and how far, in px.
const RIPPLE := 420.0
const RIPPLE_RADIUS := 110.0

## How strongly it strokes it on its way, in kg px/s for each px, and from how far behind, in px.
const STROKE := 12.0
const BEHIND := 40.0

## How hard it is pressed, in kg px/s², and how far around the mouse, in px.
const PRESS := 30000.0
const PRESS_RADIUS := 60.0

## How strongly it throbs while it has the focus, in kg px/s², and how often, in 1/s.
const THROB := 260.0
const THROBS := 1.4

## Its text: a translation key.
@export var text := ""

## Its colour.
@export var tint := Color(1, 0.45, 0.6):
	set(value):
		tint = value
		_paint()

var is_hovered := false
var is_held := false

var _mouse := Vector2.ZERO
var _time := 0.0

@onready var _button: Button = $Button
@onready var _label: Label = $Label


func _ready() -> void:
	_label.text = text
	mouse_entered.connect(_on_mouse_entered)
	mouse_exited.connect(_on_mouse_exited)
	input_event.connect(_on_input_event)
	_button.pressed.connect(_on_chosen)
	_button.focus_entered.connect(_paint)
	_button.focus_exited.connect(_paint)
	_paint()


func _input(event: InputEvent) -> void:
	var mouse := event as InputEventMouse
	if mouse:
		_mouse = get_canvas_transform().affine_inverse() * mouse.position
	# It may be let go anywhere; the signals tell only of what is on it.
	var click := event as InputEventMouseButton
	if is_held and click and click.button_index == MOUSE_BUTTON_LEFT and not click.pressed:
		_on_mouse_released()


func _physics_process(delta: float) -> void:
	_time += delta
	if is_held:
		_press_in()
	elif has_focus():
		var swell := sin(_time * TAU * THROBS) * THROB * delta
		apply_radial_impulse(get_center(), swell, size.x)


func _process(_delta: float) -> void:
	# The label rides on the body: it goes along with the middle, and leans with it.
	var middle := Vector2.ZERO
	var points := get_points()
	for point in points:
		middle += to_local(point) / points.size()
	_label.position = middle - _label.size * 0.5
	_label.scale = _label.scale.lerp(Vector2.ONE * (0.93 if is_held else 1.0), 0.3)


## Whether the keys act on it.
func has_focus() -> bool:
	return _button.has_focus()


## Gives it the keys.
func grab_focus() -> void:
	_button.grab_focus()


func _on_mouse_entered() -> void:
	is_hovered = true
	apply_radial_impulse(_mouse, RIPPLE, RIPPLE_RADIUS)
	_paint()


func _on_mouse_exited() -> void:
	is_hovered = false
	apply_radial_impulse(_mouse, -RIPPLE * 0.7, RIPPLE_RADIUS)
	_paint()


func _on_input_event(_viewport: Node, event: InputEvent, _shape_idx: int) -> void:
	var click := event as InputEventMouseButton
	var motion := event as InputEventMouseMotion
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		is_held = true
		grab_focus()
		_paint()
	elif motion:
		# Pushes it along, from a little behind the mouse.
		var behind := _mouse - motion.relative.normalized() * BEHIND
		var strength := minf(motion.relative.length() * STROKE, RIPPLE)
		apply_radial_impulse(behind, strength, RIPPLE_RADIUS)


func _on_mouse_released() -> void:
	is_held = false
	_paint()
	if is_hovered:
		chosen.emit()


## With the keys: it is struck in its middle.
func _on_chosen() -> void:
	apply_radial_impulse(get_center() - Vector2(0, size.y), RIPPLE * 2.0, size.x)
	chosen.emit()


## Presses it in below the finger, most from above.
func _press_in() -> void:
	var points := get_points()
	for i in points.size():
		var near := exp(-pow((points[i].x - _mouse.x) / PRESS_RADIUS, 2.0))
		var above := clampf(0.5 - to_local(points[i]).y / size.y, 0.0, 1.0)
		apply_point_force(i, Vector2(0, PRESS * near * above / points.size()))


func _paint() -> void:
	if not is_node_ready():
		return
	z_index = int(is_held)
	color = tint.darkened(0.12) if is_held else tint.lightened(0.18 if is_hovered else 0.0)
	outline_color = Color.WHITE if has_focus() else tint.darkened(0.42)
