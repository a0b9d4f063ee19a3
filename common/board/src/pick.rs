//! Choosing spots and lines on a sheet, for the board and the editor. A reader draws by hand. Or a reader chooses a
//! spot, then another or the same one, and then one of the ways to join them, if there are several.

use maud::{Markup, html};
use sproutnet_drawing::sheet::{self, Choice, MOST_DRAWN, Mark, Sheet, Stroke, StrokeError};

use crate::problem::Problem;
use crate::words::{capital, joining, named, on_either_side};
use crate::{links, parts};

/// The maximum length of a drawing in an address of the editor, in bytes.
pub const LONGEST_DRAWN: usize = 20_000;

/// Whether the editor can open the drawing of a sheet. The drawing of a long match is too large, and a sheet of Mixed Sprouts
/// without a cross would become one of Sprouts.
pub(crate) fn fits_editor(sheet: &Sheet) -> bool {
    sheet.game() == sheet.drawn_game()
        && sheet.spots().len() <= MOST_DRAWN
        && links::code(&sheet.edits()).len() <= LONGEST_DRAWN
}

/// The maximum number of points of a hand's line.
const MOST_POINTS: usize = 2000;

/// The maximum radius around a spot in which a click chooses it, and the radius of the ring that marks it.
const REACH: f64 = 64.0;
const RING: f64 = 25.0;

/// The choice of a reader. Spots and lines are counted from 1.
pub enum Chosen {
    /// Nothing.
    Nothing,
    /// A spot.
    Spot(usize),
    /// A line.
    Line(usize),
    /// Two spots, and the ways to join them.
    Both(usize, usize, Vec<Choice>),
}

impl Chosen {
    /// The choice of spots in an address. Spots that do not exist, or that no line can join, are ignored.
    pub fn of(sheet: &Sheet, spot: Option<usize>, to: Option<usize>) -> Self {
        let Some(one) = spot.filter(|spot| (1..=sheet.spots().len()).contains(spot)) else {
            return Self::Nothing;
        };
        match to.filter(|&to| can_join(sheet, one, to)) {
            Some(other) => Self::Both(one, other, ways(sheet, one, other)),
            None => Self::Spot(one),
        }
    }
}

/// Whether a line can join two spots.
pub(crate) fn can_join(sheet: &Sheet, one: usize, other: usize) -> bool {
    other > 0 && sheet.partners(one - 1).contains(&(other - 1))
}

/// The ways to join two spots. Those that cut off the fewest spots come first.
fn ways(sheet: &Sheet, one: usize, other: usize) -> Vec<Choice> {
    let mut ways = sheet.options(one - 1, other - 1);
    let least = |[one, other]: &[Vec<usize>; 2]| one.len().min(other.len());
    ways.sort_by_key(|way| way.sides().map_or(0, least));
    ways
}

/// The line that an address asks for: one drawn by hand, or one of the ways to join the chosen spots.
///
/// # Errors
/// It cannot be drawn.
pub fn wanted(
    sheet: &Sheet,
    chosen: &Chosen,
    hand: Option<&str>,
    way: Option<usize>,
) -> Result<Option<Stroke>, Problem> {
    if let Some(hand) = hand {
        let hand = sheet::hand(hand).map_err(|_| Problem::bad("this is no line"))?;
        if hand.len() > MOST_POINTS {
            return Err(Problem::bad("a line never has that many points"));
        }
        let stroke = sheet.by_hand(&hand);
        return stroke.map(Some).map_err(|error| refused_line(&error));
    }
    let way = match (chosen, way) {
        (Chosen::Both(_, _, ways), Some(way)) => ways.get(way),
        (Chosen::Both(_, _, ways), None) if ways.len() == 1 => ways.first(),
        _ => None,
    };
    let no_room = || refused(&"there is too little room for this line: draw it by hand");
    way.map(|way| sheet.route(way).ok_or_else(no_room))
        .transpose()
}

/// A line by hand with what the reader wants on it.
///
/// # Errors
/// It cannot be drawn.
pub(crate) fn with_mark(
    sheet: &Sheet,
    stroke: Stroke,
    mark: Option<Mark>,
) -> Result<Stroke, Problem> {
    let Some(mark) = mark.filter(|mark| *mark != stroke.mark) else {
        return Ok(stroke);
    };
    let stroke = stroke.with(mark);
    match sheet.drawn(&stroke) {
        Ok(_) => Ok(stroke),
        Err(error) => Err(refused_line(&error)),
    }
}

/// The problem of a line or a spot that cannot be drawn.
pub fn refused(error: &impl ToString) -> Problem {
    let why = error.to_string();
    Problem::Refused { why, at: None }
}

/// The problem of a line that cannot be drawn, with its place.
pub fn refused_line(error: &StrokeError) -> Problem {
    Problem::Refused {
        why: error.to_string(),
        at: error.place(),
    }
}

/// A spot in words, with the number of lines that can still end there.
fn name(sheet: &Sheet, spot: usize) -> String {
    let lives = sheet.lives(spot - 1);
    let lines = if lives == 1 { "line" } else { "lines" };
    format!("{}, {lives} {lines} left", named(sheet, spot))
}

