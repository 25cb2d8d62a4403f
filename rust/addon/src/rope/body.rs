//! What a rope's node shares with the world step.

use super::VerletRope2D;
use super::blades::Blades;
use super::characters::Characters;
use super::draw::Look;
use super::presence::Present;
use crate::contacts::Contacts;
pub use crate::convert::{instance, key};
use crate::convert::{pose, vec2, vector2};
use crate::hands::Hand;
use crate::world::{
    Body, Demand, Encounter, Flags, Holder, Mate, Neighbour, Place, Rider, Seat, Shown, Simulated, Stage, Tread,
    Trouble, lock, monitors,
};
use godot::classes::{Node2D, RenderingServer, RigidBody2D};
use godot::init::is_main_thread;
use godot::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, Weak};
use supple_sim::bounds::Bounds;
use supple_sim::collide::Colliders;
use supple_sim::frame::Pose;
use supple_sim::rope::{End, Grip, Piece, Rope, RopeSettings, Touch};
use supple_sim::tick::Tick;
use supple_sim::wind::Wind;

/// A box that is in every picture.
const EVERYWHERE: Rect2 = Rect2 { position: Vector2::new(-1e9, -1e9), size: Vector2::new(2e9, 2e9) };

/// A rope behind a mutex, and what drawing it between ticks needs.
pub struct RopeBody {
    // Whoever locks several of these does it in the order look, holders, riders, rope, collision, present.
    pub rope: Mutex<Rope>,
    pub flags: Flags,
    pub holders: Mutex<Vec<Holder>>,
    pub riders: Mutex<Vec<Rider>>,
    pub events: Mutex<Vec<Event>>,
    pub hand: Mutex<Hand>,
    /// Ropes that were cut from this one: hands hold on to them.
    pub heirs: Mutex<Vec<Weak<RopeBody>>>,
    pub look: Mutex<Look>,
    pub collision: Mutex<Contacts>,
    /// The radius with which it collides as the user set it, in local px; 0: half of the width.
    pub own_radius: Mutex<f32>,
    pub characters: Mutex<Characters>,
    pub blades: Mutex<Blades>,
    /// The layers of what cuts it.
    pub cut_mask: AtomicU32,
    /// What it is for others.
    pub present: Mutex<Present>,
    /// Layers whose tile maps are one-way where that cannot be read.
    pub one_way_mask: AtomicU32,
    shown: Mutex<Shown>,
    /// Where soft bodies met it after the last tick, if it touched one.
    met_before: Mutex<Option<Encounter>>,
    /// It goes through others than in the last tick.
    pub excepts_anew: AtomicBool,
}

/// What a tick has brought that is told on the main thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A link broke.
    Torn(usize),
    /// The node that held an end, or that it carried, was freed.
    Detached(End, InstanceId),
    /// It struck something.
    Impact(Touch),
}

impl Default for RopeBody {
    fn default() -> Self {
        RopeBody {
            rope: Mutex::new(Rope::new(RopeSettings::default(), Pose::IDENTITY)),
            flags: Flags::default(),
            holders: Mutex::default(),
            riders: Mutex::default(),
            events: Mutex::default(),
            hand: Mutex::default(),
            heirs: Mutex::default(),
            look: Mutex::default(),
            collision: Mutex::default(),
            own_radius: Mutex::default(),
            characters: Mutex::default(),
            blades: Mutex::default(),
            cut_mask: AtomicU32::new(0),
            present: Mutex::default(),
            one_way_mask: AtomicU32::new(0),
            shown: Mutex::new(Shown::at(Transform2D::IDENTITY)),
            met_before: Mutex::default(),
            excepts_anew: AtomicBool::new(false),
        }
    }
}

impl RopeBody {
    /// Draws from here on without a way from where the node was before.
    pub fn snap(&self, transform: Transform2D) {
        *lock(&self.shown) = Shown::at(transform);
        self.flags.jumped.store(true, Relaxed);
    }

    /// Something is to be reported after the tick.
    pub fn tell(&self, event: Event) {
        lock(&self.events).push(event);
        self.flags.reports.store(true, Relaxed);
    }

    /// How many links it has.
    pub fn links(&self) -> usize {
        lock(&self.rope).lengths().len()
    }

