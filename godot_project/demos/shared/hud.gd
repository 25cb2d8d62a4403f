extends CanvasLayer
## What stands above a demo: the way back, a counter, what the keys do, and a word at the end.

## The player wants to begin anew.
signal reset_pressed

## For how long the hint is seen, in s.
const HINT_SECONDS := 14.0

## What the keys do: a translation key..
@export var hint := ""

## Told at the end: a translation key.
@export var ending := ""

## Written beside the way back.
var count := "":
	set(value):
		count = value
		%Count.text = value
		%Count.visible = not value.is_empty()


func _ready() -> void:
	%Hint.text = hint
	%Ending.text = ending
	%Reset.pressed.connect(reset_pressed.emit)
	create_tween().tween_property(%Hint, ^"modulate:a", 0.0, 1.5).set_delay(HINT_SECONDS)


## Shows the word at the end.
func show_ending() -> void:
	%Ending.show()
	%Ending.pivot_offset = %Ending.size * 0.5
	%Ending.scale = Vector2.ZERO
	var tween := create_tween().set_trans(Tween.TRANS_ELASTIC).set_ease(Tween.EASE_OUT)
	tween.tween_property(%Ending, ^"scale", Vector2.ONE, 0.9)


## Takes it away.
func hide_ending() -> void:
	%Ending.hide()
