//! A slot: leases a job, searches it, reports the result, and repeats.

use std::sync::Arc;
use std::time::Duration;

use sproutnet_notation::LeaseId;
use sproutnet_solver::play::Contradiction;
use sproutnet_solver::search::{Control, Found};
use tokio::time::Instant;
use tracing::Instrument;
use tracing::field::Empty;

use crate::backoff::Backoff;
use crate::client::{CallError, Leased, Report};
use crate::job::{self, Finding, Job, SearchError};
use crate::outbox::Until;
use crate::search_context::SearchContext;
use crate::session::{Ending, Session};

/// The shortest time between two requests for a job. A coordinator without jobs normally answers
/// late.
const BETWEEN_LEASES: Duration = Duration::from_millis(100);

/// Searches jobs until the session ends, then returns the current one.
pub(crate) async fn run(session: &Session, number: u32, threads: usize) {
    tokio::select! {
        biased;
        _ = session.ending() => return,
        () = session.context.ready() => {}
    }
    let mut backoff = Backoff::new();
    loop {
        let leased = tokio::select! {
            biased;
            _ = session.ending() => return,
            leased = lease(session, number) => leased,
        };
        let searched = match leased {
            Leased::Job(job) => {
                let span = tracing::debug_span!(
                    "job",
                    lease = job.lease.0,
                    computation = job.computation.0,
                    play = %job.play,
                    game = job.game,
                    outcome = Empty,
                    seconds = Empty,
                    visits = Empty,
                    expansions = Empty,
                );
                work(session, job, threads).instrument(span).await
            }
            Leased::Unreadable(lease, problem) => {
                tracing::error!(lease = lease.0, problem, "an unreadable job is returned");
                release(session, lease, true).await;
                false
            }
        };
        if searched {
            backoff.reset();
        } else {
            tokio::select! {
                _ = session.ending() => return,
                () = backoff.wait() => {}
            }
        }
    }
}

/// The next job.
async fn lease(session: &Session, number: u32) -> Leased {
    let mut backoff = Backoff::new();
    loop {
        let registration = session.registration().await;
        let asked = Instant::now();
        let client = &session.link.client;
        let call = client.lease(registration.worker, number).await;
        session.link.note(registration, &call);
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

/// Searches a job and reports the result. False if the search failed.
async fn work(session: &Session, job: Job, threads: usize) -> bool {
    let held = session.searches.hold(job.lease, job.slice);
    // The job may have arrived after all searches were cancelled.
    if session.is_ending() {
        held.control.cancel();
    }
    let began = Instant::now();
    let job = Arc::new(job);
    let finding = match search(&session.context, &job, &held.control, threads).await {
        Ok(finding) => finding,
        Err(error) => {
            let Job { game, play, .. } = &*job;
            tracing::error!(lease = job.lease.0, %play, game, %error, "a failed job is returned");
            release(session, job.lease, true).await;
            return false;
        }
    };
    record_in_span(&finding, began.elapsed());
    report(session, &job, finding).await;
    // Renew the lease until here: a report may take long.
    drop(held);
    if let Some(used) = session.context.excess() {
        session.end(Ending::Full(used));
    }
    true
}

async fn search(
    context: &Arc<SearchContext>,
    job: &Arc<Job>,
    control: &Arc<Control>,
    threads: usize,
) -> Result<Finding, SearchError> {
    let (context, job, control) = (Arc::clone(context), Arc::clone(job), Arc::clone(control));
    blocking(move || {
        let SearchContext {
            knowledge,
            table,
            team,
            ..
        } = &*context;
        job::search(&job, knowledge, table, team, &control, threads)
    })
    .await
}

/// Runs a search on a blocking thread of the runtime, so that simulated time stands still meanwhile.
async fn blocking(
    search: impl FnOnce() -> Result<Finding, SearchError> + Send + 'static,
) -> Result<Finding, SearchError> {
    tokio::task::spawn_blocking(search).await?
}

fn record_in_span(finding: &Finding, time: Duration) {
    let outcome = match &finding.found {
        Found::Solved(outcome) => outcome.name(),
        Found::Open { .. } => "open",
    };
    let span = tracing::Span::current();
    span.record("outcome", outcome);
    span.record("seconds", time.as_secs_f64());
    span.record("visits", finding.visits);
    span.record("expansions", finding.expansions);
}

/// Reports a finding once the coordinator has the records it rests on.
async fn report(session: &Session, job: &Job, finding: Finding) {
    let (lease, context) = (job.lease, &session.context);
    if let Some(fault) = &finding.fault {
        context.condemn(fault.clone());
    }
    let acknowledged = Until::Acknowledged;
    if context.contradiction().is_none() && session.outbox.wait(acknowledged).await.is_none() {
        // The worker ends, so the finding cannot be reported.
        return;
    }
    // New records may contradict earlier ones.
    if let Some(fault) = context.contradiction() {
        return stop_at_fault(session, job, fault).await;
    }
    let report = Report::Finding(lease, &finding);
    if let Err(reason) = session.link.report(report).await {
        tracing::error!(lease = lease.0, reason, "the coordinator rejects a finding");
        release(session, lease, true).await;
    }
}

/// Reports the fault with a job of its game and convention. Returns any other job: its result may
/// rest on the fault.
async fn stop_at_fault(session: &Session, job: &Job, fault: &Contradiction) {
    session.end(Ending::Fault);
    if job.is_touched_by(&session.context.knowledge, fault) {
        session.report_fault(Some(job.lease), fault).await;
    } else {
        release(session, job.lease, false).await;
    }
}

/// Returns a job, whose search may have failed.
async fn release(session: &Session, lease: LeaseId, failed: bool) {
    if let Err(reason) = session.link.report(Report::Release { lease, failed }).await {
        let lease = lease.0;
        tracing::warn!(lease, reason, "the coordinator rejects a returned job");
    }
}

#[cfg(test)]
mod tests;
