//! A DAG from its checkpoint.
//!
//! No node is solved because a checkpoint says so: the convention resolves each state, and may know more now
//! than when the checkpoint was made; the rest follows from the children. The checksum vouches that the
//! children of a choice are complete.

use std::sync::Arc;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64;

use super::Dag;
use super::checkpoint::{CHECKSUM, CheckpointError, FORMAT, LEAF, PARTS, version};
use super::node::{Below, Slot};
use crate::play::{Convention, Outcome, State};
use crate::search::Numbers;
use sproutnet_game::LandId;
use sproutnet_record::varint;

/// What became of a node of the checkpoint.
#[derive(Clone, Copy)]
enum Place {
    Node(Slot),
    Solved(Outcome),
}

/// A node as the checkpoint has it.
struct Entry<V> {
    state: State<V>,
    tries: u32,
    below: Written,
}

/// What the checkpoint has below a node.
enum Written {
    /// Nothing; the numbers of the leaf.
    Numbers(Numbers),
    /// Parts, which follow from facts.
    Parts,
    /// The places of the children of a choice.
    Children(Vec<usize>),
}

impl<C: Convention> Dag<C> {
    /// The DAG of a root from its [`Dag::checkpoint`], without locks, and with all that the convention knows
    /// now. Takes memory in proportion to the length of the checkpoint.
    ///
    /// # Errors
    /// The bytes are not a checkpoint of this game, this convention and this root.
    pub fn restore(
        convention: Arc<C>,
        mut root: State<C::Value>,
        checkpoint: &[u8],
    ) -> Result<Self, CheckpointError> {
        let mut reader = Reader::open(checkpoint)?;
        let tables = Tables::read(&mut reader, &*convention)?;
        let has_root = reader.number("whether there is a root", 1)? == 1;
        if has_root {
            let mut written = tables.state(&mut reader)?;
            convention.resolve(&mut written);
            convention.resolve(&mut root);
            if written != root {
                return Err(CheckpointError::Root);
            }
        }
        let mut dag = Self::new(convention, root);
        let count = reader.number("the number of nodes", reader.rest.len())?;
        let mut places = Vec::new();
        // Two states may have become one, as more is known now: the first entry counts.
        let mut taken = HashSet::with_hasher(FxBuildHasher);
        for _ in 0..count {
            let entry = tables.entry(&mut reader, places.len())?;
            let place = dag.place(entry, &places, &mut taken);
            places.push(place);
        }
        if !reader.rest.is_empty() {
            return Err(reader.malformed("more follows the last node"));
        }
        let order = dag.children_first();
        dag.rebuild(&order);
        dag.trim(usize::MAX);
        Ok(dag)
    }

    /// Makes the node of an entry; the numbers of all but leaves are still to be made.
    fn place(
        &mut self,
        entry: Entry<C::Value>,
        places: &[Place],
        taken: &mut HashSet<Slot, FxBuildHasher>,
    ) -> Place {
        let numbers = match entry.below {
            Written::Numbers(numbers) => Some(numbers),
            Written::Parts | Written::Children(_) => None,
        };
        let mut state = entry.state;
        if let Some(outcome) = self.convention.resolve(&mut state) {
            return Place::Solved(outcome);
        }
        let node = self.add(state, numbers);
        if !taken.insert(node) {
            return Place::Node(node);
        }
        self.slab.change(node, |node| node.tries = entry.tries);
        let standing = self.slab.standing(node);
        let is_leaf = standing.below == Below::Leaf && !standing.is_solved();
        if let Some(numbers) = numbers.filter(|_| is_leaf) {
            // It may have been made before, as the root or as a part.
            self.slab.standing_mut(node).numbers = numbers;
        }
        if let Written::Children(children) = entry.below
            && is_leaf
        {
            let children = children.into_iter().map(|place| places[place]);
            self.place_below(node, children);
        }
        Place::Node(node)
    }

    /// Puts children below a node that has none, unless solved ones decide it. Its numbers are made later.
    fn place_below(&mut self, node: Slot, children: impl Iterator<Item = Place>) {
        let mut open = Vec::new();
        for child in children {
            match child {
                Place::Node(child) => open.push(child),
                Place::Solved(Outcome::Win) => {}
                Place::Solved(Outcome::Loss) => return self.set_solved(node, Outcome::Win),
            }
        }
        if open.is_empty() {
            return self.set_solved(node, Outcome::Loss);
        }
        let mut met = HashSet::with_hasher(FxBuildHasher);
        open.retain(|&child| met.insert(child));
        let rank = self.slab.standing(node).rank;
        // Earlier places never lead to later ones, and ranks rule out circles through parts.
        let fits = |&child: &Slot| child != node && self.slab.standing(child).rank <= rank;
        if open.iter().all(fits) {
            self.slab.change(node, |node| node.children = open.into());
            self.slab.standing_mut(node).below = Below::Choice;
        }
    }
}

/// The tables of a checkpoint.
struct Tables<V> {
    lands: Vec<LandId>,
    values: Vec<V>,
}

