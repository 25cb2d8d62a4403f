extends "res://tests/support/supple_test.gd"
## Tests that must fail, each in another way. `cargo xtask test` runs them apart from the others and
## fails when one of them passes: so it is known that a failure is noticed.


func time_limit() -> float:
	return 1.0


func test_a_wrong_value() -> void:
	check_eq(1, 2, "planted")


func test_no_check() -> void:
	pass


func test_an_engine_error() -> void:
	check_true(true, "reached")
	push_error("planted")


func test_a_script_error() -> void:
	check_true(true, "reached")
	var nothing: Node = null
	nothing.queue_free()


func test_a_script_error_after_a_wait() -> void:
	check_true(true, "reached")
	await ticks(1)
	var nothing: Node = null
	nothing.queue_free()


func test_an_announced_error_that_does_not_come() -> void:
	expect_error("planted")


func test_another_error_than_announced() -> void:
	expect_error("planted")
	push_error("something else")


func test_a_node_left_outside_the_tree() -> void:
	check_true(true, "reached")
	Node.new()


func test_a_node_left_in_the_tree() -> void:
	check_true(true, "reached")
	get_tree().root.add_child(Node.new())


func test_a_picture_without_a_window() -> void:
	await picture("planted")


func test_a_wait_without_end() -> void:
	check_true(true, "reached")
	await Signal(self, &"renamed")


func test_an_early_end() -> void:
	check_true(true, "reached")
	get_tree().quit()
	await ticks(1000)


func test_a_crash() -> void:
	check_true(true, "reached")
	OS.crash("planted")


func test_a_loop_without_end() -> void:
	check_true(true, "reached")
	while true:
		OS.delay_msec(10)
