//! Sums across games: a move is a move in one land, of whichever game.
//!
//! A land is a land of another game: the code of that game, then the canonical bytes of the land there. By the theorem of
//! Sprague (1935) and Grundy (1939), a sum of lands of impartial games has a nimber whatever the games are. A partizan
//! game has no part in such sums. Facts about nimbers are those of the game of each land; facts about misère play are about
//! whole sums.
//!
//! A term that names a game begins a part, as in `kayles:5+3+cram:3x4`: terms without a name belong to the game named
//! last, at the beginning to Sprouts. `*N` is a heap of Nim of size N, wherever it stands. After `explicit:` it is a
//! heap of the explicit game, which plays alike. Next to Sprouts, braces need no name.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, LazyLock};

use sproutnet_notation::GameCode;
use sproutnet_notation::text::is_number;

use crate::picture::{Panel, Picture};
use crate::{
    EncodingError, Game, GameInfo, Generator, Land, OptionSink, ParseError, Position,
    PositionError, all, names, qualified,
};

const CODE: GameCode = GameCode(b'+');

/// What a Nim heap of a sum is read as, without its star.
const NIM: &str = "nim:";

/// What braces without a name are read as.
const BRACES: &str = "explicit:";

/// The number of games in sums when the version of sums was still the sum of the versions of all games.
const FIRST_PARTS: u32 = 16;

/// The text of a sum without lands.
const NOTHING: &str = "!";

/// The games whose lands add up, Sprouts first.
static PARTS: LazyLock<Vec<Arc<dyn Game>>> = LazyLock::new(|| {
    let games = all().into_iter();
    let add_up = |game: &Arc<dyn Game>| game.code() != CODE && !game.is_partizan();
    games.filter(add_up).collect()
});

static INFO: LazyLock<GameInfo> = LazyLock::new(|| GameInfo {
    name: "sum",
    code: CODE,
    // It changes whenever the encoding of a part changes. A new game leaves the sums of others as they are.
    encoding_version: {
        let changes = PARTS.iter().map(|part| part.info().encoding_version - 1);
        FIRST_PARTS + changes.sum::<u32>()
    },
    rules: "a move is a move in one of several games",
    notation: "POSITION+GAME:POSITION+…, such as 0*3+kayles:5; *SIZE is a heap of Nim",
    examples: &[
        "0*2+nim:2",
        "kayles:5+nim:3",
        "brussels:x*2+cram:2x3+nim:1",
        "octal(0.137):6+bash:9/2",
    ],
    wants_nimbers: true,
});

/// The sum of lands of different games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum;

/// Several terms of one game, one after another.
struct Part<'a> {
    /// The name of the game and the colon, perhaps with parameters between them; nothing for Sprouts.
    name: &'a str,
    /// The place of the terms in the whole text.
    terms: Range<usize>,
}

/// The parts of a text, with empty terms where the text has them.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    // The name of the game of the next term, and whether the last part goes on with it.
    let (mut name, mut goes_on) = ("", false);
    let mut start = 0;
    for term in text.split('+') {
        let end = start + term.len();
        let trimmed = term.trim_start();
        let begin = end - trimmed.len();
        let is_explicit = goes_on && name.trim_end_matches(':').trim_end() == names::EXPLICIT;
        let is_heap = trimmed.strip_prefix('*').is_some_and(is_number_and_blanks);
        let part = if is_heap && !is_explicit {
            goes_on = false;
            Some((NIM, begin + 1))
        } else if name.is_empty() && names::is_explicit(trimmed) {
            (name, goes_on) = (BRACES, true);
            Some((name, begin))
        } else if let Some(colon) = end_of_name(trimmed) {
            (name, goes_on) = (&trimmed[..colon], true);
            Some((name, begin + colon))
        } else if goes_on {
            None
        } else {
            goes_on = true;
            Some((name, start))
        };
        match (part, parts.last_mut()) {
            (Some((name, start)), _) => parts.push(Part {
                name,
                terms: start..end,
            }),
            (None, Some(last)) => last.terms.end = end,
            (None, None) => unreachable!("the first term begins a part"),
        }
        start = end + 1;
    }
    parts
}

fn is_number_and_blanks(text: &str) -> bool {
    is_number(text.trim_end())
}

/// The end of the name of a game at the beginning of a term: after its colon, or before the brackets of its parameters.
fn end_of_name(term: &str) -> Option<usize> {
    let end = term.find([':', '(', '{'])?;
    let name = term[..end].trim();
    if term[end..].starts_with(':') {
        return (!name.is_empty()).then_some(end + 1);
    }
    // Graphs and spots have brackets, too.
    names::by_name(name)?;
    Some(end + term[end..].find(':')? + 1)
}

