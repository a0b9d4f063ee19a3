//! Renews the leases of running jobs, cancels jobs that are no longer wanted, and learns the fleet's least worth.

use std::time::Duration;

use tokio::time::MissedTickBehavior;

use crate::client::{Membership, Totals};
use crate::session::Session;

/// The time between renewals. A worker learns within two of them that a job is not wanted.
const PERIOD: Duration = Duration::from_secs(1);

/// Renews leases until aborted.
pub(crate) async fn run(session: &Session) {
    let mut ticks = tokio::time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The counters at registration.
    let mut since: Option<(Membership, Totals)> = None;
    loop {
        ticks.tick().await;
        session.check_for_fault();
        let registration = session.link.registration().await;
        let now = session.searches.totals();
        let before = match since {
            Some((known, before)) if known == registration => before,
            _ => since.insert((registration, now)).1,
        };
        let totals = Totals {
            expansions: now.expansions - before.expansions,
            visits: now.visits - before.visits,
            memory: now.memory,
        };
        let (client, leases) = (&session.link.client, session.searches.leases());
        let call = client.renew(registration.worker, leases, totals).await;
        session.link.note(registration, &call);
        let Ok(renewed) = call else {
            continue;
        };
        session.link.fleet_worth.ask(renewed.least_worth);
        for lease in renewed.unwanted {
            tracing::debug!(lease = lease.0, "a job is no longer wanted");
            session.searches.cancel(lease);
        }
    }
}
