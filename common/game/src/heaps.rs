//! Games of heaps: a land is one heap of tokens, and a move replaces it by at most three heaps.
//!
//! Such a game defines the text of its parameters, and the moves from a heap. Everything else is the same for all of
//! them. Each heap carries its parameters: in a position, heaps with different parameters may stand side by side, and
//! the key of a record is complete.
//!
//! ```text
//! land = parameters size     size: two bytes, most significant first
//! ```

mod picture;
mod text;

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::picture::Picture;
use super::{
    EncodingError, Game, GameInfo, Generator, LARGEST_START, Land, OptionSink, ParseError, Position,
};

/// The size of the largest readable heap.
pub const LARGEST_HEAP: u32 = 10_000;

/// Parameters as bytes.
pub type Prefix = SmallVec<[u8; 24]>;

/// The remains of a heap after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// One heap of this size; nothing if that is 0.
    One(u32),
    /// Two heaps of this size together, neither of them empty. Each way to split is a move.
    Two(u32),
    /// Like [`Self::Two`], but of different sizes.
    TwoDifferent(u32),
    /// Three heaps of this size together, none of them empty. Each way to split is a move.
    Three(u32),
}

impl Left {
    /// The sizes of the heaps for each way to split, in ascending order. Empty heaps stand for heaps that are not left.
    pub fn sizes(self) -> impl Iterator<Item = [u32; 3]> {
        let (total, smallest) = match self {
            Self::One(total) | Self::Two(total) | Self::TwoDifferent(total) => (total, 0..1),
            Self::Three(total) => (total, 1..total / 3 + 1),
        };
        smallest.flat_map(move |one| {
            let rest = total - one;
            let middle = match self {
                Self::One(_) => 0..1,
                Self::Two(_) => 1..rest / 2 + 1,
                Self::TwoDifferent(_) => 1..rest.div_ceil(2),
                Self::Three(_) => one..rest / 2 + 1,
            };
            middle.map(move |other| [one, other, rest - other])
        })
    }
}

/// The reach of a move, if its options depend only on the number of tokens that it takes.
///
/// Moves that take more than `most_taken` tokens are all alike: there are none; or they take the whole heap; or, if
/// `takes_any`, they take any such number and leave one heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The largest number of tokens from which on moves are alike.
    pub most_taken: u32,
    /// The largest number of heaps that a move can leave, at least one.
    pub most_left: u32,
    /// Whether a move may take any larger number of tokens and leave one heap.
    pub takes_any: bool,
}

/// The moves from a heap. The size of heaps is not limited here.
pub trait Heap: Send + Sync {
    /// Passes the remains of each move to `sink`.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    fn leaves(&self, size: u32, sink: &mut dyn FnMut(Left) -> ControlFlow<()>) -> ControlFlow<()>;

    /// An upper bound on the number of moves from a heap, as for [`Game::max_moves`]; 0 exactly if there is none.
    fn longest(&self, size: u32) -> u32 {
        size
    }

    /// The nimber of a heap by a formula, if the rule has one.
    fn nimber(&self, size: u32) -> Option<u32> {
        self.is_nim().then_some(size)
    }

    /// Whether heaps are those of Nim.
    fn is_nim(&self) -> bool {
        false
    }

    /// The reach of a move. `None` if its options depend on more than the number of tokens that it takes, or if moves
    /// that take many tokens are never all alike. Proofs of periods rest on it.
    fn reach(&self) -> Option<Reach> {
        None
    }
}

/// The moves from a heap, and the canonical text of its parameters, possibly after the game's name.
pub type NamedHeap = (String, Box<dyn Heap>);

/// The parameters of a heap. A game without parameters implements none of these.
pub trait Rule: Heap + Clone + Default + PartialEq + 'static {
    /// Reads parameters.
    ///
    /// # Errors
    /// The problem with the text.
    fn from_text(text: &str) -> Result<Self, String> {
        match text {
            "" => Ok(Self::default()),
            text => Err(format!("expected a number of tokens, found `{text}`")),
        }
    }

    /// The canonical text, which [`Self::from_text`] reads.
    fn to_text(&self) -> String {
        String::new()
    }

    /// The canonical bytes.
    fn to_bytes(&self) -> Prefix {
        Prefix::new()
    }

    /// Reads canonical bytes only.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.is_empty().then(Self::default)
    }
}

/// Where a text has the parameters of heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// There are none.
    None,
    /// Before the heaps, with a colon between them: `{1,3}:7+9`. They hold until the next ones.
    Before,
    /// After each heap: `7/3+9/2`.
    After,
}

