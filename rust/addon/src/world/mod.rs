//! The world step: the one point of a tick at which all bodies of a physics space are simulated.
//!
//! Nodes [`join`] the world of their space when they enter the tree and [`leave`] it when they exit. An internal node
//! ([`node::SuppleWorld`]) calls [`tick`] once a physics tick, after all default nodes' `_physics_process` and before
//! deferred calls and the physics step. First characters at the ends of ropes are brought within reach, while nothing is borrowed ([`characters`]). Then a tick has four
//! phases:
//!
//! 1. *gather*: where nodes are, gravity, winds, colliders; only reads from the engine;
//! 2. *step*: the core, on all cores, without any call of the engine;
//! 3. *apply*: what bodies do to the engine's own: impulses at rigid bodies ([`rigids`]), the places of riders;
//! 4. *report*: signals. Nothing is borrowed then: a handler may call any method or free any node.
//!
//! Bodies are drawn once a frame, in the moment before the renderer looks at the scene ([`tick::draw`]): later than anything that may
//! still move a node in this frame.
//!
//! Worlds live on the main thread, which is where nodes enter and exit the tree. A node's methods may be called from any
//! thread: they only touch the body behind its mutex.

mod blades;
mod characters;
mod colliders;
mod company;
mod hand;
mod herald;
mod hulls;
mod islands;
pub mod monitors;
mod node;
mod picker;
mod presence;
pub mod riders;
mod rigids;
mod tick;
mod walkers;
mod winds;

pub use colliders::{Demand, Neighbour};
pub use company::{Company, Meeting, Meets, neighbourhood};
pub use hand::watch_viewport;
pub use hulls::Hulls;
pub use islands::Encounter;
pub use picker::watch_mouse_over;
pub use presence::{FASTEST_RISE, Form, Manner, Piece, Presence, Stage, move_on, velocity_at};
pub use riders::{Place, Rider, Seat};
pub use tick::transform_of;
pub use walkers::{Tread, fill_loads};

use crate::wind::WindState;
use godot::classes::{CanvasItem, Node2D};
use godot::prelude::*;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use supple_sim::bounds::Bounds;
use supple_sim::collide::Colliders;
use supple_sim::frame::Pose;
use supple_sim::rope::Piece as PointOf;
use supple_sim::tick::Tick;
use supple_sim::wind::Wind;
use supple_sim::workers::Workers;

/// What of a body is simulated, without any call of the engine.
pub trait Simulated: Send {
    /// Simulates a tick.
    fn step(&mut self, tick: &Tick);
    /// How often it has had trouble.
    fn trouble(&self) -> Trouble;
    /// What is simulated together with others; None: it never is.
    fn mate(&mut self) -> Option<Mate<'_>> {
        None
    }
}

