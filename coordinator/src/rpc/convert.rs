//! Between domain and wire types.

use std::error::Error;

use sproutnet_common::answer::{Answer, Source, TableEntry, Verdict};
use sproutnet_common::play::{Outcome, Play, Record};
use sproutnet_common::search::Numbers;
use sproutnet_common::store::block;
use sproutnet_proto::v1;
use tonic::Status;

use crate::CoordinatorError;
use crate::computation::{self, Progress};

/// Takes the error whole, so that it can be named where errors are mapped.
#[allow(clippy::needless_pass_by_value)]
pub(super) fn status(error: CoordinatorError) -> Status {
    match &error {
        CoordinatorError::Unknown(_) => Status::not_found(error.to_string()),
        CoordinatorError::Invalid(_) => Status::invalid_argument(error.to_string()),
        CoordinatorError::Store(_) | CoordinatorError::Result(..) => {
            let mut text = error.to_string();
            let mut cause = error.source();
            while let Some(error) = cause {
                text = format!("{text}: {error}");
                cause = error.source();
            }
            tracing::error!("{text}");
            Status::internal(text)
        }
    }
}

pub(super) fn play_from(play: i32) -> Result<Play, Status> {
    match v1::Play::try_from(play) {
        Ok(v1::Play::Normal) => Ok(Play::Normal),
        Ok(v1::Play::Misere) => Ok(Play::Misere),
        _ => Err(Status::invalid_argument(
            "play: normal or misere is expected",
        )),
    }
}

pub(super) fn play(play: Play) -> i32 {
    match play {
        Play::Normal => v1::Play::Normal.into(),
        Play::Misere => v1::Play::Misere.into(),
    }
}

fn outcome(outcome: Option<Outcome>) -> i32 {
    match outcome {
        None => v1::Outcome::Unspecified.into(),
        Some(Outcome::Win) => v1::Outcome::Win.into(),
        Some(Outcome::Loss) => v1::Outcome::Loss.into(),
    }
}

fn source(source: Option<Source>) -> i32 {
    match source {
        None => v1::Source::Unspecified.into(),
        Some(Source::Search) => v1::Source::Search.into(),
        Some(Source::Store) => v1::Source::Store.into(),
        Some(Source::Literature) => v1::Source::Literature.into(),
    }
}

pub(super) fn numbers_from(numbers: Option<v1::Numbers>, what: &str) -> Result<Numbers, Status> {
    match numbers {
        Some(v1::Numbers { proof, disproof }) if proof > 0 || disproof > 0 => {
            Ok(Numbers { proof, disproof })
        }
        _ => Err(Status::invalid_argument(format!(
            "{what}: numbers, not both zero, are expected"
        ))),
    }
}

pub(super) fn records_from(blocks: &[Vec<u8>]) -> Result<Vec<Record>, Status> {
    let mut records = Vec::new();
    for (number, bytes) in blocks.iter().enumerate() {
        let decoded = block::decode(bytes);
        let wrong = |error| Status::invalid_argument(format!("block {number}: {error}"));
        records.extend(decoded.map_err(wrong)?);
    }
    Ok(records)
}

pub(super) fn block(records: &[Record]) -> Vec<u8> {
    let records = records.iter().map(|record| (&*record.key, record.value));
    block::encode(records).unwrap_or_default()
}

pub(super) fn progress(progress: &Progress) -> v1::Progress {
    v1::Progress {
        status: match progress.status {
            computation::Status::Running => v1::Status::Running,
            computation::Status::Solved => v1::Status::Solved,
            computation::Status::Cancelled => v1::Status::Cancelled,
            computation::Status::Expired => v1::Status::Expired,
            computation::Status::Failed => v1::Status::Failed,
        }
        .into(),
        outcome: outcome(progress.outcome),
        nimber: progress.nimber,
        source: source(progress.source),
        seconds: progress.seconds,
        expansions: progress.expansions,
        records: progress.records,
        root: Some(v1::Numbers {
            proof: progress.root.proof,
            disproof: progress.root.disproof,
        }),
        fault: progress.fault.clone().unwrap_or_default(),
        nodes: 0,
        jobs: 0,
    }
}

pub(super) fn answer(answer: Answer) -> v1::QueryResponse {
    let verdicts = |verdicts: Vec<Verdict>| verdicts.into_iter().map(verdict).collect();
    v1::QueryResponse {
        game: answer.game,
        verdict: Some(verdict(answer.verdict)),
        lands: verdicts(answer.lands),
        moves: verdicts(answer.moves.unwrap_or_default()),
    }
}

fn verdict(verdict: Verdict) -> v1::Verdict {
    v1::Verdict {
        canonical: verdict.canonical,
        normal: outcome(verdict.normal),
        misere: outcome(verdict.misere),
        nimber: verdict.nimber,
    }
}

pub(super) fn table_entry(entry: TableEntry) -> v1::TableEntry {
    v1::TableEntry {
        size: entry.size,
        play: play(entry.play),
        outcome: outcome(Some(entry.outcome)),
        nimber: entry.nimber,
        source: source(Some(entry.source)),
        citation: entry.citation.unwrap_or_default(),
    }
}
