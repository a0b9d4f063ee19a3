//! Queries of clients about positions and games.

mod asking;
mod certificates;
mod theory;

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use sproutnet_game::{Game, Position};
use sproutnet_model::{Answer, Line, Searched, Solved, TableEntry, Verdict, Verification};
use sproutnet_notation::ComputationId;
use sproutnet_query::{self as answer, MovesError, OnTheSpot, Queues, Searches};
use sproutnet_solver::play::{GameKnowledge, Knowledge, Play};
use sproutnet_transport::caller;

use self::asking::Asking;
use super::core::Core;
use crate::CoordinatorError;
use crate::scheduler::computation::{Request, Status};

/// The maximum number of simultaneous searches for queries, if there are as many cores. Each may take 64 MiB.
const SEARCHES: usize = 8;

/// A position, with the knowledge of its game at the time of the lookup.
pub struct Lookup {
    game: Arc<dyn Game>,
    position: Position,
    knowledge: Arc<Knowledge>,
}

impl Lookup {
    fn known(&self) -> &GameKnowledge {
        self.knowledge.of(&*self.game)
    }
}

/// Queries about positions and games.
pub struct Queries {
    core: Arc<Core>,
    /// The queue of the searches of small positions.
    queues: Queues,
}

impl Queries {
    pub(super) fn new(core: Arc<Core>) -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            core,
            queues: Queues::new(cores.min(SEARCHES)),
        }
    }

    /// The table of a game, which may have parameters as in `octal(0.137)`, with what came of the searches. Small start
    /// positions without a known outcome are searched until the deadline.
    ///
    /// # Errors
    /// There is no such game, the store failed, or no search could be made.
    pub fn table(
        &self,
        game: &str,
        until: Instant,
    ) -> Result<(Vec<TableEntry>, Searched), CoordinatorError> {
        let knowledge = self.core.knowledge();
        let (game, heaps) = match sproutnet_game::by_name(game) {
            Some(game) => (game, None),
            None => {
                let (game, heaps) =
                    sproutnet_game::starts(game).map_err(|_| CoordinatorError::Unknown("game"))?;
                (game, Some(heaps))
            }
        };
        let game = game.name();
        let known = knowledge.game(game);
        let known = known.ok_or(CoordinatorError::Unknown("game"))?;
        let ledger = &self.core.ledger;
        let solved: Vec<Solved> = ledger.values(&Solved::prefix(game))?;
        let verified: Vec<Verification> = ledger.values(&Verification::prefix(game))?;
        let table = |on_the_spot: &OnTheSpot<'_>| {
            answer::table(on_the_spot, heaps.as_deref(), solved, verified)
        };
        let searches = self.searches(until);
        let entries = self.with_searches(known, &searches, table)?;
        let entries = entries.map_err(CoordinatorError::Search)?;
        Ok((entries, searches.searched()))
    }

    /// The deadline of an answer for which a client waits this long, at most
    /// [`Config::on_the_spot`](crate::Config::on_the_spot).
    pub fn until(&self, within: Duration) -> Instant {
        Instant::now() + within.min(self.core.config.on_the_spot)
    }

    /// A position with the current knowledge of its game.
    pub fn lookup(&self, game: Arc<dyn Game>, position: Position) -> Lookup {
        Lookup {
            game,
            position,
            knowledge: self.core.knowledge(),
        }
    }

    /// The same for a position given as `text` or `game:text`.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn lookup_text(&self, text: &str) -> Result<Lookup, CoordinatorError> {
        let (game, position) = super::parse(text)?;
        Ok(self.lookup(game, position))
    }

    /// The answer about a position. A small position without a known outcome is searched until the deadline; for a
    /// large one, theory may give the outcome. The same holds for its lands.
    ///
    /// # Errors
    /// The store failed, or no search could be made.
    pub fn answer(&self, lookup: &Lookup, until: Instant) -> Result<Answer, CoordinatorError> {
        self.answer_under(lookup, &Play::ALL, until)
    }

    /// The same, searching only under the given conventions.
    ///
    /// # Errors
    /// The store failed, or no search could be made.
    pub fn answer_under(
        &self,
        lookup: &Lookup,
        plays: &[Play],
        until: Instant,
    ) -> Result<Answer, CoordinatorError> {
        let (answer, _) = self.answer_and_search(lookup, plays, until)?;
        Ok(answer)
    }

    /// The same, with what came of the searches.
    ///
    /// # Errors
    /// The store failed, or no search could be made.
    pub fn answer_and_search(
        &self,
        lookup: &Lookup,
        plays: &[Play],
        until: Instant,
    ) -> Result<(Answer, Searched), CoordinatorError> {
        let searches = self.searches(until);
        let asking = self.asking(lookup, &searches);
        let answer = answer::answer(&asking, &*lookup.game, &lookup.position, plays)?;
        Ok((answer, searches.searched()))
    }

    /// The moves of a position with this answer, those that win under the convention first. Small positions after
    /// a move are searched until the deadline.
    ///
    /// # Errors
    /// There are too many to list, the store failed, or no search could be made.
    pub fn moves(
        &self,
        lookup: &Lookup,
        answer: &Answer,
        play: Play,
        until: Instant,
    ) -> Result<Vec<Verdict>, CoordinatorError> {
        let (known, position) = (lookup.known(), &lookup.position);
        let moves =
            |on_the_spot: &OnTheSpot<'_>| answer::moves(on_the_spot, position, answer, play);
        self.with_searches(known, &self.searches(until), moves)?
            .map_err(|error| match error {
                MovesError::TooMany => CoordinatorError::Invalid(error.to_string()),
                MovesError::Search(error) => CoordinatorError::Search(error),
            })
    }

    /// Whether the moves of a position take longer to list than a reader of a page should wait.
    pub fn has_slow_moves(&self, lookup: &Lookup) -> bool {
        answer::are_slow_to_list(lookup.known(), &lookup.position)
    }

    /// A line of play from a position with this answer. The winner plays winning moves where these are known. Small
    /// positions on the way are searched until the deadline.
    ///
    /// # Errors
    /// The store failed, or no search could be made.
    pub fn line(
        &self,
        lookup: &Lookup,
        answer: &Answer,
        play: Play,
        until: Instant,
    ) -> Result<Line, CoordinatorError> {
        let (known, position) = (lookup.known(), &lookup.position);
        let outcome = answer.standing(play).outcome;
        let line = |on_the_spot: &OnTheSpot<'_>| answer::line(on_the_spot, position, play, outcome);
        self.with_searches(known, &self.searches(until), line)?
            .map_err(CoordinatorError::Search)
    }

    /// The number of the running computation of a position.
    fn under_way(&self, request: &Request) -> Option<ComputationId> {
        let scheduler = self.core.scheduler();
        let is_running = |id: &ComputationId| {
            let computation = scheduler.computations().get(id);
            computation.is_some_and(|computation| computation.status() == Status::Running)
        };
        scheduler.find(request).filter(is_running)
    }

    fn asking<'a>(&'a self, lookup: &'a Lookup, searches: &'a Searches) -> Asking<'a> {
        Asking {
            queries: self,
            knowledge: &lookup.knowledge,
            searches,
        }
    }

    /// The searches for one answer.
    fn searches(&self, until: Instant) -> Searches {
        Searches::new(&self.queues, &caller::name(), until)
    }

    /// Answers a query for which small positions may be searched.
    fn with_searches<T>(
        &self,
        known: &GameKnowledge,
        searches: &Searches,
        query: impl FnOnce(&OnTheSpot<'_>) -> T,
    ) -> Result<T, CoordinatorError> {
        let on_the_spot = OnTheSpot::new(known, searches);
        let found = query(&on_the_spot);
        if on_the_spot.has_searched() {
            // The facts that the search proved wait for the next commit.
            match self.core.conclude(Instant::now()) {
                // Answers do not wait for room on the disk; results do.
                Ok(()) | Err(CoordinatorError::DiskFull(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }
}
