//! The solver of the board, whose work is counted.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::time::Duration;

use sproutnet_board::{Effort, Question, Solver, SolverError};
use sproutnet_game as game;
use sproutnet_model::{Answer, Known, Verdict};
use sproutnet_notation::{Outcome, Play};
use sproutnet_query::{MovesError, options, solve_within};
use sproutnet_solver::play::Knowledge;
use sproutnet_solver::search::Control;

use crate::answer::{answer, moves, small};

/// The number of visits of states that count as a second. A slow device may take some seconds for them.
const VISITS_PER_SECOND: u64 = 50_000;

/// The maximum number of positions whose searches found no outcome that are remembered.
const MOST_IN_VAIN: usize = 1000;

thread_local! {
    /// Positions whose searches found no outcome, as texts, with the conventions.
    static IN_VAIN: RefCell<HashSet<(String, Vec<Play>)>> = RefCell::default();
}

/// The questions of one page.
pub(crate) struct Opponent<'k> {
    knowledge: &'k Knowledge,
    /// The visits for the questions so far.
    visits: Cell<u64>,
}

/// The number of visits that count as this time.
fn visits(time: Duration) -> u64 {
    time.as_secs() * VISITS_PER_SECOND + u64::from(time.subsec_millis()) * VISITS_PER_SECOND / 1000
}

impl<'k> Opponent<'k> {
    pub(crate) fn new(knowledge: &'k Knowledge) -> Self {
        Self {
            knowledge,
            visits: Cell::new(0),
        }
    }

    /// The maximum number of visits for a question.
    fn most(&self, effort: Effort) -> u64 {
        let left = visits(effort.all).saturating_sub(self.visits.get());
        left.min(visits(effort.each))
    }

    /// Calls a function with the bound on its searches.
    fn within<T>(&self, effort: Effort, search: impl FnOnce(&Control) -> T) -> T {
        let control = Control::with_visits(self.most(effort));
        let found = search(&control);
        self.visits.set(self.visits.get() + control.visits());
        found
    }
}

impl Solver for Opponent<'_> {
    fn answer(&self, about: Question<'_>, plays: &[Play]) -> Result<Answer, SolverError> {
        let Question {
            game,
            position,
            effort,
        } = about;
        let key = (
            game::qualified(&**game, &game.print(position)),
            plays.to_vec(),
        );
        let is_in_vain = IN_VAIN.with_borrow(|in_vain| in_vain.contains(&key));
        let effort = if is_in_vain { Effort::NONE } else { effort };
        // A shortened search proves little: a longer one may find the outcome.
        let is_whole = 2 * self.most(effort) > visits(effort.each);
        let found = |control: &Control| answer(self.knowledge, &**game, position, plays, control);
        let (answer, _) = self.within(effort, found)?;
        let is_unknown = |&play: &Play| answer.standing(play).outcome == Known::Unknown;
        if is_whole && plays.iter().any(is_unknown) {
            IN_VAIN.with_borrow_mut(|in_vain| {
                if in_vain.len() >= MOST_IN_VAIN {
                    in_vain.clear();
                }
                in_vain.insert(key);
            });
        }
        Ok(answer)
    }

    fn moves(
        &self,
        about: Question<'_>,
        answer: &Answer,
        play: Play,
    ) -> Result<Option<Vec<Verdict>>, SolverError> {
        let (game, position) = (&**about.game, about.position);
        let found =
            |control: &Control| moves(self.knowledge, game, position, answer, &[play], control);
        match self.within(about.effort, found) {
            Err(MovesError::TooMany) => Ok(None),
            moves => Ok(Some(moves?)),
        }
    }

    fn winning_move(
        &self,
        about: Question<'_>,
        _: &Answer,
        play: Play,
    ) -> Result<Option<String>, SolverError> {
        let game = &**about.game;
        let known = self.knowledge.of(game);
        let Ok(options) = options(known, about.position) else {
            return Ok(None);
        };
        self.within(about.effort, |control| {
            for option in small(known, &options) {
                if solve_within(known, option, play, control)? == Some(Outcome::Loss) {
                    return Ok(Some(game::qualified(game, &game.print(option))));
                }
                if control.must_stop() {
                    break;
                }
            }
            Ok(None)
        })
    }
}
