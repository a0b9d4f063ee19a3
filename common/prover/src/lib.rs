//! Makes certificates: the facts of a proof, as few as possible.
//!
//! - [`normal`] and [`misere`]: the grounds of facts.
//! - [`support`]: finds a small set of claims that supports itself.
//! - [`engine`]: searches for missing facts, and moves in sums of lands.
//! - [`VerifiedRecords`]: the facts of an accepted certificate, as records.
//!
//! Facts may come from an archive. None is trusted: a fact that does not follow from others cannot be part of a
//! proof, whatever its source.

mod engine;
mod misere;
mod normal;
mod support;
mod verified_records;

use std::io::{self, Write};
use std::sync::Arc;
use std::thread;

pub use verified_records::VerifiedRecords;

use self::engine::Engine;
use self::support::{Effort, Grounds, Logic, minimize};
use sproutnet_certificate::format::{self, Claim, Fact, Header, Ruleset};
use sproutnet_game::{Game, Lands, Position};
use sproutnet_solver::play::{Archive, Contradiction, Convention, Misere, Outcome, Play};
use sproutnet_solver::search::Table;

/// The stack of a search, in bytes. Recursion is as deep as the longest play, with several frames a move.
const STACK: usize = 256 << 20;

/// The steps of work in about a second.
const STEPS_OF_A_SECOND: u64 = 25_000_000;

/// The resources to make a proof with.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The number of threads that search for the outcome, if the archive does not have it.
    pub cores: usize,
    /// Memory in bytes. A quarter of it is for the search table. Once all of it is used, the proof is not made smaller.
    /// If no proof was found yet, one pass finds one. The facts of searches are not limited by this, but under normal
    /// play there is only one search if its facts take more than another quarter.
    pub memory: usize,
    /// The effort to make the proof smaller, in units of about a second. With 0, one pass finds a proof. Work is
    /// counted, not timed: with one core, the same archive gives the same proof.
    pub effort: u64,
    /// Seeds the choices among equally good grounds.
    pub seed: u64,
}

impl Limits {
    /// The effort to make the proof smaller, in steps of work.
    fn steps(&self) -> u64 {
        self.effort.saturating_mul(STEPS_OF_A_SECOND)
    }

    /// The size of a search table, in bytes.
    fn table(&self) -> usize {
        self.memory / 4
    }

    fn new_table(&self) -> Result<Table, ProveError> {
        let bytes = self.table();
        Table::new(bytes).ok_or(ProveError::Memory(bytes))
    }
}

/// The progress of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The search for the outcome has begun.
    Solving,
    /// A proof of this many facts was found. A smaller one may follow.
    Found(usize),
}

/// A proof, which can be written as a certificate.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The claim.
    pub claim: Claim,
    /// The facts. Each rests on facts before it.
    pub facts: Vec<Fact>,
}

impl Proof {
    /// Writes the certificate, and returns its header.
    ///
    /// # Errors
    /// `out` cannot be written.
    pub fn write(&self, out: impl Write) -> io::Result<Header> {
        format::write(self.claim.clone(), &self.facts, out)
    }
}

