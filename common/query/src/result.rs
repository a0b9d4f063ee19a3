//! Results of computations, as documents of a store.

use sproutnet_game as game;
use sproutnet_model::Solved;
use sproutnet_notation::{Outcome, Play};
use sproutnet_record::{Fact, Nimbers, ResultRefused};

/// Merges a result from another store with the known one, both as documents. Returns the document that replaces
/// the known one, if any.
///
/// # Errors
/// A document is not a result with this name, or the results contradict each other.
pub fn merge_result(
    name: &str,
    known: Option<&[u8]>,
    new: &[u8],
) -> Result<Option<Vec<u8>>, ResultRefused> {
    let malformed = ResultRefused::Malformed;
    let arrived = read_result(name, new).map_err(malformed)?;
    if let Some(known) = known {
        let known = read_result(name, known)
            .map_err(|problem| malformed(format!("the known result: {problem}")))?;
        let nimbers = known.nimber.zip(arrived.nimber);
        if known.outcome != arrived.outcome || nimbers.is_some_and(|(a, b)| a != b) {
            return Err(ResultRefused::Contradiction {
                known: (value(&known), in_words(&known)),
                new: (value(&arrived), in_words(&arrived)),
            });
        }
        if known.nimber.is_some() || arrived.nimber.is_none() {
            return Ok(None);
        }
    }
    // The number of the computation is valid only in the other store.
    let kept = Solved {
        computation: None,
        ..arrived
    };
    let bytes = serde_json::to_vec(&kept).map_err(|error| malformed(error.to_string()))?;
    Ok(Some(bytes))
}

/// Reads the document with a name.
///
/// # Errors
/// The reason why the document is not a result with this name.
pub fn read_result(name: &str, bytes: &[u8]) -> Result<Solved, String> {
    let solved: Solved = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let (game, position, play) = (&solved.game, &solved.position, solved.play);
    if Solved::name(game, play, position) != name {
        return Err(format!("it is about {position} {play}"));
    }
    let rules = game::by_name(game).ok_or_else(|| format!("there is no game {game}"))?;
    let read = rules.parse(position).map_err(|error| error.to_string())?;
    if rules.print(&read) != *position {
        return Err(format!("{position} is not in canonical form"));
    }
    let is_possible = match (play, solved.nimber) {
        (Play::Normal, Some(nimber)) => Outcome::win_if(nimber != 0) == solved.outcome,
        (Play::Misere, Some(_)) => false,
        (_, None) => true,
    };
    if is_possible {
        Ok(solved)
    } else {
        Err(format!("{} is impossible", in_words(&solved)))
    }
}

/// The value of the record with the same content.
fn value(solved: &Solved) -> u64 {
    let fact = match (solved.play, solved.nimber, solved.outcome) {
        (Play::Normal, Some(nimber), _) => Fact::Nimber(u64::from(nimber)),
        (Play::Normal, None, Outcome::Loss) => Fact::Nimber(0),
        (Play::Normal, None, Outcome::Win) => Fact::Excluded(Nimbers::only(0)),
        (Play::Misere, _, outcome) => outcome.into(),
    };
    fact.value()
}

fn in_words(solved: &Solved) -> String {
    match solved.nimber {
        Some(nimber) => format!("{}, nimber {nimber}", solved.outcome),
        None => solved.outcome.to_string(),
    }
}
