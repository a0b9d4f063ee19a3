//! Marks of verified facts in a store.

use super::Verification;
use super::certificate::{Fact, Value};
use crate::game::{Game, ParseError, Position, Sprouts};
use crate::play::misere::tree::{Tree, Trees};
use crate::play::{Convention, Knowledge, Play, merge};
use crate::store::{Batch, Conflict, OWN, Record, Sourced, Store, StoreError, VERIFIED};

/// So many records are written at a time.
const AT_A_TIME: usize = 1 << 16;

/// The facts of a certificate as records, gathered while it is checked, and written to a store once it
/// was accepted.
pub struct Marks {
    knowledge: Knowledge,
    play: Play,
    records: Batch,
}

/// Why a store was not marked.
#[derive(Debug, thiserror::Error)]
pub enum MarkError {
    /// Something in the certificate is no position.
    #[error("`{0}`: {1}")]
    Position(String, ParseError),
    /// The store says something else than what was verified.
    #[error(
        "the store contradicts what was verified: it knows the record {key} as {known}, verified is \
         {verified}"
    )]
    Contradiction {
        /// The key in hexadecimal digits.
        key: String,
        /// What the store says.
        known: u64,
        /// What was verified.
        verified: u64,
    },
    /// The document of the certificate cannot be written.
    #[error("what was verified cannot be written down: {0}")]
    Document(#[from] serde_json::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How much was marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// Facts of which there are records: under misère play those about values of lands have none.
    pub records: u64,
    /// Of these, those that were not in the store with that mark before.
    pub new: u64,
}

impl Marks {
    /// For the facts of a certificate under a convention.
    pub fn new(play: Play) -> Self {
        Self {
            knowledge: Knowledge::default(),
            play,
            records: Batch::default(),
        }
    }

    /// Gathers a fact that was verified.
    ///
    /// # Errors
    /// [`MarkError::Position`].
    pub fn take(&mut self, fact: &Fact) -> Result<(), MarkError> {
        let record = match (self.play, fact) {
            (Play::Normal, Fact::Equals { land, value }) => nimber(&read(land)?, value),
            (Play::Misere, Fact::Lost { position, values }) => self.loss(&read(position)?, values),
            (Play::Misere, Fact::Equals { .. }) | (Play::Normal, Fact::Lost { .. }) => None,
        };
        if let Some(Record { key, value }) = record {
            self.records.push(Sourced {
                key: &key,
                value,
                source: OWN | VERIFIED,
            });
        }
        Ok(())
    }

    /// Marks what was gathered in a store, and keeps there that the certificate was accepted. What the
    /// store did not know, it knows then.
    ///
    /// # Errors
    /// [`MarkError::Contradiction`] or [`MarkError::Store`]; some of it may have been marked then, and
    /// the certificate is not kept.
    pub fn write(&self, store: &Store, verification: &Verification) -> Result<Marked, MarkError> {
        let rule = |key: &[u8], known, new| merge(key, known, new).ok();
        let mut new = 0;
        for records in self.records.records().chunks(AT_A_TIME) {
            let merged = store.merge(records, rule)?;
            if let Some(conflict) = merged.conflicts.first() {
                return Err(contradiction(conflict));
            }
            new += merged.new;
        }
        let name = verification.name();
        store.put_document(&name, &serde_json::to_vec(verification)?)?;
        Ok(Marked {
            records: self.records.len() as u64,
            new,
        })
    }

    fn loss(&self, position: &Position, values: &[Value]) -> Option<Record> {
        let misere = &self.knowledge.game(Sprouts.name())?.misere;
        let bags = misere.bags();
        let mut state = misere.state(position);
        for value in values {
            state.value = bags.add(state.value, tree(bags.trees(), value));
        }
        misere.record_of_loss(state)
    }
}

fn read(text: &str) -> Result<Position, MarkError> {
    let read = Sprouts.parse(text);
    read.map_err(|error| MarkError::Position(text.to_owned(), error))
}

