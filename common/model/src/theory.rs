//! What theory tells of games of heaps, and which certificates are accepted.

use serde::Serialize;
use sproutnet_notation::{Outcome, Play};

use crate::Searched;

/// A proved period of the nimbers of heaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProvedPeriod {
    /// The smallest heap from which the nimbers repeat.
    pub from: u32,
    /// The length of the period.
    pub length: u32,
    /// What a nimber grows by with each period; 0 if it does not.
    pub saltus: u32,
    /// The largest heap whose nimber the proof compares.
    pub verified_to: u32,
    /// The proof, in a sentence.
    pub proof: String,
}

/// The nimbers of the heaps of a game, or of the positions of a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Nimbers {
    /// The game with its parameters, or the family.
    pub game: String,
    /// The heap, or the N, of the first nimber.
    pub first: u32,
    /// The nimbers, as far as they were found. All of them are proved.
    pub nimbers: Vec<u32>,
    /// The number of nimbers that were computed. Others follow from the period.
    pub computed: usize,
    /// The period of the nimbers; null if none is proved.
    pub period: Option<ProvedPeriod>,
    /// `yes` if all nimbers are there; else why not.
    pub searched: Searched,
    /// Why nimbers are missing, in words; null if all are there.
    pub stopped: Option<String>,
}

/// The misère quotient of a game of heaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Quotient {
    /// Whether it is that of the whole game, not just of the heaps in `values`.
    pub whole_game: bool,
    /// The number of elements.
    pub order: usize,
    /// The generators.
    pub generators: Vec<Generator>,
    /// The relations, which define the monoid together with the generators.
    pub relations: Vec<String>,
    /// The elements in normal form, the identity first.
    pub elements: Vec<String>,
    /// The multiplication table: for each element, its products with all elements, as indices into `elements`.
    pub products: Vec<Vec<u16>>,
    /// The elements that are lost for the player to move.
    pub p_portion: Vec<String>,
    /// The pretending function: the elements of heaps of 0, 1, 2, … tokens.
    pub values: Vec<String>,
    /// The period of the values; null if none is proved.
    pub period: Option<ValuePeriod>,
}

/// A generator, and the smallest heap that has it as its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Generator {
    /// Its letter.
    pub name: String,
    /// The number of tokens.
    pub heap: usize,
}

/// A proved period of the values of heaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValuePeriod {
    /// The smallest heap from which the values repeat.
    pub from: u32,
    /// The length of the period.
    pub length: u32,
    /// The largest heap whose value the proof compares.
    pub verified_to: u32,
}

/// What came of finding the misère quotient of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FoundQuotient {
    /// The game with its parameters.
    pub game: String,
    /// `yes`, or why there is none: `out of time` while it is being found, `busy` while that of another game is. `too
    /// large`: it is infinite or too large to be found; `quotient` is that of smaller heaps.
    pub searched: Searched,
    /// The quotient, of as many heaps as were asked for or more, or of the whole game.
    pub quotient: Option<Quotient>,
    /// Why the quotient is missing or of fewer heaps, in words; null if it is not.
    pub stopped: Option<String>,
}

/// What the checker says of a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckedCertificate {
    /// Whether it is accepted. The other fields are null otherwise, but for `error` and `line`.
    pub verified: bool,
    /// What it is about: `outcome`, `period` or `quotient`.
    pub kind: Option<&'static str>,
    /// The position whose outcome it proves.
    pub position: Option<String>,
    /// The code of the game whose period or quotient it proves.
    pub code: Option<String>,
    /// The convention.
    pub play: Option<Play>,
    /// The outcome for the player to move.
    pub outcome: Option<Outcome>,
    /// What it proves about a game of heaps, such as `period 12 from 71`.
    pub claim: Option<String>,
    /// The number of its facts, or of the heaps whose nimbers or values it states.
    pub facts: Option<u64>,
    /// The program that wrote it.
    pub tool: Option<String>,
    /// Why it is refused.
    pub error: Option<String>,
    /// The line at fault, from 1, of the text of the certificate.
    pub line: Option<u64>,
}
