extends "res://tests/support/rope_test.gd"
## Saved states that go on bit for bit, scenes that are saved and loaded, presets.

const CARRIES := VerletRope2D.ATTACH_ROPE_CARRIES_NODE
const FILE := "user://saved_rope.tscn"
const PRESETS := ["Rope", "Chain", "Cable", "Elastic", "Hair", "Bridge", "Lesson", "Scarf", "Vine"]


func after_each() -> void:
	if FileAccess.file_exists(FILE):
		DirAccess.remove_absolute(ProjectSettings.globalize_path(FILE))
	await super()


func test_a_state_goes_on_bit_for_bit() -> void:
	var cases := {
		plain = {},
		loaded = {end_mass = 3.0},
		relaxed = {solver = 1},
		stiff = {bend = 0.5, start_stiffness = 0.7},
		its_own_pose = {bend = 0.5, bend_rest = 1},
		fixed_pieces = {segments = 13, substeps = 3},
		scaled = {scale = Vector2(-2, 2), rotation = 0.4},
		both_ends = {end_pinned = true, end_position = Vector2(120, 30)},
		far = {position = Vector2(800_000, -600_000)},
		airy = {air_drag = 6.0, linear_damp = 0.0},
	}
	for what: String in cases:
		var properties: Dictionary = {end_position = released_at(70.0)}
		properties.merge(cases[what], true)
		var rope := await hang(properties)
		await ticks(17)
		rope.apply_point_force(9, Vector2(60, -20))
		var state := rope.get_state()
		var place := rope.position
		var before := await _run(rope, place)
		await ticks(7)
		rope.position = place
		check_true(rope.set_state(state), what + ": taken")
		check_eq(rope.get_state_hash(), before[0], what + ": hash at once")
		check_eq(await _run(rope, place), before, what + ": hashes of 120 ticks")
		rope.free()


func test_a_state_saved_while_winding_goes_on_bit_for_bit() -> void:
	for segments: int in [0, 20]:
		var rope := await hang({end_position = released_at(40.0), segments = segments})
		await ticks(4)
		rope.length = 400.0
		await ticks(4)
		var state := rope.get_state()
		var place := rope.position
		var before := await _run(rope, place)
		rope.position = place
		check_true(rope.set_state(state), "taken")
		check_eq(await _run(rope, place), before, "hashes, %d segments" % segments)
		rope.free()


func test_a_state_with_holders_goes_on_in_another_instance_of_the_scene() -> void:
	var root := Node2D.new()
	var hook := Node2D.new()
	hook.name = "Hook"
	hook.position = Vector2(300, 90)
	var grip := Node2D.new()
	grip.name = "Grip"
	grip.position = Vector2(420, 150)
	var rope := make_rope(
		{position = Vector2.ZERO, start_node = ^"../Hook", start_offset = Vector2(2, 3)}
	)
	for node: Node2D in [hook, grip, rope]:
		root.add_child(node)
		node.owner = root
	var scene := PackedScene.new()
	scene.pack(root)
	root.free()
	await hang()
	var one: Node2D = add(scene.instantiate())
	var first: VerletRope2D = one.get_node("Rope")
	await ticks(3)
	first.set_point_pinned(14, true, "../Grip")
	for i in 20:
		one.get_node("Hook").position.x += 4.0
		await ticks(1)
	var state := first.get_state()
	var places := _places(one)
	var before := await _run_held(one)
	# A new game: another instance, in which the nodes were put where they were.
	one.free()
	var two: Node2D = add(scene.instantiate())
	await ticks(5)
	_put(two, places)
	var second: VerletRope2D = two.get_node("Rope")
	check_true(second.set_state(state), "taken")
	check_eq(second.get_state_hash(), before[0], "hash at once")
	check_true(second.is_point_pinned(14), "the pin")
	check_eq(await _run_held(two), before, "hashes of 120 ticks")
	var held: Node2D = two.get_node("Grip")
	var offset := second.get_point_position(14) - held.position
	held.position += Vector2(5, 5)
	await ticks(1)
	var now := second.get_point_position(14) - held.position
	check_near(now, offset, 0.01, "the pin follows its own node")


