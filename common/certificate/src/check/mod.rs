//! The checker: reads a certificate, and checks each fact by the rules and by facts of lower rank.
//!
//! - [`sprouts`]: the rules of the game.
//! - [`normal`] and [`misere`]: what makes a fact follow from others.
//! - [`games`]: canonical games and their sums, and [`values`] of lands, for misère play.
//! - [`catalogue`]: the lands that the facts name.
//! - [`load`]: reads the facts.
//!
//! All facts are read first. Then several threads check each fact by itself, assuming that the facts of lower
//! rank are true. The rank of a fact is the lives of its lands plus the longest play of its values. Each move
//! lowers it, so a fact rests only on facts of lower rank. If all facts pass, all are true.

mod catalogue;
mod games;
mod load;
mod misere;
mod normal;
pub(crate) mod sprouts;
mod values;

use std::io::{self, BufRead};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

use self::misere::Misere;
use self::normal::Normal;
use self::sprouts::Land;
use crate::format::{CertificateError, Claim, Fact, Header, Line, Reader};
use sproutnet_notation::{Outcome, ParseError, Play};

/// The stack of a thread, in bytes. It fits the deepest recursion: a position of 1,000 lives and values with
/// plays of 1,000 moves.
const STACK: usize = 256 << 20;

/// The header line with the position.
const POSITION_LINE: u64 = 4;
/// The header line with the outcome.
const OUTCOME_LINE: u64 = 5;

/// How a certificate is checked.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of threads, at least one.
    pub cores: usize,
    /// The approximate limit on memory for facts and caches, in bytes.
    pub memory: usize,
}

/// What was proved.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The header of the certificate. What it claims is proved.
    pub header: Header,
    /// The number of positions visited, with repetitions.
    pub positions: u64,
}

/// A statement that was proved.
#[derive(Clone, Copy, Debug)]
pub enum Proved<'a> {
    /// A fact of a certificate with this claim.
    Fact(&'a Claim, &'a Fact),
    /// The claim of the certificate.
    Root(&'a Claim),
}

/// Why a certificate is not accepted.
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
        /// What is wrong with it.
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
            Self::Memory { .. } | Self::Thread(_) => false,
            _ => true,
        }
    }
}

/// The limit on memory was reached.
#[derive(Clone, Copy, Debug)]
struct OutOfMemory;

/// Why a claim is not accepted.
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
    fn because(why: impl Into<String>) -> Self {
        Self::Because(why.into())
    }

    /// The refusal of the fact on a line.
    fn at(self, line: &Line, options: &Options) -> VerifyError {
        let (what, line) = (line.fact.to_string(), line.number);
        match self {
            Self::Because(why) => VerifyError::Refused { line, what, why },
            Self::OutOfMemory => VerifyError::Memory {
                line,
                memory: options.memory,
            },
        }
    }
}

/// A fact and its claim.
struct Listed<C> {
    line: Line,
    claim: C,
}

/// Checks facts under a convention.
trait Checker {
    /// The claim of a fact.
    type Claim: Send + Sync;

    /// Checks a claim, assuming that the facts of lower rank are true.
    fn check(&mut self, claim: &Self::Claim) -> Result<(), Refusal>;

    /// Whether the facts show that the player to move loses or wins these lands, as `is_lost` says.
    fn root(&mut self, lands: &[Land], is_lost: bool) -> Result<bool, OutOfMemory>;

    /// The number of positions visited so far.
    fn positions(&self) -> u64;
}

/// Checks a certificate. After the whole check, `proved` is called with each fact and last with the root.
///
/// # Errors
/// The certificate is not accepted. The error names the first line at fault.
pub fn verify(
    file: impl BufRead,
    options: &Options,
    proved: &mut dyn FnMut(Proved<'_>),
) -> Result<Verified, VerifyError> {
    let reader = Reader::new(file)?;
    let header = reader.header().clone();
    lands(&header.claim.position, POSITION_LINE)?;
    // The memory for each thread, after the facts have taken theirs.
    let for_each = |facts: usize| options.memory.saturating_sub(facts) / options.cores;
    match header.claim.play {
        Play::Normal => {
            let loaded = load::normal(reader, options)?;
            let each = for_each(loaded.bytes);
            let new = || Normal::new(&loaded.known, each);
            check_all(header, &loaded.facts, options, new, proved)
        }
        Play::Misere => {
            let mut loaded = load::misere(reader, options)?;
            let each = for_each(loaded.bytes);
            let (claims, values) = &mut loaded.known;
            let room = values.games.bytes() + each / 2;
            values.games.set_max_bytes(room);
            let new = || Misere::new(claims, values, each);
            check_all(header, &loaded.facts, options, new, proved)
        }
    }
}

/// Checks all facts and the root. Each thread has its own checker.
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
    let (is_shown, visited) = with_large_stack(|| {
        let mut checker = new();
        let is_shown = checker.root(&root, is_lost);
        (is_shown, checker.positions())
    })?;
    let (line, memory) = (OUTCOME_LINE, options.memory);
    if !is_shown.map_err(|OutOfMemory| VerifyError::Memory { line, memory })? {
        let (position, outcome) = (&header.claim.position, header.claim.outcome);
        return Err(VerifyError::Refused {
            line,
            what: format!("{position} is a {outcome}"),
            why: "this does not follow from the facts".to_owned(),
        });
    }
    for listed in facts {
        proved(Proved::Fact(&header.claim, &listed.line.fact));
    }
    proved(Proved::Root(&header.claim));
    let positions = positions + visited;
    Ok(Verified { header, positions })
}

/// Checks all facts, and counts the positions visited.
fn check_facts<K: Checker>(
    facts: &[Listed<K::Claim>],
    options: &Options,
    new: &(impl Fn() -> K + Sync),
) -> Result<u64, VerifyError> {
    let next = AtomicUsize::new(0);
    // Some thread has taken every fact in front of the first refused one, so the first error is exact.
    let refused = AtomicUsize::new(usize::MAX);
    let work = || {
        let mut checker = new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= facts.len().min(refused.load(Ordering::Relaxed)) {
                return Ok(checker.positions());
            }
            let Listed { line, claim } = &facts[index];
            if let Err(refusal) = checker.check(claim) {
                refused.fetch_min(index, Ordering::Relaxed);
                return Err((index, refusal.at(line, options)));
            }
        }
    };
    let ends = thread::scope(|scope| {
        let spawn = |_| {
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work)
        };
        let threads: Vec<_> = (0..options.cores).map(spawn).collect();
        let ends = threads.into_iter().map(joined);
        ends.collect::<Result<Vec<_>, _>>()
    })?;
    let (mut positions, mut errors) = (0, Vec::new());
    for end in ends {
        match end {
            Ok(visited) => positions += visited,
            Err(error) => errors.push(error),
        }
    }
    let first = errors.into_iter().min_by_key(|(index, _)| *index);
    first.map_or(Ok(positions), |(_, error)| Err(error))
}

/// Runs a function on a thread with a large stack.
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

/// The lands that a text names.
fn lands(text: &str, line: u64) -> Result<Vec<Land>, VerifyError> {
    Land::all_of(text).map_err(|source| VerifyError::Position {
        line,
        text: text.to_owned(),
        source,
    })
}

/// The text of a sum of lands.
fn text(lands: &[Land]) -> String {
    if lands.is_empty() {
        return "!".to_owned();
    }
    let texts: Vec<String> = lands.iter().map(Land::to_string).collect();
    texts.join("+")
}
