//! The coordinator as plain blocking calls, safe to make from any thread. The time is handed in.
//!
//! - this file: calls of clients.
//! - [`lookups`]: what is known of positions.
//! - [`workers`]: calls of workers, except reports.
//! - [`reports`]: reports of workers.
//! - [`audits`]: records of workers are proved again.
//! - [`attribution`]: finds the source of a false record.
//! - [`revocation`]: the records of each worker, and revoking them.
//! - [`verify`](Coordinator::verify): what certificates prove.
//! - [`maintenance`]: periodic work.
//! - [`state`](fn@Coordinator::state): the figures of the coordinator and its workers.

mod attribution;
mod audits;
mod lookups;
mod maintenance;
mod reports;
mod revocation;
mod state;
mod timings;
mod verify;
mod workers;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use sproutnet_game as game;
use sproutnet_model::{Source, TableEntry};
use sproutnet_notation::ComputationId;
use sproutnet_query::{self as answer};
use sproutnet_solver::play::{Knowledge, Play};
use sproutnet_solver::search::Auditor;
use sproutnet_store::Store;
use sproutnet_system::options::Nice;
use tokio::sync::{Notify, watch};

use crate::CoordinatorError;
use crate::audit::AuditPlan;
use crate::audit::share::AuditShare;
use crate::ledger::{Ledger, Saved, WriteRequest};
use crate::scheduler::computation::{Computation, Progress, Request, Status};
use crate::scheduler::slices::Slices;
use crate::scheduler::{Deadline, Scheduler};

pub use lookups::Lookup;
pub use reports::{Fault, Finding, Report, ReportContent};
pub use state::{Detail, State, WorkerState};
pub use timings::{Distribution, Timings};
pub use verify::Verified;

/// How a coordinator is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// How much memory the proofs and what is known for them may take, in bytes.
    pub memory: usize,
    /// Whether computations that were under way go on by themselves; else they are paused.
    pub resume: bool,
    /// How long jobs are searched.
    pub slices: Slices,
    /// How long a lease lasts without a renewal.
    pub lease: Duration,
    /// How long at least between two checkpoints of the proofs.
    pub checkpoint: Duration,
    /// The longest time that anybody gets for a search of a small position on the spot.
    pub on_the_spot: Duration,
    /// By how much the threads that take in what was reported over [`rpc`](crate::rpc) let others
    /// go first, where threads have priorities of their own, as under Linux.
    pub nice: Nice,
    /// Which share is audited of what workers of other processes report.
    pub audit: AuditShare,
    /// What is drawn for that depends on this and on the order of reports only; on chance if none is
    /// given.
    pub seed: Option<u64>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            resume: true,
            slices: Slices::default(),
            lease: Duration::from_secs(30),
            checkpoint: Duration::from_secs(30),
            on_the_spot: Duration::from_secs(10),
            nice: Nice(0),
            audit: AuditShare::OFF,
            seed: None,
        }
    }
}

/// A position to solve.
#[derive(Clone, Debug)]
pub struct Start<'a> {
    /// A position as `text` or `game:text`.
    pub position: &'a str,
    /// The convention.
    pub play: Play,
    /// Whether the nimber is wanted beside the outcome.
    pub nimber: bool,
    /// Give up after so much work from now on.
    pub deadline: Option<Duration>,
    /// Computations of higher priority come first; one under way keeps its own if none is given.
    pub priority: Option<i32>,
}

/// Computations, leases, and all that is known.
pub struct Coordinator {
    config: Config,
    ledger: Ledger,
    scheduler: Mutex<Scheduler>,
    maintenance: Mutex<maintenance::Due>,
    contradictions: AtomicU64,
    received: AtomicU64,
    timings: Timings,
    audit_plan: AuditPlan,
    audits: audits::Audits,
    /// Held while records are revoked.
    revoking: Mutex<()>,
    /// Held while a certificate is checked.
    verifying: Mutex<()>,
    /// Where one small position at a time is searched on the spot.
    search_permit: lookups::SearchPermit,
    /// Wakes one who waits for a job.
    work: Notify,
    began: Instant,
}