/// What is simulated together with others.
pub enum Mate<'a> {
    /// What holds on to rigid bodies.
    Member(&'a mut dyn supple_sim::island::Member),
    /// What touches others of its kind besides.
    Soft(&'a mut supple_sim::soft::SoftBody),
}

/// A body as the world step sees it. All methods may be called from any thread. What not every kind of body has does nothing by default.
pub trait Body: Send + Sync {
    /// What the node and the world tell each other.
    fn flags(&self) -> &Flags;
    /// The node is here in this tick.
    fn set_pose(&self, transform: Transform2D);
    /// It is not simulated in this tick: what pushes at it is gone.
    fn drop_forces(&self);
    /// The node was moved here while the body was not simulated.
    fn carry_to(&self, transform: Transform2D);
    /// Its node was placed here: lays it out at rest, unless the node has not moved.
    fn place_at(&self, transform: Transform2D);
    /// Other nodes that hold points.
    fn holders(&self) -> MutexGuard<'_, Vec<Holder>>;
    /// A node that holds points is here in this tick; None: it was freed. False if it holds none any more.
    fn set_holder_pose(&self, node: InstanceId, pose: Option<Pose>) -> bool;
    /// Nodes that ride on it.
    fn riders(&self) -> MutexGuard<'_, Vec<Rider>>;
    /// Lets a node ride on it, in one seat only.
    fn seat_rider(&self, rider: Rider) {
        let mut riders = self.riders();
        riders.retain(|other| other.node != rider.node);
        riders.push(rider);
        self.flags().carries.store(true, Relaxed);
        self.flags().unsorted.store(true, Relaxed);
    }
    /// The place of a seat now; None if there is no such place.
    fn seat(&self, seat: &Seat) -> Option<Place>;
    /// A node that rode on it was freed.
    fn lost(&self, _rider: &Rider) {}
    /// The point nearest to a global position.
    fn closest_piece(&self, to: Vector2) -> PointOf;
    /// The point with this index; beyond the last, that.
    fn piece_of(&self, index: i64) -> PointOf;
    /// Lets a node hold a point where it is now, with at most `force`; 0: with any. False if there is no such point.
    fn drive(&self, point: PointOf, holder: InstanceId, transform: Transform2D, force: f32) -> bool;
    /// Whether a node holds a point.
    fn is_driven(&self, holder: InstanceId) -> bool;
    /// Lets go what a node drives.
    fn undrive(&self, holder: InstanceId);
    /// How far a global position is from where the player may grab it; None: too far, or not at all.
    fn reach(&self, position: Vector2) -> Option<f32>;
    /// Whether the mouse at a global position is over it.
    fn is_at(&self, _position: Vector2) -> bool {
        false
    }
    /// Grabs it there; a handle.
    fn grab(&self, position: Vector2) -> Option<i64>;
    /// Moves a hand; false if it holds nothing any more.
    fn drag(&self, handle: i64, position: Vector2) -> bool;
    /// Lets go.
    fn let_go(&self, handle: i64);
    /// Does on the main thread what the last tick has brought. Nothing is borrowed or locked.
    fn report(&self, node: Gd<Node2D>);
    /// Brings its node where it is after a tick, if it moves that. Nothing is borrowed or locked.
    fn lead(&self, _node: Gd<Node2D>) {}
    /// Wakes it.
    fn wake(&self);
    /// Draws it on its node as it is in this frame; with `interpolates` the project uses physics interpolation.
    fn draw(&self, node: &mut Gd<Node2D>, interpolates: bool);
    /// These winds appeared, vanished or changed, as they were and as they are: wakes it if one of them reaches it.
    fn notice_winds(&self, _winds: &[Wind]) {}
    /// Where it may touch something in a tick of `delta` seconds; None: it collides with nothing.
    fn demand(&self, delta: f32) -> Option<Demand>;
    /// Finds out, by the tree around its node, through which bodies it goes.
    fn find_exceptions(&self, node: &Gd<Node2D>);
    /// Where it may be cut; None: nothing cuts it.
    fn cut_demand(&self) -> Option<Demand> {
        None
    }
    /// Takes down what of these went over it in this tick; none of them: nothing did.
    fn notice_blades(&self, _node: &Gd<Node2D>, _found: &[Colliders]) {}
    /// Finds out, by the tree, which characters are at its ends.
    fn find_characters(&self, _node: &Gd<Node2D>) {}
    /// Brings the characters at its ends within reach, in a tick of `delta` seconds in which this was done `pass` times before; true if one was moved.
    /// Nothing is borrowed or locked.
    fn hold_characters(&self, _node: &Gd<Node2D>, _delta: f32, _pass: u32) -> bool {
        false
    }
    /// Whether it goes through the body with this key.
    fn lets_through(&self, body: u64) -> bool;
    /// Wakes it if what is near it is not what was there when it fell asleep.
    fn notice_colliders(&self, colliders: &Colliders);
    /// Calls `visit` with the key of each body that it touched in the last tick.
    fn for_each_touched(&self, visit: &mut dyn FnMut(u64));
    /// Whether it touched anything in the last tick.
    fn is_touching(&self) -> bool {
        let mut any = false;
        self.for_each_touched(&mut |_| any = true);
        any
    }
    /// Shows the engine where it will be after the tick that begins.
    fn publish(&self, _node: &Gd<Node2D>, _stage: &Stage) {}
    /// These bodies are near those with presences.
    fn meet_neighbours(&self, _neighbours: &[Neighbour]) {}
    /// These characters stand on it and run against it.
    fn bear(&self, _treads: &[Tread]) {}
    /// Where, and on which layers, it may push rigid bodies in a tick of `delta` seconds; None: it pushes none.
    fn touch(&self, _delta: f32) -> Option<(Bounds, u32)> {
        None
    }
    /// Whether it is a rope.
    fn is_rope(&self) -> bool {
        false
    }
    /// Where it may meet soft bodies in a tick of `delta` seconds; None: it meets none.
    fn meeting(&self, _delta: f32) -> Option<Encounter> {
        None
    }
    /// Where others met it after the last tick, if its user has put it elsewhere since or changed its layers.
    fn stirs(&self) -> Option<Encounter> {
        None
    }
    /// Calls `visit` with the key of each rigid body that it touched in the last tick, and pushes.
    fn for_each_pushed(&self, _visit: &mut dyn FnMut(u64)) {}
    /// What is simulated.
    fn core(&self) -> &Mutex<dyn Simulated>;
    /// A tick was simulated: takes down what it has brought. `before` is how often it had had trouble. The core is not locked.
    fn stepped(&self, before: Trouble, tick: &Tick);
    /// Whether it does nothing until it is touched.
    fn is_sleeping(&self) -> bool;
    /// What a tick costs in nanoseconds, roughly.
    fn cost(&self) -> usize;
}

/// How often a body could not be solved for, and was laid out anew.
pub type Trouble = (u64, u64);

/// What a node and its world tell each other.
#[derive(Default)]
pub struct Flags {
    /// Something about the body changed: look at it even if it sleeps.
    pub touched: AtomicBool,
    /// The node's process mode or a pause holds it.
    pub paused: AtomicBool,
    /// It was not simulated for a while.
    pub resumed: AtomicBool,
    /// Its node was placed, not moved: lay it out at rest.
    pub placed: AtomicBool,
    /// Other nodes hold points of it.
    pub held: AtomicBool,
    /// What it shows has changed since it was drawn.
    pub dirty: AtomicBool,
    /// Its node takes part in a world.
    pub joined: AtomicBool,
    /// A number in it was not finite, and it was laid out anew.
    pub recovered: AtomicBool,
    /// Its node is not visible in the tree: there is no need to draw.
    pub hidden: AtomicBool,
    /// Its node is outside of all screens, and it need not be simulated there.
    pub away: AtomicBool,
    /// It is only shown as it is laid out, as in the editor.
    pub still: AtomicBool,
    /// It was put elsewhere: what rides on it is not shown on its way there.
    pub jumped: AtomicBool,
    /// The player may grab it.
    pub grabbable: AtomicBool,
    /// The mouse may be noticed over it.
    pub pickable: AtomicBool,
    /// Bodies and areas may cut it.
    pub cuttable: AtomicBool,
    /// Characters at its ends are kept within reach.
    pub leashed: AtomicBool,
    /// Nodes ride on it.
    pub carries: AtomicBool,
    /// It moves its own node.
    pub leads: AtomicBool,
    /// How many nodes above its own are soft bodies: those are moved first.
    pub depth: AtomicU32,
    /// It is there for others: it may have a collision layer.
    pub present: AtomicBool,
    /// There is something to report.
    pub reports: AtomicBool,
    /// Its node has to be asked for its ties in the next tick.
    pub untied: AtomicBool,
    /// What holds it or rides on it has changed: look anew through which bodies it goes.
    pub unsorted: AtomicBool,
}

impl Flags {
    /// Whether it stands still in this tick, or is to be put elsewhere.
    pub fn is_idle(&self) -> bool {
        [&self.paused, &self.resumed, &self.placed].iter().any(|flag| flag.load(Relaxed))
    }
}

/// A node that holds points of a body.
#[derive(Clone)]
pub struct Holder {
    /// The node.
    pub node: InstanceId,
    /// Where the engine has it.
    pub shown: Shown,
    /// It is a rigid body, and pulled by what it holds.
    pub yields: bool,
}

/// Where the engine's physics interpolation has a node.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Its global transform at the beginning of the last tick: where the frame's way begins.
    pub before: Transform2D,
    /// The same at the last time that we were told or looked.
    pub noticed: Transform2D,
}

