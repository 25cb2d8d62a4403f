extends HBoxContainer
## The row with which each demo's panel begins: back to the start page, and the language.

const START := "res://start/start.tscn"
const LANGUAGES: PackedStringArray = ["en", "es", "zh"]

@onready var _back: Button = $Back
@onready var _language: Button = $Language


func _ready() -> void:
	_back.pressed.connect(go_back)
	_language.pressed.connect(next_language)
	_back.visible = not _is_start()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_cancel") and not _is_start():
		get_viewport().set_input_as_handled()
		go_back()


func _notification(what: int) -> void:
	if what == NOTIFICATION_WM_GO_BACK_REQUEST and is_inside_tree() and not _is_start():
		go_back()


## Opens the start page.
func go_back() -> void:
	get_tree().change_scene_to_file(START)


## Shows everything in the next language.
func next_language() -> void:
	var language := TranslationServer.get_locale().get_slice("_", 0)
	var index := (LANGUAGES.find(language) + 1) % LANGUAGES.size()
	TranslationServer.set_locale(LANGUAGES[index])


func _is_start() -> bool:
	return owner != null and owner.scene_file_path == START
