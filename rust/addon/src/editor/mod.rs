//! What the editor shows beside the Inspector's own: presets that are one step of undo.

use crate::presets::kinds_of;
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
    /// The user has chosen a preset for a node.
    #[func]
    fn choose(&mut self, index: i64, node: Gd<Object>, mut list: Gd<OptionButton>) {
        list.select(0);
        let (Some(plugin), Ok(preset)) = (&self.plugin, usize::try_from(index - 1)) else { return };
        let Some((kinds, node)) = kinds_of(&node) else { return };
        let (Some(mut undo), Some(name)) = (plugin.get_undo_redo(), kinds.names.get(preset)) else { return };
        let values = (kinds.values)(preset, &node);
        undo.create_action(&format!("Apply Preset {name}"));
        for (property, value) in values {
            undo.add_do_property(&node, property, &value);
            undo.add_undo_property(&node, property, &node.get(property));
        }
        undo.add_do_method(&node, "notify_property_list_changed", &[]);
        undo.add_undo_method(&node, "notify_property_list_changed", &[]);
        undo.commit_action();
    }
}

#[godot_api]
impl IEditorInspectorPlugin for SupplePresets {
    fn can_handle(&self, object: Option<Gd<Object>>) -> bool {
        object.is_some_and(|object| kinds_of(&object).is_some())
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
        let Some((kinds, node)) = object.and_then(|object| kinds_of(&object)) else { return false };
        if name != "preset" {
            return false;
        }
        let mut list = OptionButton::new_alloc();
        list.add_item("Choose…");
        kinds.names.iter().for_each(|name| list.add_item(*name));
        list.set_h_size_flags(control::SizeFlags::EXPAND_FILL);
        let chosen = self.base().callable("choose").bind(&[node.to_variant(), list.to_variant()]);
        list.connect("item_selected", &chosen);
        let mut label = Label::new_alloc();
        label.set_text("Preset");
        label.set_h_size_flags(control::SizeFlags::EXPAND_FILL);
        let mut row = HBoxContainer::new_alloc();
        row.set_tooltip_text(kinds.tooltip);
        row.add_child(&label);
        row.add_child(&list);
        self.base_mut().add_custom_control(&row);
        true
    }
}
