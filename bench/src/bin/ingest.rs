//! Measures how the store merges, opens and answers: reports of sorted blocks, merged durably, many at a time; then the
//! store is reopened and queried.
//!
//! ```sh
//! cargo run --release -p sproutnet-bench --bin ingest -- FOLDER [RECORDS] [REPORTS] [KNOWN]
//! ```
//!
//! `FOLDER` is replaced, and kept for inspection; with 0 `RECORDS` it is only opened and queried, with `+RECORDS`
//! records are added. `RECORDS` (5,000,000) come in blocks of 250, `REPORTS` (80) blocks in a merge, each block from
//! one of 16 sources. `KNOWN` (0) of a hundred records have a known key: half of them repeat its value, half add to it.
//! Keys are a game, a convention and 10 to 40 bytes distributed as in encodings of Sprouts. Times include reading the
//! blocks, not making them.
//!
//! Records, blocks and bytes are the same on every machine; times are not. `taskset -c 0` before the program keeps it
//! on one core. After the large merges follow small ones of one block of 50 records, and documents of 10 bytes that
//! only cost a flush. Then the store is opened, queried for present and absent keys, one at a time and in merges, and
//! read if it is not large.

use std::{
    env, fmt, fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use sproutnet_solver::play;
use sproutnet_store::{Batch, Sourced, Store, Worth, block};
use sproutnet_system::machine::{
    cpu_time, forget_peak_memory, peak_memory, processor, resident_memory,
};

const ENCODINGS: &[(&str, u32)] = &[("ingest", 1)];
const REPORT: usize = 250;
const SMALL: usize = 50;
const SMALL_MERGES: usize = 400;
const WORKERS: u64 = 16;
const LOOK_UPS: usize = 50_000;
const REPEATED_MERGES: usize = 10;
/// The maximum number of records for reading the whole store at the end.
const MOST_READ: u64 = 20_000_000;
/// Keys from this number on are never made.
const ABSENT: u64 = 1 << 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = env::args().skip(1);
    let folder = args.next().ok_or("which folder?")?;
    let records = args.next().unwrap_or("5000000".to_owned());
    let mut number = |default| args.next().map_or(Ok(default), |text| text.parse::<u64>());
    let (reports, known) = (number(80)?, number(0)?);
    let folder = Path::new(&folder);
    println!("machine  {}", processor().as_deref().unwrap_or("unknown"));
    println!("commit   {}", commit());
    let is_replaced = !records.starts_with('+');
    let records = records.trim_start_matches('+').parse()?;
    if records > 0 {
        if is_replaced && folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        ingest(folder, records, reports, known)?;
    }
    forget_peak_memory();
    let clock = Clock::start();
    let store = Store::open(folder, ENCODINGS)?;
    println!("opened {} records in {clock}", store.len());
    print_memory(&store)?;
    // Every key below the number of records is in the store, if none is known twice.
    let len = store.len() as u64;
    look_up(&store, "present", |random| key(random.below(len)))?;
    look_up(&store, "absent", |random| key(ABSENT + random.below(len)))?;
    repeat(&store, len, reports)?;
    if len <= MOST_READ {
        let clock = Clock::start();
        let read = store
            .iter()
            .try_fold(0, |read, record| record.map(|_| read + 1))?;
        println!("read {read} records in {clock}");
    }
    print_memory(&store)
}

fn ingest(
    folder: &Path,
    records: u64,
    reports: u64,
    known: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let clock = Clock::start();
    let store = Store::open(folder, ENCODINGS)?;
    println!("opened {} records in {clock}", store.len());
    // Some keys were made twice, so the store has keys with numbers above the number of its records.
    let len = store.len() as u64;
    let mut keys = Keys::new(known, len + len / 32);
    println!(
        "  records  new/s  new/cpu s   merge ms p50    p99    max   blocks  disk B  index B  superseded"
    );
    let step = (records / 10).max(1);
    let mut sent = 0;
    while sent < records {
        let end = (sent + step).min(records);
        large_merges(&store, &mut keys, &mut sent, end, reports)?;
    }
    small_merges(&store, &mut keys)?;
    print_memory(&store)
}

/// Looks up keys one at a time.
fn look_up(
    store: &Store,
    what: &str,
    key: impl Fn(&mut Random) -> Vec<u8>,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Random(7);
    let keys: Vec<_> = (0..LOOK_UPS).map(|_| key(&mut random)).collect();
    let mut times = Vec::with_capacity(keys.len());
    let mut found = 0;
    let clock = Clock::start();
    for key in &keys {
        let start = Instant::now();
        found += u64::from(store.get(key)?.is_some());
        times.push(start.elapsed());
    }
    println!(
        "looked up {} keys, {what}: found {found} in {clock}; ms p50 p99 max: {}",
        keys.len(),
        quantiles(&mut times)
    );
    Ok(())
}

/// Merges records that the store has: all are looked up, and none is written.
fn repeat(store: &Store, len: u64, reports: u64) -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Random(9);
    let merges: Vec<Batch> = (0..REPEATED_MERGES)
        .map(|_| {
            let mut batch = Batch::default();
            for _ in 0..reports * REPORT as u64 {
                batch.push(Sourced {
                    worth: Worth::LEAST,
                    key: &key(random.below(len)),
                    value: 2,
                    source: 1,
                });
            }
            batch
        })
        .collect();
    let (mut sent, mut new) = (0, 0);
    let clock = Clock::start();
    for batch in &merges {
        sent += batch.len();
        new += store.merge(&batch.records(), rule)?.new;
    }
    println!("merged {sent} known records, of which {new} added something, in {clock}");
    Ok(())
}

