//! The cross-sections ("ribs") of a strip: where along the line they are, how wide, in which colour and part of the picture.
//!
//! They depend on rest lengths and on the brush only, not on where the line is: they are laid out when one of these changes, and every
//! frame merely puts them in place. There is a rib at each point, at each stop of the colours, along a curved width, at each border
//! between tiles where the renderer cannot repeat, and round the caps.

use super::brush::{Cap, Cover, Paint, Profile};
use godot::builtin::{Color, Vector2};

/// Ribs nearer than this, in px, are one.
const SAME: f32 = 1e-3;

/// A curved width is followed in so many steps along the whole line.
const CURVE_STEPS: f32 = 48.0;

/// The most tiles that are cut; shorter ones are drawn longer.
const MOST_TILES: f32 = 4096.0;

/// By how much a round cap may differ from a circle, in px, and the most ribs that go into one.
const ROUNDNESS: f32 = 0.16;
const MOST_CAP_RIBS: f32 = 16.0;

/// Lines wider than this part of their shortest link get a rib for each of the two directions that meet at a point: where
/// they bend sharply one rib would pinch them.
const BROAD: f32 = 0.6;

/// What decides where the ribs are.
pub struct Plan<'a> {
    /// Rest distance of each point from the start, in px; at least two.
    pub places: &'a [f32],
    pub width: f32,
    pub profile: &'a Profile,
    pub paint: &'a Paint,
    pub cover: Cover,
    /// At the start and at the end.
    pub caps: [Cap; 2],
    /// How wide the edge fades, in px; 0: not at all.
    pub feather: f32,
    /// Where tiles are counted from, in px from the start.
    pub origin: f32,
}

/// How a cross-section stands at its point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stand {
    /// On it, across the bisector of the two directions that meet there.
    Point,
    /// On it, across the direction before it, or after it, where they differ much.
    Before,
    After,
    /// A part of the way to the next point.
    Between(f32),
    /// So many px farther along the line: beyond an end.
    Beyond(f32),
}

/// Where a cross-section is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rib {
    pub point: u32,
    pub stand: Stand,
    /// Half the width there.
    pub half: f32,
}

impl Rib {
    /// The same so many px farther along the line; only at its ends.
    fn moved(self, way: f32) -> Rib {
        let beyond = if let Stand::Beyond(beyond) = self.stand { beyond } else { 0.0 };
        Rib { stand: Stand::Beyond(beyond + way), ..self }
    }
}

/// How a cross-section looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shade {
    pub color: Color,
    /// In the texture: along, and across at its left and right.
    pub u: f32,
    pub v: Vector2,
    /// How far the fading edge reaches in, across the texture.
    pub v_edge: f32,
}

impl Shade {
    /// The same, not to be seen.
    fn faded(self) -> Shade {
        Shade { color: Color { a: 0.0, ..self.color }, ..self }
    }
}

/// A place for ribs.
#[derive(Clone, Copy)]
struct Mark {
    at: f32,
    /// A point of the line is here.
    is_point: bool,
    /// Colour or picture change abruptly here.
    is_edge: bool,
}

/// Room that is used again.
#[derive(Default)]
pub struct Ribs {
    pub ribs: Vec<Rib>,
    /// The way out of the edge at each rib: along the line, and aside. Apart, since only fading edges need it in every frame.
    pub outs: Vec<Vector2>,
    pub shades: Vec<Shade>,
    marks: Vec<Mark>,
}

