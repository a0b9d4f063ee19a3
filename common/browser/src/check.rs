//! The check of a certificate.

use std::error::Error;
use std::iter::successors;

use serde::Serialize;
use sha2::{Digest, Sha256};
use sproutnet_certificate::theory::{self, Theory};
use sproutnet_certificate::{Options, Progress, Verified, verify_watched};

/// The limit on memory for facts and caches, in bytes. A module has 4 GiB, with the file and the stack.
const MEMORY: usize = 2 << 30;

/// What came of a check.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The verdict.
    pub verdict: Verdict,
    /// What is proved if the certificate is accepted; otherwise why not.
    pub text: String,
    /// The number of facts of an accepted certificate of a game.
    pub facts: Option<u64>,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
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
    let (verdict, text, facts) = if file.first() == Some(&theory::FIRST) {
        match theory::verify(file, 1) {
            Ok(theory) => (Verdict::Accepted, claim_of_theory(&theory), None),
            Err(error) => (refusal(error.is_refusal()), chain(&error), None),
        }
    } else {
        let options = Options {
            cores: 0,
            memory: MEMORY,
        };
        match verify_watched(file, &options, &Progress::telling(told)) {
            Ok(verified) => {
                let facts = Some(verified.header.facts);
                (Verdict::Accepted, claim(&verified), facts)
            }
            Err(error) => (refusal(error.is_refusal()), chain(&error), None),
        }
    };
    Checked {
        verdict,
        text,
        facts,
        sha256,
    }
}

fn refusal(is_refusal: bool) -> Verdict {
    if is_refusal {
        Verdict::Refused
    } else {
        Verdict::Unchecked
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
