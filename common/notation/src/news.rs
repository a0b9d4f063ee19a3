//! What the searches of a fleet tell each other.

use crate::Numbers;

/// The numbers of an open state of some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The low half of the state's key.
    pub key: u64,
    /// Its numbers.
    pub numbers: Numbers,
    /// The number of visits of the state.
    pub work: u64,
}

impl Entry {
    /// Whether an honest search can have made it: the state is open, and its work is positive.
    pub fn is_sound(&self) -> bool {
        let Numbers { proof, disproof } = self.numbers;
        let is_open = |number| (1..=Numbers::LARGEST).contains(&number);
        is_open(proof) && is_open(disproof) && self.work > 0
    }
}

/// The number of threads that search a state, or its change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The low half of the state's key.
    pub key: u64,
    /// The number of threads, or its change.
    pub threads: i32,
}
