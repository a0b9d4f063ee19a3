//! A computation: a position, and the proofs that lead to its outcome.

mod lifecycle;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_game::Position;
use sproutnet_model::{Branches, Effort, Estimate, Solved, Source};
use sproutnet_solver::play::{
    Convention, GameKnowledge, Knowledge, NimberStep, Outcome, Play, State,
};
use sproutnet_solver::search::{Entries, Found, Job, JobId, Numbers};
use tokio::sync::watch;

use super::history::{History, Sample};
use super::proof::{self, Proof};
use super::shares::{Account, Weight};
pub use sproutnet_model::{Progress, Status};

/// A position to solve, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The game's name.
    pub game: &'static str,
    /// The position.
    pub position: Position,
    /// The convention.
    pub play: Play,
    /// Whether the nimber is wanted in addition to the outcome.
    pub nimber: bool,
}

/// A job of one of a computation's proofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofJob {
    /// The number of the proof: a computation makes several, one after the other.
    proof: u32,
    job: JobId,
}

/// The number of failed jobs in a row for one state after which its computation fails.
const MOST_FAILURES: u32 = 16;

/// A slice below this length may last until the deadline of its computation.
const SHORT: Duration = Duration::from_millis(25);

/// The slice of a job when `left` remains until the deadline. Its report has to arrive before the deadline, or its
/// result is lost.
fn before(left: Duration) -> Duration {
    if left < SHORT { left } else { left / 8 * 7 }
}

/// The next step of a computation.
pub(super) enum Next {
    /// A job, with its maximum search time.
    Job(ProofJob, Job, Duration),
    /// The result is known. It is to be made durable before it is [shown](Computation::conclude).
    Reached(Solved),
    /// Nothing for now.
    Nothing,
}

/// A request, the proof under way for it, and the work so far.
pub struct Computation {
    request: Request,
    /// Computations of higher priority come first.
    pub(crate) priority: i32,
    /// Its weight, the machine time that it used, and when it is due.
    pub(super) account: Account,
    /// For whom it is computed; empty if that is not known.
    pub owner: String,
    /// A short text to tell it from others; may be empty.
    pub(crate) label: String,
    /// Who paused it last, if that is known.
    pub(crate) paused_by: Option<String>,
    /// When it was started, in seconds since 1970.
    pub(crate) started_at: u64,
    /// The time of work after which it gives up.
    deadline: Option<Duration>,
    proof: Option<Box<dyn Proof>>,
    /// The number of proofs begun.
    proofs: u32,
    /// The time of work before `since`.
    spent: Duration,
    /// When the time of work began to count after the last start or resumption: at its first job, or when the disk was
    /// full.
    since: Option<Instant>,
    /// Its result is on the way to disk.
    reached: bool,
    /// The number of jobs in a row that ended without a report, by the canonical bytes of their state.
    failures: HashMap<Vec<u8>, u32>,
    progress: watch::Sender<Progress>,
    /// The work that was reported for it since the coordinator started.
    pub(crate) effort: Effort,
    /// Its samples over time.
    pub(crate) history: History,
}

impl Computation {
    /// A new computation.
    pub fn new(request: Request, started_at: u64) -> Self {
        Self::restored(request, started_at, Progress::default())
    }

    /// A computation with its earlier progress.
    pub fn restored(request: Request, started_at: u64, progress: Progress) -> Self {
        Self {
            request,
            priority: 0,
            account: Account::default(),
            owner: String::new(),
            label: String::new(),
            paused_by: None,
            started_at,
            deadline: None,
            proof: None,
            proofs: 0,
            spent: Duration::try_from_secs_f64(progress.seconds).unwrap_or_default(),
            since: None,
            reached: false,
            failures: HashMap::new(),
            progress: watch::Sender::new(progress),
            effort: Effort::default(),
            history: History::default(),
        }
    }

    /// Sets the estimate of its work.
    pub fn expect(&mut self, estimate: Option<Estimate>) {
        self.note(|progress| progress.estimate = estimate);
    }

    /// A position to solve, and how.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Computations of higher priority come first.
    pub fn priority(&self) -> i32 {
        self.priority
    }

    /// Changes the priority. Its share begins anew among computations of another one.
    pub(super) fn set_priority(&mut self, priority: i32) {
        if priority != self.priority {
            self.priority = priority;
            self.account.leave();
        }
    }

    /// Its weight, the machine time that it used, and when it is due.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Sets the weight and the machine time that it used so far, before it is added.
    pub fn restore_account(&mut self, weight: Weight, used: Duration) {
        self.account = Account::new(weight, used);
    }

    /// The number of its jobs that are out.
    pub fn jobs(&self) -> u32 {
        self.progress.borrow().jobs
    }

    /// Its status.
    pub fn status(&self) -> Status {
        self.progress.borrow().status
    }

    /// Whether it is running, so that its jobs are wanted.
    pub fn is_running(&self) -> bool {
        self.status() == Status::Running
    }

    /// Whether its result is on the way to disk.
    pub(super) fn is_reached(&self) -> bool {
        self.reached
    }