impl Coordinator {
    /// Opens or creates the store in a folder, and takes up the computations that were under way.
    ///
    /// # Errors
    /// The store cannot be opened, or a document in it cannot be read.
    pub fn open(data: &Path, config: Config, now: Instant) -> Result<Self, CoordinatorError> {
        let ledger = Ledger::open(data)?;
        let knowledge = Arc::new(ledger.knowledge());
        let scheduler = Scheduler::new(knowledge, config.slices, config.lease, random());
        let mut scheduler = scheduler.in_epoch(ledger.store().epoch());
        for (id, saved) in ledger.computations()? {
            let (priority, left) = (saved.priority(), saved.time_left());
            let runs = saved.status() == Status::Running;
            let goes_on = runs || saved.status() == Status::Paused;
            let checkpoint = goes_on.then(|| ledger.checkpoints().get(id)).flatten();
            let restored = saved.restore(checkpoint);
            let mut computation = restored.map_err(|error| {
                CoordinatorError::Invalid(format!("computation {id} in the store: {error}"))
            })?;
            // It may have been solved just before the end.
            if let Some(solved) = ledger.result_of(computation.request())? {
                computation.conclude(&solved, Source::Store);
            }
            scheduler.add_as(id, computation);
            scheduler.take_up(id, priority, left, now);
            if runs && !config.resume {
                scheduler.pause(id, now);
            }
        }
        let auditor = Auditor::over(ledger.archive());
        let coordinator = Self {
            audit_plan: AuditPlan::new(config.audit, config.seed.unwrap_or_else(random)),
            audits: audits::Audits::new(auditor),
            revoking: Mutex::default(),
            verifying: Mutex::default(),
            maintenance: Mutex::new(maintenance::Due::from(now)),
            config,
            ledger,
            scheduler: Mutex::new(scheduler),
            contradictions: AtomicU64::new(0),
            received: AtomicU64::new(0),
            timings: Timings::default(),
            search_permit: lookups::SearchPermit::default(),
            work: Notify::new(),
            began: now,
        };
        coordinator.forget_old();
        Ok(coordinator)
    }

    /// Starts a computation, joins the one under way, or finds its result. Returns its number and
    /// the position's canonical text. It is durable when this returns.
    ///
    /// # Errors
    /// The position cannot be read, a nimber is asked for under misère play, or the store failed.
    pub fn start(
        &self,
        start: &Start<'_>,
        now: Instant,
    ) -> Result<(ComputationId, String), CoordinatorError> {
        let (game, position) = parse(start.position)?;
        let play = start.play;
        let nimber = start.nimber || play == Play::Normal && game.wants_nimbers();
        if nimber && play == Play::Misere {
            let problem = "nimbers belong to normal play; misère play has none";
            return Err(CoordinatorError::Invalid(problem.to_owned()));
        }
        let canonical = game.print(&position);
        let request = Request {
            game: game.name(),
            position,
            play,
            nimber,
        };
        let qualified = game::qualified(game.as_ref(), &canonical);
        let found = self.ledger.result_of(&request)?;
        let mut new = Computation::new(request, crate::seconds_since_1970());
        if let Some(solved) = found {
            new.conclude(&solved, Source::Store);
            let id = self.scheduler().add(new);
            self.forget_old();
            // Its number is not to be given to another.
            self.save(id, now)?;
            return Ok((id, qualified));
        }
        let ended = self.scheduler().find(new.request());
        ended.inspect(|&id| self.fetch_checkpoint(id));
        let id = {
            let mut scheduler = self.scheduler();
            let id = scheduler
                .find(new.request())
                .unwrap_or_else(|| scheduler.add(new));
            let deadline = Deadline::After(start.deadline);
            scheduler.resume(id, start.priority, deadline, now);
            scheduler.look_at(id, now);
            id
        };
        self.forget_old();
        self.save(id, now)?;
        self.conclude(now)?;
        self.work.notify_one();
        Ok((id, qualified))
    }

