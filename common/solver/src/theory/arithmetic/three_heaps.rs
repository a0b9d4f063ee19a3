//! The theorem about moves that leave three heaps, and take at most k tokens.

use super::claim::{Claim, Remains, note};

/// The largest length of a period.
pub(super) const LONGEST: usize = 128;

/// The number of steps of finding a way.
const STEPS_OF_WAY: usize = 16;

/// A way to have a nimber of each quotient of one parity: two heaps of the same quotient beside a heap that gives it.
struct Way {
    /// The parity of the sum of the quotients, and the rest.
    class: (i64, u32),
    /// The quotient of the heap in the first period; `None` if there is no such heap, or a small one, and the quotient is
    /// always 0.
    least: Option<i64>,
    /// The largest quotient.
    most: i64,
}

/// Whether the five conditions hold for a heap of the window.
pub(super) fn holds(claim: &Claim<'_>, size: usize) -> bool {
    let Some(remains) = claim.remains(size) else {
        return false;
    };
    let Some(lowest) = lowest(claim, size, &remains) else {
        return false;
    };
    let Some(ways) = ways(claim, size, &remains) else {
        return false;
    };
    let quotient = i64::from(lowest.div_ceil(claim.saltus));
    // For each class, the least quotient of a way that reaches far, and whether a way has quotient 0 always.
    let mut classes = vec![(None, false); 2 * claim.saltus as usize];
    for way in &ways {
        let (parity, rest) = way.class;
        let (least, has_small) = &mut classes[2 * rest as usize + parity as usize];
        if let Some(of) = way.least.filter(|_| way.most >= quotient - 1) {
            *least = Some(least.map_or(of, |least: i64| least.min(of)));
        }
        *has_small |= way.least.is_none() && way.most >= 0;
    }
    classes.into_iter().all(|class| match class {
        (Some(0), _) => true,
        (Some(1), has_small) => has_small,
        _ => false,
    })
}

/// Conditions 1, 2 and 4: the smallest value from which on all values below F(n) are those of options with one large
/// heap. `None` if F(n) is that of such an option.
fn lowest(claim: &Claim<'_>, size: usize, remains: &Remains) -> Option<u32> {
    let value = claim.value(size);
    let mut is_option = vec![false; value as usize];
    // A move that takes the whole heap leaves nothing that could grow.
    for &single in remains.singles.iter().filter(|&&single| single > 0) {
        let option = claim.value(single);
        (option != value).then(|| note(&mut is_option, option))?;
    }
    let mut see = |nimber: u32, are_before: bool, option: u32| {
        if nimber < claim.saltus {
            note(&mut is_option, option);
        }
        (!are_before || option != value).then_some(())
    };
    for one in 1..claim.end() {
        let small = claim.value(one);
        let others = if small < claim.saltus { one } else { 0 };
        claim.take(remains.pairs.len() + others * remains.triples.len())?;
        for &total in &remains.pairs {
            see(small, one < claim.start, small ^ claim.value(total - one))?;
        }
        for other in 1..=others {
            let two = claim.value(other);
            let most = small.max(two);
            for &total in &remains.triples {
                let option = small ^ two ^ claim.value(total - one - other);
                see(most, one < claim.start, option)?;
            }
        }
    }
    let missing = is_option.iter().rposition(|is_option| !is_option);
    Some(missing.map_or(0, |missing| missing as u32 + 1))
}

/// Condition 3: no several large heaps have the nimber of this heap. Returns the ways of condition 5.
fn ways(claim: &Claim<'_>, size: usize, remains: &Remains) -> Option<Vec<Way>> {
    let mut ways = Vec::new();
    let mut add = |total: usize, least: Option<i64>, first: &[usize], second: usize| {
        let mut heaps = [first, &[second]].concat();
        let third = claim.last_like(total, &heaps);
        heaps.push(third);
        let together = claim.together(total, &heaps);
        if claim.may_equal(together, size) {
            return None;
        }
        let (quotients, rest) = together;
        let larger = claim.parts(second).0.max(claim.parts(third).0);
        ways.push(Way {
            class: (quotients.rem_euclid(2), rest),
            least,
            most: quotients - 2 * larger,
        });
        Some(())
    };
    for second in claim.period() {
        let heaps = remains.pairs.len() + remains.triples.len() * claim.end();
        claim.take(STEPS_OF_WAY * heaps)?;
        for &total in &remains.pairs {
            add(total, None, &[], second)?;
        }
        for &total in &remains.triples {
            for first in 1..claim.end() {
                let least = (first >= claim.start).then(|| claim.parts(first).0);
                add(total, least, &[first], second)?;
            }
        }
    }
    Some(ways)
}
