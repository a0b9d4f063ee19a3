//! The standing of an outcome that follows from what is known.

use std::ops::ControlFlow;

use super::outcome::resolved;
use sproutnet_game::Position;
use sproutnet_model::{Basis, Source, Standing};
use sproutnet_solver::play::{GameKnowledge, Outcome, Play};
use sproutnet_solver::theory::{self, Theorem, quotient::Effort};

/// The maximum number of moves left in a position whose options are looked at for the reason of its outcome.
const FEW_MOVES: u32 = 16;

/// The standing of an outcome that follows from what is known, with the theorem if theory gives the same outcome.
pub fn derived(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    outcome: Outcome,
) -> Standing {
    let told = theory::told(&**known.game(), position, play, Effort::Look);
    let theorem = told.filter(|told| told.outcome == outcome);
    let theorem = theorem.map(|told| told.theorem);
    let basis = match theorem {
        Some(theorem) => basis_of(theorem),
        None if is_played_out(known, position, play) => Basis::PlayedOut,
        None if has_lost_option(known, position, play, outcome) => Basis::Search,
        None => Basis::Records,
    };
    Standing {
        basis: Some(basis),
        citation: theorem.map(|theorem| theorem.to_string()),
        ..Standing::known(Some(outcome), Source::Derived)
    }
}

fn basis_of(theorem: Theorem) -> Basis {
    match theorem {
        Theorem::Lehman
        | Theorem::Bouton
        | Theorem::Formula
        | Theorem::Symmetry
        | Theorem::Parity => Basis::Theorem,
        Theorem::Heaps => Basis::Sequence,
        Theorem::Period(_) | Theorem::ArithmeticPeriod { .. } => Basis::Period,
        Theorem::Quotient(_) => Basis::Quotient,
    }
}

/// Whether the outcome is a win that follows from one option, which is lost without records.
fn has_lost_option(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    outcome: Outcome,
) -> bool {
    if outcome == Outcome::Loss || known.game().max_moves_of(position) > FEW_MOVES {
        return false;
    }
    let end = known.lands.moves(position, &mut |option| {
        let is_lost = known.is_played_out(play, &option)
            && resolved(known, &option, play) == Some(Outcome::Loss);
        if is_lost {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    end.is_break()
}

/// Whether the outcome of a position follows without records, from its lands or from those of its options.
fn is_played_out(known: &GameKnowledge, position: &Position, play: Play) -> bool {
    if known.is_played_out(play, position) {
        return true;
    }
    if known.game().max_moves_of(position) > FEW_MOVES {
        return false;
    }
    let end = known.lands.moves(position, &mut |option| {
        if known.is_played_out(play, &option) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    end.is_continue()
}
