//! Numbers that identify things, each a type of its own, so that they cannot be exchanged.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<Self, ParseIntError> {
                text.parse().map(Self)
            }
        }

        impl From<u64> for $name {
            fn from(number: u64) -> Self {
                Self(number)
            }
        }

        impl From<$name> for u64 {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    };
}

id! {
    /// A computation of a coordinator, numbered from 1.
    ComputationId
}

id! {
    /// A worker process, from its registration until the coordinator forgets it.
    WorkerId
}

id! {
    /// A job that is leased to a worker.
    LeaseId
}

id! {
    /// Whoever proved a record: the coordinator itself, or a worker by its name.
    SourceId
}

id! {
    /// How often records were revoked in a store. What was known in one epoch is not used in the next.
    Epoch
}

/// The byte that stands for a game in the keys of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameCode(pub u8);
