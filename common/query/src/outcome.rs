//! The outcome of a position: a known one, one that follows from its options, or the result of searching a small
//! position.

use std::io;
use std::ops::ControlFlow;
use std::time::Instant;

use sproutnet_game::Position;
use sproutnet_solver::play::{
    Convention, GameKnowledge, Outcome, Play, ProvedOutcomes, Rules, State,
};
use sproutnet_solver::search::{Control, Search, Table};
use sproutnet_solver::theory::{self, Told, quotient::Effort};

/// The maximum number of moves left in a small position. `0*12` has 35.
pub const MAX_MOVES_OF_SMALL: u32 = 35;

/// The size of a search table in bytes. Memory is taken only as the table fills.
const TABLE: usize = 64 << 20;

/// The maximum sum of the moves left in the positions that are looked at for one answer. It bounds the time: with more
/// moves left, finding options takes longer.
const MOST_LOOKED_AT: u32 = 50_000;

/// The cost of starting on the options of a position, as a number of looks.
const TO_BEGIN: u32 = 10;

/// The known outcome of a position, without a look at its options.
pub(super) fn resolved(known: &GameKnowledge, position: &Position, play: Play) -> Option<Outcome> {
    match play {
        Play::Normal => known.normal.resolve(&mut known.normal.state(position)),
        Play::Misere => known.misere.resolve(&mut known.misere.state(position)),
    }
}

/// Looks at the options of positions to derive outcomes. The results are not kept.
pub(super) struct Looks {
    /// The remaining sum of the moves left in positions to look at.
    left: u32,
}

impl Default for Looks {
    fn default() -> Self {
        Self {
            left: MOST_LOOKED_AT,
        }
    }
}

impl Looks {
    /// The outcome of a position: a known one, that of theory, or the one that follows from the known outcomes of its
    /// options. It is won if an option is lost, and lost if all options are won.
    pub(super) fn outcome(
        &mut self,
        known: &GameKnowledge,
        position: &Position,
        play: Play,
    ) -> Option<Outcome> {
        if let Some(outcome) = self.at_once(known, position, play) {
            return Some(outcome);
        }
        if !self.may_look(known, position, TO_BEGIN) {
            return None;
        }
        let mut follows = Some(Outcome::Loss);
        let _ = known.lands.moves(position, &mut |option| {
            if !self.may_look(known, &option, 1) {
                follows = None;
                return ControlFlow::Break(());
            }
            match resolved(known, &option, play) {
                Some(Outcome::Loss) => {
                    follows = Some(Outcome::Win);
                    return ControlFlow::Break(());
                }
                Some(Outcome::Win) => {}
                None => follows = None,
            }
            ControlFlow::Continue(())
        });
        follows
    }

    /// The known outcome of a position, or that of theory.
    pub(super) fn at_once(
        &mut self,
        known: &GameKnowledge,
        position: &Position,
        play: Play,
    ) -> Option<Outcome> {
        resolved(known, position, play).or_else(|| self.theory(known, position, play))
    }

    /// The outcome by theory. That takes about as long as a look, but for the first heap of a game.
    fn theory(
        &mut self,
        known: &GameKnowledge,
        position: &Position,
        play: Play,
    ) -> Option<Outcome> {
        let game = known.game().as_ref();
        let may_tell = match play {
            Play::Normal if game.switching(position).is_some() => self.may_look(known, position, 1),
            Play::Normal | Play::Misere => true,
        };
        let told = may_tell.then(|| theory::told(game, position, play, Effort::Look))?;
        told.map(|told| told.outcome)
    }

