//! The drawing on which lines are drawn. By hand, or by choosing a spot, then another or the same one, and then, if
//! there are several ways to join them, one of these.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use sproutnet_drawing::sheet::{Choice, SIDE, Sheet, SheetPicture, Stroke};

use super::Played;
use super::state::{Address, Match, Mover};
use super::talk;
use crate::extract::{Asked, At};
use crate::pages::words::{capital, joining, on_either_side};
use crate::pages::{Site, layout};
use crate::problem::Problem;

/// The largest radius around a spot in which a click chooses it, and the radius of the ring that marks it.
const REACH: f64 = 64.0;
const RING: f64 = 25.0;

/// The chosen spots, counted from 1.
pub(super) enum Chosen {
    Nothing,
    One(usize),
    /// Both, and the ways to join them.
    Both(usize, usize, Vec<Choice>),
}

impl Chosen {
    /// What the address says. Spots at which no line can begin or end are ignored.
    pub(super) fn of(sheet: &Sheet, address: &Address) -> Self {
        let spots = 1..=sheet.spots().len();
        let one = address.spot.filter(|one| spots.contains(one));
        let ends = one.map_or_else(Vec::new, |one| sheet.partners(one - 1));
        let other = address.to.filter(|&to| to > 0 && ends.contains(&(to - 1)));
        match (one.filter(|_| !ends.is_empty()), other) {
            (None, _) => Self::Nothing,
            (Some(one), None) => Self::One(one),
            (Some(one), Some(other)) => Self::Both(one, other, ways(sheet, one, other)),
        }
    }
}

/// The ways to join two spots, those that cut little off first.
pub(in crate::pages) fn ways(sheet: &Sheet, one: usize, other: usize) -> Vec<Choice> {
    let mut ways = sheet.options(one - 1, other - 1);
    ways.sort_by_key(enclosed);
    ways
}

/// The number of spots on the side with fewer.
fn enclosed(way: &Choice) -> usize {
    let least = |[one, other]: &[Vec<usize>; 2]| one.len().min(other.len());
    way.sides().map_or(0, least)
}

/// The drawing, with the spots to choose over it.
pub(super) fn section(game: &Match, chosen: &Chosen, hint: Option<&Stroke>) -> Markup {
    let sheet = game.sheet();
    let is_over = game.winner().is_some();
    let can_draw = game.can_draw();
    let hint = hint.and_then(|stroke| sheet.outline(stroke).ok());
    let picture = SheetPicture {
        marked: marked(game),
        ..SheetPicture::default()
    };
    html! {
        figure #board .drawing {
            p #told .told.end[is_over] role="status" { (talk::told(game)) }
            @if can_draw { (prompt(game, chosen)) }
            div.board.over[is_over] {
                div #{ "sheet-" (game.moves()) } .drawn { (PreEscaped(sheet.svg(picture))) }
                svg.pick viewBox=(format!("0 0 {SIDE} {SIDE}")) role="group"
                    aria-label="Spots to choose" {
                    @if let Some(hint) = hint { path.hint d=(hint) {} }
                    path.ghost d="M0 0" {}
                    @if can_draw {
                        @for spot in 1..=sheet.spots().len() { (target(game, chosen, spot)) }
                    }
                }
            }
            figcaption {
                "The colour of a spot says how many lines it can still take: blue three, green two, orange \
                 one, grey none. Nothing more can be drawn in grey regions."
            }
        }
    }
}

/// The number of last moves that are marked: a reply and the move before it, or the last move.
fn marked(game: &Match) -> usize {
    match game.moves().checked_sub(1) {
        None => 0,
        Some(last) if game.mover_after(last) == Mover::Solver => 2,
        Some(last) if game.place.is_some() && game.mover_after(last) != Mover::You => 2,
        Some(_) => 1,
    }
}

/// A spot to choose: the ring that marks it, and the circle around it that can be clicked.
pub(in crate::pages) fn circles(sheet: &Sheet, spot: usize) -> Markup {
    let at = sheet.spots()[spot - 1];
    let (x, y) = (format!("{:.1}", at.x), format!("{:.1}", at.y));
    html! {
        circle.ring cx=(x) cy=(y) r=(RING) {}
        circle.reach cx=(x) cy=(y) r=(format!("{:.1}", reach(sheet, spot))) {}
    }
}

/// A spot in words, with the lines that it can still take.
pub(in crate::pages) fn name(sheet: &Sheet, spot: usize) -> String {
    let lives = sheet.lives(spot - 1);
    let lines = if lives == 1 { "line" } else { "lines" };
    format!("spot {spot}, {lives} {lines} left")
}

/// The spots at which a line from a spot can end, for the script.
pub(in crate::pages) fn ends(sheet: &Sheet, spot: usize) -> String {
    let partners = sheet.partners(spot - 1).into_iter();
    let ends: Vec<String> = partners.map(|other| (other + 1).to_string()).collect();
    ends.join(" ")
}

/// The radius around a spot in which a click chooses it.
fn reach(sheet: &Sheet, spot: usize) -> f64 {
    let at = sheet.spots()[spot - 1];
    let others = sheet.spots().iter().filter(|other| **other != at);
    let nearest = others.map(|other| at.distance(*other) / 2.0);
    nearest.fold(REACH, f64::min)
}

