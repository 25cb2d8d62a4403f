extends Node2D
## Vines in the wind. Blossoms ride on them: pictures under anchors that follow the rope.

const BLOSSOM := preload("res://demos/rope_gallery/art/blossom.svg")

## Distance of blossoms along a vine in px, and of the first one from the ledge.
const DISTANCE := 37.0
const FROM := 24.0

## The art is drawn at twice its size.
const SCALE := 0.5


func _ready() -> void:
	for vine: VerletRope2D in get_children():
		vine.apply_preset("Vine")
		var count := int((vine.length - FROM) / DISTANCE) + 1
		for i in count:
			_add_blossom(vine, FROM + i * DISTANCE, i)


func _add_blossom(vine: VerletRope2D, offset: float, index: int) -> void:
	var anchor := PointAnchor2D.new()
	anchor.rope_offset = offset
	anchor.follow_rotation = true
	var blossom := Sprite2D.new()
	blossom.texture = BLOSSOM
	blossom.scale = Vector2.ONE * SCALE
	# To the left and to the right in turn.
	blossom.position = Vector2(0.0, 4.0 if index % 2 == 0 else -4.0)
	anchor.add_child(blossom)
	vine.add_child(anchor)
