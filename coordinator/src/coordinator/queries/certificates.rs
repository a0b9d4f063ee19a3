//! Checks of certificates that change nothing, for anyone who may ask.

use std::sync::Arc;
use std::time::Instant;

use sproutnet_certificate::theory::{self, TheoryError};
use sproutnet_certificate::{Options, Progress, VerifyError, verify_watched};
use sproutnet_model::CheckedCertificate;
use sproutnet_query::{accepted, accepted_theory, refused};
use sproutnet_system::causes::with_causes;
use sproutnet_transport::caller;

use super::Queries;
use crate::CoordinatorError;

/// The resources of such a check: one core, and this memory.
const OPTIONS: Options = Options {
    cores: 1,
    memory: 256 << 20,
};

impl Queries {
    /// Checks a certificate by the rules alone. Takes a turn of the searches. [`Progress::stop`] ends the check.
    ///
    /// # Errors
    /// [`CoordinatorError::Full`] if searches took all the time; [`CoordinatorError::Stopped`];
    /// [`CoordinatorError::NotNow`] if this machine could not complete the check.
    pub fn check_certificate(
        &self,
        file: &[u8],
        until: Instant,
        progress: &Arc<Progress>,
    ) -> Result<CheckedCertificate, CoordinatorError> {
        let turn = self.queues.searches.enter(&caller::name(), until);
        let _turn = turn.ok_or(CoordinatorError::Full("other searches used up the time"))?;
        if file.first() == Some(&theory::FIRST) {
            return match theory::verify_watched(file, OPTIONS.cores, progress) {
                Ok(theory) => Ok(accepted_theory(&theory)),
                Err(TheoryError::Stopped) => Err(CoordinatorError::Stopped),
                Err(error) => Ok(refused(with_causes(&error), error.line())),
            };
        }
        match verify_watched(file, &OPTIONS, progress) {
            Ok(verified) => Ok(accepted(verified)),
            Err(VerifyError::Stopped) => Err(CoordinatorError::Stopped),
            Err(error) if error.is_refusal() => Ok(refused(with_causes(&error), error.line())),
            Err(error) => Err(CoordinatorError::NotNow(with_causes(&error))),
        }
    }
}
