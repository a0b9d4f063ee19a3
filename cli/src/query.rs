//! `sproutnet query`.

use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use sproutnet_common::answer::{Answer, Move, Provenance, Standing};
use sproutnet_common::game;
use sproutnet_common::play::Play;
use sproutnet_proto::v1;

use crate::args::{Common, Query};
use crate::cluster::Cluster;
use crate::exit::{BadInput, Exit, bad_position};
use crate::id::Id;
use crate::text;
use crate::wire;

#[derive(Serialize)]
struct Line<'a> {
    position: &'a str,
    #[serde(flatten)]
    answer: &'a Answer,
}

/// Tells what is known of a position.
pub(crate) async fn run(query: Query, common: Common) -> anyhow::Result<Exit> {
    let request = v1::QueryRequest {
        position: query.position.clone(),
        within_ms: milliseconds(query.within),
        ..v1::QueryRequest::default()
    };
    let (answer, _) = ask(request, &common).await?;
    if common.json {
        text::print_json(&Line {
            position: &query.position,
            answer: &answer,
        })?;
    } else {
        print(&answer)?;
    }
    let unknown = |&play: &Play| answer.standing(play).outcome.outcome().is_none();
    Ok(match query.play.list().iter().any(unknown) {
        true => Exit::Unknown,
        false => Exit::Fine,
    })
}

fn print(answer: &Answer) -> std::io::Result<()> {
    let head = ["position", "normal", "nimber", "misere", "genus"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.push(vec![
        answer.canonical.clone(),
        answer.normal.outcome.to_string(),
        text::nimber(answer.nimber),
        answer.misere.outcome.to_string(),
        text::genus(answer.genus.as_deref()),
    ]);
    for land in &answer.lands {
        rows.push(vec![
            format!("  land {}", land.canonical),
            land.normal.to_string(),
            text::nimber(land.nimber),
            land.misere.to_string(),
            text::genus(land.genus.as_deref()),
        ]);
    }
    text::print_columns(&rows, 0..0)?;
    let told = |play| format!("{play}: {}", told(answer, play));
    text::print_lines(&[String::new(), told(Play::Normal), told(Play::Misere)])
}

/// How an outcome is known, or what can be done to know it.
fn told(answer: &Answer, play: Play) -> String {
    let Standing {
        solved,
        citation,
        computation,
        source,
        ..
    } = answer.standing(play);
    let position = &answer.canonical;
    if let Some(solved) = solved {
        return solved_here(solved);
    }
    if let Some(citation) = citation {
        return format!("not solved here; published in {citation}");
    }
    if let Some(id) = computation.map(Id) {
        return format!("computation {id} is under way; `sproutnet watch {id}` follows it");
    }
    match source {
        Some(_) if answer.most_moves == 0 => "nothing is left to play".to_owned(),
        Some(sproutnet_common::answer::Source::Search) => "found just now".to_owned(),
        Some(_) => "follows from what is known of its lands".to_owned(),
        None => {
            format!("not known; `sproutnet solve \"{position}\" --play {play}` finds out")
        }
    }
}

fn solved_here(solved: &Provenance) -> String {
    let at = UNIX_EPOCH + Duration::from_secs(solved.solved_at);
    let by = solved.computation.map(Id);
    let by = by.map_or_else(String::new, |id| format!(" by computation {id}"));
    format!(
        "solved here{by} at {} in {}, {} expansions",
        humantime::format_rfc3339_seconds(at),
        text::time(solved.seconds).trim_end(),
        text::count(solved.expansions),
    )
}

/// Looks a position up at the coordinator.
pub(crate) async fn ask(
    request: v1::QueryRequest,
    common: &Common,
) -> anyhow::Result<(Answer, Vec<Move>)> {
    check(&request.position)?;
    let cluster = Cluster::connect(common, None).await?;
    let response = cluster.client().query(request).await?;
    cluster.close().await?;
    Ok(wire::answer(response))
}

/// Says what is wrong with a position before anybody is asked.
pub(crate) fn check(position: &str) -> Result<(), BadInput> {
    let read = game::parse(position).map(drop);
    read.map_err(|error| bad_position(position, &error))
}

/// As long a time as the wire type holds.
pub(crate) fn milliseconds(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}