impl Ribs {
    /// Lays the ribs out anew.
    pub fn lay_out(&mut self, plan: &Plan) {
        self.ribs.clear();
        self.outs.clear();
        self.shades.clear();
        let Some(layer) = Layer::new(plan) else { return };
        self.mark(plan, &layer);
        let mut link = 0;
        let shortest = plan.places.windows(2).map(|pair| pair[1] - pair[0]).fold(f32::INFINITY, f32::min);
        let last = plan.places.len() - 1;
        for index in 0..self.marks.len() {
            let mark = self.marks[index];
            while link + 2 < plan.places.len() && plan.places[link + 1] <= mark.at {
                link += 1;
            }
            let (from, to) = (plan.places[link], plan.places[link + 1]);
            let share = (mark.at - from) / (to - from);
            let part = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
            let (point, part) = if part >= 1.0 { (link + 1, 0.0) } else { (link, part) };
            let beyond = mark.at.min(0.0) + (mark.at - layer.total).max(0.0);
            let (half, out) = layer.edge(plan, mark.at);
            let broad = mark.is_point && point > 0 && point < last && half > 0.5 * BROAD * shortest;
            let stand = match (part, beyond) {
                (0.0, 0.0) => Stand::Point,
                (part, 0.0) => Stand::Between(part),
                (_, beyond) => Stand::Beyond(beyond),
            };
            let rib = Rib { point: point as u32, stand, half };
            if broad {
                self.ribs.extend([Rib { stand: Stand::Before, ..rib }, Rib { stand: Stand::After, ..rib }]);
                self.shades.extend([layer.shade(plan, mark.at, half, false), layer.shade(plan, mark.at, half, true)]);
            } else if mark.is_edge {
                self.ribs.extend([rib, rib]);
                self.shades.extend([layer.shade(plan, mark.at, half, false), layer.shade(plan, mark.at, half, true)]);
            } else {
                self.ribs.push(rib);
                self.shades.push(layer.shade(plan, mark.at, half, true));
            }
            self.outs.resize(self.ribs.len(), out);
        }
        if plan.feather > 0.0 {
            self.fade_flat_ends(plan, &layer);
        }
    }

    /// Lists all places of ribs in order.
    fn mark(&mut self, plan: &Plan, layer: &Layer) {
        let marks = &mut self.marks;
        marks.clear();
        marks.extend(plan.places.iter().map(|&at| Mark { at, is_point: true, is_edge: false }));
        let between = |at: f32| Mark { at, is_point: false, is_edge: false };
        for stop in plan.paint.0.windows(2) {
            marks.push(Mark { is_edge: stop[0].0 == stop[1].0, ..between(stop[0].0 * layer.total) });
        }
        if !plan.profile.is_even() {
            let longest = plan.places.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
            let step = layer.total / CURVE_STEPS;
            if longest > 1.5 * step {
                marks.extend((1..CURVE_STEPS as usize).map(|i| between(i as f32 * step)));
            }
        }
        if let Some(tile) = layer.cut_tile {
            let first = ((layer.start - layer.origin) / tile).floor() as i64 + 1;
            let last = ((layer.end - layer.origin) / tile).ceil() as i64 - 1;
            let border = |i: i64| Mark { is_edge: true, ..between(layer.origin + i as f32 * tile) };
            marks.extend((first..=last).map(border));
        }
        for (side, cap) in plan.caps.iter().enumerate() {
            let (radius, end, outwards) =
                if side == 0 { (layer.radii[0], 0.0, -1.0) } else { (layer.radii[1], layer.total, 1.0) };
            if radius <= 0.0 {
                continue;
            }
            let steps = match cap {
                Cap::Flat => 0.0,
                Cap::Box => 1.0,
                Cap::Round => {
                    let step = 2.0 * (1.0 - ROUNDNESS / radius).clamp(-1.0, 1.0).acos();
                    (std::f32::consts::FRAC_PI_2 / step).ceil().clamp(2.0, MOST_CAP_RIBS)
                }
            };
            for i in 1..=steps as u32 {
                let turn = std::f32::consts::FRAC_PI_2 * i as f32 / steps;
                let beyond = if i as f32 == steps { radius } else { radius * turn.sin() };
                marks.push(between(end + outwards * beyond));
            }
        }
        marks.retain(|mark| mark.is_point || (mark.at >= layer.start && mark.at <= layer.end));
        marks.sort_by(|one, other| one.at.total_cmp(&other.at));
        marks.dedup_by(|next, kept| {
            let same = next.at - kept.at < SAME && !(next.is_point && kept.is_point);
            if same {
                kept.is_edge |= next.is_edge;
                if next.is_point {
                    (kept.at, kept.is_point) = (next.at, true);
                }
            }
            same
        });
    }

