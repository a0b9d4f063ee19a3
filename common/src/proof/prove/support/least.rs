//! From grounds for the root to a set that is as small as the effort allows.

use super::{Claim, Grounds, Logic, Support};

/// A share of the effort that is left goes into each stage, what is left in the end into wandering.
const SHARE: u64 = 4;

/// A set may grow by so many claims while it is sought to be smaller.
const TOLERANCE: usize = 1;

/// How a small set is sought.
pub(in super::super) struct Least<'a> {
    /// How far to look in each stage: see [`Logic::look_further`].
    pub(in super::super) stages: &'a [u32],
    /// Steps of work, those included that the logic did before.
    pub(in super::super) effort: u64,
    pub(in super::super) seed: u64,
    pub(in super::super) most_bytes: usize,
    /// Is told the size of each set found.
    pub(in super::super) tell: &'a dyn Fn(usize),
}

/// A small set that supports itself and meets a need with these grounds.
///
/// # Errors
/// There is none; of which claim a need cannot be met, unless it is the root.
pub(in super::super) fn least<L: Logic>(
    logic: &mut L,
    root: &Grounds,
    how: &Least<'_>,
) -> Result<Vec<Claim>, Option<Claim>> {
    let mut claims: Vec<Claim> = Vec::new();
    let mut work = 0;
    for (place, &stage) in how.stages.iter().enumerate() {
        logic.look_further(stage);
        // What was learned meanwhile may be grounds for needs asked for before.
        let mut support = Support::new(logic, root.clone(), how.seed, how.most_bytes);
        support.work = work;
        support.start(&claims);
        support.logic.look_further(0);
        if !support.close(usize::MAX, 0.0) {
            return Err(support.unmet());
        }
        support.prune();
        (how.tell)(support.size());
        let left = how.effort.saturating_sub(support.work());
        let is_last =
            place + 1 == how.stages.len() || left <= how.effort / SHARE || support.is_full();
        support.shrink(support.work() + left / SHARE);
        if is_last {
            support.wander(TOLERANCE, how.effort);
        }
        (how.tell)(support.size());
        claims = support.claims();
        work = support.work;
        if is_last {
            break;
        }
    }
    Ok(claims)
}
