//! The calls of clients about computations.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_game as game;
use sproutnet_model::{self as model, AuditEntry, Branches, Effort, Explanation, Solved, Source};
use sproutnet_notation::ComputationId;
use sproutnet_query as answer;
use sproutnet_solver::play::Play;
use sproutnet_solver::theory::Theorem;
use sproutnet_transport::caller;
use tokio::sync::watch;

use super::core::Core;
use super::owners;
use crate::ledger::qualified;
use crate::scheduler::computation::{Computation, Progress, Request, Status};
use crate::scheduler::history::History;
use crate::scheduler::shares::Weight;
use crate::scheduler::waits::Waits;
use crate::scheduler::{Deadline, Scheduler};
use crate::{CoordinatorError, audit_log};

/// The time that a new computation waits for theory, before it begins to search.
const WAIT_FOR_THEORY: Duration = Duration::from_secs(10);

/// The largest number of moves of a symmetric board that is searched for its nimber if only the outcome is asked for.
const MOST_MOVES_FOR_A_NIMBER: u32 = 18;

/// A position to solve.
#[derive(Clone, Debug)]
pub struct Start<'a> {
    /// A position as `text` or `game:text`.
    pub position: &'a str,
    /// The convention.
    pub play: Play,
    /// Whether the nimber is wanted in addition to the outcome.
    pub nimber: bool,
    /// The time limit from now on, in time of work; `None` for no limit.
    pub deadline: Option<Duration>,
    /// Computations of higher priority come first. `None` keeps the priority of a computation under way.
    pub priority: Option<i32>,
    /// How much machine time it gets, relative to computations of equal priority: 1 to 1000. `None` keeps the weight of
    /// a computation under way; a new one has 1.
    pub weight: Option<u32>,
    /// For whom it is computed; the name of the caller's token if empty. A computation under way keeps its owner.
    pub owner: &'a str,
    /// A short text to tell it from others. If empty, a computation under way keeps its own.
    pub label: &'a str,
}

/// The computation of a position that was asked for.
#[derive(Clone, Debug)]
pub struct Started {
    /// Its number.
    pub id: ComputationId,
    /// The position's canonical text.
    pub position: String,
    /// Whether it is new, not joined or found.
    pub is_new: bool,
}

/// A computation in detail.
#[derive(Clone, Debug)]
pub struct Detail {
    /// The computation as listed.
    pub listed: model::Computation,
    /// Its samples over time.
    pub history: History,
    /// The open states directly below the root of its proof, if one is under way.
    pub branches: Option<Branches>,
    /// The work that was reported for it since the coordinator started.
    pub effort: Effort,
}

impl From<Detail> for Explanation {
    fn from(detail: Detail) -> Self {
        Self {
            paces: detail.history.paces(&detail.listed.progress),
            computation: detail.listed,
            branches: detail.branches,
            effort: detail.effort,
        }
    }
}

/// Computations: started, watched, stopped and listed.
///
/// While the disk is full, changes are refused before they take effect.
pub struct Computations(pub(super) Arc<Core>);

impl Computations {
    /// Starts a computation, joins the one under way, or finds its result in the store or by theory. A known result has
    /// a computation of its own, one for all who ask. Returns its number and the position's canonical text. The
    /// computation is durable when this returns.
    ///
    /// # Errors
    /// The position cannot be read, a nimber is asked for under misère play or of a partizan game, the weight is out of
    /// range, the owner or the label is too long or has control characters, the caller may not name that owner, the disk
    /// is full and the position is not solved yet, or the store failed.
    pub fn start(
        &self,
        start: &Start<'_>,
        now: Instant,
    ) -> Result<(ComputationId, String), CoordinatorError> {
        let started = self.begin(start, Scheduler::find_known, now)?;
        Ok((started.id, started.position))
    }

    /// The same, but if the position is solved, finds the computation that solved it, as long as it is remembered.
    ///
    /// # Errors
    /// As for [`Self::start`].
    pub fn start_or_find(
        &self,
        start: &Start<'_>,
        now: Instant,
    ) -> Result<Started, CoordinatorError> {
        self.begin(start, Scheduler::find_solved, now)
    }

