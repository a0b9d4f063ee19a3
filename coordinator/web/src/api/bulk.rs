//! Queries for many positions (NDJSON): one question per line, one answer per line, in the same order.
//!
//! The body is read whole, because many clients read nothing until they have sent everything. The answer is streamed:
//! while the client takes one part, the next one is made, and no further ones.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::vec::IntoIter;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde::{Deserialize, Serialize};
use sproutnet_coordinator::Coordinator;
use sproutnet_solver::play::Play;
use tokio::sync::mpsc::{self, Sender};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

use super::positions::{Described, Within};
use super::{Api, LONGEST_BODY, busy};
use crate::extract::{self, Asked};
use crate::problem::{self, Problem};

/// The maximum number of requests in progress; further ones are refused with 503.
pub(super) const AT_ONCE: usize = 4;

/// The maximum number of lines of a request.
const MOST_LINES: usize = 10_000;

/// The maximum size of a request, in bytes.
const LARGEST: usize = 4 * 1024 * 1024;

/// The media type of lines of JSON.
const NDJSON: &str = "application/x-ndjson";

/// The size from which a part of the answer is sent, in bytes.
const PART: usize = 64 * 1024;

/// The time after which a smaller part is sent.
const PACE: Duration = Duration::from_millis(100);

/// The time limit for the client to take the whole answer.
const PATIENCE: Duration = Duration::from_secs(300);

pub(super) fn routes() -> Router<Arc<Api>> {
    let limit = DefaultBodyLimit::max(LARGEST);
    Router::new().route("/positions", post(bulk).layer(limit))
}

/// A line of a bulk request.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `position`")]
pub(super) struct Question {
    /// A position as `text` or `game:text`.
    #[schema(max_length = 20000, example = "0*8")]
    position: String,
    /// The only convention to search. Without it, both are searched.
    #[schema(nullable = false)]
    play: Option<Play>,
}

/// A line of a bulk answer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum BulkAnswer {
    Position(Box<Described>),
    Error(problem::Body),
}

/// What is known of up to 10,000 positions
///
/// Each line of the body is a JSON object, and so is each line of the answer: what is known of that position, or an
/// error. The request may have up to 10,000 lines and 4 MiB. `within_ms` limits all searches of the request together.
/// If the answer ends before its time, the coordinator failed or the client took more than five minutes.
#[utoipa::path(
    post,
    path = "/positions",
    operation_id = "bulk",
    params(Within),
    request_body(
        content = Question,
        content_type = "application/x-ndjson",
        description = "A line for each position."
    ),
    responses((
        status = 200,
        description = "A line for each line of the request, in the same order.",
        body = BulkAnswer,
        content_type = "application/x-ndjson"
    ))
)]
pub(super) async fn bulk(
    State(api): State<Arc<Api>>,
    Asked(time): Asked<Within>,
    request: Request,
) -> Result<Response, Problem> {
    let within = time.limit()?;
    check_type(request.headers())?;
    let place = Arc::clone(&api.bulk_places).try_acquire_owned();
    let place = place.map_err(|_| busy())?;
    let body = Bytes::from_request(request, &()).await;
    let body = body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(&format!("{LARGEST} bytes")),
        status => Problem::unreadable(status, error.body_text()),
    })?;
    let lines = lines(&body)?;
    let coordinator = Arc::clone(&api.coordinator);
    let (sender, parts) = mpsc::channel(1);
    tokio::spawn(async move {
        let answered = answer_all(&coordinator, lines, within, &sender);
        let answered = tokio::time::timeout(PATIENCE, answered).await;
        drop(place);
        // The stream ends with an error, so that the answer does not look complete.
        if let Err(error) = answered.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            let _ = sender.send(Err(error)).await;
        }
    });
    let body = Body::from_stream(ReceiverStream::new(parts));
    Ok(([(header::CONTENT_TYPE, NDJSON)], body).into_response())
}

/// Refuses a body that is not declared as NDJSON.
fn check_type(headers: &HeaderMap) -> Result<(), Problem> {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let (kind, _) = kind.split_once(';').unwrap_or((kind, ""));
    if kind.trim().eq_ignore_ascii_case(NDJSON) {
        return Ok(());
    }
    let text = format!("the Content-Type must be {NDJSON}");
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text))
}

fn too_large(most: &str) -> Problem {
    let text = format!("a request may have {most} at most");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, text)
}

/// Sends the answers in parts until all are sent or the client leaves.
async fn answer_all(
    coordinator: &Arc<Coordinator>,
    mut lines: IntoIter<Bytes>,
    within: Duration,
    sender: &Sender<io::Result<Bytes>>,
) -> io::Result<()> {
    let until = coordinator.queries.until(within);
    while lines.len() > 0 {
        let Ok(room) = sender.reserve().await else {
            return Ok(());
        };
        let asked = Arc::clone(coordinator);
        let made = crate::blocking(move || {
            let part = next_part(&asked, &mut lines, until)?;
            Ok::<_, Problem>((lines, part))
        });
        let part;
        (lines, part) = made
            .await
            .flatten()
            .map_err(|problem| io::Error::other(problem.text))?;
        room.send(Ok(part.into()));
    }
    Ok(())
}

/// The answers to the next lines, at most one part.
///
/// # Errors
/// The coordinator failed.
fn next_part(
    coordinator: &Coordinator,
    lines: &mut IntoIter<Bytes>,
    until: Instant,
) -> Result<Vec<u8>, Problem> {
    let mut part = Vec::with_capacity(PART + PART / 8);
    let began = Instant::now();
    while part.len() < PART
        && began.elapsed() < PACE
        && let Some(line) = lines.next()
    {
        let told = match answer(coordinator, &line, until) {
            Ok(described) => BulkAnswer::Position(Box::new(described)),
            Err(problem) if problem.status.is_server_error() => return Err(problem),
            Err(problem) => BulkAnswer::Error(problem.body()),
        };
        serde_json::to_writer(&mut part, &told).map_err(|error| Problem::fault(&error))?;
        part.push(b'\n');
    }
    Ok(part)
}

/// The answer to a line.
fn answer(coordinator: &Coordinator, line: &[u8], until: Instant) -> Result<Described, Problem> {
    if line.len() > LONGEST_BODY {
        let text = format!("a line may have {LONGEST_BODY} bytes at most");
        return Err(Problem::bad(text));
    }
    let question: Question = serde_json::from_slice(line).map_err(|error| {
        let text = error.to_string();
        let (what, _) = text.split_once(" at line ").unwrap_or((&text, ""));
        let column = error.column();
        Problem::bad(format!("the line is invalid at column {column}: {what}"))
    })?;
    let (game, position) = extract::position(&question.position)?;
    let queries = &coordinator.queries;
    let lookup = queries.lookup(game, position);
    let answer = match question.play {
        Some(play) => queries.answer_under(&lookup, &[play], until),
        None => queries.answer(&lookup, until),
    };
    Ok(Described::of(question.position, answer?))
}

/// The lines of a body. A line break at its end begins no further line.
///
/// # Errors
/// There are more than [`MOST_LINES`].
fn lines(body: &Bytes) -> Result<IntoIter<Bytes>, Problem> {
    let whole = body.strip_suffix(b"\n").unwrap_or(body);
    let lines = whole.split(|&byte| byte == b'\n');
    let lines: Vec<Bytes> = lines
        .take(if body.is_empty() { 0 } else { MOST_LINES + 1 })
        .map(|line| body.slice_ref(line))
        .collect();
    if lines.len() > MOST_LINES {
        return Err(too_large(&format!("{MOST_LINES} lines")));
    }
    Ok(lines.into_iter())
}
