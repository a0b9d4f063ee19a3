//! The command line.

mod bench;
mod certificates;
mod count;
mod forms;
mod matches;
mod quotient;
mod readers;
mod sequence;
mod serve;
mod site;
mod solve;
mod store;
mod table;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::FalseyValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgAction, Command as Program, CommandFactory, FromArgMatches};
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use sproutnet_model::Status;
use sproutnet_notation::Play;
use sproutnet_notation::brief::brief;
use sproutnet_system::build;
use sproutnet_system::options::Time;
use sproutnet_transport::credentials::ConnectArgs;

use crate::exit::BadInput;
pub(crate) use bench::Bench;
pub(crate) use certificates::{AtlasAct, Prove, Verify};
pub(crate) use count::Count;
pub(crate) use forms::Forms;
pub(crate) use matches::Match;
pub(crate) use quotient::Quotient;
use readers::{duration, one_play, status, within};
pub(crate) use sequence::{Sequence, SequenceFormat};
pub(crate) use serve::Serve;
pub(crate) use site::Site;
pub(crate) use solve::Solve;
pub(crate) use store::StoreAct;
pub(crate) use table::{Table, TableFormat};

/// Solves Sprouts in normal and misère play, and stores the results.
#[derive(Debug, Parser)]
#[command(name = "sproutnet", version = build::version(), max_term_width = 100)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The command line. Each option has an environment variable: that of `--token-file` is `SPROUTNET_TOKEN_FILE`.
pub(crate) fn program() -> Program {
    with_variables(Args::command())
}

fn with_variables(program: Program) -> Program {
    let program = program.mut_args(|arg| {
        let Some(long) = arg.get_long() else {
            return arg;
        };
        let name = format!("SPROUTNET_{}", long.replace('-', "_").to_uppercase());
        match arg.get_action() {
            ArgAction::SetTrue => arg.env(name).value_parser(FalseyValueParser::new()),
            _ => arg.env(name),
        }
    });
    program.mut_subcommands(with_variables)
}

impl Args {
    /// Reads the command line. On a usage error, prints a message and exits with 2: bad input.
    pub(crate) fn read() -> Self {
        let matches = program().try_get_matches().unwrap_or_else(|error| {
            let message = error.to_string();
            let short = brief(&message);
            if error.use_stderr() && message.trim_end() != short {
                eprintln!("{short}");
                std::process::exit(error.exit_code());
            }
            error.exit()
        });
        let mut args = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        let is_typed = |option| matches.value_source(option) == Some(ValueSource::CommandLine);
        // A folder that was typed is meant, whatever coordinator the environment names.
        if is_typed("data") && !is_typed("coordinator") {
            args.common.coordinator = None;
        }
        let name = matches.subcommand_name().unwrap_or_default();
        let problem = match args.command.source() {
            Source::Folder if args.common.coordinator.is_some() => format!(
                "`{name}` does not use a coordinator but the store in --data: name that folder, and \
                 omit --coordinator"
            ),
            Source::Nowhere if is_typed("coordinator") => {
                format!("`{name}` does not use a coordinator: omit --coordinator")
            }
            _ => return args,
        };
        program().error(ErrorKind::ArgumentConflict, problem).exit()
    }
}

/// Options of every command.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Common {
    /// The folder of the store; created if missing
    #[arg(long, global = true, value_name = "DIR")]
    #[arg(default_value = "./sproutnet-data")]
    pub(crate) data: PathBuf,
    /// Use the coordinator at http://HOST:PORT instead of running one over --data. If only the environment names one,
    /// --data on the command line comes first
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) coordinator: Option<String>,
    #[command(flatten)]
    pub(crate) credentials: ConnectArgs,
    /// Print JSON, one object per line
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

impl Common {
    /// Refuses a command that needs a running coordinator if none is named.
    pub(crate) fn need_coordinator(&self, problem: &str) -> Result<(), BadInput> {
        match self.coordinator {
            Some(_) => Ok(()),
            None => Err(BadInput(problem.to_owned())),
        }
    }
}

/// The source of positions and outcomes of a command.
enum Source {
    /// At a coordinator: the one that is named, or one in this process over the store in `--data`.
    Coordinator,
    /// In the store in `--data`, which it opens itself.
    Folder,
    /// Nowhere.
    Nowhere,
}

