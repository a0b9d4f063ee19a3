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
        let same = |computation: &Computation| {
            computation.request() == request && computation.status() != Status::Solved
        };
        let mut computations = self.computations.iter();
        computations
            .find(|(_, computation)| same(computation))
            .map(|(&id, _)| id)
    }

    /// The computation that found the result of a request known.
    pub fn find_known(&self, _: &Solved, request: &Request) -> Option<ComputationId> {
        let mut computations = self.computations.iter();
        computations
            .find(|(_, found)| found.was_known() && found.request() == request)
            .map(|(&id, _)| id)
    }

    /// The remembered computation that solved a request, or has its result.
    pub fn find_solved(&self, solved: &Solved, request: &Request) -> Option<ComputationId> {
        let is_solved = |computation: &Computation| computation.status() == Status::Solved;
        let by_number = solved.computation.map(ComputationId);
        let by_number = by_number.filter(|id| self.computations.get(id).is_some_and(is_solved));
        by_number.or_else(|| {
            let mut computations = self.computations.iter();
            let same = |computation: &Computation| {
                is_solved(computation) && computation.request() == request
            };
            computations
                .find(|(_, computation)| same(computation))
                .map(|(&id, _)| id)
        })
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