fn print_memory(store: &Store) -> Result<(), Box<dyn std::error::Error>> {
    let stats = store.stats()?;
    let mib = |bytes: Option<u64>| bytes.unwrap_or(0) >> 20;
    println!(
        "memory: index {} MiB, resident {} MiB, peak {} MiB; disk {} MiB",
        stats.index_bytes >> 20,
        mib(resident_memory()),
        mib(peak_memory()),
        stats.disk_bytes >> 20,
    );
    Ok(())
}

/// The commit that is checked out, and whether the working tree differs from it.
fn commit() -> String {
    let mut git = Command::new("git");
    let described = git.args(["describe", "--always", "--dirty"]).output();
    let text = described.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|_| "unknown".to_owned())
}

/// Wall time and processor time.
struct Clock {
    start: Instant,
    cpu: Duration,
}

impl Clock {
    fn start() -> Self {
        Self {
            start: Instant::now(),
            cpu: cpu_time(),
        }
    }

    fn cpu(&self) -> Duration {
        cpu_time().saturating_sub(self.cpu)
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (passed, cpu) = (self.start.elapsed(), self.cpu());
        write!(f, "{passed:.2?} (processor {cpu:.2?})")
    }
}

/// Merges until `end` records have been merged, and prints a line.
fn large_merges(
    store: &Store,
    keys: &mut Keys,
    sent: &mut u64,
    end: u64,
    reports: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut batch = Batch::default();
    let mut times = Vec::new();
    let mut new = 0;
    let mut cpu = Duration::ZERO;
    while *sent < end {
        let blocks: Vec<_> = (0..reports).map(|_| keys.block(REPORT)).collect();
        let start = Instant::now();
        let clock = Clock::start();
        batch.clear();
        for (block, worker) in &blocks {
            batch.push_block(block, |_| *worker)?;
        }
        let merged = store.merge(&batch.records(), rule)?;
        times.push(start.elapsed());
        cpu += clock.cpu();
        new += merged.new;
        *sent += batch.len() as u64;
    }
    let rate = new as f64 / times.iter().sum::<Duration>().as_secs_f64();
    let stats = store.stats()?;
    println!(
        "{:9}  {:5.0}k  {:5.0}k  {}  {:7}  {:6.2}  {:7.2}  {:10}",
        stats.records,
        rate / 1e3,
        new as f64 / cpu.as_secs_f64() / 1e3,
        quantiles(&mut times),
        stats.blocks,
        stats.disk_bytes as f64 / stats.records as f64,
        stats.index_bytes as f64 / stats.records as f64,
        stats.superseded,
    );
    Ok(())
}

fn small_merges(store: &Store, keys: &mut Keys) -> Result<(), Box<dyn std::error::Error>> {
    let mut flushes = Vec::new();
    let mut merges = Vec::new();
    let mut batch = Batch::default();
    for count in 0..SMALL_MERGES {
        let (block, worker) = keys.block(SMALL);
        let start = Instant::now();
        batch.clear();
        batch.push_block(&block, |_| worker)?;
        store.merge(&batch.records(), rule)?;
        merges.push(start.elapsed());
        let document = format!("{count:010}");
        let start = Instant::now();
        store.put_document("small", document.as_bytes())?;
        flushes.push(start.elapsed());
    }
    println!(
        "merges of {SMALL} records, ms p50 p99 max: {}",
        quantiles(&mut merges)
    );
    println!(
        "a document and its flush, ms p50 p99 max: {}",
        quantiles(&mut flushes)
    );
    Ok(())
}

fn quantiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
    format!("{:12.2} {:6.2} {:6.2}", at(0.5), at(0.99), at(1.0))
}

fn rule(key: &[u8], known: u64, new: u64) -> Option<u64> {
    play::merge(key, known, new).ok()
}

/// Makes keys; those made before can be made again.
struct Keys {
    known: u64,
    random: Random,
    made: u64,
}

impl Keys {
    fn new(known: u64, made: u64) -> Self {
        Self {
            known,
            random: Random(1 + made),
            made,
        }
    }

    /// A block of records, and its source.
    fn block(&mut self, size: usize) -> (Vec<u8>, u32) {
        let mut records: Vec<(Vec<u8>, u64)> = (0..size).map(|_| self.record()).collect();
        records.sort_unstable();
        records.dedup_by(|next, kept| next.0 == kept.0);
        let sourced = records.iter().map(|(key, value)| Sourced {
            worth: Worth::LEAST,
            key,
            value: *value,
            source: 0,
        });
        let block = block::encode(sourced).expect("the keys ascend and are short");
        (block, 1 + self.random.below(WORKERS) as u32)
    }

    fn record(&mut self) -> (Vec<u8>, u64) {
        if self.made > 0 && self.random.below(100) < self.known {
            let which = self.random.below(self.made);
            return (key(which), 2 + 4 * self.random.below(2));
        }
        self.made += 1;
        (key(self.made - 1), 2)
    }
}

/// The key with this number.
fn key(number: u64) -> Vec<u8> {
    let mut random = Random(number << 8);
    let length = 10 + random.below(31);
    let symbol = |_| {
        // Small symbols are frequent.
        let bits = random.next();
        (bits as u8 % 9)
            .min((bits >> 8) as u8 % 9)
            .min((bits >> 16) as u8 % 16)
    };
    [0, b'n']
        .into_iter()
        .chain((0..length).map(symbol))
        .collect()
}

/// splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}
