//! Exports of the store while it is in use.

use std::io::Write;
use std::ops::ControlFlow;

use sproutnet_solver::play::Play;
use sproutnet_store::transfer;

use super::Coordinator;
use crate::{CoordinatorError, seconds_since_1970, with_rules};

/// The memory for sorting an export, in bytes. A larger store is read several times.
const ROOM: usize = 64 << 20;

impl Coordinator {
    /// Writes the records of these conventions, with their results and sources, as an export. It has all that was
    /// acknowledged before the call. An export that ends with an error has no end and is known to be cut short.
    ///
    /// # Errors
    /// [`CoordinatorError::Stopped`] if `is_stopped`, or if the export has to start over: records were revoked, or a new
    /// source came while a large store was read; or the store or `out` failed.
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
        let written = with_rules(|rules| {
            let export = transfer::Export {
                plays,
                rules,
                now: seconds_since_1970(),
                room: ROOM,
            };
            export.stream(self.store(), out, &mut watch)
        });
        written.map_err(|error| match error {
            sproutnet_store::StoreError::Stopped => CoordinatorError::Stopped,
            error => error.into(),
        })
    }
}
