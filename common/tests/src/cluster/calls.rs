//! The calls of clients.

use sproutnet_proto::v1;
use tokio_stream::StreamExt;
use tonic::{Status, Streaming};

use super::{Client, soon};

/// Starts a computation under normal play; returns its number.
pub async fn start(client: &mut Client, position: &str) -> u64 {
    start_as(client, start_request(position)).await
}

/// Starts a computation under this convention; returns its number.
pub async fn start_under(client: &mut Client, position: &str, play: v1::Play) -> u64 {
    let request = v1::StartRequest {
        play: play.into(),
        ..start_request(position)
    };
    start_as(client, request).await
}

/// Starts the requested computation; returns its number.
pub async fn start_as(client: &mut Client, request: v1::StartRequest) -> u64 {
    let response = soon(client.start(request)).await.expect("it starts");
    response.into_inner().computation
}

/// The start of a computation under normal play, without a deadline.
pub fn start_request(position: &str) -> v1::StartRequest {
    v1::StartRequest {
        position: position.to_owned(),
        play: v1::Play::Normal.into(),
        ..v1::StartRequest::default()
    }
}

/// Changes the weight of a computation.
pub async fn set_weight(client: &mut Client, computation: u64, weight: u32) {
    let request = v1::SetWeightRequest {
        computation,
        weight,
    };
    soon(client.set_weight(request)).await.expect("changed");
}

/// Pauses a computation.
pub async fn pause(client: &mut Client, computation: u64) {
    let request = v1::PauseRequest { computation };
    soon(client.pause(request)).await.expect("paused");
}

/// Resumes a computation.
pub async fn resume(client: &mut Client, computation: u64) {
    let request = v1::ResumeRequest { computation };
    soon(client.resume(request)).await.expect("resumed");
}

/// Ends a computation.
pub async fn cancel(client: &mut Client, computation: u64) {
    let request = v1::CancelRequest { computation };
    soon(client.cancel(request)).await.expect("cancelled");
}

/// All computations, oldest first.
pub async fn list(client: &mut Client) -> Vec<v1::Computation> {
    let response = soon(client.list(v1::ListRequest {})).await;
    response.expect("a list").into_inner().computations
}

/// The state of the coordinator and its workers.
pub async fn fleet(client: &mut Client) -> v1::FleetResponse {
    let response = soon(client.fleet(v1::FleetRequest {})).await;
    response.expect("a status").into_inner()
}

/// A computation's progress from now on.
pub async fn watch(client: &mut Client, computation: u64) -> Streaming<v1::Progress> {
    let request = v1::WatchRequest { computation };
    let response = soon(client.watch(request)).await;
    response.expect("such a computation").into_inner()
}

/// The last progress of a computation.
pub async fn end(client: &mut Client, computation: u64) -> v1::Progress {
    let progress = watch(client, computation).await;
    let all: Result<Vec<_>, Status> = soon(progress.collect()).await;
    let last = all.expect("no error").pop();
    last.expect("a last response")
}

/// The current progress of a computation.
pub async fn now(client: &mut Client, computation: u64) -> v1::Progress {
    let mut progress = watch(client, computation).await;
    let first = soon(progress.next()).await;
    first.expect("a response").expect("no error")
}

/// Whether nothing is known here of a position under normal play, so that the atlas answers.
pub fn is_of_the_atlas(answer: &v1::QueryResponse) -> bool {
    let normal = answer.normal.as_ref();
    normal.is_some_and(|normal| normal.source == v1::Source::Atlas as i32)
}

/// The answer about a position.
pub async fn query(client: &mut Client, position: &str) -> v1::QueryResponse {
    let request = v1::QueryRequest {
        position: position.to_owned(),
        ..v1::QueryRequest::default()
    };
    let response = soon(client.query(request)).await.expect("an answer");
    response.into_inner()
}
