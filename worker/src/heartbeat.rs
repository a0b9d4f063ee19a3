//! Renews the leases of running jobs, cancels jobs that are no longer wanted, and learns the fleet's least worth.

use std::time::Duration;

use tokio::time::MissedTickBehavior;

use crate::session::Session;

/// The time between renewals. A worker learns within two of them that a job is not wanted.
const PERIOD: Duration = Duration::from_secs(1);

/// Renews leases until aborted.
pub(crate) async fn run(session: &Session) {
    let mut ticks = tokio::time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        session.check_for_fault();
        let registration = session.link.registration().await;
        let call = session.link.renew(registration, &session.searches, false);
        let call = call.await;
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
