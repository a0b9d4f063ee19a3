//! The drawing on which spots are joined. The player chooses a spot, then another or the same one, and then,
//! if there are several ways to join them, one of these.

use maud::{Markup, PreEscaped, html};
use sproutnet_drawing::{Board, Drawing, DrawingError, Join, Labels, Spot, SvgOptions};
use sproutnet_game::Position;

use super::state::Match;
use crate::pages::drawings::thumbnail;
use crate::pages::layout;
use crate::pages::words::{capital, joining, on_either_side};

/// The distance of a ring from its spot.
const RING: f64 = 1.4;

/// A board, and the chosen spots.
pub(super) struct Seen {
    svg: String,
    size: (f64, f64),
    spots: Vec<Spot>,
    chosen: Chosen,
}

enum Chosen {
    Nothing,
    /// One spot, the spots that it can be joined to, and how.
    One(usize, Vec<(usize, Vec<Join>)>),
    Both(usize, usize, Vec<Join>),
}

/// How to reach a position.
pub(super) struct Hint {
    one: usize,
    other: usize,
    pub(super) text: String,
}

impl Seen {
    pub(super) fn of(
        position: &Position,
        one: Option<usize>,
        other: Option<usize>,
    ) -> Result<Self, DrawingError> {
        let drawing = Drawing::of(position)?;
        let board = Board::of(position)?;
        let spots = drawing.spots();
        let look = SvgOptions {
            labels: Labels::Names,
            style: false,
            ..SvgOptions::default()
        };
        // Spots that do not exist are ignored.
        let is_there = |spot: &usize| spots.iter().any(|there| there.number == *spot);
        let chosen = match (one.filter(is_there), other.filter(is_there)) {
            (None, _) => Chosen::Nothing,
            (Some(one), Some(other)) => {
                let mut joins = board.joins(one, other)?;
                joins.sort_by_key(enclosed);
                Chosen::Both(one, other, joins)
            }
            (Some(one), None) => {
                let mut joins = Vec::new();
                for spot in &spots {
                    let to = board.joins(one, spot.number)?;
                    if !to.is_empty() {
                        joins.push((spot.number, to));
                    }
                }
                Chosen::One(one, joins)
            }
        };
        Ok(Self {
            svg: drawing.svg(&look),
            size: drawing.size(),
            spots,
            chosen,
        })
    }

    /// The radius around a spot in which a click chooses it.
    fn reach(&self, spot: &Spot) -> f64 {
        let others = self.spots.iter().filter(|of| of.number != spot.number);
        let away = others.map(|of| (of.at.x - spot.at.x).hypot(of.at.y - spot.at.y));
        (away.fold(32.0, f64::min) / 2.0).max(spot.radius)
    }
}

impl Hint {
    /// Two spots that can be joined to reach a position.
    pub(super) fn to(position: &Position, text: String) -> Option<Self> {
        let board = Board::of(position).ok()?;
        let spots: Vec<usize> = board.lives().map(|(spot, _)| spot).collect();
        for (i, &one) in spots.iter().enumerate() {
            for &other in &spots[i..] {
                let joins = board.joins(one, other).ok()?;
                if joins.iter().any(|join| join.text == text) {
                    return Some(Self { one, other, text });
                }
            }
        }
        None
    }

    /// The move in words.
    pub(super) fn words(&self) -> String {
        joining(self.one, self.other)
    }
}

/// The drawing, with the spots to choose over it.
pub(super) fn section(game: &Match, seen: &Seen) -> Markup {
    let (width, height) = seen.size;
    // A board without spots is not drawn.
    if seen.spots.is_empty() {
        return html! {};
    }
    html! {
        figure #board .drawing {
            (prompt(game, seen))
            div.board {
                (PreEscaped(&seen.svg))
                svg.pick viewBox=(format!("0 0 {width:.2} {height:.2}")) role="group"
                    aria-label="Spots to choose" {
                    @for spot in &seen.spots { (target(game, seen, spot)) }
                }
            }
            figcaption {
                "Each spot shows how many lines it can still take, and beside it its number. Each colour is \
                 a region; a line stays within one."
            }
        }
    }
}

