//! The remembered computations: found by their requests, and forgotten.

use sproutnet_model::Solved;
use sproutnet_notation::ComputationId;

use super::Scheduler;
use super::computation::{Computation, Request, Status};

/// The maximum number of ended computations that stay listed, for late watchers.
const REMEMBERED: usize = 1000;

impl Scheduler {
    /// The unsolved computation with this request, if there is one.
    pub fn find(&self, request: &Request) -> Option<ComputationId> {
        self.first(request, |found| found.status() != Status::Solved)
    }

    /// The computation that found the result of a request known.
    pub fn find_known(&self, _: &Solved, request: &Request) -> Option<ComputationId> {
        self.first(request, Computation::was_known)
    }

    /// The remembered computation that solved a request, or has its result.
    pub fn find_solved(&self, solved: &Solved, request: &Request) -> Option<ComputationId> {
        let is_solved = |found: &Computation| found.status() == Status::Solved;
        let by_number = solved.computation.map(ComputationId);
        let by_number = by_number.filter(|id| self.computations.get(id).is_some_and(is_solved));
        by_number.or_else(|| self.first(request, is_solved))
    }

    /// The first such computation with this request.
    fn first(
        &self,
        request: &Request,
        is_meant: impl Fn(&Computation) -> bool,
    ) -> Option<ComputationId> {
        let mut all = self.computations.iter();
        let found = all.find(|(_, found)| found.request() == request && is_meant(found));
        found.map(|(&id, _)| id)
    }

    /// Removes the oldest ended computations beyond a thousand; returns their numbers. Those whose result was known at
    /// once are counted apart, so that many of them do not drive out the others.
    pub fn forget_old(&mut self) -> Vec<ComputationId> {
        let mut forgotten = Vec::new();
        for was_known in [false, true] {
            let computations = self.computations.iter();
            let ended = computations.filter(|(_, computation)| {
                computation.status().has_ended() && computation.was_known() == was_known
            });
            let mut ended: Vec<ComputationId> = ended.map(|(&id, _)| id).collect();
            ended.truncate(ended.len().saturating_sub(REMEMBERED));
            forgotten.append(&mut ended);
        }
        for id in &forgotten {
            self.computations.remove(id);
        }
        forgotten
    }
}
