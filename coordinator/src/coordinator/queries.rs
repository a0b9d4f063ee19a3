//! Queries of clients about positions and games.

mod certificates;
mod theory;

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use sproutnet_game::{Game, Position};
use sproutnet_model::{
    Answer, Basis, Known, Line, Searched, Solved, Source, Standing, TableEntry, Verdict,
    Verification,
};
use sproutnet_notation::ComputationId;
use sproutnet_query::{self as answer, MovesError, OnTheSpot, Queues, Searches, verdict};
use sproutnet_solver::play::{GameKnowledge, Knowledge, Outcome, Play};
use sproutnet_transport::caller;

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
        let known = self.knowledge.game(self.game.name());
        known.expect("all games are known")
    }

    fn request(&self, play: Play) -> Request {
        Request {
            game: self.game.name(),
            position: self.position.clone(),
            play,
            nimber: false,
        }
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

    /// The table of a game, which may have parameters as in `octal(0.137)`. Small start positions without a known outcome are searched until the deadline.
    ///
    /// # Errors
    /// There is no such game, the store failed, or no search could be made.
    pub fn table(&self, game: &str, until: Instant) -> Result<Vec<TableEntry>, CoordinatorError> {
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
        self.with_searches(known, &self.searches(until), table)?
            .map_err(CoordinatorError::Search)
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
        let (game, position, known) = (&lookup.game, &lookup.position, lookup.known());
        let mut verdict = verdict(known, position);
        let standing = |play, outcome: Known| self.standing(lookup, play, outcome);
        let (mut normal, result_nimber) = standing(Play::Normal, verdict.normal)?;
        let (mut misere, _) = standing(Play::Misere, verdict.misere)?;
        for (play, standing) in [(Play::Normal, &mut normal), (Play::Misere, &mut misere)] {
            if plays.contains(&play)
                && !standing.is_proved()
                && let Some(outcome) = self.solve(known, position, play, &searches)?
            {
                *standing = if answer::is_small(known, position) {
                    Standing::known(Some(outcome), Source::Search)
                } else {
                    answer::derived(known, position, play, outcome)
                };
                verdict = self::verdict(known, position);
            }
        }
        let mut lands = Vec::new();
        if let [_, _, ..] = position.lands() {
            for land in position.lands() {
                let part = game.part(land);
                let (game, land) = part.unwrap_or_else(|| (Arc::clone(game), land.clone()));
                let land = Lookup {
                    game,
                    position: Position::new(vec![land]),
                    knowledge: Arc::clone(&lookup.knowledge),
                };
                lands.push(self.land(&land, plays, &searches)?);
            }
        }
        let mut nimber = verdict.nimber.or(result_nimber);
        if !game.is_partizan() {
            if normal.outcome.outcome().is_none()
                && let Some((outcome, of_sum)) = answer::sum(&lands)
            {
                normal = Standing {
                    computation: normal.computation,
                    ..outcome
                };
                nimber = nimber.or(of_sum);
            }
            nimber = nimber.or_else(|| answer::nimber_of(normal.outcome));
            if nimber.is_none() && plays.contains(&Play::Normal) && Instant::now() < until {
                let of_lands = answer::sum(&lands).and_then(|(_, nimber)| nimber);
                nimber = match of_lands {
                    Some(nimber) => Some(nimber),
                    None => self.nimber(known, position, &searches)?,
                };
            }
        }
        let lands = lands.into_iter().map(|(verdict, _)| verdict).collect();
        let answer = Answer {
            canonical: verdict.canonical,
            game: game.name().to_owned(),
            most_moves: game.max_moves_of(position),
            normal,
            misere,
            nimber,
            genus: verdict.genus,
            lands,
        };
        Ok((answer, searches.searched()))
    }

    /// The verdict on a land of a position, with its standing under normal play.
    fn land(
        &self,
        lookup: &Lookup,
        plays: &[Play],
        searches: &Searches,
    ) -> Result<(Verdict, Standing), CoordinatorError> {
        let (known, land) = (lookup.known(), &lookup.position);
        let mut seen = verdict(known, land);
        let mut found = false;
        for &play in plays {
            found |= seen.outcome(play) == Known::Unknown
                && self.solve(known, land, play, searches)?.is_some();
        }
        if found {
            seen = verdict(known, land);
        }
        if lookup.game.is_partizan() {
            return Ok((seen, Standing::open(None)));
        }
        let (mut standing, of_result) = self.standing(lookup, Play::Normal, seen.normal)?;
        let of_loss = answer::nimber_of(standing.outcome);
        seen.nimber = seen.nimber.or(of_result).or(of_loss);
        if seen.nimber.is_none() && plays.contains(&Play::Normal) {
            seen.nimber = self.nimber(known, land, searches)?;
            if let Some(nimber) = seen.nimber {
                standing = Standing::known(Some(Outcome::win_if(nimber != 0)), Source::Search);
            }
        }
        if standing.outcome.outcome().is_some() {
            seen.normal = standing.outcome;
        }
        Ok((seen, standing))
    }

    /// The outcome of a small position by search, or of a large one by theory.
    fn solve(
        &self,
        known: &GameKnowledge,
        position: &Position,
        play: Play,
        searches: &Searches,
    ) -> Result<Option<Outcome>, CoordinatorError> {
        self.with_searches(known, searches, |on_the_spot| {
            on_the_spot.solve(position, play)
        })?
        .map_err(CoordinatorError::Search)
    }

    /// The nimber of a small position by search.
    fn nimber(
        &self,
        known: &GameKnowledge,
        position: &Position,
        searches: &Searches,
    ) -> Result<Option<u32>, CoordinatorError> {
        self.with_searches(known, searches, |on_the_spot| on_the_spot.nimber(position))?
            .map_err(CoordinatorError::Search)
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

    /// The standing under one convention, with the nimber of the stored result.
    fn standing(
        &self,
        lookup: &Lookup,
        play: Play,
        seen: Known,
    ) -> Result<(Standing, Option<u32>), CoordinatorError> {
        let request = lookup.request(play);
        let canonical = lookup.game.print(&lookup.position);
        let name = Verification::name_of(request.game, play, &canonical);
        let certified: Option<Verification> = self.core.ledger.document(&name)?;
        let certified = certified.map(|certified| Known::from(Some(certified.outcome)));
        let verified = |standing: Standing| Standing {
            verified: certified == Some(standing.outcome)
                || lookup.known().is_verified(play, &lookup.position),
            ..standing
        };
        if let Some(mut solved) = self.core.ledger.result_of(&request)? {
            // A computation that ended long ago is forgotten; its result is not.
            solved.computation = solved
                .computation
                .filter(|&id| self.core.computation(id.into(), |_| ()).is_ok());
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
            let derived = answer::derived(lookup.known(), &lookup.position, play, outcome);
            return Ok((verified(derived), None));
        }
        let under_way = self.under_way(&request).map(u64::from);
        let published = match lookup.game.name() {
            "sprouts" => answer::published_of(&canonical, play),
            _ => None,
        };
        let standing = match published {
            Some((outcome, source, citation)) => Standing {
                citation: Some(citation.to_owned()),
                computation: under_way,
                ..Standing::known(Some(outcome), source)
            },
            None => Standing::open(under_way),
        };
        Ok((standing, None))
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