impl<V: Copy> Tables<V> {
    fn read<C: Convention<Value = V>>(
        reader: &mut Reader<'_>,
        convention: &C,
    ) -> Result<Self, CheckpointError> {
        let found = String::from_utf8_lossy(reader.bytes()?).into_owned();
        let wanted = version(convention);
        if found != wanted {
            return Err(CheckpointError::Version { found, wanted });
        }
        let table = convention.lands();
        let mut lands = Vec::new();
        for _ in 0..reader.number("the number of lands", reader.rest.len())? {
            let land = table.game().land(reader.bytes()?);
            lands.push(table.intern(&land.map_err(|error| reader.malformed(&error))?));
        }
        let mut values = Vec::new();
        for _ in 0..reader.number("the number of values", reader.rest.len())? {
            let value = convention.decode_value(reader.bytes()?);
            values.push(value.map_err(|error| reader.malformed(&error))?);
        }
        Ok(Self { lands, values })
    }

    fn state(&self, reader: &mut Reader<'_>) -> Result<State<V>, CheckpointError> {
        let mut lands = SmallVec::new();
        for _ in 0..reader.number("the number of lands of a state", reader.rest.len())? {
            lands.push(self.lands[reader.place("a land", self.lands.len())?]);
        }
        lands.sort_unstable();
        let value = self.values[reader.place("a value", self.values.len())?];
        Ok(State { lands, value })
    }

    /// The node at the place `here`.
    fn entry(&self, reader: &mut Reader<'_>, here: usize) -> Result<Entry<V>, CheckpointError> {
        let state = self.state(reader)?;
        if state.lands.is_empty() {
            return Err(reader.malformed("a state without lands is solved"));
        }
        let tries = reader.number("the tries of a node", u32::MAX as usize)? as u32;
        Ok(Entry {
            state,
            tries,
            below: Written::read(reader, here)?,
        })
    }
}

impl Written {
    /// What is below the node at the place `here`.
    fn read(reader: &mut Reader<'_>, here: usize) -> Result<Self, CheckpointError> {
        let most = reader.rest.len() + PARTS as usize;
        let below = reader.number("what is below a node", most)? as u64;
        if below == LEAF {
            let largest = (Numbers::INFINITE - 1) as usize;
            let numbers = Numbers {
                proof: reader.number("a proof number", largest)? as u32,
                disproof: reader.number("a disproof number", largest)? as u32,
            };
            return match numbers.outcome() {
                None => Ok(Self::Numbers(numbers)),
                Some(_) => Err(reader.malformed("a solved node has no place in a checkpoint")),
            };
        }
        let mut children = Vec::new();
        for _ in PARTS..below {
            let distance = reader.number("the distance of a child", here)?;
            if distance == 0 {
                return Err(reader.malformed("a node is its own child"));
            }
            children.push(here - distance);
        }
        Ok(match below {
            PARTS => Self::Parts,
            _ => Self::Children(children),
        })
    }
}

/// The bytes of a checkpoint that are still to be read, without the checksum.
struct Reader<'a> {
    rest: &'a [u8],
    /// Where the checksum begins.
    end: usize,
}

impl<'a> Reader<'a> {
    /// Checks the format and the checksum.
    fn open(checkpoint: &'a [u8]) -> Result<Self, CheckpointError> {
        match checkpoint.first() {
            Some(&FORMAT) | None => {}
            Some(&other) => return Err(CheckpointError::Format(other)),
        }
        let (bytes, checksum) = checkpoint
            .split_last_chunk::<CHECKSUM>()
            .filter(|(bytes, _)| !bytes.is_empty())
            .ok_or(CheckpointError::Checksum)?;
        if xxh3_64(bytes).to_le_bytes() != *checksum {
            return Err(CheckpointError::Checksum);
        }
        Ok(Self {
            rest: &bytes[1..],
            end: bytes.len(),
        })
    }

    fn malformed(&self, problem: &(impl ToString + ?Sized)) -> CheckpointError {
        CheckpointError::Malformed {
            offset: self.end - self.rest.len(),
            problem: problem.to_string(),
        }
    }

    /// A number up to `largest`.
    fn number(&mut self, what: &str, largest: usize) -> Result<usize, CheckpointError> {
        let before = self.rest;
        let number = varint::read(&mut self.rest).and_then(|number| usize::try_from(number).ok());
        number.filter(|&number| number <= largest).ok_or_else(|| {
            self.rest = before;
            self.malformed(&format!("{what} is none up to {largest}"))
        })
    }

    /// An index into a table of that length.
    fn place(&mut self, what: &str, length: usize) -> Result<usize, CheckpointError> {
        match length.checked_sub(1) {
            Some(last) => self.number(what, last),
            None => Err(self.malformed(&format!("{what} of an empty table"))),
        }
    }

    /// A length, and so many bytes.
    fn bytes(&mut self) -> Result<&'a [u8], CheckpointError> {
        let length = self.number("a length", self.rest.len())?;
        let Some((bytes, rest)) = self.rest.split_at_checked(length) else {
            return Err(self.malformed("the bytes end too early"));
        };
        self.rest = rest;
        Ok(bytes)
    }
}
