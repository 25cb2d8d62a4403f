extends "res://tests/support/rope_test.gd"
## The base of the tests that look at pictures: a black ground, and colours that stand out on it.

const RED := Color(1, 0, 0)
const GREEN := Color(0, 1, 0)
const BLUE := Color(0, 0, 1)


func before_each() -> void:
	RenderingServer.set_default_clear_color(Color.BLACK)


func after_each() -> void:
	RenderingServer.set_default_clear_color(
		ProjectSettings.get_setting("rendering/environment/defaults/default_clear_color")
	)
	await super()
