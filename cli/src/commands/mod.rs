//! The commands, one file each, and their common parts.

pub(crate) mod answers;
pub(crate) mod atlas;
mod backup;
pub(crate) mod control;
pub(crate) mod count;
pub(crate) mod draw;
pub(crate) mod explicit;
pub(crate) mod fetch;
pub(crate) mod fleet;
pub(crate) mod forms;
pub(crate) mod games;
pub(crate) mod generated;
pub(crate) mod line;
pub(crate) mod list;
pub(crate) mod mark;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod named;
pub(crate) mod overview;
pub(crate) mod prove;
pub(crate) mod query;
pub(crate) mod quotient;
pub(crate) mod records;
pub(crate) mod roots;
pub(crate) mod sequence;
pub(crate) mod serve;
pub(crate) mod site;
pub(crate) mod solve;
pub(crate) mod store;
pub(crate) mod table;
pub(crate) mod task;
pub(crate) mod transfer;
pub(crate) mod verify;
pub(crate) mod watch;
pub(crate) mod why;

use std::future::ready;
use std::pin::Pin;

use crate::args::{Args, Command};
use crate::exit::Exit;
use control::Act;

/// Boxed so that the dispatcher is not one future that contains all commands.
type Running = Pin<Box<dyn Future<Output = anyhow::Result<Exit>>>>;

/// Runs a command to its end.
pub(crate) fn run(Args { common, command }: Args) -> Running {
    match command {
        Command::Solve(solve) => Box::pin(solve::run(solve, common)),
        Command::Serve(serve) => Box::pin(serve::run(serve, common)),
        Command::Watch { named, play } => Box::pin(watch::run(named, play, common)),
        Command::Why { named, play } => Box::pin(why::run(named, play, common)),
        Command::List { status } => Box::pin(list::run(status, common)),
        Command::Pause(chosen) => Box::pin(control::run(Act::Pause, chosen, common)),
        Command::Resume(chosen) => Box::pin(control::run(Act::Resume, chosen, common)),
        Command::Weight {
            named,
            weight,
            play,
        } => Box::pin(control::set_weight(named, weight, play, common)),
        Command::Cancel(chosen) => Box::pin(control::run(Act::Cancel, chosen, common)),
        Command::Fleet { watch } => Box::pin(fleet::run(watch, common)),
        Command::Records { source } => Box::pin(records::run(source, common)),
        Command::Revoke { source } => Box::pin(records::revoke(source, common)),
        Command::Query(query) => Box::pin(query::run(query, common)),
        Command::Moves {
            positions,
            play,
            within,
        } => Box::pin(moves::run(positions, play, within, common)),
        Command::Line {
            position,
            play,
            within,
        } => Box::pin(line::run(position, play, within, common)),
        Command::Genus(asked) => Box::pin(async move { forms::genus(&asked, &common) }),
        Command::Canonical(asked) => Box::pin(async move { forms::canonical(&asked, &common) }),
        Command::Count(asked) => Box::pin(async move { count::run(&asked, &common) }),
        Command::Match(asked) => Box::pin(matches::run(asked, common)),
        Command::Table(asked) => Box::pin(table::run(asked, common)),
        Command::Games { game } => Box::pin(ready(games::run(game.as_deref(), &common))),
        Command::Explicit { file, names } => Box::pin(ready(explicit::run(&file, &names, &common))),
        Command::Quotient(asked) => Box::pin(ready(quotient::run(&asked, &common))),
        Command::Sequence(asked) => Box::pin(sequence::run(asked, common)),
        Command::Export {
            output,
            play,
            least_visits,
        } => Box::pin(transfer::export(output, play, least_visits, common)),
        Command::Backup { folder, every } => Box::pin(backup::run(folder, every, common)),
        Command::Import { files } => Box::pin(transfer::import(files, common)),
        Command::Merge { from } => Box::pin(transfer::merge(from, common)),
        Command::Store { act } => Box::pin(store::run(act, common)),
        Command::Mark { files } => Box::pin(mark::run(files, common)),
        Command::Draw {
            positions,
            output,
            labels,
        } => Box::pin(ready(draw::run(&positions, output, labels))),
        Command::Prove(prove) => Box::pin(async move { prove::run(&prove, &common) }),
        Command::Verify(verify) => Box::pin(verify::run(verify, common)),
        Command::Atlas { names, act } => Box::pin(atlas::run(names, act, common)),
        Command::Site(asked) => Box::pin(ready(site::run(&asked))),
        Command::Bench(bench) => Box::pin(async move { crate::bench::run(&bench, &common) }),
        Command::Completions { shell } => Box::pin(ready(generated::completions(shell))),
        Command::Man { dir } => Box::pin(ready(generated::man(dir.as_deref()))),
    }
}
