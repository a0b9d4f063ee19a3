//! The checker: reads a certificate, and checks each fact by the rules and by facts below it.
//!
//! - [`sprouts`]: the rules of the game.
//! - [`normal`] and [`misere`]: what makes a fact follow from others.
//! - [`games`]: canonical games and their sums, and [`values`] of lands, for misère play.
//! - [`catalogue`]: the lands of which the facts tell.
//! - [`load`]: facts as they are read.
//!
//! All facts are read first. Then each is checked by itself, by several threads, as if the facts below it
//! were true: the rank of a fact is the lives of its lands and the longest play of its values together, and
//! each move makes that less, so a fact rests only on facts of lower rank. If all of them pass, all are true.

mod catalogue;
mod games;
mod load;
mod misere;
mod normal;
pub(crate) mod sprouts;
mod values;

use std::fmt;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

use self::load::Loaded;
use self::misere::Misere;
use self::normal::Normal;
use self::sprouts::Land;
use crate::format::{CertificateError, Claim, Fact, Header};
use sproutnet_notation::Outcome;
use sproutnet_notation::ParseError;

/// Enough for the deepest recursion, through the moves of what has 1,000 lives and values of as many moves.
const STACK: usize = 256 << 20;

/// The line of the header that tells the position.
const POSITION_LINE: u64 = 4;
/// The line of the header that tells the outcome.
const OUTCOME_LINE: u64 = 5;

/// How a certificate is checked.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many threads check, at least one.
    pub cores: usize,
    /// How much memory the facts and all that is remembered may take, in bytes, about.
    pub memory: usize,
}

impl Options {
    /// The memory that each thread may take once the facts have taken theirs, in bytes.
    fn for_each_core(&self, facts: usize) -> usize {
        self.memory.saturating_sub(facts) / self.cores
    }
}

/// What was proved.
#[derive(Clone, Debug)]
pub struct Verified {
    /// What the certificate said of itself, all of it true.
    pub header: Header,
    /// How many positions the checker met, each as often as it did.
    pub positions: u64,
}

/// Something that was proved.
#[derive(Clone, Copy, Debug)]
pub enum Proved<'a> {
    /// A fact of the certificate that claims this.
    Fact(&'a Claim, &'a Fact),
    /// What the certificate is about.
    Root(&'a Claim),
}

/// Why a certificate is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The file is no certificate.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// A position cannot be read.
    #[error("line {line}: `{text}` is no position")]
    Position {
        /// The line of the certificate, from 1.
        line: u64,
        /// What stands there.
        text: String,
        /// What is wrong with it.
        #[source]
        source: ParseError,
    },
    /// A fact, or the outcome, does not follow, or means nothing.
    #[error("line {line}: {what}: {why}")]
    Refused {
        /// The line of the certificate, from 1.
        line: u64,
        /// What is claimed there.
        what: String,
        /// Why that does not follow.
        why: String,
    },
    /// There is too little memory to check it.
    #[error("line {line}: it takes more memory to check this than {memory} bytes")]
    Memory {
        /// The line of the certificate, from 1.
        line: u64,
        /// How much may be taken.
        memory: usize,
    },
    /// No thread can be started.
    #[error("a thread cannot be started")]
    Thread(#[source] io::Error),
}

impl VerifyError {
    /// Whether the file was read and is to blame, not this machine.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Certificate(CertificateError::Unreadable { source, .. }) => {
                use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
                matches!(source.kind(), InvalidInput | InvalidData | UnexpectedEof)
            }
            Self::Memory { .. } | Self::Thread(_) => false,
            _ => true,
        }
    }
}

/// The bound on memory was reached.
#[derive(Clone, Copy, Debug)]
struct OutOfMemory;

/// Why a fact is not accepted.
#[derive(Debug)]
enum Refusal {
    Because(String),
    OutOfMemory,
}

impl From<OutOfMemory> for Refusal {
    fn from(_: OutOfMemory) -> Self {
        Self::OutOfMemory
    }
}

impl Refusal {
    fn at(self, line: u64, what: &dyn fmt::Display, options: &Options) -> VerifyError {
        match self {
            Self::Because(why) => VerifyError::Refused {
                line,
                what: what.to_string(),
                why,
            },
            Self::OutOfMemory => VerifyError::Memory {
                line,
                memory: options.memory,
            },
        }
    }
}

/// A fact as it was read, and what it claims.
struct Listed<C> {
    line: u64,
    fact: Fact,
    claim: C,
}

/// What checks facts of a convention, one after the other.
trait Checker {
    /// What a fact claims.
    type Claim: Send + Sync;

    /// Checks a fact as if those of lower rank were true.
    fn check(&mut self, claim: &Self::Claim) -> Result<(), Refusal>;

    /// Whether the facts show that the player to move loses, or, if not so, wins.
    fn root(&mut self, lands: &[Land], is_lost: bool) -> Result<bool, OutOfMemory>;

    /// How many positions were met so far.
    fn positions(&self) -> u64;
}

