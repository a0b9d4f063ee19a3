//! Exports of the store while it is in use.

use std::io::Write;
use std::ops::ControlFlow;

use sproutnet_solver::play::Play;
use sproutnet_store::{Worth, transfer};

use super::Coordinator;
use crate::{CoordinatorError, seconds_since_1970, with_rules};

/// The memory for sorting an export, in bytes. The records of a larger store are sorted in a temporary file.
const ROOM: usize = 64 << 20;

/// The number of reserves of the disk that this file leaves free. With less than one, nothing could be stored.
const RESERVES: u64 = 2;

impl Coordinator {
    /// Writes the records of these conventions, with their results and sources, as an export. It has all that was
    /// acknowledged before the call. An export that ends with an error has no end and is known to be cut short.
    ///
    /// # Errors
    /// [`CoordinatorError::Stopped`] if `is_stopped`, or if records were revoked and the export has to start over; or the
    /// store or `out` failed, or the disk has no room to sort the records.
    pub fn export(
        &self,
        plays: &[Play],
        out: impl Write,
        is_stopped: impl Fn() -> bool,
    ) -> Result<(), CoordinatorError> {
        let mut watch = |_| {
            if is_stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let space = self.core.ledger.disk_space().unwrap_or_default();
        let keep_free = space.reserve.saturating_mul(RESERVES);
        let written = with_rules(|rules| {
            let export = transfer::Export {
                plays,
                least: Worth::LEAST,
                rules,
                now: seconds_since_1970(),
                room: ROOM,
            };
            export.stream(self.store(), keep_free, out, &mut watch)
        });
        written.map_err(|error| match error {
            sproutnet_store::StoreError::Stopped => CoordinatorError::Stopped,
            error => error.into(),
        })
    }
}
