//! Rules of games.
//!
//! A *position* is a sum of *lands*, independent sub-games; a move is made in one land and turns
//! it into a position, possibly of several lands. A land is identified by its canonical bytes, so
//! that equal games met in different places are one.

mod by_land;
mod glance;
pub mod kayles;
mod lands;
mod options;
mod position;
pub mod slots;
pub mod sprouts;

use std::ops::ControlFlow;
use std::sync::Arc;

pub use by_land::ByLand;
pub use kayles::Kayles;
pub use lands::{LandId, Lands, expansions_by_this_thread};
pub use options::{Look, Options};
pub use position::{EncodingError, Land, Position, PositionError};
use sproutnet_notation::GameCode;
pub use sproutnet_notation::ParseError;
pub use sprouts::Sprouts;

/// The rules of an impartial game in which every play ends.
///
/// Implementations are stateless; one value serves all threads.
pub trait Game: Send + Sync + 'static {
    /// The game's name, as written before the colon in `kayles:5`.
    fn name(&self) -> &'static str;

    /// One byte that stands for the game in the keys of solved records.
    fn code(&self) -> GameCode;

    /// Version of the canonical encoding of lands. Records made under another version are not
    /// comparable; changing how a land is encoded means raising this.
    fn encoding_version(&self) -> u32;

    /// The text of the start position of size `n`: n spots, a row of n pins.
    fn start_text(&self, n: u32) -> String;

    /// Whether a position is solved for its nimber, not just its outcome, unless told otherwise.
    fn wants_nimbers(&self) -> bool {
        false
    }

    /// Reads a position.
    ///
    /// # Errors
    /// The text is not in the game's notation, or the position is larger than the game's stated
    /// limits; the error names the column.
    fn parse(&self, text: &str) -> Result<Position, ParseError>;

    /// The canonical text of a position. Parsing it gives the position back.
    fn print(&self, position: &Position) -> String;

    /// Checks bytes that came from outside, and makes a land of them.
    ///
    /// # Errors
    /// The bytes are not the canonical encoding of a land.
    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError>;

    /// Checks bytes that came from outside without making a land of them: far cheaper than
    /// [`Self::land`], allocates nothing, and takes all bytes that are canonical, but also some
    /// that only look like a land. Returns an upper bound on the number of moves.
    ///
    /// # Errors
    /// No land is written like this.
    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError>;

    /// An upper bound on the number of moves that can still be made in the land. It is positive
    /// and strictly larger than the sum of the bounds of the lands of any option.
    fn length(&self, land: &Land) -> u32 {
        let length = self.check(land.as_bytes());
        length.expect("a land holds bytes that its game wrote or checked")
    }

    /// An upper bound on the number of moves that can still be made in a position.
    fn length_of(&self, position: &Position) -> u32 {
        let lands = position.lands().iter();
        lands.fold(0, |moves, land| moves.saturating_add(self.length(land)))
    }

    /// What finds the options of many lands, and remembers what helps with the next.
    fn generator(&self) -> Box<dyn Generator>;

    /// Hands every option of the land to `sink`, some perhaps more than once, until `sink` breaks.
    ///
    /// # Errors
    /// `Break` when the sink broke; the options handed over are then incomplete.
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

    /// Hands every option of a position to `sink`, each a move in one of its lands, some more than
    /// once, until `sink` breaks.
    ///
    /// # Errors
    /// `Break` when the sink broke; the options handed over are then incomplete.
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

/// Finds options. Shared by threads.
pub trait Generator: Send + Sync {
    /// Hands every option of the land to `sink`, some perhaps more than once, until `sink` breaks.
    ///
    /// # Errors
    /// `Break` when the sink broke; the options handed over are then incomplete.
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()>;

    /// Hands the options of the smallest lands to `sink` as [`Self::each_option`] does, but so many at
    /// most; of all others it tells but an [outline](OptionSink::outline). `None` if that would take as
    /// long as to find all of them.
    fn glance(
        &self,
        land: &[u8],
        most: usize,
        sink: &mut dyn OptionSink,
    ) -> Option<ControlFlow<()>> {
        let _ = (land, most, sink);
        None
    }

    /// The memory that is remembered in, in bytes, about.
    fn bytes(&self) -> usize;
}

/// Takes options, each as its lands.
pub trait OptionSink {
    /// A land of the option that is being told, in no order: its canonical bytes, and its
    /// [length](Game::length).
    fn land(&mut self, canonical: &[u8], length: u32);

    /// All lands of the option were told.
    ///
    /// # Errors
    /// `Break` if no more options are wanted.
    fn end(&mut self) -> ControlFlow<()>;

    /// An option of which no more is told than the [lengths](Game::length) of its lands.
    fn outline(&mut self, lengths: &mut dyn Iterator<Item = u32>) {
        let _ = lengths;
    }
}

/// Makes positions of options.
struct Positions<'a> {
    lands: Vec<Land>,
    sink: &'a mut dyn FnMut(Position) -> ControlFlow<()>,
}

impl OptionSink for Positions<'_> {
    fn land(&mut self, canonical: &[u8], _length: u32) {
        self.lands.push(Land::from_canonical(canonical));
    }

    fn end(&mut self) -> ControlFlow<()> {
        (self.sink)(Position::new(std::mem::take(&mut self.lands)))
    }
}

/// All games, by name.
pub fn all() -> Vec<Arc<dyn Game>> {
    vec![Arc::new(Sprouts), Arc::new(Kayles)]
}

/// The names of all games and the versions of their canonical encodings.
pub fn encodings() -> Vec<(&'static str, u32)> {
    let games = all();
    let encoding = |game: &Arc<dyn Game>| (game.name(), game.encoding_version());
    games.iter().map(encoding).collect()
}

/// The game of that code.
pub fn by_code(code: GameCode) -> Option<Arc<dyn Game>> {
    all().into_iter().find(|game| game.code() == code)
}

/// The game of that name.
pub fn by_name(name: &str) -> Option<Arc<dyn Game>> {
    all().into_iter().find(|game| game.name() == name)
}

/// Reads a position given as `text`, of Sprouts, or as `game:text`. Columns of errors count from
/// the start of the whole.
///
/// # Errors
/// There is no such game, or the text is not in its notation.
pub fn parse(text: &str) -> Result<(Arc<dyn Game>, Position), PositionError> {
    let (game, rest) = split_game(text)?;
    match game.parse(rest) {
        Ok(position) => Ok((game, position)),
        Err(mut error) => {
            error.column += text.chars().count() - rest.chars().count();
            Err(error.into())
        }
    }
}

/// A text of a game as [`parse`] takes it: Sprouts needs no name.
pub fn qualified(game: &dyn Game, text: &str) -> String {
    match game.name() {
        "sprouts" => text.to_owned(),
        name => format!("{name}:{text}"),
    }
}

/// Splits `game:text`; text without a game is of Sprouts.
///
/// # Errors
/// There is no such game.
pub fn split_game(text: &str) -> Result<(Arc<dyn Game>, &str), PositionError> {
    let (name, rest) = text.split_once(':').unwrap_or(("sprouts", text));
    let unknown = || PositionError::UnknownGame(name.to_owned());
    Ok((by_name(name.trim()).ok_or_else(unknown)?, rest))
}
