//! The rules of games.
//!
//! A *position* is a sum of *lands*, which are independent sub-games. A move is made in one land and
//! turns it into a position, possibly of several lands. A land is identified by its canonical bytes.
//!
//! ```
//! let (game, position) = sproutnet_game::parse("kayles:3+5+1")?;
//! assert_eq!((game.name(), position.lands().len()), ("kayles", 3));
//! assert_eq!(game.print(&position), "1+3+5");
//! # Ok::<(), sproutnet_game::PositionError>(())
//! ```

mod encodings;
mod games;
pub mod graphs;
pub mod heaps;
mod hints;
mod keyed;
mod lands;
mod names;
mod options;
pub mod picture;
mod position;
pub mod slots;
pub mod sprouts;
mod sums;

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use games::*;
use heaps::NamedHeap;
pub use lands::{ByLand, LandId, Lands, expansions_by_this_thread};
pub use names::{
    by_name, heap, parse, parse_stored, qualified, split_game, starts, typed, typed_in_form,
};
pub use options::{Options, Visitor};
use picture::Picture;
pub use position::{EncodingError, Land, Position, PositionError};
pub use sproutnet_notation::ParseError;
use sproutnet_notation::{GameCode, Outcome};
use sprouts::Mid;
pub use sprouts::Sprouts;

/// The largest size of a start position in a table: the maximum number of spots in Sprouts.
pub const LARGEST_START: u32 = 333;

/// The names and the notation of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name, as before the colon in `kayles:5`: small letters, perhaps with a hyphen between them.
    pub name: &'static str,
    /// The byte that identifies the game in the keys of solved records.
    pub code: GameCode,
    /// The version of the canonical encoding of lands. Every change of the encoding raises it, because records of
    /// different versions are not comparable.
    pub encoding_version: u32,
    /// The effect of a move, in one line.
    pub rules: &'static str,
    /// The notation of positions, in one line; placeholders are in capital letters.
    pub notation: &'static str,
    /// Small positions that show the notation, as [`Game::parse`] reads them, the best first. Tests play from them.
    pub examples: &'static [&'static str],
    /// Whether positions are solved for their nimbers by default, not just for their outcomes.
    pub wants_nimbers: bool,
}