impl Sum {
    /// Whether a text has several parts, or a heap of Nim by its star.
    pub(crate) fn is_sum(text: &str) -> bool {
        let parts = parts(text);
        let has_star = |part: &Part<'_>| text[..part.terms.start].ends_with('*');
        parts.len() > 1 || parts.iter().any(has_star)
    }

    /// Whether a text names several games.
    pub(crate) fn is_across(text: &str) -> bool {
        let parts = parts(text);
        let of = |part: &Part<'_>| match names::split_game(part.name) {
            Ok((game, _)) => game.name(),
            Err(_) => "",
        };
        parts.iter().any(|part| of(part) != of(&parts[0]))
    }

    /// The game and the position of a sum whose lands belong to one game; else the sum itself.
    pub(crate) fn simplified(sum: Position) -> (Arc<dyn Game>, Position) {
        let mut lands = Vec::new();
        let mut one = None;
        for land in sum.lands() {
            match part_of(land.as_bytes()) {
                Ok((part, land)) if one.is_none_or(|one| one == part.code()) => {
                    one = Some(part.code());
                    lands.push(Land::from_canonical(land));
                }
                _ => return (Arc::new(Self), sum),
            }
        }
        match PARTS.iter().find(|part| Some(part.code()) == one) {
            Some(part) => (Arc::clone(part), Position::new(lands)),
            None => (Arc::new(Self), sum),
        }
    }

    /// Reads a sum, each part by `read`.
    pub(crate) fn read(
        text: &str,
        read: fn(&dyn Game, &str) -> Result<Position, ParseError>,
    ) -> Result<Position, ParseError> {
        if text.trim() == NOTHING {
            return Ok(Position::default());
        }
        let mut lands = Vec::new();
        for Part { name, terms } in parts(text) {
            let before = text[..terms.start].chars().count();
            let within = |column: usize| {
                (before + column)
                    .saturating_sub(name.chars().count())
                    .max(1)
            };
            let refused = |error| match error {
                PositionError::Parse(error) => ParseError {
                    column: within(error.column),
                    ..error
                },
                PositionError::UnknownGame(_) => ParseError {
                    column: within(1),
                    problem: error.to_string(),
                },
            };
            let of_part = format!("{name}{}", &text[terms]);
            let (game, position) = names::parse_one(&of_part, read).map_err(refused)?;
            if !PARTS.iter().any(|part| part.code() == game.code()) {
                return Err(ParseError {
                    column: within(1),
                    problem: format!("positions of {} do not add up to sums", game.name()),
                });
            }
            lands.extend(
                position
                    .lands()
                    .iter()
                    .map(|land| own(game.code(), land.as_bytes())),
            );
        }
        Ok(Position::new(lands))
    }
}

/// The land of a sum.
fn own(code: GameCode, land: &[u8]) -> Land {
    Land::from_canonical(&[&[code.0], land].concat())
}

/// The game of a land of a sum, and the bytes of the land there.
fn part_of(land: &[u8]) -> Result<(&'static Arc<dyn Game>, &[u8]), EncodingError> {
    let unknown = EncodingError {
        offset: 0,
        problem: "no game whose lands add up has that code",
    };
    let (code, land) = land.split_first().ok_or_else(|| unknown.clone())?;
    let part = PARTS.iter().find(|part| part.code().0 == *code);
    part.map(|part| (part, land)).ok_or(unknown)
}

/// An error in the bytes after the code.
fn after_code(EncodingError { offset, problem }: EncodingError) -> EncodingError {
    EncodingError {
        offset: offset + 1,
        problem,
    }
}

impl Game for Sum {
    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    /// Without [`INFO`], which needs the parts, which are found by their codes.
    fn code(&self) -> GameCode {
        CODE
    }

    /// Small starts of Sprouts beside small heaps of Nim: the nimber of a start is the heap beside which it is lost.
    fn starts(&self) -> Vec<String> {
        let starts = (2..=9).flat_map(|spots| (1..=3).map(move |heap| (spots, heap)));
        starts
            .map(|(spots, heap)| format!("0*{spots}+{NIM}{heap}"))
            .collect()
    }

    fn part(&self, land: &Land) -> Option<(Arc<dyn Game>, Land)> {
        let (part, land) = part_of(land.as_bytes()).ok()?;
        Some((Arc::clone(part), Land::from_canonical(land)))
    }

