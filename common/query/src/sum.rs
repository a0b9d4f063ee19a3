//! The standing of a sum by its lands.

use sproutnet_game::{Game, Position};
use sproutnet_model::{Basis, Known, Source, Standing, Verdict};
use sproutnet_solver::play::{Knowledge, Outcome, Play};

use super::derived::derived;
use super::verdict::verdict;

/// The standing of a sum under normal play, and its nimber: the exclusive or of the nimbers of its lands (Sprague 1935,
/// Grundy 1939). `lands` are the verdicts on all its lands, each with its standing under normal play. `None` if they do
/// not tell, or if there is no sum of several lands.
pub fn sum(lands: &[(Verdict, Standing)]) -> Option<(Standing, Option<u32>)> {
    let [_, _, ..] = lands else {
        return None;
    };
    let sum = lands.iter().filter_map(|(verdict, _)| verdict.nimber);
    let sum = sum.fold(0, |sum, nimber| sum ^ nimber);
    let mut without = lands.iter().filter(|(land, _)| land.nimber.is_none());
    let (outcome, nimber) = match (without.next(), without.next()) {
        (None, _) => (Outcome::win_if(sum != 0), Some(sum)),
        // The nimber of a win is not 0.
        (Some((land, _)), None) if land.normal == Known::Win && sum == 0 => (Outcome::Win, None),
        _ => return None,
    };
    let of = |source| {
        let mut standings = lands.iter().map(|(_, standing)| standing);
        standings.any(|standing| standing.source == Some(source))
    };
    // A sum is known as firmly as the least firm of its lands.
    let elsewhere = [Source::Literature, Source::Atlas];
    let source = elsewhere.into_iter().find(|&source| of(source));
    let standing = Standing {
        basis: Some(Basis::Sum),
        citation: Some(cited(lands)),
        ..Standing::known(Some(outcome), source.unwrap_or(Source::Derived))
    };
    Some((standing, nimber))
}

/// The outcome under normal play of a sum across games, and its nimber, if they follow from proved nimbers of its lands.
/// `None` for positions of one game.
pub fn known_sum(
    knowledge: &Knowledge,
    game: &dyn Game,
    position: &Position,
) -> Option<(Outcome, Option<u32>)> {
    let verdicts = position.lands().iter().map(|land| {
        let (game, land) = game.part(land)?;
        let known = knowledge.game(game.name())?;
        let land = Position::new(vec![land]);
        let seen = verdict(known, &land);
        let standing = match seen.normal.outcome() {
            Some(outcome) => derived(known, &land, Play::Normal, outcome),
            None => Standing::open(None),
        };
        Some((seen, standing))
    });
    let lands: Vec<_> = verdicts.collect::<Option<_>>()?;
    let (standing, nimber) = sum(&lands)?;
    Some((standing.outcome.outcome()?, nimber))
}

/// The reason for the outcome of a sum, with the citations of its lands, each once.
fn cited(lands: &[(Verdict, Standing)]) -> String {
    let mut citations: Vec<&str> = Vec::new();
    for (_, standing) in lands {
        let citation = standing.citation.as_deref();
        citations.extend(citation.filter(|citation| !citations.contains(citation)));
    }
    let of_lands = "the nimbers of its lands";
    if citations.is_empty() {
        of_lands.to_owned()
    } else {
        format!("{of_lands} ({})", citations.join("; "))
    }
}

#[cfg(test)]
mod tests;
