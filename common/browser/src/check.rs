//! The check of a certificate.

use std::error::Error;
use std::iter::successors;

use serde::Serialize;
use sha2::{Digest, Sha256};
use sproutnet_certificate::theory::{self, Theory};
use sproutnet_certificate::{Options, Progress, Verified, verify_watched};
use sproutnet_model::CheckedCertificate;
use sproutnet_query::{accepted, accepted_theory, refused};

/// The limit on memory for facts and caches, in bytes. A module has 4 GiB, with the file and the stack.
const MEMORY: usize = 2 << 30;

/// What came of a check.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The verdict.
    pub verdict: Verdict,
    /// What is proved if the certificate is accepted; otherwise why not.
    pub text: String,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// The same in the form of the HTTP API.
    #[serde(flatten)]
    pub certificate: CheckedCertificate,
}

/// The verdict on a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Its claim is proved.
    Accepted,
    /// It proves nothing.
    Refused,
    /// The check needs more than this machine has, and says nothing about the certificate.
    Unchecked,
}

/// Checks a certificate on this thread: of a position, or of theory. Calls `told` with the number of facts checked so
/// far, and of all facts.
pub fn check(file: &[u8], told: fn(u64, u64)) -> Checked {
    let digest = Sha256::digest(file);
    let sha256 = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let failed = |error: &dyn Error, is_refusal, line| {
        let text = chain(error);
        if is_refusal {
            (Verdict::Refused, text.clone(), refused(text, line))
        } else {
            (Verdict::Unchecked, text, CheckedCertificate::default())
        }
    };
    let (verdict, text, certificate) = if file.first() == Some(&theory::FIRST) {
        match theory::verify(file, 1) {
            Ok(theory) => {
                let text = claim_of_theory(&theory);
                (Verdict::Accepted, text, accepted_theory(&theory))
            }
            Err(error) => failed(&error, error.is_refusal(), error.line()),
        }
    } else {
        let options = Options {
            cores: 0,
            memory: MEMORY,
        };
        match verify_watched(file, &options, &Progress::telling(told)) {
            Ok(verified) => (Verdict::Accepted, claim(&verified), accepted(verified)),
            Err(error) => failed(&error, error.is_refusal(), error.line()),
        }
    };
    Checked {
        verdict,
        text,
        sha256,
        certificate,
    }
}

fn claim(verified: &Verified) -> String {
    let claim = &verified.header.claim;
    let (position, play, outcome) = (&claim.position, claim.play, claim.outcome);
    format!("{position} is a {outcome} for the player to move under {play} play")
}

fn claim_of_theory(theory: &Theory) -> String {
    format!("{}: {}", theory.code(), theory.claim())
}

/// An error and its causes.
fn chain(error: &dyn Error) -> String {
    let causes = successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
