//! What the editor shows beside the Inspector's own: presets that are one step of undo.

use crate::rope::{VerletRope2D, presets};
use godot::classes::{
    EditorInspectorPlugin, EditorPlugin, IEditorInspectorPlugin, IEditorPlugin, Object, OptionButton,
};
use godot::classes::{HBoxContainer, Label, control};
use godot::prelude::*;
use godot::register::info::{PropertyHint, PropertyUsageFlags};

/// Registers itself when the extension is loaded in an editor.
#[derive(GodotClass)]
#[class(tool, internal, init, base = EditorPlugin)]
pub struct SuppleEditor {
    inspector: Option<Gd<SupplePresets>>,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for SuppleEditor {
    fn enter_tree(&mut self) {
        let mut inspector = SupplePresets::new_gd();
        inspector.bind_mut().plugin = Some(self.to_gd());
        self.base_mut().add_inspector_plugin(&inspector);
        self.inspector = Some(inspector);
    }

    fn exit_tree(&mut self) {
        if let Some(mut inspector) = self.inspector.take() {
            self.base_mut().remove_inspector_plugin(&inspector);
            inspector.bind_mut().plugin = None;
        }
    }
}

/// Shows the property `preset` as a list to choose from.
#[derive(GodotClass)]
#[class(tool, internal, init, base = EditorInspectorPlugin)]
pub struct SupplePresets {
    plugin: Option<Gd<SuppleEditor>>,
    base: Base<EditorInspectorPlugin>,
}

#[godot_api]
impl SupplePresets {
    /// The user has chosen a preset for a rope.
    #[func]
    fn choose(&mut self, index: i64, rope: Gd<VerletRope2D>, mut list: Gd<OptionButton>) {
        list.select(0);
        let (Some(plugin), Ok(preset)) = (&self.plugin, usize::try_from(index - 1)) else { return };
        let Some(mut undo) = plugin.get_undo_redo() else { return };
        let values = presets::values(preset, &rope);
        undo.create_action(&format!("Apply Preset {}", presets::NAMES[preset]));
        for (property, value) in values {
            undo.add_do_property(&rope, property, &value);
            undo.add_undo_property(&rope, property, &rope.get(property));
        }
        undo.add_do_method(&rope, "notify_property_list_changed", &[]);
        undo.add_undo_method(&rope, "notify_property_list_changed", &[]);
        undo.commit_action();
    }
}

#[godot_api]
impl IEditorInspectorPlugin for SupplePresets {
    fn can_handle(&self, object: Option<Gd<Object>>) -> bool {
        object.is_some_and(|object| object.try_cast::<VerletRope2D>().is_ok())
    }

    fn parse_property(
        &mut self,
        object: Option<Gd<Object>>,
        _type: VariantType,
        name: GString,
        _hint: PropertyHint,
        _hint_string: GString,
        _usage: PropertyUsageFlags,
        _wide: bool,
    ) -> bool {
        let Some(rope) = object.and_then(|object| object.try_cast::<VerletRope2D>().ok()) else { return false };
        if name != "preset" {
            return false;
        }
        let mut list = OptionButton::new_alloc();
        list.add_item("Choose…");
        presets::NAMES.iter().for_each(|name| list.add_item(*name));
        list.set_h_size_flags(control::SizeFlags::EXPAND_FILL);
        let chosen = self.base().callable("choose").bind(&[rope.to_variant(), list.to_variant()]);
        list.connect("item_selected", &chosen);
        let mut label = Label::new_alloc();
        label.set_text("Preset");
        label.set_h_size_flags(control::SizeFlags::EXPAND_FILL);
        let mut row = HBoxContainer::new_alloc();
        row.set_tooltip_text(
            "Sets all properties of a kind of rope at once, except where it is and what it is tied to.",
        );
        row.add_child(&label);
        row.add_child(&list);
        self.base_mut().add_custom_control(&row);
        true
    }
}
