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

/// Solves Sprouts, in normal and misère play, and keeps what it finds.
#[derive(Debug, Parser)]
#[command(name = "sproutnet", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The heading of options that every command takes.
const GLOBAL: &str = "Options of every command";

/// Options of every command.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    /// The folder of the store; made if there is none
    #[arg(long, global = true, help_heading = GLOBAL, env = "SPROUTNET_DATA", value_name = "DIR")]
    #[arg(default_value = "./sproutnet-data")]
    pub(crate) data: PathBuf,
    /// Ask this coordinator, at http://HOST:PORT, instead of running one over --data
    #[arg(long, global = true, help_heading = GLOBAL, env = "SPROUTNET_COORDINATOR", value_name = "URL")]
    pub(crate) coordinator: Option<String>,
    #[command(flatten)]
    pub(crate) credentials: ConnectArgs,
    /// Print JSON, one object a line
    #[arg(long, global = true, help_heading = GLOBAL, env = "SPROUTNET_JSON", value_parser = FalseyValueParser::new())]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find out who wins positions, by search where the store does not know
    Solve(Solve),
    /// Follow a computation until it ends, or everything that a coordinator does
    Watch(Watch),
    /// List the computations under way and the last that ended
    List,
    /// Give out no more jobs of computations until they are resumed
    Pause(Chosen),
    /// Let computations go on that were paused, cancelled or ran out of time
    Resume(Chosen),
    /// End computations; what they proved stays
    Cancel(Chosen),
    /// Show how a coordinator and its workers do
    Fleet(Fleet),
    /// Show which workers told of records, or what one of them told
    Records(Records),
    /// Set a worker aside, and take back all records that came in since it was first heard of
    ///
    /// What any worker told since then may rest on its word, so all of it is searched anew. A coordinator
    /// does this by itself when it finds that a worker told what is not so.
    Withdraw(Withdraw),
    /// Tell what is known of a position; a small one is searched if need be
    Query(Query),
    /// List the moves of a position with what is known of them, winning ones first
    Moves(Moves),
    /// Show how play goes on to the end when the winner plays to win
    Line(Line),
    /// Draw a position of Sprouts as an SVG picture
    Draw(Draw),
    /// Show the outcomes of all start positions solved here or published
    Table(Table),
    /// Write the records of the store to a file that any store can import
    ///
    /// Interrupted, it goes on from there when it is repeated.
    Export(Export),
    /// Take the records of exports into the store
    ///
    /// Interrupted, it goes on from there when it is repeated; to repeat it does no harm.
    Import(Import),
    /// Take the records of other stores into the store, or of exports
    Merge(Merge),
    /// Look after the store
    Store(Store),
    /// Write a certificate: all facts that prove who wins a position, and as few as can be found
    Prove(Prove),
    /// Check certificates, trusting nothing but the rules, without a coordinator or a store
    Verify(Verify),
    /// Let the coordinator check certificates, and mark in its store what they prove as verified
    Mark(Mark),
    /// Measure how fast positions are solved on this machine, without a coordinator or a store
    ///
    /// The commit that is told is what SPROUTNET_COMMIT said when the program was built; otherwise it is
    /// `unknown`.
    Bench(Bench),
    /// Print a script by which a shell completes commands and options
    Completions(Completions),
    /// Print the manual page, or write one for each command
    Man(Man),
}

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Solve {
    /// Positions such as `0*3.1a1a` or `kayles:5+3`, ranges of start positions such as `0..=12`
    /// or `kayles:0..=83`, or `-` to read positions from standard input, one a line
    #[arg(required = true, value_name = "POSITION")]
    pub(crate) roots: Vec<String>,
    /// The play convention
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "normal")]
    pub(crate) play: Plays,
    /// Find the nimber too, not just who wins (normal play only)
    #[arg(long, env = "SPROUTNET_NIMBER", value_parser = FalseyValueParser::new())]
    pub(crate) nimber: bool,
    /// Give up on a position after so much time, such as `90s`, `10m` or `2h`
    #[arg(long, env = "SPROUTNET_DEADLINE", value_name = "TIME", value_parser = duration)]
    pub(crate) deadline: Option<Duration>,
    /// Computations of higher priority get all workers first; may be negative; 0 unless said
    #[arg(
        long,
        env = "SPROUTNET_PRIORITY",
        value_name = "N",
        allow_negative_numbers = true
    )]
    pub(crate) priority: Option<i32>,
    /// Leave the computations to the coordinator: print their ids and do not wait
    #[arg(long, env = "SPROUTNET_DETACH", value_parser = FalseyValueParser::new())]
    pub(crate) detach: bool,
    /// How many threads search at a time [default: all cores]
    #[arg(long, env = "SPROUTNET_CORES", value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// The memory to search with: an amount, or a share of what the machine has
    #[arg(long, env = "SPROUTNET_MEMORY", value_name = "SIZE", default_value_t)]
    pub(crate) memory: Memory,
}

/// Arguments of `watch`.
#[derive(Debug, clap::Args)]
pub(crate) struct Watch {
    /// The computation: its id, as `list` shows it, or its position [default: all, and the workers]
    #[arg(value_name = "ID|POSITION")]
    pub(crate) named: Option<String>,
    /// Which computation of a position is meant
    #[arg(long, env = "SPROUTNET_PLAY", value_enum)]
    pub(crate) play: Option<Plays>,
}

/// Arguments of `pause`, `resume` and `cancel`.
#[derive(Debug, clap::Args)]
pub(crate) struct Chosen {
    /// The computations: their ids, as `list` shows them, or their positions
    #[arg(required = true, value_name = "ID|POSITION")]
    pub(crate) named: Vec<String>,
    /// Which computation of a position is meant
    #[arg(long, env = "SPROUTNET_PLAY", value_enum)]
    pub(crate) play: Option<Plays>,
}

