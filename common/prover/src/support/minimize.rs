//! Finds a set that is as small as the effort and the memory allow.

use super::sweep::sweep;
use super::{Claim, Grounds, Logic, Support};

/// The divisor of the remaining effort that gives the share for finding more grounds.
const FINDING_SHARE: u64 = 2;

/// The share of the memory for knowledge. The rest is left for the sets.
const KNOWLEDGE_SHARE: f64 = 0.75;

/// The noise of choices when a set is built again.
const NOISE: f32 = 1.0;

/// The number of rounds without progress before the end.
const FRUITLESS: u32 = 10;

/// The number of claims by which a set may grow while it is minimized.
const TOLERANCE: usize = 1;

/// The effort to find a small set.
pub(crate) struct Effort<'a> {
    /// Steps of work, including the earlier work of the logic. With 0, one pass finds a set.
    pub(crate) steps: u64,
    pub(crate) seed: u64,
    pub(crate) max_bytes: usize,
    /// Called with the size of each set found.
    pub(crate) report: &'a dyn Fn(usize),
}

/// Finds a small set that supports itself and meets a need with these grounds.
///
/// There is no such set. The error is the claim that cannot be supported, or `None` if it is the root.
pub(crate) fn minimize<L: Logic>(
    logic: &mut L,
    root: &Grounds,
    effort: &Effort<'_>,
) -> Result<Vec<Claim>, Option<Claim>> {
    if effort.steps == 0 {
        return swept(logic, root, effort);
    }
    let mut support = match greedy(logic, root, effort, 0) {
        Ok(support) => support,
        Err(NoSet::Memory) => return swept(logic, root, effort),
        Err(NoSet::Unmet(claim)) => return Err(claim),
    };
    let mut smallest = support.claims();
    (effort.report)(smallest.len());
    let work = effort.steps.saturating_sub(support.work()) / FINDING_SHARE;
    let max_bytes = (effort.max_bytes as f64 * KNOWLEDGE_SHARE) as usize;
    if support.logic.find_more(work, max_bytes) {
        let work = support.work;
        support = match greedy(support.into_logic(), root, effort, work) {
            Ok(support) => support,
            Err(NoSet::Memory) => return Ok(smallest),
            Err(NoSet::Unmet(claim)) => return Err(claim),
        };
    }
    let mut fruitless = 0;
    loop {
        support.shrink(TOLERANCE, effort.steps);
        fruitless += 1;
        if support.size() < smallest.len() {
            smallest = support.claims();
            (effort.report)(smallest.len());
            fruitless = 0;
        }
        if fruitless == FRUITLESS || support.work() >= effort.steps || support.is_full() {
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

/// A set found in one pass.
fn swept<L: Logic>(
    logic: &mut L,
    root: &Grounds,
    effort: &Effort<'_>,
) -> Result<Vec<Claim>, Option<Claim>> {
    let claims = sweep(logic, root)?;
    (effort.report)(claims.len());
    Ok(claims)
}

/// The reason why there is no set.
enum NoSet {
    /// The claim that cannot be supported, or `None` if it is the root.
    Unmet(Option<Claim>),
    /// The memory is used up.
    Memory,
}

/// A set built with everything known by now, because new facts may be grounds for earlier needs. `work` is the
/// work already done.
fn greedy<'a, L: Logic>(
    logic: &'a mut L,
    root: &Grounds,
    effort: &Effort<'_>,
    work: u64,
) -> Result<Support<'a, L>, NoSet> {
    let mut support = Support::new(logic, root.clone(), effort.seed, effort.max_bytes);
    support.work = work;
    if !support.close(usize::MAX, 0.0) {
        return Err(if support.is_full() {
            NoSet::Memory
        } else {
            NoSet::Unmet(support.unmet())
        });
    }
    support.prune();
    Ok(support)
}
