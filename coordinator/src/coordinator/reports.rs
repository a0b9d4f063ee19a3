//! What workers report.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use sproutnet_notation::{ComputationId, Epoch, LeaseId, WorkerId};
use sproutnet_solver::play::{Contradiction, Knowledge, Play};
use sproutnet_store::{Batch, Conflict, OWN, Sourced, block};

use super::Coordinator;
use crate::CoordinatorError;
use crate::audit::Claim;
use crate::ledger::{Ticket, WriteRequest};
use crate::scheduler::fleet::Registration;
use crate::scheduler::{Scheduler, Searched, UnknownWorker};

/// What is kept of a worker's word on why it cannot be trusted, in characters.
const LONGEST_FAULT: usize = 1000;

/// A report of a worker.
#[derive(Clone, Debug)]
pub struct Report {
    /// The worker.
    pub worker: WorkerId,
    /// What it reports.
    pub content: ReportContent,
}

/// What a worker reports.
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
    /// What the search found out about the state.
    pub searched: Searched,
    /// States visited.
    pub visits: u64,
    /// Expansions, partial ones included.
    pub expansions: u64,
    /// Blocks of records not delivered before.
    pub blocks: Vec<Vec<u8>>,
}

/// Facts that contradict each other.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The lease that ends with it, if any.
    pub lease: Option<LeaseId>,
    /// How they contradict each other.
    pub reason: String,
    /// The key of the record of which two values are known.
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

    fn searched(&self) -> Option<&Searched> {
        match self {
            Self::Finding(finding) => Some(&finding.searched),
            _ => None,
        }
    }
}

impl Coordinator {
    /// Takes in what came of a job. All that it contains is durable when this returns.
    ///
    /// # Errors
    /// There is no such worker, or a record or child cannot be read: nothing is taken then. Or the
    /// store failed. A record that contradicts what is known fails the computation, and is no error
    /// of the call.
    pub fn report(&self, report: Report, now: Instant) -> Result<(), CoordinatorError> {
        let began = Instant::now();
        let checked = self.check(report, now)?;
        let ticket = self.push(&checked);
        self.take_in(ticket, checked, now)?;
        self.took(began);
        Ok(())
    }

    /// Takes in several [reports](Self::report), with one write to disk; answers each, in their
    /// order.
    pub fn report_all(
        &self,
        reports: Vec<Report>,
        now: Instant,
    ) -> Vec<Result<(), CoordinatorError>> {
        let began = Instant::now();
        let push = |report| {
            let checked = self.check(report, now)?;
            Ok((self.push(&checked), checked))
        };
        // All are pushed before one is waited for, which writes them all.
        let pushed: Vec<Result<_, CoordinatorError>> = reports.into_iter().map(push).collect();
        let take_in = |pushed: Result<_, _>| {
            let (ticket, checked) = pushed?;
            self.take_in(ticket, checked, now)?;
            self.took(began);
            Ok(())
        };
        pushed.into_iter().map(take_in).collect()
    }

    /// Notes how long a report took that is taken in now.
    fn took(&self, began: Instant) {
        self.timings.report.observe(began.elapsed());
        self.work.notify_one();
    }

    /// Refuses a report from an unknown worker, or with a record or child that cannot be read.
    fn check(&self, report: Report, now: Instant) -> Result<Checked, CoordinatorError> {
        let context = self.context(&report, now)?;
        let mut records = self.read(report.content.blocks(), context.source)?;
        if let Some(searched) = report.content.searched() {
            context.check_children(searched)?;
            context.add_outcome(searched, &mut records);
        }
        Ok(Checked {
            report,
            records: Arc::new(records),
            source: context.source,
            name: context.name,
            epoch: context.epoch,
        })
    }

    /// What the scheduler knows of a report. The only lock that is taken before the write to disk.
    fn context(&self, report: &Report, now: Instant) -> Result<Context, CoordinatorError> {
        let mut scheduler = self.scheduler();
        let worker = scheduler.hear_of(report.worker, now)?;
        let Registration {
            source, name, peer, ..
        } = &worker.registration;
        let (source, name) = (*source, format!("{name} ({peer})"));
        let is_audited = source != OWN
            && self.audit_plan.is_on()
            && matches!(report.content.searched(), Some(Searched::Solved(_)));
        let lease = report.content.lease();
        let request = lease.and_then(|lease| scheduler.request_of(lease, report.worker));
        let job = request.map(|request| (request.game, request.play));
        let lease = lease.filter(|_| is_audited);
        let state = lease.map(|lease| scheduler.state_of(lease, report.worker));
        Ok(Context {
            source,
            name,
            epoch: scheduler.epoch(),
            knowledge: Arc::clone(scheduler.knowledge()),
            job,
            audited_state: state.flatten(),
        })
    }