/// Where lines begin and end on a sheet: at spots, unless there are only free ends.
pub(super) fn kinds(sheet: &Sheet) -> &'static str {
    if has_only_ends(sheet) {
        "free end"
    } else {
        "spot"
    }
}

fn has_only_ends(sheet: &Sheet) -> bool {
    let mut spots = (0..sheet.spots().len()).filter(|&spot| !sheet.is_middle(spot));
    sheet.has_crosses() && spots.all(|spot| sheet.is_end(spot))
}

/// The radius around a spot in which a click chooses it.
fn reach(sheet: &Sheet, spot: usize) -> f64 {
    let at = sheet.spots()[spot - 1];
    let others = sheet.spots().iter().filter(|other| **other != at);
    let nearest = others.map(|other| at.distance(*other) / 2.0);
    nearest.fold(REACH, f64::min)
}

/// A spot to choose: the ring that marks it, and the circle in which a click chooses it. `link` gives the address of
/// the page with more in the query. `remove` is the code of the edit that removes the spot, if it can be removed.
pub fn target(
    sheet: &Sheet,
    chosen: &Chosen,
    spot: usize,
    link: impl Fn(&str) -> String,
    remove: Option<&str>,
) -> Markup {
    let partners = sheet.partners(spot - 1);
    let name = name(sheet, spot);
    let (to, class, name) = match chosen {
        Chosen::Nothing | Chosen::Line(_) => {
            let can = remove.is_some() || !partners.is_empty();
            let to = can.then(|| link(&format!("&spot={spot}#board")));
            (to, "free", name)
        }
        Chosen::Spot(one) => {
            let can = can_join(sheet, *one, spot);
            let to = can.then(|| link(&format!("&spot={one}&to={spot}#choice")));
            let class = if spot == *one { "chosen" } else { "partner" };
            (to, class, format!("{}: {name}", joining(sheet, *one, spot)))
        }
        Chosen::Both(one, other, _) => {
            let is_end = spot == *one || spot == *other;
            (None, if is_end { "chosen" } else { "out" }, name)
        }
    };
    let is_out = to.is_none() && class != "chosen";
    let class = if is_out { "out" } else { class };
    let ends: Vec<String> = partners.iter().map(|end| (end + 1).to_string()).collect();
    let (id, ends) = (format!("spot-{spot}"), ends.join(" "));
    let at = sheet.spots()[spot - 1];
    let (x, y) = (format!("{:.1}", at.x), format!("{:.1}", at.y));
    let circles = html! {
        circle.ring cx=(x) cy=(y) r=(RING) {}
        circle.reach cx=(x) cy=(y) r=(format!("{:.1}", reach(sheet, spot))) {}
    };
    html! {
        @match to {
            Some(to) => a id=(id) .target.(class) href=(to) aria-label=(name) data-ends=(ends)
                data-remove=[remove] { (circles) },
            None => g id=(id) .target.(class) data-ends=(ends) { (circles) },
        }
    }
}

/// The question where the line from a chosen spot ends.
pub fn where_to(sheet: &Sheet, one: usize) -> Markup {
    html! {
        strong { "Where does the line from " (named(sheet, one)) " end?" }
        @if can_join(sheet, one, one) { " At the same spot it is a loop." }
    }
}

/// The question how the chosen spots are joined.
pub fn how(sheet: &Sheet, one: usize, other: usize, ways: &[Choice]) -> Markup {
    html! {
        strong { (capital(&joining(sheet, one, other))) ": how?" }
        @match ways.len() {
            0 => " There are too many ways to list. Draw the line by hand.",
            1 => " There is one way.",
            ways => { " There are " (ways) " ways." }
        }
    }
}

/// The meaning of the numbers, dots and colours of a sheet, on which the last moves are marked or not.
pub fn caption(sheet: &Sheet, are_moves_marked: bool) -> Markup {
    html! {
        figcaption {
            @if has_only_ends(sheet) {
                "The number of a free end is its name. An orange one can still take one line, a grey one has it."
            } @else {
                "The number of a spot is its name. The dots on its rim are the lines that it can still take; its colour says \
                 the same: blue three, green two, orange one, grey none."
            }
            " Nothing more can be drawn in grey regions."
            @if are_moves_marked { " The last line is blue, or orange if it answers a blue one." }
        }
    }
}

/// The ways to join the chosen spots, each with its address and its picture: as links, or as forms if `is_posted`.
pub fn choice(
    sheet: &Sheet,
    chosen: &Chosen,
    is_posted: bool,
    to: impl Fn(&str, &Choice) -> (String, String),
) -> Markup {
    let Chosen::Both(one, other, ways) = chosen else {
        return html! {};
    };
    let are_mixed = ways.iter().any(|way| way.mark != ways[0].mark);
    let content = html! {
        ul.boards.wide {
            @for (i, way) in ways.iter().enumerate() {
                @let (link, picture) = to(&format!("&spot={one}&to={other}&way={i}"), way);
                @let shown = html! {
                    img.way src=(picture) alt="" loading="lazy" decoding="async" width="176" height="176";
                    span {
                        @if are_mixed && way.mark == Mark::Cross { "With a cross. " }
                        (on_either_side(sheet, way.sides()))
                    }
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
    let title = capital(&joining(sheet, *one, *other));
    parts::section("choice", &title, false, &content)
}
