//! Verified facts as records of a store.

use sproutnet_certificate::format::{Fact, Ruleset, Value};
use sproutnet_game::{self as game, Game};
use sproutnet_solver::play::misere::tree::{Tree, Trees};
use sproutnet_solver::play::{self, Knowledge, Play, Rules};
use sproutnet_store::{Batch, OWN, Record, Sourced, VERIFIED, Worth};

/// Records of a store for the facts of an accepted certificate, flagged as verified.
#[derive(Default)]
pub struct VerifiedRecords {
    knowledge: Knowledge,
    records: Batch,
}

impl VerifiedRecords {
    /// Adds a proved fact of a game and convention. Values of lands under misère play, and states that are too large,
    /// get no records.
    pub fn add(&mut self, game: Ruleset, play: Play, fact: &Fact) {
        let Some(game) = game::by_name(game.name()) else {
            return;
        };
        let record = match (play, fact) {
            (Play::Normal, Fact::Equals { land, value }) => nimber(&*game, land, value),
            (Play::Misere, Fact::Lost { position, values }) => self.loss(&*game, position, values),
            (Play::Misere, Fact::Equals { .. }) | (Play::Normal, Fact::Lost { .. }) => None,
        };
        if let Some(Record { key, value, .. }) = record {
            self.records.push(Sourced {
                key: &key,
                value,
                worth: Worth::MOST,
                source: OWN | VERIFIED,
            });
        }
    }

    /// All records.
    pub fn into_records(self) -> Batch {
        self.records
    }

    fn loss(&self, game: &dyn Game, position: &str, values: &[Value]) -> Option<Record> {
        let position = game.parse_stored(position).ok()?;
        let misere = &self.knowledge.game(game.name())?.misere;
        let bags = misere.bags();
        let mut state = misere.state(&position);
        for value in values {
            state.value = bags.add(state.value, tree(bags.trees(), value));
        }
        misere.record_of_loss(state)
    }
}

/// The record of the nimber of a land.
fn nimber(game: &dyn Game, land: &str, value: &Value) -> Option<Record> {
    let position = game.parse_stored(land).ok()?;
    match (position.lands(), value) {
        ([land], &Value::Heap(nimber)) => {
            let value = play::Fact::Nimber(u64::from(nimber)).value();
            Some(Record::new(
                game.code(),
                Play::Normal,
                land.as_bytes(),
                value,
            ))
        }
        _ => None,
    }
}

fn tree(trees: &Trees, value: &Value) -> Tree {
    match value {
        Value::Heap(size) => trees.heap(*size),
        Value::Options { options, plus_one } => {
            let options: Vec<Tree> = options.iter().map(|option| tree(trees, option)).collect();
            trees.simplify(&options).plus_one_if(*plus_one)
        }
    }
}

#[cfg(test)]
mod tests;
