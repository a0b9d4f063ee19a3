//! `sproutnet query`.

use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use sproutnet_game as game;
use sproutnet_model::{Answer, Provenance, Source, Standing, Verdict};
use sproutnet_notation::ComputationId;
use sproutnet_proto::v1;
use sproutnet_solver::play::Play;

use crate::args::{Common, Plays, Query};
use crate::commands::lookups;
use crate::exit::{BadInput, Exit, bad_position};
use crate::remote::cluster;
use crate::terminal::text;

/// An answer, as JSON.
#[derive(Serialize)]
pub(crate) struct Line {
    /// The text of the query.
    position: String,
    #[serde(flatten)]
    answer: Answer,
}

/// The columns of an answer.
pub(crate) const HEADING: [&str; 5] = ["position", "normal", "nimber", "misere", "genus"];

/// Shows what is known about a position, or about each on standard input.
pub(crate) async fn run(query: Query, common: Common) -> anyhow::Result<Exit> {
    if query.position == "-" {
        return lookups::run(&query, &common).await;
    }
    let (answer, _) = ask(request(&query.position, query.within), &common).await?;
    let line = Line {
        position: query.position,
        answer,
    };
    if common.json {
        text::print_json(&line)?;
    } else {
        line.print()?;
    }
    Ok(line.exit(query.play))
}

impl Line {
    /// The answer to a question.
    pub(crate) fn new(position: String, answer: Answer) -> Self {
        Self { position, answer }
    }

    /// Whether the outcome is known under the conventions that matter.
    pub(crate) fn exit(&self, plays: Plays) -> Exit {
        let is_unknown = |&play: &Play| self.answer.standing(play).outcome.outcome().is_none();
        match plays.list().iter().any(is_unknown) {
            true => Exit::Unknown,
            false => Exit::Fine,
        }
    }

    /// The row of the whole position.
    pub(crate) fn row(&self) -> Vec<String> {
        let answer = &self.answer;
        vec![
            answer.canonical.clone(),
            answer.normal.outcome.to_string(),
            text::nimber(answer.nimber),
            answer.misere.outcome.to_string(),
            text::genus(answer.genus.as_deref()),
        ]
    }

    /// Prints all of it.
    fn print(&self) -> std::io::Result<()> {
        let mut rows = vec![self.row()];
        for land in &self.answer.lands {
            rows.push(vec![
                format!("  land {}", land.canonical),
                land.normal.to_string(),
                text::nimber(land.nimber),
                land.misere.to_string(),
                text::genus(land.genus.as_deref()),
            ]);
        }
        text::print_table(&HEADING, rows, 0..0)?;
        let reason = |play| {
            let verified = match self.answer.standing(play).verified {
                true => "; confirmed by an independent checker",
                false => "",
            };
            format!("{play}: {}{verified}", explain(&self.answer, play))
        };
        text::print_lines(&[String::new(), reason(Play::Normal), reason(Play::Misere)])
    }
}

/// The origin of an outcome, or how to find it.
fn explain(answer: &Answer, play: Play) -> String {
    let position = &answer.canonical;
    let standing = answer.standing(play);
    match standing {
        Standing {
            solved: Some(solved),
            ..
        } => solved_here(solved),
        Standing {
            citation: Some(citation),
            ..
        } => format!("not solved here; published in {citation}"),
        Standing {
            computation: Some(id),
            ..
        } => format!("computation {id} is under way; `sproutnet watch {id}` follows it"),
        Standing { source: None, .. } => {
            format!("unknown; `sproutnet solve \"{position}\" --play {play}` finds out")
        }
        _ if answer.most_moves == 0 => "nothing is left to play".to_owned(),
        Standing {
            source: Some(Source::Search),
            ..
        } => "found just now".to_owned(),
        _ => "follows from what was proved earlier".to_owned(),
    }
}

fn solved_here(solved: &Provenance) -> String {
    let at = UNIX_EPOCH + Duration::from_secs(solved.solved_at);
    let by = solved.computation.map(ComputationId);
    let by = by.map_or_else(String::new, |id| format!(" by computation {id}"));
    format!(
        "solved here{by} at {} in {}, {} expansions",
        humantime::format_rfc3339_seconds(at),
        text::time(solved.seconds),
        text::count(solved.expansions),
    )
}

/// Looks a position up at the coordinator.
pub(crate) async fn ask(
    request: v1::QueryRequest,
    common: &Common,
) -> anyhow::Result<(Answer, Vec<Verdict>)> {
    check(&request.position)?;
    cluster::ask(common, |client| async move { client.query(request).await }).await
}

/// Checks the text of a position before a coordinator is asked.
pub(crate) fn check(position: &str) -> Result<(), BadInput> {
    let read = game::parse(position).map(drop);
    read.map_err(|error| bad_position(position, &error))
}

/// A query for a position, with the time limit of a search.
pub(crate) fn request(position: &str, within: Duration) -> v1::QueryRequest {
    v1::QueryRequest {
        position: position.to_owned(),
        within_ms: milliseconds(within),
        ..v1::QueryRequest::default()
    }
}

/// Milliseconds, saturating.
pub(crate) fn milliseconds(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}