    /// Brings a rope to where its node is if the next tick would do it without pulling: one that was not simulated yet or for a
    /// while, or whose node was placed.
    pub fn catch_up(&self, transform: impl Fn() -> Transform2D) {
        if self.flags.placed.swap(false, Relaxed) {
            self.place_at(transform());
        } else if self.flags.resumed.load(Relaxed) || self.flags.paused.load(Relaxed) || lock(&self.rope).is_fresh() {
            let transform = transform();
            if *lock(&self.rope).pose() != pose(transform) {
                self.carry_to(transform);
            }
        }
    }

    /// The engine says that the node is here.
    pub fn notice(&self, transform: Transform2D) {
        lock(&self.shown).noticed = transform;
    }

    /// Its holders have changed: tells the rope which of them yield.
    pub fn sort_holders(&self) {
        let yielding = lock(&self.holders).iter().filter(|holder| holder.yields).map(|h| key(h.node)).collect();
        lock(&self.rope).set_yielding(yielding);
    }

    /// It lets go: what sleeps on it, or hangs on it, would stay in the air.
    pub fn wake_bodies(&self) {
        if !is_main_thread() {
            return;
        }
        let mut keys: Vec<u64> =
            lock(&self.holders).iter().filter(|holder| holder.yields).map(|h| key(h.node)).collect();
        keys.extend(lock(&self.rope).touches().iter().map(|touch| touch.key.body));
        for id in keys.into_iter().filter_map(instance) {
            if let Ok(mut body) = Gd::<RigidBody2D>::try_from_instance_id(id)
                && body.is_sleeping()
            {
                body.set_sleeping(false);
            }
        }
    }

    /// Whether a frame may show it between two ticks: a paused one has stopped at the last.
    pub fn is_between_ticks(&self, node: &Gd<Node2D>) -> bool {
        !self.flags.paused.load(Relaxed) && node.is_physics_interpolated_and_enabled()
    }

    /// The node's global transform at the beginning of the last tick.
    pub fn transform_before(&self) -> Transform2D {
        lock(&self.shown).before
    }
}

/// The link on which a seat is, and the part of its length.
pub fn rope_place(rope: &Rope, seat: &Seat) -> (usize, f32) {
    match *seat {
        Seat::Start => (0, 0.0),
        Seat::End => (rope.point_count() - 2, 1.0),
        Seat::Point(piece) => rope.link_of(piece),
        Seat::Along(offset) => rope.link_at(offset),
    }
}

/// Where a rope may meet soft bodies in a tick of `delta` seconds.
fn encounter(rope: &Rope, delta: f32) -> Option<Encounter> {
    let collision = rope.settings().collision;
    let (layer, mask) = (collision.layer, collision.mask);
    (layer != 0 || mask != 0).then(|| Encounter { bounds: rope.reach(delta), layer, mask, rope: true })
}

impl Simulated for Rope {
    fn step(&mut self, tick: &Tick) {
        Rope::step(self, tick);
    }

    fn trouble(&self) -> Trouble {
        (self.report().followed, self.recoveries())
    }

    fn mate(&mut self) -> Option<Mate<'_>> {
        Some(Mate::Member(self))
    }
}

impl Body for RopeBody {
    fn flags(&self) -> &Flags {
        &self.flags
    }

    fn drop_forces(&self) {
        lock(&self.rope).drop_forces();
    }

    fn set_pose(&self, transform: Transform2D) {
        let mut shown = lock(&self.shown);
        shown.before = shown.noticed;
        drop(shown);
        lock(&self.rope).set_pose(pose(transform));
    }

    fn carry_to(&self, transform: Transform2D) {
        self.snap(transform);
        let mut rope = lock(&self.rope);
        rope.carry_to(pose(transform));
        if rope.is_in_wind() {
            // It may have died down meanwhile.
            rope.wake();
        }
    }

    fn place_at(&self, transform: Transform2D) {
        self.snap(transform);
        let mut rope = lock(&self.rope);
        // The engine also resets the interpolation of nodes that stay where they are, as when it is switched on.
        if *rope.pose() != pose(transform) {
            rope.place_at(pose(transform));
        }
    }

