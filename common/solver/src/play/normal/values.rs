//! Facts about nimbers as normal play keeps them, and lands whose nimbers cancel.

use smallvec::SmallVec;
use sproutnet_game::LandId;
use sproutnet_record::Fact;

use super::proof::LARGEST_EXCLUDED;

/// The nimber of a land if it follows from the [fact](super::Normal::fact) about the land. It does if the land is evaluated
/// directly, since this comes first.
pub(super) fn settled(fact: Fact) -> Option<u32> {
    fact.nimber().map(|nimber| nimber as u32)
}

pub(super) fn nimber_is(nimber: u32) -> Fact {
    Fact::Nimber(u64::from(nimber))
}

/// The form in which a fact is kept: the largest nimber of a set would overlap [`IMPORTED`](super::IMPORTED).
pub(super) fn kept(fact: Fact) -> Fact {
    match fact {
        Fact::Excluded(set) => Fact::Excluded(set.up_to(LARGEST_EXCLUDED)),
        _ => fact,
    }
}

/// Both facts of a land of at most `max_moves` moves combined. `None` if no nimber is left.
pub(super) fn merged(known: Fact, new: Fact, max_moves: u32) -> Option<Fact> {
    known.merge(new).filter(|fact| match fact {
        Fact::Nimber(nimber) => *nimber <= u64::from(max_moves),
        // If a full set is excluded, the nimber is larger.
        Fact::Excluded(set) => set.mex() <= max_moves,
        Fact::Loss | Fact::Win => false,
    })
}

/// Equal lands have equal nimbers, whose XOR is zero. `lands` is sorted.
pub(super) fn cancel_pairs(lands: &mut SmallVec<[LandId; 4]>) {
    let mut i = 0;
    while i + 1 < lands.len() {
        if lands[i] == lands[i + 1] {
            lands.drain(i..i + 2);
        } else {
            i += 1;
        }
    }
}
