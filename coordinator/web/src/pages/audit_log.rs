//! The audit log.

use std::sync::Arc;

use axum::extract::State;
use maud::{Markup, Render, html};
use sproutnet_model::AuditEntry;
use sproutnet_system::figures::{count, moment};

use super::layout::{Column, table};
use super::{Site, words};
use crate::problem::Problem;

const COLUMNS: [Column; 5] = [
    ("Change", ""),
    ("Position", ""),
    ("Details", ""),
    ("By", ""),
    ("Time", ""),
];

/// The maximum number of listed entries.
const LISTED: usize = 200;

pub(super) async fn page(State(site): State<Arc<Site>>) -> Result<Markup, Problem> {
    let entries = site
        .ask(|coordinator, _| Ok(coordinator.audit_log()))
        .await?;
    let content = html! {
        section aria-labelledby="audit-log-title" {
            h1 #audit-log-title { "Audit log" }
            p.lead {
                "Who changed what, newest first. " code { "/api/v1/audit-log" } " has the same for programs."
            }
            @if entries.is_empty() {
                p { "No changes yet." }
            } @else {
                (table("The last changes", COLUMNS, entries.iter().take(LISTED).map(row)))
            }
        }
    };
    Ok(site.page("Audit log", None, &content))
}

fn row(entry: &AuditEntry) -> [Markup; 5] {
    [
        words::capital(&entry.event).render(),
        html! {
            @if let Some(position) = &entry.position {
                (words::position(position))
                @if let Some(play) = entry.play { " " small { (words::play(play)) } }
            }
        },
        details(entry).render(),
        entry.by.render(),
        time(entry.at),
    ]
}

/// A time to the second, in UTC.
fn time(seconds: u64) -> Markup {
    let time = humantime::format_rfc3339_seconds(moment(seconds)).to_string();
    let text = time.replace('T', " ").replace('Z', " UTC");
    html! { time datetime=(time) { (text) } }
}

/// What else an entry tells, as one text.
fn details(entry: &AuditEntry) -> String {
    let parts = [
        entry.computation.map(|id| format!("computation {id}")),
        entry.outcome.map(|outcome| outcome.to_string()),
        entry
            .weight
            .filter(|&weight| weight != 1)
            .map(|weight| format!("weight {weight}")),
        entry
            .priority
            .filter(|&priority| priority != 0)
            .map(|priority| format!("priority {priority}")),
        entry.source.clone(),
        entry.why.clone(),
        entry
            .records
            .map(|records| format!("{} records", count(records))),
        entry
            .computations
            .map(|run| format!("{} computations run again", count(run))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(", ")
}
