//! Whether the coordinator can do its work.

use sproutnet_system::disk::DiskFull;

/// Whether the coordinator can do its work. It answers questions in any case.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub enum Health {
    /// The coordinator can do its work.
    #[default]
    #[error("ok")]
    Well,
    /// It writes nothing and hands out no jobs until there is room on the disk of the store.
    #[error(transparent)]
    DiskFull(#[from] DiskFull),
    /// A write failed. Nothing can be written until the store is opened again, by another process.
    #[error("the store failed: {why}")]
    StoreFailed {
        /// The error.
        why: String,
        /// Whether the disk was full.
        is_disk_full: bool,
    },
}

impl Health {
    /// Whether the coordinator can do its work.
    pub fn is_well(&self) -> bool {
        *self == Self::Well
    }

    /// Whether it cannot because the disk of the store is full.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::Well => false,
            Self::DiskFull(_) => true,
            Self::StoreFailed { is_disk_full, .. } => *is_disk_full,
        }
    }
}