    /// A computation's progress, now and from now on.
    ///
    /// # Errors
    /// There is no such computation.
    pub fn watch(
        &self,
        computation: ComputationId,
    ) -> Result<watch::Receiver<Progress>, CoordinatorError> {
        let scheduler = self.scheduler();
        let found = scheduler.computations().get(&computation);
        found
            .map(Computation::watch)
            .ok_or(CoordinatorError::Unknown("computation"))
    }

    /// Hands out no more jobs of a computation until it is resumed.
    ///
    /// # Errors
    /// There is no such computation, it has ended, or the store failed.
    pub fn pause(&self, computation: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        let paused = self.scheduler().pause(computation, now);
        let paused = paused.ok_or(CoordinatorError::Unknown("computation"))?;
        if !paused && self.status(computation)? != Status::Paused {
            let problem = "the computation has ended";
            return Err(CoordinatorError::NotNow(problem.to_owned()));
        }
        self.save_with_checkpoint(computation, now)
    }

    /// Lets a computation go on that was paused, cancelled, failed or ran out of time.
    ///
    /// # Errors
    /// There is no such computation, it is solved, or the store failed.
    pub fn resume(&self, computation: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        self.fetch_checkpoint(computation);
        let resumed = self
            .scheduler()
            .resume(computation, None, Deadline::AsItIs, now);
        let resumed = resumed.ok_or(CoordinatorError::Unknown("computation"))?;
        if !resumed && self.status(computation)? == Status::Solved {
            let problem = "the computation is solved";
            return Err(CoordinatorError::NotNow(problem.to_owned()));
        }
        self.save(computation, now)?;
        self.work.notify_one();
        Ok(())
    }

    /// Ends a computation. What it proved stays. One that has ended stays as it is.
    ///
    /// # Errors
    /// There is no such computation, or the store failed.
    pub fn cancel(&self, computation: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        let cancelled = self.scheduler().cancel(computation, now);
        match cancelled.ok_or(CoordinatorError::Unknown("computation"))? {
            true => self.save_with_checkpoint(computation, now),
            false => Ok(()),
        }
    }

    /// Fetches what a computation that ended before a restart goes on from.
    fn fetch_checkpoint(&self, id: ComputationId) {
        let lacks_checkpoint = {
            let scheduler = self.scheduler();
            let computation = scheduler.computations().get(&id);
            computation.is_some_and(Computation::lacks_checkpoint)
        };
        if lacks_checkpoint && let Some(checkpoint) = self.ledger.checkpoints().get(id) {
            self.scheduler().give_checkpoint(id, checkpoint);
        }
    }

    fn status(&self, computation: ComputationId) -> Result<Status, CoordinatorError> {
        let scheduler = self.scheduler();
        let found = scheduler.computations().get(&computation);
        found
            .map(Computation::status)
            .ok_or(CoordinatorError::Unknown("computation"))
    }

    /// The store's cursor, now and whenever records are added.
    pub fn cursor(&self) -> watch::Receiver<u64> {
        self.ledger.cursor()
    }

    /// How it is set up.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// How long calls take.
    pub fn timings(&self) -> &Timings {
        &self.timings
    }

    /// The records, for reading.
    pub fn store(&self) -> &Store {
        self.ledger.store()
    }

    /// The table of a game.
    ///
    /// # Errors
    /// There is no such game, or the store failed.
    pub fn table(&self, game: &str) -> Result<Vec<TableEntry>, CoordinatorError> {
        let games = game::all();
        let found = games.iter().find(|known| known.name() == game);
        let found = found.ok_or(CoordinatorError::Unknown("game"))?;
        let (solved, verified) = (self.ledger.results(game)?, self.ledger.verifications(game)?);
        Ok(answer::table(found.as_ref(), solved, verified))
    }

