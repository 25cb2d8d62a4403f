extends Node2D
## Vines in the wind; their leaves are pictures that ride on points of them.

const LEAF := preload("res://demos/rope_gallery/art/leaf.svg")

## Distance of leaves along a vine in px, and of the first one from the ledge.
const LEAF_DISTANCE := 13.0
const LEAVES_FROM := 5.0

## The art is drawn at twice its size.
const LEAF_SCALE := 0.5


func _ready() -> void:
	for vine: VerletRope2D in get_children():
		vine.apply_preset("Vine")
		_add_leaves(vine)


func _add_leaves(vine: VerletRope2D) -> void:
	var count := int((vine.length - LEAVES_FROM) / LEAF_DISTANCE)
	for i in count + 1:
		var anchor := PointAnchor2D.new()
		anchor.body = ^".."
		anchor.rope_offset = LEAVES_FROM + i * LEAF_DISTANCE
		anchor.follow_rotation = true
		vine.add_child(anchor)
		anchor.add_child(_leaf(i, 1.0 - 0.45 * i / maxf(count, 1.0)))


func _leaf(index: int, size: float) -> Sprite2D:
	var leaf := Sprite2D.new()
	leaf.texture = LEAF
	leaf.centered = false
	leaf.offset = Vector2(-2.0, -16.0)
	leaf.scale = Vector2.ONE * LEAF_SCALE * size
	# Left and right in turn, a little uneven.
	var side := 1.0 if index % 2 == 0 else -1.0
	leaf.rotation = side * (0.75 + 0.25 * sin(index * 2.4))
	leaf.modulate = Color.WHITE.lerp(Color(0.72, 0.86, 0.6), 0.5 + 0.5 * sin(index * 1.7))
	return leaf