/// The reason why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// The game has no certificates.
    #[error("{}", no_certificates(.0))]
    NoCertificates(&'static str),
    /// There is no memory for a table of this many bytes.
    #[error("there is not enough memory for a table of {0} bytes")]
    Memory(usize),
    /// A thread cannot be started.
    #[error("a thread cannot be started")]
    Thread(#[source] io::Error),
    /// Two facts cannot both be true.
    #[error("two known facts contradict each other")]
    Contradiction(#[from] Contradiction),
    /// A known fact does not follow from others.
    #[error("a known fact about {0} cannot be proved: a fact in the store must be wrong")]
    Unfounded(String),
    /// A value is too large for the format.
    #[error("a value is too large for a certificate: {0}")]
    LargeValue(String),
}

/// Proves the outcome of a position. Facts come from searches. The archive guides them under normal play, and its facts
/// are used directly under misère play.
///
/// # Errors
/// There are no certificates of this game, there is not enough memory, a thread cannot be started, or the archive has a
/// false fact.
pub fn prove(
    game: Arc<dyn Game>,
    position: &Position,
    play: Play,
    archive: Option<Arc<dyn Archive>>,
    limits: &Limits,
    report: &(dyn Fn(Stage) + Sync),
) -> Result<Proof, ProveError> {
    let Some(ruleset) = Ruleset::named(game.name()) else {
        return Err(ProveError::NoCertificates(game.name()));
    };
    let lands = Arc::new(Lands::new(game));
    let task = Task {
        game: &**lands.game(),
        position,
        ruleset,
        limits,
        report,
    };
    report(Stage::Solving);
    let act = || match play {
        Play::Normal => normal::prove(&task, &Arc::new(convention(&lands, archive))),
        Play::Misere => {
            // The states of an archive are written with all heaps found.
            let uses_all_heaps = archive.is_some();
            let known: Misere = convention(&lands, archive);
            let known = if uses_all_heaps {
                known
            } else {
                known.with_few_heaps()
            };
            misere::prove(&task, &known)
        }
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("prove".to_owned());
        let thread = thread.stack_size(STACK).spawn_scoped(scope, act);
        let joined = thread.map_err(ProveError::Thread)?.join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A convention with the knowledge of an archive.
fn convention<C: Convention>(lands: &Arc<Lands>, archive: Option<Arc<dyn Archive>>) -> C {
    let lands = Arc::clone(lands);
    match archive {
        Some(archive) => C::over(lands, archive),
        None => C::new(lands),
    }
}

/// The message about a game without certificates.
#[must_use]
pub fn no_certificates(game: &str) -> String {
    let names = Ruleset::ALL.map(Ruleset::name);
    format!("{game} has no certificates; {} have", names.join(" and "))
}

/// Claims that can be written as facts.
trait Statements: Logic {
    /// The claim as a fact.
    ///
    /// # Errors
    /// A value is too large for the format.
    fn fact(&self, claim: support::Claim) -> Result<Fact, ProveError>;
}

/// A position whose outcome is to be proved.
struct Task<'a> {
    game: &'a dyn Game,
    position: &'a Position,
    ruleset: Ruleset,
    limits: &'a Limits,
    report: &'a (dyn Fn(Stage) + Sync),
}

impl Task<'_> {
    /// The text of the position.
    fn text(&self) -> String {
        self.game.print(self.position)
    }

    /// The proof of an outcome from a small set of claims. Lands of at most the rank `small` need no facts.
    ///
    /// # Errors
    /// A claim cannot be proved or written, or two contradict each other.
    fn proof<C: Convention>(
        &self,
        engine: &Engine<'_, C>,
        outcome: Outcome,
        root: &Grounds,
        statements: &mut impl Statements,
        small: u32,
    ) -> Result<Proof, ProveError> {
        let effort = Effort {
            steps: self.limits.steps(),
            seed: self.limits.seed,
            max_bytes: self.limits.memory - self.limits.table(),
            report: &|size| (self.report)(Stage::Found(size)),
        };
        let claims = minimize(statements, root, &effort);
        engine.check_agreement()?;
        let claims = match claims {
            Ok(claims) => claims,
            Err(None) => return Err(ProveError::Unfounded(self.text())),
            Err(Some(unmet)) => {
                let (Fact::Equals { land: text, .. } | Fact::Lost { position: text, .. }) =
                    statements.fact(unmet)?;
                return Err(ProveError::Unfounded(text));
            }
        };
        let mut facts = Vec::with_capacity(claims.len());
        for claim in claims {
            let fact = statements.fact(claim)?;
            facts.push((statements.rank(claim), fact.to_string(), fact));
        }
        facts.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        Ok(Proof {
            claim: Claim {
                game: self.ruleset,
                play: C::PLAY,
                position: self.text(),
                outcome,
                small,
                tool: concat!("sproutnet ", env!("CARGO_PKG_VERSION")).to_owned(),
            },
            facts: facts.into_iter().map(|(_, _, fact)| fact).collect(),
        })
    }
}
