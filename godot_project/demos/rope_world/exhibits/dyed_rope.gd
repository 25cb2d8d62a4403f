extends VerletRope2D
## A rope of the playground: one of the presets, thinner and dyed.

## A rope without a colour of its own.
const UNDYED := preload("res://demos/rope_world/art/white_rope.svg")

## The preset.
@export var look := "Rope"

## Its colour; white leaves it as the preset has it.
@export var dye := Color.WHITE

## Width in px; the rope collides with half of it around its middle line.
@export var thickness := 6.0


func _ready() -> void:
	apply_preset(look)
	if dye != Color.WHITE:
		default_color = dye
		texture = UNDYED
	width = thickness
	if draw_mode == DRAW_SEGMENTS:
		# So the links of the chain hold each other.
		segment_length = thickness * 1.05
