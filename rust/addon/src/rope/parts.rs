//! Cutting a rope: the part behind the cut becomes a node of its own.

use super::VerletRope2D;
use super::body::{Event, RopeBody, instance};
use super::kinds::AttachMode;
use crate::anchor::PointAnchor2D;
use crate::convert::{vec2, vector2};
use crate::world::{Rider, Seat, lock};
use godot::prelude::*;
use godot::register::info::PropertyUsageFlags;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::{End, Piece, Rope};

/// What a rope's rest does not take over from it.
const NOT_COPIED: [&str; 7] =
    ["script", "owner", "unique_name_in_owner", "scene_file_path", "start_node", "end_node", "name"];

pub fn cut(this: Gd<VerletRope2D>, link: i64) -> Option<Gd<VerletRope2D>> {
    let index = {
        let rope = this.bind();
        let links = rope.rope().lengths().len();
        let callee = rope.callee("cut()");
        if !ready(&rope, &callee) {
            return None;
        }
        callee.index("link", link, links, "links")?
    };
    let last = this.bind().rope().lengths().len() - 1;
    if index == 0 {
        cut_off(&this, End::Start);
    }
    if index == last {
        cut_off(&this, End::End);
    }
    if index == 0 || index == last {
        return None;
    }
    let rest = divide(&this, index, 0.5)?;
    tell_split(this, rest.clone());
    rest.is_instance_valid().then_some(rest)
}

pub fn cut_line(this: Gd<VerletRope2D>, from: Vector2, to: Vector2) -> i64 {
    {
        let rope = this.bind();
        let callee = rope.callee("cut_line()");
        let places = callee.place("from", from).zip(callee.place("to", to));
        if places.is_none() || !ready(&rope, &callee) {
            return 0;
        }
    }
    let (from, to) = (vec2(from), vec2(to));
    cut_all(this, |rope, after| rope.crossing(from, to, after as f32).map(|(link, part)| (link, part, link + 1)))
}

pub fn cut_circle(this: Gd<VerletRope2D>, center: Vector2, radius: f64) -> i64 {
    {
        let rope = this.bind();
        let callee = rope.callee("cut_circle()");
        if radius.is_nan() || radius < 0.0 {
            callee.complain(format_args!("radius {radius} is not 0 or more"));
            return 0;
        }
        if callee.place("center", center).is_none() || !ready(&rope, &callee) {
            return 0;
        }
    }
    let center = vec2(center);
    cut_all(this, |rope, after| rope.passage(center, radius as f32, after).map(|((link, part), end)| (link, part, end)))
}

/// What was torn in the last tick. Where there is nothing to divide the rope is cut off from what holds it there.
pub fn tear(this: Gd<VerletRope2D>, link: usize) {
    let position = {
        let rope = this.bind();
        let core = rope.rope();
        if link >= core.lengths().len() {
            return;
        }
        vector2(core.sample_link(link, 0.5).position)
    };
    let rest = divide(&this, link, 0.5);
    if rest.is_none() {
        cut_off(&this, if link == 0 { End::Start } else { End::End });
    }
    this.signals().torn().emit(link as i64, position);
    if let Some(rest) = rest {
        tell_split(this, rest);
    }
}

fn ready(rope: &VerletRope2D, callee: &crate::complain::Callee) -> bool {
    let inside = rope.base().is_inside_tree();
    if !inside {
        callee.complain("the rope is not in the tree, its rest would have no place");
    }
    inside
}

/// Cuts at all places that `next` finds: the first behind a link, and the link behind which to look on. How many there were.
fn cut_all(this: Gd<VerletRope2D>, next: impl Fn(&Rope, usize) -> Option<(usize, f32, usize)>) -> i64 {
    let cuts = divide_all(this, |rope, after| next(rope, after).map(|(link, part, on)| ((link, part), on)));
    let count = cuts.len() as i64;
    cuts.into_iter().for_each(|(before, rest)| tell_split(before, rest));
    count
}

/// The same, telling nobody: what was cut, and the rest, in the order along the rope.
pub fn divide_all(
    this: Gd<VerletRope2D>,
    next: impl Fn(&Rope, usize) -> Option<((usize, f32), usize)>,
) -> Vec<(Gd<VerletRope2D>, Gd<VerletRope2D>)> {
    let mut cuts = Vec::new();
    let mut part = this;
    let mut after = 0;
    loop {
        let found = next(&part.bind().rope(), after);
        let Some(((link, place), on)) = found else { break };
        let links = part.bind().body.links();
        match divide(&part, link, place) {
            None => after = on,
            Some(rest) => {
                after = (on + rest.bind().body.links()).saturating_sub(links);
                cuts.push((part, rest.clone()));
                part = rest;
            }
        }
    }
    cuts
}

pub fn tell_split(this: Gd<VerletRope2D>, rest: Gd<VerletRope2D>) {
    if this.is_instance_valid() && rest.is_instance_valid() {
        this.signals().split().emit(&rest);
    }
}

/// Cuts a link at a part of its length; the rest.
fn divide(this: &Gd<VerletRope2D>, link: usize, part: f32) -> Option<Gd<VerletRope2D>> {
    let body = Arc::clone(&this.bind().body);
    let last = this.bind().rope().lengths().len() - 1;
    // Where pictures are links, none is cut in two.
    let part = match part.round() {
        _ if !this.bind().shows_links() => part,
        _ if last == 0 => return None,
        rounded if link > 0 && (rounded == 0.0 || link == last) => 0.0,
        _ => 1.0,
    };
    let core = this.bind().rope().cut(link, part)?;
    Some(make_rest(this, &body, core))
}

