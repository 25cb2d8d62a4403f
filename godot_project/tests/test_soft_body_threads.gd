extends "res://tests/support/soft_test.gd"
## The same scene gives the same bits whether one thread steps its bodies or several do.
##
## Processes of their own are needed: the library has a thread for each core that its process may
## use. Where `taskset` is there, it makes that one core.

const SCENE := "res://tests/support/threads_scene.gd"


func time_limit() -> float:
	return 120.0


func test_one_and_several_threads_give_the_same_bits() -> void:
	var several := _run([])
	var one := _run(_on_one_core())
	check_ge(several.threads, 0, "threads of the first process, besides the main one")
	if _on_one_core():
		check_eq(one.threads, 0, "threads besides the main one, with one core")
		if OS.get_processor_count() > 1:
			check_ge(several.threads, 1, "threads besides the main one, with several cores")
	check_true(several.sum != "", "the first process printed its sum")
	check_eq(one.sum, several.sum, "sums of the bodies' state hashes")


## Runs the scene in another engine process: {threads, sum}.
func _run(before: PackedStringArray) -> Dictionary:
	var command := before + _engine()
	command.append_array(["--headless", "--path", ProjectSettings.globalize_path("res://")])
	command.append_array(["--fixed-fps", "60", "--disable-render-loop", "--script", SCENE])
	var output := []
	var code := OS.execute(command[0], command.slice(1), output, true)
	var result := {threads = -1, sum = ""}
	for line: String in "".join(output).split("\n"):
		if line.begins_with("@threads "):
			result.threads = line.get_slice(" ", 1).to_int()
		elif line.begins_with("@hash "):
			result.sum = line.get_slice(" ", 1)
	check_eq(code, 0, "exit code of the other process: " + str(output))
	return result


## How this process was started, without its arguments. The engine may run under a loader, whose
## path is then what [method OS.get_executable_path] gives.
func _engine() -> PackedStringArray:
	var file := FileAccess.open("/proc/self/cmdline", FileAccess.READ)
	if file:
		var words := PackedStringArray()
		var word := PackedByteArray()
		for byte in file.get_buffer(1 << 16):
			if byte:
				word.append(byte)
				continue
			words.append(word.get_string_from_utf8())
			word.clear()
		var first := words.find("--path")
		if first > 0:
			return words.slice(0, first)
	return [OS.get_executable_path()]


func _on_one_core() -> PackedStringArray:
	if FileAccess.file_exists("/usr/bin/taskset"):
		return ["/usr/bin/taskset", "-c", "0"]
	return []
