//! Checks of certificates that change nothing, for anyone who may ask.

use std::sync::Arc;
use std::time::Instant;

use sproutnet_certificate::format::Claim;
use sproutnet_certificate::theory::{self, Theory, TheoryError};
use sproutnet_certificate::{Options, Progress, Verified, VerifyError, verify_watched};
use sproutnet_game::{by_name, qualified};
use sproutnet_model::CheckedCertificate;
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
                Ok(theory) => Ok(of_theory(&theory)),
                Err(TheoryError::Stopped) => Err(CoordinatorError::Stopped),
                Err(error) => Ok(refused(with_causes(&error), error.line())),
            };
        }
        match verify_watched(file, &OPTIONS, progress) {
            Ok(verified) => Ok(of_outcome(verified)),
            Err(VerifyError::Stopped) => Err(CoordinatorError::Stopped),
            Err(error) if error.is_refusal() => Ok(refused(with_causes(&error), error.line())),
            Err(error) => Err(CoordinatorError::NotNow(with_causes(&error))),
        }
    }
}

fn of_outcome(verified: Verified) -> CheckedCertificate {
    let Claim {
        game,
        play,
        position,
        outcome,
        tool,
        ..
    } = verified.header.claim;
    let position = by_name(game.name()).map(|game| qualified(&*game, &position));
    CheckedCertificate {
        verified: true,
        kind: Some("outcome"),
        position,
        play: Some(play),
        outcome: Some(outcome),
        facts: Some(verified.header.facts),
        tool: Some(tool),
        ..CheckedCertificate::default()
    }
}

fn of_theory(theory: &Theory) -> CheckedCertificate {
    CheckedCertificate {
        verified: true,
        kind: Some(theory.kind()),
        code: Some(theory.code().to_owned()),
        play: Some(theory.play()),
        claim: Some(theory.claim()),
        facts: Some(theory.heaps() as u64),
        ..CheckedCertificate::default()
    }
}

fn refused(why: String, line: Option<u64>) -> CheckedCertificate {
    CheckedCertificate {
        error: Some(why),
        line,
        ..CheckedCertificate::default()
    }
}
