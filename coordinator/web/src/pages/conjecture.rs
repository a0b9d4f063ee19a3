//! What is believed of the start positions: that outcomes repeat every six spots.

use sproutnet_solver::play::{Outcome, Play};

/// After so many spots outcomes repeat.
pub(super) const PERIOD: u32 = 6;

/// Who should win with so many spots: under normal play by Applegate, Jacobson and Sleator (1991), under
/// misère play by Lemoine and Viennot (2009), there but for one and four spots.
pub(super) fn outcome(play: Play, spots: u32) -> Outcome {
    let wins = match play {
        Play::Normal => [3, 4, 5],
        Play::Misere => [0, 4, 5],
    };
    Outcome::win_if(wins.contains(&(spots % PERIOD)))
}

#[cfg(test)]
mod tests {
    use sproutnet_model::published;

    use super::*;

    #[test]
    fn what_was_published_agrees_but_for_two_starts_of_misere_play() {
        let mut exceptions = Vec::new();
        for play in Play::ALL {
            let published = published(play);
            exceptions.extend(
                published
                    .filter(|known| known.outcome != outcome(play, known.spots))
                    .map(|known| (play, known.spots)),
            );
        }
        assert_eq!(exceptions, [(Play::Misere, 1), (Play::Misere, 4)]);
    }
}
