//! The encodings of lands, kept in batches: most lands are met together, as options of one land, and are too short for
//! separate allocations.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::slots::Numbered;

/// The place of an encoding.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    batch: u32,
    start: u32,
    length: u32,
}

/// The number of a batch.
#[derive(Clone, Copy)]
pub(crate) struct Batch(u32);

impl Batch {
    /// The place of these bytes of the batch.
    pub(crate) fn place(self, bytes: Range<usize>) -> Place {
        Place {
            batch: self.0,
            start: bytes.start as u32,
            length: bytes.len() as u32,
        }
    }
}

/// Batches of encodings. Threads may read and add at the same time.
#[derive(Default)]
pub(crate) struct Encodings {
    batches: Numbered<Box<[u8]>>,
    /// The total length of all batches, in bytes.
    held: AtomicUsize,
}

impl Encodings {
    /// Keeps the bytes of a batch.
    pub(crate) fn add(&self, bytes: &[u8]) -> Batch {
        self.held.fetch_add(bytes.len(), Ordering::Relaxed);
        Batch(self.batches.add(bytes.into()))
    }

    /// The encoding at a place.
    #[inline]
    pub(crate) fn at(&self, place: Place) -> &[u8] {
        let start = place.start as usize;
        &self.batches.get(place.batch)[start..start + place.length as usize]
    }

    /// The memory of all encodings, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.batches.bytes() + self.held.load(Ordering::Relaxed)
    }
}
