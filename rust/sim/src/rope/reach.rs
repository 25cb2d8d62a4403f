//! How far an end gets before the rope holds it back.
//!
//! What holds the rope otherwise, and the corners between, are pegs around which it runs. The shortest way along them is that of a string
//! pulled tight: a peg off which it would come goes, until all that are left bend it (D. T. Lee, F. P. Preparata 1984 pull a string through a
//! channel by the same test). What the way needs less than there is of rope is what the end may move.

use super::collide::Collision;
use super::{End, Grip, Pin, Rope};
use glam::Vec2;

/// A peg from which a tight rope would come by less than this, in px, does not bend it: a rope that lies on a floor touches it everywhere.
const FLAT: f32 = 0.05;

/// So many ticks after it was asked last how far its ends get, it takes down what it touches.
const WATCHED_TICKS: u8 = 4;

/// A place where the rope touches something between an end and what holds it, relative to the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Peg {
    place: Vec2,
    /// Unit vector out of what is touched.
    normal: Vec2,
}

/// From where an end is held back, and how far away it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leash {
    /// The last corner before the end, or what holds the rope, in global px.
    pub from: Vec2,
    /// How much rope there is from there to the end, in px; it may be less than none.
    pub free: f32,
    /// It is a corner, and not what holds the rope.
    pub corner: bool,
}

impl Leash {
    /// By how many px the rope is too short for its end to be at `at`; negative: so much is left.
    pub fn excess(&self, at: Vec2) -> f32 {
        self.from.distance(at) - self.free.max(0.0)
    }

    /// The unit vector along which the end has to move from `at` to come within reach; zero where it is held from.
    pub fn pull(&self, at: Vec2) -> Vec2 {
        (self.from - at).normalize_or_zero()
    }
}

impl Rope {
    /// What holds the rope nearest to an end, other than at the end itself; None: nothing does, and the end goes where it wants. A hand gives
    /// way, and is not counted.
    pub fn anchor(&self, end: End) -> Option<Pin> {
        let point = self.end_point(end);
        let holds = |pin: &&Pin| pin.point != point && pin.grip == Grip::Firm;
        match end {
            End::Start => self.pins.iter().find(holds).copied(),
            End::End => self.pins.iter().rev().find(holds).copied(),
        }
    }

    /// How far an end may go that wants to be at `at` (global), in a tick of `delta` seconds. `anchor` is what [`Rope::anchor`] found, and `hold` where
    /// it is now (global). Corners are those that the rope touched in the last tick.
    pub fn leash(&mut self, end: End, anchor: &Pin, hold: Vec2, at: Vec2, delta: f32) -> Leash {
        let mut way = std::mem::take(&mut self.pegs);
        self.find_pegs(end, anchor.point, &mut way);
        let (hold, at) = (self.frame.to_local(hold), self.frame.to_local(at));
        tighten(&mut way, hold, at);
        let mut free = self.length_from(end, anchor.point) + self.wound_from(end, anchor.point, delta);
        let mut from = hold;
        for peg in &way {
            free -= from.distance(peg.place);
            from = peg.place;
        }
        let corner = !way.is_empty();
        self.pegs = way;
        Leash { from: self.frame.to_global(from), free, corner }
    }

    /// The way on which what is at an end goes with a velocity, in `delta` seconds, and stays within reach, as a velocity: without what leads out of
    /// it, and turned so that what leads along it is as fast as before. `at` is where the end is now.
    pub fn limit(&mut self, end: End, anchor: &Pin, hold: Vec2, at: Vec2, velocity: Vec2, delta: f32) -> Vec2 {
        let wanted = at + velocity * delta;
        let leash = self.leash(end, anchor, hold, wanted, delta);
        if leash.excess(wanted) <= 0.0 {
            return velocity;
        }
        let free = leash.free.max(0.0);
        let arm = at - leash.from;
        let (distance, out) = (arm.length(), arm.normalize_or_zero());
        // What leads straight out may be no more than what is left.
        let outward = velocity.dot(out);
        let most = outward.min((free - distance) / delta);
        let kept = velocity + out * (most - outward);
        let goal = at + kept * delta;
        if leash.excess(goal) <= 0.0 {
            return kept;
        }
        // The rest leads out because it goes straight on: the point on the circle that is as far away.
        let way = kept.length() * delta;
        let along = (free * free - distance * distance - way * way) / (2.0 * way * distance);
        if along.is_finite() && along.abs() <= 1.0 {
            let side = out.perp() * out.perp_dot(kept).signum();
            return (out * along + side * (1.0 - along * along).sqrt()) * kept.length();
        }
        (goal + leash.pull(goal) * leash.excess(goal) - at) / delta
    }

