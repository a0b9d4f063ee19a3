//! Exchanges the news of searches with other workers: the entries and places that guide them.

use std::time::Duration;

use sproutnet_solver::search::Teamwork;
use tokio::time::{Instant, sleep};

use crate::backoff::Backoff;
use crate::client::Membership;
use crate::session::Session;

/// The minimum ratio of the pause to the duration of the last call, so that exchanges do not fill a slow connection.
const REST: u32 = 4;

/// The longest pause.
const LONGEST: Duration = Duration::from_secs(2);

/// Exchanges news with the coordinator until aborted. After a failed call, its places are sent again, but not its
/// entries: nothing depends on them.
pub(crate) async fn run(session: &Session) {
    let (team, table) = (&session.context.team, &session.context.table);
    let mut teamwork = Teamwork::default();
    let mut since: Option<(Membership, u64)> = None;
    let mut backoff = Backoff::new();
    loop {
        let registration = session.link.registration().await;
        let cursor = match since {
            Some((known, cursor)) if known == registration => cursor,
            _ => 0,
        };
        let news = teamwork.news(team, table);
        let asked = Instant::now();
        let client = &session.link.client;
        let call = client.exchange(registration.worker, cursor, &news).await;
        session.link.note(registration, &call);
        let Ok(told) = call else {
            teamwork.repeat(&news.places);
            backoff.wait().await;
            continue;
        };
        backoff.reset();
        since = Some((registration, told.cursor));
        table.tell_from(told.least_work);
        teamwork.hear(&told.news, told.starts_over, team, table);
        let rest = asked.elapsed() * REST;
        sleep(told.pause.max(rest).min(LONGEST)).await;
    }
}
