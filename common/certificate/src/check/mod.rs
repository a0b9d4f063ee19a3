//! The checker: reads a certificate, and checks each fact by the rules and by facts of lower rank.
//!
//! - [`sprouts`]: the rules of the game.
//! - [`normal`] and [`misere`]: the rules by which a fact follows from others.
//! - [`games`]: canonical games and their sums, and [`values`] of lands, for misère play.
//! - [`catalogue`]: the lands in the facts.
//! - [`load`]: reads the facts.
//! - [`halt`]: the early end of a check.
//!
//! All facts are read first. Then several threads check each fact by itself, assuming that the facts of lower rank are
//! true. The rank of a fact is that of its lands ([`Ruleset::rank`]) plus the longest play of its values. Each move
//! lowers it, so a fact rests only on facts of lower rank. If all facts pass, all are true.

mod catalogue;
mod games;
pub(crate) mod halt;
mod load;
mod misere;
mod normal;
pub(crate) mod sprouts;
mod values;

use std::fmt::Display;
use std::io::{self, BufRead};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::{Builder, ScopedJoinHandle, scope};

use self::halt::{Halt, Stop};
use self::misere::Misere;
use self::normal::Normal;
use self::sprouts::Land;
use self::sprouts::canonical::Canoniser;
use crate::format::{CertificateError, Fact, Header, Line, Reader, Ruleset};
use sproutnet_notation::raw::RawPosition;
use sproutnet_notation::{Outcome, ParseError, Play};

/// The stack of a thread, in bytes. It fits the deepest recursion: a position of 1,000 lives and values with
/// plays of 1,000 moves.
const STACK: usize = 256 << 20;

/// The header line with the position.
const POSITION_LINE: u64 = 4;
/// The header line with the outcome.
const OUTCOME_LINE: u64 = 5;

/// The resources of a check.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of threads. With 0, the caller's thread does all work, as where there are no threads; it needs a stack
    /// as deep as the largest position and values of the certificate: 256 MiB are enough for all.
    pub cores: usize,
    /// The approximate limit on memory for facts and caches, in bytes.
    pub memory: usize,
}

/// The progress of a check, for a caller that shows it or stops the check. The verdict does not depend on the counts.
#[derive(Debug, Default)]
pub struct Progress {
    begun: AtomicU64,
    facts: AtomicU64,
    stop: Stop,
    told: Option<fn(u64, u64)>,
}

impl Progress {
    /// Calls a function with the [facts](Self::facts) whenever the check of one begins, for a caller whose own thread
    /// checks.
    pub fn telling(told: fn(u64, u64)) -> Self {
        Self {
            told: Some(told),
            ..Self::default()
        }
    }

    /// Notes that the check of a fact begins.
    fn begin(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
        if let Some(told) = self.told {
            let (begun, all) = self.facts();
            told(begun, all);
        }
    }

    /// The number of facts whose check has begun, and of all facts; zero before the header is read.
    pub fn facts(&self) -> (u64, u64) {
        let all = self.facts.load(Ordering::Relaxed);
        (all.min(self.begun.load(Ordering::Relaxed)), all)
    }

    /// Asks the check to end. It ends within a fraction of a second, with [`VerifyError::Stopped`] unless it is
    /// over by then. While it waits for the file to be read, it does not see this.
    pub fn stop(&self) {
        self.stop.request();
    }

    /// The request to end, which parts of the check look at.
    pub(crate) fn request(&self) -> &Stop {
        &self.stop
    }

    /// Whether the check was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_requested()
    }
}

/// The result of an accepted certificate.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The header of the certificate. Its claim is proved.
    pub header: Header,
    /// The facts, all of them proved.
    pub facts: Vec<Fact>,
    /// The number of positions visited, with repetitions.
    pub positions: u64,
}

/// The reason why a certificate is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The file is not a certificate.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// A position cannot be read.
    #[error("line {line}: `{text}` is not a position")]
    Position {
        /// The line of the certificate, from 1.
        line: u64,
        /// The text.
        text: String,
        /// The problem with it.
        #[source]
        source: ParseError,
    },
    /// A fact or the outcome does not follow, or has no meaning.
    #[error("line {line}: {what}: {why}")]
    Refused {
        /// The line of the certificate, from 1.
        line: u64,
        /// The claim.
        what: String,
        /// Why it is refused.
        why: String,
    },
    /// The check needs more memory than allowed.
    #[error("line {line}: checking this takes more memory than {memory} bytes")]
    Memory {
        /// The line of the certificate, from 1.
        line: u64,
        /// The limit, in bytes.
        memory: usize,
    },
    /// The check was [stopped](Progress::stop).
    #[error("the check was stopped")]
    Stopped,
    /// A thread cannot be started.
    #[error("a thread cannot be started")]
    Thread(#[source] io::Error),
}

