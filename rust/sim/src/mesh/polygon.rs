//! Meshes of outlines.

use super::crossing::crossing;
use super::fill::{divided, divided_count, inner_points};
use super::rectangle::usable_size;
use super::refine::Draft;
use super::simplify::simplify;
use super::{LEAST_SIZE, LEAST_SPACING, MOST_POINTS, MOST_REACH, Mesh, MeshError, loop_area};
use crate::bounds::Bounds;
use glam::{DVec2, UVec2, Vec2};
use std::borrow::Cow;
use std::f64::consts::{FRAC_PI_2, PI};

/// Points of an outline closer than this part of the spacing are one.
const MERGING: f64 = 0.01;

/// An outline thinner than this part of its length encloses no area: rounding would decide which side is in.
const LEAST_WIDTH: f64 = 1e-5;

/// Simplifying may change the area by this part. Thin outlines, which would lose more, are simplified less.
const AREA_CHANGE: f64 = 0.05;

/// How many times simplifying is tried with less, each a quarter; the last time with none.
const SIMPLIFYING_TRIES: i32 = 6;

/// The same with very many points, where each takes long.
const TRIES_WITH_MANY: i32 = 2;

/// By how much the spacing is enlarged until a mesh fits.
const ENLARGING: f64 = 1.2;

/// The same while the outline has very many points, where each round takes long.
const ENLARGING_FAST: f64 = 1.5;

/// Refining needs room: the most points before it.
const BEFORE_REFINING: usize = MOST_POINTS / 5 * 4;

impl Mesh {
    /// A mesh over an outline, turning either way. Its points are about `spacing` apart (at least [`LEAST_SPACING`], and more if the mesh
    /// would have more than [`MOST_POINTS`]), closer where the outline is thin or has detail.
    ///
    /// Sharp corners stay exactly. Detail of less than about a tenth of the spacing is left out first, so a mistake that small, like a tiny
    /// loop, does no harm; any that is larger is an error. An outline that touches itself counts as crossing.
    pub fn polygon(outline: &[Vec2], spacing: f32) -> Result<Mesh, MeshError> {
        check_numbers(outline)?;
        let mut spacing = f64::from(spacing.max(LEAST_SPACING));
        let size = size_of(outline);
        spacing = spacing.min(size.max(f64::from(LEAST_SPACING)));
        let corners = cleaned(outline, MERGING * spacing.min(size))?;
        check_area(&corners)?;

        let corners = turning_right(corners);
        let area = loop_area(&corners);
        spacing = spacing.max(fitting_spacing(area.abs()));
        let mut left = Cow::Borrowed(&corners[..]);
        let mut is_checked = false;
        loop {
            let mut is_slow = left.len() > 2 * BEFORE_REFINING;
            if let Some(simple) = simplified(&left, area, spacing) {
                if divided_count(&simple, spacing) <= BEFORE_REFINING {
                    let ring = divided(&simple, spacing);
                    let inside = inner_points(&ring, spacing);
                    if ring.len() + inside.len() <= BEFORE_REFINING {
                        return mesh_of(&simple, ring, inside, spacing);
                    }
                }
                left = Cow::Owned(simple);
                is_slow = false;
            } else if !is_checked {
                // What hinders it: the outline itself, or that too little of it was left?
                check_crossing(&corners)?;
                is_checked = true;
            }
            if spacing > 4.0 * size {
                return Err(MeshError::TooDetailed { at: middle_of(&corners) });
            }
            if is_slow {
                // The next rounds need not start from all points.
                let fewer = simplify(&left, spacing / 4.0);
                if fewer.len() < left.len() / 2 && crossing(&fewer).is_none() {
                    left = Cow::Owned(fewer);
                }
            }
            spacing *= if is_slow { ENLARGING_FAST } else { ENLARGING };
        }
    }