    fn holders(&self) -> MutexGuard<'_, Vec<Holder>> {
        lock(&self.holders)
    }

    fn set_holder_pose(&self, node: InstanceId, pose: Option<Pose>) -> bool {
        let mut rope = lock(&self.rope);
        match pose {
            Some(pose) => rope.set_holder_pose(key(node), pose),
            None => {
                let tied = |end: &End| rope.attachment(*end).is_some_and(|(holder, _)| holder.key == key(node));
                let lost: Vec<End> = End::BOTH.into_iter().filter(tied).collect();
                rope.release(key(node));
                drop(rope);
                self.flags.unsorted.store(true, Relaxed);
                lost.into_iter().for_each(|end| self.tell(Event::Detached(end, node)));
                false
            }
        }
    }

    fn riders(&self) -> MutexGuard<'_, Vec<Rider>> {
        lock(&self.riders)
    }

    fn seat(&self, seat: &Seat) -> Option<Place> {
        let rope = lock(&self.rope);
        let (link, part) = rope_place(&rope, seat);
        let sample = rope.sample_link(link, part);
        let direction = match *seat {
            Seat::Start => -sample.direction,
            _ => sample.direction,
        };
        let angle = direction.to_angle();
        Some(Place { position: vector2(sample.position), angle, velocity: vector2(sample.velocity) })
    }

    fn lost(&self, rider: &Rider) {
        self.flags.unsorted.store(true, Relaxed);
        match rider.seat {
            Seat::Start => self.tell(Event::Detached(End::Start, rider.node)),
            Seat::End => self.tell(Event::Detached(End::End, rider.node)),
            _ => (),
        }
    }

    fn closest_piece(&self, to: Vector2) -> Piece {
        let rope = lock(&self.rope);
        rope.piece_of(rope.closest_point(vec2(to), f32::INFINITY).unwrap_or(0))
    }

    fn piece_of(&self, index: i64) -> Piece {
        let rope = lock(&self.rope);
        rope.piece_of(index.clamp(0, rope.point_count() as i64) as usize)
    }

    fn drive(&self, point: Piece, holder: InstanceId, transform: Transform2D, force: f32) -> bool {
        let mut holders = lock(&self.holders);
        let mut rope = lock(&self.rope);
        let Some(index) = rope.index_of(point) else { return false };
        if !holders.iter().any(|other| other.node == holder) {
            holders.push(Holder { node: holder, shown: Shown::at(transform), yields: false });
        }
        let grip = if force > 0.0 { Grip::Hand(force) } else { Grip::Firm };
        let held = supple_sim::rope::Holder { key: key(holder), pose: pose(transform) };
        rope.seize(index, held, supple_sim::Vec2::ZERO, grip);
        self.flags.held.store(true, Relaxed);
        self.flags.unsorted.store(true, Relaxed);
        self.flags.touched.store(true, Relaxed);
        true
    }

    fn is_driven(&self, holder: InstanceId) -> bool {
        let rope = lock(&self.rope);
        rope.pins().iter().any(|pin| pin.holder.is_some_and(|held| held.key == key(holder)))
    }

    fn undrive(&self, holder: InstanceId) {
        lock(&self.rope).let_go(key(holder));
        self.flags.unsorted.store(true, Relaxed);
        self.flags.touched.store(true, Relaxed);
    }

    fn reach(&self, position: Vector2) -> Option<f32> {
        let hand = *lock(&self.hand);
        let rope = lock(&self.rope);
        let nearest =
            rope.closest_free_point(vec2(position), f32::INFINITY).filter(|_| self.flags.grabbable.load(Relaxed))?;
        // Between two points the rope may be nearer than both.
        let place = rope.sample(rope.closest_offset(vec2(position))).position;
        let mut distance = place.distance(vec2(position)).min(rope.position(nearest).distance(vec2(position)));
        drop(rope);
        // What hangs on an end is a handle too, from its hook to its origin.
        for rider in lock(&self.riders).iter().filter(|rider| matches!(rider.seat, Seat::Start | Seat::End)) {
            let (hook, origin) = (rider.shown.noticed * rider.offset, rider.shown.noticed.origin);
            let way = origin - hook;
            let part = ((position - hook).dot(way) / way.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            distance = distance.min(position.distance_to(hook + way * part));
        }
        (distance <= hand.radius).then_some(distance)
    }

    fn grab(&self, position: Vector2) -> Option<i64> {
        RopeBody::grab(self, position, f32::INFINITY)
    }

    fn drag(&self, handle: i64, position: Vector2) -> bool {
        RopeBody::drag(self, handle, position)
    }

    fn let_go(&self, handle: i64) {
        RopeBody::let_go(self, handle);
    }

    fn report(&self, node: Gd<Node2D>) {
        if let Ok(rope) = node.try_cast::<VerletRope2D>() {
            VerletRope2D::report(rope);
        }
    }

    fn wake(&self) {
        lock(&self.rope).wake();
    }

    fn notice_winds(&self, winds: &[Wind]) {
        let mut rope = lock(&self.rope);
        let slept = rope.is_sleeping();
        rope.notice_winds(winds);
        if slept && !rope.is_sleeping() {
            self.flags.touched.store(true, Relaxed);
        }
    }

    fn draw(&self, node: &mut Gd<Node2D>, interpolates: bool) {
        let interpolated = interpolates && self.is_between_ticks(node);
        let changed = self.update_mesh(node.get_global_transform(), interpolated);
        if changed {
            // The node's commands come anew with the next frame; until then nothing of it may be culled.
            lock(&self.look).unfenced = true;
            let mut server = RenderingServer::singleton();
            server.canvas_item_set_custom_rect_ex(node.get_canvas_item(), true).rect(EVERYWHERE).done();
        }
        if changed || lock(&self.look).debug {
            node.queue_redraw();
        }
    }

    fn demand(&self, delta: f32) -> Option<Demand> {
        RopeBody::demand(self, delta)
    }

    fn find_exceptions(&self, node: &Gd<Node2D>) {
        RopeBody::find_exceptions(self, node);
    }

    fn cut_demand(&self) -> Option<Demand> {
        RopeBody::cut_demand(self)
    }

    fn notice_blades(&self, node: &Gd<Node2D>, found: &[Colliders]) {
        RopeBody::notice_blades(self, node, found);
    }

    fn find_characters(&self, node: &Gd<Node2D>) {
        RopeBody::find_characters(self, node);
    }

    fn hold_characters(&self, node: &Gd<Node2D>, delta: f32, pass: u32) -> bool {
        RopeBody::hold_characters(self, node, delta, pass)
    }

    fn lets_through(&self, body: u64) -> bool {
        RopeBody::lets_through(self, body)
    }

    fn notice_colliders(&self, colliders: &Colliders) {
        let mut rope = lock(&self.rope);
        rope.notice_colliders(colliders);
        if !rope.is_sleeping() {
            self.flags.touched.store(true, Relaxed);
        }
    }

    fn for_each_touched(&self, visit: &mut dyn FnMut(u64)) {
        let rope = lock(&self.rope);
        rope.touches().iter().for_each(|touch| visit(touch.key.body));
        rope.for_each_load(visit);
    }

    fn publish(&self, node: &Gd<Node2D>, stage: &Stage) {
        RopeBody::publish(self, node, stage);
    }

    fn meet_neighbours(&self, neighbours: &[Neighbour]) {
        RopeBody::meet_neighbours(self, neighbours);
    }

    fn bear(&self, treads: &[Tread]) {
        RopeBody::bear(self, treads);
    }

    fn touch(&self, delta: f32) -> Option<(Bounds, u32)> {
        let rope = lock(&self.rope);
        let collision = rope.settings().collision;
        (collision.push_bodies && collision.mask != 0).then(|| (rope.reach(delta), collision.mask))
    }

    fn is_rope(&self) -> bool {
        true
    }

    fn meeting(&self, delta: f32) -> Option<Encounter> {
        encounter(&lock(&self.rope), delta)
    }

    fn stirs(&self) -> Option<Encounter> {
        let before = &mut *lock(&self.met_before);
        let excepts_anew = self.excepts_anew.swap(false, Relaxed);
        let known = (*before)?;
        let now = self.meeting(0.0);
        *before = now;
        Some(known).filter(|known| excepts_anew || Some(*known) != now)
    }

    fn for_each_pushed(&self, visit: &mut dyn FnMut(u64)) {
        lock(&self.rope).for_each_pushed(visit);
    }

    fn core(&self) -> &Mutex<dyn Simulated> {
        &self.rope
    }

    fn stepped(&self, before: Trouble, tick: &Tick) {
        let rope = &mut *lock(&self.rope);
        if let Some(link) = rope.take_torn() {
            self.tell(Event::Torn(link));
        }
        self.note_contacts(rope.touches(), tick);
        *lock(&self.met_before) = if rope.leans_on_soft() { encounter(rope, 0.0) } else { None };
        let now = rope.trouble();
        if now != before {
            monitors::count_trouble(now.0.saturating_sub(before.0), now.1.saturating_sub(before.1));
            self.flags.recovered.fetch_or(now.1 != before.1, Relaxed);
        }
    }

    fn is_sleeping(&self) -> bool {
        lock(&self.rope).is_sleeping()
    }

    fn cost(&self) -> usize {
        lock(&self.rope).cost()
    }
}
