//! Saving a soft body and going on from there, bit for bit.
//!
//! A state is a mark, a version, a checksum and the body in postcard's format, as that of a rope. Bytes that are anything else are
//! refused as a whole; so are bytes that say what no body can be.

use super::meeting::Met;
use super::rebound::Blow;
use super::step::MOST_GRAVITY;
use super::{SoftBody, SoftSettings};
use crate::contact::Memory;
use crate::frame::Pose;
use crate::hash;
use crate::rope::Grip;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// What every state begins with, and the version of what follows.
const MARK: [u8; 5] = *b"SUPS\x03";
const CHECKSUM: usize = size_of::<u64>();

/// A body and what it does not know itself.
#[derive(Serialize, Deserialize)]
struct Saved<B> {
    body: B,
    contacts: Vec<Memory>,
    pushes: Vec<(u64, f32)>,
    straddled: Vec<(u64, f32)>,
    hopeless: Vec<u64>,
    inside: Vec<u64>,
    met: Vec<Met>,
    leans_on: Vec<(u64, Vec2)>,
    blows: Vec<Blow>,
    tangled: Vec<(u64, f32)>,
    asleep_on: bool,
    /// The keys of holders, and how they are found again.
    names: Vec<(u64, String)>,
}

impl SoftBody {
    /// Everything that decides how it goes on. `name` tells how the holder with a key can be found again.
    pub fn save(&self, name: impl Fn(u64) -> Option<String>) -> Vec<u8> {
        let mut keys: Vec<u64> = self.pins.iter().filter_map(|pin| pin.holder).map(|holder| holder.key).collect();
        keys.sort_unstable();
        keys.dedup();
        let names = keys.into_iter().filter_map(|key| Some((key, name(key)?))).collect();
        let (straddled, hopeless, inside) = self.collision.given_up();
        let saved = Saved {
            body: self,
            contacts: self.collision.memory().to_vec(),
            pushes: self.remembered_pushes().to_vec(),
            straddled: straddled.to_vec(),
            hopeless: hopeless.to_vec(),
            inside: inside.to_vec(),
            met: self.collision.met.clone(),
            leans_on: self.collision.leans_on.clone(),
            blows: self.collision.blows.clone(),
            tangled: self.collision.tangled.clone(),
            asleep_on: self.collision.asleep_on,
            names,
        };
        // Writing into memory cannot fail.
        let body = postcard::to_stdvec(&saved).unwrap_or_default();
        let mut bytes = MARK.to_vec();
        bytes.extend(hash::of_bytes(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// The body that was saved as `bytes`; None if they are foreign or damaged. `find` gives the key and the pose of a holder from its name;
    /// where it finds none the point is let go. Hands have let go.
    pub fn load(bytes: &[u8], mut find: impl FnMut(&str) -> Option<(u64, Pose)>) -> Option<SoftBody> {
        let (sum, body) = bytes.strip_prefix(&MARK)?.split_at_checked(CHECKSUM)?;
        if sum != hash::of_bytes(body).to_le_bytes() {
            return None;
        }
        let Saved {
            mut body,
            contacts,
            pushes,
            straddled,
            hopeless,
            inside,
            met,
            leans_on,
            blows,
            tangled,
            asleep_on,
            names,
        } = postcard::from_bytes::<Saved<SoftBody>>(body).ok()?;
        if !body.is_sound()
            || !contacts.iter().all(Memory::is_sound)
            || pushes.iter().chain(&straddled).chain(&tangled).any(|pair| !pair.1.is_finite())
            || !met.iter().all(Met::is_sound)
            || !blows.iter().all(Blow::is_sound)
            || leans_on.iter().any(|(_, force)| !force.is_finite())
        {
            return None;
        }
        body.pins.retain_mut(|pin| {
            let Some(holder) = &mut pin.holder else { return true };
            let name = names.iter().find(|(named, _)| *named == holder.key);
            match name.and_then(|(_, name)| find(name)).filter(|_| pin.grip == Grip::Firm) {
                Some((key, _)) => {
                    holder.key = key;
                    true
                }
                None => false,
            }
        });
        body.collision.recall(contacts);
        body.recall_pushes(pushes);
        body.collision.give_up_again(straddled, hopeless, inside);
        body.collision.asleep_on = asleep_on;
        (body.collision.met, body.collision.leans_on, body.collision.blows) = (met, leans_on, blows);
        body.collision.tangled = tangled;
        body.systems.forget();
        body.material.group();
        body.room.note_spacing(&body.mesh, &body.rest);
        body.weigh_points();
        Some(body)
    }

    /// A hash of everything that decides how it goes on, the same in two runs.
    pub fn state_hash(&self) -> u64 {
        let mut body = self.clone();
        // Keys differ between runs.
        body.pins.iter_mut().filter_map(|pin| pin.holder.as_mut()).for_each(|holder| holder.key = 0);
        body.loads.make_anonymous();
        let contacts = self.collision.memory().iter().map(Memory::anonymous).collect();
        let pushes = self.remembered_pushes().iter().map(|push| (0, push.1)).collect();
        let (straddled, hopeless, inside) = self.collision.given_up();
        let straddled = straddled.iter().map(|pair| (0, pair.1)).collect();
        let (hopeless, inside) = (vec![0; hopeless.len()], vec![0; inside.len()]);
        let asleep_on = self.collision.asleep_on;
        let met = self.collision.met.iter().map(Met::anonymous).collect();
        let leans_on = self.collision.leans_on.iter().map(|(_, force)| (0, *force)).collect();
        let blows = self.collision.blows.iter().map(Blow::anonymous).collect();
        let tangled = self.collision.tangled.iter().map(|pair| (0, pair.1)).collect();
        let names = Vec::new();
        let saved = Saved {
            body,
            contacts,
            pushes,
            straddled,
            hopeless,
            inside,
            met,
            leans_on,
            blows,
            tangled,
            asleep_on,
            names,
        };
        hash::of_bytes(&postcard::to_stdvec(&saved).unwrap_or_default())
    }

    /// Whether it can be a body.
    fn is_sound(&self) -> bool {
        let count = self.points.len();
        let finite = |values: &[f32]| values.iter().all(|value| value.is_finite());
        self.mesh.is_sound()
            && self.mesh.points.len() == count
            && self.points.is_even()
            && self.rest.len() == count
            && [&self.start_x, &self.start_y].iter().all(|array| array.len() == count && finite(array))
            && [0, count].contains(&self.forces.len())
            && self.anchor_x.len() == self.anchor_y.len()
            && [&self.anchor_x, &self.anchor_y].iter().all(|array| [0, count].contains(&array.len()) && finite(array))
            && self.material.fits(&self.mesh)
            && self.loads.fit()
            && self.settings == self.settings.clamped(&SoftSettings::default())
            && self.points.is_finite()
            && finite(&self.points.start_x)
            && finite(&self.points.start_y)
            && finite(&self.points.inv_mass)
            && finite(&[self.h_before, self.rest_time, self.longest_move, self.unwatched])
            && finite(&[self.upright, self.load, self.soft_load, self.borne, self.soft_borne])
            && self.h_before >= 0.0
            && self.longest_move >= 0.0
            && self.rest_time >= 0.0
            && self.gravity.length() <= 2.0 * MOST_GRAVITY
            && [self.turn, self.lock].iter().all(|turn| (turn.length() - 1.0).abs() < 1e-2)
            && self.strike.is_none_or(|strike| strike.is_sound())
            && self.pressed.iter().all(|&i| (i as usize) < count)
            && self.mesh.links.iter().all(|link| self.rest[link.a as usize] != self.rest[link.b as usize])
            && [self.gravity, self.frame.origin(), self.turn, self.origin].iter().all(|v| v.is_finite())
            && self.rest.iter().chain(&self.forces).all(|v| v.is_finite())
            && [&self.laid, &self.pose, &self.pose_before].iter().all(|pose| pose.is_finite())
            && self.pins.windows(2).all(|pair| pair[0].point < pair[1].point)
            && self.pins.iter().all(|pin| pin.point < count && pin.offset.is_finite())
            && self.pins.iter().filter_map(|pin| pin.holder).all(|holder| holder.pose.is_finite())
    }
}
