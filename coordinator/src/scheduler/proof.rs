//! A proof under way, with the type of its convention erased.

use std::sync::Arc;

use sproutnet_game::{self as game, Position};
use sproutnet_model::{Branch, Branches};
use sproutnet_solver::play::{Convention, State};
use sproutnet_solver::search::{Descent, Entries, Found, Job, JobId, Numbers};

/// The maximum number of branches shown: people read no more, and printing each takes time.
const MOST_SHOWN: usize = 24;

/// The proof of one state's outcome, under way.
pub(super) trait Proof: Send {
    /// Gives out the most-proving state as a job: one whose work is at least `least`, or the root. `None` when the
    /// proof is complete.
    fn next(&mut self, entries: &mut Entries, least: u64) -> Option<Job>;

    /// The canonical bytes of the state of a job, if it is still out.
    fn state(&self, job: JobId) -> Option<Vec<u8>>;

    /// Whether the proof may still depend on a job.
    fn is_wanted(&self, job: JobId) -> bool;

    /// Takes back a job without a result.
    fn withdraw(&mut self, job: JobId);

    /// Takes in the result of a job.
    fn report(&mut self, job: JobId, found: Found, entries: &mut Entries);

    /// The proof and disproof numbers of the state to be proved.
    fn numbers(&self) -> Numbers;

    /// The open states directly below the state to be proved.
    fn branches(&self, entries: &Entries) -> Branches;
}

/// Starts the proof of a state's outcome.
pub(super) fn begin<C: Convention>(
    convention: &Arc<C>,
    state: State<C::Value>,
    entries: &Entries,
) -> Box<dyn Proof> {
    let convention = Arc::clone(convention);
    let descent = Descent::new(Arc::clone(&convention), state, entries);
    Box::new(ProofOf {
        convention,
        descent,
    })
}

struct ProofOf<C: Convention> {
    convention: Arc<C>,
    descent: Descent<C>,
}

impl<C: Convention> Proof for ProofOf<C> {
    fn next(&mut self, entries: &mut Entries, least: u64) -> Option<Job> {
        self.descent.next(entries, least)
    }

    fn state(&self, job: JobId) -> Option<Vec<u8>> {
        self.descent.state(job)
    }

    fn is_wanted(&self, job: JobId) -> bool {
        self.descent.is_wanted(job)
    }

    fn withdraw(&mut self, job: JobId) {
        self.descent.withdraw(job);
    }

    fn report(&mut self, job: JobId, found: Found, entries: &mut Entries) {
        self.descent.report(job, found, entries);
    }

    fn numbers(&self) -> Numbers {
        self.descent.root()
    }

    fn branches(&self, entries: &Entries) -> Branches {
        let found = self.descent.branches(entries);
        let lands = self.convention.lands();
        let game = lands.game().as_ref();
        let branch = |branch: &sproutnet_solver::search::Branch<C::Value>| {
            let of_state = branch.state.lands.iter();
            let position = Position::new(of_state.map(|&id| lands.land(id).clone()).collect());
            Branch {
                position: game::qualified(game, &game.print(&position)),
                value: self.convention.describe_value(branch.state.value),
                numbers: branch.numbers,
                jobs: branch.jobs as u32,
            }
        };
        Branches {
            open: found.open.iter().take(MOST_SHOWN).map(branch).collect(),
            more: found.open.len().saturating_sub(MOST_SHOWN) as u64,
            are_parts: found.are_parts,
        }
    }
}
