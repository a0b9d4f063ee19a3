//! The coordinator as plain blocking calls, safe to make from any thread. The caller passes the time.
//!
//! [`Coordinator`] has a field for each role. All share the [`Core`], and change it in transactions.
//!
//! - [`core`]: the state, its lock, and transactions.
//! - [`computations`]: computations of clients; [`owners`]: for whom; [`estimates`]: their expected work.
//! - [`jobs`] and [`reports`]: workers, their leases and reports.
//! - [`queries`]: queries about positions and games.
//! - [`sources`]: the sources of records; revocation.
//! - [`audits`] and [`attribution`]: records are proved again; the source of a false one is found.
//! - [`certificates`]: checks of certificates.
//! - [`exports`] and [`imports`]: copies of the records, from and into a store in use; [`backups`]: when they ended.
//! - [`mod@matches`]: matches between two people; [`short_links`]: short addresses of other matches; [`lifetime`]: how
//!   long both are kept.
//! - [`maintenance`]: periodic work.
//! - [`state`](fn@Coordinator::state): the figures of the coordinator and its workers.

mod attribution;
mod audits;
mod backups;
mod certificates;
mod computations;
mod core;
mod estimates;
mod exports;
mod imports;
mod jobs;
mod lifetime;
mod maintenance;
mod matches;
mod owners;
mod queries;
mod reports;
mod short_links;
mod sources;
mod state;
mod timings;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use sproutnet_game as game;
use sproutnet_model::Source;
use sproutnet_solver::play::LeastWorth;
use sproutnet_store::Store;
use sproutnet_system::options::Nice;
use tokio::sync::watch;

use self::backups::Backups;
use self::core::Core;
use crate::audit::share::AuditShare;
use crate::ledger::Ledger;
use crate::locks::{Lock, Rank};
use crate::scheduler::Scheduler;
use crate::scheduler::computation::Status;
use crate::scheduler::job_size::JobSize;
use crate::scheduler::quotas::Quotas;
use crate::{CoordinatorError, Health};

pub use audits::Audits;
pub use certificates::{Certificates, Verified};
pub use computations::{Computations, Detail, Start, Started};
pub use imports::Imports;
pub use jobs::{Introduction, Jobs};
pub use matches::{Matches, SharedMatch};
pub use owners::check_names;
pub use queries::{Lookup, Queries};
pub use reports::{Fault, Finding, Report, ReportContent};
pub use short_links::ShortLinks;
pub use sources::RecordSources;
pub use state::{State, WorkerState};
pub use timings::{Distribution, Timings};

/// The configuration of a coordinator.
#[derive(Clone, Debug)]
pub struct Config {
    /// The maximum memory of the proofs and of their knowledge, in bytes.
    pub memory: usize,
    /// Whether running computations go on after a restart; else they are paused.
    pub resume: bool,
    /// The space kept free on the disk of the store, in bytes. With less free, nothing is written and no jobs are
    /// handed out. `None` for 256 MiB, or a tenth of a smaller disk.
    pub disk_reserve: Option<u64>,
    /// Whether computations wait while the disk is full; else they fail.
    pub waits_for_disk_space: bool,
    /// Whether a backup in the folder becomes the coordinator's store. Otherwise it is refused.
    pub takes_over: bool,
    /// The size of jobs.
    pub job_size: JobSize,
    /// The quotas of owners.
    pub quotas: Quotas,
    /// The duration of a lease without a renewal.
    pub lease: Duration,
    /// The minimum time between two checkpoints.
    pub checkpoint: Duration,
    /// The maximum time for searches of small positions during one query.
    pub on_the_spot: Duration,
    /// The time limit for sending and checking a certificate; `None` for no limit.
    pub verify_limit: Option<Duration>,
    /// The niceness of the threads that take in reports over [`rpc`](crate::rpc). Only on Linux, where each thread has
    /// its own.
    pub nice: Nice,
    /// The share of the records of workers in other processes that is audited.
    pub audit: AuditShare,
    /// The limit on the records that all workers together send in a day, in bytes. `None` for no limit.
    pub record_budget: Option<u64>,
    /// A fixed least worth of the facts that workers send; replaces the record budget.
    pub least_worth: Option<LeastWorth>,
    /// The limit on the store's size on disk, in bytes. `None` for no limit.
    pub store_budget: Option<u64>,
    /// The folder with the certificates of the atlas, for downloads; `None` if they are not here.
    pub atlas: Option<PathBuf>,
    /// Seed for sampling audits; random if `None`.
    pub seed: Option<u64>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            resume: true,
            disk_reserve: None,
            waits_for_disk_space: true,
            takes_over: true,
            job_size: JobSize::default(),
            quotas: Quotas::default(),
            lease: Duration::from_secs(30),
            checkpoint: Duration::from_secs(30),
            on_the_spot: Duration::from_secs(10),
            verify_limit: None,
            nice: Nice(0),
            audit: AuditShare::OFF,
            record_budget: None,
            least_worth: None,
            store_budget: None,
            atlas: None,
            seed: None,
        }
    }
}

