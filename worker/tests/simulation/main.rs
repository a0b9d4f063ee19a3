//! A cluster in simulation: a coordinator, workers and people on a simulated network, in simulated time,
//! with real code, real stores and injected faults.
//!
//! A seed determines the positions to solve, the delays and losses of messages, crashes, the calls of clients, and
//! whether one worker is hostile. These properties hold at all times:
//! - every reported outcome is right, and is never taken back;
//! - computations keep their numbers;
//! - records that the coordinator acknowledged or showed survive a crash;
//! - each leased job finished, expired, was returned, or is still leased;
//! - nothing panics.
//!
//! After the last fault, every computation ends, workers stop in time, the coordinator has every record of
//! the workers' stores, and the records of all seeds agree.
//!
//! A plain run takes 60 seeds, one with `SPROUTNET_FULL_TESTS=1` takes 200. `SPROUTNET_SEEDS` overrides
//! the number, and `SPROUTNET_FIRST_SEED` the first one. `SPROUTNET_SEED` runs one seed and writes its log
//! (`RUST_LOG` filters it).
//!
//! The same seed injects the same faults at the same times. Searches take no simulated time, but real time
//! limits them, so their progress and order differ from run to run. So do the random ids of leases and
//! workers, and the order of threads that call a store. A failing seed may not fail at each run.

mod cluster;
mod disk;
mod faults;
mod hosts;
mod network;
mod people;
mod positions;
mod stranger;
mod witness;

use sproutnet_transport::telemetry::log_filter;
use std::panic;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// The allocator of the programs, in which threads share freed memory.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of seeds of a plain run, and of a full one.
const SEEDS: u64 = 60;
const FULL_SEEDS: u64 = 200;

/// The number of panics in all threads. A runtime would hide those of its tasks.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// Whether tests run at full length.
fn is_full() -> bool {
    std::env::var_os("SPROUTNET_FULL_TESTS").is_some_and(|value| value == "1")
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().expect("a number"))
}

/// Why a seed failed, if it did. Panics are counted separately.
fn failure_of(seed: u64) -> Option<String> {
    let began = Instant::now();
    let failure = match panic::catch_unwind(|| cluster::run(seed).map_err(|e| e.to_string())) {
        Ok(Ok(summary)) => {
            println!("seed {seed}: {:.2?}, {summary}", began.elapsed());
            return None;
        }
        Ok(Err(violation)) => violation,
        Err(_) => "a panic".to_owned(),
    };
    println!("seed {seed} FAILED: {failure}");
    Some(format!("seed {seed}: {failure}"))
}

#[test]
fn whatever_goes_wrong_the_cluster_keeps_what_it_knows_and_ends_what_it_began() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        report(panic);
    }));
    let one = number("SPROUTNET_SEED");
    if one.is_some() {
        let log = tracing_subscriber::fmt::layer().with_filter(log_filter(LevelFilter::INFO));
        tracing_subscriber::registry().with(log).init();
    }
    let first = one.or_else(|| number("SPROUTNET_FIRST_SEED")).unwrap_or(0);
    let seeds = if is_full() { FULL_SEEDS } else { SEEDS };
    let count = one.map_or_else(|| number("SPROUTNET_SEEDS").unwrap_or(seeds), |_| 1);
    let seeds = Mutex::new(first..first + count);
    let failures = Mutex::new(Vec::new());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(seed) = seeds.lock().expect("no panic").next() else {
                        return;
                    };
                    let failure = failure_of(seed);
                    failures.lock().expect("no panic").extend(failure);
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    let panics = PANICS.load(Ordering::Relaxed);
    assert!(
        failures.is_empty() && panics == 0,
        "{} of {count} seeds failed, with {panics} panics: {failures:#?}\nto run one again: \
         SPROUTNET_SEED=N cargo test --release -p sproutnet-worker --test simulation -- --nocapture",
        failures.len()
    );
}
