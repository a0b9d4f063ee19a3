//! Playing against the solver.

use sproutnet_common::answer::Answer;

/// Whether a position is one that can be played on a page.
pub(super) fn can_be_played(answer: &Answer) -> bool {
    answer.game == "sprouts" && (1..=36).contains(&answer.most_moves)
}
