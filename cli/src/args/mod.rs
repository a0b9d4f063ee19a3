//! The command line. Every option can also be given by an environment variable.

mod proofs;
mod store;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::FalseyValueParser;
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use sproutnet_solver::play::{Play, Switch};
use sproutnet_system::options::{Cores, Memory};
use sproutnet_transport::credentials::ConnectArgs;

use crate::bench::Suite;

pub(crate) use proofs::{Mark, Prove, Verify};
pub(crate) use store::{Check, Export, Import, Merge, Store, StoreAct};

/// Solves Sprouts in normal and misère play, and stores the results.
#[derive(Debug, Parser)]
#[command(name = "sproutnet", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The heading of the global options.
const GLOBAL: &str = "Options of every command";

/// Options of every command.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    /// The folder of the store; created if missing
    #[arg(long, global = true, help_heading = GLOBAL, env = "SPROUTNET_DATA", value_name = "DIR")]
    #[arg(default_value = "./sproutnet-data")]
    pub(crate) data: PathBuf,
    /// Use the coordinator at http://HOST:PORT instead of running one over --data
    #[arg(long, global = true, help_heading = GLOBAL, env = "SPROUTNET_COORDINATOR", value_name = "URL")]
    pub(crate) coordinator: Option<String>,
    #[command(flatten)]
    pub(crate) credentials: ConnectArgs,
    /// Print JSON, one object per line
    #[arg(long, global = true, help_heading = GLOBAL, env = "SPROUTNET_JSON", value_parser = FalseyValueParser::new())]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Determine who wins positions; search if the store has no answer
    Solve(Solve),
    /// Follow a computation until it ends, or all activity of a coordinator
    Watch(Watch),
    /// List the running computations and the most recently ended ones
    List,
    /// Pause computations: lease no more of their jobs until they are resumed
    Pause(Chosen),
    /// Resume computations that were paused, cancelled or reached their deadline
    Resume(Chosen),
    /// Cancel computations; their proved records are kept
    Cancel(Chosen),
    /// Show the state of a coordinator and its workers
    Fleet(Fleet),
    /// Show which workers reported records, or the records of one worker
    Records(Records),
    /// Quarantine a worker and revoke all records since its first report
    ///
    /// Records that other workers reported since then may depend on its records, so all of them are
    /// searched again. A coordinator does this on its own when an audit finds a false record.
    #[command(alias = "withdraw")]
    Revoke(Revoke),
    /// Show what is known about a position; search a small one if necessary
    Query(Query),
    /// List the moves of a position with their outcomes, winning moves first
    Moves(Moves),
    /// Show a line of play to the end in which the winner plays to win
    Line(Line),
    /// Draw a position of Sprouts as an SVG picture
    Draw(Draw),
    /// Show the known outcomes of start positions, solved here or published
    Table(Table),
    /// Write the records of the store to a file that any store can import
    ///
    /// After an interruption, the same command continues where it stopped.
    Export(Export),
    /// Import the records of export files into the store
    ///
    /// After an interruption, the same command continues where it stopped. Repeating it is harmless.
    Import(Import),
    /// Import the records of other stores or export files into the store
    Merge(Merge),
    /// Maintain the store
    Store(Store),
    /// Write a certificate: a small set of facts that proves who wins a position
    Prove(Prove),
    /// Check certificates against the rules alone, without a coordinator or a store
    Verify(Verify),
    /// Have the coordinator check certificates and mark the proved records as verified
    Mark(Mark),
    /// Measure how fast this machine solves positions, without a coordinator or a store
    ///
    /// The printed commit is the value of SPROUTNET_COMMIT at build time, or `unknown`.
    Bench(Bench),
    /// Print a shell completion script
    Completions(Completions),
    /// Print the manual page, or write one page per command
    Man(Man),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Solve {
    /// Positions such as `0*3.1a1a` or `kayles:5+3`, ranges of start positions such as `0..=12`
    /// or `kayles:0..=83`, or `-` to read positions from standard input, one per line
    #[arg(required = true, value_name = "POSITION")]
    pub(crate) roots: Vec<String>,
    /// The play convention
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "normal")]
    pub(crate) play: Plays,
    /// Also find the nimber (normal play only)
    #[arg(long, env = "SPROUTNET_NIMBER", value_parser = FalseyValueParser::new())]
    pub(crate) nimber: bool,
    /// The time limit for each position, such as `90s`, `10m` or `2h`
    #[arg(long, env = "SPROUTNET_DEADLINE", value_name = "TIME", value_parser = duration)]
    pub(crate) deadline: Option<Duration>,
    /// Computations of higher priority get workers first; may be negative [default: 0]
    #[arg(
        long,
        env = "SPROUTNET_PRIORITY",
        value_name = "N",
        allow_negative_numbers = true
    )]
    pub(crate) priority: Option<i32>,
    /// Print the ids of the computations and exit; the coordinator continues them
    #[arg(long, env = "SPROUTNET_DETACH", value_parser = FalseyValueParser::new())]
    pub(crate) detach: bool,
    /// The number of search threads [default: all cores]
    #[arg(long, env = "SPROUTNET_CORES", value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// The memory for the search: an amount, or a percentage of the machine's memory
    #[arg(long, env = "SPROUTNET_MEMORY", value_name = "SIZE", default_value_t)]
    pub(crate) memory: Memory,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Watch {
    /// The computation: its id, as `list` shows it, or its position [default: all, and the workers]
    #[arg(value_name = "ID|POSITION")]
    pub(crate) named: Option<String>,
    /// The play convention, if a position has several computations
    #[arg(long, env = "SPROUTNET_PLAY", value_enum)]
    pub(crate) play: Option<Plays>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Chosen {
    /// The computations: their ids, as `list` shows them, or their positions
    #[arg(required = true, value_name = "ID|POSITION")]
    pub(crate) named: Vec<String>,
    /// The play convention, if a position has several computations
    #[arg(long, env = "SPROUTNET_PLAY", value_enum)]
    pub(crate) play: Option<Plays>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Fleet {
    /// Refresh every second until Ctrl-C
    #[arg(long, env = "SPROUTNET_WATCH", value_parser = FalseyValueParser::new())]
    pub(crate) watch: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Records {
    /// List the records of this worker, given by name or source number
    #[arg(long, env = "SPROUTNET_SOURCE", value_name = "NAME|NUMBER")]
    pub(crate) source: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Revoke {
    /// The worker, by name or source number, as shown by `records`
    #[arg(long, env = "SPROUTNET_SOURCE", value_name = "NAME|NUMBER")]
    pub(crate) source: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Query {
    /// The position, or `-` to read positions from standard input, one per line
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The play convention that determines the exit code
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "both")]
    pub(crate) play: Plays,
    /// The time limit for searching an unknown position of up to 12 spots; at most 10s
    #[arg(long, env = "SPROUTNET_WITHIN", value_name = "TIME", value_parser = duration_or_none)]
    #[arg(default_value = "1s")]
    pub(crate) within: Duration,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Moves {
    /// The position
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The play convention to sort by
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "normal")]
    pub(crate) play: Plays,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Line {
    /// The position
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The play convention
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "normal")]
    pub(crate) play: OnePlay,
    /// The time limit for searching unknown positions; at most 10s
    #[arg(long, env = "SPROUTNET_WITHIN", value_name = "TIME", value_parser = duration_or_none)]
    #[arg(default_value = "1s")]
    pub(crate) within: Duration,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Draw {
    /// The position
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The file to write, or `-` for standard output [default: -]
    #[arg(short, long, env = "SPROUTNET_OUTPUT", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The labels of the spots
    #[arg(long, env = "SPROUTNET_LABELS", value_enum, default_value = "lives")]
    pub(crate) labels: Written,
}

/// The labels of the spots in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Written {
    /// Nothing
    None,
    /// The number of lines each spot can still take
    Lives,
    /// The lives and the number of each spot
    Names,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Table {
    /// The game
    #[arg(value_name = "GAME", default_value = "sprouts")]
    pub(crate) game: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Positions and ranges of start positions, as for `solve`, instead of a suite
    #[arg(value_name = "POSITION")]
    pub(crate) roots: Vec<String>,
    /// What to measure [default: quick, unless positions are given]
    #[arg(long, env = "SPROUTNET_SUITE", value_enum)]
    pub(crate) suite: Option<Suite>,
    /// The play convention of the positions; a suite has its own [default: normal]
    #[arg(long, env = "SPROUTNET_PLAY", value_enum)]
    pub(crate) play: Option<Plays>,
    /// Keep results from one position to the next
    #[arg(long, env = "SPROUTNET_WARM", value_parser = FalseyValueParser::new())]
    pub(crate) warm: bool,
    /// The number of search threads per position
    #[arg(long, env = "SPROUTNET_THREADS", value_name = "N", default_value = "1")]
    pub(crate) threads: Cores,
    /// The number of repetitions; the median is reported
    #[arg(long, env = "SPROUTNET_REPEAT", value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) repeat: u16,
    /// The seed for breaking ties; with one thread, equal seeds give equal counts
    #[arg(long, env = "SPROUTNET_SEED", value_name = "N", default_value = "0")]
    pub(crate) seed: u64,
    /// The memory of the transposition table: an amount, or a percentage of the machine's memory
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "128MiB"
    )]
    pub(crate) memory: Memory,
    /// The time limit for each position, such as `90s`, `10m` or `2h`
    #[arg(long, env = "SPROUTNET_DEADLINE", value_name = "TIME", value_parser = duration)]
    pub(crate) deadline: Option<Duration>,
    /// Disable search features: leaves, epsilon, sums, exclusions, lookups, partial, heaps
    #[arg(
        long,
        env = "SPROUTNET_WITHOUT",
        value_name = "FEATURE,…",
        value_delimiter = ','
    )]
    pub(crate) without: Vec<Switch>,
}

