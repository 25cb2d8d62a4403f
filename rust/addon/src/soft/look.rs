//! How a soft body looks: the choices of the Inspector, and its texture baked into plain data.

use super::SoftBody2D;
use super::kinds::Source;
use crate::draw::brush::Picture;
use crate::draw::picture::bake_picture;
use crate::draw::skin::Smoothing;
use godot::classes::{Resource, Texture2D};
use godot::init::is_main_thread;
use godot::prelude::*;

/// A body's look as plain data.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Style {
    /// It draws itself; otherwise a child is its picture.
    pub is_drawn: bool,
    pub picture: Option<Picture>,
    pub color: Color,
    pub outline_width: f32,
    pub outline_color: Color,
    pub smoothing: Smoothing,
    /// How strong the highlight is.
    pub shine: f32,
    /// The edges fade over a pixel.
    pub antialiased: bool,
}

impl Style {
    /// Without what changes neither triangles nor vertices' looks.
    pub fn layout(&self) -> Style {
        let shown = |size: f32| f32::from(size > 0.0);
        let (outline_width, shine) = (shown(self.outline_width), shown(self.shine));
        Style { color: Color::default(), outline_color: Color::default(), outline_width, shine, ..self.clone() }
    }
}

/// How the outline of a source is smoothed.
pub fn smoothing(source: Source, smooth: bool) -> Smoothing {
    match source {
        _ if !smooth => Smoothing::Straight,
        Source::Rectangle => Smoothing::Rounded,
        Source::Ellipse => Smoothing::Everywhere,
        Source::Polygon | Source::ChildPolygon => Smoothing::NotAtCorners,
    }
}

impl SoftBody2D {
    /// Bakes what it is drawn with.
    pub(super) fn style(&self) -> Style {
        let picture = self.texture.as_ref().and_then(bake_picture);
        Style {
            is_drawn: !self.has_picture(),
            // A picture has its own.
            shine: if picture.is_none() { self.shine as f32 } else { 0.0 },
            picture,
            color: self.color,
            outline_width: self.outline_width as f32,
            outline_color: self.outline_color,
            smoothing: smoothing(self.source, self.smooth_outline),
            antialiased: self.antialiased,
        }
    }

    pub(super) fn change_texture(&mut self, texture: Option<Gd<Texture2D>>) {
        let callback = self.to_gd().callable("_look_changed");
        let before = std::mem::replace(&mut self.texture, texture.clone());
        if before != texture {
            if let Some(mut before) = before.map(Gd::upcast::<Resource>) {
                before.disconnect("changed", &callback);
            }
            if let Some(mut now) = texture.map(Gd::upcast::<Resource>) {
                now.connect("changed", &callback);
            }
        }
        self.redraw_node();
    }
}

#[godot_api(secondary)]
impl SoftBody2D {
    /// A resource that it is drawn with was changed. It may come at any time: nothing is bound here.
    #[func(gd_self)]
    fn _look_changed(mut this: Gd<Self>) {
        if is_main_thread() {
            this.queue_redraw();
        } else {
            this.call_deferred("queue_redraw", &[]);
        }
    }
}
