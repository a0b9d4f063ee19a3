//! The bytes of regions of one shape, with gaps for the letters in the slots.

use smallvec::SmallVec;

use super::encoding;

/// The bytes of all regions of one shape, except for the letters in the slots.
#[derive(Clone, Debug)]
pub(super) struct Template {
    bytes: SmallVec<[u8; 24]>,
    /// The offsets of the slots, in order.
    places: SmallVec<[u16; 12]>,
}

impl Template {
    /// A template of bytes with links of rank 0 in the slots, which are at these offsets.
    pub(super) fn new(bytes: Vec<u8>, places: SmallVec<[u16; 12]>) -> Self {
        let bytes = bytes.into();
        Self { bytes, places }
    }

    /// The bytes, with the letter of rank 0 in every slot.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends a region with letters of these ranks, each below [`encoding::SHORT_LINKS`], in its slots.
    pub(super) fn write(&self, ranks: &[u8], to: &mut SmallVec<[u8; 64]>) {
        let start = to.len();
        to.extend_from_slice(&self.bytes);
        for (&place, &rank) in self.places.iter().zip(ranks) {
            to[start + usize::from(place)] = encoding::short_link(rank);
        }
    }
}
