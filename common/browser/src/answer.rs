//! The answer about a position, with searches whose work is counted.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::io;

use sproutnet_game::{Game, Position};
use sproutnet_model::{Answer, Known, Searched, Standing, Verdict};
use sproutnet_notation::Play;
use sproutnet_query::{
    MovesError, Sources, derived, is_small, nimber_within, options, published, solve_within,
    sorted_moves,
};
use sproutnet_solver::play::{GameKnowledge, Knowledge, Outcome};
use sproutnet_solver::search::Control;

/// The size of known facts from which they are forgotten, in bytes.
const MOST_KNOWN: usize = 512 << 20;

thread_local! {
    /// The facts of earlier answers.
    static KNOWLEDGE: RefCell<Knowledge> = RefCell::default();
}

/// Calls a function with the facts of earlier answers.
pub(crate) fn with_knowledge<T>(use_it: impl FnOnce(&Knowledge) -> T) -> T {
    KNOWLEDGE.with_borrow_mut(|knowledge| {
        if knowledge.bytes() > MOST_KNOWN {
            *knowledge = Knowledge::default();
        }
        use_it(knowledge)
    })
}

/// The answer about a position, and what came of the searches. A small position is searched under these conventions as
/// far as `control` allows.
///
/// # Errors
/// There is not enough memory.
pub(crate) fn answer(
    knowledge: &Knowledge,
    game: &dyn Game,
    position: &Position,
    plays: &[Play],
    control: &Control,
) -> io::Result<(Answer, Searched)> {
    let asking = Asking {
        knowledge,
        control,
        searched: Cell::new(Searched::No),
    };
    let answer = sproutnet_query::answer(&asking, game, position, plays)?;
    Ok((answer, asking.searched.get()))
}

/// The moves of a position with this answer, those that win under the first of the conventions first. Small positions
/// after a move are searched under these conventions as far as `control` allows.
///
/// # Errors
/// There are too many moves to list, or there is not enough memory.
pub(crate) fn moves(
    knowledge: &Knowledge,
    game: &dyn Game,
    position: &Position,
    answer: &Answer,
    plays: &[Play],
    control: &Control,
) -> Result<Vec<Verdict>, MovesError> {
    let known = knowledge.of(game);
    let options = options(known, position)?;
    for &play in plays {
        // All moves of a lost position lose.
        if answer.standing(play).outcome != Known::Loss {
            for option in small(known, &options) {
                if control.must_stop() {
                    break;
                }
                solve_within(known, option, play, control)?;
            }
        }
    }
    Ok(sorted_moves(known, &options, answer, plays[0]))
}

/// The small positions among these options, those with the fewest moves left first.
pub(crate) fn small<'o>(
    known: &GameKnowledge,
    options: &'o BTreeSet<Position>,
) -> Vec<&'o Position> {
    let mut small: Vec<&Position> = options.iter().collect();
    small.retain(|option| is_small(known, option));
    small.sort_by_cached_key(|option| known.game().max_moves_of(option));
    small
}

/// One query.
struct Asking<'a> {
    knowledge: &'a Knowledge,
    control: &'a Control,
    /// What came of the searches so far.
    searched: Cell<Searched>,
}

impl Asking<'_> {
    fn note(&self, searched: Searched) {
        self.searched.set(self.searched.get().max(searched));
    }

    /// Notes what came of a search.
    fn note_end<T>(&self, found: Option<T>) -> Option<T> {
        self.note(match found {
            Some(_) => Searched::Yes,
            None => Searched::OutOfTime,
        });
        found
    }
}

impl Sources for Asking<'_> {
    type Error = io::Error;

    fn known(&self, game: &dyn Game) -> &GameKnowledge {
        self.knowledge.of(game)
    }

    fn standing(
        &self,
        game: &dyn Game,
        position: &Position,
        play: Play,
        seen: Known,
    ) -> io::Result<(Standing, Option<u32>)> {
        let standing = match seen.outcome() {
            Some(outcome) => derived(self.known(game), position, play, outcome),
            None => published(game, position, play).unwrap_or_else(|| Standing::open(None)),
        };
        Ok((standing, None))
    }

    fn solve(
        &self,
        known: &GameKnowledge,
        position: &Position,
        play: Play,
    ) -> io::Result<Option<Outcome>> {
        if !is_small(known, position) {
            self.note(Searched::TooLarge);
            return Ok(None);
        }
        let found = solve_within(known, position, play, self.control)?;
        Ok(self.note_end(found))
    }

    fn nimber(&self, known: &GameKnowledge, position: &Position) -> io::Result<Option<u32>> {
        if !is_small(known, position) {
            return Ok(None);
        }
        let found = nimber_within(known, position, self.control)?;
        Ok(self.note_end(found))
    }
}
