//! The workers.

use maud::{Markup, html};
use sproutnet_system::figures::{ago, bytes, count, time};

use super::words;
use sproutnet_coordinator::State;

/// How the coordinator and its workers do, in four figures.
pub(super) fn cards(state: &State, under_way: usize, ended: usize) -> Markup {
    let cores: u64 = state.workers.iter().map(|w| u64::from(w.cores)).sum();
    let rate: f64 = state.workers.iter().map(|w| w.rate).sum();
    let card = |name: &str, figure: String, more: String| {
        html! { div.card { dt { (name) } dd { b { (figure) } small { (more) } } } }
    };
    let workers = words::counted(state.workers.len() as u64, "worker");
    html! {
        dl #cards .cards data-live {
            (card("Cores", count(cores), workers))
            (card(
                "Expansions a second",
                count(rate as u64),
                format!("{} since the start", count(state.done.expansions)),
            ))
            (card("Records", count(state.records as u64), bytes(state.store_bytes)))
            (card(
                "Computations",
                count(under_way as u64),
                format!("in progress; {} ended", count(ended as u64)),
            ))
        }
    }
}

/// The workers, each with how it does.
pub(super) fn table(state: &State) -> Markup {
    html! {
        section #fleet data-live aria-labelledby="fleet-title" {
            h2 #fleet-title { "Fleet" }
            @if state.workers.is_empty() {
                div.empty {
                    p { strong { "No worker is connected." } " Nothing is searched until one is." }
                    p { "Start one on this machine, or on any that can reach the coordinator:" }
                    pre { code { "sproutnet-worker --coordinator http://HOST:7350" } }
                }
            } @else {
                table.list {
                    caption.unseen { "Workers that called in the last minute" }
                    thead {
                        tr {
                            th scope="col" { "Worker" }
                            th.figure scope="col" { "Cores" }
                            th.figure scope="col" { "Jobs" }
                            th.figure scope="col" { "Expansions/s" }
                            th.figure scope="col" { "Records" }
                            th.figure scope="col" { "Memory" }
                            th.figure scope="col" { "Heard" }
                        }
                    }
                    tbody {
                        @for worker in &state.workers {
                            tr {
                                th scope="row" {
                                    (worker.name)
                                    @if !worker.peer.is_empty() { small { (worker.peer) } }
                                }
                                td.figure data-label="Cores" { (worker.cores) }
                                td.figure data-label="Jobs" { (worker.jobs) }
                                td.figure data-label="Expansions/s" { (count(worker.rate as u64)) }
                                td.figure data-label="Records" { (count(worker.records)) }
                                td.figure data-label="Memory" { (bytes(worker.totals.memory)) }
                                td.figure data-label="Heard" { (ago(worker.silent.as_secs_f64())) }
                            }
                        }
                    }
                }
            }
            @for aside in &state.quarantined {
                p.note role="alert" {
                    strong { (aside.name) } " (" (aside.peer) ", source " (aside.source)
                    ") is quarantined"
                    @if let Some(why) = &aside.quarantine { ": " (why.why) }
                    ". Its records are no longer accepted."
                }
            }
            p.note {
                "The coordinator has run for " (time(state.uptime.as_secs_f64())) ". Of "
                (count(state.jobs.leased)) " jobs given out " (count(state.jobs.finished))
                " are finished, " (count(state.jobs.expired)) " ran out, "
                (count(state.jobs.released)) " were handed back and "
                (count(state.leases as u64)) " are out."
            }
        }
    }
}
