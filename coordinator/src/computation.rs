//! One position on its way to an outcome.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sproutnet_common::answer::{Solved, Source};
use sproutnet_common::game::Position;
use sproutnet_common::play::{Convention, GameKnowledge, Outcome, Play};
use sproutnet_common::search::{NodeId, Numbers};
use tokio::sync::watch;

use crate::proof::{self, Found, Proof};

/// A leaf tried in vain is searched twice as long the next time, so many times.
const MOST_DOUBLINGS: u32 = 6;

/// What is to be computed.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game's name.
    pub game: &'static str,
    /// The position.
    pub position: Position,
    /// The convention.
    pub play: Play,
    /// Whether the nimber is wanted beside the outcome.
    pub nimber: bool,
    /// Give up after so much time of work.
    pub deadline: Option<Duration>,
}

/// How far a computation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waiting, or being searched.
    Running,
    /// Done.
    Solved,
    /// Ended by request.
    Cancelled,
    /// Ended by its deadline.
    Expired,
    /// Ended by a contradiction among records.
    Failed,
}

/// What watchers see of a computation.
#[derive(Clone, Debug)]
pub struct Progress {
    /// How far it is.
    pub status: Status,
    /// The outcome, once known.
    pub outcome: Option<Outcome>,
    /// The nimber, where known.
    pub nimber: Option<u32>,
    /// Where the result comes from, once there is one.
    pub source: Option<Source>,
    /// Time since work began, in seconds.
    pub seconds: f64,
    /// Lands whose options were generated.
    pub expansions: u64,
    /// Records added to the store.
    pub records: u64,
    /// The numbers of the state being proved.
    pub root: Numbers,
    /// Why it failed.
    pub fault: Option<String>,
}

/// A locked leaf of one of a computation's proofs; by default the root of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaf {
    /// The number of the proof: for a nimber, a computation makes several, one after the other.
    proof: u32,
    node: NodeId,
}

/// A request, the proof under way for it, and what it took so far.
pub(crate) struct Computation {
    request: Request,
    proof: Option<Box<dyn Proof>>,
    /// How many proofs were begun.
    proofs: u32,
    /// When its first job went out.
    began: Option<Instant>,
    progress: watch::Sender<Progress>,
}

impl Computation {
    pub(crate) fn new(request: Request) -> Self {
        let progress = Progress {
            status: Status::Running,
            outcome: None,
            nimber: None,
            source: None,
            seconds: 0.0,
            expansions: 0,
            records: 0,
            root: Numbers::UNLIMITED,
            fault: None,
        };
        Self {
            request,
            proof: None,
            proofs: 0,
            began: None,
            progress: watch::Sender::new(progress),
        }
    }

    pub(crate) fn request(&self) -> &Request {
        &self.request
    }

    pub(crate) fn is_running(&self) -> bool {
        self.progress.borrow().status == Status::Running
    }

