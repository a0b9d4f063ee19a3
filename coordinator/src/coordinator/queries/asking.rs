//! What the answer to a query is made from: the results and certificates of the store, facts, and searches.

use sproutnet_game::{Game, Position};
use sproutnet_model::{Basis, Known, Source, Standing, Verification};
use sproutnet_query::{OnTheSpot, Searches, Sources, derived, published};
use sproutnet_solver::play::{GameKnowledge, Knowledge, Outcome, Play};

use super::Queries;
use crate::CoordinatorError;
use crate::scheduler::computation::Request;

/// One query, with the facts known when it was asked.
pub(super) struct Asking<'a> {
    pub(super) queries: &'a Queries,
    pub(super) knowledge: &'a Knowledge,
    pub(super) searches: &'a Searches,
}

impl Sources for Asking<'_> {
    type Error = CoordinatorError;

    fn known(&self, game: &dyn Game) -> &GameKnowledge {
        self.knowledge.of(game)
    }

    fn standing(
        &self,
        game: &dyn Game,
        position: &Position,
        play: Play,
        seen: Known,
    ) -> Result<(Standing, Option<u32>), CoordinatorError> {
        let core = &self.queries.core;
        let ledger = &core.ledger;
        let known = self.known(game);
        let request = Request {
            game: game.name(),
            position: position.clone(),
            play,
            nimber: false,
        };
        let canonical = game.print(position);
        let name = Verification::name_of(request.game, play, &canonical);
        let certified: Option<Verification> = ledger.document(&name)?;
        let certified = certified.map(|certified| Known::from(Some(certified.outcome)));
        let verified = |standing: Standing| Standing {
            verified: certified == Some(standing.outcome) || known.is_verified(play, position),
            ..standing
        };
        if let Some(mut solved) = ledger.result_of(&request)? {
            // A computation that ended long ago is forgotten; its result is not.
            solved.computation = solved
                .computation
                .filter(|&id| core.computation(id.into(), |_| ()).is_ok());
            return Ok((verified(Standing::solved(&solved)), solved.nimber));
        }
        if let Some(outcome) = certified {
            let standing = Standing {
                basis: Some(Basis::Certificate),
                ..Standing::known(outcome, Source::Derived)
            };
            return Ok((verified(standing), None));
        }
        if let Some(outcome) = seen.outcome() {
            let derived = derived(known, position, play, outcome);
            return Ok((verified(derived), None));
        }
        let under_way = self.queries.under_way(&request).map(u64::from);
        let standing = match published(game, position, play) {
            Some(standing) => Standing {
                computation: under_way,
                ..standing
            },
            None => Standing::open(under_way),
        };
        Ok((standing, None))
    }

    fn solve(
        &self,
        known: &GameKnowledge,
        position: &Position,
        play: Play,
    ) -> Result<Option<Outcome>, CoordinatorError> {
        let solve = |on_the_spot: &OnTheSpot<'_>| on_the_spot.solve(position, play);
        let solved = self.queries.with_searches(known, self.searches, solve)?;
        solved.map_err(CoordinatorError::Search)
    }

    fn nimber(
        &self,
        known: &GameKnowledge,
        position: &Position,
    ) -> Result<Option<u32>, CoordinatorError> {
        let nimber = |on_the_spot: &OnTheSpot<'_>| on_the_spot.nimber(position);
        let found = self.queries.with_searches(known, self.searches, nimber)?;
        found.map_err(CoordinatorError::Search)
    }
}
