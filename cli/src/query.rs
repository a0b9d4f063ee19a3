//! `sproutnet query`.

use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use sproutnet_game as game;
use sproutnet_model::{Answer, Provenance, Source, Standing, Verdict};
use sproutnet_proto::v1;
use sproutnet_solver::play::Play;

use crate::args::{Common, Plays, Query};
use crate::cluster::Cluster;
use crate::exit::{BadInput, Exit, bad_position};
use crate::id::Id;
use crate::lookups;
use crate::text;

/// What is known of a position, as JSON.
#[derive(Serialize)]
pub(crate) struct Line {
    /// As asked for.
    position: String,
    #[serde(flatten)]
    answer: Answer,
}

/// The columns of what is known.
pub(crate) const HEADING: [&str; 5] = ["position", "normal", "nimber", "misere", "genus"];

/// Tells what is known of a position, or of each on standard input.
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
        let mut rows = vec![HEADING.map(str::to_owned).to_vec(), self.row()];
        for land in &self.answer.lands {
            rows.push(vec![
                format!("  land {}", land.canonical),
                land.normal.to_string(),
                text::nimber(land.nimber),
                land.misere.to_string(),
                text::genus(land.genus.as_deref()),
            ]);
        }
        text::print_columns(&rows, 0..0)?;
        let told = |play| {
            let verified = match self.answer.standing(play).verified {
                true => "; confirmed by an independent checker",
                false => "",
            };
            format!("{play}: {}{verified}", told(&self.answer, play))
        };
        text::print_lines(&[String::new(), told(Play::Normal), told(Play::Misere)])
    }
}

/// How an outcome is known, or what can be done to know it.
fn told(answer: &Answer, play: Play) -> String {
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
            format!("not known; `sproutnet solve \"{position}\" --play {play}` finds out")
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
    let by = solved.computation.map(Id);
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
    let cluster = Cluster::connect(common, None).await?;
    let response = cluster.client().query(request).await?;
    cluster.close().await?;
    Ok(response)
}

/// Says what is wrong with a position before anybody is asked.
pub(crate) fn check(position: &str) -> Result<(), BadInput> {
    let read = game::parse(position).map(drop);
    read.map_err(|error| bad_position(position, &error))
}

/// The question of what is known of a position, or can be found out in so long.
pub(crate) fn request(position: &str, within: Duration) -> v1::QueryRequest {
    v1::QueryRequest {
        position: position.to_owned(),
        within_ms: milliseconds(within),
        ..v1::QueryRequest::default()
    }
}

/// As long a time as the wire type holds.
pub(crate) fn milliseconds(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}
