//! What a soft body's node shares with the world step.

use super::SoftBody2D;
use super::draw::Look;
use super::presence::Present;
use super::presses::Presses;
use crate::contacts::Contacts;
use crate::convert::{key, pose, vec2, vector2};
use crate::hands::Hand;
use crate::world::{
    Body, Demand, Encounter, Flags, Holder, Mate, Neighbour, Place, Rider, Seat, Shown, Simulated, Stage, Tread,
    Trouble, lock, monitors,
};
use godot::classes::Node2D;
use godot::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use supple_sim::bounds::Bounds;
use supple_sim::collide::Colliders;
use supple_sim::frame::Pose;
use supple_sim::mesh::Mesh;
use supple_sim::rope::{Grip, Piece, Touch};
use supple_sim::soft::{SoftBody, SoftSettings};
use supple_sim::tick::Tick;

/// What a character weighs on it, in kg.
const CHARACTER_MASS: f32 = 5.0;
/// The square of the length of an axis below which it has no direction.
const FLAT: f32 = 1e-20;

/// A soft body behind a mutex, and what drawing it between ticks needs.
pub struct SharedSoft {
    // Whoever locks several of these does it in the order holders, riders, core, contacts, presses, present.
    pub core: Mutex<SoftBody>,
    pub flags: Flags,
    pub holders: Mutex<Vec<Holder>>,
    pub riders: Mutex<Vec<Rider>>,
    /// What it has struck.
    pub impacts: Mutex<Vec<Touch>>,
    pub hand: Mutex<Hand>,
    pub contacts: Mutex<Contacts>,
    /// Layers whose tile maps are one-way where that cannot be read.
    pub one_way_mask: AtomicU32,
    /// What it is for others, and who presses into it.
    pub present: Mutex<Present>,
    pub presses: Mutex<Presses>,
    /// How it looks. Locked last.
    pub look: Mutex<Look>,
    shown: Mutex<Shown>,
    /// Where others met it after the last tick.
    met_before: Mutex<Option<Encounter>>,
    /// It goes through others than in the last tick.
    pub excepts_anew: AtomicBool,
}

impl Default for SharedSoft {
    fn default() -> Self {
        let mesh = Mesh::rectangle(supple_sim::Vec2::splat(100.0), (5, 5).into());
        let flags = Flags::default();
        flags.leads.store(true, Relaxed);
        flags.present.store(true, Relaxed);
        flags.pickable.store(true, Relaxed);
        let mut settings = SoftSettings::default();
        settings.collision.layer = 1;
        settings.collision.character_mass = CHARACTER_MASS;
        SharedSoft {
            core: Mutex::new(SoftBody::new(settings, Arc::new(mesh), Pose::IDENTITY)),
            flags,
            holders: Mutex::default(),
            riders: Mutex::default(),
            impacts: Mutex::default(),
            hand: Mutex::default(),
            contacts: Mutex::default(),
            one_way_mask: AtomicU32::new(0),
            present: Mutex::default(),
            presses: Mutex::default(),
            look: Mutex::default(),
            shown: Mutex::new(Shown::at(Transform2D::IDENTITY)),
            met_before: Mutex::default(),
            excepts_anew: AtomicBool::new(false),
        }
    }
}

impl SharedSoft {
    /// Draws from here on without a way from where the node was before.
    pub fn snap(&self, transform: Transform2D) {
        *lock(&self.shown) = Shown::at(transform);
        self.flags.jumped.store(true, Relaxed);
    }

    /// The engine says that the node is here.
    pub fn notice(&self, transform: Transform2D) {
        lock(&self.shown).noticed = transform;
    }

    /// The node's global transform at the beginning of the last tick.
    pub fn transform_before(&self) -> Transform2D {
        lock(&self.shown).before
    }

