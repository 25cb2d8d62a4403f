extends "res://tests/support/collision_test.gd"
## The base of the tests of what meets a rope: players, bridges.

## Where bridges begin, and how far they reach.
const START := Vector2(276, 300)
const SPAN := 600.0


## A bridge of planks from START, with banks on both sides unless that is not wanted.
func make_bridge(properties: Dictionary = {}, banks: bool = true) -> VerletRope2D:
	var bridge := VerletRope2D.new()
	bridge.position = START
	bridge.end_position = Vector2(SPAN, 0)
	bridge.length = 0
	bridge.apply_preset("Bridge")
	bridge.collision_layer = 1
	for property: String in properties:
		bridge.set(property, properties[property])
	add(bridge)
	if banks:
		var top := START.y - 0.5 * bridge.width
		for x: float in [START.x - 200.0, START.x + SPAN + 200.0]:
			body_at(StaticBody2D.new(), Vector2(x, top + 100), rectangle(Vector2(400, 200)))
	return bridge


## How far the lowest point of a bridge is below its ends.
func sag(bridge: VerletRope2D) -> float:
	return lowest(bridge) - bridge.global_position.y


## The gap between the feet of a capsule and the surface of a bridge: negative is sunk in.
func gap(walker: Walker, bridge: VerletRope2D) -> float:
	var foot := walker.global_position + Vector2(0, 15)
	var place := bridge.get_closest_point(foot)
	return foot.distance_to(place) - 15.0 - 0.5 * bridge.width
