extends "res://tests/support/rope_test.gd"
## The base of the tests of [Wind2D].

const SPEED := 300.0
const HERE := Vector2(576, 100)
const BREEZE := Vector2(SPEED, 0)


## A wind in the test's tree that does not change.
func steady(velocity: Vector2) -> Wind2D:
	var wind := turbulent(velocity)
	wind.turbulence = 0.0
	return wind


## A wind in the test's tree.
func turbulent(velocity: Vector2) -> Wind2D:
	var wind := Wind2D.new()
	wind.velocity = velocity
	add(wind)
	return wind