impl Shown {
    /// A node that has been in one place.
    pub fn at(transform: Transform2D) -> Shown {
        Shown { before: transform, noticed: transform }
    }
}

struct Member {
    node: Gd<Node2D>,
    body: Arc<dyn Body>,
    asleep: bool,
    /// Where others may meet it while it sleeps.
    rests: Option<Encounter>,
    /// The parent that is watched while it sleeps.
    watched: Option<InstanceId>,
    /// We asked the node to tell of its moves, not the user's script.
    tells: bool,
}

/// The parent of sleeping bodies: if it moves, they wake in the same tick.
struct Watch {
    parent: Gd<CanvasItem>,
    transform: Transform2D,
    users: usize,
    moved: bool,
}

/// All bodies of a physics space.
#[derive(Default)]
struct World {
    members: Vec<Member>,
    places: HashMap<InstanceId, usize>,
    watches: HashMap<InstanceId, Watch>,
    /// Reused from tick to tick.
    jobs: Vec<Arc<dyn Body>>,
    sleep_changes: Vec<Gd<Node2D>>,
    recovered: Vec<Gd<Node2D>>,
    reports: Vec<(Gd<Node2D>, Arc<dyn Body>)>,
    /// Bodies at whose ends characters are.
    leashed: Vec<(Gd<Node2D>, Arc<dyn Body>)>,
    /// Bodies on which nodes ride, and whether they stood still in this tick.
    carriers: Vec<(Arc<dyn Body>, bool)>,
    /// Bodies that move their nodes.
    leaders: Vec<(Gd<Node2D>, Arc<dyn Body>)>,
    /// The member whose space is looked at in the next tick.
    checked: usize,
    idle_ticks: u32,
    /// How many ticks were simulated.
    tick: u64,
    /// Seconds that were simulated.
    time: f64,
    winds: winds::Winds,
    colliders: colliders::Gatherer,
    blades: blades::Blades,
    /// How many members have presences, who is near those, and who stands on them.
    presences: usize,
    neighbours: Vec<Neighbour>,
    walkers: walkers::Walkers,
    rigids: rigids::Rigids,
    islands: islands::Islands,
    /// What those hold on to that are awake.
    held: HashSet<u64>,
    /// Where soft bodies were that are not there any more, or may be elsewhere.
    stirred: Vec<Encounter>,
    gravity: Vector2,
}

