//! Certificates of theory: the period of the nimbers of a game of heaps, and its misère quotient.
//!
//! - [`code`]: the rules of a game, as an octal or hexadecimal code.
//! - [`text`]: the lines of a file.
//! - [`period`] and [`arithmetic`]: the nimbers, and the theorems by which they repeat for ever.
//! - [`quotient`]: the laws of a misère quotient.
//!
//! `docs/reference/certificates-of-theory.md` has the format, numbered rules, and the theorems that make them enough.
//!
//! **Invariant:** this shares nothing with the solver.

mod arithmetic;
mod code;
mod period;
mod quotient;
mod text;

use std::io::{self, Read};

pub use self::period::PeriodCertificate;
pub use self::quotient::QuotientCertificate;
use self::text::Lines;

/// The first symbol of a certificate of theory. Other certificates are compressed, and begin otherwise.
pub const FIRST: u8 = b's';

/// The maximum size of a file, in bytes.
const MAX_BYTES: u64 = 1 << 28;

/// An accepted certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Theory {
    /// The nimbers of heaps repeat, or grow by the same with each period.
    Period(PeriodCertificate),
    /// A monoid tells who wins sums of heaps under misère play.
    Quotient(QuotientCertificate),
}

/// The reason why a certificate is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum TheoryError {
    /// The file cannot be read.
    #[error("the file cannot be read")]
    Unreadable(#[source] io::Error),
    /// The file is not a certificate.
    #[error("line {line}: {why}")]
    Malformed {
        /// The line, from 1.
        line: u64,
        /// The problem with it.
        why: String,
    },
    /// The claim does not follow.
    #[error("{0}")]
    Refused(String),
}

impl TheoryError {
    /// Whether the certificate is at fault, and not this machine.
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Unreadable(_))
    }

    fn refused<T>(why: impl Into<String>) -> Result<T, Self> {
        Err(Self::Refused(why.into()))
    }
}

/// Checks a certificate of theory, on this number of threads.
///
/// # Errors
/// The certificate is not accepted.
pub fn verify(file: impl Read, cores: usize) -> Result<Theory, TheoryError> {
    let mut bytes = Vec::new();
    let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(TheoryError::Unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return TheoryError::refused(format!("the file has more than {MAX_BYTES} bytes"));
    }
    let mut lines = Lines::new(&bytes);
    let kind = lines.next()?;
    let theory = match kind {
        "sproutnet-period 1" => Theory::Period(PeriodCertificate::read(&mut lines)?),
        "sproutnet-quotient 1" => Theory::Quotient(QuotientCertificate::read(&mut lines)?),
        _ => {
            return Err(lines.error("expected `sproutnet-period 1` or `sproutnet-quotient 1`"));
        }
    };
    lines.end()?;
    match &theory {
        Theory::Period(period) => period.check(cores)?,
        Theory::Quotient(quotient) => quotient.check()?,
    }
    Ok(theory)
}
