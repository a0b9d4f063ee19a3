//! Who makes a call, and what they may do.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What the holder of a token may do. Every role includes [`Read`](Self::Read).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Ask, list and watch.
    Read,
    /// Also start, pause, resume and cancel computations, and play matches.
    Solve,
    /// Also what workers do: lease jobs and report facts.
    Work,
    /// Everything, such as revoking records.
    Admin,
}

/// Who makes a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The name of the token.
    pub name: Arc<str>,
    /// What they may do.
    pub role: Role,
}

/// The role of a caller does not allow a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this needs a token with the role {needed}; `{}` has the role {}", caller.name, caller.role)]
pub struct Denied {
    caller: Caller,
    needed: Role,
}

/// A text that is not the name of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a role is read, solve, work or admin")]
pub struct NoRole;

/// The name of the caller if there is none: this program itself, or anyone if no token is required.
pub const LOCAL: &str = "local";

/// The name of the token in a file without names.
pub(crate) const UNNAMED: &str = "token";

tokio::task_local! {
    static CALLER: Option<Caller>;
}

impl Role {
    /// Whether the role includes another.
    pub fn includes(self, other: Self) -> bool {
        self == Self::Admin || self == other || other == Self::Read
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Solve => "solve",
            Self::Work => "work",
            Self::Admin => "admin",
        })
    }
}

impl FromStr for Role {
    type Err = NoRole;

    fn from_str(text: &str) -> Result<Self, NoRole> {
        match text {
            "read" => Ok(Self::Read),
            "solve" => Ok(Self::Solve),
            "work" => Ok(Self::Work),
            "admin" => Ok(Self::Admin),
            _ => Err(NoRole),
        }
    }
}

impl Caller {
    /// The name of the token. `None` if its file has no names.
    pub fn token_name(&self) -> Option<&str> {
        Some(&*self.name).filter(|&name| name != UNNAMED)
    }

    /// Checks that the caller has a role.
    ///
    /// # Errors
    /// The caller's role does not include it.
    pub fn needs(&self, needed: Role) -> Result<(), Denied> {
        if self.role.includes(needed) {
            return Ok(());
        }
        let caller = self.clone();
        Err(Denied { caller, needed })
    }
}

/// Runs a future in the name of a caller, or of nobody.
pub async fn in_name_of<F: Future>(caller: Option<Caller>, future: F) -> F::Output {
    CALLER.scope(caller, future).await
}

/// The present caller. `None` for this program itself, and for anyone if no token is required.
pub fn present() -> Option<Caller> {
    CALLER.try_with(Clone::clone).ok().flatten()
}

/// The name of the present caller: that of the token, or `local`.
pub fn name() -> Arc<str> {
    present().map_or_else(|| LOCAL.into(), |caller| caller.name)
}

/// Work for another thread, in the name of the present caller.
pub fn carried<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let caller = present();
    move || CALLER.sync_scope(caller, work)
}
