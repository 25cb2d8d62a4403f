//! What a line is drawn with: plain data, baked from the engine's resources, that may be sent to other threads.

use godot::builtin::{Color, Rect2, Rid, Vector2};

/// A width along a line relative to a base width: evenly spaced samples. None: 1 everywhere.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Profile(pub Vec<f32>);

impl Profile {
    /// The width at a part of the line, 0 to 1.
    pub fn at(&self, part: f32) -> f32 {
        let Some(last) = self.0.len().checked_sub(1) else { return 1.0 };
        let place = part.clamp(0.0, 1.0) * last as f32;
        let index = (place as usize).min(last.saturating_sub(1));
        let (from, to) = (self.0[index], self.0[(index + 1).min(last)]);
        from + (to - from) * (place - index as f32)
    }

    /// Whether it is the same everywhere.
    pub fn is_even(&self) -> bool {
        self.0.windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// Colours along a line: linear between stops, which are in order. Two stops in one place are a hard edge. None: white.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Paint(pub Vec<(f32, Color)>);

impl Paint {
    /// The colour at a part of the line, 0 to 1; on a hard edge the one before it, or `after` it.
    pub fn at(&self, part: f32, after: bool) -> Color {
        let stops = &self.0;
        let next = stops.partition_point(|(place, _)| if after { *place <= part } else { *place < part });
        match (next.checked_sub(1).map(|before| stops[before]), stops.get(next)) {
            (None, None) => Color::WHITE,
            (Some((_, color)), None) => color,
            (None, Some(&(_, color))) => color,
            (Some((from, color)), Some(&(to, next_color))) => {
                let share = if to > from { (part - from) / (to - from) } else { 0.0 };
                color.lerp(next_color, f64::from(share))
            }
        }
    }
}

/// A picture: a texture, or a region of one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Picture {
    /// The texture on the rendering server.
    pub texture: Rid,
    /// Size in its pixels; never 0.
    pub size: Vector2,
    /// The region in the texture's own coordinates, 0 to 1.
    pub region: Rect2,
    /// It is not the whole texture: repeating it needs a cut.
    pub is_part: bool,
}

impl Picture {
    /// Length for a height, so that the picture keeps its proportions.
    pub fn length(&self, height: f32) -> f32 {
        height * self.size.x / self.size.y
    }

    /// The region less half a pixel at each edge, as its corners: filtering then takes nothing from beyond.
    pub fn inner(&self) -> (Vector2, Vector2) {
        let half = self.region.size / self.size * 0.5;
        (self.region.position + half, self.region.end() - half)
    }
}

/// Where and how a picture lies on a line.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub enum Cover {
    /// There is none.
    #[default]
    Plain,
    /// Once, from end to end.
    Stretch(Picture),
    /// Again and again, in its proportions.
    Tile(Picture),
}

impl Cover {
    /// The picture.
    pub fn picture(&self) -> Option<&Picture> {
        match self {
            Cover::Plain => None,
            Cover::Stretch(picture) | Cover::Tile(picture) => Some(picture),
        }
    }

    /// Whether the renderer has to repeat the texture.
    pub fn repeats(&self) -> bool {
        matches!(self, Cover::Tile(picture) if !picture.is_part)
    }
}

/// How an end is drawn.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Cap {
    /// Cut off at the end.
    Flat,
    /// Half the width longer.
    Box,
    /// A half circle.
    #[default]
    Round,
}
