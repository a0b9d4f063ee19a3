//! The theorems of arithmetic periods.
//!
//! The letters are those of `docs/reference/certificates-of-theory.md`: F is the sequence that the certificate claims;
//! e, p and s are start, length and saltus, perhaps doubled some times; L is the number of stated nimbers.

use std::ops::Range;

use super::TheoryError;
use super::code::Code;
use crate::check::halt::Stop;

/// The number of times that length and saltus may be doubled.
const DOUBLINGS: u32 = 6;

/// The largest length, after doublings: of codes that take any number of tokens, and of those that leave three heaps.
const MAX_LENGTH: usize = 4096;
const MAX_LENGTH_OF_THREE: usize = 128;

/// The number of the condition of a theorem that fails for a heap of the window.
type Failing = fn(&Claim<'_>, usize) -> Option<u32>;

/// Checks that a theorem proves an arithmetic period of this start, length and saltus, given that the stated nimbers are
/// right and repeat. A check that is stopped may refuse it.
pub(super) fn check(
    code: &Code,
    stated: &[u32],
    (start, length, saltus): (usize, usize, u32),
    stop: &Stop,
) -> Result<(), TheoryError> {
    let (failing, max_length): (Failing, usize) = match (code.takes_any(), code.most_left()) {
        (true, 1 | 2) => (any_number, MAX_LENGTH),
        (false, 3) => (three_heaps, MAX_LENGTH_OF_THREE),
        _ => {
            return TheoryError::refused("no theorem of arithmetic periods is about such codes");
        }
    };
    let mut why = String::new();
    for doubled in 0..=DOUBLINGS {
        let claim = Claim {
            code,
            stated,
            stop,
            e: start.max(1),
            p: length << doubled,
            s: saltus << doubled,
        };
        let checked = if claim.p > max_length {
            Err(format!("the length is above {max_length}"))
        } else {
            claim.check(failing)
        };
        match checked {
            Ok(()) => return Ok(()),
            Err(reason) if doubled == 0 => why = reason,
            Err(_) => {}
        }
    }
    TheoryError::refused(format!("no theorem proves the arithmetic period: {why}"))
}

struct Claim<'a> {
    code: &'a Code,
    stated: &'a [u32],
    stop: &'a Stop,
    e: usize,
    p: usize,
    s: u32,
}

impl Claim<'_> {
    fn f(&self, n: usize) -> u32 {
        let periods = n.saturating_sub(self.e) / self.p;
        self.stated[n - periods * self.p] + periods as u32 * self.s
    }

    /// The heaps of the first period.
    fn period(&self) -> Range<usize> {
        self.e..self.e + self.p
    }

    /// Checks what the theorems have in common, and that no condition fails for a heap of the window.
    fn check(&self, failing: Failing) -> Result<(), String> {
        let (heaps, limit) = (self.code.most_left(), self.stated.len());
        if limit < heaps.max(2) * (self.e + self.p) + self.code.most_taken() {
            return Err("too few nimbers are stated".to_owned());
        }
        if heaps > 1 {
            if !self.s.is_power_of_two() {
                return Err(format!("the saltus {} is no power of two", self.s));
            }
            if (0..self.e).any(|a| self.f(a) >= self.s) {
                return Err("a nimber before the period is not below the saltus".to_owned());
            }
        }
        let mut window = limit..limit + self.p;
        match window.find_map(|n| Some((n, failing(self, n)?))) {
            None => Ok(()),
            Some((n, condition)) => Err(format!("condition {condition} fails for heap {n}")),
        }
    }

    /// The sums of the quotients and of the rests of large heaps like these with this total; `None` if there are none.
    fn together(&self, total: usize, like: &[usize]) -> Option<(i64, u32)> {
        let (apart, p) = (signed(total) - signed(like.iter().sum()), signed(self.p));
        if apart % p != 0 {
            return None;
        }
        let (mut quotients, mut rests) = (apart / p, 0);
        for &heap in like {
            quotients += i64::from(self.f(heap) / self.s);
            rests ^= self.f(heap) % self.s;
        }
        Some((quotients, rests))
    }

    /// Whether heaps with these sums may have this nimber.
    fn may_be(&self, (quotients, rests): (i64, u32), nimber: u32) -> bool {
        let excess = quotients - i64::from(nimber / self.s);
        rests == nimber % self.s && excess >= 0 && excess % 2 == 0
    }
}

/// The size of a heap, which is below 2^32.
fn signed(size: usize) -> i64 {
    i64::from(size as u32)
}

/// Whether a sorted list has all numbers of a range.
fn has_all(sorted: &[u32], mut range: Range<u32>) -> bool {
    range.all(|value| sorted.binary_search(&value).is_ok())
}