    fn begin(
        &self,
        start: &Start<'_>,
        find_solved: fn(&Scheduler, &Solved, &Request) -> Option<ComputationId>,
        now: Instant,
    ) -> Result<Started, CoordinatorError> {
        let (game, position) = super::parse(start.position)?;
        let play = start.play;
        let nimber = start.nimber || play == Play::Normal && game.info().wants_nimbers;
        if nimber && play == Play::Misere {
            let problem = "nimbers under misère play are not supported";
            return Err(CoordinatorError::Invalid(problem.to_owned()));
        }
        if start.nimber && game.is_partizan() {
            let problem = format!(
                "positions of {} have no nimbers: the players have different moves",
                game.name()
            );
            return Err(CoordinatorError::Invalid(problem));
        }
        let qualified = game::qualified(game.as_ref(), &game.print(&position));
        let request = Request {
            game: game.name(),
            position,
            play,
            nimber,
        };
        let solved = self.0.ledger.result_of(&request)?;
        let solved = match solved {
            Some(solved) => Some((solved, Source::Store)),
            None => self
                .told(&request, start.nimber, start.deadline)
                .zip(Some(Source::Derived)),
        };
        let weight = start.weight.map(checked).transpose()?;
        let owner = owners::owner(start.owner, caller::present().as_ref())?;
        let label = owners::label(start.label)?;
        let mut new = Computation::new(request, crate::seconds_since_1970());
        new.restore_account(weight.unwrap_or_default(), Duration::ZERO);
        new.owner = owner;
        new.label.clone_from(&label);
        let disk = self.0.ledger.check_disk();
        if solved.is_none() {
            disk?;
            new.expect(self.0.estimate(new.request())?);
        }
        let (id, is_new) = self.0.transact(now, |scheduler, changes| {
            let found = match &solved {
                Some((solved, _)) => find_solved(scheduler, solved, new.request()),
                None => scheduler.find(new.request()),
            };
            let event = match (found, &solved) {
                (None, Some(_)) => "known",
                (None, None) => "started",
                (Some(_), None) => "joined",
                (Some(id), Some(_)) => return Ok((id, false)),
            };
            if let Some((solved, source)) = &solved {
                new.conclude(solved, *source);
            }
            let id = found.unwrap_or_else(|| scheduler.add(new));
            if found.is_some() {
                scheduler.describe(id, weight, &label);
            }
            if solved.is_none() {
                let deadline = Deadline::After(start.deadline);
                scheduler.resume(id, start.priority, deadline, now);
                scheduler.look_at(id, now);
            }
            if disk.is_ok() {
                changes.forgotten = scheduler.forget_old();
                // A solved one is saved too, so that its number is not given to another.
                changes.saved.push(id);
            }
            changes.logged = entry(event, id, scheduler);
            Ok((id, found.is_none()))
        })?;
        self.0.work.notify_one();
        Ok(Started {
            id,
            position: qualified,
            is_new,
        })
    }

    /// The result of a position whose outcome is known by theory, or by the nimbers of its lands if they belong to several
    /// games. It is not stored, since it can be derived again.
    fn told(
        &self,
        request: &Request,
        needs_nimber: bool,
        within: Option<Duration>,
    ) -> Option<Solved> {
        let knowledge = self.0.knowledge();
        let known = knowledge.game(request.game)?;
        let began = Instant::now();
        let until = began + within.unwrap_or(WAIT_FOR_THEORY).min(WAIT_FOR_THEORY);
        let (position, play) = (&request.position, request.play);
        let told = answer::told_by_theory(known, position, play, until);
        // The nimber of a small board is worth a search, if nobody asked for it but the game has nimbers.
        let is_symmetric = told.is_some_and(|told| told.theorem == Theorem::Symmetry)
            && known.game().max_moves_of(position) > MOST_MOVES_FOR_A_NIMBER;
        let told = told.map(|told| (told.outcome, told.nimber));
        let (outcome, nimber) = match told {
            None if play == Play::Normal && !answer::is_small(known, position) => {
                answer::known_sum(&knowledge, &**known.game(), position)?
            }
            told => told?,
        };
        let is_enough = is_symmetric && !needs_nimber;
        if request.nimber && nimber.is_none() && !is_enough {
            return None;
        }
        Some(Solved {
            game: request.game.to_owned(),
            position: known.game().print(&request.position),
            play: request.play,
            outcome,
            nimber,
            seconds: began.elapsed().as_secs_f64(),
            expansions: 0,
            records: 0,
            solved_at: crate::seconds_since_1970(),
            computation: None,
        })
    }

    /// A computation's progress, now and whenever it changes.
    ///
    /// # Errors
    /// There is no such computation.
    pub fn watch(&self, id: ComputationId) -> Result<watch::Receiver<Progress>, CoordinatorError> {
        self.0.computation(id, Computation::watch)
    }

    /// Hands out no more jobs of a computation until it is resumed.
    ///
    /// # Errors
    /// There is no such computation, it has ended, the disk is full, or the store failed.
    pub fn pause(&self, id: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        self.0.ledger.check_disk()?;
        let by = caller::present().and_then(|caller| caller.token_name().map(str::to_owned));
        let paused = self.0.scheduler().pause(id, by, now);
        let is_new = is_found(paused)?;
        if !is_new && self.0.computation(id, Computation::status)? != Status::Paused {
            let problem = "the computation has ended";
            return Err(CoordinatorError::NotNow(problem.to_owned()));
        }
        self.0.save_with_checkpoint(id, now)?;
        if is_new {
            self.log("paused", id);
        }
        Ok(())
    }

    /// Resumes a computation that was paused, cancelled, failed or ran out of time.
    ///
    /// # Errors
    /// There is no such computation, it is solved, the disk is full, or the store failed.
    pub fn resume(&self, id: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        self.0.ledger.check_disk()?;
        let is_new = self.0.transact(now, |scheduler, changes| {
            let resumed = scheduler.resume(id, None, Deadline::AsItIs, now);
            let is_new = is_found(resumed)?;
            refuse_solved(scheduler, id)?;
            changes.saved.push(id);
            Ok(is_new)
        })?;
        if is_new {
            self.log("resumed", id);
        }
        self.0.work.notify_one();
        Ok(())
    }

