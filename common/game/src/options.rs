//! The options of a land: collecting them while they are generated, and keeping them. A partial expansion
//! generates only the options of the smallest lands, and keeps nothing.

use std::ops::{ControlFlow, Range};

use smallvec::SmallVec;

use super::lands::Found;
use super::{Key, LandId, Lands, OptionSink};

#[cfg(test)]
mod tests;

/// The number of options between two checks of `stop`.
const OPTIONS_BETWEEN_CHECKS: usize = 256;

/// The initial capacity, enough for the options of most lands.
const USUAL: usize = 64;

/// New lands are deduplicated against the last 256 of the same expansion; rarely, an encoding is kept twice.
const LOOKED_BACK: usize = 256;

/// Sees options while they are generated.
pub trait Visitor {
    /// Whether facts may be known about the land with this [hash](Lands::hash_of), although it has no number yet.
    fn may_be_known(&self, hash: u128) -> bool;

    /// An option, as the sorted numbers of its lands. Some options come more than once.
    ///
    /// # Errors
    /// `Break` if no more options are wanted.
    fn option(&mut self, lands: &[LandId]) -> ControlFlow<()>;

    /// An option in a [partial expansion](Lands::expand_partially), by the [`max_moves`](super::Game::max_moves) of its
    /// lands alone.
    fn outline(&mut self, max_moves: &[u32]) {
        let _ = max_moves;
    }
}

pub(super) struct AcceptAll;

impl Visitor for AcceptAll {
    fn may_be_known(&self, _hash: u128) -> bool {
        false
    }

    fn option(&mut self, _lands: &[LandId]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The options of a land in the order of generation, without repeats: each a sorted list of lands.
#[derive(Default)]
pub struct Options {
    lands: Box<[LandId]>,
    /// The number of lands of each option.
    lengths: Box<[u16]>,
}

impl Options {
    /// The number of options.
    #[inline]
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there is no option. Every land has one.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The options, each as its lands.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &[LandId]> {
        let mut rest = &*self.lands;
        self.lengths.iter().map(move |&length| {
            let (option, after) = rest.split_at(usize::from(length));
            rest = after;
            option
        })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.lands) + size_of_val(&*self.lengths)
    }
}

enum OptionLand {
    Known(LandId),
    /// The place of a land without a number among the new lands.
    New(usize),
}

/// A land without a number.
pub(super) struct NewLand {
    pub(super) hash: u128,
    pub(super) max_moves: u32,
    /// The place of its encoding among those of its batch.
    pub(super) bytes: Range<usize>,
}

/// Collects the options of a land while they are generated.
pub(super) struct Collector<'a> {
    lands: &'a Lands,
    stop: &'a dyn Fn() -> bool,
    visitor: &'a mut dyn Visitor,
    /// The lands of all options, and the end of each option.
    all: Vec<OptionLand>,
    ends: Vec<usize>,
    /// The lands without numbers, and their encodings.
    new: Vec<NewLand>,
    bytes: Vec<u8>,
    pub(super) visitor_broke: bool,
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        lands: &'a Lands,
        stop: &'a dyn Fn() -> bool,
        visitor: &'a mut dyn Visitor,
    ) -> Self {
        Self {
            lands,
            stop,
            visitor,
            all: Vec::with_capacity(USUAL),
            ends: Vec::with_capacity(USUAL),
            new: Vec::with_capacity(USUAL),
            bytes: Vec::with_capacity(USUAL * USUAL),
            visitor_broke: false,
        }
    }

    /// The place of a land among the new ones. Several options may share it.
    fn new_land(&mut self, hash: u128, canonical: &[u8], max_moves: u32) -> usize {
        let encodings = &self.bytes;
        let is_it = |new: &NewLand| new.hash == hash && encodings[new.bytes.clone()] == *canonical;
        let mut near = (0..self.new.len()).rev().take(LOOKED_BACK);
        near.find(|&place| is_it(&self.new[place]))
            .unwrap_or_else(|| {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(canonical);
                self.new.push(NewLand {
                    hash,
                    max_moves,
                    bytes: start..self.bytes.len(),
                });
                self.new.len() - 1
            })
    }

    /// Adds a land of the current option. Returns its number if it has one.
    fn add(&mut self, canonical: &[u8], max_moves: u32) -> Option<LandId> {
        let found = self
            .lands
            .intern_if_useful(canonical, max_moves, self.visitor);
        let (land, number) = match found {
            Found::Numbered(land) => (OptionLand::Known(land), Some(land)),
            Found::New(hash) => {
                let place = self.new_land(hash, canonical, max_moves);
                (OptionLand::New(place), None)
            }
        };
        self.all.push(land);
        number
    }

    /// Gives numbers to all lands, and removes repeated options.
    pub(super) fn into_options(self) -> Options {
        let new = self.lands.insert_batch(&self.bytes, &self.new);
        let number = |land: &OptionLand| match land {
            OptionLand::Known(number) => *number,
            OptionLand::New(place) => new[*place],
        };
        let mut all: Vec<LandId> = self.all.iter().map(number).collect();
        let mut start = 0;
        for &end in &self.ends {
            all[start..end].sort_unstable();
            start = end;
        }
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let of = |(start, &end): (usize, &usize)| &all[start..end];
        let in_order = starts.zip(&self.ends).map(of).enumerate();
        let mut once: SmallVec<[(usize, &[LandId]); 64]> = in_order.collect();
        once.sort_unstable_by_key(|&(place, option)| (option, place));
        once.dedup_by_key(|&mut (_, option)| option);
        once.sort_unstable_by_key(|&(place, _)| place);
        let mut lands = Vec::with_capacity(once.iter().map(|(_, option)| option.len()).sum());
        let mut lengths = Vec::with_capacity(once.len());
        for (_, option) in once {
            lands.extend_from_slice(option);
            lengths.push(u16::try_from(option.len()).expect("a move leaves few lands"));
        }
        Options {
            lands: lands.into(),
            lengths: lengths.into(),
        }
    }
}

