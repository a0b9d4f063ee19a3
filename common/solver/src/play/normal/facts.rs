//! Facts by the 128-bit hashes of lands, in 30 to 38 bytes each, so that tens of millions fit in memory.
//!
//! Each shard is a hash table with linear probing, its entries in the order of their hashes. So a search for an absent
//! hash ends soon even in a nearly full table, and the table can grow by a quarter in a single pass.

use std::cmp::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sproutnet_record::Fact;

const SHARDS: usize = 64;

/// The share of used slots, as a fraction, at which a table grows.
const FULL: (usize, usize) = (4, 5);

/// The number of slots of the first table, and of slots behind the last home.
const SPARE: usize = 16;

/// Facts by hashes. Shared by threads.
pub(super) struct Facts {
    shards: [Mutex<Shard>; SHARDS],
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            shards: [const { Mutex::new(Shard::EMPTY) }; SHARDS],
        }
    }
}

impl Facts {
    /// Locks the shard of a hash.
    pub(super) fn shard(&self, hash: u128) -> MutexGuard<'_, Shard> {
        // The high bits choose the slot inside the shard.
        let shard = &self.shards[hash as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The memory of all shards, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let bytes = self.shards.iter().map(|shard| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.slots.capacity() * size_of::<Slot>()
        });
        bytes.sum()
    }
}

/// The part of [`Facts`] under one lock.
pub(super) struct Shard {
    /// Each entry is at its home or behind it; all slots between are in use.
    slots: Vec<Slot>,
    /// The number of slots that are homes of hashes; the others are behind them.
    homes: usize,
    used: usize,
}

/// The hash is two words, since a `u128` would add padding.
#[derive(Clone, Copy)]
struct Slot {
    high: u64,
    low: u64,
    value: u64,
}

impl Slot {
    const FREE: Self = Self {
        high: 0,
        low: 0,
        value: 0,
    };

    fn is_free(&self) -> bool {
        self.value == 0
    }

    fn hash(&self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

impl Shard {
    const EMPTY: Self = Self {
        slots: Vec::new(),
        homes: 0,
        used: 0,
    };

    /// The fact at a hash.
    pub(super) fn get(&self, hash: u128) -> Fact {
        let slot = self.find(hash);
        slot.map_or(Fact::NOTHING, |slot| Fact::of_land(self.slots[slot].value))
    }

    /// Sets the fact at a hash. It must not become nothing again.
    pub(super) fn put(&mut self, hash: u128, fact: Fact) {
        if fact == Fact::NOTHING {
            debug_assert_eq!(self.get(hash), fact);
            return;
        }
        match self.find(hash) {
            Ok(slot) => self.slots[slot].value = fact.value(),
            Err(_) if self.used * FULL.1 >= self.homes * FULL.0 => {
                self.grow();
                self.put(hash, fact);
            }
            Err(slot) => self.insert(slot, hash, fact.value()),
        }
    }

    /// The slot of a hash, or else the slot for it, like a binary search.
    fn find(&self, hash: u128) -> Result<usize, usize> {
        let mut slot = self.home(hash);
        while let Some(entry) = self.slots.get(slot).filter(|entry| !entry.is_free()) {
            match entry.hash().cmp(&hash) {
                Ordering::Less => slot += 1,
                Ordering::Equal => return Ok(slot),
                Ordering::Greater => break,
            }
        }
        Err(slot)
    }

    fn insert(&mut self, slot: usize, hash: u128, value: u64) {
        let behind = self.slots[slot..].iter().position(Slot::is_free);
        let free = behind.map_or(self.slots.len(), |behind| slot + behind);
        if free == self.slots.len() {
            push(&mut self.slots, Slot::FREE);
        }
        self.slots[slot..=free].rotate_right(1);
        self.slots[slot] = Slot {
            high: (hash >> 64) as u64,
            low: hash as u64,
            value,
        };
        self.used += 1;
    }

    /// The first possible slot of a hash. It grows with the hash.
    fn home(&self, hash: u128) -> usize {
        (((hash >> 64) * self.homes as u128) >> 64) as usize
    }

    fn grow(&mut self) {
        self.homes = (self.homes + self.homes / 4).max(SPARE);
        let mut slots = Vec::with_capacity(self.homes + SPARE);
        let entries = self.slots.iter().filter(|entry| !entry.is_free());
        for entry in entries {
            let home = self.home(entry.hash());
            if slots.len() < home {
                slots.resize(home, Slot::FREE);
            }
            push(&mut slots, *entry);
        }
        if slots.len() < self.homes {
            slots.resize(self.homes, Slot::FREE);
        }
        self.slots = slots;
    }
}

/// Pushes a slot behind the homes. Few are needed, so doubling the capacity would be waste.
fn push(slots: &mut Vec<Slot>, slot: Slot) {
    if slots.len() == slots.capacity() {
        slots.reserve_exact(SPARE);
    }
    slots.push(slot);
}

#[cfg(test)]
mod tests;
