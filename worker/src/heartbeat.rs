//! Renews the leases of all jobs under way, and stops those that are not wanted any more.

use std::time::Duration;

use tokio::time::MissedTickBehavior;

use crate::client::{Registration, Totals};
use crate::stint::Stint;

/// How often leases are renewed: within two of these a worker hears that a job is not wanted.
const PERIOD: Duration = Duration::from_secs(1);

/// Renews until it is aborted.
pub(crate) async fn run(stint: &Stint) {
    let mut ticks = tokio::time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // What had been done when the worker registered.
    let mut since: Option<(Registration, Totals)> = None;
    loop {
        ticks.tick().await;
        stint.look_for_fault();
        let registration = stint.link.registration().await;
        let now = stint.searches.totals();
        let before = match since {
            Some((known, before)) if known == registration => before,
            _ => since.insert((registration, now)).1,
        };
        let totals = Totals {
            expansions: now.expansions - before.expansions,
            visits: now.visits - before.visits,
            memory: now.memory,
        };
        let leases = stint.searches.leases();
        let call = stint
            .link
            .client()
            .renew(registration.worker, leases, totals)
            .await;
        stint.link.note(registration, &call);
        for lease in call.unwrap_or_default() {
            tracing::debug!(lease, "a job is not wanted any more");
            stint.searches.cancel(lease);
        }
    }
}
