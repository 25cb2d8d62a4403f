//! Saving a rope and going on from there, bit for bit.
//!
//! A state is a mark, a version, a checksum and the rope in postcard's format (J. Munns, postcard.jamesmunns.com). Bytes that are anything else are
//! refused as a whole; so are bytes that say what no rope can be.

use super::{Grip, MOST_ITERATIONS, MOST_LENGTH, MOST_SEGMENTS, Rope, RopeSettings};
use crate::contact::Memory;
use crate::frame::Pose;
use crate::hash::of_bytes;
use serde::{Deserialize, Serialize};

/// What every state begins with, and the version of what follows.
const MARK: [u8; 5] = *b"SUPR\x03";
/// The longest length that a rope can have, in px, and the most points that can have been wound or cut off.
const LONGEST: f32 = 100.0 * MOST_LENGTH;
const MOST_REELED: u64 = 1 << 40;
const CHECKSUM: usize = size_of::<u64>();

/// A rope and what it does not know itself.
#[derive(Serialize, Deserialize)]
struct Saved<R> {
    rope: R,
    memory: [f32; 2],
    contacts: Vec<Memory>,
    /// The keys of holders, and how they are found again.
    names: Vec<(u64, String)>,
}

impl Rope {
    /// Everything that decides how it goes on. `name` tells how the holder with a key can be found again.
    pub fn save(&self, name: impl Fn(u64) -> Option<String>) -> Vec<u8> {
        let attached = self.attachments.iter().flatten().map(|(holder, _)| holder.key);
        let pinned = self.pins.iter().filter_map(|pin| pin.holder).map(|holder| holder.key);
        let mut keys: Vec<u64> = attached.chain(pinned).collect();
        keys.sort_unstable();
        keys.dedup();
        let names = keys.into_iter().filter_map(|key| Some((key, name(key)?))).collect();
        let contacts = self.collision.contacts.memory.clone();
        let saved = Saved { rope: self, memory: self.solver.memory(), contacts, names };
        // Writing into memory cannot fail.
        let body = postcard::to_stdvec(&saved).unwrap_or_default();
        let mut bytes = MARK.to_vec();
        bytes.extend(of_bytes(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// The rope that was saved as `bytes`; None if they are foreign or damaged. `find` gives the key and the pose of a holder from its name;
    /// where it finds none, the rope's own node holds the points in its place. Hands have let go.
    pub fn load(bytes: &[u8], mut find: impl FnMut(&str) -> Option<(u64, Pose)>) -> Option<Rope> {
        let (sum, body) = bytes.strip_prefix(&MARK)?.split_at_checked(CHECKSUM)?;
        if sum != of_bytes(body).to_le_bytes() {
            return None;
        }
        let Saved { mut rope, memory, contacts, names } = postcard::from_bytes::<Saved<Rope>>(body).ok()?;
        if !rope.is_sound() || memory.iter().any(|number| number.is_nan()) || !contacts.iter().all(Memory::is_sound) {
            return None;
        }
        let mut found = |key: u64| {
            let name = names.iter().find(|(named, _)| *named == key)?;
            find(&name.1).filter(|(_, pose)| pose.is_finite())
        };
        for attachment in &mut rope.attachments {
            if let Some((holder, _)) = attachment {
                match found(holder.key) {
                    Some((key, _)) => holder.key = key,
                    None => *attachment = None,
                }
            }
        }
        rope.held_before =
            rope.held_before.and_then(|(key, pose)| Some((if key == 0 { 0 } else { found(key)?.0 }, pose)));
        rope.start_aim = rope.start_aim.and_then(|(key, aim)| Some((found(key)?.0, aim)));
        let hands = rope.pins.iter().any(|pin| pin.grip != Grip::Firm);
        rope.pins.retain(|pin| pin.grip == Grip::Firm);
        if hands {
            rope.hold_ends(None);
        }
        for index in 0..rope.pins.len() {
            let Some(holder) = rope.pins[index].holder else { continue };
            let key = found(holder.key).map(|(key, _)| key);
            let place = rope.pin_target(&rope.pins[index]);
            let own = rope.pose.unturn(place - rope.frame.to_local(rope.pose.origin));
            let pin = &mut rope.pins[index];
            match (&mut pin.holder, key) {
                (Some(holder), Some(key)) => holder.key = key,
                _ => (pin.holder, pin.offset) = (None, own),
            }
        }
        rope.scratch.resize(rope.points.len());
        rope.solver.reserve(rope.lengths.len());
        rope.solver.recall(memory);
        rope.collision.contacts.memory = contacts;
        let mut spans = Vec::new();
        rope.fill_spans(&mut spans, |_| true);
        rope.spans = spans;
        rope.weigh();
        Some(rope)
    }

    /// A hash of everything that decides how it goes on, the same in two runs.
    pub fn state_hash(&self) -> u64 {
        let mut rope = self.clone();
        // Keys differ between runs.
        let attached = rope.attachments.iter_mut().flatten().map(|(holder, _)| holder);
        attached.chain(rope.pins.iter_mut().filter_map(|pin| pin.holder.as_mut())).for_each(|holder| holder.key = 0);
        rope.start_aim = rope.start_aim.map(|(_, aim)| (0, aim));
        rope.loads.make_anonymous();
        rope.held_before = rope.held_before.map(|(_, pose)| (0, pose));
        let contacts = rope.collision.contacts.memory.iter().map(Memory::anonymous).collect();
        let saved = Saved { memory: rope.solver.memory(), rope, contacts, names: Vec::new() };
        of_bytes(&postcard::to_stdvec(&saved).unwrap_or_default())
    }

    /// Whether it can be a rope.
    fn is_sound(&self) -> bool {
        let count = self.points.len();
        let finite = |values: &[f32]| values.iter().all(|value| value.is_finite());
        let positive = |values: &[f32]| finite(values) && values.iter().all(|&value| value > 0.0);
        let sizes = self.points.is_even()
            && (2..=MOST_SEGMENTS as usize + 1).contains(&count)
            && [&self.tick_start.x, &self.tick_start.y].iter().all(|array| array.len() == count)
            && [&self.lengths, &self.tension].iter().all(|array| array.len() == count - 1)
            && [0, count].contains(&self.forces.len())
            && self.air.fits(count)
            && self.loads.fit(count);
        let holders = self.attachments.iter().flatten().map(|(holder, _)| holder);
        let holders = holders.chain(self.pins.iter().filter_map(|pin| pin.holder.as_ref()));
        sizes
            && self.settings == self.settings.clamped(&RopeSettings::default())
            && self.points.is_finite()
            && finite(&self.points.start_x)
            && finite(&self.points.start_y)
            && finite(&self.tick_start.x)
            && finite(&self.tick_start.y)
            && finite(&self.tension)
            && positive(&self.lengths)
            && positive(&[self.pitch, self.target_length, self.mass_length, self.scale, self.inertia])
            && self.lengths.iter().chain([&self.pitch, &self.target_length]).all(|&length| length <= LONGEST)
            && self.winding_limit >= 0.0
            && self.reeled.unsigned_abs() <= MOST_REELED
            && self.missing.iter().all(|&(px, links)| px.abs() <= LONGEST && links as u64 <= MOST_REELED)
            && (0.0..=MOST_ITERATIONS as f32).contains(&self.passes_due)
            && self.rest_time >= 0.0
            && finite(&[self.h_before, self.passes_due, self.rest_time, self.winding_limit, self.longest_move])
            && self.h_before >= 0.0
            && [self.gravity, self.laid_gravity, self.frame.origin()].iter().all(|v| v.is_finite())
            && self.held_before.is_none_or(|(_, pose)| pose.is_finite())
            && self.start_aim.is_none_or(|(_, aim)| aim.is_finite())
            && self.forces.iter().all(|force| force.is_finite())
            && self.rest_bends.iter().all(|level| finite(level))
            && self.pose.is_finite()
            && self.pose_before.is_finite()
            && self.pins.windows(2).all(|pair| pair[0].point < pair[1].point)
            && self.pins.iter().all(|pin| pin.point < count && pin.offset.is_finite())
            && self.attachments.iter().flatten().all(|(_, offset)| offset.is_finite())
            && { holders }.all(|holder| holder.pose.is_finite())
    }
}