impl OptionSink for Collector<'_> {
    fn land(&mut self, canonical: &[u8], max_moves: u32) {
        self.add(canonical, max_moves);
    }

    fn land_with_key(&mut self, key: Key<'_>, canonical: &[u8], max_moves: u32) -> bool {
        let land = self.add(canonical, max_moves);
        self.lands.keyed.keep(key, land)
    }

    fn land_by_key(&mut self, key: Key<'_>, _max_moves: u32) -> bool {
        let land = self.lands.keyed.find(key);
        self.all.extend(land.map(OptionLand::Known));
        land.is_some()
    }

    fn end(&mut self) -> ControlFlow<()> {
        let start = self.ends.last().copied().unwrap_or(0);
        self.ends.push(self.all.len());
        let known = self.all[start..].iter().map(|land| match land {
            OptionLand::Known(number) => Some(*number),
            OptionLand::New(..) => None,
        });
        let option: Option<SmallVec<[LandId; 4]>> = known.collect();
        if let Some(mut option) = option {
            option.sort_unstable();
            self.visitor_broke = self.visitor.option(&option).is_break();
        }
        let checks = self.ends.len().is_multiple_of(OPTIONS_BETWEEN_CHECKS);
        if self.visitor_broke || checks && (self.stop)() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Passes options on to a visitor: by their lands if all have numbers, otherwise in outline.
pub(super) struct PartialExpansion<'a> {
    lands: &'a Lands,
    visitor: &'a mut dyn Visitor,
    /// The lands of the current option; `None` if one of them has no number.
    known: Option<SmallVec<[LandId; 4]>>,
    max_moves: SmallVec<[u32; 4]>,
}

impl<'a> PartialExpansion<'a> {
    pub(super) fn new(lands: &'a Lands, visitor: &'a mut dyn Visitor) -> Self {
        Self {
            lands,
            visitor,
            known: Some(SmallVec::new()),
            max_moves: SmallVec::new(),
        }
    }

    /// Adds a land of the current option. Returns its number if it has one.
    fn add(&mut self, canonical: &[u8], max_moves: u32) -> Option<LandId> {
        let found = self
            .lands
            .intern_if_useful(canonical, max_moves, self.visitor);
        let land = match found {
            Found::Numbered(land) => Some(land),
            Found::New(_) => None,
        };
        self.push(land, max_moves);
        land
    }

    fn push(&mut self, land: Option<LandId>, max_moves: u32) {
        match (land, &mut self.known) {
            (Some(land), Some(known)) => known.push(land),
            _ => self.known = None,
        }
        self.max_moves.push(max_moves);
    }
}

impl OptionSink for PartialExpansion<'_> {
    fn land(&mut self, canonical: &[u8], max_moves: u32) {
        self.add(canonical, max_moves);
    }

    fn land_with_key(&mut self, key: Key<'_>, canonical: &[u8], max_moves: u32) -> bool {
        let land = self.add(canonical, max_moves);
        self.lands.keyed.keep(key, land)
    }

    fn land_by_key(&mut self, key: Key<'_>, max_moves: u32) -> bool {
        let land = self.lands.keyed.find(key);
        if land.is_some() {
            self.push(land, max_moves);
        }
        land.is_some()
    }

    fn end(&mut self) -> ControlFlow<()> {
        let max_moves = std::mem::take(&mut self.max_moves);
        match self.known.replace(SmallVec::new()) {
            Some(mut option) => {
                option.sort_unstable();
                self.visitor.option(&option)
            }
            None => {
                self.visitor.outline(&max_moves);
                ControlFlow::Continue(())
            }
        }
    }

    fn outline(&mut self, max_moves: &mut dyn Iterator<Item = u32>) {
        let max_moves: SmallVec<[u32; 4]> = max_moves.collect();
        self.visitor.outline(&max_moves);
    }
}