impl Command {
    fn source(&self) -> Source {
        match self {
            Self::Serve(_) | Self::Merge { .. } | Self::Store { .. } | Self::Prove(_) => {
                Source::Folder
            }
            Self::Sequence(asked) if asked.family().is_some() => Source::Coordinator,
            Self::Draw { .. }
            | Self::Games { .. }
            | Self::Count(_)
            | Self::Genus(_)
            | Self::Canonical(_)
            | Self::Sequence(_)
            | Self::Quotient(_)
            | Self::Explicit { .. }
            | Self::Verify(_)
            | Self::Atlas { .. }
            | Self::Site(_)
            | Self::Bench(_)
            | Self::Completions { .. }
            | Self::Man { .. } => Source::Nowhere,
            _ => Source::Coordinator,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Determine who wins positions; search if the store has no answer
    Solve(Solve),
    /// Serve web pages on which positions are looked up, solved and played; everything runs in this process
    ///
    /// It runs a coordinator and a worker on the store in --data until Ctrl-C. Other commands and workers reach
    /// them at the address of --listen.
    Serve(Serve),
    /// Follow a computation until it ends, or all activity of a coordinator
    Watch {
        /// The computation: its id, as `list` shows it, or its position [default: all, and the workers]
        #[arg(value_name = "ID|POSITION")]
        named: Option<String>,
        /// The play convention, if a position has several computations
        #[arg(long)]
        play: Option<Plays>,
    },
    /// List the running computations and the most recently ended ones
    List {
        /// List only computations of this status
        #[arg(long, value_parser = status())]
        status: Option<Status>,
    },
    /// Show why a computation is not finished: its hardest branches, its speed, and how much of its work is wasted
    Why {
        /// The computation: its id, as `list` shows it, or its position
        #[arg(value_name = "ID|POSITION")]
        named: String,
        /// The play convention, if a position has several computations
        #[arg(long)]
        play: Option<Plays>,
    },
    /// Pause computations: their jobs wait until they are resumed
    Pause(Chosen),
    /// Resume computations that were paused or cancelled, or that reached their deadline
    Resume(Chosen),
    /// Change the weight of a computation: how much machine time it gets, relative to others
    #[command(alias = "priority")]
    Weight {
        /// The computation: its id, as `list` shows it, or its position
        #[arg(value_name = "ID|POSITION")]
        named: String,
        /// Its machine time, relative to other computations of equal priority: 1 to 1000
        #[arg(value_parser = weight())]
        weight: u32,
        /// The play convention, if a position has several computations
        #[arg(long)]
        play: Option<Plays>,
    },
    /// Cancel computations; their proved records are kept
    Cancel(Chosen),
    /// Show the state of a coordinator and its workers
    Fleet {
        /// Refresh every second until Ctrl-C
        #[arg(long)]
        watch: bool,
    },
    /// Show which workers reported records, or the records of one worker
    Records {
        /// List the records of this worker, given by name or source number
        #[arg(long, value_name = "NAME|NUMBER")]
        source: Option<String>,
    },
    /// Quarantine a worker and revoke all records received since it first registered
    ///
    /// Records that other workers reported since then may depend on its records, so all of them are
    /// searched again. A coordinator does this on its own when an audit finds a false record.
    Revoke {
        /// The worker, by name or source number, as shown by `records`
        #[arg(long, value_name = "NAME|NUMBER")]
        source: String,
    },
    /// Show what is known about a position; search a small one if necessary
    Query(Query),
    /// List the moves of positions with their outcomes, winning moves first; search small positions
    Moves {
        /// The positions; a number means that many spots; `-` reads them from standard input, one per line
        #[arg(required = true, value_name = "POSITION")]
        positions: Vec<String>,
        /// The play convention to sort by
        #[arg(long, default_value = "normal")]
        play: Plays,
        /// The time limit for searching unknown positions; at most 10s
        #[arg(long, value_name = "TIME", value_parser = within, default_value = "1s")]
        within: Time,
    },
    /// Show a line of play to the end, in which the winner plays to win
    Line {
        /// The position; a number means that many spots
        position: String,
        /// The play convention
        #[arg(long, value_parser = one_play(), default_value = "normal")]
        play: Play,
        /// The time limit for searching unknown positions; at most 10s
        #[arg(long, value_name = "TIME", value_parser = within, default_value = "1s")]
        within: Time,
    },
    /// Show the genus of positions, their misère nimbers, and whether they are tame
    Genus(Forms),
    /// Show the reduced canonical form of positions under misère play
    Canonical(Forms),
    /// Count the positions that can be reached, by the number of moves made
    Count(Count),
    /// Replay recorded matches of Sprouts, and show where a player gave a win away
    ///
    /// The notation is that of the World Game of Sprouts Association, such as `8+ 1(9)2 1(10)1[3,4] 3(11)10`.
    Match(Match),
    /// Draw positions as SVG pictures
    Draw {
        /// The positions; a number means that many spots; `-` reads them from standard input, one per line
        #[arg(required = true, value_name = "POSITION")]
        positions: Vec<String>,
        /// The file to write, or `-` for standard output; for several positions, the folder for 1.svg, 2.svg, …,
        /// which is created if it is missing [default: -]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// The labels of the spots; other games have texts of their own, or `none`
        #[arg(long, default_value = "lives")]
        labels: SpotLabels,
    },
    /// Show the outcomes of start positions, proved here or published
    Table(Table),
    /// List the games, with their rules and notation
    Games {
        /// The game [default: all]
        game: Option<String>,
    },
    /// Show the nimbers of heaps of 0, 1, 2, … tokens, and the period that they prove; or those of a family of positions
    Sequence(Sequence),
    /// Show the misère quotient of a game of heaps: who wins any sum under misère play
    Quotient(Quotient),
    /// Write positions of a finite game, given as a file of positions and their options, as explicit games
    ///
    /// A line of the file names a position, and after a colon the positions that a move leads to, such as
    /// `start: left right *2`. `0` and heaps such as `*2` need no line; `#` begins a comment. Other commands accept the
    /// printed texts as positions.
    Explicit {
        /// The file, or `-` for standard input
        file: PathBuf,
        /// The names of the positions [default: the first one in the file]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Write the records of the store to a file that any store can import
    ///
    /// With --coordinator, the store is that of the coordinator, which keeps running. After an interruption,
    /// the same command continues where it stopped.
    Export {
        /// The file to write; an existing file is replaced
        #[arg(short, long, value_name = "FILE")]
        #[arg(default_value = "./sproutnet.export")]
        output: PathBuf,
        /// The play convention of the records and results
        #[arg(long, default_value = "both")]
        play: Plays,
        /// Leave out records whose search took fewer visits; rounded up to a power of two
        ///
        /// A search finds such facts again quickly.
        #[arg(long, value_name = "N", default_value = "1")]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 62))]
        least_visits: u64,
    },
    /// Keep a folder a backup of the coordinator's store, from which a coordinator can start
    ///
    /// Each pass copies what changed since the last one: records, results, computations, matches, the audit log. It
    /// needs a token of an admin. After an interruption, the same command continues where it stopped.
    Backup {
        /// The folder of the backup; created if missing
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Go on, with a pass this often, such as 10s or 1h [default: one pass]
        #[arg(long, value_name = "DURATION", value_parser = duration)]
        every: Option<Duration>,
    },
    /// Import the records of export files into the store
    ///
    /// With --coordinator, the store is that of the coordinator, which keeps running; it needs a token of an admin.
    /// After an interruption, the same command continues where it stopped. Repeating it is harmless.
    Import {
        /// The export files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Import the records of other stores or export files into the store
    Merge {
        /// Store folders (left unchanged) or export files
        #[arg(required = true, value_name = "DIR|FILE")]
        from: Vec<PathBuf>,
    },
    /// Maintain the store
    Store {
        #[command(subcommand)]
        act: StoreAct,
    },
    /// Write a certificate: a small set of facts that proves who wins a position
    Prove(Prove),
    /// Check certificates against the rules alone, without a coordinator or a store
    Verify(Verify),
    /// List what Sproutnet has proved with a certificate in its repository, or check these certificates
    #[command(args_conflicts_with_subcommands = true)]
    Atlas {
        /// Show all about these certificates
        names: Vec<String>,
        #[command(subcommand)]
        act: Option<AtlasAct>,
    },
    /// Write a static site with the tables and the certificates, which any web server can host
    ///
    /// The visitor's browser checks certificates, looks up small positions, and plays, if the site has the WebAssembly
    /// module.
    /// `cargo build --release -p sproutnet-browser --target wasm32-unknown-unknown` makes it.
    Site(Site),
    /// Have the coordinator check certificates and mark the proved records as verified
    Mark {
        /// The certificates
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Measure how fast this machine solves positions, without a coordinator or a store
    ///
    /// The printed commit is the value of SPROUTNET_COMMIT at build time, or `unknown`.
    Bench(Bench),
    /// Print a shell completion script
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write one page per command
    Man {
        /// Write one page per command into this folder; created if missing
        dir: Option<PathBuf>,
    },
}

/// Computations, as the user names them.
#[derive(Debug, clap::Args)]
pub(crate) struct Chosen {
    /// The computations: their ids, as `list` shows them, or their positions
    #[arg(required = true, value_name = "ID|POSITION")]
    pub(crate) named: Vec<String>,
    /// The play convention, if a position has several computations
    #[arg(long)]
    pub(crate) play: Option<Plays>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Query {
    /// Positions, where a number means that many spots; ranges of start positions such as `0-12`; or `-` to read
    /// positions from standard input, one per line. One position is answered at length, several with a line each
    #[arg(required = true, value_name = "POSITION")]
    pub(crate) positions: Vec<String>,
    /// The play convention that determines the exit code
    #[arg(long, default_value = "both")]
    pub(crate) play: Plays,
    /// The time limit for searching an unknown position of at most 35 moves; at most 10s
    #[arg(long, value_name = "TIME", value_parser = within, default_value = "1s")]
    pub(crate) within: Time,
}

/// The weight of a computation.
fn weight() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1000)
}

/// The labels of the spots in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpotLabels {
    /// Nothing
    None,
    /// Dots: the number of lines each spot can still take
    Lives,
    /// The same dots, and the number of each spot
    Names,
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
            Self::Both => &Play::ALL,
        }
    }
}

/// The format asked for, where `--json` also asks for one.
pub(crate) fn format<F: Copy + PartialEq>(
    asked: Option<F>,
    text: F,
    json: F,
    common: &Common,
) -> Result<F, BadInput> {
    match (asked, common.json) {
        (asked, false) => Ok(asked.unwrap_or(text)),
        (Some(asked), true) if asked != json => Err(BadInput(
            "--json and another --format exclude each other".to_owned(),
        )),
        (_, true) => Ok(json),
    }
}

#[cfg(test)]
#[path = "args_tests.rs"]
mod tests;