/// The record of the nimber of a position that is one land.
fn nimber(position: &Position, value: &Value) -> Option<Record> {
    match (position.lands(), value) {
        ([land], &Value::Heap(nimber)) => {
            let value = u64::from(nimber) << 1 | 1;
            Some(Record::new(&Sprouts, Play::Normal, land.as_bytes(), value))
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

fn contradiction(conflict: &Conflict) -> MarkError {
    MarkError::Contradiction {
        key: conflict
            .key
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
        known: conflict.known,
        verified: conflict.new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use crate::play::{Outcome, State};

    fn verification(play: Play) -> Verification {
        Verification {
            game: "sprouts".to_owned(),
            position: "0*5".to_owned(),
            play,
            outcome: Outcome::Win,
            facts: 2,
            sha256: String::new(),
            checker: "a test".to_owned(),
            verified_at: 5,
        }
    }

    fn gathered(play: Play, facts: &[&str]) -> Marks {
        let mut marks = Marks::new(play);
        for fact in facts {
            marks
                .take(&fact.parse().expect("a fact"))
                .expect("positions");
        }
        marks
    }

    fn open(folder: &tempfile::TempDir) -> Store {
        Store::open(folder.path(), &game::encodings()).expect("a store")
    }

    #[test]
    fn facts_of_normal_play_are_the_nimbers_of_lands() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = open(&folder);
        let land = Sprouts.parse("0*3.1a1a").expect("a land");
        let known = nimber(&land, &Value::Heap(0)).expect("one land");
        let proved = Sourced {
            key: &known.key,
            value: known.value,
            source: 3,
        };
        store
            .merge(&[proved], |_, known, _| Some(known))
            .expect("a disk");
        // The same land as others may write it.
        let marks = gathered(Play::Normal, &["0*2 = 0", "1a1a.0.0.0 = 0"]);
        let marked = marks.write(&store, &verification(Play::Normal));
        let both = Marked { records: 2, new: 2 };
        assert_eq!(marked.expect("marks"), both);
        let stored = store.get(&known.key).expect("a disk").expect("a record");
        assert_eq!((stored.value, stored.source), (1, 3 | VERIFIED));
        let name = Verification::name_of("sprouts", Play::Normal, "0*5");
        assert!(store.get_document(&name).expect("a disk").is_some());
        let again = marks.write(&store, &verification(Play::Normal));
        assert_eq!(again.expect("marks").new, 0);
    }

    #[test]
    fn what_contradicts_the_store_is_told_and_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = open(&folder);
        let true_one = gathered(Play::Normal, &["0*6 = 0"]);
        true_one
            .write(&store, &verification(Play::Normal))
            .expect("marks");
        let false_one = gathered(Play::Normal, &["0*6 = 1"]);
        let refused = false_one.write(&store, &verification(Play::Misere));
        assert!(matches!(refused, Err(MarkError::Contradiction { .. })));
        let name = Verification::name_of("sprouts", Play::Misere, "0*5");
        assert!(store.get_document(&name).expect("a disk").is_none());
    }

    #[test]
    fn lost_states_are_folded_as_the_search_folds_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = open(&folder);
        // `0*2` is worth a game that the search finds at sight, and two heaps of one are nothing.
        let marks = gathered(
            Play::Misere,
            &["0*3.AB|0.AB = 2", "0*9+0*2 & 1 & (2 3)+1 & 1 lost"],
        );
        let marked = marks.write(&store, &verification(Play::Misere));
        let one = Marked { records: 1, new: 1 };
        assert_eq!(marked.expect("marks"), one);
        let key = store.iter().next().expect("a record").expect("a disk");
        let knowledge = Knowledge::default();
        let misere = &knowledge.game("sprouts").expect("a game").misere;
        let state = State::decode(&key.record.key[2..], &**misere).expect("a state");
        assert_eq!((state.lands.len(), key.record.value), (1, 0));
        let values: Vec<Tree> = misere.bags().summands(state.value).collect();
        assert_eq!(values.len(), 3, "0*2, (2 3) and one heap of one");
    }
}