    /// Its progress, now and whenever watchers are woken.
    pub fn watch(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Its progress now.
    pub fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    /// Adds a sample to the history if one is due.
    pub(super) fn sample(&mut self, now: Instant) {
        if self.is_running() && self.since.is_some() {
            let sample = self.as_sample(self.spent(now));
            self.history.note(sample);
        }
    }

    fn as_sample(&self, spent: Duration) -> Sample {
        let progress = self.progress.borrow();
        let proof = self.proof.as_ref().map(|proof| proof.numbers());
        Sample {
            seconds: spent.as_secs_f64(),
            expansions: progress.expansions,
            records: progress.records,
            root: proof.unwrap_or(progress.root),
        }
    }

    /// The open states directly below the state to be proved. `None` if no proof is under way.
    pub fn branches(&self, entries: &Entries) -> Option<Branches> {
        Some(self.proof.as_ref()?.branches(entries))
    }

    /// The time of work left until its deadline; `None` without a deadline.
    pub fn time_left(&self, now: Instant) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_sub(self.spent(now)))
    }

    /// The time of work so far.
    pub(crate) fn spent(&self, now: Instant) -> Duration {
        let lately = self.since.map(|since| now.saturating_duration_since(since));
        self.spent + lately.unwrap_or_default()
    }

    /// Counts the time from now on if it is running, even if it has no job under lease.
    pub(crate) fn count_time(&mut self, now: Instant) {
        if self.is_running() {
            self.since.get_or_insert(now);
        }
    }

    /// Sets the deadline to `left` from now on, in time of work; `None` for no deadline.
    pub(crate) fn set_deadline(&mut self, left: Option<Duration>, now: Instant) {
        self.deadline = left.map(|left| self.spent(now) + left);
    }

    /// Drops the proof, so that the next one starts from other knowledge. Its jobs no longer count.
    pub(super) fn reset(&mut self) {
        self.proof = None;
    }

    /// Ends the computation with its result, which is in the store.
    pub fn conclude(&mut self, solved: &Solved, source: Source) {
        self.proof = None;
        self.progress.send_modify(|progress| {
            *progress = Progress {
                status: Status::Solved,
                outcome: Some(solved.outcome).into(),
                nimber: solved.nimber,
                source: Some(source),
                seconds: solved.seconds,
                expansions: solved.expansions,
                records: solved.records,
                root: Numbers::solved(solved.outcome),
                estimate: progress.estimate,
                ..Progress::default()
            };
        });
        // A result from the store took no work of this computation.
        if source == Source::Search {
            self.history.note_end(Sample::of(solved));
        }
    }

    /// Whether its result was known when it was started: it did no work, so that its history is empty.
    pub(super) fn was_known(&self) -> bool {
        self.status() == Status::Solved && self.history.samples().is_empty()
    }

    /// The next step, with a slice of at most `slice`. A job is the root, or a state whose work is at least `least`.
    pub(super) fn next(
        &mut self,
        knowledge: &Knowledge,
        entries: &mut Entries,
        least: u64,
        slice: Duration,
        now: Instant,
    ) -> Next {
        loop {
            if let Some(solved) = self.look(knowledge, entries, now) {
                return Next::Reached(solved);
            }
            if !self.is_running() || self.reached {
                return Next::Nothing;
            }
            if let Some(job) = self.give_out(entries, least, slice, now) {
                return job;
            }
            // The search for a job completed the proof.
        }
    }

    /// Advances without a search, since the next states may be known already. Returns the result if it is complete; it
    /// is to be made durable before it is [shown](Self::conclude).
    pub(super) fn look(
        &mut self,
        knowledge: &Knowledge,
        entries: &Entries,
        now: Instant,
    ) -> Option<Solved> {
        let known = knowledge.game(self.request.game)?;
        while self.is_running() && !self.reached && !self.is_open() {
            if let Some(solved) = self.advance(known, entries, now) {
                self.reached = true;
                return Some(solved);
            }
        }
        None
    }

    /// Whether there is a proof to work on.
    fn is_open(&self) -> bool {
        let numbers = self.proof.as_ref().map(|proof| proof.numbers());
        numbers.is_some_and(|numbers| numbers.outcome().is_none())
    }

    fn give_out(
        &mut self,
        entries: &mut Entries,
        least: u64,
        slice: Duration,
        now: Instant,
    ) -> Option<Next> {
        let proof = self.proof.as_mut()?;
        let job = proof.next(entries, least)?;
        let root = proof.numbers();
        self.since.get_or_insert(now);
        let slice = self
            .time_left(now)
            .map_or(slice, |left| before(left).min(slice));
        self.note(|progress| {
            progress.jobs += 1;
            progress.root = root;
            progress.nodes = entries.len() as u64;
        });
        let id = ProofJob {
            proof: self.proofs,
            job: job.id,
        };
        Some(Next::Job(id, job, slice))
    }

    /// Begins the proof of the next unknown state, if there is one. Returns the result if it is complete.
    fn advance(
        &mut self,
        known: &GameKnowledge,
        entries: &Entries,
        now: Instant,
    ) -> Option<Solved> {
        let (outcome, nimber) = match self.request.play {
            Play::Normal => self.advance_in(&known.normal, entries, now),
            Play::Misere => self.advance_in(&known.misere, entries, now),
        }?;
        let progress = self.progress.borrow();
        Some(Solved {
            game: known.game().name().to_owned(),
            position: known.game().print(&self.request.position),
            play: self.request.play,
            outcome,
            nimber,
            seconds: self.spent(now).as_secs_f64(),
            expansions: progress.expansions,
            records: progress.records,
            solved_at: 0,
            computation: None,
        })
    }

    /// The outcome, and the nimber if it is known, once nothing is left to prove.
    fn advance_in<C: Convention>(
        &mut self,
        convention: &Arc<C>,
        entries: &Entries,
        now: Instant,
    ) -> Option<(Outcome, Option<u32>)> {
        if let Some(contradiction) = convention.contradiction() {
            self.fail(contradiction.to_string(), now);
            return None;
        }
        let mut root = convention.state(&self.request.position);
        let lands = root.lands.clone();
        let Some(outcome) = convention.resolve(&mut root) else {
            self.begin(convention, root, entries);
            return None;
        };
        let mut nimber = Some(0);
        // The nimbers of two equal lands cancel.
        let single = lands
            .chunk_by(|a, b| a == b)
            .filter(|equal| equal.len() % 2 == 1);
        for land in single.map(|equal| equal[0]) {
            match convention.nimber(land) {
                Some(NimberStep::Known(of_land)) => nimber = nimber.map(|sum| sum ^ of_land),
                Some(NimberStep::Next(next)) if self.request.nimber => {
                    self.begin(convention, next, entries);
                    return None;
                }
                _ => nimber = None,
            }
        }
        Some((outcome, nimber.filter(|_| C::PLAY == Play::Normal)))
    }

    fn begin<C: Convention>(
        &mut self,
        convention: &Arc<C>,
        state: State<C::Value>,
        entries: &Entries,
    ) {
        self.proof = Some(proof::begin(convention, state, entries));
        self.proofs += 1;
    }

    /// The canonical bytes of the state of a job, if it belongs to the proof under way.
    pub(super) fn state(&self, job: ProofJob) -> Option<Vec<u8>> {
        let proof = self.proof.as_ref().filter(|_| job.proof == self.proofs);
        proof?.state(job.job)
    }

    /// Whether a job is still wanted: the computation is running, and its proof may depend on the job.
    pub(super) fn wants(&self, job: ProofJob) -> bool {
        let proof = self.proof.as_ref().filter(|_| job.proof == self.proofs);
        self.is_running() && proof.is_some_and(|proof| proof.is_wanted(job.job))
    }

    /// Takes back a job without a result.
    pub(super) fn withdraw(&mut self, job: ProofJob) {
        self.count_job_back();
        if let Some(proof) = self.proof_of(job) {
            proof.withdraw(job.job);
        }
    }

    /// Takes in the result of a job.
    pub(super) fn report(&mut self, job: ProofJob, found: Found, entries: &mut Entries) {
        self.count_job_back();
        if !self.failures.is_empty() {
            let state = self.proof_of(job).and_then(|proof| proof.state(job.job));
            self.failures
                .retain(|failed, _| Some(failed) != state.as_ref());
        }
        if let Some(proof) = self.proof_of(job) {
            proof.report(job.job, found, entries);
        }
    }

    fn count_job_back(&mut self) {
        self.note(|progress| progress.jobs = progress.jobs.saturating_sub(1));
    }

    /// The proof to which a job belongs, if it is still the one under way.
    fn proof_of(&mut self, job: ProofJob) -> Option<&mut Box<dyn Proof>> {
        self.proof.as_mut().filter(|_| job.proof == self.proofs)
    }

    /// Counts reported work.
    pub(super) fn count(&mut self, effort: Effort) {
        let Effort {
            expansions,
            unwanted_expansions,
            new_records,
            repeated_records,
        } = effort;
        self.effort.expansions += expansions;
        self.effort.unwanted_expansions += unwanted_expansions;
        self.effort.new_records += new_records;
        self.effort.repeated_records += repeated_records;
        self.note(|progress| {
            progress.expansions = progress.expansions.saturating_add(expansions);
            progress.records = progress.records.saturating_add(new_records);
        });
    }

    /// Changes the progress without waking watchers: a report wakes them once, at its end.
    fn note(&self, change: impl FnOnce(&mut Progress)) {
        self.progress.send_if_modified(|progress| {
            change(progress);
            false
        });
    }

    /// Updates the progress and wakes watchers.
    pub(super) fn show(&self, entries: &Entries, now: Instant) {
        if !self.is_running() || self.reached {
            return;
        }
        let seconds = self.spent(now).as_secs_f64();
        let proof = self.proof.as_ref();
        let root = proof.map(|proof| proof.numbers());
        self.progress.send_modify(|progress| {
            progress.seconds = seconds;
            progress.root = root.unwrap_or(progress.root);
            progress.nodes = entries.len() as u64;
        });
    }
}
