//! The theorem about moves that leave three heaps, and take at most k tokens.

use super::claim::{Claim, Remains, note};

/// The largest length of a period.
pub(super) const LONGEST: usize = 128;

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
    (0..claim.saltus).all(|rest| {
        [0, 1].into_iter().all(|parity| {
            let mut ways = ways.iter().filter(|way| way.class == (parity, rest));
            let far = ways.clone().filter(|way| way.most >= quotient - 1);
            match far.filter_map(|way| way.least).min() {
                Some(0) => true,
                Some(1) => ways.any(|way| way.least.is_none() && way.most >= 0),
                _ => false,
            }
        })
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
        for &total in &remains.pairs {
            see(small, one < claim.start, small ^ claim.value(total - one))?;
        }
        for other in (1..=one).filter(|_| small < claim.saltus) {
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