    /// Whether a frame may show it between two ticks: a paused one has stopped at the last.
    pub fn is_between_ticks(&self, node: &Gd<Node2D>) -> bool {
        !self.flags.paused.load(Relaxed) && node.is_physics_interpolated_and_enabled()
    }

    /// Brings the body to where its node is, if it goes with it: one that moves its node and was not put there by itself, was not simulated yet or
    /// for a while, or whose node was placed.
    pub fn catch_up(&self, transform: impl Fn() -> Transform2D) {
        if self.flags.placed.swap(false, Relaxed) {
            return self.place_at(transform());
        }
        let idle = self.flags.resumed.load(Relaxed) || self.flags.paused.load(Relaxed);
        if !(idle || self.flags.leads.load(Relaxed) || lock(&self.core).is_fresh()) {
            return;
        }
        let transform = transform();
        if *lock(&self.core).pose() == pose(transform) {
            return;
        }
        if idle {
            self.carry_to(transform);
        } else {
            lock(&self.core).set_pose(pose(transform));
        }
    }

    /// Takes down whether it moves its node.
    pub fn follow_lead(&self) {
        let core = lock(&self.core);
        self.flags.leads.store(core.settings().move_node && !core.is_led(), Relaxed);
    }
}

impl Simulated for SoftBody {
    fn step(&mut self, tick: &Tick) {
        SoftBody::step(self, tick);
    }

    fn trouble(&self) -> Trouble {
        (0, self.recoveries())
    }

    fn mate(&mut self) -> Option<Mate<'_>> {
        Some(Mate::Soft(self))
    }
}

/// A parent whose scale is less than one part in this many has vanished.
const MOST_MAGNIFIED: f32 = 50.0;

impl Body for SharedSoft {
    fn flags(&self) -> &Flags {
        &self.flags
    }

    fn drop_forces(&self) {
        lock(&self.core).drop_forces();
    }

    fn set_pose(&self, transform: Transform2D) {
        let mut shown = lock(&self.shown);
        shown.before = shown.noticed;
        // The engine tells of moves at the end of a frame's part only.
        shown.noticed = transform;
        drop(shown);
        lock(&self.core).set_pose(pose(transform));
    }

    fn carry_to(&self, transform: Transform2D) {
        self.snap(transform);
        let mut core = lock(&self.core);
        let pose = pose(transform);
        if !core.is_fresh() {
            core.carry_to(pose);
        } else if *core.pose() != pose {
            core.place_at(pose);
        }
    }

    fn place_at(&self, transform: Transform2D) {
        self.snap(transform);
        let mut core = lock(&self.core);
        // The engine also resets the interpolation of nodes that stay where they are, as when it is switched on.
        if *core.pose() != pose(transform) {
            core.place_at(pose(transform));
        }
    }

