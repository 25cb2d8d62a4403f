extends Node2D
## The lesson's dots on the points of the parent, a [VerletRope2D].

const DOT_RADIUS := 3.0

@onready var _rope: VerletRope2D = get_parent()


func _physics_process(_delta: float) -> void:
	if not _rope.sleeping:
		queue_redraw()


func _draw() -> void:
	draw_set_transform_matrix(global_transform.affine_inverse())
	for point in _rope.get_points():
		draw_circle(point, DOT_RADIUS, Color.CYAN)
