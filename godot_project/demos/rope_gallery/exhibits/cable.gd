extends Node2D
## A cable between two poles, and a bird that sits on it, makes it sag, and flies a round.

## What the bird weighs on the cable, in kg px/s2, and the push of its landing, in kg px/s.
const WEIGHT := 1100.0
const LANDING := 60.0

## Where it flies, seen from its perch.
const ROUND: Array[Vector2] = [
	Vector2(46.0, -40.0), Vector2(104.0, -16.0), Vector2(20.0, -92.0), Vector2(-70.0, -44.0)
]
const FLIGHT_SECONDS := 3.2
const REST_SECONDS := 3.4

## Beats of its wings, in radians a second.
const WING_SPEED := 34.0

var _sits := true
var _flown := 0.0
var _round := Curve2D.new()

@onready var _cable: VerletRope2D = $Cable
@onready var _perch: PointAnchor2D = $Cable/Perch
@onready var _bird: Node2D = $Cable/Perch/Bird
@onready var _body: Node2D = $Cable/Perch/Bird/Body
@onready var _wing: Node2D = $Cable/Perch/Bird/Body/Wing


func _ready() -> void:
	_cable.apply_preset("Cable")
	_round.add_point(Vector2.ZERO, Vector2.ZERO, Vector2(14.0, -34.0))
	for i in ROUND.size():
		var before: Vector2 = ROUND[i - 1] if i > 0 else Vector2.ZERO
		var after: Vector2 = ROUND[i + 1] if i + 1 < ROUND.size() else Vector2.ZERO
		var along := (after - before) * 0.22
		_round.add_point(ROUND[i], -along, along)
	_round.add_point(Vector2.ZERO, Vector2(-26.0, -34.0), Vector2.ZERO)
	_live()


func _physics_process(delta: float) -> void:
	if _sits:
		_push(WEIGHT)
		return
	_flown += delta * WING_SPEED
	_wing.rotation = 0.5 + 0.9 * sin(_flown)
	_wing.scale.y = 0.5 * (1.0 + 0.3 * cos(_flown))


## Sits, looks round, flies, lands.
func _live() -> void:
	var life := create_tween().set_loops()
	life.set_process_mode(Tween.TWEEN_PROCESS_PHYSICS)
	life.tween_interval(REST_SECONDS * 0.4)
	life.tween_callback(_turn.bind(-1.0))
	life.tween_interval(REST_SECONDS * 0.35)
	life.tween_callback(_turn.bind(1.0))
	life.tween_interval(REST_SECONDS * 0.25)
	life.tween_property(_body, ^"scale:y", 0.8, 0.12)
	life.tween_callback(_take_off)
	life.tween_property(_body, ^"scale:y", 1.0, 0.08)
	life.tween_method(_fly, 0.0, 1.0, FLIGHT_SECONDS).set_trans(Tween.TRANS_SINE)
	life.tween_callback(_land)
	life.tween_property(_body, ^"scale:y", 0.82, 0.09)
	life.tween_property(_body, ^"scale:y", 1.0, 0.2).set_trans(Tween.TRANS_BACK)


func _take_off() -> void:
	_sits = false
	_perch.follow_rotation = false


func _land() -> void:
	_sits = true
	_turn(1.0)
	_body.rotation = 0.0
	_wing.rotation = 0.0
	_wing.scale.y = 0.5
	_cable.apply_point_impulse(_point(), Vector2(0.0, LANDING))


func _fly(part: float) -> void:
	var along := part * _round.get_baked_length()
	var at := _round.sample_baked(along)
	var ahead := _round.sample_baked(minf(along + 4.0, _round.get_baked_length())) - at
	if absf(ahead.x) > 0.5:
		_turn(signf(ahead.x))
	_body.rotation = clampf(ahead.y * 0.12, -0.5, 0.4) * _body.scale.x * smoothstep(1.0, 0.9, part)
	_bird.position = at


func _turn(side: float) -> void:
	_body.scale.x = side


func _push(force: float) -> void:
	_cable.apply_point_force(_point(), Vector2(0.0, force))


func _point() -> int:
	return _cable.get_closest_point_index(_perch.global_position)
