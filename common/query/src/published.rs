//! The outcomes that were published.

use sproutnet_game::{Game, Position};
use sproutnet_model::{Known, Proof, Source, Standing, proofs, published as published_starts};
use sproutnet_solver::play::Play;

use super::table::start_size;

/// The standing of a position of Sprouts by the atlas or, for a start position, by publications.
pub fn published(game: &dyn Game, position: &Position, play: Play) -> Option<Standing> {
    if game.name() != "sprouts" {
        return None;
    }
    let canonical = game.print(position);
    let is_it = |proof: &&Proof| (proof.position, proof.play) == (canonical.as_str(), play);
    let (outcome, source, citation) = match proofs().iter().find(is_it) {
        Some(proof) => (proof.outcome, Source::Atlas, proof.citation()),
        None => {
            let spots = start_size("sprouts", &canonical)?;
            let known = published_starts(play).find(|known| known.spots == spots)?;
            (known.outcome, Source::Literature, known.citation)
        }
    };
    Some(Standing {
        citation: Some(citation.to_owned()),
        ..Standing::known(Known::from(Some(outcome)), source)
    })
}

#[cfg(test)]
mod tests;