    /// The length between a point and an end, in px.
    fn length_from(&self, end: End, point: usize) -> f32 {
        match end {
            End::Start => self.lengths[..point].iter().sum(),
            End::End => self.lengths[point..].iter().sum(),
        }
    }

    /// By how much that is wound out in a tick of `delta` seconds.
    pub fn wound_from(&self, end: End, point: usize, delta: f32) -> f32 {
        let wound = self.wound(delta);
        let last = self.lengths.len();
        let even = self.settings.segments > 0 || last <= 2;
        if wound == 0.0 {
            0.0
        } else if even {
            wound * self.length_from(end, point) / self.mass_length
        } else {
            let reel = self.end_point(self.settings.reel_end).min(last - 1);
            let between = match end {
                End::Start => reel < point,
                End::End => reel >= point,
            };
            if between { wound } else { 0.0 }
        }
    }

    /// Takes down what the rope touched in the last tick between what holds it and an end, in this order.
    fn find_pegs(&mut self, end: End, point: usize, pegs: &mut Vec<Peg>) {
        if self.watched == 0 && !self.sleeping {
            self.note_pegs();
        }
        self.watched = WATCHED_TICKS;
        let (first, last) = match end {
            End::Start => (0, point),
            End::End => (point, self.lengths.len()),
        };
        pegs.clear();
        for &(point, normal) in self.collision.pegs.iter().filter(|(point, _)| (first + 1..last).contains(point)) {
            pegs.push(Peg { place: self.points.position(point), normal: normal.normalize_or_zero() });
        }
        if end == End::Start {
            pegs.reverse();
        }
    }

    /// A tick begins: what it touched in the last one is over.
    pub(super) fn forget_pegs(&mut self) {
        self.watched = self.watched.saturating_sub(1);
        self.collision.pegs.clear();
    }

    /// Takes down which points touch something, and from where. A piece that touches a corner bends at its two points. One that does not
    /// push in a substep does so in the next: all of a tick count.
    pub(super) fn note_pegs(&mut self) {
        let Collision { contacts, pegs, .. } = &mut self.collision;
        for contact in contacts.list.iter().filter(|contact| contact.active && contact.push > 0.0) {
            for point in [contact.point, contact.point + 1].into_iter().take(1 + usize::from(contact.between)) {
                match pegs.binary_search_by_key(&point, |(point, _)| *point) {
                    Ok(place) => pegs[place].1 += contact.normal,
                    Err(place) => pegs.insert(place, (point, contact.normal)),
                }
            }
        }
    }

    /// The same of a substep, if somebody asks how far its ends get.
    pub(super) fn watch_pegs(&mut self) {
        if self.watched > 0 {
            self.note_pegs();
        }
    }
}

/// Takes away the pegs that do not bend a string which is tight between `hold` and `at`.
fn tighten(way: &mut Vec<Peg>, hold: Vec2, at: Vec2) {
    let mut kept = 0;
    for next in 0..=way.len() {
        let goal = way.get(next).map_or(at, |peg| peg.place);
        while kept > 0 {
            let before = if kept > 1 { way[kept - 2].place } else { hold };
            if bends(before, &way[kept - 1], goal) {
                break;
            }
            kept -= 1;
        }
        if next < way.len() {
            way[kept] = way[next];
            kept += 1;
        }
    }
    way.truncate(kept);
}