    /// Changes the weight of a computation. It is durable when this returns.
    ///
    /// # Errors
    /// There is no such computation, the weight is not from 1 to 1000, the computation is solved, the disk is full, or
    /// the store failed.
    pub fn set_weight(
        &self,
        id: ComputationId,
        weight: u32,
        now: Instant,
    ) -> Result<(), CoordinatorError> {
        let weight = checked(weight)?;
        self.0.ledger.check_disk()?;
        let is_new = self.0.transact(now, |scheduler, changes| {
            let is_new = is_found(scheduler.set_weight(id, weight))?;
            refuse_solved(scheduler, id)?;
            changes.saved.push(id);
            Ok(is_new)
        })?;
        if is_new {
            self.log("reweighted", id);
        }
        Ok(())
    }

    /// Ends a computation; its facts stay. No effect if it has already ended.
    ///
    /// # Errors
    /// There is no such computation, the disk is full, or the store failed.
    pub fn cancel(&self, id: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        self.0.ledger.check_disk()?;
        let cancelled = self.0.scheduler().cancel(id, now);
        if is_found(cancelled)? {
            self.0.save_with_checkpoint(id, now)?;
            self.log("cancelled", id);
        }
        Ok(())
    }

    /// Logs what the present caller did to a computation.
    fn log(&self, event: &str, id: ComputationId) {
        let entry = entry(event, id, &self.0.scheduler());
        // It may have been forgotten meanwhile.
        if let Some(entry) = entry {
            self.0.log(entry);
        }
    }

    /// The computations under way and those that ended last, oldest first.
    pub fn list(&self, now: Instant) -> Vec<model::Computation> {
        let scheduler = self.0.scheduler();
        let waits = self.waits(&scheduler, now);
        let computations = scheduler.computations().iter();
        computations
            .map(|(&id, computation)| listed(id, computation, &waits))
            .collect()
    }

    /// The computation with this number, if there is one.
    pub fn listed(&self, id: ComputationId, now: Instant) -> Option<model::Computation> {
        let scheduler = self.0.scheduler();
        let waits = self.waits(&scheduler, now);
        let found = scheduler.computations().get(&id)?;
        Some(listed(id, found, &waits))
    }

    fn waits(&self, scheduler: &Scheduler, now: Instant) -> Waits {
        Waits::of(scheduler, self.0.ledger.is_disk_full(), now)
    }

    /// A computation with its history and its open branches.
    ///
    /// # Errors
    /// There is no such computation.
    pub fn detail(&self, id: ComputationId, now: Instant) -> Result<Detail, CoordinatorError> {
        let scheduler = self.0.scheduler();
        let computation = scheduler.computations().get(&id);
        let computation = computation.ok_or(CoordinatorError::Unknown("computation"))?;
        let mut listed = listed(id, computation, &self.waits(&scheduler, now));
        if computation.is_running() {
            // The last report may be long ago.
            listed.progress.seconds = computation.spent(now).as_secs_f64();
        }
        Ok(Detail {
            listed,
            history: computation.history.clone(),
            effort: computation.effort,
            branches: scheduler.branches(id),
        })
    }
}

fn is_found(changed: Option<bool>) -> Result<bool, CoordinatorError> {
    changed.ok_or(CoordinatorError::Unknown("computation"))
}

fn refuse_solved(scheduler: &Scheduler, id: ComputationId) -> Result<(), CoordinatorError> {
    match scheduler.computations().get(&id).map(Computation::status) {
        Some(Status::Solved) => Err(CoordinatorError::NotNow(
            "the computation is solved".to_owned(),
        )),
        _ => Ok(()),
    }
}

/// An entry of the audit log about a computation as it is now.
fn entry(event: &str, id: ComputationId, scheduler: &Scheduler) -> Option<AuditEntry> {
    let computation = scheduler.computations().get(&id)?;
    let (request, priority) = (computation.request(), computation.priority);
    let weight = computation.account().weight();
    Some(audit_log::computation(event, id, request, priority, weight))
}

/// A weight of a client, if it is one.
fn checked(weight: u32) -> Result<Weight, CoordinatorError> {
    Weight::new(weight).ok_or_else(|| {
        let greatest = Weight::GREATEST;
        CoordinatorError::Invalid(format!("weight: a number from 1 to {greatest} is expected"))
    })
}

fn listed(id: ComputationId, computation: &Computation, waits: &Waits) -> model::Computation {
    let request = computation.request();
    let progress = computation.progress();
    let paused_by = computation.paused_by.clone();
    model::Computation {
        id: id.0,
        position: qualified(request),
        play: request.play,
        nimber_wanted: request.nimber,
        priority: computation.priority,
        weight: computation.account().weight().get(),
        owner: computation.owner.clone(),
        label: computation.label.clone(),
        started_at: computation.started_at,
        machine_seconds: computation.account().used().as_secs_f64(),
        waits_for: waits.why(computation),
        paused_by: paused_by.filter(|_| progress.status == Status::Paused),
        progress,
    }
}
