//! Certificates of periods.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::scope;

use super::TheoryError;
use super::arithmetic;
use super::code::Code;
use super::text::{Lines, write_list};
use crate::check::halt::Stop;

/// The maximum number of stated nimbers.
const MAX_HEAPS: u32 = 10_000_000;

/// The number of heaps that a thread checks at a time.
const BATCH: usize = 64;

/// The claim that G(n + length) = G(n) + saltus for all n ≥ start, and the first nimbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodCertificate {
    /// The rules: an octal or hexadecimal code.
    pub code: String,
    /// The smallest n from which the nimbers repeat.
    pub start: u32,
    /// The length of the period, the smallest one.
    pub length: u32,
    /// The growth with each period.
    pub saltus: u32,
    /// The nimbers of the heaps of 0, 1, 2, … tokens, as many as the theorem needs.
    pub nimbers: Vec<u32>,
}

impl fmt::Display for PeriodCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sproutnet-period 1")?;
        writeln!(f, "code {}", self.code)?;
        let (length, start, saltus) = (self.length, self.start, self.saltus);
        writeln!(f, "period {length} from {start} saltus {saltus}")?;
        writeln!(f, "nimbers {}", self.nimbers.len())?;
        write_list(f, &self.nimbers)?;
        writeln!(f, "end")
    }
}

/// Reads `LENGTH from START` and perhaps ` saltus SALTUS`.
pub(super) fn read_period<'a>(
    lines: &Lines<'_>,
    text: &'a str,
) -> Result<(u32, u32, Option<&'a str>), TheoryError> {
    let mut words = text.splitn(4, ' ');
    let (Some(length), Some("from"), Some(start)) = (words.next(), words.next(), words.next())
    else {
        return Err(lines.error(format!(
            "expected `period LENGTH from START`, found `{text}`"
        )));
    };
    let length = lines.number(length, MAX_HEAPS)?;
    if length == 0 {
        return Err(lines.error("a period of length 0"));
    }
    Ok((length, lines.number(start, MAX_HEAPS)?, words.next()))
}

impl PeriodCertificate {
    /// Reads the lines after the first.
    pub(super) fn read(lines: &mut Lines<'_>) -> Result<Self, TheoryError> {
        let code = Code::read(lines)?;
        let text = lines.after("period")?;
        let (length, start, rest) = read_period(lines, text)?;
        let saltus = rest.and_then(|rest| rest.strip_prefix("saltus "));
        let saltus = saltus.ok_or_else(|| lines.error("expected `saltus` and a number"))?;
        let saltus = lines.number(saltus, MAX_HEAPS)?;
        let heaps = lines.number_after("nimbers", MAX_HEAPS)?;
        Ok(Self {
            code,
            start,
            length,
            saltus,
            // No option of a heap of n tokens has a nimber of 2n or more, so none is larger.
            nimbers: lines.list(heaps as usize, 2 * MAX_HEAPS)?,
        })
    }

    /// Checks the claim.
    pub(super) fn check(&self, cores: usize, stop: &Stop) -> Result<(), TheoryError> {
        let code = Code::of(&self.code).map_err(|why| TheoryError::Refused(why.to_owned()))?;
        self.check_equation()?;
        if self.saltus == 0 {
            self.check_length(&code)?;
        }
        check_nimbers(&code, &self.nimbers, cores, stop)?;
        if self.saltus > 0 {
            let (start, length) = (self.start as usize, self.length as usize);
            arithmetic::check(&code, &self.nimbers, (start, length, self.saltus), stop)?;
        }
        Ok(())
    }

    /// Checks that the stated nimbers repeat from the start on and no earlier, and that no divisor of the length is a
    /// period.
    fn check_equation(&self) -> Result<(), TheoryError> {
        let (start, length) = (self.start as usize, self.length as usize);
        let repeats = |from: usize, length: usize, saltus: u32| {
            let later = self.nimbers.iter().enumerate().skip(from + length);
            later
                .map(|(size, nimber)| {
                    (
                        size,
                        self.nimbers[size - length].checked_add(saltus),
                        *nimber,
                    )
                })
                .find(|(_, expected, nimber)| *expected != Some(*nimber))
        };
        if self.nimbers.len() < start + 2 * length {
            return TheoryError::refused("the nimbers do not reach the end of the second period");
        }
        if let Some((size, expected, nimber)) = repeats(start, length, self.saltus) {
            let expected = expected.unwrap_or(u32::MAX);
            return TheoryError::refused(format!(
                "heap {size}: the nimber is {nimber}, by the period it would be {expected}"
            ));
        }
        if start > 0 && repeats(start - 1, length, self.saltus).is_none() {
            return TheoryError::refused("the nimbers repeat from an earlier heap on");
        }
        for part in 2..=self.length {
            let divides = self.length.is_multiple_of(part) && self.saltus.is_multiple_of(part);
            if divides && repeats(start, length / part as usize, self.saltus / part).is_none() {
                return TheoryError::refused("the nimbers have a shorter period");
            }
        }
        Ok(())
    }

