//! From grounds for the root to a set that is as small as the effort allows.

use super::{Claim, Grounds, Logic, Support};

/// This part of the effort, of what is left of it, goes into looking for more grounds.
const LOOKING: u64 = 2;

/// A set may grow by so many claims while it is sought to be smaller.
const TOLERANCE: usize = 1;

/// How a small set is sought.
pub(in super::super) struct Least<'a> {
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
    let mut support = greedy(logic, root, how, 0, &[])?;
    (how.tell)(support.size());
    let left = how.effort.saturating_sub(support.work());
    if !support.is_full() && support.logic.look_further(left / LOOKING) {
        let (claims, work) = (support.claims(), support.work);
        support = greedy(support.logic, root, how, work, &[])?;
        if support.size() > claims.len() {
            support = greedy(support.logic, root, how, support.work, &claims)?;
        }
    }
    support.wander(TOLERANCE, how.effort);
    (how.tell)(support.size());
    Ok(support.claims())
}

/// A set with these claims and what else it takes, made with all that is known by now: what was learned may be
/// grounds for needs that were asked for before.
fn greedy<'a, L: Logic>(
    logic: &'a mut L,
    root: &Grounds,
    how: &Least<'_>,
    work: u64,
    claims: &[Claim],
) -> Result<Support<'a, L>, Option<Claim>> {
    let mut support = Support::new(logic, root.clone(), how.seed, how.most_bytes);
    support.work = work;
    support.start(claims);
    if !support.close(usize::MAX, 0.0) {
        return Err(support.unmet());
    }
    support.prune();
    Ok(support)
}