fn target(game: &Match, chosen: &Chosen, spot: usize) -> Markup {
    let sheet = game.sheet();
    let ends = ends(sheet, spot);
    let name = name(sheet, spot);
    let (to, class, name) = match chosen {
        Chosen::Nothing => {
            let to = game.with(&format!("&spot={spot}#board"));
            ((!ends.is_empty()).then_some(to), "free", name)
        }
        Chosen::One(one) => {
            let can = sheet.partners(one - 1).contains(&(spot - 1));
            let to = game.with(&format!("&spot={one}&to={spot}#choice"));
            let class = if spot == *one { "chosen" } else { "partner" };
            let name = format!("{}: {name}", joining(*one, spot));
            (can.then_some(to), class, name)
        }
        Chosen::Both(one, other, _) => {
            let is_end = spot == *one || spot == *other;
            (None, if is_end { "chosen" } else { "out" }, name)
        }
    };
    let class = if to.is_none() && class != "chosen" {
        "out"
    } else {
        class
    };
    let circles = circles(sheet, spot);
    let id = format!("spot-{spot}");
    html! {
        @match to {
            Some(to) => {
                a id=(id) .target.(class) href=(to) aria-label=(name) data-ends=(ends) {
                    (circles)
                }
            }
            None => g id=(id) .target.(class) data-ends=(ends) { (circles) },
        }
    }
}

/// What to do next.
fn prompt(game: &Match, chosen: &Chosen) -> Markup {
    let elsewhere = html! { " " a href={ (game.link()) "#board" } { "Begin elsewhere" } };
    html! {
        p.prompt {
            @match chosen {
                Chosen::Nothing => {
                    strong.by-links { "Choose the spot where your line begins." }
                    strong.by-hand { "Draw a line from spot to spot, or choose where it begins." }
                }
                Chosen::One(one) => {
                    strong { "Where does the line from spot " (one) " end?" }
                    @if game.sheet().partners(one - 1).contains(&(one - 1)) {
                        " At the same spot it is a loop."
                    }
                    (elsewhere)
                }
                Chosen::Both(one, other, ways) => {
                    strong { (capital(&joining(*one, *other))) ": how?" }
                    @match ways.len() {
                        0 => " There are too many ways to list. Draw the line by hand.",
                        1 => " There is one way.",
                        ways => { " There are " (ways) " ways." }
                    }
                    (elsewhere)
                }
            }
        }
    }
}

/// The ways to join the chosen spots, each with its picture.
pub(super) fn choice(game: &Match, chosen: &Chosen) -> Markup {
    let Chosen::Both(one, other, ways) = chosen else {
        return html! {};
    };
    let link = |more: &str| match &game.place {
        Some(_) => game.with(&format!("&moves={}{more}", game.moves())),
        None => game.with(more),
    };
    let to = |more: &str| (link(more), game.about("picture.svg", more));
    ways_to_join(*one, *other, ways, game.place.is_some(), to)
}

/// Ways to join two spots, each with where it leads and its picture; if it is posted, as forms.
pub(in crate::pages) fn ways_to_join(
    one: usize,
    other: usize,
    ways: &[Choice],
    is_posted: bool,
    to: impl Fn(&str) -> (String, String),
) -> Markup {
    let content = html! {
        ul.boards.wide {
            @for (i, way) in ways.iter().enumerate() {
                @let (link, picture) = to(&format!("&spot={one}&to={other}&way={i}"));
                @let shown = html! {
                    img.way src=(picture) alt="" loading="lazy" decoding="async" width="176" height="176";
                    span { (on_either_side(way.sides().map(numbers).as_ref())) }
                };
                li {
                    @if is_posted {
                        form.draws method="post" action=(link) { button.small-board { (shown) } }
                    } @else {
                        a.small-board href=(link) { (shown) }
                    }
                }
            }
        }
    };
    layout::section("choice", &capital(&joining(one, other)), false, &content)
}

/// Spots as people count them.
fn numbers(sides: &[Vec<usize>; 2]) -> [Vec<usize>; 2] {
    sides
        .each_ref()
        .map(|side| side.iter().map(|spot| spot + 1).collect())
}

/// The drawing as a file: as it is, line by line, or with a line that could be drawn.
pub(in crate::pages) async fn file(
    State(site): State<Arc<Site>>,
    At(Played { played }): At<Played>,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    let drawn = move || -> Result<String, Problem> {
        let game = Match::read(&site.sheets, &played, &address)?;
        let look = SheetPicture {
            style: true,
            animated: address.animated.is_some_and(|is| is > 0),
            ..SheetPicture::default()
        };
        let Some(way) = address.way else {
            return Ok(game.sheet().svg(look));
        };
        let missing = || Problem::missing("there is no such line");
        let Chosen::Both(_, _, ways) = Chosen::of(game.sheet(), &address) else {
            return Err(missing());
        };
        let way = ways.get(way).ok_or_else(missing)?;
        let stroke = game.sheet().route(way);
        let stroke = stroke.ok_or_else(|| Problem::missing("there is too little room"))?;
        let after = game.sheet().drawn(&stroke);
        let after = after.map_err(|error| Problem::missing(error.to_string()))?;
        Ok(after.svg(SheetPicture {
            marked: 1,
            small: true,
            ..look
        }))
    };
    let drawn = crate::blocking(drawn).await??;
    Ok(as_file(drawn))
}

/// A drawing as a file.
pub(in crate::pages) fn as_file(drawn: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        // A match is drawn the same until the program changes.
        (header::CACHE_CONTROL, "private, max-age=3600"),
        // The style is in the file; nothing else may be.
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
    ];
    (headers, drawn).into_response()
}
