//! The text beside the board.

use maud::{Markup, html};
use sproutnet_drawing::sheet::SheetGame;
use sproutnet_model::Known;
use sproutnet_solver::play::Play;

use crate::address::{OnLine, People, Show};
use crate::host::Around;
use crate::level::Level;
use crate::opponent::Knowledge;
use crate::reply::Preview;
use crate::state::{Match, Mover};
use crate::{links, pick, words};

impl Mover {
    /// The name of the player, at the start of a sentence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::You => "You",
            Self::Solver => "The solver",
            Self::Other => "The other player",
            Self::First => "The first player",
            Self::Second => "The second player",
        }
    }
}

/// The title of the page.
pub fn title(game: &Match) -> String {
    match (game.winner(), game.mover()) {
        (Some(Mover::You), _) => "You won".to_owned(),
        (Some(Mover::Solver | Mover::Other), _) => "You lost".to_owned(),
        (Some(who), _) => format!("{} won", who.name()),
        (None, Mover::First) => "The first player’s move".to_owned(),
        (None, Mover::Second) => "The second player’s move".to_owned(),
        (None, Mover::Other) => "The other player’s move".to_owned(),
        (None, _) => "Your move".to_owned(),
    }
}

/// What is shown with a link to a match. `title` is that of its page.
pub fn preview(game: &Match, title: &str) -> Preview {
    let start = game.sheet().name();
    let moves = words::counted(game.moves(), "move");
    let free = game.place.as_ref().and_then(|place| place.free);
    let free = free.map(|side| format!(" There is no {} player yet.", ordinal(side)));
    let picture = match &game.place {
        Some(place) => links::shared(&place.name, "") + "/preview.png",
        None => game.about("/preview.png", ""),
    };
    Preview {
        description: format!(
            "{title} · {}{}",
            rule(game.terms.play),
            free.unwrap_or_default()
        ),
        title: format!("{start}, after {moves}"),
        page: game.link(),
        picture,
    }
}

/// The address to which the script sends lines; `None` if the reader cannot draw one.
pub fn hand(game: &Match, mark: Option<OnLine>) -> Option<String> {
    let mark = mark.map_or("", OnLine::query);
    game.can_draw()
        .then(|| game.to_draw(&format!("{mark}&hand=")))
}

/// The last move in words, and the winner at the end.
pub(crate) fn told(game: &Match) -> String {
    let last = game.moves().checked_sub(1).map(|last| {
        let [one, other] = game.ends(last);
        let who = game.mover_after(last).name();
        if one == other {
            format!("{who} drew a loop at spot {one}. ")
        } else {
            let [one, other] = [one, other].map(|end| words::named(game.sheet(), end));
            format!("{who} joined {one} and {other}. ")
        }
    });
    let next = match (game.winner(), game.who_resigned()) {
        (Some(_), _) if game.terms.task.is_some() => String::new(),
        (None, _) => String::new(),
        (Some(winner), Some(who)) => format!("{} resigned. {} won.", who.name(), winner.name()),
        // The state of the match says who cannot move.
        (Some(winner), None) => format!("No line can be drawn any more. {} won.", winner.name()),
    };
    last.unwrap_or_default() + &next
}

/// The name of the player, within a sentence.
pub(crate) fn lower(who: Mover) -> String {
    match who {
        Mover::You => "you".to_owned(),
        who => who.name().replacen('T', "t", 1),
    }
}

/// The state of a match, and the buttons to go on.
pub(crate) fn status(
    game: &Match,
    show: Option<Show>,
    known: &Knowledge,
    around: Around,
) -> Markup {
    let winner = game.winner();
    let class = match (winner, show) {
        (Some(Mover::Solver), _) => "loss",
        (Some(_), _) => "win",
        (None, Some(_)) => known.outcome.outcome().map_or("", |outcome| outcome.name()),
        (None, None) => "",
    };
    html! {
        p.above {
            a href="/board" { "Play" } " / "
            a href=(around.position(&game.text())) { "about this position" }
        }
        div.verdict.(class) {
            h1 { (title(game)) }
            @if winner.is_some() {
                p.lead { (how_it_ended(game)) }
            } @else if let Some(show) = show {
                p.lead { (standing(game, show, known)) }
            } @else if is_guessing(game, known) {
                p.lead { "Who wins from here is not known. As long as that is so, the solver guesses its moves." }
            }
            @if game.sheet().game() != SheetGame::Sprouts {
                p.source { (game.sheet().name()) ": " (game.sheet().game().rules().info().rules) "." }
            }
            p.source { (rule(game.terms.play)) " " (who_plays(game)) }
        }
        div.buttons { (buttons(game, show)) }
    }
}

