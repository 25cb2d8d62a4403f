extends Node
## Runs the in-engine tests and tells `cargo xtask` how they went.
##
## Started as a scene, after `--`: `--filter=TEXT` (only tests whose name contains it),
## `--after=NAME` (only those after this one), `--pictures=FOLDER`, `--folder=res://FOLDER`,
## `--thorough=yes` (long watches).
## The lines that start with "@supple" are the protocol of rust/xtask/src/godot/markers.rs.

const SuppleTest := preload("res://tests/support/supple_test.gd")

var _options := {filter = "", after = "", pictures = "", folder = "res://tests", thorough = ""}


## One test function of one file.
class Case:
	var file: GDScript
	var function: String
	var title: String


func _ready() -> void:
	for argument in OS.get_cmdline_user_args():
		var parts := argument.trim_prefix("--").split("=", true, 1)
		if parts.size() != 2 or parts[0] not in _options:
			push_error("The runner knows no argument %s" % argument)
			get_tree().quit(1)
			return
		_options[parts[0]] = parts[1]
	# A test may change the scene: it must not end the runner.
	get_tree().current_scene = null
	_run()


func _run() -> void:
	var cases := _find_cases()
	if cases.is_empty():
		printerr('No test\'s name contains "%s"' % _options.filter)
		get_tree().quit(1)
		return
	cases = _rest(cases)
	print("@supple plan %d" % cases.size())
	# The first frames set up what counts as a node forever.
	await get_tree().process_frame
	await get_tree().physics_frame
	var failed := 0
	for case in cases:
		var outcome: int = await _run_case(case)
		if outcome == ERR_TIMEOUT:
			# What still waits in that test cannot be stopped: the rest needs a process of its own.
			get_tree().quit(1)
			return
		if outcome != OK:
			failed += 1
	print("@supple done %d %d" % [cases.size() - failed, failed])
	get_tree().quit(1 if failed else 0)


func _find_cases() -> Array[Case]:
	var cases: Array[Case] = []
	var in_window := DisplayServer.get_name() != "headless"
	for file in DirAccess.get_files_at(_options.folder):
		if file.get_extension() != "gd" or not file.begins_with("test_"):
			continue
		if file.begins_with("test_window_") != in_window:
			continue
		var script: GDScript = load(_options.folder.path_join(file))
		if script == null or not script.can_instantiate():
			push_error("%s does not load" % file)
			continue
		for method in script.get_script_method_list():
			var title := "%s.%s" % [file.get_basename(), method.name]
			var is_test: bool = method.name.begins_with("test_")
			if not is_test or (_options.filter and not title.contains(_options.filter)):
				continue
			var case := Case.new()
			case.file = script
			case.function = method.name
			case.title = title
			cases.append(case)
	return cases


func _rest(cases: Array[Case]) -> Array[Case]:
	for i in cases.size():
		if cases[i].title == _options.after:
			return cases.slice(i + 1)
	return cases


func _run_case(case: Case) -> int:
	var nodes_before := _count_nodes()
	var test: SuppleTest = case.file.new()
	test.name = case.function
	test.pictures_folder = _options.pictures
	test.thorough = _options.thorough == "yes"
	var limit := test.time_limit()
	print("@supple begin %s %s" % [limit, case.title])
	var started := Time.get_ticks_msec()
	get_tree().root.add_child(test)

	var state := {over = false}
	_drive(test, case.function, state)
	while not state.over:
		if Time.get_ticks_msec() - started > limit * 1000.0:
			print("FAILED %s: not over after %s s" % [case.title, limit])
			print("@supple end failed %s" % case.title)
			return ERR_TIMEOUT
		await get_tree().process_frame
	var took := Time.get_ticks_msec() - started

	if test.check_count == 0:
		test.fail("made no check")
	var failures := test.failures
	test.restore()
	test.queue_free()
	if get_tree().current_scene:
		get_tree().current_scene.queue_free()
		get_tree().current_scene = null
	test = null
	await get_tree().process_frame
	await get_tree().physics_frame
	await get_tree().process_frame
	failures.append_array(_leaks(nodes_before))

	for failure in failures:
		print("FAILED %s: %s" % [case.title, failure])
	if failures.is_empty():
		print("ok %s (%d ms)" % [case.title, took])
	print("@supple end %s %s" % ["failed" if failures else "ok", case.title])
	return FAILED if failures else OK


## Runs the test; the runner looks at `state` instead of waiting, so that it can lose patience.
func _drive(test: SuppleTest, function: String, state: Dictionary) -> void:
	await get_tree().physics_frame
	await test.before_each()
	await test.call(function)
	if is_instance_valid(test):
		await test.after_each()
	state.over = true


## Nodes in the tree and outside any tree.
func _count_nodes() -> Vector2i:
	return Vector2i(
		roundi(Performance.get_monitor(Performance.OBJECT_NODE_COUNT)),
		roundi(Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT))
	)


func _leaks(before: Vector2i) -> PackedStringArray:
	var left := _count_nodes() - before
	var found := PackedStringArray()
	if left.y > 0:
		found.append("left %d nodes outside the tree" % left.y)
		Node.print_orphan_nodes()
	if left.x > left.y:
		found.append("left %d nodes in the tree" % (left.x - left.y))
		get_tree().root.print_tree_pretty()
	return found
