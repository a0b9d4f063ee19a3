//! The encodings of lands, kept in batches: most lands are met together, as options of one land, and are
//! too short to be worth an allocation each.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crate::slots::Slots;

/// Where an encoding is.
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
    batches: Slots<OnceLock<Box<[u8]>>>,
    count: AtomicU32,
    held: AtomicUsize,
}

impl Encodings {
    /// Keeps the bytes of a batch.
    pub(crate) fn add(&self, bytes: &[u8]) -> Batch {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        self.held.fetch_add(bytes.len(), Ordering::Relaxed);
        self.batches.at(number).get_or_init(|| bytes.into());
        Batch(number)
    }

    /// The encoding at a place.
    #[inline]
    pub(crate) fn at(&self, place: Place) -> &[u8] {
        let batch = self.batches.at(place.batch).get();
        let batch = batch.expect("places are handed out after the batch was kept");
        let start = place.start as usize;
        &batch[start..start + place.length as usize]
    }

    /// The memory of all encodings, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.batches.bytes() + self.held.load(Ordering::Relaxed)
    }
}