    /// Makes the results reached since the last call durable, then lets them be seen; so with what
    /// was proved on the way.
    ///
    /// # Errors
    /// The store failed; the computations have failed then.
    pub fn conclude(&self, now: Instant) -> Result<(), CoordinatorError> {
        let (reached, knowledge, epoch) = {
            let mut scheduler = self.scheduler();
            let reached = scheduler.take_reached();
            let knowledge = Arc::clone(scheduler.knowledge());
            (reached, knowledge, scheduler.epoch())
        };
        let mut request = WriteRequest {
            epoch: Some(epoch),
            own: knowledge.take_records(),
            ..WriteRequest::default()
        };
        self.draw_own(&request.own);
        if reached.is_empty() {
            self.ledger.leave(request);
            return Ok(());
        }
        let solved_at = crate::seconds_since_1970();
        let mut solved = Vec::new();
        for (id, mut result) in reached {
            result.solved_at = solved_at;
            result.computation = Some(id.0);
            request.documents.push(Ledger::result_document(&result)?);
            if let Some(computation) = self.scheduler().computations().get(&id) {
                let saved = Saved::of(computation, now).solved(&result);
                request.documents.push(Ledger::document(id, &saved)?);
            }
            solved.push((id, result));
        }
        if let Err(error) = self.ledger.commit(request) {
            let mut scheduler = self.scheduler();
            for (id, _) in solved {
                scheduler.fail(id, format!("its result could not be stored: {error}"), now);
            }
            return Err(error);
        }
        for (id, result) in &solved {
            {
                let mut scheduler = self.scheduler();
                if scheduler.epoch() != epoch {
                    // It rests on what was revoked meanwhile.
                    break;
                }
                scheduler.conclude(*id, result);
            }
            self.ledger.checkpoints().remove(*id);
        }
        Ok(())
    }

    /// Makes a computation durable as it is.
    fn save(&self, id: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        let ticket = {
            // Pushed under the lock: what is written last is what was true last.
            let scheduler = self.scheduler();
            let Some(computation) = scheduler.computations().get(&id) else {
                return Ok(());
            };
            let document = Ledger::document(id, &Saved::of(computation, now))?;
            self.ledger.push(WriteRequest {
                documents: vec![document],
                ..WriteRequest::default()
            })
        };
        self.ledger.wait(ticket).map(drop)
    }

    /// Makes a computation durable as it is, with its proof.
    fn save_with_checkpoint(
        &self,
        id: ComputationId,
        now: Instant,
    ) -> Result<(), CoordinatorError> {
        let checkpoint = {
            let scheduler = self.scheduler();
            let computation = scheduler.computations().get(&id);
            computation.and_then(Computation::checkpoint)
        };
        if let Some(checkpoint) = checkpoint {
            let is_wanted = || {
                let scheduler = self.scheduler();
                let computation = scheduler.computations().get(&id);
                computation.is_some_and(Computation::goes_on_or_may)
            };
            match self.ledger.checkpoints().put(id, &checkpoint, is_wanted) {
                Ok(()) => self.scheduler().put_checkpoint_away(id),
                // Without it the proof starts over, from the records.
                Err(error) => {
                    tracing::warn!(%error, computation = %id, "the checkpoint of a proof was not written");
                }
            }
        }
        self.save(id, now)
    }

    fn forget_old(&self) {
        let old = {
            let mut scheduler = self.scheduler();
            let old = scheduler.forget_old();
            self.ledger.forget(&old);
            old
        };
        for id in old {
            self.ledger.checkpoints().remove(id);
        }
    }

    fn knowledge(&self) -> Arc<Knowledge> {
        Arc::clone(self.scheduler().knowledge())
    }

    /// `None` if somebody else is at it.
    fn try_scheduler(&self) -> Option<MutexGuard<'_, Scheduler>> {
        match self.scheduler.try_lock() {
            Ok(scheduler) => Some(scheduler),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn scheduler(&self) -> MutexGuard<'_, Scheduler> {
        self.scheduler
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(text: &str) -> Result<(Arc<dyn game::Game>, game::Position), CoordinatorError> {
    game::parse(text).map_err(|error| CoordinatorError::Invalid(error.to_string()))
}

/// A random number with room above it to count.
fn random() -> u64 {
    RandomState::new().hash_one(()) >> 8
}
