//! Certificates of misère quotients.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fmt;

use super::TheoryError;
use super::code::Code;
use super::period::{needed, read_period, stopped};
use super::text::{Lines, write_list, write_row};
use crate::check::halt::Stop;

/// The maximum number of elements.
const MAX_ELEMENTS: u32 = 1000;

/// The maximum number of stated values.
const MAX_HEAPS: u32 = 10_000;

/// The maximum number of kept pairs.
const MAX_PAIRS: usize = 1_000_000;

/// The claim that a monoid is the misère quotient of a game: of all heaps if there is a period, else of those whose
/// values are stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotientCertificate {
    /// The rules: an octal or hexadecimal code.
    pub code: String,
    /// The start and the length of the period of the values.
    pub period: Option<(u32, u32)>,
    /// The products of each element with all elements. Element 0 is the identity.
    pub products: Vec<Vec<u16>>,
    /// The P-portion, ascending.
    pub lost: Vec<u16>,
    /// The values of the heaps of 0, 1, 2, … tokens.
    pub values: Vec<u16>,
}

impl fmt::Display for QuotientCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sproutnet-quotient 1")?;
        writeln!(f, "code {}", self.code)?;
        match self.period {
            Some((start, length)) => writeln!(f, "period {length} from {start}")?,
            None => writeln!(f, "period none")?,
        }
        writeln!(f, "elements {}", self.products.len())?;
        self.products.iter().try_for_each(|row| write_row(f, row))?;
        writeln!(f, "lost {}", self.lost.len())?;
        write_list(f, &self.lost)?;
        writeln!(f, "values {}", self.values.len())?;
        write_list(f, &self.values)?;
        writeln!(f, "end")
    }
}

impl QuotientCertificate {
    /// Reads the lines after the first.
    pub(super) fn read(lines: &mut Lines<'_>) -> Result<Self, TheoryError> {
        let code = Code::read(lines)?;
        let period = match lines.after("period")? {
            "none" => None,
            text => match read_period(lines, text)? {
                (length, start, None) => Some((start, length)),
                _ => return Err(lines.error("expected nothing after the start of the period")),
            },
        };
        let order = lines.number_after("elements", MAX_ELEMENTS)?;
        if order == 0 {
            return Err(lines.error("a monoid has an identity"));
        }
        let elements = |list: Vec<u32>| list.into_iter().map(|element| element as u16).collect();
        let rows = (0..order).map(|_| lines.row(order as usize, order - 1).map(elements));
        let products = rows.collect::<Result<_, _>>()?;
        let lost = lines.number_after("lost", order)?;
        let lost: Vec<u16> = lines.list(lost as usize, order - 1).map(elements)?;
        if lost.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(lines.error("the lost elements are not in ascending order"));
        }
        let values = lines.number_after("values", MAX_HEAPS)?;
        let values: Vec<u16> = lines.list(values as usize, order - 1).map(elements)?;
        if values.is_empty() {
            return Err(lines.error("the empty heap has a value"));
        }
        Ok(Self {
            code,
            period,
            products,
            lost,
            values,
        })
    }

    /// Checks the claim.
    pub(super) fn check(&self, stop: &Stop) -> Result<(), TheoryError> {
        let code = Code::of(&self.code).map_err(|why| TheoryError::Refused(why.to_owned()))?;
        let monoid = Monoid {
            products: &self.products,
            lost: &self.lost,
            stop,
        };
        monoid.check_laws()?;
        if let Some((start, length)) = self.period {
            self.check_period(&code, start, length)?;
        }
        let letters = self.letters(&code, &monoid)?;
        monoid.check_first_condition(&letters)?;
        monoid.check_second_condition(&letters)?;
        monoid.check_reduced(&self.values)
    }

    fn check_period(&self, code: &Code, start: u32, length: u32) -> Result<(), TheoryError> {
        let needed = needed(code, start, length)?;
        let stated = self.values.len();
        if stated < needed {
            return TheoryError::refused(format!(
                "{needed} values are needed to prove the period, and {stated} are stated"
            ));
        }
        let (start, length) = (start as usize, length as usize);
        let differs = |size: &usize| self.values[*size] != self.values[size - length];
        match (start + length..stated).find(differs) {
            Some(size) => TheoryError::refused(format!(
                "heap {size}: the value is not that of the heap one period before"
            )),
            None => Ok(()),
        }
    }

    /// The value of each heap with a move, and the values of its options, each pair once.
    fn letters(&self, code: &Code, monoid: &Monoid<'_>) -> Result<BTreeSet<Letter>, TheoryError> {
        let value = |size: usize| self.values[size];
        let mut letters = BTreeSet::new();
        for size in 0..self.values.len() {
            let mut options = BTreeSet::new();
            if code.ends(size) {
                options.insert(0);
            }
            options.extend(code.singles(size).chain(code.far_singles(size)).map(value));
            stopped(monoid.stop)?;
            for total in code.pairs(size) {
                for one in 1..=total / 2 {
                    options.insert(monoid.times(value(one), value(total - one)));
                }
            }
            for total in code.triples(size) {
                for one in 1..=total / 3 {
                    stopped(monoid.stop)?;
                    for two in one..=(total - one) / 2 {
                        let both = monoid.times(value(one), value(two));
                        options.insert(monoid.times(both, value(total - one - two)));
                    }
                }
            }
            if options.is_empty() {
                if value(size) != 0 {
                    return TheoryError::refused(format!(
                        "heap {size} has no move, and its value is not the identity"
                    ));
                }
                continue;
            }
            letters.insert(Letter {
                value: value(size),
                options: options.into_iter().collect(),
            });
        }
        Ok(letters)
    }
}

/// What counts of a heap with a move: its value and those of its options.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Letter {
    value: u16,
    options: Vec<u16>,
}

