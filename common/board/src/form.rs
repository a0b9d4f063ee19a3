//! The start of a match: a number of spots, or a drawing of a position.

use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_drawing::sheet::{MOST_SPOTS, MOST_WITH_CROSSES, Sheet, SheetGame};
use sproutnet_game::{self as game, Game, Sprouts};
use sproutnet_model::Answer;

use crate::address::{People, Terms};
use crate::host::Host;
use crate::level::Seed;
use crate::links;
use crate::parts::{self, choice};
use crate::problem::Problem;
use crate::reply::{Page, Reply};
use crate::start::start_with_crosses;

/// The maximum number of moves left in a position that links offer to play: that of a match from the most spots.
const MOST_MOVES: u32 = 3 * MOST_SPOTS as u32 - 1;

/// Whether a match can begin with a position. The drawing of a position of Sprouts may still be too large.
pub fn can_begin_with(answer: &Answer) -> bool {
    match SheetGame::named(&answer.game) {
        Some(SheetGame::Sprouts) => (1..=MOST_MOVES).contains(&answer.most_moves),
        Some(_) => drawn(&answer.canonical).is_ok(),
        None => false,
    }
}

/// The names of the games in the forms.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum GameName {
    #[default]
    Sprouts,
    Brussels,
    Mixed,
}

/// The match that a form or a link asks for.
#[derive(Deserialize)]
pub struct Start {
    game: Option<GameName>,
    spots: Option<String>,
    crosses: Option<String>,
    /// The text of a position to begin with.
    position: Option<String>,
    #[serde(flatten)]
    terms: Terms,
}

/// Leads to the wanted match. Shows the form if there is none.
///
/// # Errors
/// A match cannot begin so.
pub fn begin(host: &Host<'_>, mut start: Start) -> Result<Reply, Problem> {
    let text = match (start.spots, start.position) {
        (spots, _) if !matches!(start.game, None | Some(GameName::Sprouts)) => {
            with_crosses(start.game.unwrap_or_default(), spots, start.crosses)?
        }
        (Some(spots), _) => {
            let spots = spots.trim().parse().ok();
            let spots: Option<usize> = spots.filter(|spots| (1..=MOST_SPOTS).contains(spots));
            let expected = || format!("a number of spots from 1 to {MOST_SPOTS} is expected");
            let spots = spots.ok_or_else(|| Problem::bad(expected()))?;
            spots.to_string()
        }
        (None, Some(position)) => drawn(&position)?,
        (None, None) => {
            let content = html! {
                h1 { "Play Sprouts" }
                (parts::section("play", "A new match", false, &form()))
                (parts::section("crosses", "With crosses", false, &form_with_crosses()))
                (rules())
            };
            return Ok(Reply::Page(Page::plain("Play Sprouts", content)));
        }
    };
    // Two people need no seed.
    if start.terms.you != People::Both && start.terms.seed == Seed::default() {
        start.terms.seed = Seed::from_random(host.random);
    }
    Ok(Reply::To(links::board(&text, "", start.terms)))
}

/// The start of a match with crosses, as text. In Brussels Sprouts, the number of spots is not used.
fn with_crosses(
    game: GameName,
    spots: Option<String>,
    crosses: Option<String>,
) -> Result<String, Problem> {
    let number = |text: Option<String>| -> Option<usize> {
        text.map_or(Some(0), |text| text.trim().parse().ok())
    };
    let start = match game {
        GameName::Sprouts => None,
        GameName::Brussels => {
            number(crosses).and_then(|crosses| start_with_crosses(SheetGame::Brussels, 0, crosses))
        }
        GameName::Mixed => number(spots)
            .zip(number(crosses))
            .and_then(|(spots, crosses)| start_with_crosses(SheetGame::Mixed, spots, crosses)),
    };
    let expected = || format!("up to {MOST_WITH_CROSSES} spots and crosses together are expected");
    start.ok_or_else(|| Problem::bad(expected()))
}

