//! Facts about lands that were proved elsewhere.

use std::sync::Arc;

use super::facts::Facts;
use super::{Archive, Play, kept, merged, record};
use sproutnet_game::{LandId, Lands};
use sproutnet_record::Fact;

/// The place of facts that were imported before their lands were met.
pub(super) enum Imported {
    /// In memory, by the hashes of lands.
    InMemory(Box<Facts>),
    /// In an archive, which should have each fact before the fact is imported here: others are missed.
    Archived(Arc<dyn Archive>),
}

impl Imported {
    /// Whether memory has a fact about the land with this hash. Does not ask an archive.
    pub(super) fn may_know(&self, hash: u128) -> bool {
        match self {
            Self::InMemory(facts) => facts.shard(hash).get(hash) != Fact::NOTHING,
            Self::Archived(archive) => archive.may_know(hash),
        }
    }

    /// The imported fact about a land.
    pub(super) fn fact(&self, lands: &Lands, land: LandId) -> Fact {
        match self {
            Self::InMemory(facts) => {
                let hash = lands.hash(land);
                facts.shard(hash).get(hash)
            }
            Self::Archived(archive) => {
                let (game, subject) = lands.game().filed(lands.encoding(land));
                let value = archive.value(&record::key(game, Play::Normal, subject));
                let fact = value.map(|value| kept(Fact::of_land(value)));
                fact.and_then(|fact| merged(Fact::NOTHING, fact, lands.max_moves(land)))
                    .unwrap_or(Fact::NOTHING)
            }
        }
    }

    /// Keeps a fact about the land with this hash and at most `max_moves` moves. If `find` finds the land, returns it
    /// and keeps nothing, since the imported facts about it may have been read already.
    ///
    /// # Errors
    /// The fact contradicts the earlier fact, which is returned.
    pub(super) fn keep(
        &self,
        hash: u128,
        new: Fact,
        max_moves: u32,
        find: impl FnOnce() -> Option<LandId>,
    ) -> Result<Option<LandId>, Fact> {
        match self {
            Self::InMemory(facts) => {
                // Locked first: a thread that interns the land after `find` waits before it reads.
                let mut shard = facts.shard(hash);
                let land = find();
                if land.is_none() {
                    let known = shard.get(hash);
                    shard.put(hash, merged(known, new, max_moves).ok_or(known)?);
                }
                Ok(land)
            }
            // A thread that interns the land after `find` reads the fact in the archive.
            Self::Archived(_) => Ok(find()),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::InMemory(facts) => facts.bytes(),
            Self::Archived(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests;
