//! The drawing on which spots are joined: first one is chosen, then another or the same, then, where
//! there are several, what the line makes of it.

use maud::{Markup, PreEscaped, html};
use sproutnet_common::drawing::{Board, Drawing, DrawingError, Join, Labels, Look, Spot};
use sproutnet_common::game::Position;

use super::state::Match;
use crate::http::pages::drawings::thumbnail;

/// A board, and what is chosen on it.
pub(super) struct Seen {
    svg: String,
    size: (f64, f64),
    spots: Vec<Spot>,
    chosen: Chosen,
}

enum Chosen {
    Nothing,
    /// One spot, and what joining it to others leads to.
    One(usize, Vec<(usize, Vec<Join>)>),
    Both(usize, usize, Vec<Join>),
}

/// How to get to a position.
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
        let look = Look {
            labels: Labels::Names,
            style: false,
            ..Look::default()
        };
        // Spots that are not there are as good as none.
        let is_there = |spot: &usize| spots.iter().any(|there| there.number == *spot);
        let chosen = match (one.filter(is_there), other.filter(is_there)) {
            (None, _) => Chosen::Nothing,
            (Some(one), Some(other)) => Chosen::Both(one, other, board.joins(one, other)?),
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

    /// How far from the middle of a spot it is still meant.
    fn reach(&self, spot: &Spot) -> f64 {
        let others = self
            .spots
            .iter()
            .filter(|other| other.number != spot.number);
        let away = others.map(|other| {
            let (x, y) = (other.at.x - spot.at.x, other.at.y - spot.at.y);
            x.hypot(y)
        });
        away.fold(32.0, f64::min).mul_add(0.5, 0.0).max(spot.radius)
    }
}

impl Hint {
    /// Two spots whose joining leads there.
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

/// The drawing, and over it what can be chosen.
pub(super) fn section(game: &Match, seen: &Seen) -> Markup {
    let (width, height) = seen.size;
    html! {
        figure #board .drawing {
            div.board {
                (PreEscaped(&seen.svg))
                @if game.is_your_turn() && !seen.spots.is_empty() {
                    svg.pick viewBox=(format!("0 0 {width:.2} {height:.2}")) role="group"
                        aria-label="Spots to choose" {
                        @for spot in &seen.spots { (target(game, seen, spot)) }
                    }
                }
            }
            figcaption {
                "A spot shows how many lines it can still take, and beside it its number. Each colour is \
                 a region; a line stays in one."
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
        (true, _, _) => "target chosen",
        (false, true, Chosen::One(..)) => "target partner",
        (false, true, _) => "target",
        (false, false, _) => "target out",
    };
    let circle = html! {
        circle class=(class) cx=(format!("{:.2}", spot.at.x)) cy=(format!("{:.2}", spot.at.y))
            r=(format!("{:.2}", seen.reach(spot))) {}
    };
    html! {
        @match to {
            Some(to) => a href=(to) aria-label=(name) { (circle) },
            None => (circle),
        }
    }
}

/// What is to be done next, and what there is to choose from.
pub(super) fn choice(game: &Match, seen: &Seen) -> Markup {
    if !game.is_your_turn() || seen.spots.is_empty() {
        return html! {};
    }
    html! {
        section #choice aria-labelledby="choice-title" {
            @match &seen.chosen {
                Chosen::Nothing => {
                    h2 #choice-title { "Choose a spot" }
                    p { "A line begins there." }
                }
                Chosen::One(one, joins) => {
                    h2 #choice-title { "Choose where the line from spot " (one) " ends" }
                    p {
                        @match &joins[..] {
                            [] => "No line can begin there. ",
                            _ => "At one of the spots with a ring; at the same one for a loop. ",
                        }
                        a href=(game.link()) { "Begin elsewhere" }
                    }
                }
                Chosen::Both(one, other, joins) => {
                    h2 #choice-title { (capital(&joining(*one, *other))) ": how?" }
                    p {
                        @match joins.len() {
                            0 => "They cannot be joined. ",
                            _ => "The line can be drawn in ways that are not alike. ",
                        }
                        a href=(game.link()) { "Begin elsewhere" }
                    }
                    ul.boards.wide { @for join in joins { (candidate(game, join)) } }
                }
            }
        }
    }
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
    let Some(sides) = join.ways.first().and_then(|way| way.sides.as_ref()) else {
        return "It cuts nothing off.".to_owned();
    };
    match sides {
        [one, other] if one.is_empty() && other.is_empty() => "Nothing on either side.".to_owned(),
        [one, other] => format!("{} on one side, {} on the other.", spots(one), spots(other)),
    }
}

/// Spots in words.
fn spots(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match &texts[..] {
        [] => "Nothing".to_owned(),
        [only] => format!("Spot {only}"),
        [first @ .., last] => format!("Spots {} and {last}", first.join(", ")),
    }
}

fn joining(one: usize, other: usize) -> String {
    if one == other {
        format!("draw a loop at spot {one}")
    } else {
        format!("join spot {one} and spot {other}")
    }
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}