/// Arguments of `fleet`.
#[derive(Debug, clap::Args)]
pub(crate) struct Fleet {
    /// Show it anew every second, until Ctrl-C
    #[arg(long, env = "SPROUTNET_WATCH", value_parser = FalseyValueParser::new())]
    pub(crate) watch: bool,
}

/// Arguments of `records`.
#[derive(Debug, clap::Args)]
pub(crate) struct Records {
    /// List the records of this worker: its name, or its number as a source
    #[arg(long, env = "SPROUTNET_SOURCE", value_name = "NAME|NUMBER")]
    pub(crate) source: Option<String>,
}

/// Arguments of `withdraw`.
#[derive(Debug, clap::Args)]
pub(crate) struct Withdraw {
    /// The worker: its name, or its number as a source, as `records` shows them
    #[arg(long, env = "SPROUTNET_SOURCE", value_name = "NAME|NUMBER")]
    pub(crate) source: String,
}

/// Arguments of `query`.
#[derive(Debug, clap::Args)]
pub(crate) struct Query {
    /// The position, or `-` to read positions from standard input, one a line
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The play convention that matters for the exit code
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "both")]
    pub(crate) play: Plays,
    /// How long to search if it is not known who wins a position of at most 12 spots; at most 10s
    #[arg(long, env = "SPROUTNET_WITHIN", value_name = "TIME", value_parser = duration_or_none)]
    #[arg(default_value = "1s")]
    pub(crate) within: Duration,
}

/// Arguments of `moves`.
#[derive(Debug, clap::Args)]
pub(crate) struct Moves {
    /// The position
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The play convention to sort by first
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "normal")]
    pub(crate) play: Plays,
}

/// Arguments of `line`.
#[derive(Debug, clap::Args)]
pub(crate) struct Line {
    /// The position
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The play convention
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "normal")]
    pub(crate) play: OnePlay,
    /// How long to search where it is not known how to win; at most 10s
    #[arg(long, env = "SPROUTNET_WITHIN", value_name = "TIME", value_parser = duration_or_none)]
    #[arg(default_value = "1s")]
    pub(crate) within: Duration,
}

/// Arguments of `draw`.
#[derive(Debug, clap::Args)]
pub(crate) struct Draw {
    /// The position
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The file to write; `-` is standard output, and so is none
    #[arg(short, long, env = "SPROUTNET_OUTPUT", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What is written at spots
    #[arg(long, env = "SPROUTNET_LABELS", value_enum, default_value = "lives")]
    pub(crate) labels: Written,
}

/// What is written at the spots of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Written {
    /// Nothing
    None,
    /// How many lines each can still take
    Lives,
    /// That, and its number beside it
    Names,
}

/// Arguments of `table`.
#[derive(Debug, clap::Args)]
pub(crate) struct Table {
    /// The game
    #[arg(value_name = "GAME", default_value = "sprouts")]
    pub(crate) game: String,
}

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Positions and ranges of start positions, as `solve` takes them, in place of a suite
    #[arg(value_name = "POSITION")]
    pub(crate) roots: Vec<String>,
    /// What to measure [default: quick, unless positions are given]
    #[arg(long, env = "SPROUTNET_SUITE", value_enum)]
    pub(crate) suite: Option<Suite>,
    /// The play convention of the positions; a suite has its own [default: normal]
    #[arg(long, env = "SPROUTNET_PLAY", value_enum)]
    pub(crate) play: Option<Plays>,
    /// Keep what is known from one position to the next
    #[arg(long, env = "SPROUTNET_WARM", value_parser = FalseyValueParser::new())]
    pub(crate) warm: bool,
    /// How many threads search a position
    #[arg(long, env = "SPROUTNET_THREADS", value_name = "N", default_value = "1")]
    pub(crate) threads: Cores,
    /// How often all is measured; the median counts
    #[arg(long, env = "SPROUTNET_REPEAT", value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) repeat: u16,
    /// Orders what looks equally good: counts of one thread are the same for the same seed
    #[arg(long, env = "SPROUTNET_SEED", value_name = "N", default_value = "0")]
    pub(crate) seed: u64,
    /// The memory of the transposition table: an amount, or a share of what the machine has
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "128MiB"
    )]
    pub(crate) memory: Memory,
    /// Give up on a position after so much time, such as `90s`, `10m` or `2h`
    #[arg(long, env = "SPROUTNET_DEADLINE", value_name = "TIME", value_parser = duration)]
    pub(crate) deadline: Option<Duration>,
    /// Do without ideas of the search: leaves, epsilon, sums, exclusions, lookups, glances, heaps
    #[arg(
        long,
        env = "SPROUTNET_WITHOUT",
        value_name = "IDEA,…",
        value_delimiter = ','
    )]
    pub(crate) without: Vec<Switch>,
}

/// One convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnePlay {
    /// Who moves last wins
    Normal,
    /// Who moves last loses
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

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// Write a page for each command into this folder; made if there is none
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

/// One convention or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Plays {
    /// Who moves last wins
    Normal,
    /// Who moves last loses
    Misere,
    /// Both of them
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

/// The same, or no time at all.
fn duration_or_none(text: &str) -> Result<Duration, String> {
    match text.trim_end_matches(char::is_alphabetic).parse() {
        Ok(0.0) => Ok(Duration::ZERO),
        _ => duration(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }

    #[test]
    fn durations() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        for bad in ["", "s", "-1s", "0", "inf", "5 weeks"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