/// A set of elements.
type Set = Box<[u64]>;

fn has(set: &Set, element: usize) -> bool {
    set[element / 64] >> (element % 64) & 1 == 1
}

fn is_within(small: &Set, large: &Set) -> bool {
    small
        .iter()
        .zip(large)
        .all(|(small, large)| small & !large == 0)
}

struct Monoid<'a> {
    products: &'a [Vec<u16>],
    lost: &'a [u16],
    stop: &'a Stop,
}

impl Monoid<'_> {
    fn order(&self) -> usize {
        self.products.len()
    }

    fn times(&self, one: u16, other: u16) -> u16 {
        self.products[usize::from(one)][usize::from(other)]
    }

    fn is_lost(&self, element: u16) -> bool {
        self.lost.binary_search(&element).is_ok()
    }

    /// The elements for which something holds.
    fn those(&self, holds: impl Fn(u16) -> bool) -> Set {
        let mut set: Set = vec![0; self.order().div_ceil(64)].into();
        for element in (0..self.order()).filter(|&element| holds(element as u16)) {
            set[element / 64] |= 1 << (element % 64);
        }
        set
    }

    /// Checks that this is a commutative monoid with the identity 0, which is not lost.
    fn check_laws(&self) -> Result<(), TheoryError> {
        let all = 0..self.order() as u16;
        for one in all.clone() {
            stopped(self.stop)?;
            if self.times(0, one) != one {
                return TheoryError::refused(format!("0 times {one} is not {one}"));
            }
            for other in all.clone() {
                let product = self.times(one, other);
                if product != self.times(other, one) {
                    return TheoryError::refused(format!("{one} and {other} do not commute"));
                }
                let is_associative = |third: u16| {
                    self.times(product, third) == self.times(one, self.times(other, third))
                };
                if let Some(third) = all.clone().find(|&third| !is_associative(third)) {
                    return TheoryError::refused(format!(
                        "the products of {one}, {other} and {third} depend on their order"
                    ));
                }
            }
        }
        if self.is_lost(0) {
            return TheoryError::refused("the empty sum is lost");
        }
        Ok(())
    }

    /// Checks that nothing lost has a lost option.
    fn check_first_condition(&self, letters: &BTreeSet<Letter>) -> Result<(), TheoryError> {
        for letter in letters {
            stopped(self.stop)?;
            for beside in 0..self.order() as u16 {
                if !self.is_lost(self.times(letter.value, beside)) {
                    continue;
                }
                let lost = letter
                    .options
                    .iter()
                    .find(|&&option| self.is_lost(self.times(option, beside)));
                if let Some(option) = lost {
                    return TheoryError::refused(format!(
                        "beside {beside}, a heap of value {} and its option of value {option} are lost",
                        letter.value
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks that every sum with a heap is lost or has a lost option, by the pairs (value, W) of all sums.
    fn check_second_condition(&self, letters: &BTreeSet<Letter>) -> Result<(), TheoryError> {
        let letters: Vec<(u16, Set)> = letters
            .iter()
            .map(|letter| {
                let wins = self.those(|beside| {
                    let mut options = letter.options.iter();
                    options.any(|&option| self.is_lost(self.times(option, beside)))
                });
                (letter.value, wins)
            })
            .collect();
        let mut kept: Vec<Vec<Set>> = vec![Vec::new(); self.order()];
        let mut count = 0;
        // The kept pairs to which no letter was added yet.
        let mut left: VecDeque<(u16, Set)> = VecDeque::new();
        let mut keep = |(value, wins): (u16, Set), left: &mut VecDeque<(u16, Set)>| {
            stopped(self.stop)?;
            let of_value = &mut kept[usize::from(value)];
            if of_value.iter().any(|smaller| is_within(smaller, &wins)) {
                return Ok(());
            }
            if !self.is_lost(value) && !has(&wins, 0) {
                return TheoryError::refused(format!(
                    "a sum of value {value} is not lost, and has no lost option"
                ));
            }
            count -= of_value.len();
            of_value.retain(|larger| !is_within(&wins, larger));
            of_value.push(wins.clone());
            count += of_value.len();
            if count > MAX_PAIRS {
                return TheoryError::refused(format!(
                    "the check takes more than {MAX_PAIRS} pairs"
                ));
            }
            left.push_back((value, wins));
            Ok(())
        };
        for letter in &letters {
            keep(letter.clone(), &mut left)?;
        }
        while let Some((value, wins)) = left.pop_front() {
            for (letter, with_letter) in &letters {
                let both = self.those(|beside| {
                    has(&wins, self.times(beside, *letter).into())
                        || has(with_letter, self.times(beside, value).into())
                });
                keep((self.times(value, *letter), both), &mut left)?;
            }
        }
        Ok(())
    }

    /// Checks that each element is the value of a sum, and that for any two there is one beside which one is lost and
    /// the other is not.
    fn check_reduced(&self, values: &[u16]) -> Result<(), TheoryError> {
        let generators: BTreeSet<u16> = values.iter().copied().collect();
        let mut reached = BTreeSet::from([0]);
        let mut left = vec![0];
        while let Some(element) = left.pop() {
            for &generator in &generators {
                let product = self.times(element, generator);
                if reached.insert(product) {
                    left.push(product);
                }
            }
        }
        if reached.len() < self.order() {
            return TheoryError::refused("an element is not the value of any sum");
        }
        let mut rows = HashSet::new();
        for element in 0..self.order() as u16 {
            if !rows.insert(self.those(|beside| self.is_lost(self.times(element, beside)))) {
                return TheoryError::refused(format!(
                    "{element} is equivalent to a smaller element"
                ));
            }
        }
        Ok(())
    }
}
