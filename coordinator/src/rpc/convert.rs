//! Between domain and wire types. What came over the wire and makes no sense is refused here, by name.

use std::time::Duration;

use sproutnet_proto::v1;
use sproutnet_query::{
    Answer, Known, Line, Move, Source, Standing, Step, TableEntry, Told, Verdict,
};
use sproutnet_solver::play::{Outcome, Play};
use sproutnet_solver::search::Numbers;
use tonic::Status;

use crate::error::with_causes;
use crate::scheduler::computation::{self, Progress};
use crate::scheduler::{Found, Grant};
use crate::{CoordinatorError, Listed, Report, SourceState, State, Verified, WorkerState};

/// Takes the error whole, so that it can be named where errors are mapped.
#[allow(clippy::needless_pass_by_value)]
pub fn status(error: CoordinatorError) -> Status {
    match &error {
        CoordinatorError::Unknown(_) => Status::not_found(error.to_string()),
        CoordinatorError::Invalid(_) => Status::invalid_argument(error.to_string()),
        CoordinatorError::NotNow(_) => Status::failed_precondition(error.to_string()),
        CoordinatorError::SetAside(_) => Status::permission_denied(error.to_string()),
        CoordinatorError::Full(_) => Status::resource_exhausted(error.to_string()),
        CoordinatorError::Store(_)
        | CoordinatorError::Document(..)
        | CoordinatorError::Images(_)
        | CoordinatorError::Search(_) => {
            let text = with_causes(&error);
            tracing::error!("{text}");
            Status::internal(text)
        }
    }
}

/// A convention that has to be said.
///
/// # Errors
/// It is neither.
pub fn play_from(play: i32) -> Result<Play, Status> {
    match v1::Play::try_from(play) {
        Ok(v1::Play::Normal) => Ok(Play::Normal),
        Ok(v1::Play::Misere) => Ok(Play::Misere),
        _ => Err(Status::invalid_argument(
            "play: normal or misere is expected",
        )),
    }
}

/// A convention.
pub fn play(play: Play) -> i32 {
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
        Some(Source::Derived) => v1::Source::Derived.into(),
        Some(Source::Literature) => v1::Source::Literature.into(),
    }
}

/// Numbers that have to be said of `what`.
///
/// # Errors
/// They are missing, or both zero.
pub fn numbers_from(numbers: Option<v1::Numbers>, what: &str) -> Result<Numbers, Status> {
    match numbers {
        Some(v1::Numbers { proof, disproof }) if proof > 0 || disproof > 0 => {
            Ok(Numbers { proof, disproof })
        }
        _ => Err(Status::invalid_argument(format!(
            "{what}: numbers, not both zero, are expected"
        ))),
    }
}

/// As long a time as the wire type holds.
pub fn milliseconds(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}

/// A computation and how far it is.
pub fn listed(listed: Listed) -> v1::Computation {
    v1::Computation {
        computation: listed.id,
        canonical: listed.canonical,
        play: play(listed.play),
        nimber: listed.nimber,
        priority: listed.priority,
        started_at: listed.started_at,
        progress: Some(progress(&listed.progress)),
    }
}

/// How the coordinator and its workers do.
pub fn state(state: State) -> v1::FleetResponse {
    v1::FleetResponse {
        workers: state.workers.into_iter().map(worker).collect(),
        records: state.records as u64,
        store_bytes: state.store_bytes,
        nodes: state.nodes as u64,
        leased: state.jobs.leased,
        finished: state.jobs.finished,
        expired: state.jobs.expired,
        released: state.jobs.released,
        uptime: state.uptime.as_secs_f64(),
        set_aside: state.set_aside.into_iter().map(source_status).collect(),
    }
}

/// A worker that told of records.
pub fn source_status(source: SourceState) -> v1::SourceStatus {
    let (aside, aside_at) = match source.aside {
        Some(aside) => (aside.why, aside.at),
        None => (String::new(), 0),
    };
    v1::SourceStatus {
        source: source.number,
        name: source.name,
        peer: source.peer,
        records: source.records,
        aside,
        aside_at,
    }
}

/// A record that was told of.
pub fn told(told: Told) -> v1::ToldRecord {
    v1::ToldRecord {
        position: told.position,
        value: told.value,
        play: play(told.play),
        says: told.says,
    }
}

fn worker(worker: WorkerState) -> v1::WorkerStatus {
    v1::WorkerStatus {
        worker: worker.number,
        name: worker.name,
        peer: worker.peer,
        cores: worker.cores,
        jobs: worker.jobs as u32,
        silent: worker.silent.as_secs_f64(),
        expansions: worker.totals.expansions,
        expansions_per_second: worker.rate,
        records: worker.records,
        memory: worker.totals.memory,
    }
}