    /// Lets the records of a report be written. `None` if there are none.
    fn push(&self, checked: &Checked) -> Option<Ticket> {
        let request = || WriteRequest {
            epoch: Some(checked.epoch),
            records: Arc::clone(&checked.records),
            ..WriteRequest::default()
        };
        (!checked.records.is_empty()).then(|| self.ledger.push(request()))
    }

    /// Waits until the records of a report are durable, then lets the proofs know of it.
    fn take_in(
        &self,
        ticket: Option<Ticket>,
        checked: Checked,
        now: Instant,
    ) -> Result<(), CoordinatorError> {
        let Checked {
            report,
            records,
            source,
            name,
            epoch,
        } = checked;
        let Report { worker, content } = report;
        let (lease, visits) = match &content {
            ReportContent::Finding(finding) => (Some(finding.lease), finding.visits),
            content => (content.lease(), 0),
        };
        if let ReportContent::Fault(Fault {
            reason, disputed, ..
        }) = content
        {
            if let Some(key) = disputed {
                self.doubt_stored(&key)?;
            }
            let fault: String = reason.chars().take(LONGEST_FAULT).collect();
            tracing::error!(%worker, name, fault, "a worker contradicts itself");
            self.contradictions.fetch_add(1, Ordering::Relaxed);
            let fault = format!("worker {name}: {fault}");
            let failed =
                lease.and_then(|lease| self.scheduler().report_fault(lease, worker, fault, now));
            return failed.map_or(Ok(()), |id| self.keep_failure(id, now));
        }
        let Learned { new, fault } = self.learn(ticket, &records, source, epoch)?;
        let count = records.len() as u64;
        self.received.fetch_add(count, Ordering::Relaxed);
        let (failed, contradiction) = {
            let mut scheduler = self.scheduler();
            scheduler.hear(worker, new, now)?;
            match fault {
                Some(fault) => {
                    tracing::error!(%worker, name, fault, "a report contradicts what is known");
                    let failed =
                        lease.and_then(|lease| scheduler.report_fault(lease, worker, fault, now));
                    (failed, None)
                }
                None => {
                    scheduler.count_records(worker, new);
                    let of = match content {
                        ReportContent::Finding(Finding {
                            lease,
                            searched,
                            expansions,
                            ..
                        }) => scheduler.report(lease, worker, searched, expansions, now),
                        _ => None,
                    };
                    let fail = |id| self.fail_if_contradicted(&mut scheduler, id, &name, now);
                    let contradiction = of.and_then(fail);
                    (of.filter(|_| contradiction.is_some()), contradiction)
                }
            }
        };
        if let Some(Contradiction { key, known, new }) = contradiction {
            self.doubt_stored(&key)?;
            let stored = self.ledger.store().get(&key)?;
            self.keep_contradictions(&[Conflict {
                known,
                known_source: stored.map_or(OWN, |stored| stored.source),
                new,
                new_source: source,
                position: 0,
                key,
            }])?;
        }
        if let Some(id) = failed {
            self.keep_failure(id, now)?;
        }
        let repeated = count - new;
        tracing::debug!(%worker, added = new, repeated, visits, "report");
        self.conclude(now)
    }

    /// Fails a computation if the last report on it contradicts what is known, and says how. The
    /// others go on with what is in the store, where both cannot be.
    fn fail_if_contradicted(
        &self,
        scheduler: &mut Scheduler,
        id: ComputationId,
        name: &str,
        now: Instant,
    ) -> Option<Contradiction> {
        let contradiction = scheduler.contradiction(id)?.clone();
        scheduler.fail(id, format!("worker {name}: {contradiction}"), now);
        self.ledger.leave(WriteRequest {
            epoch: Some(scheduler.epoch()),
            own: scheduler.knowledge().take_records(),
            ..WriteRequest::default()
        });
        scheduler.reset(Arc::new(self.ledger.knowledge()), usize::MAX);
        Some(contradiction)
    }

    /// Makes it durable that a computation failed. Nothing of its proof is to be taken up again.
    fn keep_failure(&self, id: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        self.ledger.checkpoints().remove(id);
        self.save(id, now)
    }

