extends Node2D
## The lesson's rope in plain GDScript: points, links and position Verlet, after Jakobsen (2001).
##
## It hangs from its node. Points are global. The properties below [member iterations] are what the
## lesson's faults come from: leave them alone, or break the rope with them.

const LINE_WIDTH := 2.0
const DOT_RADIUS := 3.0

## Number of points; the first is the anchor.
@export var point_count := 20

## Distance of neighbours in px.
@export var segment_length := 18.0

## Downward acceleration in px/s2.
@export var gravity := 980.0

## Passes over all links in a tick: more are stiffer.
@export var iterations := 12

## Part of the velocity that is kept in a tick.
@export var keep := 0.99

## Length of a tick in s; 0 takes the engine's.
@export var fixed_step := 0.0

## Whether the first point stays at the node.
@export var anchor_held := true

## Whether links of length zero are skipped.
@export var skip_zero := true

## Whether the second point is put onto the first one in the next tick.
@export var coincide := false

## Whether dots are drawn on the points.
@export var dots := true

## Duration of the last tick in microseconds, without drawing.
var tick_usec := 0

var points := PackedVector2Array()
var previous := PackedVector2Array()


func _ready() -> void:
	reset()


func _physics_process(delta: float) -> void:
	var started := Time.get_ticks_usec()
	_integrate(fixed_step if fixed_step > 0.0 else delta)
	for i in iterations:
		_satisfy_links()
	tick_usec = Time.get_ticks_usec() - started
	queue_redraw()


func _draw() -> void:
	draw_set_transform_matrix(global_transform.affine_inverse())
	draw_polyline(points, Color.WHITE, LINE_WIDTH)
	if dots:
		for point in points:
			draw_circle(point, DOT_RADIUS, Color.CYAN)


## Hangs straight down, at rest.
func reset() -> void:
	points.resize(point_count)
	for i in point_count:
		points[i] = global_position + Vector2(0.0, i * segment_length)
	previous = points.duplicate()


func _integrate(step: float) -> void:
	var fall := Vector2(0.0, gravity * step * step)
	var first := 0
	if anchor_held:
		first = 1
		points[0] = global_position
		previous[0] = points[0]
	for i in range(first, point_count):
		var point := points[i]
		points[i] = point + (point - previous[i]) * keep + fall
		previous[i] = point
	if coincide:
		coincide = false
		points[1] = points[0]


func _satisfy_links() -> void:
	for i in point_count - 1:
		var along := points[i + 1] - points[i]
		var length := along.length()
		if length == 0.0 and skip_zero:
			continue
		var correction := along * (1.0 - segment_length / length)
		if i == 0 and anchor_held:
			points[1] -= correction
		else:
			correction *= 0.5
			points[i] += correction
			points[i + 1] -= correction
