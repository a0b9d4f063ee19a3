//! The review of a match: its positions one after the other, and the effect of each move on the outcome, where it is
//! known.

use std::time::Duration;

use maud::{Markup, PreEscaped, html};
use sproutnet_drawing::sheet::{SheetPicture, Size};
use sproutnet_solver::play::Outcome;

use crate::address::{Address, People};
use crate::host::Host;
use crate::problem::Problem;
use crate::reply::{Page, Reply, Script};
use crate::solver::{Effort, Question, Solver, SolverError};
use crate::state::{Match, Mover};
use crate::words::{capital, joining, when};
use crate::{links, parts, talk};

/// The limits of the search of each position, and of all.
const SEARCH: Effort = Effort {
    each: Duration::from_millis(600),
    all: Duration::from_secs(4),
};

/// The effect of a move on the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    /// It wins.
    Wins,
    /// It gave a won match away.
    Turns,
    /// It loses, like every other move.
    Lost,
    /// It loses. Another move may win.
    Loses,
    Unknown,
}

impl Judged {
    /// Judges a move by the outcomes before and after it, each for the player to move.
    fn by(before: Option<Outcome>, after: Option<Outcome>) -> Self {
        match (before, after) {
            (_, Some(Outcome::Loss)) => Self::Wins,
            (Some(Outcome::Win), Some(Outcome::Win)) => Self::Turns,
            (Some(Outcome::Loss), _) => Self::Lost,
            (None, Some(Outcome::Win)) => Self::Loses,
            (_, None) => Self::Unknown,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Wins => "a winning move",
            Self::Turns => "here it turned",
            Self::Lost => "every move loses",
            Self::Loses => "a losing move",
            Self::Unknown => "not known",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Wins => "win",
            Self::Turns | Self::Lost | Self::Loses => "loss",
            Self::Unknown => "",
        }
    }
}

/// The review of a match.
///
/// # Errors
/// There is no such match, or the solver fails.
pub fn page(host: &Host<'_>, played: &str, address: &Address) -> Result<Reply, Problem> {
    let game = Match::read(host.sheets, played, address.terms)?;
    let outcomes = outcomes(host.solver, &game)?;
    let at = address.at.unwrap_or_else(|| at_first(&game, &outcomes));
    let at = at.min(game.moves());
    let content = html! {
        div.seen.review {
            section #turn .about tabindex="-1" {
                p.above {
                    a href="/board" { "Play" } " / " a href=(game.link()) { "the board" }
                    @if host.around.has_server() {
                        " / " a href=(links::position(&game.text_after(0))) { "about the start position" }
                    }
                }
                h1 { "Review" }
                p.lead { (summary(&game, &outcomes)) }
                p #score { (score(&game, &outcomes)) }
                (steps(&game, &outcomes, at))
            }
            (board(&game, at))
            section aria-labelledby="moves-title" {
                h2 #moves-title { "All moves" }
                (moves(&game, &outcomes, at))
            }
        }
    };
    Ok(Reply::Page(Page {
        script: Some(Script::Review),
        ..Page::plain("Review", content)
    }))
}

/// The number of moves of the position that is shown first: after the first move that turned the match, or at its end.
fn at_first(game: &Match, outcomes: &[Option<Outcome>]) -> usize {
    let turned = (0..game.moves()).find(|&index| judged(outcomes, index) == Judged::Turns);
    turned.map_or(game.moves(), |index| index + 1)
}

/// The move that led to the position that is shown, and the links to the positions before and after it.
fn steps(game: &Match, outcomes: &[Option<Outcome>], at: usize) -> Markup {
    let before = at.checked_sub(1);
    let after = (at < game.moves()).then_some(at + 1);
    html! {
        p #shown {
            @match before {
                None => "The start position.",
                Some(index) => {
                    @let [one, other] = game.ends(index);
                    "Move " (at) " of " (game.moves()) ", by " (game.mover_after(index).name().to_lowercase()) ": "
                    (joining(game.sheet(), one, other)) ". "
                    (badge(judged(outcomes, index)))
                }
            }
            @if let (None, Some(who)) = (after, game.who_resigned()) { " Then " (talk::lower(who)) " resigned." }
        }
        div.buttons {
            @if let Some(before) = before {
                a.button.second rel="prev" href=(game.review_at(before)) { "Back" }
            }
            @if let Some(after) = after {
                a.button rel="next" href=(game.review_at(after)) { "Next" }
            }
            @if after.is_some() || game.resigned.is_some() {
                a.button.second href=(game.as_after(at, "")) { "Play on from here" }
            }
        }
    }
}

/// The position after some moves. The last of them is marked.
fn board(game: &Match, at: usize) -> Markup {
    let picture = SheetPicture {
        marked: at.min(1),
        size: Size::Board,
        ..SheetPicture::default()
    };
    html! {
        figure.drawing {
            div.board { div.drawn.still { (PreEscaped(game.sheet_after(at).svg(picture))) } }
        }
    }
}

fn badge(judged: Judged) -> Markup {
    html! { span.badge.(judged.class()).turn[judged == Judged::Turns] { (judged.words()) } }
}

