//! Searches of small positions for an answer, while a client waits.

use std::cell::{Cell, RefCell};
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_game::Position;
use sproutnet_model::Searched;
use sproutnet_solver::play::{GameKnowledge, Outcome, Play};
use sproutnet_solver::theory;
use sproutnet_solver::theory::quotient::{self, Effort, UnderWay};

use super::fruitless::{self, Fruitless, Wanted};
use super::outcome::{is_small, nimber_of_small, resolved, solve_small, told_by_theory};
use super::search_queue::{SearchQueue, Turn};

/// The time limit of the first search of each of several positions.
const FIRST_SEARCH: Duration = Duration::from_millis(2);

/// The least time of a question that waits longer for theory. A question that was given a second has more than this left
/// after what comes before theory.
const PATIENT: Duration = Duration::from_millis(500);

/// The time that such a question waits for theory after its deadline. Finding the quotient of Kayles takes a second.
const PATIENCE: Duration = Duration::from_secs(4);

/// The queues of the searches of all clients, and the memory of those that ended without a result.
#[derive(Clone)]
pub struct Queues {
    /// For searches.
    pub searches: Arc<SearchQueue>,
    /// For theory that takes long, such as finding a misère quotient.
    pub theory: Arc<SearchQueue>,
    pub(super) fruitless: Arc<Fruitless>,
}

impl Queues {
    /// Queues for this number of searches at once.
    pub fn new(searches: usize) -> Self {
        Self {
            searches: SearchQueue::new(searches),
            theory: SearchQueue::new(1),
            fruitless: Arc::default(),
        }
    }
}

/// The searches for one answer: their time, their turn among the searches of others, and what came of them.
///
/// They wait for their turn once, at the first search, and keep it until this is dropped. So the first answer that was
/// asked for is complete first, however many searches it takes.
pub struct Searches {
    queues: Queues,
    client: Arc<str>,
    until: Instant,
    /// The deadline of theory.
    theory_until: Instant,
    turn: RefCell<Option<Turn>>,
    searched: Cell<Searched>,
}

impl Searches {
    /// Searches for a client until the deadline. Theory may take some seconds more, unless the deadline is less than
    /// half a second away.
    pub fn new(queues: &Queues, client: &str, until: Instant) -> Self {
        let is_patient = until.saturating_duration_since(Instant::now()) >= PATIENT;
        let patience = if is_patient { PATIENCE } else { Duration::ZERO };
        Self {
            queues: queues.clone(),
            client: client.into(),
            until,
            theory_until: until + patience,
            turn: RefCell::new(None),
            searched: Cell::new(Searched::No),
        }
    }

    /// What came of them so far.
    pub fn searched(&self) -> Searched {
        self.searched.get()
    }

    fn note(&self, searched: Searched) {
        self.searched.set(self.searched.get().max(searched));
    }

    /// Waits for the turn, at most until the deadline. Returns whether it came.
    fn wait(&self) -> bool {
        let mut turn = self.turn.borrow_mut();
        if turn.is_none() {
            *turn = self.queues.searches.enter(&self.client, self.until);
        }
        if turn.is_none() {
            self.note(Searched::Busy);
        }
        turn.is_some()
    }

    /// Whether there is time left.
    fn has_time(&self) -> bool {
        let has_time = Instant::now() < self.until;
        if !has_time {
            self.note(Searched::OutOfTime);
        }
        has_time
    }

    /// Whether a search until the deadline would only repeat one that ended without a result.
    fn repeats(&self, key: &fruitless::Key, until: Instant) -> bool {
        let now = Instant::now();
        let within = until.saturating_duration_since(now);
        let repeats = self.queues.fruitless.repeats(key, within, now);
        if repeats {
            self.note(Searched::OutOfTime);
        }
        repeats
    }

    /// Notes what came of a search that began then.
    fn note_end<T>(&self, key: fruitless::Key, begin: Instant, found: Option<T>) -> Option<T> {
        match found {
            Some(_) => self.note(Searched::Yes),
            None => self.note_fruitless(key, begin),
        }
        found
    }

    /// Notes a search that began then and ended without a result.
    fn note_fruitless(&self, key: fruitless::Key, begin: Instant) {
        self.note(Searched::OutOfTime);
        let now = Instant::now();
        self.queues.fruitless.note(key, now - begin, now);
    }
}

/// Searches small positions of a game for an answer.
pub struct OnTheSpot<'a> {
    known: &'a GameKnowledge,
    searches: &'a Searches,
    has_searched: Cell<bool>,
}

impl<'a> OnTheSpot<'a> {
    /// Makes these searches in this game.
    pub fn new(known: &'a GameKnowledge, searches: &'a Searches) -> Self {
        Self {
            known,
            searches,
            has_searched: Cell::new(false),
        }
    }