    fn filed<'a>(&self, land: &'a [u8]) -> (GameCode, &'a [u8]) {
        let (part, land) = part_of(land).expect("a land has the code of a part");
        (part.code(), land)
    }

    fn unfiled<'a>(&self, code: GameCode, land: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let is_part = PARTS.iter().any(|part| part.code() == code);
        is_part.then(|| Cow::Owned([&[code.0], land].concat()))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let panels = position.lands().iter().filter_map(|land| {
            let (game, land) = self.part(land)?;
            let position = Position::new(vec![land]);
            let drawn = game.picture(&position).map(|picture| picture.lands);
            Some(drawn.unwrap_or_else(|| vec![written(&qualified(&*game, &game.print(&position)))]))
        });
        Some(Picture {
            caption: "Each land as its game draws it; those of Sprouts and its kin are written.",
            lands: panels.flatten().collect(),
            rows: true,
        })
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        Self::read(text, Game::parse)
    }

    fn parse_stored(&self, text: &str) -> Result<Position, ParseError> {
        Self::read(text, Game::parse_stored)
    }

    fn parse_unambiguous(&self, text: &str) -> Result<Position, ParseError> {
        Self::read(text, Game::parse_unambiguous)
    }

    fn print(&self, position: &Position) -> String {
        let of_part = |part: &Arc<dyn Game>| {
            let lands = position.lands().iter().filter_map(|land| {
                let (game, land) = part_of(land.as_bytes()).ok()?;
                (game.code() == part.code()).then(|| Land::from_canonical(land))
            });
            let lands: Vec<Land> = lands.collect();
            (!lands.is_empty()).then(|| qualified(&**part, &part.print(&Position::new(lands))))
        };
        let parts: Vec<String> = PARTS.iter().filter_map(of_part).collect();
        if parts.is_empty() {
            NOTHING.to_owned()
        } else {
            parts.join("+")
        }
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        let (part, land) = part_of(bytes)?;
        let land = part.land(land).map_err(after_code)?;
        Ok(own(part.code(), land.as_bytes()))
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        let (part, land) = part_of(bytes)?;
        part.check(land).map_err(after_code)
    }

    fn check_possible(&self, bytes: &[u8]) -> Result<(), EncodingError> {
        let (part, land) = part_of(bytes)?;
        part.check_possible(land).map_err(after_code)
    }

    fn generator(&self) -> Box<dyn Generator> {
        let generators = PARTS.iter().map(|part| (part.code().0, part.generator()));
        Box::new(Generators(generators.collect()))
    }
}

/// A panel with a text.
fn written(text: &str) -> Panel {
    let mut panel = Panel::default();
    panel.row(0, text);
    panel
}

/// The generators of the games, with their codes.
struct Generators(Vec<(u8, Box<dyn Generator>)>);

impl Generators {
    /// The generator of the game of a land, and the bytes of the land there.
    fn of<'a>(&self, land: &'a [u8]) -> (u8, &dyn Generator, &'a [u8]) {
        let (&code, land) = land.split_first().expect("a land begins with a code");
        let found = self.0.iter().find(|(of, _)| *of == code);
        let (_, generator) = found.expect("a land has the code of a game whose lands add up");
        (code, &**generator, land)
    }
}

impl Generator for Generators {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let (code, generator, land) = self.of(land);
        generator.each_option(land, &mut Coded::new(code, sink))
    }

    fn expand_partially(
        &self,
        land: &[u8],
        most: usize,
        sink: &mut dyn OptionSink,
    ) -> Option<ControlFlow<()>> {
        let (code, generator, land) = self.of(land);
        generator.expand_partially(land, most, &mut Coded::new(code, sink))
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|(_, generator)| generator.bytes()).sum()
    }
}

/// Passes lands of a game on as lands of sums.
struct Coded<'a> {
    /// The code of the game, then the last land.
    own: Vec<u8>,
    sink: &'a mut dyn OptionSink,
}

impl<'a> Coded<'a> {
    fn new(code: u8, sink: &'a mut dyn OptionSink) -> Self {
        Self {
            own: vec![code],
            sink,
        }
    }
}

impl OptionSink for Coded<'_> {
    fn land(&mut self, canonical: &[u8], max_moves: u32) {
        self.own.truncate(1);
        self.own.extend_from_slice(canonical);
        self.sink.land(&self.own, max_moves);
    }

    fn end(&mut self) -> ControlFlow<()> {
        self.sink.end()
    }

    fn outline(&mut self, max_moves: &mut dyn Iterator<Item = u32>) {
        self.sink.outline(max_moves);
    }
}

#[cfg(test)]
mod tests;