    /// The records of blocks, all from one source. Refuses blocks with a record that cannot be read.
    fn read(&self, blocks: &[Vec<u8>], source: u32) -> Result<Batch, CoordinatorError> {
        let bytes = blocks.iter().map(Vec::len).sum::<usize>();
        // Room for what blocks of records are like; a record takes some tens of bytes in them.
        let mut records = Batch::with_capacity(bytes / 16, 2 * bytes);
        for (number, bytes) in blocks.iter().enumerate() {
            let refused = |error: &dyn std::fmt::Display| {
                CoordinatorError::Invalid(format!("block {number}: {error}"))
            };
            let mut reader = block::Reader::new(bytes).map_err(|error| refused(&error))?;
            while let Some(record) = reader.next_record().map_err(|error| refused(&error))? {
                let checked = self.ledger.check(record.key, record.value);
                checked.map_err(|error| refused(&error))?;
                records.push(Sourced { source, ..record });
            }
        }
        Ok(records)
    }

    /// Waits until checked records are durable, then lets the proofs know of them.
    fn learn(
        &self,
        ticket: Option<Ticket>,
        records: &Batch,
        source: u32,
        epoch: Epoch,
    ) -> Result<Learned, CoordinatorError> {
        let Some(ticket) = ticket else {
            return Ok(Learned::default());
        };
        let committed = self.ledger.wait(ticket)?;
        let (knowledge, epoch_now) = {
            let scheduler = self.scheduler();
            (Arc::clone(scheduler.knowledge()), scheduler.epoch())
        };
        if committed.is_void || epoch_now != epoch {
            // It may rest on what was revoked. The worker has to register again, and hears of it.
            return Err(UnknownWorker.into());
        }
        let mut fault = self.keep_contradictions(&committed.conflicts)?;
        self.draw(source, records, &committed.news);
        for record in records.iter() {
            let conflicts = |conflict: &Conflict| *conflict.key == *record.key;
            if let Err(error) = knowledge.learn(record.key, record.value) {
                let is_counted = committed.conflicts.iter().any(conflicts);
                self.contradictions
                    .fetch_add(u64::from(!is_counted), Ordering::Relaxed);
                fault = fault.or(Some(error.to_string()));
            }
        }
        Ok(Learned {
            new: committed.new,
            fault,
        })
    }

    /// Keeps both sides of contradictions; returns the first.
    pub(super) fn keep_contradictions(
        &self,
        conflicts: &[Conflict],
    ) -> Result<Option<String>, CoordinatorError> {
        let mut first = None;
        for conflict in conflicts {
            self.contradictions.fetch_add(1, Ordering::Relaxed);
            if self.audit_plan.is_on() {
                let Conflict { key, .. } = conflict;
                self.audit_plan.doubt([
                    Claim::new(conflict.known_source, key, conflict.known),
                    Claim::new(conflict.new_source, key, conflict.new),
                ]);
            }
            let told = self.ledger.keep_contradiction(conflict)?;
            tracing::error!("{told}");
            first = first.or(Some(told));
        }
        Ok(first)
    }
}

/// What the scheduler knows of a report when it comes in.
struct Context {
    /// The worker as a source of records.
    source: u32,
    /// The worker, for people to read.
    name: String,
    /// The epoch of the store in which the worker is known.
    epoch: Epoch,
    knowledge: Arc<Knowledge>,
    /// The game and convention of the job. `None` if the worker does not hold the lease.
    job: Option<(&'static str, Play)>,
    /// The canonical bytes of the job's state, if its outcome may be audited.
    audited_state: Option<Vec<u8>>,
}

impl Context {
    /// Refuses children that cannot be read.
    fn check_children(&self, searched: &Searched) -> Result<(), CoordinatorError> {
        let (Searched::Open(children), Some((game, play))) = (searched, self.job) else {
            return Ok(());
        };
        let known = self.knowledge.game(game);
        let known = known.ok_or(CoordinatorError::Unknown("game"))?;
        for (bytes, _) in children {
            let checked = known.check_state(play, bytes);
            checked.map_err(|error| CoordinatorError::Invalid(format!("a child: {error}")))?;
        }
        Ok(())
    }

    /// Adds the outcome of a job to its records, so that it is audited as they are.
    fn add_outcome(&self, searched: &Searched, records: &mut Batch) {
        if let (Searched::Solved(outcome), Some((game, play))) = (searched, self.job)
            && let Some(state) = &self.audited_state
            && let Some(known) = self.knowledge.game(game)
            && let Some(record) = known.record_of(play, state, *outcome)
        {
            records.push(Sourced {
                key: &record.key,
                value: record.value,
                source: self.source,
            });
        }
    }
}

/// A report that can be taken in.
struct Checked {
    report: Report,
    /// The records of its blocks.
    records: Arc<Batch>,
    /// Who proved them.
    source: u32,
    /// The worker, for people to read.
    name: String,
    /// The epoch of the store in which it is known.
    epoch: Epoch,
}

/// What came of the records of a report.
#[derive(Default)]
struct Learned {
    /// How many said something new.
    new: u64,
    /// How they contradict what is known, if they do.
    fault: Option<String>,
}
