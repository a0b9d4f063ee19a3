//! `sproutnet line`.

use sproutnet_proto::{convert, v1};

use crate::args::{Common, Line};
use crate::commands::query;
use crate::exit::Exit;
use crate::remote::cluster::ask;
use crate::terminal::text;

/// Shows a line of play to the end in which the winner plays to win.
pub(crate) async fn run(asked: Line, common: Common) -> anyhow::Result<Exit> {
    query::check(&asked.position)?;
    let request = v1::LineRequest {
        position: asked.position,
        play: convert::play_field(asked.play.into()),
        within_ms: query::milliseconds(asked.within),
    };
    let line = ask(&common, |client| async move { client.line(request).await }).await?;
    let exit = match line.complete {
        true => Exit::Fine,
        false => Exit::Unknown,
    };
    if common.json {
        text::print_json(&line)?;
        return Ok(exit);
    }
    let head = ["move", "position", "player to move", "verified"];
    let rows = line.steps.into_iter().enumerate().map(|(number, step)| {
        let outcome = step.outcome.to_string();
        let verified = text::yes(step.verified);
        vec![number.to_string(), step.canonical, outcome, verified]
    });
    text::print_table(&head, rows, 0..1)?;
    if !line.complete {
        let unknown = "the rest of the line is unknown";
        text::print_lines(&[unknown.to_owned()])?;
    }
    Ok(exit)
}
