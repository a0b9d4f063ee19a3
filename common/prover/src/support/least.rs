//! From grounds for the root to a set that is as small as the effort allows.

use super::{Claim, Grounds, Logic, Support};

/// This part of the effort, of what is left of it, goes into looking for more grounds.
const LOOKING: u64 = 2;

/// What is known by then may take this part of the memory; the rest is left for the sets.
const KNOWN: f64 = 0.75;

/// How much choices differ when a set is made once more.
const NOISE: f32 = 1.0;

/// So many rounds may come to nothing.
const FRUITLESS: u32 = 10;

/// A set may grow by so many claims while it is sought to be smaller.
const TOLERANCE: usize = 1;

/// How a small set is sought.
pub(crate) struct Least<'a> {
    /// Steps of work, those included that the logic did before.
    pub(crate) effort: u64,
    pub(crate) seed: u64,
    pub(crate) most_bytes: usize,
    /// Is told the size of each set found.
    pub(crate) tell: &'a dyn Fn(usize),
}

/// A small set that supports itself and meets a need with these grounds.
///
/// # Errors
/// There is none; of which claim a need cannot be met, unless it is the root.
pub(crate) fn least<L: Logic>(
    logic: &mut L,
    root: &Grounds,
    how: &Least<'_>,
) -> Result<Vec<Claim>, Option<Claim>> {
    let mut support = greedy(logic, root, how, 0)?;
    let mut smallest = support.claims();
    (how.tell)(smallest.len());
    let work = how.effort.saturating_sub(support.work()) / LOOKING;
    let most_bytes = (how.most_bytes as f64 * KNOWN) as usize;
    if support.logic.look_further(work, most_bytes) {
        let work = support.work;
        support = greedy(support.into_logic(), root, how, work)?;
    }
    let mut in_vain = 0;
    loop {
        support.wander(TOLERANCE, how.effort);
        in_vain += 1;
        if support.size() < smallest.len() {
            smallest = support.claims();
            (how.tell)(smallest.len());
            in_vain = 0;
        }
        if in_vain == FRUITLESS || support.work() >= how.effort || support.is_full() {
            break;
        }
        support.clear();
        if !support.close(usize::MAX, NOISE) {
            break;
        }
        support.prune();
    }
    Ok(smallest)
}

/// A set made with all that is known by now: what was learned may be grounds for needs that were asked for
/// before. So much `work` was done already.
fn greedy<'a, L: Logic>(
    logic: &'a mut L,
    root: &Grounds,
    how: &Least<'_>,
    work: u64,
) -> Result<Support<'a, L>, Option<Claim>> {
    let mut support = Support::new(logic, root.clone(), how.seed, how.most_bytes);
    support.work = work;
    if !support.close(usize::MAX, 0.0) {
        return Err(support.unmet());
    }
    support.prune();
    Ok(support)
}