/// A game of heaps.
pub trait HeapGame: Copy + Send + Sync + 'static {
    /// The parameters and the moves.
    type Rule: Rule;

    /// See [`Game::info`].
    const INFO: GameInfo;
    /// See [`Game::other_names`].
    const OTHER_NAMES: &'static [(&'static str, &'static str)] = &[];
    /// Where a text has the parameters.
    const PARAMETERS: Parameters;

    /// See [`Game::starts`]. By default, heaps of all sizes, if there are no parameters.
    fn starts() -> Vec<String> {
        let largest = match Self::PARAMETERS {
            Parameters::None => LARGEST_START,
            Parameters::Before | Parameters::After => return Vec::new(),
        };
        (0..=largest).map(|size| size.to_string()).collect()
    }
}

impl<G: HeapGame> Game for G {
    fn info(&self) -> &GameInfo {
        &const { G::INFO }
    }

    fn other_names(&self) -> &'static [(&'static str, &'static str)] {
        G::OTHER_NAMES
    }

    fn start_text(&self, n: u32) -> Option<String> {
        (G::PARAMETERS == Parameters::None).then(|| n.to_string())
    }

    fn starts(&self) -> Vec<String> {
        G::starts()
    }

    fn starts_with(&self, parameters: &str) -> Vec<String> {
        let text = |size| match G::PARAMETERS {
            Parameters::None => format!("{size}"),
            Parameters::Before => format!("{parameters}:{size}"),
            Parameters::After => format!("{size}{parameters}"),
        };
        (0..=LARGEST_START).map(text).collect()
    }

    fn heap(&self, parameters: &str) -> Option<Result<NamedHeap, ParseError>> {
        let rule = G::Rule::from_text(parameters.trim());
        let rule = rule.map_err(|problem| ParseError { column: 1, problem });
        Some(rule.map(named))
    }

    fn heaps(&self, position: &Position) -> Option<(NamedHeap, Vec<u32>)> {
        let lands = position.lands().iter();
        let mut heaps = lands.map(|land| of_land::<G::Rule>(land.as_bytes()));
        let (rule, first) = heaps.next()?;
        let mut sizes = vec![first];
        for (other, size) in heaps {
            (other == rule).then(|| sizes.push(size))?;
        }
        Some((named(rule), sizes))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(picture::of::<G>(position))
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        text::read::<G>(text)
    }

    fn print(&self, position: &Position) -> String {
        text::print::<G>(position)
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes).map(|_| Land::from_canonical(bytes))
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        read::<G::Rule>(bytes)
            .map(|(rule, size)| rule.longest(size))
            .filter(|&moves| moves > 0)
            .ok_or(EncodingError {
                offset: 0,
                problem: "a heap is its parameters, and its size in two bytes; and it has a move",
            })
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(Moves(*self))
    }
}

/// The generator of options of a game of heaps.
struct Moves<G>(G);

impl<G: HeapGame> Generator for Moves<G> {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let (rule, size) = of_land::<G::Rule>(land);
        let prefix = rule.to_bytes();
        rule.leaves(size, &mut |left| {
            left.sizes().try_for_each(|sizes| {
                for size in sizes {
                    let max_moves = rule.longest(size);
                    if max_moves > 0 {
                        sink.land(&bytes(prefix.clone(), size), max_moves);
                    }
                }
                sink.end()
            })
        })
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// The land of a heap; `None` if there is no move.
fn land(rule: &impl Rule, size: u32) -> Option<Land> {
    let can_move = size > 0 && rule.longest(size) > 0;
    can_move.then(|| Land::from_canonical(&bytes(rule.to_bytes(), size)))
}

fn bytes(mut prefix: Prefix, size: u32) -> Prefix {
    let size = u16::try_from(size).expect("heaps are limited when read and only shrink");
    prefix.extend_from_slice(&size.to_be_bytes());
    prefix
}

fn named<R: Rule>(rule: R) -> NamedHeap {
    (rule.to_text(), Box::new(rule))
}

/// The parameters and the size of the heap of a land.
fn of_land<R: Rule>(land: &[u8]) -> (R, u32) {
    read(land).expect("a land holds bytes that its game wrote or checked")
}

/// The parameters and the size of a heap; `None` if the bytes are not a heap.
fn read<R: Rule>(land: &[u8]) -> Option<(R, u32)> {
    let (prefix, size) = land.split_last_chunk()?;
    let size = u32::from(u16::from_be_bytes(*size));
    let is_size = (1..=LARGEST_HEAP).contains(&size);
    Some((R::from_bytes(prefix).filter(|_| is_size)?, size))
}

#[cfg(test)]
mod tests;
