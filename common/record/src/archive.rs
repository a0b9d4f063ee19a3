//! Solved records that are kept elsewhere.

use crate::Record;

/// Solved records that need not be in memory: each is asked for when what it is about is first
/// met.
///
/// What a convention over an archive is told to [learn](super::Convention::learn) must be in the
/// archive before; otherwise it may be missed. Records may be added at any time, and merged with
/// what was there. If ever any are taken away, whatever asked the archive before is to be given up
/// with all that it proved since: it may rest on them.
pub trait Archive: Send + Sync {
    /// The value of the record with that key, game and convention included. A value that is not
    /// well-formed is as good as none.
    fn value(&self, key: &[u8]) -> Option<u64>;

    /// Whether a checker that shares no code with the search confirmed a record.
    fn is_verified(&self, record: &Record) -> bool {
        let _ = record;
        false
    }
}