/// Whether a string that is tight between two places is bent by a peg between them, and does not only turn back there.
fn bends(before: Vec2, peg: &Peg, after: Vec2) -> bool {
    let (into, out) = (peg.place - before, after - peg.place);
    let along = peg.normal.perp();
    let chord = (after - before).normalize_or_zero();
    let off = into - chord * into.dot(chord);
    off.dot(peg.normal) > FLAT && into.dot(along) * out.dot(along) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Pose;
    use crate::rope::RopeSettings;

    /// Numbers from -1 to 1 (G. Marsaglia 2003).
    struct Dice(u32);

    impl Dice {
        fn roll(&mut self) -> f32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 17;
            self.0 ^= self.0 << 5;
            self.0 as f32 / u32::MAX as f32 * 2.0 - 1.0
        }

        fn place(&mut self, far: f32) -> Vec2 {
            Vec2::new(self.roll(), self.roll()) * far
        }
    }

    fn length(hold: Vec2, way: &[Peg], at: Vec2) -> f32 {
        let places: Vec<Vec2> = [hold].into_iter().chain(way.iter().map(|peg| peg.place)).chain([at]).collect();
        places.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    #[test]
    fn a_string_goes_around_a_corner_and_not_along_a_floor() {
        let peg = |x, y, normal| Peg { place: Vec2::new(x, y), normal };
        let (hold, at) = (Vec2::new(-100.0, 50.0), Vec2::new(100.0, 50.0));
        let corner = peg(0.0, 0.0, Vec2::NEG_Y);
        let mut way = vec![corner];
        tighten(&mut way, hold, at);
        assert_eq!(way, [corner]);
        // The end has been lifted: it swings off.
        tighten(&mut way, hold, Vec2::new(100.0, -60.0));
        assert_eq!(way, []);
        let mut floor: Vec<Peg> = (0..9).map(|i| peg(10.0 * i as f32, 0.003 * (i % 2) as f32, Vec2::NEG_Y)).collect();
        tighten(&mut floor, Vec2::new(-10.0, 0.0), Vec2::new(90.0, 0.0));
        assert_eq!(floor, []);
    }

    #[test]
    fn a_fold_holds_nothing() {
        // On a round hill it lies over the top and back again.
        let on_hill = |degrees: f32| {
            let normal = Vec2::from_angle((degrees - 90.0).to_radians());
            Peg { place: normal * 100.0, normal }
        };
        let mut way: Vec<Peg> = [-20.0, -10.0, 0.0, 10.0, 20.0, 10.0, 0.0].map(on_hill).to_vec();
        tighten(&mut way, on_hill(-30.0).place, on_hill(-10.0).place);
        let gone = length(on_hill(-30.0).place, &way, on_hill(-10.0).place);
        assert!(gone < 36.0, "{gone} {way:?}");
    }

    #[test]
    fn a_tight_string_is_never_longer_than_its_pegs_nor_shorter_than_a_line() {
        let mut dice = Dice(77);
        for _ in 0..20_000 {
            let (hold, at) = (dice.place(100.0), dice.place(100.0));
            let count = (dice.roll().abs() * 7.0) as usize;
            let pegs: Vec<Peg> = (0..count)
                .map(|_| Peg { place: dice.place(100.0), normal: dice.place(1.0).normalize_or(Vec2::X) })
                .collect();
            let mut way = pegs.clone();
            tighten(&mut way, hold, at);
            let tight = length(hold, &way, at);
            assert!(tight <= length(hold, &pegs, at) + 1e-3);
            assert!(tight >= hold.distance(at) - 1e-3);
            let again = way.clone();
            tighten(&mut way, hold, at);
            assert_eq!(way, again, "it is tight");
        }
    }

    #[test]
    fn an_end_that_moves_by_the_excess_is_within_reach() {
        let mut dice = Dice(5);
        for _ in 0..2000 {
            let hold = dice.place(500.0);
            let settings = RopeSettings { length: 100.0 + 50.0 * dice.roll(), ..RopeSettings::default() };
            let mut rope = Rope::new(settings, Pose::at(hold));
            let anchor = rope.anchor(End::End).expect("its start is held");
            let at = dice.place(500.0);
            let leash = rope.leash(End::End, &anchor, hold, at, 0.01);
            assert!((leash.free - settings.length).abs() < 0.01);
            assert!((leash.excess(at) - (hold.distance(at) - settings.length)).abs() < 0.01);
            let back = at + leash.pull(at) * leash.excess(at).max(0.0);
            assert!(rope.leash(End::End, &anchor, hold, back, 0.01).excess(back) < 0.001);
            assert_eq!(rope.anchor(End::Start), None, "its end is free");
        }
    }

    #[test]
    fn a_limited_velocity_keeps_within_reach_and_is_never_faster() {
        let mut dice = Dice(9);
        for _ in 0..5000 {
            let mut rope = Rope::new(RopeSettings { length: 100.0, ..RopeSettings::default() }, Pose::IDENTITY);
            let anchor = rope.anchor(End::End).expect("its start is held");
            let at = dice.place(1.0).normalize_or(Vec2::X) * 100.0 * (1.0 - 0.2 * dice.roll().max(0.0));
            let (velocity, delta) = (dice.place(900.0), 1.0 / 60.0);
            let limited = rope.limit(End::End, &anchor, Vec2::ZERO, at, velocity, delta);
            let goal = at + limited * delta;
            assert!(goal.length() < 100.01, "{at} {velocity} {limited}");
            assert!(limited.length() <= velocity.length() * 1.001, "{at} {velocity} {limited}");
            if (at + velocity * delta).length() < 100.0 {
                assert_eq!(limited, velocity);
            }
        }
    }
}
