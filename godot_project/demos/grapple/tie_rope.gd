extends VerletRope2D
## The rope by which two characters tie themselves together.
##
## Tied to both its ends they hold each other: nothing else is to be done.

const LENGTH := 230.0
## So near to each other they can be tied, in px.
const NEAR := 70.0

const SHORTEST := 40.0

## Where it is tied to each of them.
const BELT := Vector2(0, 6)


func _ready() -> void:
	untie()


## Ties two characters together who are near each other, or takes the rope off both.
func tie_or_untie(one: CharacterBody2D, other: CharacterBody2D) -> void:
	if visible:
		untie()
	elif one.global_position.distance_to(other.global_position) < NEAR:
		tie(one, other)


## Ties two characters together.
func tie(one: CharacterBody2D, other: CharacterBody2D) -> void:
	process_mode = PROCESS_MODE_INHERIT
	visible = true
	global_position = one.global_position
	end_position = to_local(other.global_position)
	length = maxf(LENGTH, one.global_position.distance_to(other.global_position))
	attach_start(one, BELT)
	attach_end(other, BELT)
	reset()


## Winds it by so many px: in, if they are less than 0.
func wind(by: float) -> void:
	if visible:
		length = clampf(length + by, SHORTEST, LENGTH)


## Takes it off both.
func untie() -> void:
	attach_start(null)
	attach_end(null)
	visible = false
	process_mode = PROCESS_MODE_DISABLED
