//! The commands, a file each, and what several of them share.

pub(crate) mod answers;
pub(crate) mod completions;
pub(crate) mod computation;
pub(crate) mod control;
pub(crate) mod draw;
pub(crate) mod fleet;
pub(crate) mod line;
pub(crate) mod list;
pub(crate) mod lookups;
pub(crate) mod man;
pub(crate) mod mark;
pub(crate) mod moves;
pub(crate) mod named;
pub(crate) mod overview;
pub(crate) mod prove;
pub(crate) mod query;
pub(crate) mod records;
pub(crate) mod revoke;
pub(crate) mod roots;
pub(crate) mod solve;
pub(crate) mod start;
pub(crate) mod store;
pub(crate) mod table;
pub(crate) mod task;
pub(crate) mod transfer;
pub(crate) mod verify;
pub(crate) mod watch;

use std::pin::Pin;

use crate::args::{Args, Command};
use crate::exit::Exit;
use control::Act;

/// Boxed, so that the dispatcher is not compiled as one future of all commands.
type Running = Pin<Box<dyn Future<Output = anyhow::Result<Exit>>>>;

/// Runs a command to its end.
pub(crate) fn run(Args { common, command }: Args) -> Running {
    match command {
        Command::Solve(solve) => Box::pin(solve::run(solve, common)),
        Command::Watch(watch) => Box::pin(watch::run(watch, common)),
        Command::List => Box::pin(list::run(common)),
        Command::Pause(chosen) => Box::pin(control::run(Act::Pause, chosen, common)),
        Command::Resume(chosen) => Box::pin(control::run(Act::Resume, chosen, common)),
        Command::Cancel(chosen) => Box::pin(control::run(Act::Cancel, chosen, common)),
        Command::Fleet(fleet) => Box::pin(fleet::run(fleet, common)),
        Command::Records(records) => Box::pin(records::run(records, common)),
        Command::Revoke(revoke) => Box::pin(revoke::run(revoke, common)),
        Command::Query(query) => Box::pin(query::run(query, common)),
        Command::Moves(moves) => Box::pin(moves::run(moves, common)),
        Command::Line(line) => Box::pin(line::run(line, common)),
        Command::Table(table) => Box::pin(table::run(table, common)),
        Command::Export(export) => Box::pin(transfer::export(export, common)),
        Command::Import(import) => Box::pin(transfer::import(import, common)),
        Command::Merge(merge) => Box::pin(transfer::merge(merge, common)),
        Command::Store(store) => Box::pin(store::run(store.act, common)),
        Command::Mark(mark) => Box::pin(mark::run(mark, common)),
        Command::Draw(draw) => Box::pin(async move { draw::run(&draw) }),
        Command::Prove(prove) => Box::pin(async move { prove::run(&prove, &common) }),
        Command::Verify(verify) => Box::pin(async move { verify::run(&verify, &common) }),
        Command::Bench(bench) => Box::pin(async move { crate::bench::run(&bench, &common) }),
        Command::Completions(shell) => Box::pin(async move { completions::run(&shell) }),
        Command::Man(man) => Box::pin(async move { man::run(&man) }),
    }
}