/// The start of a match from a position, as text: its number of spots, or a drawing.
pub(crate) fn drawn(text: &str) -> Result<String, Problem> {
    let typed = game::typed_in_form(text);
    let read = game::parse(&typed);
    let (game, position) = read.map_err(|error| Problem::Position(typed.into_owned(), error))?;
    let game = SheetGame::named(game.name())
        .ok_or_else(|| Problem::bad("this game is not played on the board"))?;
    if game != SheetGame::Sprouts {
        let sheet = Sheet::start_of(game, &position);
        let sheet = sheet.ok_or_else(|| {
            Problem::bad(format!(
                "with crosses, a match can begin from a text only if it is a start with up to {MOST_WITH_CROSSES} spots and \
                 crosses together; draw other positions in the editor, and choose “Play from here”"
            ))
        })?;
        let spots = sheet.spots_at_start();
        let start = start_with_crosses(game, spots, sheet.crosses_at_start());
        return start.ok_or_else(|| Problem::bad("no move is left in this position"));
    }
    let canonical = Sprouts.print(&position);
    if let Some(spots) = (1..=MOST_SPOTS).find(|&spots| Sprouts::start(spots as u32) == canonical) {
        return Ok(spots.to_string());
    }
    let sheet = Sheet::of(&position).map_err(|error| Problem::bad(error.to_string()))?;
    if sheet.is_over() {
        return Err(Problem::bad("no move is left in this position"));
    }
    if !sheet.fits_a_match() {
        return Err(Problem::bad("this position is too large for the board"));
    }
    Ok(links::code(&sheet.edits()))
}

fn form() -> Markup {
    html! {
        form.ask.begin action="/board" {
            div.field {
                label for="spots" { "Spots" }
                input #spots name="spots" type="number" required min="1" max=(MOST_SPOTS)
                    value="5" inputmode="numeric";
            }
            (terms())
            div.buttons { button { "Play" } }
        }
    }
}

/// The choices that all forms have.
fn terms() -> Markup {
    let who = [
        ("first", "you begin"),
        ("second", "the solver begins"),
        ("both", "two people"),
    ];
    let levels = [
        ("perfect", "none"),
        ("quarter", "1 in 4"),
        ("half", "1 in 2"),
        ("random", "all"),
    ];
    html! {
        (choice("Play", "play", &[("normal", "normal"), ("misere", "misère")]))
        (choice("Players", "you", &who))
        (choice("Random moves of the solver", "level", &levels))
    }
}

/// The form for the games with crosses.
fn form_with_crosses() -> Markup {
    let games = [("brussels", "Brussels Sprouts"), ("mixed", "Mixed Sprouts")];
    html! {
        p {
            "A cross has four free ends, each of which takes one line. In Brussels Sprouts there are crosses alone, and each \
             line gets a short line across, with a free end on either side. In Mixed Sprouts there are spots too, and the \
             player chooses what the line gets. There are up to " (MOST_WITH_CROSSES) " spots and crosses."
        }
        form.ask.begin action="/board" {
            (choice("Game", "game", &games))
            div.field {
                label for="mixed-spots" { "Spots (mixed)" }
                input #mixed-spots name="spots" type="number" required min="0" max=(MOST_WITH_CROSSES)
                    value="1" inputmode="numeric";
            }
            div.field {
                label for="cross-count" { "Crosses" }
                input #cross-count name="crosses" type="number" required min="0" max=(MOST_WITH_CROSSES)
                    value="2" inputmode="numeric";
            }
            (terms())
            div.buttons { button { "Play" } }
        }
    }
}

fn rules() -> Markup {
    html! {
        section aria-labelledby="rules-title" {
            h2 #rules-title { "The rules" }
            p {
                "Join two spots by a line, or a spot to itself, and put a new spot on the line. Lines do \
                 not cross, and no spot takes more than three lines."
            }
            p {
                "In normal play the player who makes the last move wins; in misère play that player loses."
            }
            p {
                "Unless it moves at random, the solver makes a winning move wherever it finds one within about a second. \
                 Where no move wins, it leaves you as few winning replies as it can. Not all positions are solved, \
                 above all with many spots: where the outcome is not known, the solver says so and guesses. Then it \
                 makes a move that leaves few further ones, because it can solve small positions. A random move may win. \
                 “1 in 4” is an average. The choices follow from the address: whoever draws the same lines from the \
                 same address gets the same replies, unless the solver has learned more meanwhile."
            }
        }
    }
}