    /// Whether a position may still be looked at this many times. If not, no further looks are allowed.
    fn may_look(&mut self, known: &GameKnowledge, position: &Position, times: u32) -> bool {
        let moves = known.game().max_moves_of(position).saturating_add(1);
        let left = self.left.checked_sub(moves.saturating_mul(times));
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

/// Whether a position is small enough to be searched while the client waits.
pub fn is_small(known: &GameKnowledge, position: &Position) -> bool {
    known.game().max_moves_of(position) <= MAX_MOVES_OF_SMALL
}

/// What theory tells of a large position, or at sight of any. That may take a second or two the first time; the caller
/// waits until the deadline. Other small positions are searched instead, which gives records.
pub fn told_by_theory(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    deadline: Instant,
) -> Option<Told> {
    if is_small(known, position) {
        return theory::told_at_sight(&**known.game(), position, play);
    }
    theory::told(&**known.game(), position, play, Effort::Find(deadline))
}

/// The outcome of a position: from knowledge, or by a search with one thread until the deadline. The facts that the
/// search proves are kept.
///
/// # Errors
/// A thread cannot be started, or there is not enough memory.
pub fn solve_small(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    deadline: Instant,
) -> io::Result<Option<Outcome>> {
    solve_within(known, position, play, &Control::until(Some(deadline)))
}

/// Like [`solve_small`], within the limits of `control`.
///
/// # Errors
/// As for [`solve_small`].
pub fn solve_within(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    control: &Control,
) -> io::Result<Option<Outcome>> {
    let (normal, misere) = (&*known.normal, &*known.misere);
    match play {
        Play::Normal => solve(normal, normal.state(position), control),
        Play::Misere => solve(misere, misere.state(position), control),
    }
}

/// The nimber of a small position, as by [`solve_small`]: the least one beside which the position is lost.
///
/// # Errors
/// As for [`solve_small`].
pub fn nimber_of_small(
    known: &GameKnowledge,
    position: &Position,
    deadline: Instant,
) -> io::Result<Option<u32>> {
    nimber_within(known, position, &Control::until(Some(deadline)))
}

/// Like [`nimber_of_small`], within the limits of `control`.
///
/// # Errors
/// As for [`solve_small`].
pub fn nimber_within(
    known: &GameKnowledge,
    position: &Position,
    control: &Control,
) -> io::Result<Option<u32>> {
    for nimber in 0..=known.game().max_moves_of(position) {
        let mut state = known.normal.state(position);
        state.value ^= nimber;
        match solve(&*known.normal, state, control)? {
            Some(Outcome::Win) => {}
            outcome => return Ok(outcome.map(|_| nimber)),
        }
    }
    Ok(None)
}

/// The misère nimber of a small position, as by [`solve_small`]: the size of the heap beside which the position is lost
/// under misère play.
///
/// # Errors
/// As for [`solve_small`].
pub fn misere_nimber_of_small(
    known: &GameKnowledge,
    position: &Position,
    deadline: Instant,
) -> io::Result<Option<u32>> {
    let misere = &*known.misere;
    let trees = misere.bags().trees();
    let control = Control::until(Some(deadline));
    // A position without moves has the misère nimber 1.
    for nimber in 0..=known.game().max_moves_of(position).max(1) {
        let mut state = misere.state(position);
        state.value = misere.bags().add(state.value, trees.heap(nimber));
        match solve(misere, state, &control)? {
            Some(Outcome::Win) => {}
            outcome => return Ok(outcome.map(|_| nimber)),
        }
    }
    Ok(None)
}

fn solve<C: Convention>(
    convention: &C,
    mut state: State<C::Value>,
    control: &Control,
) -> io::Result<Option<Outcome>> {
    if let Some(outcome) = convention.resolve(&mut state) {
        return Ok(Some(outcome));
    }
    let table = Table::new(TABLE).ok_or(io::ErrorKind::OutOfMemory)?;
    let search = Search::new(convention, &table, control);
    let outcome = search.run_on(1, &state)?.outcome();
    if convention.contradiction().is_some() {
        return Ok(None);
    }
    if let Some(outcome) = outcome {
        convention.resolve(&mut state);
        convention.settle(&state, outcome);
    }
    Ok(outcome)
}
