extends Node2D
## The lesson's soft body in plain GDScript: a grid of points, springs, Verlet, and a position pass.
##
## It is written as the lesson tells, faults and all: with much [member stiffness], or little
## [member particle_mass], it explodes, with little [member damping] it trembles. Points are global.

## How near to a point the mouse grabs it, in px.
const GRAB_DISTANCE := 20.0

## Stiffness of the diagonal springs, as a part of the others'.
const SHEAR := 0.3

@export_group("Simulation")

## Points across and down.
@export var particle_count := Vector2i(5, 5)

## Mass of a point.
@export var particle_mass := 1.0

## Force of a spring for each px that it is too long.
@export var stiffness := 200.0

## Force of a spring for each px/s that it gets longer.
@export var damping := 5.0

## Passes over all springs in a tick that put the points right.
@export var iteration_count := 5

## What gravity is multiplied by.
@export var gravity_scale := 1.0

@export_group("Rendering")

## Width and height in px.
@export var size := Vector2(100.0, 100.0)

@export var color := Color(0.95, 0.62, 0.33)

## Whether points and springs are drawn.
@export var show_points := false

## Downward acceleration in px/s².
var gravity: float = ProjectSettings.get_setting("physics/2d/default_gravity")

var points: Array[Point] = []
var springs: Array[Spring] = []

## Duration of the last tick in microseconds, without drawing.
var tick_usec := 0

var _held: Point
var _hand := Vector2.ZERO

@onready var _outline: Polygon2D = $Outline
@onready var _border: Line2D = $Border


class Point:
	var position: Vector2
	var previous: Vector2
	var mass := 1.0
	var force := Vector2.ZERO
	var fixed := false


class Spring:
	var first: Point
	var second: Point
	var rest_length: float
	var stiffness_ratio: float


func _ready() -> void:
	reset()


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_LEFT:
		if not event.pressed:
			release()
		elif grab(to_global(make_input_local(event).position)):
			get_viewport().set_input_as_handled()
	elif event is InputEventMouseMotion and _held:
		drag(to_global(make_input_local(event).position))


func _physics_process(delta: float) -> void:
	var started := Time.get_ticks_usec()
	_add_forces(delta)
	_integrate(delta)
	for i in iteration_count:
		_satisfy_springs()
	_hold()
	tick_usec = Time.get_ticks_usec() - started
	_draw_outline()
	queue_redraw()


func _draw() -> void:
	if not show_points:
		return
	draw_set_transform_matrix(global_transform.affine_inverse())
	for spring in springs:
		draw_line(spring.first.position, spring.second.position, Color(1, 1, 1, 0.6))
	for point in points:
		draw_circle(point.position, 2.5, Color.ORANGE_RED if point.fixed else Color.WHITE)


## Lays the grid out anew, at rest, and fixes its top row.
func reset() -> void:
	points.clear()
	springs.clear()
	_held = null
	for row in particle_count.y:
		for column in particle_count.x:
			var part := Vector2(column, row) / Vector2(particle_count - Vector2i.ONE)
			var point := Point.new()
			point.position = to_global((part - Vector2(0.5, 0.5)) * size)
			point.previous = point.position
			point.fixed = row == 0
			points.append(point)
	for row in particle_count.y:
		for column in particle_count.x:
			_add_spring(column, row, column + 1, row, 1.0)
			_add_spring(column, row, column, row + 1, 1.0)
			_add_spring(column, row, column + 1, row + 1, SHEAR)
			_add_spring(column + 1, row, column, row + 1, SHEAR)
	_draw_outline()


## Takes the nearest free point, if one is near enough.
func grab(at: Vector2) -> bool:
	_held = null
	var nearest := GRAB_DISTANCE
	for point in points:
		var distance := point.position.distance_to(at)
		if distance < nearest and not point.fixed:
			nearest = distance
			_held = point
	_hand = at
	return _held != null


## Moves the hand.
func drag(to: Vector2) -> void:
	_hand = to


## Lets go.
func release() -> void:
	_held = null


func _add_spring(
	column: int, row: int, other_column: int, other_row: int, stiffness_ratio: float
) -> void:
	if maxi(column, other_column) >= particle_count.x or other_row >= particle_count.y:
		return
	var spring := Spring.new()
	spring.first = points[row * particle_count.x + column]
	spring.second = points[other_row * particle_count.x + other_column]
	spring.rest_length = spring.first.position.distance_to(spring.second.position)
	spring.stiffness_ratio = stiffness_ratio
	springs.append(spring)


func _add_forces(delta: float) -> void:
	for point in points:
		point.mass = particle_mass
		point.force = Vector2(0.0, gravity * gravity_scale * point.mass)
	for spring in springs:
		var along := spring.second.position - spring.first.position
		var length := along.length()
		if length == 0.0:
			continue
		var direction := along / length
		var speed := (
			spring.second.position
			- spring.second.previous
			- spring.first.position
			+ spring.first.previous
		)
		var pull := stiffness * spring.stiffness_ratio * (length - spring.rest_length)
		pull += damping * speed.dot(direction) / delta
		spring.first.force += direction * pull
		spring.second.force -= direction * pull


func _integrate(delta: float) -> void:
	for point in points:
		if point.fixed:
			continue
		var position_before := point.position
		point.position += point.position - point.previous + point.force / point.mass * delta * delta
		point.previous = position_before


func _satisfy_springs() -> void:
	for spring in springs:
		var along := spring.second.position - spring.first.position
		var length := along.length()
		if length == 0.0:
			continue
		var correction := along * (1.0 - spring.rest_length / length)
		if spring.first.fixed and not spring.second.fixed:
			spring.second.position -= correction
		elif spring.second.fixed and not spring.first.fixed:
			spring.first.position += correction
		elif not spring.first.fixed:
			spring.first.position += correction * 0.5
			spring.second.position -= correction * 0.5


## The held point is where the hand is, without a velocity of its own.
func _hold() -> void:
	if _held:
		_held.position = _hand
		_held.previous = _hand


func _draw_outline() -> void:
	var outline := PackedVector2Array()
	var last := particle_count - Vector2i.ONE
	for column in last.x:
		outline.append(_place(column, 0))
	for row in last.y:
		outline.append(_place(last.x, row))
	for column in last.x:
		outline.append(_place(last.x - column, last.y))
	for row in last.y:
		outline.append(_place(0, last.y - row))
	_outline.polygon = outline
	_outline.color = color
	_border.points = outline
	_border.default_color = color.darkened(0.45)


func _place(column: int, row: int) -> Vector2:
	return to_local(points[row * particle_count.x + column].position)
