//! Published outcomes of start positions of Sprouts.

use sproutnet_notation::{Outcome, Play};

const NORMAL: &str = include_str!("normal_outcomes.tsv");
const MISERE: &str = include_str!("misere_outcomes.tsv");

/// The source of the outcomes under misère play.
const MISERE_CITATION: &str = "OEIS A164950";

/// A published outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The number of spots.
    pub spots: u32,
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// The publication.
    pub citation: &'static str,
}

/// All outcomes published for a convention, by number of spots.
pub fn published(play: Play) -> impl Iterator<Item = Published> {
    let (text, citation) = match play {
        Play::Normal => (NORMAL, None),
        Play::Misere => (MISERE, Some(MISERE_CITATION)),
    };
    text.lines().filter_map(move |line| {
        let mut fields = line.split('\t');
        let spots = fields.next()?.parse().ok()?;
        let outcome = match fields.next()? {
            "win" => Outcome::Win,
            "loss" => Outcome::Loss,
            _ => return None,
        };
        let citation = citation.or_else(|| fields.next())?;
        Some(Published {
            spots,
            outcome,
            citation,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_published_outcomes_are_read() {
        assert_eq!(published(Play::Normal).count(), 90);
        assert_eq!(published(Play::Misere).count(), 21);
        let last = published(Play::Normal).last().expect("some");
        assert_eq!(
            (last.spots, last.outcome, last.citation),
            (104, Outcome::Loss, "SPOTS 2025")
        );
        // Unknown in the publication.
        assert!(!published(Play::Normal).any(|known| known.spots == 63));
    }
}
