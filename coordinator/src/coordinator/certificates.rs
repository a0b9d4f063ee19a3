//! Checks certificates, and marks the facts that they prove as verified.

use std::io::BufRead;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use sproutnet_certificate::format::Header;
use sproutnet_certificate::{self as proof, Progress, VerifyError};
use sproutnet_game::by_name;
use sproutnet_model::Verification;
use sproutnet_prover::VerifiedRecords;
use sproutnet_store::Batch;

use super::core::Core;
use crate::ledger::WriteRequest;
use crate::locks::Lock;
use crate::{CoordinatorError, audit_log};

/// The maximum memory for the check of a certificate, in bytes.
const MEMORY: usize = 1 << 30;

/// A certificate that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The document that the store keeps.
    pub verification: Verification,
    /// The number of records that it verifies.
    pub records: u64,
    /// The number of those that were not verified before.
    pub newly: u64,
}

/// Checks certificates.
pub struct Certificates {
    pub(super) core: Arc<Core>,
    /// Held while a certificate is checked.
    pub(super) verifying: Lock<()>,
}

impl Certificates {
    /// Checks a certificate by the rules alone, and marks the facts that it proves in the store. [`Progress::stop`]
    /// ends the check.
    ///
    /// # Errors
    /// [`CoordinatorError::Invalid`] if the certificate is refused; [`CoordinatorError::Full`] while another is
    /// checked; [`CoordinatorError::NotNow`] if the check could not be completed, or if the certificate contradicts the
    /// store, which keeps both sides; [`CoordinatorError::Stopped`]; or the store failed.
    pub fn verify(
        &self,
        certificate: impl BufRead + Send,
        progress: &Progress,
    ) -> Result<Verified, CoordinatorError> {
        let Some(_turn) = self.verifying.try_lock() else {
            return Err(CoordinatorError::Full(
                "another certificate is being checked",
            ));
        };
        let options = proof::Options {
            cores: thread::available_parallelism().map_or(1, NonZero::get),
            memory: MEMORY,
        };
        let verified = proof::verify_watched(certificate, &options, progress);
        let verified = verified.map_err(|error| {
            let text = sproutnet_system::causes::with_causes(&error);
            match error {
                VerifyError::Stopped => CoordinatorError::Stopped,
                error if error.is_refusal() => CoordinatorError::Invalid(text),
                _ => CoordinatorError::NotNow(text),
            }
        })?;
        let mut records = VerifiedRecords::default();
        for fact in &verified.facts {
            if progress.is_stopped() {
                return Err(CoordinatorError::Stopped);
            }
            records.add(verified.header.claim.game, verified.header.claim.play, fact);
        }
        self.mark(&verified.header, records.into_records())
    }

    /// Marks the facts of a certificate as verified, and stores a [`Verification`].
    fn mark(&self, header: &Header, records: Batch) -> Result<Verified, CoordinatorError> {
        let claim = &header.claim;
        let invalid = |error: String| CoordinatorError::Invalid(error);
        let game =
            by_name(claim.game.name()).ok_or_else(|| invalid("an unknown game".to_owned()))?;
        let position = game.parse_stored(&claim.position);
        let position = position.map_err(|error| invalid(error.to_string()))?;
        let verification = Verification {
            game: game.name().to_owned(),
            position: game.print(&position),
            play: claim.play,
            outcome: claim.outcome,
            facts: header.facts,
            sha256: header.sha256.clone(),
            checker: format!("sproutnet {}", env!("CARGO_PKG_VERSION")),
            verified_at: crate::seconds_since_1970(),
        };
        let records = Arc::new(records);
        let committed = self.core.ledger.commit(WriteRequest {
            records: Arc::clone(&records),
            ..WriteRequest::default()
        })?;
        if let Some(contradiction) = self.core.keep_contradictions(&committed.conflicts)? {
            return Err(CoordinatorError::NotNow(contradiction));
        }
        let knowledge = self.core.knowledge();
        for record in records.iter() {
            // The commit above has already found every contradiction.
            let _ = knowledge.learn(record.key, record.value);
        }
        let mut request = WriteRequest::default();
        request.document(verification.name(), &verification)?;
        self.core.ledger.commit(request)?;
        let entry = audit_log::marked(&verification, records.len() as u64);
        self.core.log(entry);
        Ok(Verified {
            verification,
            records: records.len() as u64,
            newly: committed.new,
        })
    }
}
