//! The outcomes of a position, and their sources.

use maud::{Markup, html};
use sproutnet_board::address::Terms;
use sproutnet_board::form::can_begin_with;
use sproutnet_drawing::sheet::SheetGame;
use sproutnet_model::{
    Answer, Basis, Known, Proof, Provenance, Standing, keys_of, proofs,
    published as published_starts,
};
use sproutnet_solver::play::Play;
use sproutnet_system::figures::time;

use crate::links;
use crate::pages::words;

/// The maximum length of a text in the size of headings.
const LONG: usize = 20;

/// The outcomes, and links to a match from the position under the convention `play` and to the editor.
pub(super) fn section(answer: &Answer, play: Play) -> Markup {
    let terms = Terms::under(play);
    let can_begin = can_begin_with(answer);
    html! {
        section #verdict .about data-live {
            p.above { "Position" @if answer.game != "sprouts" { " of " (answer.game) } }
            h1 { span.position.long[answer.canonical.len() > LONG] { (answer.canonical) } }
            p.lead {
                @match answer.most_moves {
                    0 => "Nothing is left to play.",
                    most => { "At most " (words::counted(most.into(), "move")) " can still be made." }
                }
            }
            @for play in Play::ALL { (standing(answer, play)) }
            @if can_begin {
                div.buttons {
                    a.button href=(links::board_from(&answer.canonical, terms)) { "Play it" }
                    a.button.second href=(links::editor_of(&answer.canonical)) { "Open in the editor" }
                }
            }
            @match SheetGame::named(&answer.game) {
                Some(SheetGame::Sprouts) => {}
                Some(_) if can_begin => {}
                Some(_) => p.source {
                    "Matches of this game begin with " a href="/board#crosses" { "crosses on the board" } ", or with a drawing "
                    "made in " a href="/editor" { "the editor" } "."
                },
                None => p.source { "There are no matches of this game: only Sprouts and the games with crosses have them." },
            }
        }
    }
}

/// The outcome under a convention, and its source; a form to solve the position if it is not proved.
pub(in crate::pages) fn standing(answer: &Answer, play: Play) -> Markup {
    let standing = answer.standing(play);
    let outcome = standing.outcome.outcome();
    let class = outcome.map_or("", |outcome| outcome.name());
    html! {
        div.verdict.(class) {
            p.lead { "Under " (words::play(play)) " play " (who_wins(answer, standing.outcome)) }
            p.source {
                (source(standing))
                @if standing.verified { " The checker of certificates confirmed it." }
                @if let Some(id) = standing.computation {
                    " It is being solved by " a href=(links::computation(id)) { "computation " (id) } "."
                }
            }
            @if !standing.is_proved() && standing.computation.is_none() {
                form method="post" action=(links::COMPUTATIONS) {
                    input type="hidden" name="position" value=(answer.canonical);
                    input type="hidden" name="play" value=(play);
                    button { "Solve it" span.unseen { " under " (words::play(play)) " play" } }
                }
                @if let Some(spots) = largest_solved(play).filter(|&spots| is_larger(answer, spots)) {
                    p.source {
                        "No start with more than " (spots) " spots has been solved yet, so this search may never end."
                    }
                }
            }
        }
    }
}

/// The number of spots of the largest start of Sprouts that was ever solved.
fn largest_solved(play: Play) -> Option<u32> {
    let of_proof = |proof: &Proof| proof.position.strip_prefix("0*")?.parse().ok();
    let proofs = proofs().iter().filter(|proof| proof.play == play);
    let proved = proofs.filter_map(of_proof);
    let starts = published_starts(play).map(|known| known.spots);
    starts.chain(proved).max()
}

/// Whether a position of Sprouts may last longer than every match from this number of spots.
fn is_larger(answer: &Answer, spots: u32) -> bool {
    answer.game == "sprouts" && answer.most_moves >= 3 * spots
}

/// The end of the sentence that begins with the convention.
fn who_wins(answer: &Answer, outcome: Known) -> Markup {
    let is_over = answer.most_moves == 0;
    html! {
        @match outcome {
            Known::Win if is_over => { "the player to move " strong { "has won" } "." }
            Known::Loss if is_over => { "the player to move " strong { "has lost" } "." }
            Known::Win => { "the player to move " strong { "wins" } "." }
            Known::Loss => { "the player to move " strong { "loses" } "." }
            Known::InProgress => { "the outcome is " strong { "being computed" } "." }
            Known::Unknown => { "the outcome is " strong { "unknown" } "." }
        }
    }
}

fn source(standing: &Standing) -> Markup {
    let by_whom = standing.citation.as_deref().unwrap_or("by others");
    html! {
        @match (standing.basis, &standing.solved) {
            (_, Some(solved)) => (solved_by(solved)),
            (Some(Basis::Certificate), _) if standing.citation.is_some() => (certified(by_whom)),
            (Some(Basis::Certificate), _) => { "A certificate was checked here." }
            (Some(Basis::Publication), _) => (published(by_whom)),
            (Some(Basis::Search), _) => { "Found by a search just now." }
            (Some(Basis::PlayedOut), _) => { "Every play was looked at." }
            (Some(Basis::Records | Basis::Computation), _) => { "It follows from facts proved here." }
            (Some(Basis::Theorem | Basis::Sequence | Basis::Period | Basis::Quotient | Basis::Sum), _) => {
                "It follows from " (by_whom) "."
            }
            (None, _) => {}
        }
    }
}

/// The sentence about a certificate of the atlas.
fn certified(citation: &str) -> Markup {
    html! {
        @match Proof::cited(citation) {
            Some(Proof { name, date, .. }) => {
                "Proved by Sproutnet, certificate " (name) " of " time datetime=(date) { (date) }
                ", not solved here."
            }
            None => { "Not solved here: " (citation) "." }
        }
    }
}

/// The sentence about a publication, with a link to it if it is one.
fn published(citation: &str) -> Markup {
    html! {
        @match keys_of(citation).first() {
            Some(key) => {
                "Published (" a href=(links::reference(key)) { (citation) } "), not solved here."
            }
            None => { "Not solved here: " (citation) "." }
        }
    }
}

fn solved_by(solved: &Provenance) -> Markup {
    let (iso, day) = words::day(solved.solved_at);
    html! {
        "Solved here "
        @if let Some(id) = solved.computation {
            "by " a href=(links::computation(id)) { "computation " (id) } " "
        }
        "on " time datetime=(iso) { (day) }
        @match solved.expansions {
            0 => ", from facts that were known.",
            expansions => {
                " in " (time(solved.seconds)) " with " (words::counted(expansions, "expansion")) "."
            }
        }
    }
}
