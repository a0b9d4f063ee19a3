//! Play conventions: the value of a sum of games, and the winner when no move is left.
//!
//! A search state is a sum of unvalued lands, and one value for all other lands. [`Normal`] play values lands by
//! nimbers, [`Misere`] play by reduced canonical trees. The search knows neither; it sees [`Convention`].

mod convention;
mod describe;
mod knowledge;
pub mod misere;
pub mod normal;
mod proved;
mod state;
mod switches;

pub use sproutnet_notation::{Outcome, Play};
use sproutnet_record as record;
pub use sproutnet_record::{
    Archive, Contradiction, Fact, Kind, Record, RecordError, RecordRules, RecordSet, Worth, fact,
    merge, news, subject as record_subject,
};

pub use convention::{
    Convention, Effort, Exchange, Guidance, NimberStep, PartialExpansion, ProvedOutcomes, Rules,
};
pub use describe::Subject;
pub use knowledge::{GameKnowledge, Knowledge};
pub use misere::Misere;
pub use normal::Normal;
pub use proved::LeastWorth;
pub use state::{EncodedLands, State, StateError};
pub use switches::{Switch, SwitchError, Switches};
