//! Archives of solved records.

use crate::Record;

/// Solved records outside of memory. A record is read when a search first meets its subject.
///
/// Records may be added at any time, and merged with known ones. A search finds a record
/// about a land that it has not met only if the record is in the archive; one that is not costs repeated work. After a removal of records, discard
/// every search that has read the archive, together with its results.
pub trait Archive: Send + Sync {
    /// The value of the record with this key, which includes game and convention. A malformed value counts as none.
    fn value(&self, key: &[u8]) -> Option<u64>;

    /// Whether the checker of certificates confirmed a record.
    fn is_verified(&self, record: &Record) -> bool {
        let _ = record;
        false
    }

    /// Whether the archive may have a record about the land with that hash under normal play, according to a filter in
    /// memory. It only guides a search.
    fn may_know(&self, land: u128) -> bool {
        let _ = land;
        false
    }
}