func test_a_state_with_an_anchor_goes_on_bit_for_bit() -> void:
	for mode: int in [PointAnchor2D.MODE_FOLLOW, PointAnchor2D.MODE_DRIVE]:
		for strength: float in [0.0, 900.0]:
			var rope := await hang({end_mass = 1.0, end_position = released_at(40.0)})
			var anchor := PointAnchor2D.new()
			anchor.mode = mode
			anchor.point = 20
			anchor.strength = strength
			anchor.position = Vector2(100, 150)
			rope.add_child(anchor)
			await ticks(10)
			var state := rope.get_state()
			var runs: Array[PackedInt64Array] = []
			for run in 2:
				check_true(rope.set_state(state), "taken")
				runs.append(PackedInt64Array())
				for i in 60:
					anchor.position = Vector2(100 + 40 * sin(i * 0.2), 150)
					await ticks(1)
					runs[run].append(rope.get_state_hash())
			check_eq(runs[0], runs[1], "hashes, mode %d, strength %s" % [mode, strength])
			rope.free()


func test_a_state_without_its_holders_is_held_by_the_ropes_own_node() -> void:
	node_at(Vector2(500, 90), "Hook")
	var rope := await hang({start_node = ^"../Hook"})
	await ticks(10)
	rope.set_point_pinned(12, true, "../Hook")
	await ticks(5)
	var state := rope.get_state()
	var lonely := node_at(Vector2.ZERO, "Elsewhere")
	var other := make_rope()
	lonely.add_child(other)
	await ticks(3)
	check_true(other.set_state(state), "taken")
	await ticks(5)
	check_true(all_finite(other.get_points()), "finite")
	check_true(other.is_point_pinned(12), "the pin is held by the rope's own node")


func test_a_state_with_a_carried_node_keeps_it_carried() -> void:
	var lamp := node_at(Vector2.ZERO, "Lamp")
	var rope := await hang(
		{end_mode = CARRIES, end_node = ^"../Lamp", end_position = released_at(60.0)}
	)
	await ticks(20)
	var state := rope.get_state()
	await ticks(20)
	check_true(rope.set_state(state), "taken")
	for i in 10:
		await ticks(1)
		check_carried(rope, lamp, "tick %d" % i)


func test_a_state_brings_its_settings_along() -> void:
	var rope := await hang({length = 320.0, mass = 2.0, segments = 25, bend = 0.3, end_mass = 1.5})
	await ticks(3)
	var other := await hang()
	check_true(other.set_state(rope.get_state()), "taken")
	for property: StringName in [&"length", &"mass", &"segments", &"bend", &"end_mass"]:
		check_eq(other.get(property), rope.get(property), property)
	check_eq(other.get_point_count(), 26, "points")
	await check_works(other, "afterwards")


func test_states_asleep_fresh_and_outside_the_tree() -> void:
	var rope := await hang_asleep()
	var asleep := rope.get_state()
	rope.apply_central_impulse(Vector2(50, 0))
	await ticks(20)
	check_true(rope.set_state(asleep), "taken")
	check_true(rope.sleeping, "asleep again")
	await ticks(3)
	check_near(tip(rope), rope.position + Vector2(0, 200), 1.0, "tip")
	await check_works(rope, "woken")
	var fresh := make_rope({length = 150.0, end_position = Vector2(150, 0)})
	var early := fresh.get_state()
	check_gt(early.size(), 50, "bytes outside the tree")
	var taker := make_rope()
	check_true(taker.set_state(early), "taken outside the tree")
	check_eq(taker.length, 150.0, "length")
	check_eq(taker.get_state_hash(), fresh.get_state_hash(), "hash outside the tree")
	add(fresh)
	taker.name = "Taker"
	add(taker)
	await ticks(12)
	check_lt(largest_distance(taker.get_points(), fresh.get_points()), 0.01, "both go on alike")
	check_true(fresh.set_state(asleep), "a state from inside")
	await ticks(2)
	await check_works(fresh, "afterwards")


