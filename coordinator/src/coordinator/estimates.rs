//! Estimates the work of computations from smaller starts that were solved here.

use sproutnet_game as game;
use sproutnet_model::{Estimate, Solved};
use sproutnet_notation::ComputationId;
use sproutnet_query as answer;

use super::core::Core;
use crate::CoordinatorError;
use crate::ledger::canonical;
use crate::scheduler::computation::{Computation, Request};

/// The maximum number of computations estimated again after a result: each estimate reads the results of many smaller
/// starts.
const AGAIN: usize = 4;

impl Core {
    /// The estimated work of a start position. `None` if it is no start, or if too few smaller starts are solved.
    pub(super) fn estimate(&self, request: &Request) -> Result<Option<Estimate>, CoordinatorError> {
        let game = game::by_name(request.game);
        let size = answer::start_size(request.game, &canonical(request));
        let Some((game, size)) = game.zip(size) else {
            return Ok(None);
        };
        let mut solved = Vec::new();
        for smaller in size.saturating_sub(answer::SIZES_BELOW)..size {
            let start = game.start_text(smaller);
            let Some(position) = start.and_then(|text| game.parse(&text).ok()) else {
                continue;
            };
            let start = Request {
                position,
                nimber: false,
                ..request.clone()
            };
            solved.extend(self.ledger.result_of(&start)?.map(|found| (smaller, found)));
        }
        Ok(answer::estimate(solved, size))
    }

    /// Estimates running computations without an estimate that have the game and convention of a new result: the result
    /// may be the one that was missing. A failure is only logged.
    pub(super) fn estimate_behind(&self, solved: &Solved) {
        let is_behind = |computation: &Computation| {
            let request = computation.request();
            let is_akin = request.game == solved.game && request.play == solved.play;
            is_akin && computation.is_running() && computation.progress().estimate.is_none()
        };
        let behind: Vec<(ComputationId, Request)> = {
            let scheduler = self.scheduler();
            let computations = scheduler.computations().iter();
            let behind = computations.filter(|(_, computation)| is_behind(computation));
            let behind = behind.map(|(&id, computation)| (id, computation.request().clone()));
            behind.take(AGAIN).collect()
        };
        for (id, request) in behind {
            match self.estimate(&request) {
                Ok(None) => {}
                Ok(estimate) => {
                    let expect = |computation: &mut Computation| computation.expect(estimate);
                    self.scheduler().change(id, expect);
                }
                Err(error) => {
                    tracing::warn!(%error, computation = %id, "a computation could not be estimated");
                }
            }
        }
    }
}
