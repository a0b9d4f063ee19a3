//! The list of computations; one computation: its progress, its figures over time, its open branches.

use std::sync::Arc;

use axum::extract::State;
use maud::{Markup, Render, html};
use sproutnet_coordinator::scheduler::computation::Status;
use sproutnet_coordinator::scheduler::history::{History, Sample};
use sproutnet_model::{Branches, Computation, Effort};
use sproutnet_solver::search::Numbers;
use sproutnet_system::figures::{count, time};

use super::layout::{Column, Script, card, section, table};
use super::plot::{Scale, Series, plot};
use super::{Site, words};
use crate::extract::{At, Numbered};
use crate::links;
use crate::problem::Problem;

/// Without a script, the page of a computation reloads after this many seconds.
const REFRESH: u32 = 5;

const BRANCHES: [Column; 4] = [
    ("Position", ""),
    ("Proof", "figure"),
    ("Disproof", "figure"),
    ("Jobs out", "figure"),
];

/// The maximum number of ended computations that are listed.
const ENDED: usize = 6;

const LIST: [Column; 9] = [
    ("Position", ""),
    ("Play", ""),
    ("Status", "status"),
    ("Proof", "figure"),
    ("Disproof", "figure"),
    ("Time", "figure"),
    ("Expansions", "figure"),
    ("Records", "figure"),
    ("Jobs", "figure"),
];

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    At(path): At<Numbered>,
) -> Result<Markup, Problem> {
    let detail =
        site.ask(move |coordinator, now| coordinator.computations.detail(path.id.into(), now));
    let detail = detail.await?;
    let listed = &detail.listed;
    let title = format!("{}, {} play", listed.position, words::play(listed.play));
    let content = html! {
        (head(listed))
        (figures(listed, &detail.effort))
        (plots(&detail.history))
        (branches(listed, detail.branches.as_ref()))
    };
    Ok(site.page(&title, Some(Script::Live(Some(REFRESH))), &content))
}

fn head(listed: &Computation) -> Markup {
    let outcome = listed.progress.outcome.outcome();
    let class = outcome.map_or("", |outcome| outcome.name());
    html! {
        section #head .verdict.(class) data-live {
            p.above {
                a href="/#computations" { "Computations" } " / number " (listed.id)
            }
            h1 {
                (words::position(&listed.position)) " "
                span.play {
                    (words::play(listed.play)) " play"
                    @if listed.nimber_wanted { ", with its nimber" }
                }
            }
            p.lead { (words::sentence(&listed.progress)) }
            @if let Some(why) = words::waits(listed) { p.source { (why) } }
            @let described = words::described(listed);
            @if !described.is_empty() { p.source { (described) } }
            @if let Some(estimate) = words::estimate(&listed.progress) { p.source { (estimate) } }
            (changes(listed))
        }
    }
}

/// The buttons for the changes that its status allows.
fn changes(listed: &Computation) -> Markup {
    let form = |change: &str, text: &str, class: &str| {
        html! {
            form method="post" action=(format!("{}/{change}", links::computation(listed.id))) {
                button class=(class) { (text) }
            }
        }
    };
    html! {
        div.buttons {
            @match listed.progress.status {
                Status::Running => {
                    (form("pause", "Pause", "second"))
                    (form("cancel", "Cancel", "second danger"))
                }
                Status::Paused => {
                    (form("resume", "Resume", ""))
                    (form("cancel", "Cancel", "second danger"))
                }
                Status::Cancelled | Status::Expired | Status::Failed => {
                    (form("resume", "Resume", ""))
                }
                Status::Solved => {}
            }
        }
    }
}

fn figures(listed: &Computation, effort: &Effort) -> Markup {
    let progress = &listed.progress;
    let rate = progress.expansions as f64 / progress.seconds.max(1e-3);
    let standing = match progress.status {
        Status::Running | Status::Paused => {
            let nodes = words::counted(progress.nodes, "node");
            let jobs = words::counted(progress.jobs.into(), "job");
            let (priority, weight) = (listed.priority, listed.weight);
            format!("{nodes}, {jobs} in progress, priority {priority}, weight {weight}")
        }
        status => words::status(status).to_owned(),
    };
    let (proof, disproof) = (progress.root.proof, progress.root.disproof);
    let rate = format!("{} a second", count(rate as u64));
    html! {
        dl #figures .cards data-live {
            (card("Time of work", &time(progress.seconds), &standing))
            (card("Machine time", &time(listed.machine_seconds), "of all cores together"))
            (card("Expansions", &count(progress.expansions), &rate))
            (card("Records", &count(progress.records), "added to the store"))
            @if let Some(yields) = effort.yields() {
                (card(
                    "Another worker",
                    &format!("{:.0} %", yields * 100.0),
                    &wasted(effort),
                ))
            }
            @if progress.status != Status::Solved {
                (card("Proof number", &words::number(proof), "effort to prove a win"))
                (card("Disproof number", &words::number(disproof), "effort to prove a loss"))
            }
        }
    }
}