func test_a_state_moves_with_its_node() -> void:
	# A door: the same state on a node elsewhere.
	var rope := await hang({end_position = released_at(60.0)})
	await ticks(20)
	var other := await hang({position = Vector2(200, 300)})
	check_true(other.set_state(rope.get_state()), "taken")
	await ticks(30)
	check_true(all_finite(other.get_points()), "finite")
	check_near(other.get_point_position(0), other.position, 0.01, "start")
	check_lt(worst_strain(other), EXACT, "strain")
	await check_works(other, "afterwards")


func test_random_bytes_are_refused_without_a_change() -> void:
	var rope := await hang({end_position = released_at(60.0)})
	await ticks(10)
	var hash_before := rope.get_state_hash()
	var random := RandomNumberGenerator.new()
	random.seed = 7
	var good := rope.get_state()
	for i in 1000:
		var bytes := PackedByteArray()
		bytes.resize([0, 1, 5, 13, 60, good.size(), 5000][i % 7])
		for k in bytes.size():
			bytes[k] = random.randi() & 255
		if i % 2 and bytes.size() >= 5:
			# Begins as a state does.
			for k in 5:
				bytes[k] = good[k]
		if not check_true(not rope.set_state(bytes), "run %d is refused" % i):
			return
	check_eq(rope.get_state_hash(), hash_before, "hash")
	await check_works(rope, "afterwards")


func test_damaged_states_are_refused_without_a_change() -> void:
	var rope := await hang({end_position = released_at(60.0)})
	await ticks(10)
	var hash_before := rope.get_state_hash()
	var good := rope.get_state()
	for k in good.size():
		var bytes := good.duplicate()
		bytes[k] ^= 1 << (k % 8)
		if not check_true(not rope.set_state(bytes), "byte %d of %d changed" % [k, good.size()]):
			return
	for size: int in [0, 1, 4, 5, 12, 13, 14, good.size() / 2, good.size() - 1]:
		check_true(not rope.set_state(good.slice(0, size)), "cut to %d bytes" % size)
	check_true(not rope.set_state(good + PackedByteArray([0])), "one byte more")
	check_true(not rope.set_state(good + good), "twice")
	check_eq(rope.get_state_hash(), hash_before, "hash")
	check_true(rope.set_state(good), "the good one is taken")
	await check_works(rope, "afterwards")


func test_a_scene_saved_after_playing_with_everything_reloads_to_the_same_values() -> void:
	var root := Node2D.new()
	root.name = "Root"
	for node_name: String in ["Hook", "Lamp"]:
		var node := Node2D.new()
		node.name = node_name
		node.position = Vector2(80, 50) if node_name == "Hook" else Vector2(200, 120)
		root.add_child(node)
	var rope := make_rope()
	root.add_child(rope)
	var anchor := PointAnchor2D.new()
	anchor.name = "Anchor"
	rope.add_child(anchor)
	add(root)
	for node: Node in [root.get_child(0), root.get_child(1), rope, anchor]:
		node.owner = root
	_set_everything(rope)
	_set_everything(anchor)
	anchor.body = ^".."
	rope.start_node = ^"../Hook"
	rope.end_node = ^"../Lamp"
	rope.end_mode = CARRIES
	var kept := _values(rope)
	for i in 40:
		root.get_child(0).position += Vector2(2, 1)
		rope.rotation += 0.01
		await ticks(1)
	kept.rotation = rope.rotation
	rope.grab(tip(rope), 500.0)
	rope.apply_central_impulse(Vector2(20, 0))
	await ticks(10)
	var played := _values(rope)
	for property: String in kept:
		_check_same(played[property], kept[property], "%s after playing" % property)
	var of_anchor := _values(anchor)
	var scene := PackedScene.new()
	check_eq(scene.pack(root), OK, "packed")
	check_eq(ResourceSaver.save(scene, FILE), OK, "saved")
	var text := FileAccess.get_file_as_string(FILE)
	check_true(not text.contains("preset"), "the preset is not stored")
	check_true(not text.contains("sleeping"), "sleeping is not stored")
	root.free()
	var loaded: PackedScene = ResourceLoader.load(FILE, "", ResourceLoader.CACHE_MODE_IGNORE)
	if not check_true(loaded != null, "loaded"):
		return
	for inside: bool in [false, true]:
		var copy: Node2D = loaded.instantiate()
		if inside:
			add(copy)
			await ticks(5)
		var values := _values(copy.get_node("Rope"))
		for property: String in played:
			if property in ["position", "rotation", "skew", "scale"] and inside:
				continue
			_check_same(values[property], played[property], "%s, inside %s" % [property, inside])
		values = _values(copy.get_node("Rope/Anchor"))
		for property: String in of_anchor:
			if not (property in ["position", "rotation"] and inside):
				_check_same(values[property], of_anchor[property], "%s of the anchor" % property)
		copy.free()