/// The condition that fails for a heap of the window, of the theorem about moves that take any number of tokens.
fn any_number(claim: &Claim<'_>, n: usize) -> Option<u32> {
    let (code, e, p, s) = (claim.code, claim.e, claim.p, claim.s);
    let f = |n: usize| claim.f(n);
    let largest = (0..e + p).map(f).max().unwrap_or(0);
    let target = f(n);
    if target <= largest {
        return Some(1);
    }
    let mut far: Vec<u32> = code.far_singles(n).map(f).collect();
    if code.ends(n) {
        far.push(0);
    }
    let mut options: Vec<u32> = code.singles(n).map(f).chain(far.iter().copied()).collect();
    if options.contains(&target) {
        return Some(2);
    }
    for total in code.pairs(n) {
        for a in 1..e + p {
            let both = f(a) ^ f(total - a);
            if a < e && both == target {
                return Some(3);
            }
            if f(a) < s {
                options.push(both);
            }
        }
        let may_be = |i: usize| {
            if claim.stop.is_requested() {
                return true;
            }
            let mut others = claim.period();
            others.any(|j| {
                let together = claim.together(total, &[i, j]);
                together.is_some_and(|together| claim.may_be(together, target))
            })
        };
        if claim.period().any(may_be) {
            return Some(4);
        }
    }
    options.sort_unstable();
    far.sort_unstable();
    if !has_all(&options, largest + 1..target) {
        return Some(5);
    }
    (!has_all(&far, 0..largest + s + 1)).then_some(6)
}

/// Two heaps of the same quotient, perhaps beside a third heap.
struct Way {
    /// Whether the third heap may be any of a class of large ones, and its smallest quotient.
    third: Option<i64>,
    quotients: i64,
    rests: u32,
    /// The larger of the smallest quotients of the two heaps.
    larger: i64,
}

/// The condition that fails for a heap of the window, of the theorem about moves that leave three heaps.
fn three_heaps(claim: &Claim<'_>, n: usize) -> Option<u32> {
    let (code, e, p, s) = (claim.code, claim.e, claim.p, claim.s);
    let f = |n: usize| claim.f(n);
    let target = f(n);
    let mut options: Vec<u32> = code.singles(n).map(f).collect();
    if options.contains(&target) {
        return Some(1);
    }
    for a in 1..e + p {
        if claim.stop.is_requested() {
            return Some(2);
        }
        for total in code.pairs(n) {
            let both = f(a) ^ f(total - a);
            if a < e && both == target {
                return Some(2);
            }
            if f(a) < s {
                options.push(both);
            }
        }
        for total in code.triples(n) {
            for b in (1..e + p).filter(|&b| f(a) < s && f(b) < s) {
                let all = f(a) ^ f(b) ^ f(total - a - b);
                if a < e && b < e && all == target {
                    return Some(2);
                }
                options.push(all);
            }
        }
    }
    let ways = ways(claim, n);
    let may_be = |way: &Way| claim.may_be((way.quotients, way.rests), target);
    if ways.iter().any(may_be) {
        return Some(3);
    }
    options.sort_unstable();
    let mut lowest = target;
    while lowest > 0 && options.binary_search(&(lowest - 1)).is_ok() {
        lowest -= 1;
    }
    // Condition 4 is what defines this.
    let v = i64::from(lowest.div_ceil(s));
    for rest in 0..s {
        if claim.stop.is_requested() {
            return Some(5);
        }
        for parity in 0..2 {
            let in_class = |way: &&Way| way.rests == rest && way.quotients.rem_euclid(2) == parity;
            let reaches = |way: &Way, most: i64| way.quotients - 2 * way.larger >= most;
            let thirds = ways
                .iter()
                .filter(in_class)
                .filter(|way| reaches(way, v - 1));
            let has_zero = ways
                .iter()
                .filter(in_class)
                .any(|way| way.third.is_none() && reaches(way, 0));
            match thirds.filter_map(|way| way.third).min() {
                Some(0) => {}
                Some(1) if has_zero => {}
                _ => return Some(5),
            }
        }
    }
    None
}

fn ways(claim: &Claim<'_>, n: usize) -> Vec<Way> {
    let (code, quotient) = (claim.code, |heap: usize| i64::from(claim.f(heap) / claim.s));
    let mut ways = Vec::new();
    let mut add = |total: usize, third: Option<usize>, one: usize, other: usize| {
        let heaps: Vec<usize> = third.into_iter().chain([one, other]).collect();
        if let Some((quotients, rests)) = claim.together(total, &heaps) {
            ways.push(Way {
                third: third.filter(|&third| third >= claim.e).map(quotient),
                quotients,
                rests,
                larger: quotient(one).max(quotient(other)),
            });
        }
    };
    for one in claim.period() {
        if claim.stop.is_requested() {
            break;
        }
        for other in claim.period() {
            code.pairs(n).for_each(|total| add(total, None, one, other));
            for total in code.triples(n) {
                (1..claim.period().end).for_each(|third| add(total, Some(third), one, other));
            }
        }
    }
    ways
}
