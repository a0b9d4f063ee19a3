//! Sprouts with crosses. A cross has four free ends. A move joins two ends or spots by a line, as in Sprouts.
//!
//! - *Brussels Sprouts* (Conway): there are crosses alone, and a move puts a new one across its line. Every play from n
//!   crosses has 5n - 2 moves.
//! - *Mixed Sprouts*: there are dots and crosses, and the player to move chooses one of them for the line.
//!
//! Positions are those of Sprouts: a free end is a spot with one life, in one region. `x` is short for a boundary of
//! four of them. A cross adds an end on either side of its line, so that a move can leave as many lives as before.

use sproutnet_notation::GameCode;
use sproutnet_notation::raw::{RawPosition, Spot};
use sproutnet_notation::text::{crosses, mark_numbers};

use crate::sprouts::planar::PlanarMap;
use crate::sprouts::{self, Mid, Rules};
use crate::{EncodingError, Game, GameInfo, Generator, Land, ParseError, Position};

/// A game with crosses.
#[derive(Clone, Copy, Debug)]
pub struct Crosses {
    info: GameInfo,
    rules: Rules,
}

impl Crosses {
    /// Brussels Sprouts.
    pub const BRUSSELS: Self = Self {
        info: GameInfo {
            name: "brussels",
            code: GameCode(b'X'),
            encoding_version: 1,
            rules: "a move joins two free ends of crosses, and puts a short line across, with two new ends",
            notation: "brussels:x*CROSSES, or regions with their boundaries of free ends, such as brussels:x.2222",
            examples: &["x*2", "x+222.22", "22222.2"],
            wants_nimbers: false,
        },
        rules: Rules::BRUSSELS,
    };

    /// Mixed Sprouts.
    pub const MIXED: Self = Self {
        info: GameInfo {
            name: "mixed",
            code: GameCode(b'M'),
            encoding_version: 1,
            rules: "a move joins two spots or free ends, and puts a new spot or a short line across on the line",
            notation: "mixed:0*SPOTS.x*CROSSES, or regions with their boundaries, such as mixed:0.x.1a1a",
            examples: &["x", "0*2", "0.22+AB2|AB", "1a1a"],
            wants_nimbers: false,
        },
        rules: Rules::MIXED,
    };

    /// The position drawn on a planar map.
    pub fn on_map(self, map: &PlanarMap) -> Position {
        self.rules.position(&map.raw())
    }

    /// Refuses spots in a game with crosses alone.
    fn checked(self, raw: &RawPosition, text: &str) -> Result<Position, ParseError> {
        let boundaries = (0..raw.regions()).flat_map(|region| raw.boundaries(region));
        let is_end = |&spot: &Spot| spot == Spot::MID;
        if !self.rules.has_spots() && !boundaries.flatten().all(is_end) {
            let is_spot = |symbol: char| {
                symbol != 'x' && symbol.is_ascii_alphabetic() || "01".contains(symbol)
            };
            let in_count =
                |before: &str| before.ends_with(|last: char| last == '*' || last.is_ascii_digit());
            let mut spots = text.char_indices().filter(|&(_, symbol)| is_spot(symbol));
            let first = spots.find(|&(at, _)| !in_count(text[..at].trim_end_matches(['2', '3'])));
            let before = &text[..first.map_or(0, |(at, _)| at)];
            return Err(ParseError {
                column: before.chars().count() + 1,
                problem: "Brussels Sprouts is played with crosses alone: a boundary is `x`, or a `2` for each free end"
                    .to_owned(),
            });
        }
        Ok(self.rules.position(raw))
    }
}

impl Game for Crosses {
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start_text(&self, n: u32) -> Option<String> {
        match (self.rules.has_spots(), n) {
            (true, _) => None,
            (false, 0) => Some("!".to_owned()),
            (false, n) => Some(format!("x*{n}")),
        }
    }

    /// Up to twelve crosses; in Mixed Sprouts, dots and crosses, up to six together.
    fn starts(&self) -> Vec<String> {
        let text = |dots: u32, crosses: u32| match (dots, crosses) {
            (0, 0) => "!".to_owned(),
            (0, _) => format!("x*{crosses}"),
            (_, 0) => format!("0*{dots}"),
            _ => format!("0*{dots}.x*{crosses}"),
        };
        if !self.rules.has_spots() {
            return (0..=12).map(|crosses| text(0, crosses)).collect();
        }
        let sums = (0..=6).flat_map(|all| (0..=all).map(move |crosses| (all - crosses, crosses)));
        sums.map(|(dots, crosses)| text(dots, crosses)).collect()
    }

    fn mid(&self) -> Option<Mid> {
        Some(Mid::FreeEnd)
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        self.checked(&crosses::parse_drawable(text)?, text)
    }

    fn parse_stored(&self, text: &str) -> Result<Position, ParseError> {
        self.checked(&crosses::parse(text)?, text)
    }

    fn parse_unambiguous(&self, text: &str) -> Result<Position, ParseError> {
        self.checked(&crosses::parse_unambiguous(text)?, text)
    }

    /// In Brussels Sprouts, 5n − 2 from n crosses.
    fn moves_of_each_play(&self, position: &Position) -> Option<u32> {
        let is_start = position.lands().len() == 1 && !self.rules.has_spots();
        let text = is_start.then(|| self.print(position))?;
        let crosses: u32 = match text.strip_prefix("x*") {
            Some(crosses) => crosses.parse().ok()?,
            None => (text == "x").then_some(1)?,
        };
        Some(5 * crosses - 2)
    }

    fn print(&self, position: &Position) -> String {
        if position.lands().is_empty() {
            return "!".to_owned();
        }
        let lands = position.lands().iter();
        let texts: Vec<String> = lands
            .map(|land| crosses::print_land(&sprouts::raw_position(land)))
            .collect();
        mark_numbers(&texts.join("+"))
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.rules.land(bytes)
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        self.rules.check(bytes)
    }

    fn check_possible(&self, bytes: &[u8]) -> Result<(), EncodingError> {
        sprouts::check_drawable(bytes)
    }

    fn generator(&self) -> Box<dyn Generator> {
        self.rules.generator()
    }
}

#[cfg(test)]
mod tests;
