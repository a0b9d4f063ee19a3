//! New records, made before the load starts.
//!
//! Their keys are lands met in random plays, and variants of these: the same with other numbers of spots that are alone
//! in their region. A variant is well-formed but may not be the canonical form of its land, so no search meets it; it
//! costs the coordinator as much as any other record. The values are true: a land's nimber is never larger than the
//! number of its moves.

use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::Context;
use fastrand::Rng;
use hashbrown::HashSet;
use sproutnet_game::{self as game, Game, Land, Lands, Position};
use sproutnet_solver::play::{Knowledge, Play, Record};
use sproutnet_store::{OWN, Sourced, Worth, block};

/// The number of lands met in plays; the others are variants of them.
const LANDS: usize = 50_000;

/// Each region of a variant has fewer lone spots than this.
const ALONE: u8 = 5;

/// The largest excluded nimber that a search keeps, as in `common/solver/src/play/normal/proof.rs`.
const LARGEST_EXCLUDED: u32 = 61;

/// Blocks of records, no key twice.
pub(crate) struct Blocks {
    encoded: Vec<Vec<u8>>,
    records: u64,
    positions: Vec<String>,
}

impl Blocks {
    /// Makes `blocks` blocks of `records` records each, from plays of a position.
    ///
    /// # Errors
    /// The position cannot be read, or too few lands can be met from there.
    pub(crate) fn make(position: &str, blocks: u32, records: u32) -> anyhow::Result<Self> {
        let (game, start) = game::parse(position)?;
        let mut random = Rng::with_seed(1);
        let lands = lands_met(&*game, &start, &mut random);
        let alone = lands.iter().map(|land| Position::new(vec![land.clone()]));
        let positions = alone.map(|land| game.print(&land)).collect();
        let mut variants = Variants {
            game,
            rules: Knowledge::default(),
            lands,
            next: 0,
            seen: HashSet::new(),
            random,
        };
        let block = |_| {
            let records = (0..records).map(|_| variants.next());
            encode(records.collect::<Option<_>>().context("too few lands")?)
        };
        Ok(Self {
            encoded: (0..blocks).map(block).collect::<anyhow::Result<_>>()?,
            records: u64::from(blocks) * u64::from(records),
            positions,
        })
    }

    /// The number of records.
    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// The lands met in plays, as texts.
    pub(crate) fn positions(&self) -> &[String] {
        &self.positions
    }

    /// The number of records in each block.
    pub(crate) fn records_of_block(&self) -> u64 {
        self.records / self.encoded.len().max(1) as u64
    }

    /// The mean size of a record in its block, in bytes.
    pub(crate) fn bytes_of_record(&self) -> f64 {
        self.encoded.iter().map(Vec::len).sum::<usize>() as f64 / self.records.max(1) as f64
    }

    /// The block with this number, if there is one.
    pub(crate) fn get(&self, number: usize) -> Option<&[u8]> {
        self.encoded.get(number).map(Vec::as_slice)
    }
}

/// Lands in the order in which random plays meet them: those of one position's options together, as
/// in the records of a search.
fn lands_met(game: &dyn Game, start: &Position, random: &mut Rng) -> Vec<Land> {
    let mut lands = Vec::new();
    let mut seen = HashSet::new();
    let mut position = start.clone();
    let mut vain = 0;
    while lands.len() < LANDS && vain < LANDS {
        let longest = position.lands().iter();
        let longest = longest.max_by_key(|land| game.max_moves(land)).cloned();
        let mut options: Vec<Position> = Vec::new();
        if let Some(land) = longest {
            let all = game.options(&land, &mut |option| {
                options.push(option);
                ControlFlow::Continue(())
            });
            debug_assert!(all.is_continue(), "nothing broke it");
        }
        let before = lands.len();
        let met = options.iter().flat_map(Position::lands);
        lands.extend(met.filter(|land| seen.insert((*land).clone())).cloned());
        vain = if lands.len() == before { vain + 1 } else { 0 };
        position = random.choice(&options).unwrap_or(start).clone();
    }
    lands
}

/// Variants of all lands, in turn and repeatedly.
struct Variants {
    game: Arc<dyn Game>,
    rules: Knowledge,
    lands: Vec<Land>,
    next: usize,
    /// Hashes of all keys.
    seen: HashSet<u64>,
    random: Rng,
}

impl Variants {
    /// A record of a new land or variant. `None` after too many attempts.
    fn next(&mut self) -> Option<Record> {
        for _ in 0..self.lands.len() {
            let land = &self.lands[self.next % self.lands.len()];
            let is_first_turn = self.next < self.lands.len();
            self.next += 1;
            let bytes = if is_first_turn {
                land.as_bytes().to_vec()
            } else {
                varied(land.as_bytes(), &mut self.random)
            };
            let Ok(length) = self.game.check(&bytes) else {
                continue;
            };
            if length >= LARGEST_EXCLUDED || !self.seen.insert(Lands::hash_of(&bytes) as u64) {
                continue;
            }
            let record = Record::new(self.game.code(), Play::Normal, &bytes, 2 << (length + 1));
            // Small lands are accepted in their canonical form only.
            if self.rules.check(&record.key, record.value).is_ok() {
                return Some(record);
            }
        }
        None
    }
}

/// A land of Sprouts with other numbers of lone spots: in each region they come first, as 2 and
/// their number, and 1 ends the region.
fn varied(land: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut varied = Vec::with_capacity(land.len() + 8);
    let mut rest = land;
    while !rest.is_empty() {
        if let [2, _, others @ ..] = rest {
            rest = others;
        }
        let alone = random.u8(0..ALONE);
        if alone > 0 {
            varied.extend([2, alone]);
        }
        let end = rest.iter().position(|&symbol| symbol == 1);
        let (region, regions) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
        varied.extend_from_slice(region);
        rest = regions;
    }
    varied
}

fn encode(mut records: Vec<Record>) -> anyhow::Result<Vec<u8>> {
    records.sort_unstable();
    let sourced = records.iter().map(|record| Sourced {
        key: &record.key,
        value: record.value,
        worth: Worth::LEAST,
        source: OWN,
    });
    block::encode(sourced).context("a block")
}