fn target(game: &Match, seen: &Seen, spot: &Spot) -> Markup {
    let number = spot.number;
    let lives = if spot.lives == 1 { "life" } else { "lives" };
    let name = format!("spot {number}, {} {lives} left", spot.lives);
    let (is_chosen, to) = match &seen.chosen {
        Chosen::Nothing => (false, Some(game.with(&format!("&spot={number}#board")))),
        Chosen::One(one, joins) => {
            let joins = joins.iter().find(|(other, _)| *other == number);
            let to = joins.map(|(_, joins)| match &joins[..] {
                [only] => game.after(&only.text),
                _ => game.with(&format!("&spot={one}&to={number}#choice")),
            });
            (number == *one, to)
        }
        Chosen::Both(one, other, _) => (number == *one || number == *other, None),
    };
    let name = match &seen.chosen {
        Chosen::One(one, _) if to.is_some() => format!("{}: {name}", joining(*one, number)),
        _ => name,
    };
    let class = match (is_chosen, to.is_some(), &seen.chosen) {
        (true, _, _) => "chosen",
        (false, true, Chosen::One(..)) => "partner",
        (false, true, _) => "free",
        (false, false, _) => "out",
    };
    let (x, y) = (format!("{:.2}", spot.at.x), format!("{:.2}", spot.at.y));
    let (reach, around) = (seen.reach(spot), spot.radius + RING);
    let circles = html! {
        circle.ring cx=(x) cy=(y) r=(format!("{around:.2}")) {}
        circle.reach cx=(x) cy=(y) r=(format!("{reach:.2}")) {}
    };
    html! {
        @match to {
            Some(to) => a.target.(class) href=(to) aria-label=(name) { (circles) },
            None => g.target.(class) { (circles) },
        }
    }
}

/// What to do next.
fn prompt(game: &Match, seen: &Seen) -> Markup {
    let elsewhere = html! { " " a href=(game.link()) { "Begin elsewhere" } };
    html! {
        p.prompt {
            @match &seen.chosen {
                Chosen::Nothing => strong { "Choose the spot where your line begins." },
                Chosen::One(one, joins) => {
                    strong { "Where does the line from spot " (one) " end?" }
                    @if joins.iter().any(|(other, _)| other == one) {
                        " At the same spot it is a loop."
                    }
                    (elsewhere)
                }
                Chosen::Both(one, other, joins) => {
                    strong { (capital(&joining(*one, *other))) ": how?" }
                    @match joins.len() {
                        0 => " They cannot be joined.",
                        1 => " There is one way.",
                        ways => { " There are " (ways) " ways." }
                    }
                    (elsewhere)
                }
            }
        }
    }
}

/// The ways to join the chosen spots.
pub(super) fn choice(game: &Match, seen: &Seen) -> Markup {
    let Chosen::Both(one, other, joins) = &seen.chosen else {
        return html! {};
    };
    let content = html! { ul.boards.wide { @for join in joins { (candidate(game, join)) } } };
    let title = capital(&joining(*one, *other));
    layout::section("choice", &title, false, &content)
}

/// The number of spots on the side with fewer.
fn enclosed(join: &Join) -> usize {
    let sides = join.ways.first().and_then(|way| way.sides.as_ref());
    sides.map_or(0, |[one, other]| one.len().min(other.len()))
}

fn candidate(game: &Match, join: &Join) -> Markup {
    html! {
        li {
            a.small-board href=(game.after(&join.text)) {
                (thumbnail(&join.text))
                span { (around(join)) }
                small.position { (join.text) }
            }
        }
    }
}

/// What is on either side of the line.
fn around(join: &Join) -> String {
    on_either_side(join.ways.first().and_then(|way| way.sides.as_ref()))
}
