//! The workers.

use std::sync::Arc;
use std::time::Duration;

use axum::extract;
use maud::{Markup, Render, html};
use sproutnet_coordinator::State;
use sproutnet_model::Computation;
use sproutnet_system::figures::{self, ago, bytes, count};

use super::layout::{self, Column, Script, card, section};
use super::{Site, computations, words};
use crate::api::ROOT;
use crate::links;
use crate::problem::Problem;

const COLUMNS: [Column; 8] = [
    ("Worker", ""),
    ("Version", ""),
    ("Cores", "figure"),
    ("Jobs", "figure"),
    ("Expansions/s", "figure"),
    ("New records", "figure"),
    ("Memory", "figure"),
    ("Last call", "figure"),
];

/// Without a script, the page reloads after this many seconds.
const REFRESH: u32 = 5;

/// The fleet and its computations, with the reason why one waits. The front page has the same parts, below the board and
/// the tables.
pub(super) async fn page(site: extract::State<Arc<Site>>) -> Result<Markup, Problem> {
    let asked = site
        .ask(|coordinator, now| Ok((coordinator.computations.list(now), coordinator.state(now)?)));
    let (listed, state) = asked.await?;
    let has_ended = |of: &&Computation| of.progress.status.has_ended();
    let ended = listed.iter().filter(has_ended).count();
    let content = html! {
        h1 { "Fleet" }
        p.lead {
            "The workers, and what they work on. Programs get the same at "
            a href=(format!("{ROOT}/fleet")) { code { (ROOT) "/fleet" } } " and "
            a href=(links::API_COMPUTATIONS) { code { (links::API_COMPUTATIONS) } }
            ", and terminals by " code { "sproutnet fleet" } " and " code { "sproutnet list" } "."
        }
        (cards(&state, listed.len() - ended, ended))
        (table(&state))
        (store(&state))
        (computations::list(&listed))
    };
    Ok(site.page("Fleet", Some(Script::Live(Some(REFRESH))), &content))
}

/// The store and its disk.
fn store(state: &State) -> Markup {
    let disk = state.disk_space.as_ref();
    html! {
        p #store .note data-live {
            "The store has " (words::counted(state.records as u64, "record")) " and takes "
            (bytes(state.store_bytes)) " on disk"
            @if let Some(disk) = disk { "; " (bytes(disk.free)) " are free" }
            "."
        }
    }
}

/// The fleet in four figures.
pub(super) fn cards(state: &State, under_way: usize, ended: usize) -> Markup {
    let cores: u64 = state.workers.iter().map(|w| u64::from(w.cores)).sum();
    let rate: f64 = state.workers.iter().map(|w| w.rate).sum();
    let workers = words::counted(state.workers.len() as u64, "worker");
    let expansions = format!("{} since the start", count(state.done.expansions));
    let records = count(state.records as u64);
    let stored = format!("in the store, {}", bytes(state.store_bytes));
    let ended = format!("in progress; {} ended", count(ended as u64));
    html! {
        dl #cards .cards data-live {
            (card("Cores", &count(cores), &workers))
            (card("Expansions a second", &count(rate as u64), &expansions))
            (card("Records", &records, &stored))
            (card("Computations", &count(under_way as u64), &ended))
        }
    }
}

/// The workers, each with its figures.
pub(super) fn table(state: &State) -> Markup {
    let rows = state.workers.iter().map(|worker| {
        let name = html! {
            (worker.name)
            @if !worker.peer.is_empty() { small { (worker.peer) } }
        };
        [
            name,
            worker.version.render(),
            worker.cores.render(),
            worker.jobs.render(),
            count(worker.rate as u64).render(),
            count(worker.records).render(),
            bytes(worker.totals.memory).render(),
            ago(worker.silent.as_secs_f64()).render(),
        ]
    });
    let content = html! {
        @if !state.health.is_well() {
            p.note role="alert" {
                strong { "No jobs are handed out: " } (state.health) "."
            }
        }
        @if state.workers.is_empty() {
            div.empty {
                p { strong { "No worker is connected." } " Nothing is searched until one is." }
                p { "Start one on this machine, or on any that can reach the coordinator:" }
                pre { code { "sproutnet-worker --coordinator http://HOST:7350" } }
            }
        } @else {
            (layout::table("Workers that called in the last minute", COLUMNS, rows))
        }
        @for aside in &state.quarantined {
            p.note role="alert" {
                strong { (aside.name) } " (" (aside.peer) ", source " (aside.source) ") is quarantined"
                @if let Some(why) = &aside.quarantine { ": " (why.why) }
                ". Its records are no longer accepted."
            }
        }
        p.note {
            "The coordinator has run for " (minutes(state.uptime)) ". Of "
            (words::counted(state.jobs.leased, "leased job")) ", " (count(state.jobs.finished))
            " finished, " (count(state.jobs.expired)) " expired, " (count(state.jobs.released))
            " were released, and " (count(state.leases as u64)) " are in progress. "
            @if state.least_worth > 1 {
                "To stay within the budgets of records and of disk, workers send only facts that took "
                (words::counted(state.least_worth, "visit")) " or more."
            } @else {
                "Workers send all that they prove."
            }
            " A worker’s new records are those that the store did not have before. The store also has records of earlier workers \
             and of imports."
        }
    };
    section("fleet", "Workers", true, &content)
}

/// A time in whole minutes, so that a page on which nothing happens stays the same.
fn minutes(time: Duration) -> String {
    match time.as_secs() / 60 {
        0 => "less than a minute".to_owned(),
        minutes => figures::time(Duration::from_mins(minutes).as_secs_f64()),
    }
}
