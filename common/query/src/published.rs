//! The outcomes that were published, and those that certificates of the atlas prove.

use std::collections::HashMap;
use std::sync::LazyLock;

use sproutnet_game::{Game, Position, Sprouts};
use sproutnet_model::{Proof, Source, Standing, proofs, published as published_starts};
use sproutnet_solver::play::{Outcome, Play};

use super::table::start_size;

/// The standing of a position of Sprouts by the atlas or, for a start position, by publications. A certificate also
/// tells the outcome after the winning move that it proves.
pub fn published(game: &dyn Game, position: &Position, play: Play) -> Option<Standing> {
    if game.name() != Sprouts.name() {
        return None;
    }
    let canonical = game.print(position);
    let certified = |proof: &&Proof| (proof.position, proof.play) == (canonical.as_str(), play);
    let (outcome, source, citation) = if let Some(proof) = proofs().iter().find(certified) {
        (proof.outcome, Source::Atlas, proof.citation())
    } else if let Some((proof, _)) = AFTER.get(&(canonical.clone(), play)) {
        (Outcome::Loss, Source::Atlas, proof.citation())
    } else {
        let spots = start_size(game.name(), &canonical)?;
        let known = published_starts(play).find(|known| known.spots == spots)?;
        (known.outcome, Source::Literature, known.citation)
    };
    Some(Standing {
        citation: Some(citation.to_owned()),
        ..Standing::known(Some(outcome), source)
    })
}

/// The position after the winning move that a certificate of the atlas proves, if there is one for this position.
pub(super) fn winning_move(
    game: &dyn Game,
    canonical: &str,
    play: Play,
) -> Option<&'static Position> {
    if game.name() != Sprouts.name() {
        return None;
    }
    let of_this = |proof: &Proof| (proof.position, proof.play) == (canonical, play);
    let mut after = AFTER.values();
    let (_, position) = after.find(|(proof, _)| of_this(proof))?;
    Some(position)
}

/// A certificate, and the position after the winning move that it proves.
type After = (&'static Proof, Position);

/// The positions after the winning moves of the atlas, by their canonical texts. The player to move there loses.
static AFTER: LazyLock<HashMap<(String, Play), After>> = LazyLock::new(|| {
    let after = proofs().iter().filter_map(|proof| {
        let position = Sprouts.parse(proof.winning_move?).ok()?;
        Some(((Sprouts.print(&position), proof.play), (proof, position)))
    });
    after.collect()
});

#[cfg(test)]
mod tests;