func test_every_property_is_its_default_in_a_new_node() -> void:
	for native_class: String in ["VerletRope2D", "PointAnchor2D"]:
		var node: Node = ClassDB.instantiate(native_class)
		for info in ClassDB.class_get_property_list(native_class, true):
			if not info.usage & PROPERTY_USAGE_STORAGE:
				continue
			var default: Variant = ClassDB.class_get_property_default_value(native_class, info.name)
			var what := "%s.%s" % [native_class, info.name]
			_check_same(node.get(info.name), default, what + ": default")
		node.free()


func test_a_preset_sets_what_it_says() -> void:
	var says := {
		Rope = {width = 8.0, solver = 0},
		Chain = {draw_mode = VerletRope2D.DRAW_SEGMENTS, segment_length = 16.0, mass = 3.0},
		Cable = {mass = 1.5, width = 5.0, bend = 0.45},
		Elastic = {solver = VerletRope2D.SOLVER_RELAXATION, iteration_count = 6},
		Hair = {segment_length = 6.0, mass = 0.05},
		Bridge = {draw_mode = VerletRope2D.DRAW_SEGMENTS, end_pinned = true, mass = 20.0},
		Lesson = {solver = VerletRope2D.SOLVER_RELAXATION, substeps = 1, iteration_count = 12},
		Scarf = {air_drag = 9.0, mass = 0.2},
		Vine = {segment_length = 12.0, mass = 0.8},
	}
	check_eq(says.size(), PRESETS.size(), "presets")
	for preset: String in PRESETS:
		for by_number: bool in [false, true]:
			var rope := make_rope()
			if by_number:
				rope.preset = PRESETS.find(preset) + 1
			else:
				rope.apply_preset(preset)
			for property: StringName in says[preset]:
				var value: Variant = rope.get(property)
				check_near(value, says[preset][property], 1e-5, "%s: %s" % [preset, property])
			check_eq(rope.preset, 0, preset + ": reads as no preset")
			rope.free()
	for info in ClassDB.class_get_property_list("VerletRope2D", true):
		if info.name == "preset":
			check_true(not info.usage & PROPERTY_USAGE_STORAGE, "preset is not stored")
			check_true(info.usage & PROPERTY_USAGE_EDITOR, "preset is in the Inspector")


func test_the_inspector_shows_the_preset_first() -> void:
	var rope := make_rope()
	for info in rope.get_property_list():
		var own: bool = info.name in rope and ClassDB.class_has_method("VerletRope2D", "reset")
		if own and info.usage & PROPERTY_USAGE_EDITOR:
			check_eq(info.name, "preset", "the first property")
			break
	rope.free()


