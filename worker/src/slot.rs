//! A slot: one of the searches that run at a time. It leases a job, searches it, reports, and
//! begins again.

use std::sync::Arc;
use std::time::Duration;

use sproutnet_solver::play::Contradiction;
use sproutnet_solver::search::Control;
use tokio::time::Instant;
use tracing::Instrument;
use tracing::field::Empty;

use crate::backoff::Backoff;
use crate::client::{CallError, Leased};
use crate::job::{self, Finding, Job, SearchError};
use crate::mind::Mind;
use crate::stint::{Ending, Stint};

/// A coordinator without jobs keeps one who asks waiting. One that does not is not asked more often
/// than this.
const BETWEEN_LEASES: Duration = Duration::from_millis(100);

/// Searches one job after the other until the stint ends; hands back what it is at then.
pub(crate) async fn run(stint: &Stint, number: u32, threads: usize) {
    tokio::select! {
        biased;
        _ = stint.ending() => return,
        () = stint.mind.ready() => {}
    }
    let mut backoff = Backoff::new();
    loop {
        let leased = tokio::select! {
            biased;
            _ = stint.ending() => return,
            leased = lease(stint, number) => leased,
        };
        let sound = match leased {
            Leased::Job(job) => {
                let Job {
                    lease,
                    computation,
                    play,
                    ..
                } = job;
                let span = tracing::debug_span!(
                    "job",
                    lease,
                    computation,
                    %play,
                    game = job.game,
                    outcome = Empty,
                    seconds = Empty,
                    visits = Empty,
                    expansions = Empty,
                );
                work(stint, job, threads).instrument(span).await
            }
            Leased::Unreadable(lease, problem) => {
                tracing::error!(lease, problem, "a job is handed back");
                release(stint, lease).await;
                false
            }
        };
        if sound {
            backoff.reset();
        } else {
            tokio::select! {
                _ = stint.ending() => return,
                () = backoff.wait() => {}
            }
        }
    }
}

/// A job, as soon as there is one.
async fn lease(stint: &Stint, number: u32) -> Leased {
    let mut backoff = Backoff::new();
    loop {
        let registration = stint.registration().await;
        let asked = Instant::now();
        let call = stint.link.client().lease(registration.worker, number).await;
        stint.link.note(registration, &call);
        match call {
            Ok(Some(leased)) => return leased,
            Ok(None) => {
                backoff.reset();
                tokio::time::sleep_until(asked + BETWEEN_LEASES).await;
            }
            Err(error) => {
                if let CallError::Rejected(reason) = error {
                    tracing::error!(reason, "the coordinator rejects a request for a job");
                }
                backoff.wait().await;
            }
        }
    }
}

/// Searches a job and says what came of it. False if that was nothing.
async fn work(stint: &Stint, job: Job, threads: usize) -> bool {
    let lease = job.lease;
    let held = stint.searches.hold(lease, job.slice);
    // It may have come after all searches were stopped.
    if stint.is_ending() {
        held.control().cancel();
    }
    let began = Instant::now();
    let job = Arc::new(job);
    let found = search(&stint.mind, &job, held.control(), threads).await;
    let finding = match found {
        Ok(finding) => finding,
        Err(error) => {
            let Job { game, play, .. } = &*job;
            tracing::error!(lease, %play, game, %error, "a job is handed back");
            release(stint, lease).await;
            return false;
        }
    };
    held.count(&finding);
    tell_span(&finding, began.elapsed());
    hand_in(stint, &job, finding).await;
    // The lease is renewed up to here: a report may take long to get through.
    drop(held);
    if let Some(used) = stint.mind.excess() {
        stint.end(Ending::Full(used));
    }
    true
}

async fn search(
    mind: &Arc<Mind>,
    job: &Arc<Job>,
    control: &Arc<Control>,
    threads: usize,
) -> Result<Finding, SearchError> {
    let (mind, job, control) = (Arc::clone(mind), Arc::clone(job), Arc::clone(control));
    waited_for(move || job::search(&job, &mind.knowledge, &mind.table, &control, threads)).await
}

/// A blocking thread of the runtime waits for a search, so that simulated time stands still meanwhile.
async fn waited_for(
    search: impl FnOnce() -> Result<Finding, SearchError> + Send + 'static,
) -> Result<Finding, SearchError> {
    let searched = tokio::task::spawn_blocking(search).await;
    searched.unwrap_or_else(|error| {
        let panicked = error.try_into_panic();
        Err(SearchError::Panicked(panicked.map_or_else(
            |error| error.to_string(),
            |panic| text_of(&*panic),
        )))
    })
}

fn text_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it did not say why").to_owned()
}

fn tell_span(finding: &Finding, time: Duration) {
    let outcome = finding.numbers.outcome();
    let span = tracing::Span::current();
    span.record("outcome", outcome.map_or("open", |outcome| outcome.name()));
    span.record("seconds", time.as_secs_f64());
    span.record("visits", finding.visits);
    span.record("expansions", finding.expansions);
}

/// Reports a finding once the coordinator has all that it rests on.
async fn hand_in(stint: &Stint, job: &Job, finding: Finding) {
    let lease = job.lease;
    if let Some(fault) = &finding.fault {
        stint.mind.condemn(fault.clone());
    }
    if stint.mind.contradiction().is_none() && stint.outbox.flush().await.is_err() {
        // The worker ends; what was found cannot be told.
        return;
    }
    // What was proved here may have turned out to contradict what was proved before.
    if let Some(fault) = stint.mind.contradiction() {
        return stop_at_fault(stint, job, fault).await;
    }
    let open = finding.numbers.outcome().is_none();
    if open && finding.children.is_empty() && stint.is_ending() {
        return release(stint, lease).await;
    }
    let finding = Arc::new(finding);
    let reported = stint.link.insist(|client, registration| {
        let finding = Arc::clone(&finding);
        async move { client.report(registration.worker, lease, &finding).await }
    });
    if let Err(reason) = reported.await {
        tracing::error!(lease, reason, "the coordinator rejects what was found");
        release(stint, lease).await;
    }
}

/// A job of the game and convention of the contradiction ends by the report of the fault; any other
/// goes back, for what was found with faulty knowledge cannot be trusted.
async fn stop_at_fault(stint: &Stint, job: &Job, fault: &Contradiction) {
    stint.end(Ending::Fault);
    if job.is_touched_by(&stint.mind.knowledge, fault) {
        tracing::error!(lease = job.lease, %fault, "what is known here contradicts itself");
        stint.tell_fault(job.lease, fault).await;
    } else {
        release(stint, job.lease).await;
    }
}

async fn release(stint: &Stint, lease: u64) {
    let released = stint.link.insist(|client, registration| async move {
        client.release(registration.worker, lease).await
    });
    if let Err(reason) = released.await {
        tracing::warn!(
            lease,
            reason,
            "the coordinator rejects that a job is handed back"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_search_that_panics_says_so() {
        let panicked = waited_for(|| panic!("no such land")).await;
        let error = panicked.expect_err("it panicked").to_string();
        assert!(error.contains("no such land"), "{error}");
    }
}