impl VerifyError {
    /// Whether the certificate is at fault, and not this machine.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Certificate(CertificateError::Unreadable { source, .. }) => {
                use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
                matches!(source.kind(), InvalidInput | InvalidData | UnexpectedEof)
            }
            Self::Memory { .. } | Self::Stopped | Self::Thread(_) => false,
            _ => true,
        }
    }

    /// The line at fault, from 1, if one is.
    pub fn line(&self) -> Option<u64> {
        match self {
            Self::Certificate(
                CertificateError::Unreadable { line, .. }
                | CertificateError::Malformed { line, .. },
            )
            | Self::Position { line, .. }
            | Self::Refused { line, .. }
            | Self::Memory { line, .. } => Some(*line),
            Self::Certificate(_) | Self::Stopped | Self::Thread(_) => None,
        }
    }
}

/// The reason why a claim is not accepted.
#[derive(Debug)]
enum Refusal {
    Because(String),
    NotAPosition(String, ParseError),
    Halted(Halt),
}

impl From<Halt> for Refusal {
    fn from(halt: Halt) -> Self {
        Self::Halted(halt)
    }
}

impl Refusal {
    fn because(why: impl Into<String>) -> Self {
        Self::Because(why.into())
    }

    /// The refusal of a claim on a line.
    fn at(self, line: u64, claim: &dyn Display, options: &Options) -> VerifyError {
        let (what, memory) = (claim.to_string(), options.memory);
        match self {
            Self::Because(why) => VerifyError::Refused { line, what, why },
            Self::NotAPosition(text, source) => VerifyError::Position { line, text, source },
            Self::Halted(Halt::OutOfMemory) => VerifyError::Memory { line, memory },
            Self::Halted(Halt::Stopped) => VerifyError::Stopped,
        }
    }
}

/// A fact and its claim.
struct Listed<C> {
    line: Line,
    claim: C,
}

impl<C> Listed<C> {
    /// The same fact, if its claim is not refused.
    fn accept<T>(&self, result: Result<T, Refusal>, options: &Options) -> Result<T, VerifyError> {
        result.map_err(|refusal| refusal.at(self.line.number, &self.line.fact, options))
    }
}

/// Checks facts under a convention.
trait Checker {
    /// The claim of a fact.
    type Claim: Send + Sync;

    /// Checks a claim, assuming that the facts of lower rank are true.
    fn check(&mut self, claim: &Self::Claim) -> Result<(), Refusal>;

    /// Whether the facts show that the player to move loses or wins these lands, as `is_lost` says.
    fn root(&mut self, lands: &[Land], is_lost: bool) -> Result<bool, Halt>;

    /// The number of positions visited so far.
    fn positions(&self) -> u64;
}

/// Checks a certificate, as its file is: compressed by gzip.
///
/// ```
/// use std::fs::File;
/// use std::io::BufReader;
///
/// use sproutnet_certificate::{Options, verify};
/// use sproutnet_notation::Outcome;
///
/// let file = BufReader::new(File::open("../../atlas/normal-8.sprout")?);
/// let options = Options { cores: 2, memory: 1 << 30 };
/// let verified = verify(file, &options)?;
/// assert_eq!(verified.header.claim.position, "0*8");
/// assert_eq!(verified.header.claim.outcome, Outcome::Loss);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The certificate is not accepted. The error names the first line at fault.
pub fn verify(file: impl BufRead + Send, options: &Options) -> Result<Verified, VerifyError> {
    verify_watched(file, options, &Progress::default())
}

