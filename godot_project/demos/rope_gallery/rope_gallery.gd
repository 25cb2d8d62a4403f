extends Node2D
## A corner of a harbour at dusk: what ropes are good for, each made from a preset.
##
## Drag the ropes with the left button, cut the bucket's rope with a stroke of the right one.

const LabelledSlider := preload("res://demos/shared/labelled_slider.gd")

## What is in view at least, in px; it stands on the lower edge.
const VIEW := Vector2(880.0, 648.0)

const STROKE_SECONDS := 0.25

var _stroke_from := Vector2.INF

@onready var _stage: Control = %Stage
@onready var _camera: Camera2D = %Camera
@onready var _wind: Wind2D = %Wind
@onready var _wind_speed: LabelledSlider = %WindSpeed
@onready var _time_speed: LabelledSlider = %TimeSpeed
@onready var _points: CheckButton = %Points
@onready var _stroke: Line2D = %Stroke
@onready var _tag: Control = %FigureTag
@onready var _figure: Node2D = %Figure
@onready var _bucket: Node2D = %Bucket


func _ready() -> void:
	_stage.resized.connect(_fit)
	_wind_speed.value_changed.connect(_on_wind_changed)
	_time_speed.value_changed.connect(_on_time_changed)
	_points.toggled.connect(_show_points)
	%Cut.pressed.connect(_bucket.cut)
	%Reset.pressed.connect(reset)
	_on_wind_changed(_wind_speed.value)
	_fit.call_deferred()


func _exit_tree() -> void:
	Engine.time_scale = 1.0


func _physics_process(_delta: float) -> void:
	_tag.position.x = _figure.position.x - _tag.size.x * 0.5


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_RIGHT:
		_stroke_from = _in_world(event.position) if event.pressed else Vector2.INF
		if event.pressed:
			_stroke.clear_points()
			_stroke.add_point(_stroke_from)
			_stroke.modulate.a = 1.0
		else:
			create_tween().tween_property(_stroke, ^"modulate:a", 0.0, STROKE_SECONDS)
	elif event is InputEventMouseMotion and _stroke_from.is_finite():
		var to := _in_world(event.position)
		_bucket.stroke(_stroke_from, to)
		_stroke_from = to
		_stroke.add_point(to)


## Everything begins anew.
func reset() -> void:
	get_tree().reload_current_scene()


# --- The view and the panel ------------------------------------------------------------------


## Shows the whole scene on the stage, however large the window is.
func _fit() -> void:
	var zoom := minf(_stage.size.x / VIEW.x, _stage.size.y / VIEW.y)
	_camera.zoom = Vector2(zoom, zoom)
	_camera.position = Vector2(
		VIEW.x * 0.5 - _stage.size.x * 0.5 / zoom, VIEW.y - _stage.size.y / zoom
	)


func _in_world(at: Vector2) -> Vector2:
	return get_canvas_transform().affine_inverse() * at


func _on_wind_changed(speed: float) -> void:
	_wind.velocity = Vector2(speed, 0.0)


func _on_time_changed(percent: float) -> void:
	Engine.time_scale = percent / 100.0


func _show_points(shown: bool) -> void:
	for rope: VerletRope2D in find_children("*", "VerletRope2D", true, false):
		rope.debug_enabled = shown