/// The outcome of each position of the match, for the player to move. The last positions are searched first: they are
/// small, and help with the earlier ones.
fn outcomes(solver: &dyn Solver, game: &Match) -> Result<Vec<Option<Outcome>>, SolverError> {
    let rules = game.sheet().game().rules();
    let mut outcomes = vec![None; game.moves() + 1];
    for (moves, outcome) in outcomes.iter_mut().enumerate().rev() {
        let position = game.sheet_after(moves).position();
        let play = game.terms.play;
        let about = Question {
            game: &rules,
            position: &position,
            effort: SEARCH,
        };
        let answer = solver.answer(about, &[play])?;
        *outcome = answer.standing(play).outcome.outcome();
    }
    for moves in 0..game.moves() {
        // A loss makes the positions before and after it wins.
        if outcomes[moves] == Some(Outcome::Loss) {
            outcomes[moves + 1] = Some(Outcome::Win);
        }
        if outcomes[moves + 1] == Some(Outcome::Loss) {
            outcomes[moves] = Some(Outcome::Win);
        }
    }
    Ok(outcomes)
}

fn judged(outcomes: &[Option<Outcome>], index: usize) -> Judged {
    Judged::by(outcomes[index], outcomes[index + 1])
}

/// Whether the player who resigned would have won with perfect play; `None` if nobody resigned or it is not known.
fn gave_up_a_win(game: &Match, outcomes: &[Option<Outcome>]) -> Option<bool> {
    let is_to_move = game.resigned? == game.moves() % 2;
    let outcome = outcomes[game.moves()]?;
    Some((outcome == Outcome::Win) == is_to_move)
}

fn summary(game: &Match, outcomes: &[Option<Outcome>]) -> String {
    let gave_up = gave_up_a_win(game, outcomes);
    let resigned = game.who_resigned().map_or_else(String::new, |who| {
        let what = match gave_up {
            Some(true) => " a won match",
            Some(false) => " a lost match",
            None => "",
        };
        format!(" {} resigned{what}.", who.name())
    });
    let at_last = gave_up == Some(true);
    let turns: Vec<String> = (0..game.moves())
        .filter(|&index| judged(outcomes, index) == Judged::Turns)
        .map(|index| (index + 1).to_string())
        .collect();
    let open = outcomes.iter().any(Option::is_none);
    let so_far = when(open, " Not all positions are solved.");
    let turned = match &turns[..] {
        [] if open => "No turn is known.".to_owned() + so_far,
        [] if at_last => "It never turned before the end.".to_owned(),
        [] => "It never turned: nobody gave a won match away.".to_owned(),
        [only] => format!("It turned once, in move {only}.{so_far}"),
        [first @ .., last] => {
            format!(
                "It turned {} times, in moves {} and {last}.{so_far}",
                turns.len(),
                first.join(", ")
            )
        }
    };
    turned + &resigned
}

/// How often each player had a winning move, as far as the outcomes are known, and found one.
fn score(game: &Match, outcomes: &[Option<Outcome>]) -> String {
    let winning = if outcomes.iter().all(Option::is_some) {
        "winning move"
    } else {
        "known winning move"
    };
    let of_player = |player: usize| {
        let moves = (player..game.moves()).step_by(2);
        let judged: Vec<Judged> = moves.map(|index| judged(outcomes, index)).collect();
        let count = |of: Judged| judged.iter().filter(|judged| **judged == of).count();
        let found = count(Judged::Wins);
        let chances = found + count(Judged::Turns);
        let name = game.mover_after(player).name();
        (!judged.is_empty()).then(|| format!("{name} {}.", found_of(found, chances, winning)))
    };
    let players: Vec<String> = (0..2).filter_map(of_player).collect();
    players.join(" ")
}

/// The use of chances to win, in words.
fn found_of(found: usize, chances: usize, winning: &str) -> String {
    let had = format!("had a {winning} {}", times(chances));
    match (found, chances) {
        (_, 0) => format!("never had a {winning}"),
        (0, 1) => format!("{had}, and missed it"),
        (1, 1) => format!("{had}, and found it"),
        (0, _) => format!("{had}, and never found one"),
        (_, _) if found == chances => format!("{had}, and found one each time"),
        (_, _) => format!("{had}, and found one {}", times(found)),
    }
}

/// How often, in words.
fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

fn moves(game: &Match, outcomes: &[Option<Outcome>], at: usize) -> Markup {
    let columns = [("Move", ""), ("By", ""), ("Line", ""), ("What it did", "")];
    let rows = (0..game.moves()).map(|index| {
        let [one, other] = game.ends(index);
        let judged = judged(outcomes, index);
        [
            html! {
                a.whole href=(game.review_at(index + 1))
                    aria-current=[(at == index + 1).then_some("true")] { "Move " (index + 1) }
            },
            html! { (game.mover_after(index).name()) },
            html! { (capital(&joining(game.sheet(), one, other))) },
            html! {
                span {
                    (badge(judged))
                    @if judged == Judged::Turns { " " a href=(what_wins(game, index)) { "What wins?" } }
                }
            },
        ]
    });
    let at_end = (at == game.moves()).then_some("true");
    let resigned = game.who_resigned().map(|who| {
        [
            html! { a href=(game.review_at(game.moves())) aria-current=[at_end] { "End" } },
            html! { (who.name()) },
            html! { "Resigned" },
            html! {},
        ]
    });
    parts::table("Moves", columns, rows.chain(resigned))
}

/// The address of the board before a move, with a hint. The solver would move at once: its moves are shown as those of
/// two people.
fn what_wins(game: &Match, index: usize) -> String {
    let hint = "&show=hint";
    match game.mover_after(index) {
        Mover::Solver => game.among(People::Both).as_after(index, hint),
        _ => game.as_after(index, hint),
    }
}

#[cfg(test)]
mod tests;