/// Checks a certificate. What is proved is handed to `proved`, the root last, once all of it is.
///
/// # Errors
/// The certificate is not accepted; the error tells the first line that is to blame.
pub fn verify(
    file: impl BufRead,
    options: &Options,
    proved: &mut dyn FnMut(Proved<'_>),
) -> Result<Verified, VerifyError> {
    match load::load(file, options)? {
        Loaded::Normal(header, facts) => {
            let each = options.for_each_core(facts.bytes);
            let new = || Normal::new(&facts.nimbers, each);
            check_all(header, &facts.list, options, new, proved)
        }
        Loaded::Misere(header, facts) => {
            let each = options.for_each_core(facts.bytes);
            let room = facts.values.games.bytes() + each / 2;
            let mut fresh = facts.values.clone();
            fresh.games = fresh.games.with_room(room);
            let new = || Misere::new(&facts.claims, &fresh, each);
            check_all(header, &facts.list, options, new, proved)
        }
    }
}

/// Checks all facts and the root, each thread with a checker of its own.
fn check_all<K: Checker>(
    header: Header,
    facts: &[Listed<K::Claim>],
    options: &Options,
    new: impl Fn() -> K + Sync,
    proved: &mut dyn FnMut(Proved<'_>),
) -> Result<Verified, VerifyError> {
    let positions = check_facts(facts, options, &new)?;
    let root = lands(&header.claim.position, POSITION_LINE)?;
    let is_lost = header.claim.outcome == Outcome::Loss;
    let (is_shown, looked_at) = with_large_stack(|| {
        let mut checker = new();
        let is_shown = checker.root(&root, is_lost);
        (is_shown, checker.positions())
    })?;
    match is_shown {
        Ok(true) => {}
        Ok(false) => return Err(not_shown(&header.claim, options)),
        Err(OutOfMemory) => {
            return Err(Refusal::OutOfMemory.at(OUTCOME_LINE, &"", options));
        }
    }
    for listed in facts {
        proved(Proved::Fact(&header.claim, &listed.fact));
    }
    proved(Proved::Root(&header.claim));
    let positions = positions + looked_at;
    Ok(Verified { header, positions })
}

fn not_shown(claim: &Claim, options: &Options) -> VerifyError {
    let Claim {
        position, outcome, ..
    } = claim;
    Refusal::Because("this does not follow from the facts".to_owned()).at(
        OUTCOME_LINE,
        &format!("{position} is a {outcome}"),
        options,
    )
}

/// Checks all facts, and counts the positions met.
fn check_facts<K: Checker>(
    facts: &[Listed<K::Claim>],
    options: &Options,
    new: &(impl Fn() -> K + Sync),
) -> Result<u64, VerifyError> {
    let next = AtomicUsize::new(0);
    // Facts in front of the first that is refused are all taken by some thread before it is told.
    let refused = AtomicUsize::new(usize::MAX);
    let work = || {
        let mut checker = new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= facts.len().min(refused.load(Ordering::Relaxed)) {
                return Ok(checker.positions());
            }
            let Listed { line, fact, claim } = &facts[index];
            if let Err(refusal) = checker.check(claim) {
                refused.fetch_min(index, Ordering::Relaxed);
                return Err((index, refusal.at(*line, fact, options)));
            }
        }
    };
    let ends = thread::scope(|scope| {
        let spawn = |_| {
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work)
        };
        let threads: Vec<_> = (0..options.cores).map(spawn).collect();
        let mut ends = Vec::new();
        for thread in threads {
            ends.push(joined(thread)?);
        }
        Ok::<_, VerifyError>(ends)
    })?;
    let mut positions = 0;
    let mut first: Option<(usize, VerifyError)> = None;
    for end in ends {
        match end {
            Ok(looked_at) => positions += looked_at,
            Err(error) if first.as_ref().is_none_or(|first| error.0 < first.0) => {
                first = Some(error);
            }
            Err(_) => {}
        }
    }
    first.map_or(Ok(positions), |(_, error)| Err(error))
}

/// Runs something on a thread whose stack it cannot exhaust.
fn with_large_stack<T: Send>(act: impl FnOnce() -> T + Send) -> Result<T, VerifyError> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK);
        joined(builder.spawn_scoped(scope, act))
    })
}

fn joined<T>(thread: io::Result<ScopedJoinHandle<'_, T>>) -> Result<T, VerifyError> {
    let joined = thread.map_err(VerifyError::Thread)?.join();
    Ok(joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

fn lands(text: &str, line: u64) -> Result<Vec<Land>, VerifyError> {
    Land::all_of(text).map_err(|source| VerifyError::Position {
        line,
        text: text.to_owned(),
        source,
    })
}

/// Lands as they are written.
fn text(lands: &[Land]) -> String {
    if lands.is_empty() {
        return "!".to_owned();
    }
    let texts: Vec<String> = lands.iter().map(Land::to_string).collect();
    texts.join("+")
}
