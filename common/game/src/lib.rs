//! The rules of games.
//!
//! A *position* is a sum of *lands*, which are independent sub-games. A move is made in one land and
//! turns it into a position, possibly of several lands. A land is identified by its canonical bytes.

mod hints;
pub mod kayles;
mod lands;
mod options;
mod position;
pub mod slots;
pub mod sprouts;

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use kayles::Kayles;
pub use lands::{ByLand, LandId, Lands, expansions_by_this_thread};
pub use options::{Options, Visitor};
pub use position::{EncodingError, Land, Position, PositionError};
use sproutnet_notation::GameCode;
pub use sproutnet_notation::ParseError;
use sproutnet_notation::text::{is_number, mark_numbers};
pub use sprouts::Sprouts;

/// The rules of an impartial game in which every play ends.
///
/// Implementations are stateless; one value serves all threads.
pub trait Game: Send + Sync + 'static {
    /// The game's name, as before the colon in `kayles:5`.
    fn name(&self) -> &'static str;

    /// The byte that identifies the game in the keys of solved records.
    fn code(&self) -> GameCode;

    /// The version of the canonical encoding of lands. Every change of the encoding raises it, because
    /// records of different versions are not comparable.
    fn encoding_version(&self) -> u32;

    /// The text of the start position of size `n`: n spots, a row of n pins.
    fn start_text(&self, n: u32) -> String;

    /// Whether positions are solved for their nimbers by default, not just for their outcomes.
    fn wants_nimbers(&self) -> bool {
        false
    }

    /// Reads a position, as certificates and stores have it.
    ///
    /// # Errors
    /// The text is not in the game's notation, the position cannot occur, or it is larger than the game's
    /// stated limits; the error names the column.
    fn parse(&self, text: &str) -> Result<Position, ParseError>;

    /// Reads a position that [`Self::print`] wrote, perhaps an earlier version of it that accepted more.
    ///
    /// # Errors
    /// As for [`Self::parse`], but the position need not be one that can occur.
    fn parse_stored(&self, text: &str) -> Result<Position, ParseError> {
        self.parse(text)
    }

    /// Reads a position that a program asks about, from a text that has no other reading.
    ///
    /// # Errors
    /// As for [`Self::parse`], or the text could be read in two ways; the error names the column.
    fn parse_unambiguous(&self, text: &str) -> Result<Position, ParseError> {
        self.parse(text)
    }

    /// The canonical text of a position, as certificates and stores have it. Parsing it gives the
    /// position back. [`qualified`] makes it the text for people and programs.
    fn print(&self, position: &Position) -> String;

    /// Makes a land of bytes that may be wrong.
    ///
    /// # Errors
    /// The bytes are not the canonical encoding of a land.
    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError>;

    /// Checks bytes that may be wrong, and returns the maximum number of moves. This is far cheaper
    /// than [`Self::land`] and allocates nothing. It accepts all canonical bytes, and some that are not.
    ///
    /// # Errors
    /// The bytes do not describe a land.
    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError>;

    /// Checks that a land can occur, given bytes that pass [`Self::check`].
    ///
    /// # Errors
    /// It cannot; for example, no drawing in the plane has its regions.
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
        let mut positions = Positions {
            lands: Vec::new(),
            sink,
        };
        self.generator()
            .each_option(land.as_bytes(), &mut positions)
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

/// Generates the options of lands, and keeps what speeds up the next ones. Shared by threads.
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

    /// The approximate memory of what is kept, in bytes.
    fn bytes(&self) -> usize;
}

/// Receives options land by land.
pub trait OptionSink {
    /// A land of the current option, in any order: its canonical bytes and
    /// [`max_moves`](Game::max_moves).
    fn land(&mut self, canonical: &[u8], max_moves: u32);

    /// The current option is complete.
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

/// All games.
pub fn all() -> Vec<Arc<dyn Game>> {
    vec![Arc::new(Sprouts), Arc::new(Kayles)]
}

/// The names of all games and the versions of their canonical encodings.
pub fn encodings() -> Vec<(&'static str, u32)> {
    let games = all();
    let encoding = |game: &Arc<dyn Game>| (game.name(), game.encoding_version());
    games.iter().map(encoding).collect()
}

/// The game with this name.
pub fn by_name(name: &str) -> Option<Arc<dyn Game>> {
    all().into_iter().find(|game| game.name() == name)
}

/// Reads a position that a program asks about, or what a person [typed]: `game:text`, or only `text` for
/// Sprouts. The columns of errors count from the start of `game:text`.
///
/// # Errors
/// There is no such game, or as for [`Game::parse_unambiguous`].
pub fn parse(text: &str) -> Result<(Arc<dyn Game>, Position), PositionError> {
    parse_by(text, Game::parse_unambiguous).map_err(|error| hints::explained(text, error))
}

/// Reads a position that was stored: [`Game::parse_stored`].
///
/// # Errors
/// There is no such game, or the text is not in its notation.
pub fn parse_stored(text: &str) -> Result<(Arc<dyn Game>, Position), PositionError> {
    parse_by(text, Game::parse_stored)
}

fn parse_by(
    text: &str,
    parse: fn(&dyn Game, &str) -> Result<Position, ParseError>,
) -> Result<(Arc<dyn Game>, Position), PositionError> {
    let (game, rest) = split_game(text)?;
    match parse(&*game, rest) {
        Ok(position) => Ok((game, position)),
        Err(mut error) => {
            error.column += text.chars().count() - rest.chars().count();
            Err(error.into())
        }
    }
}

/// What a person means by a text, as [`parse`] reads it: a number is the start position of that size, so
/// `21` is `0*21`. All other text stays as it is.
pub fn typed(text: &str) -> Cow<'_, str> {
    if let Ok((game, rest)) = split_game(text)
        && is_number(rest.trim())
        && let Ok(size) = rest.trim().parse()
    {
        return Cow::Owned(qualified(&*game, &game.start_text(size)));
    }
    Cow::Borrowed(text)
}

/// A position's text in its game, as [`parse`] reads it: with the name of the game, except for Sprouts,
/// where lands that are numbers are [marked](mark_numbers).
pub fn qualified(game: &dyn Game, text: &str) -> String {
    match game.name() {
        "sprouts" => mark_numbers(text),
        name => format!("{name}:{text}"),
    }
}

/// Splits `game:text`. Text without a game belongs to Sprouts.
///
/// # Errors
/// There is no such game.
pub fn split_game(text: &str) -> Result<(Arc<dyn Game>, &str), PositionError> {
    let (name, rest) = text.split_once(':').unwrap_or(("sprouts", text));
    let unknown = || PositionError::UnknownGame(name.to_owned());
    Ok((by_name(name.trim()).ok_or_else(unknown)?, rest))
}

#[cfg(test)]
mod tests;
