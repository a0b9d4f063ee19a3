//! The theorem about moves that take any number of tokens: more than k tokens may be taken from a heap, with one heap or
//! none left, and smaller moves leave at most two heaps.

use super::claim::{Claim, Remains, note};

/// The largest length of a period.
pub(super) const LONGEST: usize = 4096;

/// Whether the six conditions hold for a heap of the window.
pub(super) fn holds(claim: &Claim<'_>, size: usize) -> bool {
    let first = &claim.nimbers[..claim.end()];
    let most = first.iter().copied().max().unwrap_or(0);
    let value = claim.value(size);
    let Some(remains) = claim.remains(size) else {
        return false;
    };
    let steps = value as usize + remains.singles.len() + remains.pairs.len() * claim.end();
    let may_try = value > most && claim.take(steps).is_some();
    may_try && has_all(claim, size, most, &remains) && never_equal(claim, size, &remains.pairs)
}

/// Conditions 2, 3, 5 and 6; `most` is B.
fn has_all(claim: &Claim<'_>, size: usize, most: u32, remains: &Remains) -> bool {
    let value = claim.value(size);
    let mut is_option = vec![false; value as usize];
    let mut is_far = vec![false; (most + claim.saltus) as usize + 1];
    for &single in &remains.singles {
        let option = claim.value(single);
        if option == value {
            return false;
        }
        note(&mut is_option, option);
        if size - single > claim.reach.most_taken as usize {
            note(&mut is_far, option);
        }
    }
    for &total in &remains.pairs {
        for one in 1..claim.end() {
            let small = claim.value(one);
            let option = small ^ claim.value(total - one);
            if one < claim.start && option == value {
                return false;
            }
            if small < claim.saltus {
                note(&mut is_option, option);
            }
        }
    }
    let mut above = is_option.iter().skip(most as usize + 1);
    above.all(|&is_option| is_option) && is_far.iter().all(|&is_far| is_far)
}

/// Condition 4: no two large heaps have the nimber of this heap.
fn never_equal(claim: &Claim<'_>, size: usize, pairs: &[usize]) -> bool {
    pairs.iter().all(|&total| {
        claim.period().all(|one| {
            let other = claim.last_like(total, &[one]);
            !claim.may_equal(claim.together(total, &[one, other]), size)
        })
    })
}
