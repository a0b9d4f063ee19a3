//! How often the solver moves at random, and its random choices. They follow from the address alone, so that the same
//! lines get the same replies.

use std::fmt::{self, Display, Formatter};

use serde::Deserialize;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// How often the solver moves at random. Its other moves are the best that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Perfect,
    /// One move in four, on average.
    Quarter,
    /// One move in three. New matches are not offered it; addresses may have it.
    Careless,
    /// One move in two.
    Half,
    /// Every move.
    Random,
}

impl Level {
    /// The name in addresses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Perfect => "perfect",
            Self::Quarter => "quarter",
            Self::Careless => "careless",
            Self::Half => "half",
            Self::Random => "random",
        }
    }

    /// What it means, as a sentence.
    pub(crate) fn told(self) -> &'static str {
        match self {
            Self::Perfect => "The solver makes the best moves that it finds.",
            Self::Quarter => "The solver makes about one move in four at random.",
            Self::Careless => "The solver makes about one move in three at random.",
            Self::Half => "The solver makes about every other move at random.",
            Self::Random => "The solver makes every move at random.",
        }
    }

    /// The average number of moves per random move; `None` if no move is random.
    fn moves_per_random_one(self) -> Option<u64> {
        match self {
            Self::Perfect => None,
            Self::Quarter => Some(4),
            Self::Careless => Some(3),
            Self::Half => Some(2),
            Self::Random => Some(1),
        }
    }
}

/// Distinguishes matches in which the same lines are drawn. Addresses without a seed have 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Seed(u32);

impl Seed {
    /// Seeds of new matches are below this, so that addresses stay short.
    const END: u32 = 10_000;

    /// The seed that follows from a random number. It is not 0.
    pub(crate) fn from_random(random: u32) -> Self {
        Self(1 + random % (Self::END - 1))
    }

    /// The seed of the match after this one.
    pub(crate) fn next(self) -> Self {
        Self((self.0 % Self::END + 1) % Self::END)
    }
}

impl TryFrom<String> for Seed {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
            .map(Self)
            .map_err(|_| "a seed is a whole number")
    }
}

/// As in the query of an address: nothing for 0.
impl Display for Seed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            seed => write!(f, "&seed={seed}"),
        }
    }
}

/// The random choices of the solver in a match after some moves.
#[derive(Clone, Copy)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The choices that follow from an address.
    pub(crate) fn at(address: &str) -> Self {
        Self(xxh3_64(address.as_bytes()))
    }

    /// Whether the next move is random.
    pub(crate) fn is_random(self, level: Level) -> bool {
        let per_one = level.moves_per_random_one();
        per_one.is_some_and(|per_one| self.rank("").is_multiple_of(per_one))
    }

    /// One of several texts, each with the same chance. The choice depends neither on their order nor, mostly, on what
    /// others there are: the solver may know more outcomes next time.
    pub(crate) fn choose<'t>(self, texts: impl Iterator<Item = &'t str>) -> Option<String> {
        let first = texts.min_by_key(|text| self.rank(text));
        first.map(str::to_owned)
    }

    /// The place of a text in a random order.
    pub(crate) fn rank(self, text: &str) -> u64 {
        xxh3_64_with_seed(text.as_bytes(), self.0)
    }
}

#[cfg(test)]
mod tests;
