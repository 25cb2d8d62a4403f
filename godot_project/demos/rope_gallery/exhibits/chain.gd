extends Node2D
## A chain of link pictures, seen from the front and from the side in turn, that carries an anchor.

@onready var _chain: VerletRope2D = $Chain


func _ready() -> void:
	_chain.apply_preset("Chain")