    /// A mesh over an ellipse around the origin. Sizes are made positive and held in bounds.
    pub fn ellipse(size: Vec2, spacing: f32) -> Mesh {
        let size = usable_size(size);
        let half = size.as_dvec2() / 2.0;
        // A little more than fits: the outline is to be left as it is.
        let least = 1.05 * fitting_spacing(PI * half.x * half.y) as f32;
        let spacing = spacing.max(LEAST_SPACING).min(size.max_element()).max(least);
        let outline = ellipse_outline(half, f64::from(spacing));
        Mesh::polygon(&outline, spacing).unwrap_or_else(|_| Mesh::rectangle(size, UVec2::splat(2)))
    }
}

/// Whether an outline can be meshed: finite, with an area, not crossing or touching itself anywhere. Takes about n log n steps.
pub fn check_outline(outline: &[Vec2]) -> Result<(), MeshError> {
    check_numbers(outline)?;
    let corners = cleaned(outline, 0.0)?;
    check_area(&corners)?;
    check_crossing(&corners)
}

fn check_numbers(outline: &[Vec2]) -> Result<(), MeshError> {
    for (index, &at) in outline.iter().enumerate() {
        if !at.is_finite() {
            let finite = |coordinate: f32| if coordinate.is_finite() { coordinate } else { 0.0 };
            return Err(MeshError::NotFinite { index, at: Vec2::new(finite(at.x), finite(at.y)) });
        }
        if at.abs().max_element() > MOST_REACH {
            return Err(MeshError::TooFar { index, at });
        }
    }
    Ok(())
}

fn size_of(outline: &[Vec2]) -> f64 {
    if outline.is_empty() {
        return 0.0;
    }
    let Bounds { min, max } = Bounds::of(outline.iter().copied());
    f64::from((max - min).max_element())
}

fn middle_of(outline: &[Vec2]) -> Vec2 {
    let Bounds { min, max } = Bounds::of(outline.iter().copied());
    (min + max) / 2.0
}

/// The outline without points that are hardly away from the one before, or the last from the first.
fn cleaned(outline: &[Vec2], least: f64) -> Result<Vec<Vec2>, MeshError> {
    let is_away = |a: Vec2, b: Vec2| a != b && a.as_dvec2().distance(b.as_dvec2()) >= least;
    let mut corners: Vec<Vec2> = Vec::with_capacity(outline.len());
    for &point in outline {
        if corners.last().is_none_or(|&last| is_away(last, point)) {
            corners.push(point);
        }
    }
    while corners.len() > 1 && !is_away(corners[0], corners[corners.len() - 1]) {
        corners.pop();
    }
    if corners.len() < 3 {
        let at = outline.first().copied().unwrap_or_default();
        // Many points in one place are rather too small than too few.
        let is_small = outline.len() > 2 && size_of(outline) < f64::from(LEAST_SIZE);
        return Err(if is_small { MeshError::TooSmall { at } } else { MeshError::TooFewPoints { at } });
    }
    Ok(corners)
}

fn check_area(corners: &[Vec2]) -> Result<(), MeshError> {
    if size_of(corners) < f64::from(LEAST_SIZE) {
        return Err(MeshError::TooSmall { at: middle_of(corners) });
    }
    let first = corners[0].as_dvec2();
    let distance = |corner: &DVec2| corner.distance_squared(first);
    let all = || corners.iter().map(|corner| corner.as_dvec2());
    let farthest = all().max_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(first);
    let along = farthest - first;
    let width = all().map(|corner| along.perp_dot(corner - first).abs()).fold(0.0, f64::max) / along.length();
    if width < LEAST_WIDTH * along.length() {
        return Err(MeshError::NoArea { at: middle_of(corners) });
    }
    Ok(())
}

fn check_crossing(corners: &[Vec2]) -> Result<(), MeshError> {
    crossing(corners).map_or(Ok(()), |at| Err(MeshError::SelfCrossing { at }))
}

/// The same loop, the other way around if it turns left.
fn turning_right(mut corners: Vec<Vec2>) -> Vec<Vec2> {
    if loop_area(&corners) < 0.0 {
        corners.reverse();
    }
    corners
}

