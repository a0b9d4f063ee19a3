//! The encodings of lands, kept in batches: most lands are met together, as options of one land, and are too short for
//! separate allocations.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::slots::Numbered;

/// Where an encoding is.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    batch: u32,
    start: u32,
    length: u32,
}

/// The number of a batch.
#[derive(Clone, Copy)]
pub(crate) struct Batch(u32);

impl Batch {
    /// Where these bytes of the batch are.
    pub(crate) fn span(self, bytes: Range<usize>) -> Span {
        Span {
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

    /// The bytes of an encoding.
    #[inline]
    pub(crate) fn at(&self, span: Span) -> &[u8] {
        let start = span.start as usize;
        &self.batches.get(span.batch)[start..start + span.length as usize]
    }

    /// The memory of all encodings, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.batches.bytes() + self.held.load(Ordering::Relaxed)
    }
}