    /// Checks that as many nimbers are stated as the theorem of Guy and Smith needs.
    fn check_length(&self, code: &Code) -> Result<(), TheoryError> {
        let needed = needed(code, self.start, self.length)?;
        let stated = self.nimbers.len();
        if stated < needed {
            return TheoryError::refused(format!(
                "{needed} nimbers are needed to prove the period, and {stated} are stated"
            ));
        }
        Ok(())
    }
}

/// The number of values of heaps that prove a period, for values that depend only on those of the options.
pub(super) fn needed(code: &Code, start: u32, length: u32) -> Result<usize, TheoryError> {
    if code.takes_any() {
        return TheoryError::refused("moves that take any number of tokens leave no such period");
    }
    let (start, length) = (start.max(1) as usize, length as usize);
    let heaps = code.most_left();
    let limit = heaps * start + (heaps - 1) * length + code.most_taken();
    Ok(limit + length)
}

/// Checks each nimber: the smaller ones are those of options, and it is not.
fn check_nimbers(
    code: &Code,
    nimbers: &[u32],
    cores: usize,
    stop: &Stop,
) -> Result<(), TheoryError> {
    let most = nimbers.iter().copied().max().unwrap_or(0) as usize;
    if most >= 2 * nimbers.len() {
        return TheoryError::refused("a nimber is larger than any option allows");
    }
    // The smallest heap with each nimber, but for the empty one.
    let mut first_with = vec![usize::MAX; most + 1];
    for (size, &nimber) in nimbers.iter().enumerate().skip(1).rev() {
        first_with[nimber as usize] = size;
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut options = Options {
            code,
            nimbers,
            stop,
            first_with: &first_with,
            seen: vec![u32::MAX; (most + 1).next_power_of_two() * 2],
        };
        loop {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            if from >= nimbers.len() {
                return Ok(());
            }
            for size in from..nimbers.len().min(from + BATCH) {
                if let Err(error) = options.check(size) {
                    next.store(nimbers.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    };
    let checked: Vec<Result<(), TheoryError>> = scope(|scope| {
        let threads: Vec<_> = (1..cores).map(|_| scope.spawn(work)).collect();
        let mut all = vec![work()];
        all.extend(threads.into_iter().map(|thread| {
            let joined = thread.join();
            joined.unwrap_or_else(|_| TheoryError::refused("the checker failed"))
        }));
        all
    });
    checked.into_iter().collect()
}

/// Call this wherever a file can cause long work.
pub(super) fn stopped(stop: &Stop) -> Result<(), TheoryError> {
    if stop.is_requested() {
        Err(TheoryError::Stopped)
    } else {
        Ok(())
    }
}

/// The options of heaps.
struct Options<'a> {
    code: &'a Code,
    nimbers: &'a [u32],
    stop: &'a Stop,
    first_with: &'a [usize],
    /// For each nimber, the last heap with such an option.
    seen: Vec<u32>,
}

impl Options<'_> {
    fn check(&mut self, size: usize) -> Result<(), TheoryError> {
        let (code, of, seen) = (self.code, self.nimbers, &mut self.seen);
        let mark = size as u32;
        if code.ends(size) {
            seen[0] = mark;
        }
        for left in code.singles(size) {
            seen[of[left] as usize] = mark;
        }
        for total in code.pairs(size) {
            stopped(self.stop)?;
            for one in 1..=total / 2 {
                seen[(of[one] ^ of[total - one]) as usize] = mark;
            }
        }
        for total in code.triples(size) {
            for one in 1..=total / 3 {
                stopped(self.stop)?;
                for two in one..=(total - one) / 2 {
                    seen[(of[one] ^ of[two] ^ of[total - one - two]) as usize] = mark;
                }
            }
        }
        let far = code.far_singles(size);
        let is_option = |nimber: u32| {
            self.seen[nimber as usize] == mark || far.contains(&self.first_with[nimber as usize])
        };
        let nimber = of[size];
        if is_option(nimber) {
            return TheoryError::refused(format!(
                "heap {size}: the nimber is not {nimber}, which an option has"
            ));
        }
        match (0..nimber).find(|&smaller| !is_option(smaller)) {
            None => Ok(()),
            Some(smaller) => TheoryError::refused(format!(
                "heap {size}: the nimber is not {nimber}: no option has {smaller}"
            )),
        }
    }
}
