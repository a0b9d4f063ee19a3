//! A fleet with two workers solves the examples of every game while its processes are killed and started again. The
//! outcomes are those of a single process, and the fleet still knows them after all processes were killed.

use crate::command::{LONG, column, run};
use crate::processes::{Fleet, eventually};
use serde_json::Value;
use sproutnet_game as game;
use tempfile::tempdir;

/// The fields of an answer that are the same in every run.
const SAME: [&str; 4] = ["position", "canonical", "play", "outcome"];

fn answers(lines: &[Value]) -> Vec<Vec<Value>> {
    SAME.iter().map(|field| column(lines, field)).collect()
}

#[test]
fn every_game_is_solved_by_a_fleet_that_is_killed() {
    let mut fleet = Fleet::start(2);
    let commands = fleet.commands();
    // A long computation, so that workers always have work to lose.
    commands.ask(&["solve", "0*39", "--detach"]);
    let parts = fleet.parts();
    let mut all = Vec::new();
    for (game, &part) in game::all().iter().zip(parts.iter().cycle()) {
        let examples = game.info().examples.iter();
        let examples: Vec<_> = examples
            .map(|text| game::qualified(&**game, text))
            .collect();
        let arguments = ["solve", "--play", "both"].into_iter();
        let arguments: Vec<&str> = arguments
            .chain(examples.iter().map(String::as_str))
            .collect();
        let before = commands.list().len();
        let solving = commands.start(&arguments);
        // The command must reach the coordinator before the kill: otherwise it would give up.
        eventually(LONG, || match commands.list() {
            list if list.len() > before => Ok(()),
            list => Err(list),
        });
        fleet.kill(part);
        fleet.start_again(part);
        let solved = solving.end(LONG).with_code(0).json();

        let alone = tempdir().expect("a folder");
        let expected = run(alone.path(), &[&arguments[..], &["--json"]].concat());
        assert_eq!(answers(&solved), answers(&expected.with_code(0).json()));
        all.extend(examples);
    }
    for &part in &parts {
        fleet.kill(part);
    }
    for &part in &parts {
        fleet.start_again(part);
    }
    let arguments = ["solve", "--play", "both"].into_iter();
    let arguments: Vec<&str> = arguments.chain(all.iter().map(String::as_str)).collect();
    let again = commands.insist(&arguments).with_code(0).json();
    assert_eq!(again.len(), 2 * all.len());
    for answer in again {
        assert_eq!(answer["source"], "store", "{answer}");
    }
}
