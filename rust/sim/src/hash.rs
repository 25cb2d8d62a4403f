//! A hash of a state, bit for bit.
//!
//! FNV-1a over the bits of numbers (G. Fowler, L. C. Noll, K.-P. Vo 1991), by words instead of bytes: it is there to compare
//! two runs, not to resist an attack.

/// Collects the bits of a state.
#[derive(Clone, Copy, Debug)]
pub struct StateHash(u64);

impl Default for StateHash {
    fn default() -> Self {
        StateHash(0xcbf2_9ce4_8422_2325)
    }
}

impl StateHash {
    /// Adds a whole number.
    pub fn add(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x0000_0100_0000_01b3);
        // Words are wider than FNV's bytes: fold the high half down, or low bits would never see it.
        self.0 ^= self.0 >> 32;
    }

    /// Adds the bits of a number.
    pub fn add_f32(&mut self, value: f32) {
        self.add(u64::from(value.to_bits()));
    }

    /// Adds the bits of numbers in order.
    pub fn add_slice(&mut self, values: &[f32]) {
        self.add(values.len() as u64);
        values.iter().for_each(|&value| self.add_f32(value));
    }

    /// The hash of all that was added.
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// A hash of bytes.
pub fn of_bytes(bytes: &[u8]) -> u64 {
    let mut hash = StateHash::default();
    hash.add(bytes.len() as u64);
    for chunk in bytes.chunks(size_of::<u64>()) {
        let mut word = [0; size_of::<u64>()];
        word[..chunk.len()].copy_from_slice(chunk);
        hash.add(u64::from_le_bytes(word));
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_and_one_swap_change_it() {
        let hash = |values: &[f32]| {
            let mut hash = StateHash::default();
            hash.add_slice(values);
            hash.finish()
        };
        assert_eq!(hash(&[1.0, 2.0]), hash(&[1.0, 2.0]));
        assert_ne!(hash(&[1.0, 2.0]), hash(&[2.0, 1.0]));
        assert_ne!(hash(&[1.0]), hash(&[f32::from_bits(1.0f32.to_bits() + 1)]));
        assert_ne!(hash(&[0.0]), hash(&[-0.0]));
    }
}