    /// The known facts, including those that the searches prove.
    pub fn known(&self) -> &'a GameKnowledge {
        self.known
    }

    /// Whether there was a search, so that more may be known than before.
    pub fn has_searched(&self) -> bool {
        self.has_searched.get()
    }

    /// The outcome of a position: from knowledge, or by a search of a small position, or by the theory of a large one.
    ///
    /// # Errors
    /// See [`solve_small`].
    pub fn solve(&self, position: &Position, play: Play) -> io::Result<Option<Outcome>> {
        match resolved(self.known, position, play) {
            Some(outcome) => Ok(Some(outcome)),
            None => self.search(position, play, self.searches.until),
        }
    }

    /// The nimber of a small position, by a search.
    ///
    /// # Errors
    /// See [`solve_small`].
    pub fn nimber(&self, position: &Position) -> io::Result<Option<u32>> {
        let until = self.searches.until;
        let has_nimber = !self.known.game().is_partizan() && is_small(self.known, position);
        if !has_nimber || !self.searches.has_time() {
            return Ok(None);
        }
        // A search for the nimber begins with one for the outcome.
        let outcome = self.key(position, Wanted::Outcome(Play::Normal));
        let key = self.key(position, Wanted::Nimber);
        let repeats = |key| self.searches.repeats(key, until);
        if repeats(&outcome) || repeats(&key) || !self.searches.wait() {
            return Ok(None);
        }
        self.has_searched.set(true);
        let begin = Instant::now();
        let found = nimber_of_small(self.known, position, until)?;
        Ok(self.searches.note_end(key, begin, found))
    }

    /// Solves the small positions of unknown outcome among options of a position, until `found` breaks. Each gets a
    /// little time at first, then more.
    pub(super) fn solve_each<'p>(
        &self,
        position: &Position,
        options: impl IntoIterator<Item = &'p Position>,
        play: Play,
        mut found: impl FnMut(&'p Position, Outcome) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut open: Vec<&Position> = options.into_iter().collect();
        open.retain(|position| {
            is_small(self.known, position) && resolved(self.known, position, play).is_none()
        });
        open.sort_by_cached_key(|position| self.known.game().max_moves_of(position));
        let key = self.key(position, Wanted::Options(play));
        if open.is_empty() || self.searches.repeats(&key, self.searches.until) {
            return Ok(());
        }
        let mut begin = None;
        let mut time = FIRST_SEARCH;
        while !open.is_empty() && self.searches.has_time() && self.searches.wait() {
            begin.get_or_insert_with(Instant::now);
            let mut left = Vec::new();
            for option in open {
                let until = self.searches.until.min(Instant::now() + time);
                match self.search_small(option, play, until)? {
                    Some(outcome) => {
                        self.searches.note(Searched::Yes);
                        if found(option, outcome).is_break() {
                            return Ok(());
                        }
                    }
                    None => left.push(option),
                }
            }
            open = left;
            time *= 4;
        }
        if let Some(begin) = begin
            && !open.is_empty()
        {
            self.searches.note_fruitless(key, begin);
        }
        Ok(())
    }

    fn key(&self, position: &Position, wanted: Wanted) -> fruitless::Key {
        fruitless::key(&**self.known.game(), position, wanted)
    }

    /// The outcome of a large position by theory, if there is time left.
    fn told(&self, position: &Position, play: Play) -> Option<Outcome> {
        let Searches {
            queues,
            client,
            until,
            theory_until,
            ..
        } = self.searches;
        if Instant::now() >= *until {
            return None;
        }
        let game = &**self.known.game();
        if let Some(told) = theory::told(game, position, play, Effort::Look) {
            return Some(told.outcome);
        }
        let _turn = queues.theory.enter(client, *theory_until)?;
        let told = told_by_theory(self.known, position, play, *theory_until)?;
        Some(told.outcome)
    }

    /// Why theory did not tell the outcome of a large position.
    fn why_not_told(&self, position: &Position, play: Play) -> Searched {
        let under_way = match play {
            Play::Normal => None,
            Play::Misere => quotient::under_way(&**self.known.game(), position),
        };
        match under_way {
            None => Searched::TooLarge,
            Some(UnderWay::This) => Searched::OutOfTime,
            Some(UnderWay::Other) => Searched::Busy,
        }
    }

    /// Searches a small position until the deadline, or asks theory about a large one.
    fn search(
        &self,
        position: &Position,
        play: Play,
        until: Instant,
    ) -> io::Result<Option<Outcome>> {
        if !is_small(self.known, position) {
            let outcome = self.told(position, play);
            if outcome.is_none() {
                self.searches.note(self.why_not_told(position, play));
            }
            return Ok(outcome);
        }
        let key = self.key(position, Wanted::Outcome(play));
        if !self.searches.has_time() || self.searches.repeats(&key, until) || !self.searches.wait()
        {
            return Ok(None);
        }
        let begin = Instant::now();
        let found = self.search_small(position, play, until)?;
        Ok(self.searches.note_end(key, begin, found))
    }

    /// Searches a small position until the deadline. The caller has a turn, and notes what comes of it.
    fn search_small(
        &self,
        position: &Position,
        play: Play,
        until: Instant,
    ) -> io::Result<Option<Outcome>> {
        if !self.searches.has_time() {
            return Ok(None);
        }
        self.has_searched.set(true);
        solve_small(self.known, position, play, until)
    }
}

#[cfg(test)]
mod tests;
