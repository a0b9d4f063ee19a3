//! Records in words.

use sproutnet_model::DescribedRecord;
use sproutnet_solver::play::misere::LARGEST_RECORD;
use sproutnet_solver::play::{self, Knowledge, Play};

/// Describes a record. `None` if no search can meet its position.
pub fn describe(knowledge: &Knowledge, key: &[u8], value: u64) -> Option<DescribedRecord> {
    let fact = play::fact(key, value)?;
    let is_too_large = fact.play() == Play::Misere && key.len() > 2 + LARGEST_RECORD;
    let subject = (!is_too_large).then(|| knowledge.describe(key))??;
    Some(DescribedRecord {
        position: subject.position,
        value: subject.value,
        play: subject.play,
        says: fact.to_string(),
    })
}

/// A record in words, or its bytes if no search can meet its position.
pub fn in_words(knowledge: &Knowledge, key: &[u8], value: u64) -> String {
    describe(knowledge, key, value).map_or_else(
        || format!("{key:02x?} = {value}"),
        |record| record.to_string(),
    )
}

#[cfg(test)]
mod tests;