/// The rules of a game in which every play ends; an impartial one, unless it [says](Self::is_partizan) otherwise.
///
/// Implementations are stateless; one value serves all threads. A game with parameters, such as the octal games, is
/// one game too: its lands carry their parameters in their bytes, and its texts name them.
pub trait Game: Send + Sync + 'static {
    /// The names and the notation of the game.
    fn info(&self) -> &GameInfo;

    /// See [`GameInfo::name`].
    fn name(&self) -> &'static str {
        self.info().name
    }

    /// See [`GameInfo::code`].
    fn code(&self) -> GameCode {
        self.info().code
    }

    /// Whether the players have different moves. Such a game has no nimbers.
    fn is_partizan(&self) -> bool {
        false
    }

    /// Other names for the game with certain parameters: `dawson` is `octal` with `(0.137)`.
    fn other_names(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The text of the start position of size `n`: n spots, a row of n pins. `None` if a size alone does not determine
    /// the position.
    fn start_text(&self, n: u32) -> Option<String> {
        let _ = n;
        None
    }

    /// The texts of the start positions in the game's table, in their order. By default, the positions of all sizes up
    /// to [`LARGEST_START`].
    fn starts(&self) -> Vec<String> {
        let sizes = 0..=LARGEST_START;
        sizes.map_while(|size| self.start_text(size)).collect()
    }

    /// The texts of heaps with these parameters, in the order of their sizes; none if the game is not played with heaps.
    fn starts_with(&self, parameters: &str) -> Vec<String> {
        let _ = parameters;
        Vec::new()
    }

    /// The moves from heaps with these parameters, and the canonical text of the parameters; `None` if the game is
    /// not played with heaps.
    ///
    /// # Errors
    /// The parameters are wrong.
    fn heap(&self, parameters: &str) -> Option<Result<NamedHeap, ParseError>> {
        let _ = parameters;
        None
    }

    /// The sizes of the heaps with a move in a position, and the moves from them as in [`Self::heap`]. `None` if the
    /// game is not played with heaps, if there is no heap, or if heaps have different parameters.
    fn heaps(&self, position: &Position) -> Option<(NamedHeap, Vec<u32>)> {
        let _ = position;
        None
    }

    /// The board and its player to move, if the game is the switching game and not over. Theory answers such positions
    /// at once.
    fn switching(&self, position: &Position) -> Option<(switching::Board, switching::Player)> {
        let _ = position;
        None
    }

    /// The outcome under normal play of a position with a symmetric board, if it follows from answering each move by its
    /// image.
    fn by_symmetry(&self, position: &Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// The number of moves of every play from a position, if that is known without a search.
    fn moves_of_each_play(&self, position: &Position) -> Option<u32> {
        let _ = position;
        None
    }

    /// The game of a land and the land there, if lands belong to different games.
    fn part(&self, land: &Land) -> Option<(Arc<dyn Game>, Land)> {
        let _ = land;
        None
    }

    /// The game under whose code a fact about the nimber of a land is filed, and the land there.
    fn filed<'a>(&self, land: &'a [u8]) -> (GameCode, &'a [u8]) {
        (self.code(), land)
    }

    /// The land that a fact about a nimber is about, given where it is [filed](Self::filed). `None` if facts of this game
    /// are not filed there.
    fn unfiled<'a>(&self, code: GameCode, land: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        (code == self.code()).then_some(Cow::Borrowed(land))
    }

    /// The meaning of a `2`, for games whose positions are drawings in the plane and whose lands
    /// [`sprouts::raw_position`] reads. Such games need no [`picture`](Self::picture).
    fn mid(&self) -> Option<Mid> {
        None
    }

    /// A picture of a position; `None` if the game has no such pictures.
    fn picture(&self, position: &Position) -> Option<Picture> {
        let _ = position;
        None
    }

    /// Reads a position in the form of certificates and stores.
    ///
    /// # Errors
    /// The text is not in the game's notation, the position cannot occur, or it is larger than the game's
    /// stated limits; the error names the column.
    fn parse(&self, text: &str) -> Result<Position, ParseError>;

    /// Reads a position that [`Self::print`] wrote. An earlier version of it may have accepted more.
    ///
    /// # Errors
    /// As for [`Self::parse`], but the position need not be one that can occur.
    fn parse_stored(&self, text: &str) -> Result<Position, ParseError> {
        self.parse(text)
    }

    /// Reads a position of a program's query, from a text that has no other reading.
    ///
    /// # Errors
    /// As for [`Self::parse`], or the text could be read in two ways; the error names the column.
    fn parse_unambiguous(&self, text: &str) -> Result<Position, ParseError> {
        self.parse(text)
    }

    /// The canonical text of a position, as in certificates and stores. Parsing it gives the position back.
    /// [`qualified`] turns it into the text for people and programs.
    fn print(&self, position: &Position) -> String;

    /// Makes a land of untrusted bytes.
    ///
    /// # Errors
    /// The bytes are not the canonical encoding of a land.
    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError>;

    /// Checks untrusted bytes, and returns the maximum number of moves. This is far cheaper than [`Self::land`] and
    /// allocates nothing. It accepts all canonical bytes, and some others.
    ///
    /// # Errors
    /// The bytes do not describe a land.
    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError>;

    /// Checks that a land can occur, given bytes that pass [`Self::check`].
    ///
    /// # Errors
    /// The land cannot occur; for example, no drawing in the plane has its regions.
    fn check_possible(&self, bytes: &[u8]) -> Result<(), EncodingError> {
        let _ = bytes;
        Ok(())
    }

    /// An upper bound on the number of moves that can still be made in the land. It is positive
    /// and strictly larger than the sum of the bounds of the lands of any option.
    fn max_moves(&self, land: &Land) -> u32 {
        let moves = self.check(land.as_bytes());
        moves.expect("a land holds bytes that its game wrote or checked")
    }

    /// An upper bound on the number of moves that can still be made in a position.
    fn max_moves_of(&self, position: &Position) -> u32 {
        let lands = position.lands().iter();
        lands.fold(0, |moves, land| moves.saturating_add(self.max_moves(land)))
    }

    /// A new generator of options.
    fn generator(&self) -> Box<dyn Generator>;

    /// Passes every option of a land to `sink`, some perhaps more than once.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    fn options(
        &self,
        land: &Land,
        sink: &mut dyn FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.generator().options(land, sink)
    }

    /// Passes every option of a position to `sink`, some perhaps more than once.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    fn moves(
        &self,
        position: &Position,
        sink: &mut dyn FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.generator().moves(position, sink)
    }
}

