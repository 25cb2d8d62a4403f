extends RefCounted
## Writes scripts that override every virtual function of a native class.

## Those of [Object] change what an object is, rather than what it does.
const LEFT_ALONE: Array[StringName] = [
	&"_init",
	&"_notification",
	&"_get",
	&"_set",
	&"_get_property_list",
	&"_validate_property",
	&"_property_can_revert",
	&"_property_get_revert",
	&"_to_string",
	&"_iter_init",
	&"_iter_next",
	&"_iter_get",
]


## A script that extends the class, overrides all its virtual functions, and counts the calls of
## each by name in `calls`.
static func script_for(native_class: StringName) -> GDScript:
	var lines := PackedStringArray(["extends %s" % native_class, "var calls := {}"])
	for method in virtuals(native_class):
		lines.append(_override(method))
	var script := GDScript.new()
	script.source_code = "\n".join(lines)
	var error := script.reload()
	if error:
		push_error(
			"The script for %s: %s\n%s" % [native_class, error_string(error), script.source_code]
		)
	return script


## The virtual functions of a native class, each once.
static func virtuals(native_class: StringName) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var names := {}
	for method in ClassDB.class_get_method_list(native_class):
		var is_virtual: bool = method.flags & METHOD_FLAG_VIRTUAL
		if is_virtual and method.name not in LEFT_ALONE and method.name not in names:
			names[method.name] = true
			found.append(method)
	return found


static func _override(method: Dictionary) -> String:
	var parameters := PackedStringArray()
	for i in method.args.size():
		parameters.append("_argument_%d" % i)
	var body := '\tcalls[&"%s"] = calls.get(&"%s", 0) + 1' % [method.name, method.name]
	var value := _default(method["return"])
	if value:
		body += "\n\treturn " + value
	return "func %s(%s):\n%s" % [method.name, ", ".join(parameters), body]


## A value that the engine accepts as "nothing"; empty for functions that return none.
static func _default(returned: Dictionary) -> String:
	match returned.type:
		TYPE_NIL:
			return "null" if returned.usage & PROPERTY_USAGE_NIL_IS_VARIANT else ""
		TYPE_OBJECT:
			return "null"
		TYPE_RID:
			return "RID()"
		TYPE_STRING_NAME:
			return '&""'
		var type:
			return var_to_str(type_convert(null, type))
