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

use sproutnet_notation::Play;

pub use self::period::PeriodCertificate;
pub use self::quotient::QuotientCertificate;
use self::text::Lines;
use crate::Progress;
use crate::check::halt::Stop;

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

impl Theory {
    /// What it is about: `period` or `quotient`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Period(_) => "period",
            Self::Quotient(_) => "quotient",
        }
    }

    /// The code of the game.
    pub fn code(&self) -> &str {
        match self {
            Self::Period(of) => &of.code,
            Self::Quotient(of) => &of.code,
        }
    }

    /// The convention.
    pub fn play(&self) -> Play {
        match self {
            Self::Period(_) => Play::Normal,
            Self::Quotient(_) => Play::Misere,
        }
    }

    /// The claim, in a few words.
    pub fn claim(&self) -> String {
        match self {
            Self::Period(of) => {
                let saltus = match of.saltus {
                    0 => String::new(),
                    saltus => format!(", saltus {saltus}"),
                };
                format!("period {} from {}{saltus}", of.length, of.start)
            }
            Self::Quotient(of) => {
                let game = match of.period {
                    Some(_) => "whole game".to_owned(),
                    None => format!("heaps up to {}", of.values.len() - 1),
                };
                format!("quotient of order {}, {game}", of.products.len())
            }
        }
    }

    /// The number of heaps whose nimbers or values are stated.
    pub fn heaps(&self) -> usize {
        match self {
            Self::Period(of) => of.nimbers.len(),
            Self::Quotient(of) => of.values.len(),
        }
    }
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
    /// The check was [stopped](Progress::stop).
    #[error("the check was stopped")]
    Stopped,
}

impl TheoryError {
    /// Whether the certificate is at fault, and not this machine.
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Unreadable(_) | Self::Stopped)
    }

    /// The line at fault, from 1, if one is.
    pub fn line(&self) -> Option<u64> {
        match self {
            Self::Malformed { line, .. } => Some(*line),
            _ => None,
        }
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
    verify_watched(file, cores, &Progress::default())
}

/// [Checks](verify) a certificate of theory, and can be stopped.
///
/// # Errors
/// As for [`verify`], or the check was stopped.
pub fn verify_watched(
    file: impl Read,
    cores: usize,
    progress: &Progress,
) -> Result<Theory, TheoryError> {
    let checked = check(file, cores, progress.request());
    // A check that is stopped ends as it can, and its result means nothing.
    if progress.is_stopped() {
        return Err(TheoryError::Stopped);
    }
    checked
}

fn check(file: impl Read, cores: usize, stop: &Stop) -> Result<Theory, TheoryError> {
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
        Theory::Period(period) => period.check(cores, stop)?,
        Theory::Quotient(quotient) => quotient.check(stop)?,
    }
    Ok(theory)
}