thread_local! {
    static WORLDS: RefCell<HashMap<Rid, Rc<RefCell<World>>>> = RefCell::default();
}

static WORKERS: Mutex<Option<Workers>> = Mutex::new(None);

/// Puts a node in the tree, and its body, under the world step of its physics space.
pub fn join(node: Gd<Node2D>, body: Arc<dyn Body>) {
    let Some(world) = world_of(&node) else { return };
    body.flags().touched.store(true, Relaxed);
    body.flags().resumed.store(true, Relaxed);
    world.borrow_mut().add(node, body);
}

/// Lets a wind's node in the tree blow in its physics space.
pub fn join_wind(node: Gd<Node2D>, state: Arc<WindState>) {
    let Some(world) = world_of(&node) else { return };
    let world = &mut *world.borrow_mut();
    world.winds.add(node, state, world.time);
}

/// Takes a node out of the world step.
pub fn leave(node: InstanceId) {
    let worlds: Vec<_> = WORLDS.with_borrow(|worlds| worlds.values().cloned().collect());
    for world in worlds {
        let world = &mut *world.borrow_mut();
        world.remove(node);
        world.winds.remove(node);
    }
}

/// Ends all threads and forgets all worlds: the extension is about to be unloaded.
pub fn shut_down() {
    WORLDS.with_borrow_mut(HashMap::clear);
    crate::draw::mesh::shut_down();
    WORKERS.lock().unwrap_or_else(PoisonError::into_inner).take();
}