/// The wasted shares of the reported work, after the share that another worker adds.
fn wasted(effort: &Effort) -> String {
    let percent = |share: Option<f64>| share.unwrap_or_default() * 100.0;
    format!(
        "of its own speed at most: {:.0} % of the records were known before, {:.0} % of the expansions unwanted",
        percent(effort.repeated()),
        percent(effort.unwanted())
    )
}

fn plots(history: &History) -> Markup {
    let series = |name, class, value: fn(&Sample) -> f64| Series {
        name,
        class,
        points: history
            .samples()
            .iter()
            .map(|s| (s.seconds, value(s)))
            .collect(),
    };
    let proof = series("proof: effort to a win", "win", |sample| {
        finite(sample.root.proof)
    });
    let disproof = series("disproof: effort to a loss", "loss", |sample| {
        finite(sample.root.disproof)
    });
    let records = series("records", "records", |sample| sample.records as f64);
    let rate = Series {
        name: "expansions a second",
        class: "rate",
        points: history.rates(),
    };
    html! {
        section #plots .plots data-live aria-labelledby="plots-title" {
            h2 #plots-title { "How it went" }
            div.plot-grid {
                (plot("plot-numbers", "Proof and disproof numbers", Scale::Logarithmic, &[proof, disproof]))
                (plot("plot-rate", "Expansions a second", Scale::Linear, &[rate]))
                (plot("plot-records", "Records", Scale::Linear, &[records]))
            }
            p.note { "The clock counts work: it stops while the computation is paused." }
        }
    }
}

/// A proof number as a value on an axis; NaN if it has no place there.
fn finite(number: u32) -> f64 {
    match number {
        0 | Numbers::INFINITE => f64::NAN,
        number => f64::from(number),
    }
}

fn branches(listed: &Computation, branches: Option<&Branches>) -> Markup {
    let content = html! {
        @match branches {
            Some(branches) if !branches.open.is_empty() => (open(branches)),
            Some(_) => p.empty { "No branch is open: the position is nearly solved." },
            None if listed.progress.status == Status::Solved => p.empty {
                "No branch is open: the position is solved."
            },
            None => p.empty { "No search is in progress. Resume it to see its branches." },
        }
    };
    section("branches", "Hardest open branches", true, &content)
}

fn open(branches: &Branches) -> Markup {
    let open = branches.open.len() as u64 + branches.more;
    let rows = branches.open.iter().map(|branch| {
        let position = html! {
            (words::position(&branch.position))
            @if let Some(value) = &branch.value { small { "beside " (value) } }
        };
        [
            position,
            words::number(branch.numbers.proof).render(),
            words::number(branch.numbers.disproof).render(),
            branch.jobs.render(),
        ]
    });
    html! {
        p {
            @if branches.are_parts {
                "The position is a sum of parts, which are solved one after the other; "
                (count(open)) " are open."
            } @else {
                (words::counted(open, "move")) " may still win."
            }
            @if branches.more > 0 { " The " (branches.open.len()) " hardest are listed." }
            " The numbers are those of the player to move there."
        }
        (table("Open branches, the hardest first", BRANCHES, rows))
    }
}

/// The computations in progress, then those that ended last.
pub(super) fn list(computations: &[Computation]) -> Markup {
    let has_ended = |listed: &&Computation| listed.progress.status.has_ended();
    let in_progress = computations.iter().filter(|listed| !has_ended(listed));
    let ended = computations.iter().rev().filter(has_ended).take(ENDED);
    let caption = "Computations in progress, and the last that ended";
    let content = html! {
        @if computations.is_empty() {
            div.empty {
                p {
                    strong { "No computation has been started yet." }
                    " Look up a position, for example "
                    a href=(links::position("0*8")) { "0*8" }
                    ", and press “Solve”."
                }
            }
        } @else {
            (table(caption, LIST, in_progress.chain(ended).map(listed_row)))
        }
    };
    section("computations", "Computations", true, &content)
}

fn listed_row(listed: &Computation) -> [Markup; 9] {
    let progress = &listed.progress;
    let number = |number| match progress.status {
        Status::Solved => String::new(),
        _ => words::number(number),
    };
    let position = html! {
        a.position href=(links::computation(listed.id)) { (listed.position) }
        small { "number " (listed.id) }
        @let described = words::described(listed);
        @if !described.is_empty() { small { (described) } }
    };
    let play = html! { (words::play(listed.play)) @if listed.nimber_wanted { " + nimber" } };
    [
        position,
        play,
        badge(listed),
        number(progress.root.proof).render(),
        number(progress.root.disproof).render(),
        time(progress.seconds).render(),
        count(progress.expansions).render(),
        count(progress.records).render(),
        progress.jobs.render(),
    ]
}

/// The outcome of a computation, or its status.
fn badge(listed: &Computation) -> Markup {
    let progress = &listed.progress;
    match progress.outcome.outcome() {
        Some(outcome) => html! {
            span.badge.(outcome.name()) {
                (outcome.name())
                @if let Some(nimber) = progress.nimber { ", nimber " (nimber) }
            }
        },
        None => html! {
            span.badge.(progress.status.name()) { (words::status(progress.status)) }
            @if let Some(why) = words::waits(listed) { small { (why) } }
        },
    }
}
