//! Lands of nimbers above [`LARGEST_EXCLUDED`], which no set of excluded nimbers can have.
//!
//! A land and such a nimber are never searched: no fact could keep that the player to move wins, so nobody else would
//! learn it, and a search that returns would have to prove it again. Instead the search tries the smaller nimbers of
//! the land. If all are excluded, it seeks the nimbers of the land's options, which give its own. So each outcome on the
//! way is a fact with a record, and a search with these records goes on from there.

use std::sync::atomic::Ordering;

use smallvec::SmallVec;

use super::proof::LARGEST_EXCLUDED;
use super::{Fact, IMPORTED, LandId, Normal, State, cancel_pairs, nimber_is, settled};
use sproutnet_game::Options;

/// The visits that a nimber counts for. It is never withheld: it is rare, and without it a process needs
/// all facts that it follows from.
const VISITS: u64 = u64::MAX;

/// Whether a fact excludes all nimbers that a set can have.
pub(super) fn is_full(fact: Fact) -> bool {
    matches!(fact, Fact::Excluded(set) if set.mex() > LARGEST_EXCLUDED)
}

impl Normal {
    /// A state whose outcome is the next step to the nimber of a land. Its nimber fits in a set, or all that it rests
    /// on is known, and it resolves.
    pub(super) fn step_towards(&self, mut land: LandId) -> State<u32> {
        loop {
            let nimber = self.smallest_not_excluded(land);
            let is_large = nimber > LARGEST_EXCLUDED;
            match is_large.then(|| self.smallest_unsettled(land)).flatten() {
                // It has fewer moves, so this ends.
                Some(option) => land = option,
                None => return State::single(land, nimber),
            }
        }
    }

    /// The smallest land on which the nimbers of a land's options still depend.
    fn smallest_unsettled(&self, land: LandId) -> Option<LandId> {
        let options = self.lands.options(land, &|| false);
        let options = options.expect("it is never stopped");
        let lands = sums(options).flatten();
        let unsettled = lands.filter(|&land| settled(self.fact(land)).is_none());
        unsettled.min_by_key(|&land| self.lands.max_moves(land))
    }

    /// The nimber of a land whose smaller nimbers are all excluded, if the nimbers of its options are known. Generates
    /// no options, so that asking for a fact takes no time. [`Self::step_towards`] generates them.
    ///
    /// It does not evaluate the options in turn, since the stack bounds how deep that may go. The search does it.
    pub(super) fn evaluate_large(&self, land: LandId) -> Option<u32> {
        let nimber = self.mex_of(self.lands.known_options(land)?)?;
        let new = nimber_is(nimber);
        match self.merge(land, new) {
            Ok(None) => {}
            Ok(Some(fact)) => self.proved.push(VISITS, (land, fact)),
            Err(contradiction) => {
                self.contradiction.get_or_init(|| contradiction);
                // Otherwise a descent would wait for the nimber forever. Nothing more is proved here anyway.
                let facts = self.facts.get(land);
                facts.store(new.value() | IMPORTED, Ordering::Relaxed);
            }
        }
        Some(nimber)
    }

    /// The smallest number that is the nimber of no option. `None` if some nimbers of options are unknown.
    fn mex_of(&self, options: &Options) -> Option<u32> {
        let nimber = |land| settled(self.fact(land));
        let nimbers = sums(options).map(|lands| {
            let mut nimbers = lands.into_iter().map(nimber);
            nimbers.try_fold(0, |sum, nimber| Some(sum ^ nimber?))
        });
        let mut met = nimbers.collect::<Option<Vec<u32>>>()?;
        met.sort_unstable();
        met.dedup();
        let is_met = |&(number, &nimber): &(u32, &u32)| number == nimber;
        Some((0..).zip(&met).take_while(is_met).count() as u32)
    }
}

/// The options, each as its lands without pairs of equal ones.
fn sums(options: &Options) -> impl Iterator<Item = SmallVec<[LandId; 4]>> {
    options.iter().map(|option| {
        let mut lands = SmallVec::from_slice(option);
        cancel_pairs(&mut lands);
        lands
    })
}
