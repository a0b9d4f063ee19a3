//! Queries for many positions (NDJSON): one question per line, one answer per line, in the same order.
//!
//! The body is read whole, because many clients read nothing until they have sent everything. The answer is streamed:
//! while the client takes one part, the next one is made, and no further ones. Requests take turns, part by part, so one
//! whose client is slow holds up no other.

use std::io;
use std::iter::Enumerate;
use std::slice;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::vec::IntoIter;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sproutnet_coordinator::Coordinator;
use sproutnet_solver::play::Play;
use tokio::sync::mpsc::{self, Sender};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

use super::body::{self, too_large};
use super::positions::{Described, Within};
use super::{Api, LONGEST_BODY};
use crate::extract::{self, Asked, Named};
use crate::problem::{self, Code, Problem};

/// The maximum number of parts of answers that are made at a time; others wait for their turn.
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
    Router::new().route("/positions", post(bulk))
}

/// A line of a bulk request.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// A position as `text` or `game:text`.
    #[schema(max_length = 20000, example = "0*8")]
    position: String,
    /// The only convention to search. Without it, both are searched.
    #[schema(nullable = false)]
    play: Option<Play>,
    /// A text or a whole number of your own, which the answer repeats.
    #[schema(nullable = false, value_type = Id)]
    id: Option<Value>,
}

/// A text or a whole number by which a client knows a line.
#[derive(ToSchema)]
#[schema(as = Id)]
#[allow(dead_code, reason = "only its schema is used")]
#[serde(untagged)]
pub(super) enum Id {
    Text(String),
    Number(i64),
}

/// A line of a bulk answer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum BulkAnswer {
    Position(BulkPosition),
    Error(BulkError),
}

/// What is known of the position in a line.
#[derive(Serialize, ToSchema)]
pub(super) struct BulkPosition {
    #[serde(flatten)]
    of: Of,
    #[serde(flatten)]
    position: Box<Described>,
}

/// Why a line has no answer.
#[derive(Serialize, ToSchema)]
pub(super) struct BulkError {
    #[serde(flatten)]
    of: Of,
    #[serde(flatten)]
    error: problem::Body,
}

/// The line of the request.
#[derive(Serialize, ToSchema)]
pub(super) struct Of {
    /// The number of the line in the request, from 1.
    #[schema(minimum = 1)]
    line: usize,
    /// The `id` in that line.
    #[schema(nullable = false, value_type = Id)]
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
}

/// What is known of up to 10,000 positions
///
/// Each line of the body is a JSON object, and so is each line of the answer: what is known of that position, or an
/// error, with the number of the line and its `id`. The request may have up to 10,000 lines and 4 MiB, and has to arrive
/// within ten seconds. `within_ms` limits all searches of the request together. If the answer ends before its time, the
/// coordinator failed or the client took more than five minutes.
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
    let body = api.bodies.read(request, NDJSON, LARGEST).await?;
    let lines = lines(&body.bytes)?;
    let (sender, parts) = mpsc::channel(1);
    tokio::spawn(async move {
        let answered = answer_all(&api, lines, within, &sender);
        let answered = tokio::time::timeout(PATIENCE, answered).await;
        drop(body.room);
        // The stream ends with an error, so that the answer does not look complete.
        if let Err(error) = answered.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            let _ = sender.send(Err(error)).await;
        }
    });
    let body = Body::from_stream(ReceiverStream::new(parts));
    Ok(([(header::CONTENT_TYPE, NDJSON)], body).into_response())
}

/// The lines of a request that are not answered yet, with their numbers.
type Lines = Enumerate<IntoIter<Bytes>>;

/// Sends the answers in parts until all are sent or the client leaves.
async fn answer_all(
    api: &Api,
    mut lines: Lines,
    within: Duration,
    sender: &Sender<io::Result<Bytes>>,
) -> io::Result<()> {
    let until = api.coordinator.queries.until(within);
    while lines.len() > 0 {
        let Ok(room) = sender.reserve().await else {
            return Ok(());
        };
        let _turn = api.bulk_places.acquire().await.map_err(io::Error::other)?;
        let asked = Arc::clone(&api.coordinator);
        let made = crate::blocking(move || {
            let part = next_part(&asked, &mut lines, within, until)?;
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
    lines: &mut Lines,
    within: Duration,
    until: Instant,
) -> Result<Vec<u8>, Problem> {
    let mut part = Vec::with_capacity(PART + PART / 8);
    let began = Instant::now();
    while part.len() < PART
        && began.elapsed() < PACE
        && let Some((index, line)) = lines.next()
    {
        let mut of = Of {
            line: index + 1,
            id: None,
        };
        let told = match answer(coordinator, &line, &mut of.id, within, until) {
            Ok(position) => BulkAnswer::Position(BulkPosition { of, position }),
            Err(problem) if problem.status.is_server_error() => return Err(problem),
            Err(problem) => BulkAnswer::Error(BulkError {
                of,
                error: problem.body(),
            }),
        };
        serde_json::to_writer(&mut part, &told).map_err(|error| Problem::fault(&error))?;
        part.push(b'\n');
    }
    Ok(part)
}

/// The answer to a line. Notes its `id` as soon as it is known.
fn answer(
    coordinator: &Coordinator,
    line: &[u8],
    id: &mut Option<Value>,
    within: Duration,
    until: Instant,
) -> Result<Box<Described>, Problem> {
    if line.len() > LONGEST_BODY {
        let text = format!("a line may have {LONGEST_BODY} bytes at most");
        return Err(Problem::bad(text).with(Code::TooLarge));
    }
    let question = body::parse(line, "line");
    *id = match &question {
        Ok(Question { id, .. }) => id.clone(),
        // The rest of the line is wrong.
        Err(_) => serde_json::from_slice(line)
            .ok()
            .and_then(|mut line: Value| line.get_mut("id").map(Value::take)),
    };
    if id
        .as_ref()
        .is_some_and(|id| !(id.is_string() || id.is_i64() || id.is_u64()))
    {
        *id = None;
        let text = "the line is invalid: `id` is to be a text or a whole number";
        return Err(Problem::bad(text).with(Code::InvalidBody));
    }
    let Question {
        position: text,
        play,
        ..
    } = question?;
    let (game, position) = extract::position(&text)?;
    let named = Named {
        text,
        game,
        position,
    };
    let plays = play.as_ref().map_or(&Play::ALL[..], slice::from_ref);
    let mut described = Described::of(coordinator, named, plays, until)?;
    described.forget_search_unless_wanted(within);
    Ok(Box::new(described))
}

/// The lines of a body. A line break at its end begins no further line.
///
/// # Errors
/// There are more than [`MOST_LINES`].
fn lines(body: &Bytes) -> Result<Lines, Problem> {
    let whole = body.strip_suffix(b"\n").unwrap_or(body);
    let lines = whole.split(|&byte| byte == b'\n');
    let lines: Vec<Bytes> = lines
        .take(if body.is_empty() { 0 } else { MOST_LINES + 1 })
        .map(|line| body.slice_ref(line))
        .collect();
    if lines.len() > MOST_LINES {
        return Err(too_large(&format!("{MOST_LINES} lines")));
    }
    Ok(lines.into_iter().enumerate())
}
