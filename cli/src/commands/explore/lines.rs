//! A walk by commands on standard input, one a line: the number of a move, `back`, `play misere`, a position, `quit`.

use std::ops::ControlFlow;
use std::time::Duration;

use serde::Serialize;
use sproutnet_model::{Answer, Verdict};
use sproutnet_notation::Play;

use crate::commands::explore::page;
use crate::commands::explore::walk::{self, Walk};
use crate::commands::roots::{self, Refused};
use crate::commands::{answers, query};
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::Cluster;
use crate::remote::retry::Retry;
use crate::terminal::style::Look;
use crate::terminal::table::{number, table, text};
use crate::terminal::text::{Show, print};

/// Follows a command. It ends the walk, or changes where it is. If it cannot be followed, nothing changes.
fn follow(walk: &mut Walk, line: &str) -> Result<ControlFlow<()>, BadInput> {
    let done = match line {
        "quit" => return Ok(ControlFlow::Break(())),
        "back" => (walk.back(), "there is no move to take back".to_owned()),
        _ => {
            if let Some(play) = line.strip_prefix("play ") {
                walk.switch(play.trim().parse().map_err(BadInput)?);
                return Ok(ControlFlow::Continue(()));
            }
            let Ok(number) = line.parse::<usize>() else {
                walk.go(roots::canonical(line)?);
                return Ok(ControlFlow::Continue(()));
            };
            let moves = walk.here().view.as_ref().map_or(0, |view| view.moves.len());
            let problem = format!("there is no move {number}: the position has {moves}");
            let place = number.checked_sub(1);
            (place.is_some_and(|place| walk.play_move(place)), problem)
        }
    };
    match done {
        (true, _) => Ok(ControlFlow::Continue(())),
        (false, problem) => Err(BadInput(problem)),
    }
}

/// A position of the walk, with its moves.
#[derive(Serialize)]
struct Shown<'a> {
    position: &'a str,
    play: Play,
    #[serde(flatten)]
    answer: &'a Answer,
    moves: &'a [Verdict],
}

impl Show for Shown<'_> {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            self.position.to_owned(),
            page::verdict(self.answer, self.play),
        ];
        let rows = (1..).zip(self.moves).map(|(place, of): (usize, _)| {
            let mut row = vec![number("move", place), text("to", &of.canonical)];
            row.extend(query::verdict_cells(of));
            row
        });
        lines.extend(table(rows, Look::of_stdout()));
        lines.push(String::new());
        lines
    }
}

/// Follows the lines to their end. A line that cannot be followed changes nothing.
pub(super) async fn run(
    cluster: Cluster,
    mut walk: Walk,
    within: Duration,
    json: bool,
) -> anyhow::Result<Exit> {
    let client = cluster.client();
    let retry = Retry::new(cluster.is_elsewhere(), |notice| eprintln!("{notice}"));
    let mut lines = roots::lines_of_stdin();
    let mut exit = Exit::Fine;
    'walk: loop {
        let (play, position) = (walk.play, walk.here().position.clone());
        if walk.here().view.is_none() {
            let view = walk::look(&client, &retry, &position, play, within).await?;
            walk.here_mut().learn(view);
        }
        if let Some(view) = &walk.here().view {
            let shown = Shown {
                position: &position,
                play,
                answer: &view.answer,
                moves: &view.moves,
            };
            print(json, &shown)?;
        }
        loop {
            let Some((number, line)) = lines.recv().await else {
                break 'walk;
            };
            let (input, followed) = match line {
                Ok(line) => {
                    let followed = follow(&mut walk, &line);
                    (Some(line), followed)
                }
                Err(problem) => (None, Err(problem)),
            };
            let problem = match followed {
                Ok(ControlFlow::Break(())) => break 'walk,
                Ok(ControlFlow::Continue(())) => break,
                Err(problem) => problem,
            };
            exit = Exit::BadInput;
            let refused = Refused {
                line: Some(number),
                input,
                problem,
            };
            answers::refuse(json, &refused)?;
        }
    }
    drop(client);
    cluster.close().await?;
    Ok(exit)
}
