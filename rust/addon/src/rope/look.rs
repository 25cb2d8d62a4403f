//! How a rope looks: the choices of the Inspector, and the engine's resources baked into plain data.
//!
//! Resources are read in the node's draw notification, on the main thread and while nothing is locked; their signal `changed` asks for
//! it. What is read is kept in `Style`, which knows nothing of the engine and may be used by any thread.

use super::VerletRope2D;
use super::kinds::ReelEnd;
use crate::draw::brush::{Cap, Cover, Paint, Picture, Profile};
use crate::draw::picture::bake_picture;
use godot::classes::canvas_item::TextureRepeat;
use godot::classes::gradient::{ColorSpace, InterpolationMode};
use godot::classes::object::ConnectFlags;
use godot::classes::rendering_server::CanvasItemTextureRepeat;
use godot::classes::{CanvasItem, Curve, Gradient, RenderingServer, Resource, Texture2D};
use godot::init::is_main_thread;
use godot::prelude::*;

/// How a rope's texture lies on it. Never renumber.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Debug)]
#[godot(via = i64)]
pub enum TextureMode {
    None = 0,
    #[default]
    Tile = 1,
    Stretch = 2,
}

/// How an end of a rope is drawn. Never renumber.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Debug)]
#[godot(via = i64)]
pub enum CapMode {
    None = 0,
    Box = 1,
    #[default]
    Round = 2,
}

/// Whether a rope is drawn as a strip or link by link. Never renumber.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Debug)]
#[godot(via = i64)]
pub enum DrawMode {
    #[default]
    Strip = 0,
    Segments = 1,
}

impl From<CapMode> for Cap {
    fn from(mode: CapMode) -> Cap {
        match mode {
            CapMode::None => Cap::Flat,
            CapMode::Box => Cap::Box,
            CapMode::Round => Cap::Round,
        }
    }
}

/// Into how many steps a curved width is baked.
const CURVE_SAMPLES: usize = 128;

/// Into how many straight steps a curved way between two colours is baked.
const COLOR_STEPS: usize = 8;

/// A rope's look without its width, as plain data.
#[derive(Clone, PartialEq, Debug)]
pub struct Style {
    pub profile: Profile,
    pub paint: Paint,
    pub cover: Cover,
    /// At the start and at the end.
    pub caps: [Cap; 2],
    /// The edges fade over a pixel.
    pub antialiased: bool,
    /// Drawn link by link instead of as a strip.
    pub in_links: bool,
    /// The picture of a link, and of every second one if that has its own.
    pub link: Option<Picture>,
    pub second_link: Option<Picture>,
    /// Tiles and links are counted from the end, since new length comes in at the start.
    pub anchored_at_end: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            profile: Profile::default(),
            paint: Paint::default(),
            cover: Cover::Plain,
            caps: [Cap::Round; 2],
            antialiased: false,
            in_links: false,
            link: None,
            second_link: None,
            anchored_at_end: true,
        }
    }
}

impl VerletRope2D {
    /// Bakes what it is drawn with.
    pub(super) fn style(&self) -> Style {
        let picture = |texture: &Option<Gd<Texture2D>>| texture.as_ref().and_then(bake_picture);
        let texture = picture(&self.texture);
        Style {
            profile: self.width_curve.as_ref().map(bake_curve).unwrap_or_default(),
            paint: self.gradient.as_ref().map(bake_gradient).unwrap_or_default(),
            cover: match (self.texture_mode, texture) {
                (TextureMode::Tile, Some(picture)) => Cover::Tile(picture),
                (TextureMode::Stretch, Some(picture)) => Cover::Stretch(picture),
                _ => Cover::Plain,
            },
            caps: [self.begin_cap_mode.into(), self.end_cap_mode.into()],
            antialiased: self.antialiased,
            in_links: self.draw_mode == DrawMode::Segments,
            link: picture(&self.segment_texture),
            second_link: picture(&self.segment_alternate),
            anchored_at_end: self.get_reel_end() == ReelEnd::Start,
        }
    }

