//! Reports of workers.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use sproutnet_notation::{ComputationId, Epoch, LeaseId, SourceId, WorkerId};
use sproutnet_solver::play::{self, Contradiction, Knowledge, Play};
use sproutnet_solver::search::Found;
use sproutnet_store::{Batch, Conflict, OWN, Sourced, block};

use super::jobs::Jobs;
use crate::CoordinatorError;
use crate::ledger::{Committed, Ticket, WriteRequest};
use crate::scheduler::fleet::Registration;
use crate::scheduler::{Scheduler, UnknownWorker};

/// The maximum length of a logged fault message, in characters.
const LONGEST_FAULT: usize = 1000;

/// A report of a worker.
#[derive(Clone, Debug)]
pub struct Report {
    /// The worker.
    pub worker: WorkerId,
    /// Its content.
    pub content: ReportContent,
}

/// The content of a report.
#[derive(Clone, Debug)]
pub enum ReportContent {
    /// Blocks of records.
    Delivery(Vec<Vec<u8>>),
    /// The result of a job.
    Finding(Finding),
    /// The worker's facts contradict each other.
    Fault(Fault),
}

/// The result of a job. It ends the lease.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The lease.
    pub lease: LeaseId,
    /// The outcome of the state, or its numbers.
    pub found: Found,
    /// States visited.
    pub visits: u64,
    /// Expansions, partial ones included.
    pub expansions: u64,
    /// Blocks of records that were not delivered yet.
    pub blocks: Vec<Vec<u8>>,
}

/// Facts that contradict each other.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The lease that the fault ends, if any.
    pub lease: Option<LeaseId>,
    /// The contradiction, as text.
    pub reason: String,
    /// The key of the record with two contradictory values.
    pub disputed: Option<Vec<u8>>,
}

impl ReportContent {
    /// The lease that the report ends.
    pub fn lease(&self) -> Option<LeaseId> {
        match self {
            Self::Delivery(_) => None,
            Self::Finding(finding) => Some(finding.lease),
            Self::Fault(fault) => fault.lease,
        }
    }

    /// Its blocks of records.
    pub fn blocks(&self) -> &[Vec<u8>] {
        match self {
            Self::Delivery(blocks) => blocks,
            Self::Finding(finding) => &finding.blocks,
            Self::Fault(_) => &[],
        }
    }

    fn take_blocks(&mut self) -> Vec<Vec<u8>> {
        match self {
            Self::Delivery(blocks) => mem::take(blocks),
            Self::Finding(finding) => mem::take(&mut finding.blocks),
            Self::Fault(_) => Vec::new(),
        }
    }

    fn found(&self) -> Option<&Found> {
        match self {
            Self::Finding(finding) => Some(&finding.found),
            _ => None,
        }
    }
}

impl Jobs {
    /// Takes in a report. Its records are durable when this returns.
    ///
    /// # Errors
    /// There is no such worker, or a record cannot be read: nothing is taken in then. Or the store failed. A record
    /// that contradicts a known one fails the computation, but not the call.
    pub fn report(&self, report: Report, now: Instant) -> Result<(), CoordinatorError> {
        self.report_all(vec![report], now).into_iter().collect()
    }

    /// Takes in several [reports](Self::report) with one write to disk. Returns an answer for each, in order.
    pub fn report_all(
        &self,
        reports: Vec<Report>,
        now: Instant,
    ) -> Vec<Result<(), CoordinatorError>> {
        let began = Instant::now();
        let push = |report| self.push(report, now);
        // All are pushed before the first wait, which writes them all.
        let pushed: Vec<Result<PushedReport, _>> = reports.into_iter().map(push).collect();
        let take_in = |pushed: Result<PushedReport, _>| {
            self.take_in(pushed?, now)?;
            self.timings.report.observe(began.elapsed());
            self.core.work.notify_one();
            Ok(())
        };
        pushed.into_iter().map(take_in).collect()
    }

    /// Pushes the records of a report to be written. Refuses a report from an unknown worker, or with an unreadable
    /// record.
    fn push(&self, mut report: Report, now: Instant) -> Result<PushedReport, CoordinatorError> {
        let context = self.context(&report, now)?;
        let blocks = report.content.take_blocks();
        let bytes = blocks.iter().map(Vec::len).sum::<usize>() as u64;
        let mut records = self.read(&blocks, context.source)?;
        if let Some(found) = report.content.found() {
            context.add_outcome(found, &mut records);
        }
        let records = Arc::new(records);
        let request = || WriteRequest {
            epoch: Some(context.epoch),
            records: Arc::clone(&records),
            ..WriteRequest::default()
        };
        let ticket = (!records.is_empty()).then(|| self.core.ledger.push(request()));
        Ok(PushedReport {
            report,
            context,
            records,
            bytes,
            ticket,
        })
    }

