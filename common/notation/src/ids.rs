//! Identifiers. Each kind has its own type, so that they are not confused.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($number:ty)) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub $number);

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

        impl From<$number> for $name {
            fn from(number: $number) -> Self {
                Self(number)
            }
        }

        impl From<$name> for $number {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    };
}

id! {
    /// A computation of a coordinator. Numbers start at 1.
    ComputationId(u64)
}

id! {
    /// A worker process, from its registration until the coordinator forgets it.
    WorkerId(u64)
}

id! {
    /// The lease of a job to a worker.
    LeaseId(u64)
}

id! {
    /// The source of a record: the coordinator itself, or a worker by its name.
    SourceId(u32)
}

impl SourceId {
    /// The coordinator itself.
    pub const OWN: Self = Self(0);
}

id! {
    /// The number of revocations in a store. Facts of one epoch are not used in the next.
    Epoch(u64)
}

/// The byte that identifies a game in the keys of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameCode(pub u8);
