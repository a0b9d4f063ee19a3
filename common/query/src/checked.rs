//! What the checker says of a certificate, as clients see it.

use sproutnet_certificate::Verified;
use sproutnet_certificate::format::Claim;
use sproutnet_certificate::theory::Theory;
use sproutnet_game::{by_name, qualified};
use sproutnet_model::CheckedCertificate;

/// An accepted certificate of an outcome.
pub fn accepted(verified: Verified) -> CheckedCertificate {
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

/// An accepted certificate of theory.
pub fn accepted_theory(theory: &Theory) -> CheckedCertificate {
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

/// A certificate that is not accepted: why, and the line at fault, from 1, if one is.
pub fn refused(why: String, line: Option<u64>) -> CheckedCertificate {
    CheckedCertificate {
        error: Some(why),
        line,
        ..CheckedCertificate::default()
    }
}
