//! A DAG as bytes that outlive the process.
//!
//! ```text
//! checkpoint  = format version lands values root nodes checksum
//! format = 01
//! lands  = count (length bytes)*          each land once, by its canonical bytes
//! values = count (length bytes)*          each value once, as Convention::encode_value has it
//! root   = 00 | 01 state                  00 if its value cannot be encoded
//! state  = count (land)* value            indices into the tables
//! nodes  = count (state tries below)*
//! below  = 00 proof disproof | 01 | count+1 (distance)*
//! checksum = XXH3-64 of all before, little-endian
//! ```
//!
//! Counts, lengths, indices and numbers are in LEB128. The version is a length and a text that names the
//! game, the convention and the version of the canonical encoding. Each node comes after all nodes below
//! it; distances count back to the children of a choice. Only open nodes are written, and only the numbers
//! of leaves, from which all others follow. There are no locks, since no lease outlives the process, and no
//! parts (only 01), since they follow from facts.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64;

use super::Dag;
use super::node::{Below, Slot};
use crate::play::{Convention, State};
use sproutnet_game::LandId;
use sproutnet_record::varint;

/// The first byte of a checkpoint. A changed layout means another number.
pub(super) const FORMAT: u8 = 1;

/// What is below a leaf, and below a state with parts. For a choice: [`PARTS`] and the number of its
/// children.
pub(super) const LEAF: u64 = 0;
pub(super) const PARTS: u64 = 1;

/// Bytes of the checksum at the end.
pub(super) const CHECKSUM: usize = 8;

/// Why bytes are not a checkpoint of the requested DAG.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// It is in another format.
    #[error("the checkpoint is in format {0}, which is not known here (format {FORMAT} is)")]
    Format(u8),
    /// It is damaged or cut short.
    #[error("the checkpoint's checksum does not agree with its bytes")]
    Checksum,
    /// It is of another game or convention, or its lands are encoded in another version.
    #[error("the checkpoint is of `{found}`, not of `{wanted}`")]
    Version {
        /// The version of the checkpoint.
        found: String,
        /// The requested version.
        wanted: String,
    },
    /// It is the checkpoint of another root's DAG.
    #[error("the checkpoint is of another root")]
    Root,
    /// It does not follow the format.
    #[error("malformed checkpoint at byte {offset}: {problem}")]
    Malformed {
        /// Counted from the start of the checkpoint.
        offset: usize,
        /// What is wrong there.
        problem: String,
    },
}

/// The text that names the game, the convention and the version of the canonical encoding.
pub(super) fn version<C: Convention>(convention: &C) -> String {
    let game = convention.lands().game();
    let (name, encoding) = (game.name(), game.encoding_version());
    format!("{name} {} {encoding}", C::PLAY.name())
}

impl<C: Convention> Dag<C> {
    /// Portable bytes of the open part of the DAG, without locks. A node whose value cannot be encoded is
    /// left out, and its parents become leaves. [`Dag::restore`] is the inverse.
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut tables = Tables::new(&*self.convention);
        let mut nodes = Vec::new();
        // The place of a node among those written.
        let mut places: Vec<Option<u32>> = vec![None; self.slab.slots()];
        let mut count = 0u32;
        for node in self.children_first() {
            let standing = self.slab.standing(node);
            if standing.is_solved() {
                continue;
            }
            if standing.below == Below::Same {
                places[node.index()] = places[self.slab.node(node).children[0].index()];
                continue;
            }
            let Some(state) = tables.state(&self.slab.node(node).state) else {
                continue;
            };
            nodes.extend_from_slice(&state);
            varint::write(&mut nodes, u64::from(self.slab.node(node).tries));
            self.write_below(&mut nodes, node, count, &places);
            places[node.index()] = Some(count);
            count += 1;
        }
        let root = tables.state(&self.slab.node(Slot::ROOT).state);
        let mut checkpoint = vec![FORMAT];
        write_bytes(&mut checkpoint, version(&*self.convention).as_bytes());
        tables.write(&mut checkpoint);
        checkpoint.push(u8::from(root.is_some()));
        checkpoint.extend_from_slice(&root.unwrap_or_default());
        varint::write(&mut checkpoint, u64::from(count));
        checkpoint.append(&mut nodes);
        checkpoint.extend_from_slice(&xxh3_64(&checkpoint).to_le_bytes());
        checkpoint
    }

    /// Writes what is below the node at the place `here`. A choice without all its children is written as a
    /// leaf.
    fn write_below(&self, out: &mut Vec<u8>, node: Slot, here: u32, places: &[Option<u32>]) {
        let standing = self.slab.standing(node);
        if standing.below == Below::Parts {
            return varint::write(out, PARTS);
        }
        let children = self.slab.node(node).children.iter();
        let open = children.filter(|&&child| !self.slab.standing(child).is_solved());
        let distances = open.map(|child| Some(here - places[child.index()]?));
        let distances: Vec<u32> = distances.collect::<Option<_>>().unwrap_or_default();
        let (below, numbers) = match distances.is_empty() {
            true => (
                LEAF,
                vec![standing.numbers.proof, standing.numbers.disproof],
            ),
            false => (PARTS + distances.len() as u64, distances),
        };
        varint::write(out, below);
        for number in numbers {
            varint::write(out, u64::from(number));
        }
    }
}

/// The lands and values met so far, in that order.
struct Tables<'a, C> {
    convention: &'a C,
    lands: Vec<LandId>,
    places_of_lands: HashMap<LandId, u32, FxBuildHasher>,
    values: Vec<Vec<u8>>,
    /// By the keys of states of the value alone. `None` for a value that cannot be encoded.
    places_of_values: HashMap<u128, Option<u32>, FxBuildHasher>,
}

impl<'a, C: Convention> Tables<'a, C> {
    fn new(convention: &'a C) -> Self {
        Self {
            convention,
            lands: Vec::new(),
            places_of_lands: HashMap::default(),
            values: Vec::new(),
            places_of_values: HashMap::default(),
        }
    }

    /// The bytes of a state. `None` if its value cannot be encoded.
    fn state(&mut self, state: &State<C::Value>) -> Option<Vec<u8>> {
        let value = self.value(state.value)?;
        let mut bytes = Vec::new();
        varint::write(&mut bytes, state.lands.len() as u64);
        for &land in &state.lands {
            let lands = &mut self.lands;
            let place = self.places_of_lands.entry(land).or_insert_with(|| {
                lands.push(land);
                lands.len() as u32 - 1
            });
            varint::write(&mut bytes, u64::from(*place));
        }
        varint::write(&mut bytes, u64::from(value));
        Some(bytes)
    }

    fn value(&mut self, value: C::Value) -> Option<u32> {
        let alone = State {
            lands: SmallVec::new(),
            value,
        };
        let (convention, values) = (self.convention, &mut self.values);
        let place = self.places_of_values.entry(convention.key(&alone));
        *place.or_insert_with(|| {
            values.push(convention.encode_value(value)?);
            Some(values.len() as u32 - 1)
        })
    }

    fn write(&self, out: &mut Vec<u8>) {
        varint::write(out, self.lands.len() as u64);
        for &land in &self.lands {
            write_bytes(out, self.convention.lands().encoding(land));
        }
        varint::write(out, self.values.len() as u64);
        for value in &self.values {
            write_bytes(out, value);
        }
    }
}

fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    varint::write(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}