/// [Checks](verify) a certificate, notes its progress, and can be stopped.
///
/// # Errors
/// As for [`verify`], or the check was stopped.
pub fn verify_watched(
    file: impl BufRead + Send,
    options: &Options,
    progress: &Progress,
) -> Result<Verified, VerifyError> {
    let check = || {
        let reader = Reader::new(file)?;
        let header = reader.header().clone();
        progress.facts.store(header.facts, Ordering::Relaxed);
        let position = &header.claim.position;
        let stop = &progress.stop;
        // The root must be a position of the game. Other facts may be about any positions that help the proof.
        let game = header.claim.game;
        let root = lands_of(position, game.parse_drawable(position), game, stop);
        let root = root.map_err(|refusal| refusal.at(POSITION_LINE, position, options))?;
        match header.claim.play {
            Play::Normal => {
                let (facts, nimbers, max_bytes) = load::normal(reader, options, stop)?;
                let new = || Normal::new(game, &nimbers, max_bytes, stop);
                check_all(header, &root, facts, options, progress, new)
            }
            Play::Misere => {
                let (facts, claims, max_bytes) = load::misere(reader, options, stop)?;
                let new = || Misere::new(&claims, max_bytes, stop);
                check_all(header, &root, facts, options, progress, new)
            }
        }
    };
    let checked = match options.cores {
        0 => check(),
        _ => scope(|scope| joined(Builder::new().stack_size(STACK).spawn_scoped(scope, check)))?,
    };
    // A caller that stops a check may close the file as well.
    checked.map_err(|error| {
        if progress.is_stopped() && !error.is_refusal() {
            VerifyError::Stopped
        } else {
            error
        }
    })
}

/// Checks all facts and the root. Each thread has its own checker.
fn check_all<K: Checker>(
    header: Header,
    root: &[Land],
    facts: Vec<Listed<K::Claim>>,
    options: &Options,
    progress: &Progress,
    new: impl Fn() -> K + Sync,
) -> Result<Verified, VerifyError> {
    let mut positions = check_facts(&facts, options, progress, &new)?;
    let mut checker = new();
    let (position, outcome) = (&header.claim.position, header.claim.outcome);
    let is_shown = match checker.root(root, outcome == Outcome::Loss) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Refusal::because("this does not follow from the facts")),
        Err(error) => Err(error.into()),
    };
    let claim = format!("{position} is a {outcome}");
    is_shown.map_err(|refusal| refusal.at(OUTCOME_LINE, &claim, options))?;
    positions += checker.positions();
    Ok(Verified {
        header,
        facts: facts.into_iter().map(|listed| listed.line.fact).collect(),
        positions,
    })
}

/// Checks all facts, and counts the positions visited.
fn check_facts<K: Checker>(
    facts: &[Listed<K::Claim>],
    options: &Options,
    progress: &Progress,
    new: &(impl Fn() -> K + Sync),
) -> Result<u64, VerifyError> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut checker = new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(listed) = facts.get(index) else {
                return Ok(checker.positions());
            };
            progress.begin();
            let checked = checker.check(&listed.claim);
            listed.accept(checked, options).map_err(|error| {
                // Every fact in front of this one is taken, so the first error is exact.
                next.store(facts.len(), Ordering::Relaxed);
                (index, error)
            })?;
        }
    };
    let on_threads = || {
        scope(|scope| {
            let spawn = |_| Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let threads: Vec<_> = (0..options.cores).map(spawn).collect();
            threads.into_iter().map(joined).collect::<Result<_, _>>()
        })
    };
    let ends: Vec<_> = match options.cores {
        0 => vec![work()],
        _ => on_threads()?,
    };
    let visited: u64 = ends.iter().flatten().sum();
    let errors = ends.into_iter().filter_map(Result::err);
    let first = errors.min_by_key(|(index, _)| *index);
    first.map_or(Ok(visited), |(_, error)| Err(error))
}

fn joined<T>(thread: io::Result<ScopedJoinHandle<'_, T>>) -> Result<T, VerifyError> {
    let joined = thread.map_err(VerifyError::Thread)?.join();
    Ok(joined.unwrap_or_else(|panic| resume_unwind(panic)))
}

/// The lands of the position in a text.
fn lands(text: &str, game: Ruleset, stop: &Stop) -> Result<Vec<Land>, Refusal> {
    lands_of(text, game.parse(text), game, stop)
}

/// The lands of a position, given its text and the result of reading it.
fn lands_of(
    text: &str,
    read: Result<RawPosition, ParseError>,
    game: Ruleset,
    stop: &Stop,
) -> Result<Vec<Land>, Refusal> {
    let raw = read.map_err(|source| Refusal::NotAPosition(text.to_owned(), source))?;
    Ok(Land::all_of(&raw, game, &mut Canoniser::new(0, stop))?)
}

/// The text of a sum of lands.
fn text(lands: &[Land]) -> String {
    if lands.is_empty() {
        return "!".to_owned();
    }
    let texts: Vec<String> = lands.iter().map(Land::to_string).collect();
    texts.join("+")
}