func test_a_preset_does_not_move_or_untie_the_rope() -> void:
	for preset: String in PRESETS:
		var rope := await hang_asleep({length = 180.0, start_node = ^"../Hook"})
		var lamp := node_at(Vector2.ZERO, "Lamp")
		rope.end_position = Vector2(0, 120)
		rope.end_mode = CARRIES
		rope.attach_end(lamp, Vector2(0, -5))
		rope.end_mass = 0.4
		await ticks(5)
		var before := rope.global_transform
		var end := tip(rope)
		rope.apply_preset(preset)
		check_eq(rope.global_transform, before, preset + ": transform")
		check_eq(rope.length, 180.0, preset + ": length")
		check_eq(rope.end_position, Vector2(0, 120), preset + ": end position")
		check_eq(rope.end_node, rope.get_path_to(lamp), preset + ": end node")
		check_eq(rope.start_node, ^"../Hook", preset + ": start node")
		check_eq(rope.end_mode, CARRIES, preset + ": end mode")
		check_near(rope.end_mass, 0.4, 1e-6, preset + ": end mass")
		check_true(rope.start_pinned, preset + ": start pinned")
		await ticks(1)
		check_true(all_finite(rope.get_points()), preset + ": finite")
		if preset != "Bridge":
			check_near(tip(rope), end, 6.0, preset + ": place of the end")
		check_le(carried_distance(rope, lamp, Vector2(0, -5)), 0.01, preset + ": the lamp")
		rope.free()
		lamp.free()


func test_a_preset_replaces_another_without_a_trace() -> void:
	for preset: String in PRESETS:
		var plain := make_rope({end_position = Vector2(0, 130)})
		plain.apply_preset(preset)
		var mixed := make_rope({end_position = Vector2(0, 130)})
		for other: String in PRESETS:
			if other != "Bridge":
				mixed.apply_preset(other)
		mixed.apply_preset(preset.to_lower())
		var one := _values(plain)
		var other_values := _values(mixed)
		for property: String in one:
			_check_same(other_values[property], one[property], "%s: %s" % [preset, property])
		plain.free()
		mixed.free()


func test_a_wrong_preset_is_one_error_and_changes_nothing() -> void:
	var rope := await hang()
	var before := _values(rope)
	for wrong: String in ["", "Spaghetti", "Rope ", "8"]:
		expect_error('VerletRope2D "Rope" (%s): apply_preset()' % rope.get_path())
		rope.apply_preset(wrong)
	for wrong: int in [-1, 10, 1 << 40]:
		expect_error('VerletRope2D "Rope" (%s): preset' % rope.get_path())
		rope.preset = wrong
	rope.preset = 0
	var after := _values(rope)
	for property: String in before:
		_check_same(after[property], before[property], property)
	await check_works(rope, "afterwards")


func test_a_tuned_value_survives_saving_and_loading() -> void:
	var rope := make_rope()
	rope.apply_preset("Chain")
	rope.mass = 7.5
	rope.width = 21.0
	rope.linear_damp = 0.3
	var scene := PackedScene.new()
	scene.pack(rope)
	check_eq(ResourceSaver.save(scene, FILE), OK, "saved")
	var before := _values(rope)
	rope.free()
	var loaded: PackedScene = ResourceLoader.load(FILE, "", ResourceLoader.CACHE_MODE_IGNORE)
	var copy: VerletRope2D = loaded.instantiate()
	check_eq(copy.mass, 7.5, "mass")
	check_eq(copy.width, 21.0, "width")
	var after := _values(copy)
	for property: String in before:
		_check_same(after[property], before[property], property)
	add(copy)
	await ticks(10)
	check_eq(copy.mass, 7.5, "mass in the game")
	copy.free()


func test_each_preset_hangs_swings_and_comes_to_rest() -> void:
	for preset: String in PRESETS:
		var rope := make_rope({end_position = released_at(50.0)})
		rope.apply_preset(preset)
		add(rope)
		await seconds(2.0)
		check_true(all_finite(rope.get_points()), preset + ": finite")
		check_true(await until_asleep([rope], 40.0), preset + ": asleep in the end")
		rope.free()


