//! The coordinator as plain blocking calls, safe to make from any thread.

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sproutnet_common::answer::{self, Answer, Solved, Source, TableEntry};
use sproutnet_common::game;
use sproutnet_common::play::{GameKnowledge, Play, Record};
use sproutnet_common::store::{Store, StoreError};
use tokio::sync::{Notify, watch};

use crate::computation::{Computation, Progress, Request};
use crate::leases::Leases;
use crate::ledger::Ledger;
use crate::proof::Found;

/// How long a job is searched.
const SLICE: Duration = Duration::from_secs(1);

/// How long a lease lasts without a renewal.
const LEASE: Duration = Duration::from_secs(30);

/// Ended computations are remembered, for watchers that come late, up to this many.
const REMEMBERED: usize = 10_000;

/// What can go wrong in a call.
#[derive(Debug, thiserror::Error)]
pub enum CoordinatorError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A result in the store cannot be read.
    #[error("the result `{0}` in the store cannot be read")]
    Result(String, #[source] serde_json::Error),
    /// There is no such computation, lease or worker.
    #[error("unknown {0}")]
    Unknown(&'static str),
    /// What was sent is not acceptable.
    #[error("{0}")]
    Invalid(String),
}

/// A job, as given to a worker.
#[derive(Clone, Debug)]
pub struct Grant {
    /// The number of the lease.
    pub lease: u64,
    /// The game's name.
    pub game: &'static str,
    /// The convention.
    pub play: Play,
    /// The canonical bytes of the state to search.
    pub state: Vec<u8>,
    /// How long to search it.
    pub slice: Duration,
    /// How long the lease lasts without a renewal.
    pub expires: Duration,
}

/// What came of a job.
#[derive(Clone, Debug)]
pub struct Report {
    /// The worker that held it.
    pub worker: u64,
    /// The number of the lease.
    pub lease: u64,
    /// What the search found out about the state.
    pub found: Found,
    /// What was proved and not reported before.
    pub records: Vec<Record>,
    /// States visited.
    pub visits: u64,
    /// Lands whose options were generated.
    pub expansions: u64,
    /// Why the search cannot be trusted, if it cannot.
    pub fault: Option<String>,
}

/// Computations, leases, and all that is known.
pub struct Coordinator {
    ledger: Ledger,
    state: Mutex<State>,
    /// Wakes those who wait for a job.
    work: Notify,
}

struct State {
    computations: BTreeMap<u64, Computation>,
    leases: Leases,
    workers: BTreeMap<u64, String>,
    next_id: u64,
}

impl Coordinator {
    /// Opens or creates the store in a folder and learns all that it holds.
    ///
    /// # Errors
    /// The store cannot be opened, or holds records that contradict each other.
    pub fn open(data: &Path) -> Result<Self, CoordinatorError> {
        Ok(Self {
            ledger: Ledger::open(data)?,
            state: Mutex::new(State {
                computations: BTreeMap::new(),
                // Numbers from before a restart must not come up again.
                leases: Leases::new(LEASE, random()),
                workers: BTreeMap::new(),
                next_id: random(),
            }),
            work: Notify::new(),
        })
    }

    /// Starts a computation, or finds its result. Returns its number and the position's
    /// canonical text.
    ///
    /// # Errors
    /// The position cannot be read, a nimber is asked for under misère play, or the store failed.
    pub fn start(
        &self,
        position: &str,
        play: Play,
        nimber: bool,
        deadline: Option<Duration>,
    ) -> Result<(u64, String), CoordinatorError> {
        let (known, position) = self.position(position)?;
        let canonical = known.game().print(&position);
        let nimber = nimber || play == Play::Normal && known.game().wants_nimbers();
        if nimber && play == Play::Misere {
            let problem = "nimbers belong to normal play; misère play has none";
            return Err(CoordinatorError::Invalid(problem.to_owned()));
        }
        let mut computation = Computation::new(Request {
            game: known.game().name(),
            position,
            play,
            nimber,
            deadline,
        });
        let found = self
            .ledger
            .result(&Solved::name(known.game().name(), play, &canonical))?;
        if let Some(solved) = found.filter(|solved| solved.nimber.is_some() || !nimber) {
            computation.conclude(&solved, Source::Store);
        }
        self.advance(&mut computation, known, Instant::now())?;
        let mut state = self.state();
        let id = state.new_id();
        state.computations.insert(id, computation);
        state.forget_old();
        drop(state);
        self.work.notify_waiters();
        Ok((id, game::qualified(known.game().as_ref(), &canonical)))
    }

    /// A computation's progress, now and from now on.
    ///
    /// # Errors
    /// There is no such computation.
    pub fn watch(&self, computation: u64) -> Result<watch::Receiver<Progress>, CoordinatorError> {
        let state = self.state();
        let found = state.computations.get(&computation);
        found
            .map(Computation::watch)
            .ok_or(CoordinatorError::Unknown("computation"))
    }

    /// Ends a computation. What it proved stays.
    ///
    /// # Errors
    /// There is no such computation.
    pub fn cancel(&self, computation: u64) -> Result<(), CoordinatorError> {
        let mut state = self.state();
        let found = state.computations.get_mut(&computation);
        found
            .ok_or(CoordinatorError::Unknown("computation"))?
            .cancel();
        Ok(())
    }

    /// Checks that a worker has registered since the coordinator began.
    ///
    /// # Errors
    /// It has not.
    pub fn check_worker(&self, worker: u64) -> Result<(), CoordinatorError> {
        self.state().check_worker(worker)
    }

    /// Gives a worker its number.
    pub fn register(&self, name: String) -> u64 {
        let mut state = self.state();
        let worker = state.new_id();
        state.workers.insert(worker, name);
        worker
    }

    /// A job for a worker, from the oldest computation that has one. `None` if none has.
    ///
    /// # Errors
    /// There is no such worker, or a result could not be stored.
    pub fn lease(&self, worker: u64) -> Result<Option<Grant>, CoordinatorError> {
        let now = Instant::now();
        self.tick(now);
        let mut state = self.state();
        state.check_worker(worker)?;
        let State {
            computations,
            leases,
            ..
        } = &mut *state;
        for (&id, computation) in computations.iter_mut().filter(|(_, c)| c.is_running()) {
            let known = self.ledger.game(computation.request().game)?;
            let mut found = computation.lock(SLICE, now);
            // What others proved may have completed the proof.
            while found.is_none() && computation.is_proved() {
                self.advance(computation, known, now)?;
                found = computation.lock(SLICE, now);
            }
            if let Some((leaf, bytes, slice)) = found {
                return Ok(Some(Grant {
                    lease: leases.grant(worker, id, leaf, now),
                    game: known.game().name(),
                    play: computation.request().play,
                    state: bytes,
                    slice,
                    expires: leases.duration(),
                }));
            }
        }
        Ok(None)
    }

    /// Resolves when there may be a job that was not there before.
    pub fn work(&self) -> &Notify {
        &self.work
    }

    /// Takes in what came of a job. All that it contains is durable when this returns.
    ///
    /// # Errors
    /// There is no such worker, or a record or child cannot be read: nothing is taken then. Or the
    /// store failed. A record that contradicts what is known fails the computation, and is no error
    /// of the call.
    pub fn report(&self, report: Report) -> Result<(), CoordinatorError> {
        let Report {
            worker,
            lease,
            found,
            records,
            visits,
            expansions,
            fault,
        } = report;
        self.check_worker(worker)?;
        self.check_children(lease, worker, &found)?;
        let taken = match fault {
            Some(fault) => Err(fault),
            None => self
                .ledger
                .take_in(&records)?
                .map_err(|error| error.to_string()),
        };
        let now = Instant::now();
        let mut state = self.state();
        let Some(lease) = state.leases.end(lease, worker) else {
            if let Err(fault) = taken {
                tracing::error!(worker, fault, "a report after the end of its lease");
            }
            return Ok(());
        };
        let name = state.workers.get(&worker).cloned().unwrap_or_default();
        if let Some(computation) = state.computations.get_mut(&lease.computation) {
            let known = self.ledger.game(computation.request().game)?;
            match taken {
                Err(fault) => {
                    tracing::error!(worker, name, fault, "computation failed");
                    computation.fail(format!("worker {worker} ({name}): {fault}"));
                }
                Ok(added) => {
                    computation.report(lease.leaf, found);
                    // What follows higher up is proved here.
                    let own = self.ledger.append_own()?;
                    computation.count(expansions, added + own);
                    self.advance(computation, known, now)?;
                    let repeated = records.len() as u64 - added;
                    tracing::debug!(worker, added, repeated, visits, expansions, "report");
                }
            }
        }
        drop(state);
        self.work.notify_waiters();
        Ok(())
    }

    /// Refuses children that cannot be read.
    fn check_children(
        &self,
        lease: u64,
        worker: u64,
        found: &Found,
    ) -> Result<(), CoordinatorError> {
        let Err(children) = found else {
            return Ok(());
        };
        let (known, play) = {
            let state = self.state();
            let held = state.leases.held(lease, worker);
            let computation = held.and_then(|held| state.computations.get(&held.computation));
            match computation.map(Computation::request) {
                Some(request) => (self.ledger.game(request.game)?, request.play),
                None => return Ok(()),
            }
        };
        for (bytes, _) in children {
            let checked = known.check_state(play, bytes);
            checked.map_err(|error| CoordinatorError::Invalid(format!("a child: {error}")))?;
        }
        Ok(())
    }

    /// Keeps a lease from running out. False if the job is not wanted any more.
    ///
    /// # Errors
    /// There is no such worker.
    pub fn renew(&self, lease: u64, worker: u64) -> Result<bool, CoordinatorError> {
        let mut state = self.state();
        state.check_worker(worker)?;
        let State {
            computations,
            leases,
            ..
        } = &mut *state;
        let Some(computation) = leases.renew(lease, worker, Instant::now()) else {
            return Ok(false);
        };
        Ok(computations
            .get(&computation)
            .is_some_and(Computation::is_running))
    }

    /// Takes a job back without a result.
    ///
    /// # Errors
    /// There is no such worker.
    pub fn release(&self, lease: u64, worker: u64) -> Result<(), CoordinatorError> {
        let mut state = self.state();
        state.check_worker(worker)?;
        if let Some(lease) = state.leases.end(lease, worker)
            && let Some(computation) = state.computations.get_mut(&lease.computation)
        {
            computation.unlock(lease.leaf);
        }
        drop(state);
        self.work.notify_waiters();
        Ok(())
    }

    /// The store's cursor, now and whenever records are added.
    pub fn cursor(&self) -> watch::Receiver<u64> {
        self.ledger.cursor()
    }

    /// The records, for reading.
    pub fn store(&self) -> &Store {
        self.ledger.store()
    }

    /// What is known of a position and, if asked for, of its moves.
    ///
    /// # Errors
    /// The position cannot be read, or has too many moves to list.
    pub fn answer(&self, position: &str, moves: bool) -> Result<Answer, CoordinatorError> {
        let (known, position) = self.position(position)?;
        answer::answer(known, &position, moves).map_err(CoordinatorError::Invalid)
    }

    /// The table of a game.
    ///
    /// # Errors
    /// There is no such game, or the store failed.
    pub fn table(&self, game: &str) -> Result<Vec<TableEntry>, CoordinatorError> {
        let known = self.ledger.game(game)?;
        Ok(answer::table(
            known.game().as_ref(),
            self.ledger.results(game)?,
        ))
    }

    /// Ends what has run out by now: leases and deadlines.
    pub fn tick(&self, now: Instant) {
        let mut state = self.state();
        let State {
            computations,
            leases,
            workers,
            ..
        } = &mut *state;
        for lease in leases.expire(now) {
            let name = workers.get(&lease.worker);
            tracing::warn!(worker = lease.worker, name, "a lease ran out");
            if let Some(computation) = computations.get_mut(&lease.computation) {
                computation.unlock(lease.leaf);
            }
        }
        for computation in computations.values_mut() {
            computation.expire(now);
        }
    }

    /// Lets a computation go on; keeps its result if it has one now, then lets it be seen.
    fn advance(
        &self,
        computation: &mut Computation,
        known: &GameKnowledge,
        now: Instant,
    ) -> Result<(), CoordinatorError> {
        if let Some(solved) = computation.advance(known, now) {
            self.ledger.keep_result(&solved)?;
            computation.conclude(&solved, Source::Search);
        }
        Ok(())
    }

    fn position(&self, text: &str) -> Result<(&GameKnowledge, game::Position), CoordinatorError> {
        let parsed = game::parse(text);
        let (game, position) =
            parsed.map_err(|error| CoordinatorError::Invalid(error.to_string()))?;
        Ok((self.ledger.game(game.name())?, position))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn new_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Checks that a worker has registered.
    fn check_worker(&self, worker: u64) -> Result<(), CoordinatorError> {
        let known = self.workers.contains_key(&worker);
        known
            .then_some(())
            .ok_or(CoordinatorError::Unknown("worker"))
    }

    fn forget_old(&mut self) {
        let excess = self.computations.len().saturating_sub(REMEMBERED);
        let ended = self.computations.iter().filter(|(_, c)| !c.is_running());
        let old: Vec<u64> = ended.map(|(&id, _)| id).take(excess).collect();
        for id in old {
            self.computations.remove(&id);
        }
    }
}

/// A random number with room above it to count.
fn random() -> u64 {
    RandomState::new().hash_one(()) >> 8
}