    /// Lets flat ends and boxes fade like the sides do: the last rib steps back by half the feather, and one that cannot be
    /// seen stands before it.
    fn fade_flat_ends(&mut self, plan: &Plan, layer: &Layer) {
        let reach = 0.5 * plan.feather;
        let fades = |side: usize| plan.caps[side] != Cap::Round || layer.radii[side] <= 0.0;
        if fades(0) {
            let (rib, shade) = (self.ribs[0], self.shades[0]);
            self.ribs[0] = rib.moved(reach);
            self.ribs.insert(0, rib.moved(-reach));
            self.outs.insert(0, self.outs[0]);
            self.shades.insert(0, shade.faded());
        }
        if let (true, Some(&shade), Some(rib)) = (fades(1), self.shades.last(), self.ribs.last_mut()) {
            let end = *rib;
            *rib = end.moved(-reach);
            self.ribs.push(end.moved(reach));
            self.outs.push(self.outs[self.outs.len() - 1]);
            self.shades.push(shade.faded());
        }
    }
}

/// What follows from a plan for all ribs.
struct Layer {
    /// Rest length of the line, and where the drawing starts and ends, caps included.
    total: f32,
    start: f32,
    end: f32,
    /// Half the width at the ends, and 0 where no cap is.
    radii: [f32; 2],
    /// Length of a tile, if there are tiles, and where one starts.
    tile: Option<f32>,
    cut_tile: Option<f32>,
    origin: f32,
    /// The picture's corners in the texture.
    least: Vector2,
    most: Vector2,
}

impl Layer {
    fn new(plan: &Plan) -> Option<Layer> {
        let total = plan.places.last().copied().filter(|_| plan.places.len() > 1)?;
        let radius = |side: usize| match plan.caps[side] {
            Cap::Flat => 0.0,
            Cap::Box | Cap::Round => 0.5 * plan.width * plan.profile.at(side as f32),
        };
        let radii = [radius(0), radius(1)];
        let tile = match plan.cover {
            Cover::Tile(picture) => Some(picture.length(plan.width).max(total / MOST_TILES)),
            _ => None,
        };
        let tile = tile.filter(|&tile| tile.is_finite() && tile > SAME);
        let (mut least, mut most) = (Vector2::ZERO, Vector2::ONE);
        if let Some(picture) = plan.cover.picture() {
            (least, most) = picture.inner();
            if tile.is_some() && plan.cover.repeats() {
                (least.x, most.x) = (0.0, 1.0);
            }
        }
        Some(Layer {
            total,
            start: -radii[0],
            end: total + radii[1],
            radii,
            tile,
            cut_tile: tile.filter(|_| !plan.cover.repeats()),
            origin: plan.origin,
            least,
            most,
        })
    }

    /// Half the width at a rest distance, and the way out of the edge.
    fn edge(&self, plan: &Plan, at: f32) -> (f32, Vector2) {
        let half = 0.5 * plan.width * plan.profile.at(at / self.total);
        let (beyond, side) = if at < 0.0 { (at, 0) } else { ((at - self.total).max(0.0), 1) };
        let radius = self.radii[side];
        if beyond == 0.0 || plan.caps[side] != Cap::Round || radius <= 0.0 {
            return (half, Vector2::DOWN);
        }
        let along = (beyond / radius).clamp(-1.0, 1.0);
        let aside = (1.0 - along * along).sqrt();
        (radius * aside, Vector2::new(along, aside))
    }

    /// How it looks at a rest distance; on an edge on the side before it, or `after` it.
    fn shade(&self, plan: &Plan, at: f32, half: f32, after: bool) -> Shade {
        let mut color = plan.paint.at(at.clamp(0.0, self.total) / self.total, after);
        let part = match self.tile {
            None => ((at - self.start) / (self.end - self.start)).clamp(0.0, 1.0),
            Some(tile) => {
                let tiles = (at - self.origin) / tile;
                if self.cut_tile.is_some() {
                    // Just beside a border it is at the end of one tile or at the beginning of the next.
                    let near = SAME / tile;
                    let cell = if after { (tiles + near).floor() } else { (tiles - near).ceil() - 1.0 };
                    (tiles - cell).clamp(0.0, 1.0)
                } else {
                    tiles
                }
            }
        };
        // Narrower than the feather it is fainter: as much colour in all as the true width has.
        let reach = 0.5 * plan.feather;
        if at >= 0.0 && at <= self.total && half < reach {
            color.a *= 2.0 * half / (half + reach);
        }
        let across = self.most.y - self.least.y;
        Shade {
            color,
            u: self.least.x + (self.most.x - self.least.x) * part,
            v: Vector2::new(self.least.y, self.most.y),
            v_edge: if half > 0.0 { across * (0.5 * reach / half).min(0.5) } else { 0.5 * across },
        }
    }
}
