//! Proof-number search over the states of any [`Convention`](crate::play::Convention).
//!
//! - [`table`]: the transposition table, bounded in bytes.
//! - [`steering`]: the guidance of a search, which can be switched off.
//! - [`control`]: the limits of a search.
//! - [`dfpn`]: depth-first proof-number search, by one thread.
//! - [`threads`]: a search by one thread or several, which spread out by [`virtual_loss`].
//! - [`shared`]: the exchange between the searches of a fleet.
//! - [`descent`]: the choice of jobs by a coordinator.
//! - [`audit`]: proving records again.

mod audit;
mod control;
mod descent;
mod dfpn;
mod shared;
mod steering;
mod table;
mod threads;
mod virtual_loss;

pub use sproutnet_notation::{Entry, Numbers, Place};

pub use audit::{AuditVerdict, Auditor, Size};
pub use control::Control;
pub use descent::{Branch, Branches, Descent, Found, Job, JobId};
pub use dfpn::{Children, children, numbers_of};
pub use shared::{Entries, News, Teamwork};
pub use table::Table;
pub use threads::{Group, Means, Search};
pub use virtual_loss::Team;