/// A coordinator: its calls by role.
pub struct Coordinator {
    core: Arc<Core>,
    /// Computations: started, watched, stopped and listed.
    pub computations: Computations,
    /// Workers, their leases and reports.
    pub jobs: Jobs,
    /// Queries about positions and games.
    pub queries: Queries,
    /// The sources of records, and revocation.
    pub sources: RecordSources,
    /// Audits of workers' records.
    pub audits: Audits,
    /// Checks of certificates.
    pub certificates: Certificates,
    /// Imports of exports.
    pub imports: Imports,
    /// Matches between two people.
    pub matches: Matches,
    /// Short addresses of matches on the board.
    pub short_links: ShortLinks,
    /// The number of blocks sent over the feeds of workers.
    pub(crate) fed: AtomicU64,
    /// The size of these blocks, in bytes.
    pub(crate) fed_bytes: AtomicU64,
    /// When the store was last backed up.
    pub(crate) backups: Backups,
    maintenance: Lock<maintenance::Due>,
    began: Instant,
}

impl Coordinator {
    /// Opens or creates the store in a folder, and restores its computations.
    ///
    /// # Errors
    /// The store cannot be opened, or a document in it cannot be read.
    pub fn open(data: &Path, config: Config, now: Instant) -> Result<Self, CoordinatorError> {
        let ledger = Ledger::open(data, config.disk_reserve, config.takes_over)?;
        if let Some(budget) = config.store_budget {
            ledger.check_budget(budget);
        }
        let knowledge = Arc::new(ledger.knowledge());
        let scheduler = Scheduler::new(knowledge, config.job_size, config.lease, random());
        if !config.quotas.is_empty() {
            tracing::info!("quotas: {}", config.quotas);
        }
        let scheduler = scheduler.with_quotas(config.quotas.clone());
        let mut scheduler = scheduler.in_epoch(ledger.store().epoch());
        for entry in ledger.checkpoints().get() {
            scheduler.exchange_mut().entries_mut().hear(entry);
        }
        for (id, saved) in ledger.computations()? {
            let runs = saved.status() == Status::Running;
            let restored = saved.restore(now);
            let mut computation = restored.map_err(|error| {
                CoordinatorError::Invalid(format!("computation {id} in the store: {error}"))
            })?;
            // The result may have become durable just before the last process ended.
            if let Some(solved) = ledger.result_of(computation.request())? {
                computation.conclude(&solved, Source::Store);
            }
            scheduler.add_as(id, computation);
            if runs && !config.resume {
                scheduler.pause(id, None, now);
            }
        }
        let matches = Matches::restore(&ledger)?;
        let short_links = ShortLinks::restore(&ledger)?;
        let seed = config.seed.unwrap_or_else(random);
        let core = Arc::new(Core::new(config, ledger, scheduler, seed));
        let forgotten = core.transact(now, |scheduler, changes| {
            changes.forgotten = scheduler.forget_old();
            Ok(())
        });
        match forgotten {
            // They are removed at a later start.
            Err(CoordinatorError::DiskFull(_)) => {}
            forgotten => forgotten?,
        }
        Ok(Self {
            computations: Computations(Arc::clone(&core)),
            jobs: Jobs::new(Arc::clone(&core), now),
            queries: Queries::new(Arc::clone(&core)),
            sources: RecordSources(Arc::clone(&core)),
            audits: Audits::new(Arc::clone(&core)),
            certificates: Certificates {
                core: Arc::clone(&core),
                verifying: Lock::new(Rank::Verification, ()),
            },
            imports: Imports {
                core: Arc::clone(&core),
                folder: Imports::folder(data),
                importing: Lock::new(Rank::Import, ()),
            },
            matches: Matches::new(Arc::clone(&core), matches),
            short_links: ShortLinks::new(Arc::clone(&core), short_links),
            fed: AtomicU64::new(0),
            fed_bytes: AtomicU64::new(0),
            backups: Backups::new(),
            maintenance: Lock::new(Rank::Maintenance, maintenance::Due::from(now)),
            began: now,
            core,
        })
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.core.config
    }

    /// The health, now and whenever it changes.
    pub fn health(&self) -> watch::Receiver<Health> {
        self.core.ledger.health()
    }

    /// The records, for reading.
    pub fn store(&self) -> &Store {
        self.core.ledger.store()
    }

    /// The store's cursor, now and whenever records are added.
    pub fn cursor(&self) -> watch::Receiver<u64> {
        self.core.ledger.cursor()
    }

    /// Makes the results reached so far durable, then shows them.
    ///
    /// # Errors
    /// The disk is full: the results wait for room. Or the store failed: their computations fail.
    pub fn conclude(&self, now: Instant) -> Result<(), CoordinatorError> {
        self.core.conclude(now)
    }
}

fn parse(text: &str) -> Result<(Arc<dyn game::Game>, game::Position), CoordinatorError> {
    game::parse(text).map_err(|error| CoordinatorError::Invalid(error.to_string()))
}

/// A random number below 2^56, so that counting up from it cannot overflow.
fn random() -> u64 {
    RandomState::new().hash_one(()) >> 8
}