    fn holders(&self) -> MutexGuard<'_, Vec<Holder>> {
        lock(&self.holders)
    }

    fn set_holder_pose(&self, node: InstanceId, pose: Option<Pose>) -> bool {
        let mut core = lock(&self.core);
        match pose {
            Some(pose) => core.set_holder_pose(key(node), pose),
            None => {
                core.let_go(key(node));
                self.flags.unsorted.store(true, Relaxed);
                false
            }
        }
    }

    fn riders(&self) -> MutexGuard<'_, Vec<Rider>> {
        lock(&self.riders)
    }

    fn seat(&self, seat: &Seat) -> Option<Place> {
        let Seat::Point(Piece::Inner(index)) = *seat else { return None };
        let core = lock(&self.core);
        let i = usize::try_from(index).ok().filter(|&i| i < core.point_count())?;
        let angle = core.rigid_pose().x.to_angle();
        Some(Place { position: vector2(core.position(i)), angle, velocity: vector2(core.velocity(i)) })
    }

    fn lost(&self, _rider: &Rider) {
        self.flags.unsorted.store(true, Relaxed);
    }

    fn closest_piece(&self, to: Vector2) -> Piece {
        Piece::Inner(lock(&self.core).closest_point(vec2(to), f32::INFINITY).unwrap_or(0) as i64)
    }

    fn piece_of(&self, index: i64) -> Piece {
        Piece::Inner(index.clamp(0, lock(&self.core).point_count() as i64 - 1))
    }

    fn drive(&self, point: Piece, holder: InstanceId, transform: Transform2D, force: f32) -> bool {
        let mut holders = lock(&self.holders);
        let mut core = lock(&self.core);
        let Piece::Inner(index) = point else { return false };
        let Some(i) = usize::try_from(index).ok().filter(|&i| i < core.point_count()) else { return false };
        if !holders.iter().any(|other| other.node == holder) {
            holders.push(Holder { node: holder, shown: Shown::at(transform), yields: false });
        }
        let grip = if force > 0.0 { Grip::Hand(force) } else { Grip::Firm };
        let held = supple_sim::rope::Holder { key: key(holder), pose: pose(transform) };
        core.seize(i, held, supple_sim::Vec2::ZERO, grip);
        self.flags.held.store(true, Relaxed);
        self.flags.unsorted.store(true, Relaxed);
        self.flags.touched.store(true, Relaxed);
        true
    }

    fn is_driven(&self, holder: InstanceId) -> bool {
        let core = lock(&self.core);
        core.pins().iter().any(|pin| pin.holder.is_some_and(|held| held.key == key(holder)))
    }

    fn undrive(&self, holder: InstanceId) {
        lock(&self.core).let_go(key(holder));
        self.flags.unsorted.store(true, Relaxed);
        self.flags.touched.store(true, Relaxed);
    }

    fn reach(&self, position: Vector2) -> Option<f32> {
        self.distance_to_grab(position)
    }

    fn is_at(&self, position: Vector2) -> bool {
        self.covers(position)
    }

    fn grab(&self, position: Vector2) -> Option<i64> {
        self.take_hold(position, f32::INFINITY)
    }

    fn drag(&self, handle: i64, position: Vector2) -> bool {
        self.move_hand(handle, position)
    }

    fn let_go(&self, handle: i64) {
        self.let_go_of(handle);
    }

    fn report(&self, node: Gd<Node2D>) {
        if let Ok(soft) = node.try_cast::<SoftBody2D>() {
            SoftBody2D::report(soft);
        }
    }

    fn lead(&self, mut node: Gd<Node2D>) {
        let wanted = {
            let core = lock(&self.core);
            if !core.settings().move_node || core.is_led() {
                return;
            }
            core.rigid_pose()
        };
        if !wanted.is_finite() {
            return;
        }
        let inside = node.is_inside_tree();
        let local = node.get_transform();
        let global = if inside { node.get_global_transform() } else { local };
        // The parent's coordinates, without any rounding where they are the world's.
        let back = if global == local { Transform2D::IDENTITY } else { local * global.affine_inverse() };
        let along = back.basis_xform(vector2(wanted.x));
        let position = back * vector2(wanted.origin);
        // A parent that is scaled to nothing has no place for it.
        let vanished = back.a.length().max(back.b.length()) > MOST_MAGNIFIED;
        if !back.is_finite() || !position.is_finite() || vanished {
            return;
        }
        // By position and rotation: scale and skew stay as they are, to the last bit.
        if along.length_squared() > FLAT {
            let before = node.get_rotation();
            let mut rotation = (along * node.get_scale().x.signum()).angle();
            // A node that was mirrored since the body was laid out shows it mirrored, not turned round.
            let flipped = pose(global).is_mirrored() != wanted.is_mirrored();
            if flipped && (before - rotation).cos() < 0.0 {
                rotation = (-along * node.get_scale().x.signum()).angle();
            }
            if rotation != before {
                node.set_rotation(rotation);
            }
        }
        if position != node.get_position() {
            node.set_position(position);
        }
        if node.is_instance_valid() {
            let now = if node.is_inside_tree() { node.get_global_transform() } else { node.get_transform() };
            lock(&self.core).note_pose(pose(now));
            self.notice(now);
        }
    }

    fn wake(&self) {
        lock(&self.core).wake();
    }

    fn draw(&self, node: &mut Gd<Node2D>, interpolates: bool) {
        self.draw_frame(node, interpolates);
    }

    fn demand(&self, delta: f32) -> Option<Demand> {
        self.demand_of(delta)
    }

    fn publish(&self, node: &Gd<Node2D>, stage: &Stage) {
        self.show_itself(node, stage);
    }

    fn meet_neighbours(&self, neighbours: &[Neighbour]) {
        self.meet(neighbours);
    }

    fn bear(&self, treads: &[Tread]) {
        self.bear_treads(treads);
    }

    fn find_exceptions(&self, node: &Gd<Node2D>) {
        self.sort_exceptions(node);
        let above = std::iter::successors(node.get_parent(), |node| node.get_parent());
        let depth = above.filter(|node| node.clone().try_cast::<SoftBody2D>().is_ok()).count();
        self.flags.depth.store(depth as u32, Relaxed);
    }

    fn lets_through(&self, body: u64) -> bool {
        lock(&self.contacts).lets_through(body)
    }

    fn notice_colliders(&self, colliders: &Colliders) {
        let mut core = lock(&self.core);
        core.notice_colliders(colliders);
        if !core.is_sleeping() {
            self.flags.touched.store(true, Relaxed);
        }
    }

    fn touch(&self, delta: f32) -> Option<(Bounds, u32)> {
        let core = lock(&self.core);
        let collision = core.settings().collision;
        (collision.push_bodies && collision.mask != 0).then(|| (core.reach(delta), collision.mask))
    }

    fn meeting(&self, delta: f32) -> Option<Encounter> {
        let core = lock(&self.core);
        let collision = core.settings().collision;
        let meets = collision.layer != 0 || collision.mask != 0;
        let (layer, mask) = (collision.layer, collision.mask);
        meets.then(|| Encounter { bounds: core.reach(delta), layer, mask, rope: false })
    }

    fn stirs(&self) -> Option<Encounter> {
        let now = self.meeting(0.0);
        let before = &mut *lock(&self.met_before);
        let excepts_anew = self.excepts_anew.swap(false, Relaxed);
        let stirs = before.filter(|before| excepts_anew || Some(*before) != now);
        *before = now;
        stirs
    }

    fn for_each_pushed(&self, visit: &mut dyn FnMut(u64)) {
        lock(&self.core).for_each_pushed(visit);
    }

    fn for_each_touched(&self, visit: &mut dyn FnMut(u64)) {
        lock(&self.core).touches().iter().for_each(|touch| visit(touch.key.body));
    }

    fn core(&self) -> &Mutex<dyn Simulated> {
        &self.core
    }

    fn stepped(&self, before: Trouble, tick: &Tick) {
        *lock(&self.met_before) = self.meeting(0.0);
        let core = lock(&self.core);
        let mut struck = false;
        let changed = lock(&self.contacts).note(core.touches(), tick.time, |touch| {
            lock(&self.impacts).push(*touch);
            struck = true;
        });
        let pressed = self.note_presses(&core, tick.delta);
        self.flags.reports.fetch_or(changed || struck || pressed, Relaxed);
        self.flags.leads.store(core.settings().move_node && !core.is_led(), Relaxed);
        let now = core.trouble();
        if now != before {
            monitors::count_trouble(now.0.saturating_sub(before.0), now.1.saturating_sub(before.1));
            self.flags.recovered.fetch_or(now.1 != before.1, Relaxed);
        }
    }

    fn is_sleeping(&self) -> bool {
        lock(&self.core).is_sleeping()
    }

    fn cost(&self) -> usize {
        lock(&self.core).cost()
    }
}