/// How far a computation is.
pub fn progress(progress: &Progress) -> v1::Progress {
    v1::Progress {
        status: match progress.status {
            computation::Status::Running => v1::Status::Running,
            computation::Status::Paused => v1::Status::Paused,
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
        nodes: progress.nodes as u64,
        jobs: progress.jobs,
    }
}

/// What is known of a position, and of its moves.
pub fn answer(answer: Answer, moves: Vec<Move>) -> v1::QueryResponse {
    v1::QueryResponse {
        canonical: answer.canonical,
        game: answer.game,
        most_moves: answer.most_moves,
        normal: Some(standing(answer.normal)),
        misere: Some(standing(answer.misere)),
        nimber: answer.nimber,
        genus: answer.genus,
        lands: answer.lands.into_iter().map(verdict).collect(),
        moves: moves.into_iter().map(verdict_of_move).collect(),
    }
}

fn standing(standing: Standing) -> v1::Standing {
    v1::Standing {
        outcome: known(standing.outcome),
        source: source(standing.source),
        citation: standing.citation.unwrap_or_default(),
        solved: standing.solved.map(|solved| v1::Provenance {
            computation: solved.computation,
            solved_at: solved.solved_at,
            seconds: solved.seconds,
            expansions: solved.expansions,
            records: solved.records,
        }),
        computation: standing.computation,
        verified: standing.verified,
    }
}

fn verdict(verdict: Verdict) -> v1::Verdict {
    v1::Verdict {
        canonical: verdict.canonical,
        normal: known(verdict.normal),
        misere: known(verdict.misere),
        nimber: verdict.nimber,
        genus: verdict.genus,
        verified: verdict.verified.into_iter().map(play).collect(),
    }
}

fn verdict_of_move(of_move: Move) -> v1::Verdict {
    v1::Verdict {
        canonical: of_move.canonical,
        normal: known(of_move.normal),
        misere: known(of_move.misere),
        nimber: of_move.nimber,
        genus: of_move.genus,
        verified: of_move.verified.into_iter().map(play).collect(),
    }
}

/// That a computation is under way is told by its number.
fn known(known: Known) -> i32 {
    outcome(known.outcome())
}

/// How play goes on.
pub fn line(line: Line) -> v1::LineResponse {
    let step = |step: Step| v1::Step {
        canonical: step.canonical,
        outcome: known(step.outcome),
        verified: step.verified,
    };
    v1::LineResponse {
        steps: line.steps.into_iter().map(step).collect(),
        complete: line.complete,
    }
}

/// A certificate that was accepted.
pub fn verified(verified: Verified) -> v1::VerifyResponse {
    let Verified {
        verification,
        records,
        newly,
    } = verified;
    v1::VerifyResponse {
        canonical: verification.position,
        play: play(verification.play),
        outcome: outcome(Some(verification.outcome)),
        facts: verification.facts,
        records,
        newly,
    }
}

/// An entry of a table.
pub fn table_entry(entry: TableEntry) -> v1::TableEntry {
    v1::TableEntry {
        size: entry.size,
        play: play(entry.play),
        outcome: outcome(Some(entry.outcome)),
        nimber: entry.nimber,
        source: source(Some(entry.source)),
        citation: entry.citation.unwrap_or_default(),
        verified: entry.verified,
    }
}

/// A job that was given out.
pub fn job(grant: Grant) -> v1::Job {
    v1::Job {
        lease: grant.lease,
        game: grant.game.to_owned(),
        play: play(grant.play),
        state: grant.state,
        slice_ms: milliseconds(grant.slice),
        expires_ms: milliseconds(grant.expires),
        computation: grant.computation,
    }
}

/// What a worker reports. What the report does not use of the message is not looked at: a fault ends a
/// job without numbers, and records are handed over without a job.
///
/// # Errors
/// Numbers that are needed are missing or make no sense.
pub fn report(request: v1::ReportRequest) -> Result<Report, Status> {
    let fault = Some(request.fault).filter(|fault| !fault.is_empty());
    let found = match &fault {
        Some(_) => Err(Vec::new()),
        // Only records are handed over.
        None if request.lease == 0 => Err(Vec::new()),
        None => found(request.numbers, request.children)?,
    };
    Ok(Report {
        worker: request.worker,
        lease: request.lease,
        found,
        blocks: request.blocks,
        visits: request.visits,
        expansions: request.expansions,
        disputed: Some(request.disputed).filter(|key| fault.is_some() && !key.is_empty()),
        fault,
    })
}

/// The outcome of a state, or else the children that are told.
fn found(numbers: Option<v1::Numbers>, children: Vec<v1::ChildNumbers>) -> Result<Found, Status> {
    if let Some(outcome) = numbers_from(numbers, "report")?.outcome() {
        return Ok(Ok(outcome));
    }
    let child = |child: v1::ChildNumbers| Ok((child.state, numbers_from(child.numbers, "child")?));
    children
        .into_iter()
        .map(child)
        .collect::<Result<_, _>>()
        .map(Err)
}
