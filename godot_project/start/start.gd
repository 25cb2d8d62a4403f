extends Control
## The start page: lists the demos and opens them.
##
## A demo is a folder `res://demos/NAME` with a scene `NAME.tscn` in it. It is called
## `DEMO_NAME_TITLE` and described by `DEMO_NAME_ABOUT` in `translations/*.po`.

const DEMOS := "res://demos"

@onready var _list: GridContainer = %List


func _ready() -> void:
	for entry in ResourceLoader.list_directory(DEMOS):
		var demo := entry.trim_suffix("/")
		var scene := DEMOS.path_join(demo).path_join(demo + ".tscn")
		if demo != entry and ResourceLoader.exists(scene):
			_list.add_child(_card(demo, scene))
	if _list.get_child_count() > 0:
		(_list.get_child(0) as Button).grab_focus()
	resized.connect(_fit)
	_fit()


func _card(demo: String, scene: String) -> Button:
	var card := Button.new()
	card.theme_type_variation = &"CardButton"
	card.custom_minimum_size = Vector2(0.0, 144.0)
	card.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	card.pressed.connect(get_tree().change_scene_to_file.bind(scene))
	var key := "DEMO_%s_" % demo.to_upper()
	var texts := VBoxContainer.new()
	texts.set_anchors_and_offsets_preset(PRESET_FULL_RECT, PRESET_MODE_MINSIZE, 20)
	texts.mouse_filter = MOUSE_FILTER_IGNORE
	texts.add_child(_label(key + "TITLE", &"NumberLabel"))
	texts.add_child(_label(key + "ABOUT", &"MutedLabel"))
	card.add_child(texts)
	return card


func _label(text: String, variation: StringName) -> Label:
	var label := Label.new()
	label.text = text
	label.theme_type_variation = variation
	label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	return label


func _fit() -> void:
	_list.columns = clampi(int(size.x / 380.0), 1, 4)