    /// What its colours are multiplied by: like a `Line2D` it shows its gradient pure.
    pub(super) fn tint(&self) -> Color {
        if self.gradient.is_some() { Color::WHITE } else { self.default_color }
    }

    /// Listens to the changes of a resource instead of those of another.
    pub(super) fn listen(&self, before: Option<Gd<Resource>>, now: Option<Gd<Resource>>) {
        if before == now {
            return;
        }
        let callback = self.to_gd().callable("_look_changed");
        if let Some(mut before) = before {
            before.disconnect("changed", &callback);
        }
        if let Some(mut now) = now {
            // Counted: several properties may have the same resource.
            now.connect_flags("changed", &callback, ConnectFlags::REFERENCE_COUNTED);
        }
    }

    /// Lets the renderer repeat the texture if it lies in tiles and the node leaves that to its parents. Its children do not inherit it.
    pub(super) fn repeat_texture(&mut self, wanted: bool) {
        if wanted == self.repeats && !wanted {
            return;
        }
        self.repeats = wanted;
        let item = self.to_gd().upcast::<CanvasItem>();
        let mode = match inherited_repeat(&item) {
            _ if wanted && item.get_texture_repeat() == TextureRepeat::PARENT_NODE => CanvasItemTextureRepeat::ENABLED,
            TextureRepeat::DISABLED => CanvasItemTextureRepeat::DISABLED,
            TextureRepeat::ENABLED => CanvasItemTextureRepeat::ENABLED,
            TextureRepeat::MIRROR => CanvasItemTextureRepeat::MIRROR,
            _ => CanvasItemTextureRepeat::DEFAULT,
        };
        RenderingServer::singleton().canvas_item_set_default_texture_repeat(item.get_canvas_item(), mode);
    }
}

#[godot_api(secondary)]
impl VerletRope2D {
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

/// The mode of the next item above, itself included, that has one of its own.
fn inherited_repeat(item: &Gd<CanvasItem>) -> TextureRepeat {
    let mut item = item.clone();
    loop {
        let repeat = item.get_texture_repeat();
        let parent = item.get_parent().and_then(|parent| parent.try_cast::<CanvasItem>().ok());
        match parent {
            Some(parent) if repeat == TextureRepeat::PARENT_NODE => item = parent,
            _ => return repeat,
        }
    }
}

fn bake_curve(curve: &Gd<Curve>) -> Profile {
    let sample = |i: usize| {
        let value = curve.sample(i as f32 / (CURVE_SAMPLES - 1) as f32);
        if value.is_finite() { value.max(0.0) } else { 0.0 }
    };
    Profile((0..CURVE_SAMPLES).map(sample).collect())
}

fn bake_gradient(gradient: &Gd<Gradient>) -> Paint {
    let (offsets, colors) = (gradient.get_offsets(), gradient.get_colors());
    let mut stops: Vec<(f32, Color)> = offsets
        .as_slice()
        .iter()
        .zip(colors.as_slice())
        .filter(|(offset, _)| offset.is_finite())
        .map(|(&offset, &color)| (offset.clamp(0.0, 1.0), color))
        .collect();
    stops.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mode = gradient.get_interpolation_mode();
    if mode == InterpolationMode::CONSTANT {
        let edges = stops.windows(2).flat_map(|pair| [(pair[1].0, pair[0].1), pair[1]]);
        let first = stops.first().copied();
        return Paint(first.into_iter().chain(edges).collect());
    }
    if mode == InterpolationMode::LINEAR && gradient.get_interpolation_color_space() == ColorSpace::SRGB {
        return Paint(stops);
    }
    let curved = stops.windows(2).flat_map(|pair| {
        let (from, to) = (pair[0].0, pair[1].0);
        let steps = if to > from { COLOR_STEPS } else { 1 };
        (1..steps).map(move |i| from + (to - from) * i as f32 / steps as f32)
    });
    let mut gradient = gradient.clone();
    let mut sampled: Vec<_> = curved.map(|offset| (offset, gradient.sample(offset))).collect();
    sampled.extend(stops);
    sampled.sort_by(|one, other| one.0.total_cmp(&other.0));
    Paint(sampled)
}