/// Cuts an end off from what holds it, and what it carries.
fn cut_off(this: &Gd<VerletRope2D>, end: End) {
    let tied = this.bind().ties[end as usize].node;
    let body = Arc::clone(&this.bind().body);
    body.wake_bodies();
    this.bind().rope().cut_off(end);
    if let Some(node) = tied {
        body.tell(Event::Detached(end, node));
    }
    this.clone().bind_mut().forget_tie(end);
}

fn make_rest(this: &Gd<VerletRope2D>, body: &Arc<RopeBody>, core: Rope) -> Gd<VerletRope2D> {
    let mut rest = VerletRope2D::new_alloc();
    copy_properties(this, &mut rest);
    rest.set_name(&format!("{}Rest", this.get_name()));
    let transform = this.get_global_transform();
    body.flags.unsorted.store(true, Relaxed);
    body.wake_bodies();
    {
        let mut rope = rest.bind_mut();
        let (here, there) = share_riders(body, &core);
        *lock(&rope.body.rope) = core;
        rope.body.snap(transform);
        *lock(&rope.body.holders) = lock(&body.holders).clone();
        rope.body.flags.held.store(true, Relaxed);
        rope.take_exceptions(body);
        *lock(&body.riders) = here;
        rope.body.flags.carries.store(!there.is_empty(), Relaxed);
        *lock(&rope.body.riders) = there;
        lock(&body.heirs).push(Arc::downgrade(&rope.body));
        let mut this = this.clone();
        let tie = std::mem::take(&mut this.bind_mut().ties[End::End as usize]);
        this.bind_mut().ties[End::End as usize].mode = tie.mode;
        rope.ties[End::Start as usize].mode = AttachMode::Auto;
        rope.ties[End::End as usize] = tie;
    }
    add_after(this, &rest);
    take_anchors(&rest);
    let end = rest.bind().ties[End::End as usize].node;
    if let Some(node) = end.and_then(|node| Gd::<Node2D>::try_from_instance_id(node).ok())
        && rest.is_inside_tree()
        && node.is_inside_tree()
    {
        let path = rest.get_path_to(&node);
        rest.bind_mut().ties[End::End as usize].path = path;
    }
    this.clone().bind_mut().changed();
    rest
}

/// Tells the anchors on the rest of a rope that they are there now.
fn take_anchors(rest: &Gd<VerletRope2D>) {
    let body = Arc::clone(&rest.bind().body);
    let mut points: Vec<(InstanceId, usize)> = Vec::new();
    {
        let riders = lock(&body.riders);
        let rope = lock(&body.rope);
        for rider in riders.iter() {
            let index = if let Seat::Point(piece) = rider.seat { rope.index_of(piece) } else { None };
            points.push((rider.node, index.unwrap_or(0)));
        }
        let held = rope.pins().iter().filter_map(|pin| Some((instance(pin.holder?.key)?, pin.point)));
        points.extend(held);
    }
    for (node, index) in points {
        if let Ok(mut anchor) = Gd::<PointAnchor2D>::try_from_instance_id(node) {
            anchor.bind_mut().go_over(rest, body.clone(), index as i64);
        }
    }
}

/// Riders of the part before the cut, and of the rest.
fn share_riders(body: &RopeBody, rest: &Rope) -> (Vec<Rider>, Vec<Rider>) {
    let mut riders = lock(&body.riders);
    let rope = lock(&body.rope);
    let length = rope.current_length();
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for mut rider in riders.drain(..) {
        let moves = match &mut rider.seat {
            Seat::Start => false,
            Seat::End => true,
            Seat::Point(piece) => {
                let moves =
                    *piece == Piece::End || (rope.index_of(*piece).is_none() && rest.index_of(*piece).is_some());
                if !moves && rope.link_of(*piece) == (rope.lengths().len() - 1, 1.0) {
                    // It was cut through there.
                    *piece = Piece::End;
                }
                moves
            }
            Seat::Along(offset) => {
                let moves = *offset > length;
                if moves {
                    *offset -= length;
                }
                moves
            }
        };
        if moves { there.push(rider) } else { here.push(rider) }
    }
    (here, there)
}

/// Copies all stored properties: how it looks, moves and is processed.
fn copy_properties(from: &Gd<VerletRope2D>, to: &mut Gd<VerletRope2D>) {
    for property in from.get_property_list().iter_shared() {
        let usage = property.get("usage").and_then(|usage| usage.try_to::<i64>().ok()).unwrap_or(0) as u64;
        let stored = usage & PropertyUsageFlags::STORAGE.ord() != 0;
        let scripted = usage & PropertyUsageFlags::SCRIPT_VARIABLE.ord() != 0;
        let Some(name) = property.get("name").map(|name| name.to_string()) else { continue };
        if stored && !scripted && !NOT_COPIED.contains(&name.as_str()) {
            to.set(&name, &from.get(&name));
        }
    }
    for group in from.get_groups().iter_shared().filter(|group| !group.to_string().starts_with('_')) {
        to.add_to_group(&group);
    }
}

/// Makes `rest` the next sibling: at once, or, while the parent is busy with its children, at the end of the frame.
fn add_after(this: &Gd<VerletRope2D>, rest: &Gd<VerletRope2D>) {
    let mut this = this.clone();
    let busy = this.get_parent().is_some_and(|parent| !parent.is_node_ready());
    if !busy {
        this.add_sibling_ex(rest).force_readable_name(true).done();
    }
    if rest.get_parent().is_none() {
        rest.clone().run_deferred_gd(move |rest| {
            if this.is_instance_valid() && this.get_parent().is_some() {
                this.add_sibling_ex(&rest).force_readable_name(true).done();
            } else if rest.is_instance_valid() {
                // What it was cut from is gone.
                rest.free();
            }
        });
    }
}
