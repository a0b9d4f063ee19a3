//! Identifiers. Each kind has its own type, so that they cannot be mixed up.

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
    /// A computation of a coordinator. Numbers start at 1.
    ComputationId
}

id! {
    /// A worker process, from its registration until the coordinator forgets it.
    WorkerId
}

id! {
    /// The lease of a job to a worker.
    LeaseId
}

id! {
    /// The source of a record: the coordinator itself, or a worker by its name.
    SourceId
}

id! {
    /// How many times records were revoked in a store. Facts of one epoch are not used in the next.
    Epoch
}

/// The byte that identifies a game in the keys of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameCode(pub u8);