## Moves the rope's node in a fixed way; the hash before it and after each tick.
func _run(rope: VerletRope2D, place: Vector2) -> PackedInt64Array:
	var hashes := PackedInt64Array([rope.get_state_hash()])
	for i in 120:
		rope.position = place + Vector2(60.0 * sin(i * 0.1), 0)
		if i == 30:
			rope.length *= 0.9
		if i == 50:
			rope.apply_point_impulse(6, Vector2(3, 1))
		await ticks(1)
		hashes.append(rope.get_state_hash())
	rope.length /= 0.9
	return hashes


func _run_held(root: Node2D) -> PackedInt64Array:
	var rope: VerletRope2D = root.get_node("Rope")
	var hashes := PackedInt64Array([rope.get_state_hash()])
	for i in 120:
		root.get_node("Hook").position += Vector2(3.0 * cos(i * 0.1), 1.0 * sin(i * 0.2))
		root.get_node("Grip").position += Vector2(-1.0 * cos(i * 0.3), 0)
		await ticks(1)
		hashes.append(rope.get_state_hash())
	return hashes


func _places(root: Node2D) -> Array:
	return root.get_children().map(func(node: Node2D) -> Transform2D: return node.transform)


func _put(root: Node2D, places: Array) -> void:
	for i in places.size():
		root.get_child(i).transform = places[i]


## Values of all stored properties.
func _values(node: Node) -> Dictionary:
	var values := {}
	for info in node.get_property_list():
		if info.usage & PROPERTY_USAGE_STORAGE and info.name not in ["owner", "script"]:
			values[info.name] = node.get(info.name)
	return values


## Gives every property of the node's own class another value than its default.
func _set_everything(node: Node) -> void:
	for info in ClassDB.class_get_property_list(node.get_class(), true):
		if not info.usage & PROPERTY_USAGE_STORAGE:
			continue
		var before: Variant = node.get(info.name)
		match info.type:
			TYPE_BOOL:
				node.set(info.name, not before)
			TYPE_INT:
				node.set(info.name, 1 if before == 0 else before + 1 if before > 2 else 0)
			TYPE_FLOAT:
				node.set(info.name, before * 0.5 + 0.35)
			TYPE_VECTOR2:
				node.set(info.name, before + Vector2(31, 17))
			TYPE_COLOR:
				node.set(info.name, Color(0.2, 0.4, 0.6, 0.8))
			TYPE_NODE_PATH:
				continue
			TYPE_OBJECT:
				node.set(info.name, _resource(info.hint_string))
			_:
				fail("%s: this test knows no value of its type" % info.name)
		var same: bool = node.get(info.name) == before
		check_true(not same, "%s has got another value" % info.name)


func _resource(native_class: String) -> Resource:
	match native_class:
		"PhysicsMaterial":
			var material := PhysicsMaterial.new()
			material.friction = 0.4
			return material
		"Curve":
			var curve := Curve.new()
			curve.add_point(Vector2(0, 1))
			curve.add_point(Vector2(1, 0.25))
			return curve
		"Gradient":
			var gradient := Gradient.new()
			gradient.set_color(0, Color.RED)
			return gradient
	var texture := PlaceholderTexture2D.new()
	texture.size = Vector2(16, 8)
	return texture


## Holds when both are the same, resources by what is in them.
func _check_same(one: Variant, other: Variant, what: String) -> void:
	if one is Resource and other is Resource:
		var values := _values_of_resource(one)
		check_eq(values, _values_of_resource(other), what)
	elif one is float and other is float:
		check_near(one, other, maxf(1e-6, absf(other) * 1e-6), what)
	elif one == null or other == null:
		check_true(one == null and other == null, what + ": nothing")
	else:
		check_eq(one, other, what)


func _values_of_resource(resource: Resource) -> Dictionary:
	var values := {}
	for info in resource.get_property_list():
		var stored: bool = info.usage & PROPERTY_USAGE_STORAGE
		if stored and not info.name.begins_with("resource_"):
			values[info.name] = resource.get(info.name)
	return values