/// The spacing at which points in a hexagonal pattern over an area are as many as may be.
fn fitting_spacing(area: f64) -> f64 {
    (area / (BEFORE_REFINING as f64 * 0.75f64.sqrt())).sqrt()
}

/// The loop as simple as the spacing allows without crossing itself or losing its area, turning right. None if it then has too many corners
/// or crosses itself nonetheless.
fn simplified(corners: &[Vec2], area: f64, spacing: f64) -> Option<Vec<Vec2>> {
    let tries = if corners.len() > 2 * BEFORE_REFINING { TRIES_WITH_MANY } else { SIMPLIFYING_TRIES };
    for attempt in 0..tries {
        // The last time only what is exactly on a line goes.
        let spacing = if attempt + 1 < SIMPLIFYING_TRIES { spacing * 0.25f64.powi(attempt) } else { 0.0 };
        let simple = simplify(corners, spacing);
        if simple.len() > BEFORE_REFINING {
            return None;
        }
        let has_area = (loop_area(&simple) - area).abs() <= AREA_CHANGE * area.abs();
        let simple = turning_right(simple);
        if has_area && crossing(&simple).is_none() {
            return Some(simple);
        }
    }
    None
}

/// The mesh over a loop divided into `ring`, with points inside; with less of them where the numbers are too coarse for it.
fn mesh_of(simple: &[Vec2], ring: Vec<Vec2>, inside: Vec<Vec2>, spacing: f64) -> Result<Mesh, MeshError> {
    let refined = |mut draft: Draft| {
        for _ in 0..2 {
            draft.refine(spacing);
            draft.smooth();
        }
        draft
    };
    let attempts: [&dyn Fn() -> Option<Draft>; 3] =
        [&|| Draft::new(ring.clone(), inside.clone()).map(refined), &|| Draft::new(ring.clone(), Vec::new()), &|| {
            Draft::new(simple.to_vec(), Vec::new())
        }];
    for attempt in attempts {
        if let Some(mesh) = attempt().map(finished)
            && mesh.has_area_everywhere()
        {
            return Ok(mesh);
        }
    }
    Err(MeshError::NoArea { at: middle_of(simple) })
}

fn finished(draft: Draft) -> Mesh {
    let outline = (0..draft.corners.len() as u32).collect();
    let points = draft.corners.into_iter().chain(draft.inside).collect();
    Mesh::linked(points, draft.triangles, outline)
}

/// Points of an ellipse, evenly along it and the same in all four quarters.
fn ellipse_outline(half: DVec2, spacing: f64) -> Vec<Vec2> {
    // Fine enough that the length is right to a thousandth.
    const STEPS: usize = 256;
    let at = |angle: f64| half * DVec2::from_angle(angle);
    let angle = |step: usize| FRAC_PI_2 * step as f64 / STEPS as f64;
    let mut lengths = vec![0.0];
    for step in 0..STEPS {
        lengths.push(lengths[step] + at(angle(step)).distance(at(angle(step + 1))));
    }
    let quarter = lengths[STEPS];
    let count = (quarter / spacing).round().clamp(2.0, MOST_POINTS as f64 / 8.0) as usize;
    let mut points: Vec<DVec2> = Vec::with_capacity(count * 4);
    let first: Vec<DVec2> = (0..=count)
        .map(|index| {
            let length = quarter * index as f64 / count as f64;
            let step = lengths.partition_point(|&before| before <= length).clamp(1, STEPS) - 1;
            let part = (length - lengths[step]) / (lengths[step + 1] - lengths[step]);
            match index {
                0 => DVec2::new(half.x, 0.0),
                _ if index == count => DVec2::new(0.0, half.y),
                _ => at(FRAC_PI_2 * (step as f64 + part) / STEPS as f64),
            }
        })
        .collect();
    points.extend(&first[..count]);
    points.extend(first[1..].iter().rev().map(|point| DVec2::new(-point.x, point.y)));
    points.extend(first[..count].iter().map(|point| -*point));
    points.extend(first[1..].iter().rev().map(|point| DVec2::new(point.x, -point.y)));
    points.iter().map(|point| point.as_vec2()).collect()
}
