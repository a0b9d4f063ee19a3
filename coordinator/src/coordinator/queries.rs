//! The calls of clients about what is known.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sproutnet_game::{self as game, Game, Position};
use sproutnet_model::{Answer, Known, Line, Source, Standing, TableEntry, Verdict};
use sproutnet_notation::ComputationId;
use sproutnet_query::{self as answer, verdict};
use sproutnet_solver::play::{GameKnowledge, Knowledge, Outcome, Play};

use super::core::Core;
use crate::CoordinatorError;
use crate::scheduler::computation::{Request, Status};

/// A position that was read, and what is known of its game.
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

/// What is known of positions.
pub struct Queries {
    core: Arc<Core>,
    /// Where one small position at a time is searched on the spot.
    search_permit: SearchPermit,
}

impl Queries {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self {
            core,
            search_permit: SearchPermit::default(),
        }
    }

    /// The table of a game.
    ///
    /// # Errors
    /// There is no such game, or the store failed.
    pub fn table(&self, game: &str) -> Result<Vec<TableEntry>, CoordinatorError> {
        let games = game::all();
        let found = games.iter().find(|known| known.name() == game);
        let found = found.ok_or(CoordinatorError::Unknown("game"))?;
        let ledger = &self.core.ledger;
        let (solved, verified) = (ledger.results(game)?, ledger.verifications(game)?);
        Ok(answer::table(found.as_ref(), solved, verified))
    }

    /// Prepares to look a position up.
    pub fn lookup(&self, game: Arc<dyn Game>, position: Position) -> Lookup {
        Lookup {
            game,
            position,
            knowledge: self.core.knowledge(),
        }
    }

    /// Prepares to look up a position given as `text` or `game:text`.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn lookup_text(&self, text: &str) -> Result<Lookup, CoordinatorError> {
        let (game, position) = super::parse(text)?;
        Ok(self.lookup(game, position))
    }

    /// What is known of a position. A small position is searched if its outcome is unknown, for
    /// so long at most, and no longer than [`Config::on_the_spot`](crate::Config::on_the_spot).
    ///
    /// # Errors
    /// The store failed.
    pub fn answer(&self, lookup: &Lookup, within: Duration) -> Result<Answer, CoordinatorError> {
        let until = Instant::now() + within.min(self.core.config.on_the_spot);
        let (game, position, known) = (&lookup.game, &lookup.position, lookup.known());
        let mut verdict = verdict(known, position);
        let standing = |play, outcome: Known| self.standing(lookup, play, outcome);
        let (mut normal, result_nimber) = standing(Play::Normal, verdict.normal)?;
        let (mut misere, _) = standing(Play::Misere, verdict.misere)?;
        if !within.is_zero() && answer::is_small(known, position) {
            for (play, standing) in [(Play::Normal, &mut normal), (Play::Misere, &mut misere)] {
                if !standing.is_proved()
                    && let Some(outcome) = self.find_out(lookup, play, until)?
                {
                    *standing = Standing::known(Some(outcome), Source::Search);
                }
            }
            verdict = self::verdict(known, position);
        }
        let lands = match position.lands() {
            [] | [_] => Vec::new(),
            lands => {
                let alone = lands.iter().map(|land| Position::new(vec![land.clone()]));
                alone.map(|land| self::verdict(known, &land)).collect()
            }
        };
        Ok(Answer {
            canonical: verdict.canonical,
            game: game.name().to_owned(),
            most_moves: game.max_moves_of(position),
            normal,
            misere,
            nimber: verdict.nimber.or(result_nimber),
            genus: verdict.genus,
            lands,
        })
    }

    /// The moves of a position with what is known of them, those that win under the convention first.
    ///
    /// # Errors
    /// There are too many to list.
    pub fn moves(&self, lookup: &Lookup, play: Play) -> Result<Vec<Verdict>, CoordinatorError> {
        answer::moves(lookup.known(), &lookup.position, play)
            .map_err(|error| CoordinatorError::Invalid(error.to_string()))
    }

    /// How play goes on from a position when the winner plays to win, as far as is known; for so long at
    /// most small positions are searched on the way, and no longer than
    /// [`Config::on_the_spot`](crate::Config::on_the_spot).
    ///
    /// # Errors
    /// The store failed, or no search could be made.
    pub fn line(
        &self,
        lookup: &Lookup,
        play: Play,
        within: Duration,
    ) -> Result<Line, CoordinatorError> {
        let until = Instant::now() + within.min(self.core.config.on_the_spot);
        let permit = self.search_permit.enter(until);
        let until = match permit {
            Some(_) => until,
            None => Instant::now(),
        };
        let line = answer::line(lookup.known(), &lookup.position, play, until);
        drop(permit);
        self.core.conclude(Instant::now())?;
        line.map_err(CoordinatorError::Search)
    }

    /// What is known of the outcome under one convention, with the nimber of the result that is kept.
    fn standing(
        &self,
        lookup: &Lookup,
        play: Play,
        seen: Known,
    ) -> Result<(Standing, Option<u32>), CoordinatorError> {
        let request = lookup.request(play);
        let certified = self.core.ledger.verification_of(&request)?;
        let certified = certified.map(|certified| Known::from(Some(certified.outcome)));
        let verified = |standing: Standing| Standing {
            verified: certified == Some(standing.outcome)
                || lookup.known().is_verified(play, &lookup.position),
            ..standing
        };
        if let Some(solved) = self.core.ledger.result_of(&request)? {
            return Ok((verified(Standing::solved(&solved)), solved.nimber));
        }
        let seen = certified.unwrap_or(seen);
        if seen.outcome().is_some() {
            return Ok((verified(Standing::known(seen, Source::Derived)), None));
        }
        let under_way = self.under_way(&request).map(u64::from);
        let canonical = lookup.game.print(&lookup.position);
        let published = match lookup.game.name() {
            "sprouts" => answer::published_of(&canonical, play),
            _ => None,
        };
        let standing = match published {
            Some(published) => Standing {
                citation: Some(published.citation.to_owned()),
                computation: under_way,
                ..Standing::known(Some(published.outcome), Source::Literature)
            },
            None => Standing::open(under_way),
        };
        Ok((standing, None))
    }

    /// The number of the computation of a position that goes on.
    fn under_way(&self, request: &Request) -> Option<ComputationId> {
        let scheduler = self.core.scheduler();
        let goes_on = |id: &ComputationId| {
            let computation = scheduler.computations().get(id);
            computation.is_some_and(|computation| computation.status() == Status::Running)
        };
        scheduler.find(request).filter(goes_on)
    }

    /// Searches a position, when no other is being searched, until then at most.
    fn find_out(
        &self,
        lookup: &Lookup,
        play: Play,
        until: Instant,
    ) -> Result<Option<Outcome>, CoordinatorError> {
        let Some(_permit) = self.search_permit.enter(until) else {
            return Ok(None);
        };
        let found = answer::solve_small(lookup.known(), &lookup.position, play, until);
        // What was proved is kept with what is written next.
        self.core.conclude(Instant::now())?;
        found.map_err(CoordinatorError::Search)
    }
}

/// A place for one at a time.
#[derive(Debug, Default)]
struct SearchPermit {
    taken: Mutex<bool>,
    left: Condvar,
}

/// Holds the place.
struct Taken<'a>(&'a SearchPermit);

impl SearchPermit {
    /// Takes the place, if it can be had until then.
    fn enter(&self, until: Instant) -> Option<Taken<'_>> {
        let wait = until.saturating_duration_since(Instant::now());
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.left.wait_timeout_while(taken, wait, |taken| *taken);
        let (mut taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *taken {
            return None;
        }
        *taken = true;
        Some(Taken(self))
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.left.notify_one();
    }
}