/// Locks without minding a panic that happened under the lock: bodies repair themselves.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The world of the space of a node in the tree; it begins with its first node.
fn world_of(node: &Gd<Node2D>) -> Option<Rc<RefCell<World>>> {
    let space = space_of(node)?;
    let (world, is_new) = WORLDS.with_borrow_mut(|worlds| {
        let is_new = !worlds.contains_key(&space);
        (Rc::clone(worlds.entry(space).or_default()), is_new)
    });
    if is_new {
        node::SuppleWorld::spawn(node, space);
    }
    Some(world)
}

fn space_of(node: &Gd<Node2D>) -> Option<Rid> {
    Some(node.get_world_2d()?.get_space())
}

impl World {
    /// Adds a member; one that is there already is replaced.
    fn add(&mut self, node: Gd<Node2D>, body: Arc<dyn Body>) {
        self.idle_ticks = 0;
        let id = node.instance_id();
        self.remove(id);
        self.places.insert(id, self.members.len());
        let asleep = body.is_sleeping();
        if asleep {
            self.colliders.add_newcomer(id, &body, body.demand(0.0));
        }
        let rests = if asleep { body.meeting(0.0) } else { None };
        let mut member = Member { node, body, asleep, rests, watched: None, tells: false };
        if asleep {
            member.watch(&mut self.watches);
        }
        self.members.push(member);
    }

    fn remove(&mut self, node: InstanceId) {
        let Some(place) = self.places.remove(&node) else {
            return;
        };
        let mut member = self.members.swap_remove(place);
        // What lay on it falls.
        self.stirred.extend(member.body.meeting(0.0));
        self.colliders.remove_sleeper(node);
        if let Some(moved) = self.members.get(place) {
            self.places.insert(moved.node.instance_id(), place);
        }
        member.unwatch(&mut self.watches);
    }
}

impl Member {
    /// Watches a node that falls asleep, and its parent. The node itself tells when it is moved, in the same moment; while it is awake
    /// it is looked at in every tick anyway, and need not tell.
    fn watch(&mut self, watches: &mut HashMap<InstanceId, Watch>) {
        self.tells = !self.node.is_local_transform_notification_enabled();
        if self.tells {
            self.node.set_notify_local_transform(true);
        }
        let parent = if self.node.is_set_as_top_level() { None } else { self.node.get_parent() };
        let Some(parent) = parent.and_then(|parent| parent.try_cast::<CanvasItem>().ok()) else {
            return;
        };
        let id = parent.instance_id();
        let watch = watches.entry(id).or_insert_with(|| {
            let transform = parent.get_global_transform();
            Watch { parent, transform, users: 0, moved: false }
        });
        watch.users += 1;
        self.watched = Some(id);
    }

    fn unwatch(&mut self, watches: &mut HashMap<InstanceId, Watch>) {
        if std::mem::take(&mut self.tells) {
            self.node.set_notify_local_transform(false);
        }
        let Some(id) = self.watched.take() else { return };
        if let Some(watch) = watches.get_mut(&id) {
            watch.users -= 1;
            if watch.users == 0 {
                watches.remove(&id);
            }
        }
    }
}