    /// The scheduler's context for a report. Before the write to disk, its lock is taken only here.
    fn context(&self, report: &Report, now: Instant) -> Result<Context, CoordinatorError> {
        let Report { worker, content } = report;
        let mut scheduler = self.core.scheduler();
        let Registration {
            source, name, peer, ..
        } = &scheduler.hear(*worker, now)?.registration;
        let (source, name) = (*source, format!("{name} ({peer})"));
        let is_solved = matches!(content.found(), Some(Found::Solved(_)));
        let is_audited = is_solved && source != SourceId::OWN && self.core.plan.is_on();
        let lease = content.lease();
        let request = lease.and_then(|lease| scheduler.request_of(lease, *worker));
        let job = request.map(|request| (request.game, request.play));
        let lease = lease.filter(|_| is_audited);
        Ok(Context {
            source,
            name,
            epoch: scheduler.epoch(),
            knowledge: Arc::clone(scheduler.knowledge()),
            job,
            audited_state: lease.and_then(|lease| scheduler.state_of(lease, *worker)),
        })
    }

    /// Waits until the records of a report are durable. Then passes them to the proofs, and the result of the job in
    /// one transaction.
    fn take_in(&self, pushed: PushedReport, now: Instant) -> Result<(), CoordinatorError> {
        let PushedReport {
            report: Report { worker, content },
            context,
            records,
            bytes,
            ticket,
        } = pushed;
        let committed = ticket.map(|ticket| self.core.ledger.wait(ticket));
        let committed = committed.transpose()?.unwrap_or_default();
        if committed.is_void {
            return Err(context.revoked());
        }
        let mut fault = match &content {
            ReportContent::Fault(fault) => Some(self.note_fault(worker, &context, fault)?),
            _ => self.core.keep_contradictions(&committed.conflicts)?,
        };
        // Outside the lock, since there may be many records.
        fault = fault.or(self.learn(&context.knowledge, &records, &committed));
        self.count_received(records.len() as u64, bytes);
        let (lease, new) = (content.lease(), committed.new);
        let repeated = records.len() as u64 - new;
        let mut contradiction = None;
        let done = self.core.transact(now, |scheduler, changes| {
            if scheduler.epoch() != context.epoch {
                return Err(context.revoked());
            }
            if !Arc::ptr_eq(scheduler.knowledge(), &context.knowledge) {
                let known = self.learn(scheduler.knowledge(), &records, &committed);
                fault = fault.take().or(known);
            }
            self.draw(context.source, &records, &committed);
            scheduler.hear(worker, now)?.records += new;
            if let Some(fault) = fault {
                let name = &context.name;
                tracing::error!(%worker, name, fault, "a report contradicts what is known");
                let failed = lease.and_then(|id| scheduler.report_fault(id, worker, fault, now));
                changes.saved.extend(failed);
                return Ok(());
            }
            scheduler.count_records(worker, new, repeated);
            let ReportContent::Finding(finding) = content else {
                return Ok(());
            };
            let Finding {
                lease,
                found,
                visits,
                expansions,
                ..
            } = finding;
            tracing::debug!(%worker, visits, expansions, "a job ended");
            let of = scheduler.report(lease, worker, found, expansions, now);
            contradiction =
                of.and_then(|id| self.fail_if_contradicted(scheduler, id, &context.name, now));
            changes.saved.extend(of.filter(|_| contradiction.is_some()));
            Ok(())
        });
        // Even if the disk was full for the rest: the scheduler's copy of the contradiction is gone.
        if let Some(contradiction) = contradiction {
            self.keep_contradiction(contradiction, context.source)?;
        }
        done?;
        tracing::debug!(%worker, added = new, repeated, "report");
        Ok(())
    }

    /// Logs and counts a worker's fault, and queues the disputed record for an audit. Returns the reason for failing
    /// the computation.
    fn note_fault(
        &self,
        worker: WorkerId,
        context: &Context,
        fault: &Fault,
    ) -> Result<String, CoordinatorError> {
        if let Some(key) = &fault.disputed {
            self.core.doubt_stored(key)?;
        }
        let (name, reason) = (&context.name, fault.reason.chars());
        let reason: String = reason.take(LONGEST_FAULT).collect();
        tracing::error!(%worker, name, reason, "a worker contradicts itself");
        self.core.contradictions.fetch_add(1, Ordering::Relaxed);
        Ok(format!("worker {name}: {reason}"))
    }

    /// Adds durable records to knowledge. Returns the first contradiction.
    fn learn(
        &self,
        knowledge: &Knowledge,
        records: &Batch,
        committed: &Committed,
    ) -> Option<String> {
        let mut first = None;
        for record in records.iter() {
            if let Err(error) = knowledge.learn(record.key, record.value) {
                let counted = |conflict: &Conflict| *conflict.key == *record.key;
                let is_counted = committed.conflicts.iter().any(counted);
                let contradictions = &self.core.contradictions;
                contradictions.fetch_add(u64::from(!is_counted), Ordering::Relaxed);
                first = first.or(Some(error.to_string()));
            }
        }
        first
    }

