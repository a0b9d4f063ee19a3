//! One computation: how it goes, and where it is.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use maud::{Markup, html};
use sproutnet_solver::search::Numbers;
use sproutnet_system::figures::{count, time};

use super::layout::Page;
use super::plot::{Scale, Series, plot};
use super::problem::Problem;
use super::{Site, words};
use crate::links;
use sproutnet_coordinator::scheduler::Branches;
use sproutnet_coordinator::scheduler::computation::Status;
use sproutnet_coordinator::scheduler::history::{History, Sample};
use sproutnet_model::Computation;

/// Without a script, the page of a running computation reloads after that many seconds.
const REFRESH: u32 = 5;

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    id: Result<Path<u64>, PathRejection>,
) -> Result<Markup, Problem> {
    let Path(id) = id.map_err(|_| Problem::missing("There is no such computation"))?;
    let detail = site
        .ask(move |coordinator, _| coordinator.computations.detail(id.into()))
        .await?;
    let listed = &detail.listed;
    let play = words::play(listed.play);
    let page = Page {
        title: &format!("{}, {play} play", listed.position),
        refresh: Some(REFRESH),
        signed_in: site.access.wants_token(),
    };
    Ok(page.with(&html! {
        (head(listed))
        (figures(listed))
        (plots(&detail.history))
        (branches(listed, detail.branches.as_ref()))
    }))
}

fn head(listed: &Computation) -> Markup {
    let class = listed
        .progress
        .outcome
        .outcome()
        .map_or("", |outcome| outcome.name());
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
            (changes(listed))
        }
    }
}

/// What can be done with it as it is.
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
                Status::Running | Status::Waiting => {
                    (form("pause", "Pause", "second"))
                    (form("cancel", "Cancel", "second danger"))
                }
                Status::Paused => {
                    (form("resume", "Resume", ""))
                    (form("cancel", "Cancel", "second danger"))
                }
                Status::Cancelled | Status::Expired | Status::Failed => {
                    (form("resume", "Go on", ""))
                }
                Status::Solved => {}
            }
        }
    }
}

fn figures(listed: &Computation) -> Markup {
    let progress = &listed.progress;
    let rate = progress.expansions as f64 / progress.seconds.max(1e-3);
    let card = |name: &str, figure: String, more: String| {
        html! { div.card { dt { (name) } dd { b { (figure) } small { (more) } } } }
    };
    let standing = match progress.status {
        Status::Running | Status::Waiting | Status::Paused => {
            let nodes = words::counted(progress.nodes, "node");
            let jobs = words::counted(progress.jobs.into(), "job");
            format!("{nodes}, {jobs} out, priority {}", listed.priority)
        }
        status => words::status(status).to_owned(),
    };
    html! {
        dl #figures .cards data-live {
            (card("Time of work", time(progress.seconds), standing))
            (card(
                "Expansions",
                count(progress.expansions),
                format!("{} a second", count(rate as u64)),
            ))
            (card("Records", count(progress.records), "added to the store".to_owned()))
            @if progress.status != Status::Solved {
                (card(
                    "Proof number",
                    words::number(progress.root.proof),
                    "effort to prove a win".to_owned(),
                ))
                (card(
                    "Disproof number",
                    words::number(progress.root.disproof),
                    "effort to prove a loss".to_owned(),
                ))
            }
        }
    }
}

fn plots(history: &History) -> Markup {
    let samples = history.samples();
    let series = |name, class, value: fn(&Sample) -> f64| Series {
        name,
        class,
        points: samples.iter().map(|s| (s.seconds, value(s))).collect(),
    };
    let finite = |number: u32| match number {
        0 | Numbers::INFINITE => f64::NAN,
        number => f64::from(number),
    };
    let root = |name, class, number: fn(Numbers) -> u32| Series {
        name,
        class,
        points: samples
            .iter()
            .map(|sample| (sample.seconds, finite(number(sample.root))))
            .collect(),
    };
    let rate = Series {
        name: "expansions a second",
        class: "rate",
        points: history.rates(),
    };
    html! {
        section #plots .plots data-live aria-labelledby="plots-title" {
            h2 #plots-title { "How it went" }
            div.plot-grid {
                (plot(
                    "plot-numbers",
                    "Proof and disproof numbers",
                    Scale::Logarithmic,
                    &[
                        root("proof: effort to a win", "win", |root| root.proof),
                        root("disproof: effort to a loss", "loss", |root| root.disproof),
                    ],
                ))
                (plot("plot-rate", "Expansions a second", Scale::Linear, &[rate]))
                (plot(
                    "plot-records",
                    "Records",
                    Scale::Linear,
                    &[series("records", "records", |sample| sample.records as f64)],
                ))
            }
            p.note { "Time is time of work: it stands still while the computation is paused." }
        }
    }
}

fn branches(listed: &Computation, branches: Option<&Branches>) -> Markup {
    html! {
        section #branches data-live aria-labelledby="branches-title" {
            h2 #branches-title { "Hardest open branches" }
            @match branches {
                Some(branches) if !branches.open.is_empty() => (open(branches)),
                Some(_) => p.empty {
                    "The search has not been split into branches: it is still one job."
                },
                None if listed.progress.status == Status::Solved => p.empty {
                    "None is open: it is solved."
                },
                None => p.empty { "No proof is under way; it is shown again when the search goes on." },
            }
        }
    }
}

fn open(branches: &Branches) -> Markup {
    let open = (branches.open.len() + branches.more) as u64;
    let all = open + branches.solved as u64;
    html! {
        p {
            @match (branches.are_parts, branches.solved) {
                (true, _) => {
                    "The position falls in parts, which are solved one after the other; "
                    (count(open)) " of " (count(all)) " are open."
                }
                (false, 0) => { (words::counted(open, "move")) " may still win." }
                (false, _) => { (count(open)) " of " (words::counted(all, "move")) " may still win." }
            }
            @if branches.more > 0 { " The " (branches.open.len()) " hardest are listed." }
            " The numbers are those of the player to move there."
        }
        table.list {
            caption.unseen { "Open branches, the hardest first" }
            thead {
                tr {
                    th scope="col" { "Position" }
                    th.figure scope="col" { "Proof" }
                    th.figure scope="col" { "Disproof" }
                    th.figure scope="col" { "Jobs out" }
                }
            }
            tbody {
                @for branch in &branches.open {
                    tr {
                        th scope="row" {
                            (words::position(&branch.position))
                            @if let Some(value) = &branch.value { small { "beside " (value) } }
                        }
                        td.figure data-label="Proof" { (words::number(branch.numbers.proof)) }
                        td.figure data-label="Disproof" { (words::number(branch.numbers.disproof)) }
                        td.figure data-label="Jobs out" { (branch.jobs) }
                    }
                }
            }
        }
    }
}
