//! Blocking calls of the coordinator: they may take its lock, wait for the disk, or search.

use std::sync::Arc;
use std::time::Instant;

use tokio::task::{JoinError, spawn_blocking};

use sproutnet_coordinator::{Coordinator, CoordinatorError};

/// Asks it something.
///
/// # Errors
/// What the coordinator says, or that the question could not be asked to the end.
pub(super) async fn ask<T, E>(
    coordinator: &Arc<Coordinator>,
    question: impl FnOnce(&Coordinator, Instant) -> Result<T, CoordinatorError> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<CoordinatorError> + From<JoinError>,
{
    let coordinator = Arc::clone(coordinator);
    let asked = spawn_blocking(move || question(&coordinator, Instant::now()));
    Ok(asked.await??)
}
