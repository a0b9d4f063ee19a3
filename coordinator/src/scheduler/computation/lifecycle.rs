//! How a computation is stopped and resumed.

use sproutnet_model::Known;
use std::time::{Duration, Instant};

use sproutnet_solver::search::Numbers;

use super::{Computation, MOST_FAILURES, ProofJob, Status};

impl Computation {
    /// Ends it if its deadline is over. Returns whether it ended now.
    pub(in crate::scheduler) fn expire(&mut self, now: Instant) -> bool {
        let late = self.time_left(now).is_some_and(|left| left.is_zero());
        let ends = late && self.is_running() && !self.reached;
        if ends {
            self.stop(Status::Expired, None, now);
        }
        ends
    }

    /// Hands out no more jobs until it is resumed. Returns false if it is not running.
    pub(in crate::scheduler) fn pause(&mut self, now: Instant) -> bool {
        let runs = self.is_running() && !self.reached;
        if runs {
            self.stop(Status::Paused, None, now);
        }
        runs
    }

    /// Ends it by request. Returns false if it has already ended.
    pub(in crate::scheduler) fn cancel(&mut self, now: Instant) -> bool {
        let goes_on = !self.status().has_ended() && !self.reached;
        if goes_on {
            self.stop(Status::Cancelled, None, now);
        }
        goes_on
    }

    /// Ends it because its facts contradict each other or its jobs fail. Even a result on its way to disk is not shown.
    /// If it failed before, only the fault is replaced.
    pub(in crate::scheduler) fn fail(&mut self, fault: String, now: Instant) {
        if self.status() == Status::Failed {
            let fault = Some(fault);
            self.progress.send_modify(|progress| progress.fault = fault);
            return;
        }
        if self.status().has_ended() {
            return;
        }
        self.stop(Status::Failed, Some(fault), now);
        self.reached = false;
    }

    /// Resumes it. Returns false if it is running or solved.
    pub(in crate::scheduler) fn resume(&mut self) -> bool {
        let can = !matches!(self.status(), Status::Running | Status::Solved);
        if can {
            self.paused_by = None;
            self.progress.send_modify(|progress| {
                progress.status = Status::Running;
                progress.fault = None;
            });
        }
        can
    }

    /// Drops the proof, which may rest on revoked records. If it failed, or if its result is gone, runs it again and
    /// returns true.
    pub(crate) fn revoke(&mut self, is_solved: bool) -> bool {
        self.proof = None;
        self.reached = false;
        let goes_on = match self.status() {
            Status::Failed => true,
            Status::Solved => !is_solved,
            _ => false,
        };
        if goes_on {
            // The time since it was solved was no time of work.
            self.spent = Duration::try_from_secs_f64(self.progress().seconds).unwrap_or_default();
            self.since = None;
            self.progress.send_modify(|progress| {
                progress.status = Status::Running;
                progress.outcome = Known::Unknown;
                progress.nimber = None;
                progress.source = None;
                progress.fault = None;
                progress.root = Numbers::UNLIMITED;
            });
        }
        goes_on
    }

    fn stop(&mut self, status: Status, fault: Option<String>, now: Instant) {
        self.spent = self.spent(now);
        self.since = None;
        if !self.spent.is_zero() {
            let end = self.as_sample(self.spent);
            self.history.note_end(end);
        }
        if status == Status::Expired {
            self.deadline = None;
        }
        // While it is paused, the results of the jobs that are out are still taken in.
        if status != Status::Paused {
            self.proof = None;
        }
        let seconds = self.spent.as_secs_f64();
        self.progress.send_modify(|progress| {
            progress.status = status;
            progress.seconds = seconds;
            progress.fault = fault;
        });
    }

    /// Counts a job, which is still out, that ended without a report. Returns the fault if the computation has to fail.
    pub(in crate::scheduler) fn count_failure(&mut self, job: ProofJob) -> Option<String> {
        let state = self.proof_of(job)?.state(job.job)?;
        let failures = self.failures.entry(state).or_default();
        *failures += 1;
        (*failures >= MOST_FAILURES).then(|| {
            self.failures.clear();
            format!(
                "{MOST_FAILURES} workers in a row could not search one of its jobs, or ended while they did; \
                 their logs say why"
            )
        })
    }
}
