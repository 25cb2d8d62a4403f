extends VerletRope2D
## A rope that a player climbs, and that swings with him.
##
## He hangs on a second, invisible rope, which is as long as the part of this one above his hand:
## it holds him as any rope holds a character. This one is taken along by his hand. To climb is to
## wind the second one.

## He does not climb nearer to its ends, in px.
const ENDS := Vector2(44.0, 6.0)

## What holds the climber.
var leash: VerletRope2D

var _hand: Node2D
var _held_point := -1


func _ready() -> void:
	add_to_group(&"climbing_ropes")


## Lets a hand, somewhere below a CharacterBody2D, take hold of the rope; false if it is too far.
func take(hand: Node2D, reach: float) -> bool:
	var offset := get_closest_offset(hand.global_position)
	if sample_baked(offset).distance_to(hand.global_position) > reach:
		return false
	_hand = hand
	leash = VerletRope2D.new()
	leash.visible = false
	leash.collision_mask = collision_mask
	leash.end_position = to_local(hand.global_position)
	# If he has jumped at it he is farther away: he is not pulled to it in one jerk.
	leash.length = maxf(offset, global_position.distance_to(hand.global_position))
	add_child(leash)
	leash.attach_end(hand)
	climb(0.0)
	return true


## Moves the climber by so many px down the rope. In every tick, before he moves himself.
func climb(by: float) -> void:
	var target := clampf(leash.length + by, ENDS.x, length - ENDS.y)
	# A jump of the length would be a jerk.
	leash.length = move_toward(leash.length, target, maxf(absf(by), 4.0))
	_follow()


## The climber lets go.
func let_go() -> void:
	_hold(_held_point, false)
	_held_point = -1
	leash.queue_free()
	leash = null


func _hold(point: int, held: bool) -> void:
	if point >= 0:
		# By the hand: so it is where the hand is, even after the leash has taken that back.
		set_point_pinned(point, held, String(get_path_to(_hand)) if held else "")


## Takes the rope along with the hand.
func _follow() -> void:
	var last := get_point_count() - 1
	var point := clampi(roundi(leash.length / length * last), 1, last - 1)
	if point != _held_point:
		# The hand goes from point to point.
		_hold(_held_point, false)
		_held_point = point
		_hold(point, true)
	# The point is not quite where he holds the rope.
	var beyond := length * point / last - leash.length
	var along := global_position.direction_to(_hand.global_position)
	set_pin_position(point, _hand.global_position + along * beyond)
