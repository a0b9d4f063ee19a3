//! The answer about a position: its outcomes, its nimber, and the verdicts on its lands.

use sproutnet_game::{Game, Position};
use sproutnet_model::{Answer, Known, Source, Standing, Verdict};
use sproutnet_solver::play::{GameKnowledge, Outcome, Play};

use super::derived::derived;
use super::outcome::is_small;
use super::sum::sum;
use super::verdict::{nimber_of, verdict};

/// What answers are made from: facts, and searches within the limits of one client.
pub trait Sources {
    /// Why there is no answer.
    type Error;

    /// The known facts about positions of a game.
    fn known(&self, game: &dyn Game) -> &GameKnowledge;

    /// The standing of a position under one convention without a search, with its nimber if that is stored. `seen` is
    /// the outcome that follows from the known facts.
    ///
    /// # Errors
    /// The sources cannot be read.
    fn standing(
        &self,
        game: &dyn Game,
        position: &Position,
        play: Play,
        seen: Known,
    ) -> Result<(Standing, Option<u32>), Self::Error>;

    /// The outcome of a small position by search, or of a large one by theory. What the search proves becomes known.
    ///
    /// # Errors
    /// No search could be made.
    fn solve(
        &self,
        known: &GameKnowledge,
        position: &Position,
        play: Play,
    ) -> Result<Option<Outcome>, Self::Error>;

    /// The nimber of a small position by search. What the search proves becomes known.
    ///
    /// # Errors
    /// No search could be made.
    fn nimber(
        &self,
        known: &GameKnowledge,
        position: &Position,
    ) -> Result<Option<u32>, Self::Error>;
}

/// The answer about a position. What is not known is searched only under the given conventions. The same holds for its
/// lands.
///
/// # Errors
/// Those of the sources.
pub fn answer<S: Sources>(
    sources: &S,
    game: &dyn Game,
    position: &Position,
    plays: &[Play],
) -> Result<Answer, S::Error> {
    let known = sources.known(game);
    let mut seen = verdict(known, position);
    let (mut normal, of_result) = sources.standing(game, position, Play::Normal, seen.normal)?;
    let (mut misere, _) = sources.standing(game, position, Play::Misere, seen.misere)?;
    for (play, standing) in [(Play::Normal, &mut normal), (Play::Misere, &mut misere)] {
        if plays.contains(&play)
            && !standing.is_proved()
            && let Some(outcome) = sources.solve(known, position, play)?
        {
            *standing = if is_small(known, position) {
                Standing::known(Some(outcome), Source::Search)
            } else {
                derived(known, position, play, outcome)
            };
            seen = verdict(known, position);
        }
    }
    let lands = lands(sources, game, position, plays)?;
    let mut nimber = seen.nimber.or(of_result);
    if !game.is_partizan() {
        let of_sum = sum(&lands);
        if normal.outcome.outcome().is_none()
            && let Some((standing, of_sum)) = &of_sum
        {
            normal = Standing {
                computation: normal.computation,
                ..standing.clone()
            };
            nimber = nimber.or(*of_sum);
        }
        nimber = nimber.or_else(|| nimber_of(normal.outcome));
        if nimber.is_none() && plays.contains(&Play::Normal) {
            nimber = match of_sum.and_then(|(_, nimber)| nimber) {
                Some(nimber) => Some(nimber),
                None => sources.nimber(known, position)?,
            };
        }
    }
    Ok(Answer {
        canonical: seen.canonical,
        game: game.name().to_owned(),
        most_moves: game.max_moves_of(position),
        normal,
        misere,
        nimber,
        genus: seen.genus,
        lands: lands.into_iter().map(|(verdict, _)| verdict).collect(),
    })
}

/// The verdicts on the lands of a sum, each with its standing under normal play. None for a single land.
fn lands<S: Sources>(
    sources: &S,
    game: &dyn Game,
    position: &Position,
    plays: &[Play],
) -> Result<Vec<(Verdict, Standing)>, S::Error> {
    let [_, _, ..] = position.lands() else {
        return Ok(Vec::new());
    };
    let each = position.lands().iter().map(|land| {
        // A land of a sum across games belongs to one of them.
        let part = game.part(land);
        let (game, land) = match &part {
            Some((game, land)) => (&**game, land),
            None => (game, land),
        };
        of_land(sources, game, &Position::new(vec![land.clone()]), plays)
    });
    each.collect()
}

fn of_land<S: Sources>(
    sources: &S,
    game: &dyn Game,
    land: &Position,
    plays: &[Play],
) -> Result<(Verdict, Standing), S::Error> {
    let known = sources.known(game);
    let mut seen = verdict(known, land);
    let mut has_found = false;
    for &play in plays {
        has_found |=
            seen.outcome(play) == Known::Unknown && sources.solve(known, land, play)?.is_some();
    }
    if has_found {
        seen = verdict(known, land);
    }
    if game.is_partizan() {
        return Ok((seen, Standing::open(None)));
    }
    let (mut standing, of_result) = sources.standing(game, land, Play::Normal, seen.normal)?;
    seen.nimber = seen
        .nimber
        .or(of_result)
        .or_else(|| nimber_of(standing.outcome));
    if seen.nimber.is_none() && plays.contains(&Play::Normal) {
        seen.nimber = sources.nimber(known, land)?;
        if let Some(nimber) = seen.nimber {
            standing = Standing::known(Some(Outcome::win_if(nimber != 0)), Source::Search);
        }
    }
    if standing.outcome.outcome().is_some() {
        seen.normal = standing.outcome;
    }
    Ok((seen, standing))
}