fn buttons(game: &Match, show: Option<Show>) -> Markup {
    let is_over = game.winner().is_some();
    html! {
        @if let Some(back) = game.taken_back() {
            a.button.second href=(back) { "Take back" }
        }
        @if is_over {
            a.button href=(game.again(game.terms.you)) { "Play again" }
            @if game.terms.you != People::Both {
                a.button.second href=(game.again(game.terms.you.other())) { "Be the other player" }
            }
        } @else {
            @if show != Some(Show::Hint) {
                a.button.second href=(game.with("&show=hint")) { "Hint" }
            }
            @if show.is_none() {
                a.button.second href=(game.with("&show=verdict")) { "Who wins?" }
            }
            @if let Some(tidied) = game.tidied() {
                a.button.second href=(tidied) { "Tidy" }
            }
            @if game.moves() > 1 {
                a.button.second href=(game.again(game.terms.you))
                    data-ask="Start again? The lines of this match are discarded." { "Start again" }
            }
            @let winner = if game.terms.you == People::Both { "other player" } else { "solver" };
            a.button.second href=(game.given_up()) data-ask=(format!("Resign? The {winner} wins this match.")) { "Resign" }
        }
    }
}

/// A player in words, given the index.
pub fn ordinal(side: usize) -> &'static str {
    ["first", "second"][side]
}

/// The form that begins a match between two devices.
pub(crate) fn invite(game: &Match) -> Markup {
    if game.winner().is_some() {
        return html! {};
    }
    html! {
        section #invite aria-labelledby="invite-title" {
            h2 #invite-title { "Two devices" }
            p {
                "Play this match with somebody elsewhere: both of you open one address, and see each other’s lines as soon as \
                 they are drawn. You are the " (ordinal(usize::from(game.terms.you == People::Second))) " player."
            }
            form method="post" action="/match" {
                input type="hidden" name="played" value=(game.played());
                input type="hidden" name="play" value=(game.terms.play);
                input type="hidden" name="you" value=(game.terms.you.name());
                button.second { "Invite somebody" }
            }
        }
    }
}

/// The form that makes a short address of the match.
pub(crate) fn share(game: &Match) -> Markup {
    if game.moves() == 0 {
        return html! {};
    }
    html! {
        form method="post" action=(links::SHORT) {
            input type="hidden" name="address" value=(game.link());
            button.second { "Share" }
        }
    }
}

/// The rule of a convention.
pub fn rule(play: Play) -> &'static str {
    match play {
        Play::Normal => "Normal play: a player who cannot move has lost.",
        Play::Misere => "Misère play: a player who cannot move has won.",
    }
}

fn who_plays(game: &Match) -> &'static str {
    match game.terms.you {
        People::Both => "Two people play.",
        _ => game.terms.level.told(),
    }
}

/// The end of a match, as a sentence.
pub fn how_it_ended(game: &Match) -> String {
    let moves = words::counted(game.moves(), "move");
    match game.who_resigned() {
        Some(who) => format!("{} resigned after {moves}.", who.name()),
        None => format!(
            "{} cannot move any more, after {moves}.",
            game.mover().name()
        ),
    }
}

/// Whether the outcome is unknown, so that the solver may have to guess.
fn is_guessing(game: &Match, known: &Knowledge) -> bool {
    game.terms.level != Level::Random
        && game.mover() == Mover::You
        && known.outcome.outcome().is_none()
}

/// The solver's knowledge, in words.
pub(crate) fn standing(game: &Match, show: Show, known: &Knowledge) -> Markup {
    let (who, wins) = match game.mover() {
        Mover::You | Mover::Solver | Mover::Other => ("you", "win"),
        Mover::First => ("the first player", "wins"),
        Mover::Second => ("the second player", "wins"),
    };
    html! {
        @match known.outcome {
            Known::Win => {
                "With perfect play " (who) " " (wins) " from here."
                @match &known.hint {
                    Some(stroke) => {
                        @let [one, other] = stroke.ends.map(|spot| spot + 1);
                        " A winning move, dashed on the board: "
                        a #hint href=(game.after(stroke)) { (words::joining(game.sheet(), one, other)) } "."
                    }
                    None if show == Show::Hint => " No winning move was found in time.",
                    None => {}
                }
            }
            Known::Loss => {
                "Against perfect play " (who) " cannot win: every move loses."
            }
            Known::Unknown | Known::InProgress => "The outcome from here is not known.",
        }
    }
}

/// Links for the whole match.
pub fn more(game: &Match, around: Around) -> Markup {
    if game.moves() == 0 {
        return html! {};
    }
    let spots = game.sheet().spots_at_start();
    html! {
        section #more aria-labelledby="more-title" {
            h2 #more-title { "The match" }
            @if game.place.is_none() {
                p { "The address of this page is the whole match: who has it can go on." }
            } @else {
                p { "These lead to copies of the match as it is now." }
            }
            ul.ways-on {
                li { a href=(game.about("/review", "")) { "Review it move by move" } }
                @if around.has_server() {
                    li {
                        a href=(game.about("/picture.svg", "")) download={ "sprouts-" (spots) ".svg" } {
                            "Picture (SVG)"
                        }
                    }
                    li {
                        a href=(game.about("/picture.svg", "&animated=1"))
                            download={ "sprouts-" (spots) "-animated.svg" } {
                            "Picture drawn line by line (animated SVG)"
                        }
                    }
                    @if pick::fits_editor(game.sheet()) {
                        li { a href=(links::drawn(game.sheet())) { "Change the drawing in the editor" } }
                    }
                }
            }
        }
    }
}
