//! Results of whole computations.

use serde::{Deserialize, Serialize};

use sproutnet_game as game;
use sproutnet_record::ResultRefused;
use sproutnet_solver::play::{Outcome, Play};

/// Where an outcome comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Found by the search just made.
    Search,
    /// Kept in the store as the result of an earlier search.
    Store,
    /// It follows from what was proved earlier, or is so small that it is seen at sight.
    Derived,
    /// Published by others.
    Literature,
}

impl Source {
    /// The name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Store => "store",
            Self::Derived => "derived",
            Self::Literature => "literature",
        }
    }
}

/// A position that a computation solved, as kept in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// The game's name.
    pub game: String,
    /// The position's canonical text.
    pub position: String,
    /// The convention.
    pub play: Play,
    /// Who wins, seen from the player to move.
    pub outcome: Outcome,
    /// The nimber, where it is known.
    pub nimber: Option<u32>,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Lands whose options were generated.
    pub expansions: u64,
    /// Records added to the store.
    pub records: u64,
    /// When it was solved, in seconds since 1970 (UTC).
    pub solved_at: u64,
    /// The number of the computation that found it, if that was kept.
    #[serde(default)]
    pub computation: Option<u64>,
}

impl Solved {
    /// The name under which a result is kept, unique for game, convention and position.
    pub fn name(game: &str, play: Play, canonical: &str) -> String {
        format!("{}{play}/{canonical}", Self::prefix(game))
    }

    /// What the names of all results of a game start with.
    pub fn prefix(game: &str) -> String {
        format!("result/{game}/")
    }

    /// What becomes of a result that comes from another store, as documents: the one to keep in place
    /// of what is known, if any.
    ///
    /// # Errors
    /// It is no result of that name, or contradicts the one that is known.
    pub fn arrived(
        name: &str,
        known: Option<&[u8]>,
        new: &[u8],
    ) -> Result<Option<Vec<u8>>, ResultRefused> {
        let malformed = ResultRefused::Malformed;
        let arrived = Self::read(name, new).map_err(malformed)?;
        if let Some(known) = known {
            let known = Self::read(name, known)
                .map_err(|problem| malformed(format!("what is known already: {problem}")))?;
            let nimbers = known.nimber.zip(arrived.nimber);
            if known.outcome != arrived.outcome || nimbers.is_some_and(|(a, b)| a != b) {
                return Err(ResultRefused::Contradiction {
                    known: (known.value(), known.told()),
                    new: (arrived.value(), arrived.told()),
                });
            }
            if known.nimber.is_some() || arrived.nimber.is_none() {
                return Ok(None);
            }
        }
        // Computations here have other numbers.
        let kept = Self {
            computation: None,
            ..arrived
        };
        let bytes = serde_json::to_vec(&kept).map_err(|error| malformed(error.to_string()))?;
        Ok(Some(bytes))
    }

    /// Reads a document of that name.
    ///
    /// # Errors
    /// It is no result of that name, which is told.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, String> {
        let solved: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let Self {
            game,
            position,
            play,
            outcome,
            nimber,
            ..
        } = &solved;
        if Self::name(game, *play, position) != name {
            return Err(format!("it is about {position} {play}"));
        }
        let rules = game::by_name(game).ok_or_else(|| format!("there is no game {game}"))?;
        let read = rules.parse(position).map_err(|error| error.to_string())?;
        if rules.print(&read) != *position {
            return Err(format!("{position} is not in canonical form"));
        }
        let is_possible = match (play, nimber) {
            (Play::Normal, Some(nimber)) => Outcome::win_if(*nimber != 0) == *outcome,
            (Play::Misere, Some(_)) => false,
            (_, None) => true,
        };
        match is_possible {
            true => Ok(solved),
            false => Err(format!("{} cannot be", solved.told())),
        }
    }

    /// The value of a record that would say the same.
    fn value(&self) -> u64 {
        match (self.play, self.nimber, self.outcome) {
            (Play::Normal, Some(nimber), _) => 2 * u64::from(nimber) + 1,
            (Play::Normal, None, Outcome::Loss) | (Play::Misere, _, Outcome::Win) => 1,
            (Play::Normal, None, Outcome::Win) => 2,
            (Play::Misere, _, Outcome::Loss) => 0,
        }
    }

    fn told(&self) -> String {
        match self.nimber {
            Some(nimber) => format!("{}, nimber {nimber}", self.outcome),
            None => self.outcome.to_string(),
        }
    }
}