    /// Whether the state last worked on is solved.
    pub(crate) fn is_proved(&self) -> bool {
        let numbers = self.proof.as_ref().map(|proof| proof.numbers());
        numbers.is_some_and(|numbers| numbers.outcome().is_some())
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Ends the computation with its result, which is in the store.
    pub(crate) fn conclude(&mut self, solved: &Solved, source: Source) {
        self.end(Status::Solved, |progress| {
            progress.outcome = Some(solved.outcome);
            progress.nimber = solved.nimber;
            progress.source = Some(source);
            progress.seconds = solved.seconds;
            progress.expansions = solved.expansions;
            progress.records = solved.records;
        });
    }

    /// Goes on to the next state to prove, if the last is proved. Returns the result if all that was
    /// asked for is known; it is to be made durable before [`Self::conclude`] lets it be seen.
    pub(crate) fn advance(&mut self, known: &GameKnowledge, now: Instant) -> Option<Solved> {
        if !self.is_running() {
            return None;
        }
        let reached = match self.request.play {
            Play::Normal => self.advance_in(&known.normal),
            Play::Misere => self.advance_in(&known.misere),
        };
        let seconds = self.began.map_or(0.0, |began| (now - began).as_secs_f64());
        if reached.is_none()
            && let Some(proof) = &self.proof
        {
            let root = proof.numbers();
            self.progress.send_modify(|progress| {
                progress.seconds = seconds;
                progress.root = root;
            });
        }
        let (outcome, nimber) = reached?;
        let since_1970 = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let progress = self.progress.borrow();
        Some(Solved {
            game: known.game().name().to_owned(),
            position: known.game().print(&self.request.position),
            play: self.request.play,
            outcome,
            nimber,
            seconds,
            expansions: progress.expansions,
            records: progress.records,
            solved_at: since_1970.as_secs(),
        })
    }

    /// The outcome and the nimber, as far as it is known or wanted, once there is nothing left to
    /// prove.
    fn advance_in<C: Convention>(&mut self, convention: &Arc<C>) -> Option<(Outcome, Option<u32>)> {
        if let Some(contradiction) = convention.contradiction() {
            self.fail(contradiction.to_string());
            return None;
        }
        if self.proof.is_some() && !self.is_proved() {
            return None;
        }
        let mut root = convention.state(&self.request.position);
        let lands = root.lands.clone();
        let Some(outcome) = convention.resolve(&mut root) else {
            self.begin(proof::begin(Arc::clone(convention), root));
            return None;
        };
        let mut nimber = Some(0);
        // Two equal lands add up to nothing.
        let single = lands
            .chunk_by(|a, b| a == b)
            .filter(|equal| equal.len() % 2 == 1);
        for land in single.map(|equal| equal[0]) {
            match convention.nimber(land) {
                Some(Ok(of_land)) => nimber = nimber.map(|sum| sum ^ of_land),
                Some(Err(next)) if self.request.nimber => {
                    self.begin(proof::begin(Arc::clone(convention), next));
                    return None;
                }
                _ => nimber = None,
            }
        }
        Some((outcome, nimber.filter(|_| C::PLAY == Play::Normal)))
    }

    fn begin(&mut self, proof: Box<dyn Proof>) {
        self.proof = Some(proof);
        self.proofs += 1;
    }

    /// A job: a locked leaf, the bytes of its state, and how long to search it at most.
    pub(crate) fn lock(
        &mut self,
        slice: Duration,
        now: Instant,
    ) -> Option<(Leaf, Vec<u8>, Duration)> {
        let (node, state, tries) = self.proof.as_mut()?.lock()?;
        let slice = slice * (1 << tries.min(MOST_DOUBLINGS));
        let began = *self.began.get_or_insert(now);
        let left = self
            .request
            .deadline
            .map(|deadline| deadline.saturating_sub(now - began));
        let leaf = Leaf {
            proof: self.proofs,
            node,
        };
        Some((leaf, state, left.map_or(slice, |left| left.min(slice))))
    }

    pub(crate) fn unlock(&mut self, leaf: Leaf) {
        if let Some(proof) = self.proof_of(leaf) {
            proof.unlock(leaf.node);
        }
    }

    /// Takes in what came of a job.
    pub(crate) fn report(&mut self, leaf: Leaf, found: Found) {
        if let Some(proof) = self.proof_of(leaf) {
            proof.report(leaf.node, found);
        }
    }

    /// The proof to which a leaf belongs, if it is still the one under way.
    fn proof_of(&mut self, leaf: Leaf) -> Option<&mut Box<dyn Proof>> {
        self.proof.as_mut().filter(|_| leaf.proof == self.proofs)
    }

    /// Counts work done for it.
    pub(crate) fn count(&mut self, expansions: u64, records: u64) {
        // Watchers are told when the report has been taken in.
        self.progress.send_if_modified(|progress| {
            progress.expansions += expansions;
            progress.records += records;
            false
        });
    }

    /// Ends it if its time is over. True if it ended now.
    pub(crate) fn expire(&mut self, now: Instant) -> bool {
        let spent = self.began.map(|began| now - began);
        let late = spent
            .zip(self.request.deadline)
            .is_some_and(|(spent, limit)| spent >= limit);
        if late && self.is_running() {
            let seconds = spent.unwrap_or_default().as_secs_f64();
            self.end(Status::Expired, |progress| progress.seconds = seconds);
        }
        late
    }

    pub(crate) fn cancel(&mut self) {
        if self.is_running() {
            self.end(Status::Cancelled, |_| {});
        }
    }

    pub(crate) fn fail(&mut self, fault: String) {
        if self.is_running() {
            self.end(Status::Failed, |progress| progress.fault = Some(fault));
        }
    }

    fn end(&mut self, status: Status, change: impl FnOnce(&mut Progress)) {
        self.proof = None;
        self.progress.send_modify(|progress| {
            progress.status = status;
            change(progress);
        });
    }
}
