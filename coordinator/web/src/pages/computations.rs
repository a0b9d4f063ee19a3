//! The list of computations.

use maud::{Markup, html};
use sproutnet_system::figures::{count, time};

use super::words;
use crate::links;
use sproutnet_coordinator::scheduler::computation::Status;
use sproutnet_model::Computation;

/// So many of those that ended are shown.
const LATELY: usize = 12;

/// What is under way, then what ended lately, the last first.
pub(super) fn section(computations: &[Computation]) -> Markup {
    let is_end = |listed: &&Computation| listed.progress.status.has_ended();
    let under_way: Vec<&Computation> = computations.iter().filter(|c| !is_end(c)).collect();
    let ended = computations.iter().rev().filter(is_end);
    let lately: Vec<&Computation> = ended.take(LATELY).collect();
    html! {
        section #computations data-live aria-labelledby="computations-title" {
            h2 #computations-title { "Computations" }
            @if computations.is_empty() {
                div.empty {
                    p {
                        strong { "Nothing has been computed yet." }
                        " Ask for a position above, for example "
                        a href=(links::position("0*8")) { "0*8" }
                        ", and press “Solve”."
                    }
                }
            } @else {
                table.list {
                    caption.unseen { "Computations in progress, and the last that ended" }
                    thead {
                        tr {
                            th scope="col" { "Position" }
                            th scope="col" { "Play" }
                            th scope="col" { "Status" }
                            th.figure scope="col" { "Proof" }
                            th.figure scope="col" { "Disproof" }
                            th.figure scope="col" { "Time" }
                            th.figure scope="col" { "Expansions" }
                            th.figure scope="col" { "Records" }
                            th.figure scope="col" { "Jobs" }
                        }
                    }
                    tbody {
                        @for listed in under_way.iter().chain(&lately) { (row(listed)) }
                    }
                }
            }
        }
    }
}

fn row(listed: &Computation) -> Markup {
    let progress = &listed.progress;
    let (proof, disproof) = match progress.status {
        Status::Solved => (String::new(), String::new()),
        _ => (
            words::number(progress.root.proof),
            words::number(progress.root.disproof),
        ),
    };
    html! {
        tr {
            th scope="row" {
                a.position href=(links::computation(listed.id)) { (listed.position) }
                small { "number " (listed.id) }
            }
            td data-label="Play" {
                (words::play(listed.play))
                @if listed.nimber_wanted { " + nimber" }
            }
            td.status data-label="Status" { (badge(listed)) }
            td.figure data-label="Proof" { (proof) }
            td.figure data-label="Disproof" { (disproof) }
            td.figure data-label="Time" { (time(progress.seconds)) }
            td.figure data-label="Expansions" { (count(progress.expansions)) }
            td.figure data-label="Records" { (count(progress.records)) }
            td.figure data-label="Jobs" { (progress.jobs) }
        }
    }
}

/// How far a computation is, at a glance.
fn badge(listed: &Computation) -> Markup {
    let progress = &listed.progress;
    match progress.outcome.outcome() {
        Some(outcome) => html! {
            span.badge.(outcome.name()) {
                (outcome.name())
                @if let Some(nimber) = progress.nimber { ", nimber " (nimber) }
            }
        },
        None => html! { span.badge.(progress.status.name()) { (words::status(progress.status)) } },
    }
}