/// Generates the options of lands, with caches that speed up later ones. Shared by threads.
pub trait Generator: Send + Sync {
    /// Passes every option of a land to `sink`, some perhaps more than once.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()>;

    /// Passes the `most` options of the smallest lands to `sink`, and all others
    /// [in outline](OptionSink::outline). `None` if that would take as long as all options.
    fn expand_partially(
        &self,
        land: &[u8],
        most: usize,
        sink: &mut dyn OptionSink,
    ) -> Option<ControlFlow<()>> {
        let _ = (land, most, sink);
        None
    }

    /// The approximate memory of the caches, in bytes.
    fn bytes(&self) -> usize;
}

impl dyn Generator + '_ {
    /// Passes every option of a land to `sink`, some perhaps more than once.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    pub fn options(
        &self,
        land: &Land,
        sink: &mut dyn FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut positions = Positions {
            lands: Vec::new(),
            sink,
        };
        self.each_option(land.as_bytes(), &mut positions)
    }

    /// Passes every option of a position to `sink`, some perhaps more than once.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    pub fn moves(
        &self,
        position: &Position,
        sink: &mut dyn FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let lands = position.lands();
        for (i, land) in lands.iter().enumerate() {
            if i > 0 && lands[i - 1] == *land {
                continue;
            }
            let others = Position::new([&lands[..i], &lands[i + 1..]].concat());
            self.options(land, &mut |option| sink(option.plus(&others)))?;
        }
        ControlFlow::Continue(())
    }
}

/// A key by which a generator names a land as long as it lives. A land can have several keys, but a key belongs to one
/// land.
#[derive(Clone, Copy)]
pub struct Key<'a> {
    /// The key.
    pub bytes: &'a [u8],
    /// A hash of the key.
    pub hash: u64,
}

/// Receives options land by land.
pub trait OptionSink {
    /// A land of the current option, in any order: its canonical bytes and
    /// [`max_moves`](Game::max_moves).
    fn land(&mut self, canonical: &[u8], max_moves: u32);

    /// The same, given a key of the land. Returns whether the sink keeps the key.
    fn land_with_key(&mut self, key: Key<'_>, canonical: &[u8], max_moves: u32) -> bool {
        let _ = key;
        self.land(canonical, max_moves);
        false
    }

    /// The same by a key alone. Returns false, and does nothing, if the sink does not know the key.
    fn land_by_key(&mut self, key: Key<'_>, max_moves: u32) -> bool {
        let _ = (key, max_moves);
        false
    }

    /// Ends the current option.
    ///
    /// # Errors
    /// `Break` if no more options are wanted.
    fn end(&mut self) -> ControlFlow<()>;

    /// An option that was not generated, by the [`max_moves`](Game::max_moves) of its lands.
    fn outline(&mut self, max_moves: &mut dyn Iterator<Item = u32>) {
        let _ = max_moves;
    }
}

struct Positions<'a> {
    lands: Vec<Land>,
    sink: &'a mut dyn FnMut(Position) -> ControlFlow<()>,
}

impl OptionSink for Positions<'_> {
    fn land(&mut self, canonical: &[u8], _max_moves: u32) {
        self.lands.push(Land::from_canonical(canonical));
    }

    fn end(&mut self) -> ControlFlow<()> {
        (self.sink)(Position::new(std::mem::take(&mut self.lands)))
    }
}

/// The names of all games and the versions of their canonical encodings.
pub fn encodings() -> Vec<(&'static str, u32)> {
    let games = all();
    let encoding = |game: &Arc<dyn Game>| (game.name(), game.info().encoding_version);
    games.iter().map(encoding).collect()
}

#[cfg(test)]
mod tests;
