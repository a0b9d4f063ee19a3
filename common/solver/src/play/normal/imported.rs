//! What others proved of lands.

use std::sync::Arc;

use super::super::facts::Facts;
use super::super::record;
use super::{Archive, Play, kept, merged};
use sproutnet_game::{LandId, Lands};

/// Where facts are kept that were imported before their lands were met.
pub(super) enum Told {
    /// In memory, by the hashes of lands.
    Kept(Box<Facts>),
    /// In an archive.
    Archived(Arc<dyn Archive>),
}

impl Told {
    pub(super) fn in_memory() -> Self {
        Self::Kept(Box::default())
    }

    pub(super) fn in_archive(archive: Arc<dyn Archive>) -> Self {
        Self::Archived(archive)
    }

    /// Whether it is kept by somebody else, who has it before it is told here.
    pub(super) fn is_elsewhere(&self) -> bool {
        matches!(self, Self::Archived(_))
    }

    /// Whether there may be an imported fact about the land with that hash.
    pub(super) fn may_tell_of(&self, hash: u128) -> bool {
        match self {
            Self::Kept(facts) => facts.shard(hash).get(hash) != 0,
            Self::Archived(_) => false,
        }
    }

    /// The imported fact about a land, zero if there is none.
    pub(super) fn of(&self, lands: &Lands, land: LandId) -> u64 {
        match self {
            Self::Kept(facts) => {
                let hash = lands.hash(land);
                facts.shard(hash).get(hash)
            }
            Self::Archived(archive) => {
                let subject = lands.land(land).as_bytes();
                let value = archive.value(&record::key(lands.game().code(), Play::Normal, subject));
                let length = lands.max_moves(land);
                value
                    .and_then(|value| merged(0, kept(value), length))
                    .unwrap_or(0)
            }
        }
    }

    /// Keeps what is told of the land with that hash and so many moves, unless `find` says that it
    /// has a number: then that is returned and nothing kept, for it may have been asked about.
    ///
    /// # Errors
    /// It contradicts the earlier fact, which is returned.
    pub(super) fn tell(
        &self,
        hash: u128,
        new: u64,
        length: u32,
        find: impl FnOnce() -> Option<LandId>,
    ) -> Result<Option<LandId>, u64> {
        match self {
            Self::Kept(facts) => {
                // Locked before: who gives the land a number after `find` is to wait when asking.
                let mut shard = facts.shard(hash);
                let land = find();
                if land.is_none() {
                    let known = shard.get(hash);
                    shard.put(hash, merged(known, new, length).ok_or(known)?);
                }
                Ok(land)
            }
            // The archive has it already: who gives the land a number after `find` hears it there.
            Self::Archived(_) => Ok(find()),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Kept(facts) => facts.bytes(),
            Self::Archived(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use sproutnet_game::{Game, Kayles};

    #[test]
    fn who_asks_while_a_land_is_told_of_hears_it() {
        let lands = &Lands::new(Arc::new(Kayles));
        let told = &Told::in_memory();
        let position = Kayles.parse("9").expect("a row");
        let row = &position.lands()[0];
        let heard = thread::scope(|scope| {
            let (send, heard) = channel();
            let find = || {
                let found = lands.find(Lands::hash_of(row.as_bytes()));
                scope.spawn(move || {
                    let land = lands.intern(row);
                    send.send(told.of(lands, land)).expect("the test waits");
                });
                // Time enough to ask, for one who need not wait.
                thread::sleep(Duration::from_millis(50));
                found
            };
            let kept = told.tell(Lands::hash_of(row.as_bytes()), 9, 9, find);
            assert_eq!(kept, Ok(None));
            heard.recv().expect("it asks")
        });
        assert_eq!(heard, 9);
    }
}
