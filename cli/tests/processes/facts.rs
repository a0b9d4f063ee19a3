//! True records with a source outside of the solver.

use std::collections::BTreeMap;

use sproutnet_game as game;
use sproutnet_solver::play::{self, Play};
use sproutnet_store::{OWN, Record, Sourced, Worth, block};

use sproutnet_testkit::reference;

/// The maximum number of pins of a row of Kayles.
const LONGEST_ROW: usize = 2000;

/// The merged values of records, by key.
pub(crate) type Known = BTreeMap<Box<[u8]>, u64>;

/// The nimber of a land, by the key of its record.
#[derive(Clone)]
pub(crate) struct Fact {
    key: Box<[u8]>,
    nimber: u32,
}

/// Nimbers of rows of Kayles, by the rule of Sprague and Grundy, and of lands of Sprouts, from other solvers.
pub(crate) fn all() -> Vec<Fact> {
    let nimbers = kayles(LONGEST_ROW).into_iter().enumerate().skip(1);
    let rows = nimbers.map(|(pins, nimber)| (format!("kayles:{pins}"), nimber));
    let table = include_str!("../../../common/solver/tests/reference/normal_nimbers.tsv");
    let table = reference::rows::<4>(table).into_iter();
    let table = table.map(|[text, nimber, ..]| (text.to_owned(), reference::number(nimber)));
    rows.chain(table)
        .filter_map(|(text, nimber)| Fact::of_single_land(&text, nimber))
        .collect()
}

impl Fact {
    /// `None` if the position is not one land.
    fn of_single_land(text: &str, nimber: u32) -> Option<Self> {
        let (game, position) = game::parse_stored(text).expect("a position");
        let [land] = position.lands() else {
            return None;
        };
        let Record { key, .. } = Record::new(game.code(), Play::Normal, land.as_bytes(), 0);
        Some(Self { key, nimber })
    }

    /// The record of the whole fact.
    pub(crate) fn whole(&self) -> Record {
        Record {
            key: self.key.clone(),
            value: u64::from(2 * self.nimber + 1),
            worth: Worth::LEAST,
        }
    }

    /// The record of a part of the fact: the nimber is none of the nimbers whose bits are set in `others`. Its own bit
    /// is ignored.
    pub(crate) fn part(&self, others: u64) -> Record {
        Record {
            key: self.key.clone(),
            value: 2 * (others & !(1 << self.nimber)),
            worth: Worth::LEAST,
        }
    }
}

/// The nimbers of rows of 0, 1, 2, … pins.
fn kayles(longest: usize) -> Vec<u32> {
    let mut nimbers: Vec<u32> = Vec::with_capacity(longest + 1);
    for pins in 0..=longest {
        let mut reached = 0_u64;
        for taken in 1..=2.min(pins) {
            let left = pins - taken;
            let halves = (0..=left / 2).map(|one| nimbers[one] ^ nimbers[left - one]);
            reached = halves.fold(reached, |reached, nimber| reached | 1 << nimber);
        }
        nimbers.push(reached.trailing_ones());
    }
    nimbers
}

/// Merges a record into the known ones.
#[track_caller]
pub(crate) fn learn(known: &mut Known, key: &[u8], value: u64) {
    let merged = match known.get(key) {
        Some(&before) => play::merge(key, before, value).expect("no contradiction"),
        None => value,
    };
    known.insert(key.into(), merged);
}

/// Checks that each record is known `elsewhere`, with at least the same information.
#[track_caller]
pub(crate) fn check_known<'a>(
    records: impl IntoIterator<Item = (&'a Box<[u8]>, &'a u64)>,
    elsewhere: &Known,
) {
    for (key, &value) in records {
        let found = elsewhere.get(key).copied();
        let found = found.unwrap_or_else(|| panic!("the record {key:02x?} is gone"));
        let merged = play::merge(key, value, found);
        assert_eq!(merged, Ok(found), "{key:02x?}: from {value} to {found}");
    }
}

/// Encodes records as a block.
pub(crate) fn to_block(records: &Known) -> Vec<u8> {
    let records = records.iter().map(|(key, &value)| Sourced {
        key,
        value,
        worth: Worth::LEAST,
        source: OWN,
    });
    block::encode(records).expect("a block")
}

/// The records of a block.
pub(crate) fn of_block(bytes: &[u8]) -> Vec<(Box<[u8]>, u64)> {
    let records = block::decode(bytes).expect("a block").into_iter();
    let pair = |record: Record| (record.key, record.value);
    records.map(|sourced| pair(sourced.record)).collect()
}
