//! Makes certificates: all facts that a proof needs, and as few as can be found.
//!
//! - [`normal`] and [`misere`]: what facts rest on.
//! - [`support`]: a small set of claims that supports itself.
//! - [`engine`]: searches for what is missing, [`sums`]: moves in sums of lands.
//!
//! Facts may come from an archive. None is taken on trust: one that does not follow from others is no part of
//! a proof, whoever told it.

mod engine;
mod marks;
mod misere;
mod normal;
mod sums;
mod support;

use std::io::{self, Cursor, Write};
use std::sync::Arc;
use std::thread;

pub use marks::Marks;

use self::engine::Engine;
use self::support::{Grounds, Least, Logic, least};
use sproutnet_certificate::format::{Claim, Fact, Header, Writer};
use sproutnet_game::{Game, Lands, Position, Sprouts};
use sproutnet_solver::play::{Archive, Contradiction, Convention, Outcome, Play};
use sproutnet_solver::search::Table;

/// Searches recurse as deep as the longest play, several frames a move.
const STACK: usize = 256 << 20;

/// Steps of work in about a second.
const STEPS_OF_A_SECOND: u64 = 25_000_000;

/// With what a proof is made.
#[derive(Clone, Debug)]
pub struct Means {
    /// How many threads search for the outcome, if the archive does not tell.
    pub cores: usize,
    /// In bytes. A quarter of it is for the table of searches. When all is taken, a proof gets no smaller.
    pub memory: usize,
    /// How long to make the proof smaller, in units of about a second. Work is counted, not timed: with one
    /// core, the same proof comes of the same archive.
    pub effort: u64,
    /// Decides among what looks equally good.
    pub seed: u64,
}

impl Means {
    /// How much work it may be to make the proof smaller, in steps.
    fn steps(&self) -> u64 {
        self.effort.saturating_mul(STEPS_OF_A_SECOND)
    }

    /// What the table of a search takes, in bytes.
    fn table(&self) -> usize {
        self.memory / 4
    }

    fn new_table(&self) -> Result<Table, ProveError> {
        let bytes = self.table();
        Table::new(bytes).ok_or(ProveError::Memory(bytes))
    }
}

/// How far the making of a proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The outcome is searched for.
    Solving,
    /// A proof of so many facts was found; there may be a smaller one.
    Found(usize),
}

/// A proof, to be written as a certificate.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What is proved.
    pub claim: Claim,
    /// What it rests on, each fact on some before it.
    pub facts: Vec<Fact>,
}

impl Proof {
    /// Writes the certificate, and tells what its header says.
    ///
    /// # Errors
    /// `out` cannot be written.
    pub fn write(&self, out: impl Write) -> io::Result<Header> {
        let mut writer = Writer::new(Cursor::new(Vec::new()));
        for fact in &self.facts {
            writer.fact(fact)?;
        }
        writer.finish(self.claim.clone(), out)
    }
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// There is no memory for a table of so many bytes.
    #[error("there is no room for a table of {0} bytes")]
    Memory(usize),
    /// A thread could not be started.
    #[error("a thread could not be started")]
    Thread(#[source] io::Error),
    /// Two facts cannot both be true.
    #[error("what is known contradicts itself")]
    Contradiction(#[from] Contradiction),
    /// A fact is known that does not follow.
    #[error("what is known of {0} cannot be proved: a fact in the store must be wrong")]
    Unfounded(String),
    /// A value is too large to be written.
    #[error("a value is too large for a certificate: {0}")]
    LargeValue(String),
}

/// Proves who wins a position of Sprouts, with what the archive knows, and searches for the rest.
///
/// # Errors
/// There is not enough memory, a thread could not be started, or the archive holds what is wrong.
pub fn prove(
    position: &Position,
    play: Play,
    archive: Option<Arc<dyn Archive>>,
    means: &Means,
    tell: &(dyn Fn(Stage) + Sync),
) -> Result<Proof, ProveError> {
    let lands = Arc::new(Lands::new(Arc::new(Sprouts)));
    let table = means.new_table()?;
    tell(Stage::Solving);
    let act = || match play {
        Play::Normal => normal::prove(&Task {
            position,
            engine: Engine::new(&knowing(lands, archive), &table),
            means,
            tell,
        }),
        Play::Misere => misere::prove(&Task {
            position,
            engine: Engine::new(&knowing(lands, archive), &table),
            means,
            tell,
        }),
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("prove".to_owned());
        let thread = thread.stack_size(STACK).spawn_scoped(scope, act);
        let joined = thread.map_err(ProveError::Thread)?.join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn knowing<C: Convention>(lands: Arc<Lands>, archive: Option<Arc<dyn Archive>>) -> C {
    match archive {
        Some(archive) => C::over(lands, archive),
        None => C::new(lands),
    }
}

/// Claims that can be written as facts.
trait Statements: Logic {
    /// What a claim is about.
    fn position(&self, claim: support::Claim) -> Position;

    /// # Errors
    /// A value is too large to be written.
    fn fact(&self, claim: support::Claim) -> Result<Fact, ProveError>;
}

/// A question about a position, and what finds the answer's proof.
struct Task<'a, C> {
    position: &'a Position,
    engine: Engine<'a, C>,
    means: &'a Means,
    tell: &'a dyn Fn(Stage),
}

impl<C: Convention> Task<'_, C> {
    /// The proof that an outcome follows from a small set of claims that are facts. Lands of at most `small`
    /// lives need none.
    ///
    /// # Errors
    /// Some claim cannot be proved or written, or two contradict each other.
    fn proof(
        &self,
        outcome: Outcome,
        root: &Grounds,
        statements: &mut impl Statements,
        small: u32,
    ) -> Result<Proof, ProveError> {
        let how = Least {
            effort: self.means.steps(),
            seed: self.means.seed,
            most_bytes: self.means.memory - self.means.table(),
            tell: &|size| (self.tell)(Stage::Found(size)),
        };
        let claims = least(statements, root, &how);
        self.engine.agreed()?;
        let claims = claims.map_err(|unmet| {
            let unmet = unmet.map(|claim| statements.position(claim));
            let unmet = unmet.unwrap_or_else(|| self.position.clone());
            ProveError::Unfounded(Sprouts.print(&unmet))
        })?;
        let mut facts = Vec::with_capacity(claims.len());
        for claim in claims {
            let fact = statements.fact(claim)?;
            facts.push((statements.rank(claim), fact.to_string(), fact));
        }
        facts.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        Ok(Proof {
            claim: Claim {
                play: C::PLAY,
                position: Sprouts.print(self.position),
                outcome,
                small,
                tool: concat!("sproutnet ", env!("CARGO_PKG_VERSION")).to_owned(),
            },
            facts: facts.into_iter().map(|(_, _, fact)| fact).collect(),
        })
    }
}