/// One convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnePlay {
    /// The player who moves last wins
    Normal,
    /// The player who moves last loses
    Misere,
}

impl From<OnePlay> for Play {
    fn from(play: OnePlay) -> Self {
        match play {
            OnePlay::Normal => Self::Normal,
            OnePlay::Misere => Self::Misere,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// Write one page per command into this folder; created if missing
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

/// One convention or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Plays {
    /// The player who moves last wins
    Normal,
    /// The player who moves last loses
    Misere,
    /// Both conventions
    Both,
}

impl Plays {
    /// The conventions, normal play first.
    pub(crate) fn list(self) -> &'static [Play] {
        match self {
            Self::Normal => &[Play::Normal],
            Self::Misere => &[Play::Misere],
            Self::Both => &[Play::Normal, Play::Misere],
        }
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let units = [
        ("ms", 0.001),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3600.0),
        ("d", 86400.0),
    ];
    let unit = units
        .iter()
        .find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = unit.unwrap_or((text, 1.0));
    let number = number
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|number| *number > 0.0);
    let duration = number.and_then(|n| Duration::try_from_secs_f64(n * seconds).ok());
    duration.ok_or_else(|| "expected a time such as 90s, 10m or 2h".to_owned())
}

/// A positive duration, or zero.
fn duration_or_none(text: &str) -> Result<Duration, String> {
    match text.trim_end_matches(char::is_alphabetic).parse() {
        Ok(0.0) => Ok(Duration::ZERO),
        _ => duration(text),
    }
}

#[cfg(test)]
mod tests;
