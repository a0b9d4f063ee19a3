//! Tells other workers what guides this worker's search, and hears what guides theirs.

use std::time::Duration;

use sproutnet_solver::search::Teamwork;
use tokio::time::{Instant, sleep};

use crate::backoff::Backoff;
use crate::client::Registration;
use crate::session::Session;

/// The pause is at least so many times as long as the last call took: a slow connection is not kept busy with this.
const REST: u32 = 4;

/// The longest pause.
const LONGEST: Duration = Duration::from_secs(2);

/// Exchanges news with the coordinator until aborted. Nothing depends on it, so news that are lost are not sent again.
pub(crate) async fn run(session: &Session) {
    let (team, table) = (&session.context.team, &session.context.table);
    let mut teamwork = Teamwork::default();
    let mut since: Option<(Registration, u64)> = None;
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