    /// Samples the new records of a report for audits.
    fn draw(&self, source: SourceId, records: &Batch, committed: &Committed) {
        let plan = &self.core.plan;
        if source == SourceId::OWN {
            return;
        }
        let added = committed.news.iter().filter_map(|&(position, known)| {
            let record = records.get(position)?;
            Some((record.key, play::news(record.key, known, record.value)))
        });
        plan.draw(source, added);
    }

    /// Fails a computation if the last report on it led to a contradiction, which is returned. All proofs then restart
    /// from the store, which cannot hold both sides.
    fn fail_if_contradicted(
        &self,
        scheduler: &mut Scheduler,
        id: ComputationId,
        name: &str,
        now: Instant,
    ) -> Option<Contradiction> {
        let contradiction = scheduler.contradiction(id)?.clone();
        scheduler.fail(id, format!("worker {name}: {contradiction}"), now);
        self.core.ledger.leave(WriteRequest {
            epoch: Some(scheduler.epoch()),
            own: scheduler.knowledge().take_records(),
            ..WriteRequest::default()
        });
        scheduler.reset(Arc::new(self.core.ledger.knowledge()));
        Some(contradiction)
    }

    /// Stores a contradiction that a proof met, and queues the stored record for an urgent audit.
    fn keep_contradiction(
        &self,
        contradiction: Contradiction,
        source: SourceId,
    ) -> Result<(), CoordinatorError> {
        let Contradiction { key, known, new } = contradiction;
        self.core.doubt_stored(&key)?;
        let stored = self.core.ledger.store().get(&key)?;
        let conflict = Conflict {
            known,
            known_source: stored.map_or(OWN, |stored| stored.source),
            new,
            new_source: source.0,
            position: 0,
            key,
        };
        self.core.keep_contradictions(&[conflict]).map(drop)
    }

    /// The records of blocks, all from one source. Refuses blocks with an unreadable record.
    fn read(&self, blocks: &[Vec<u8>], source: SourceId) -> Result<Batch, CoordinatorError> {
        let bytes = blocks.iter().map(Vec::len).sum::<usize>();
        // A guess at the decoded size: a record takes some tens of bytes in a block.
        let mut records = Batch::with_capacity(bytes / 16, 2 * bytes);
        for (number, bytes) in blocks.iter().enumerate() {
            let refused = |error: &dyn std::fmt::Display| {
                CoordinatorError::Invalid(format!("block {number}: {error}"))
            };
            let mut reader = block::Reader::new(bytes).map_err(|error| refused(&error))?;
            while let Some(record) = reader.next_record().map_err(|error| refused(&error))? {
                let checked = self.core.ledger.admit(record.key, record.value);
                checked.map_err(|error| refused(&error))?;
                records.push(Sourced {
                    source: source.0,
                    ..record
                });
            }
        }
        Ok(records)
    }
}

/// A report whose records are pushed to be written.
struct PushedReport {
    /// Without its blocks.
    report: Report,
    context: Context,
    /// The records of its blocks.
    records: Arc<Batch>,
    /// The size of these blocks, in bytes.
    bytes: u64,
    /// `None` if there are no records to be written.
    ticket: Option<Ticket>,
}

/// The state of the scheduler that a report depends on, when it arrives.
struct Context {
    /// The worker as a source of records.
    source: SourceId,
    /// The worker's name and peer, for logs.
    name: String,
    /// The epoch of the store when the report arrived.
    epoch: Epoch,
    knowledge: Arc<Knowledge>,
    /// The game and convention of the job. `None` if the worker does not hold the lease.
    job: Option<(&'static str, Play)>,
    /// The canonical bytes of the job's state, if its outcome may be audited.
    audited_state: Option<Vec<u8>>,
}

impl Context {
    /// The error for a report that may rest on revoked records. The worker has to register again, and then learns of
    /// the revocation.
    fn revoked(&self) -> CoordinatorError {
        tracing::info!(worker = self.name, "a report from before a revocation");
        UnknownWorker.into()
    }

    /// Adds the outcome of a job to the records of its report, so that it may be audited too.
    fn add_outcome(&self, found: &Found, records: &mut Batch) {
        if let (Found::Solved(outcome), Some((game, play))) = (found, self.job)
            && let Some(state) = &self.audited_state
            && let Some(known) = self.knowledge.game(game)
            && let Some(record) = known.record_of(play, state, *outcome)
        {
            records.push(Sourced::of(&record, self.source.0));
        }
    }
}
