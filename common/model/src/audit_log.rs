//! The audit log.

use serde::{Deserialize, Serialize};
use sproutnet_notation::{Outcome, Play};

/// An entry of the audit log: a change, and who made it. Fields that do not belong to the event are null.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct AuditEntry {
    /// Its number: the first entry has 1.
    pub id: u64,
    /// When it was made, in seconds since 1970.
    pub at: u64,
    /// `started`, `joined`, `known`, `paused`, `resumed`, `reweighted`, `cancelled`, `solved`, `marked`, `revoked` or
    /// `quarantined`; later versions may add others.
    pub event: String,
    /// The name of the token; `local` without tokens, and for what the coordinator did by itself.
    pub by: String,
    /// The number of the computation.
    pub computation: Option<u64>,
    /// The position, as text.
    pub position: Option<String>,
    /// The convention.
    pub play: Option<Play>,
    /// The outcome for the player to move: of `solved` and `marked`.
    pub outcome: Option<Outcome>,
    /// The priority of the computation after the change.
    pub priority: Option<i32>,
    /// The weight of the computation after the change.
    pub weight: Option<u32>,
    /// The worker whose records were revoked, if it was one.
    pub source: Option<String>,
    /// The reason of a revocation.
    pub why: Option<String>,
    /// The number of records that were revoked, or that a certificate verifies.
    pub records: Option<u64>,
    /// The number of computations that run again after a revocation.
    pub computations: Option<u64>,
}
