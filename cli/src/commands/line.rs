//! `sproutnet line`.

use sproutnet_model::Line;
use sproutnet_notation::Play;
use sproutnet_proto::{convert, v1};
use sproutnet_system::options::Time;

use crate::args::Common;
use crate::commands::{query, roots};
use crate::exit::Exit;
use crate::remote::cluster::ask;
use crate::terminal::style::Look;
use crate::terminal::table::{number, table, text};
use crate::terminal::text::{Show, or_dash, print};

/// Shows a line of play to the end. The winner makes winning moves.
pub(crate) async fn run(
    position: String,
    play: Play,
    within: Time,
    common: Common,
) -> anyhow::Result<Exit> {
    let position = roots::typed(&position)?;
    let request = v1::LineRequest {
        position,
        play: convert::play_field(play),
        within_ms: query::milliseconds(within.0),
    };
    let line = ask(&common, |client| async move { client.line(request).await }).await?;
    print(common.json, &line)?;
    Ok(if line.complete {
        Exit::Fine
    } else {
        Exit::Unknown
    })
}

impl Show for Line {
    fn lines(&self) -> Vec<String> {
        let rows = self.steps.iter().enumerate().map(|(i, step)| {
            vec![
                number("move", i),
                text("position", &step.canonical),
                text("player to move", step.outcome),
                text("verified", or_dash(step.verified.then_some("yes"))),
            ]
        });
        let mut lines = table(rows, Look::of_stdout());
        if !self.complete {
            lines.push("the rest of the line is unknown, or too long to find".to_owned());
        }
        lines
    }
}
