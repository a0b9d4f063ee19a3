//! Starts the computations of `sproutnet solve`, ahead of their answers.

use sproutnet_notation::ComputationId;
use sproutnet_proto::{convert, v1};
use sproutnet_solver::play::Play;
use tokio::sync::mpsc;

use crate::args::Solve;
use crate::commands::roots::{self, Roots};
use crate::exit::BadInput;
use crate::remote::client::Client;
use crate::remote::retry::Retry;

/// The number of computations started ahead of the next answer.
const AHEAD: usize = 64;

/// A computation that was started.
pub(crate) struct Started {
    pub(crate) id: ComputationId,
    /// The canonical text.
    pub(crate) canonical: String,
    pub(crate) play: Play,
    /// The request, kept to repeat it if necessary.
    pub(crate) request: v1::StartRequest,
}

/// A position that was read, or refused, or a call that failed.
pub(crate) type Next = anyhow::Result<Result<Started, BadInput>>;

/// Starts computations one by one, some ahead of the receiver.
pub(crate) struct Starting {
    pub(crate) roots: Roots,
    pub(crate) solve: Solve,
    pub(crate) client: Client,
    pub(crate) retry: Retry,
}

impl Starting {
    /// Begins. Ends after the last position, or when the receiver is dropped.
    pub(crate) fn spawn(self) -> (mpsc::Receiver<Next>, tokio::task::JoinHandle<()>) {
        let (sender, receiver) = mpsc::channel(AHEAD);
        (receiver, tokio::spawn(self.run(sender)))
    }

    async fn run(self, sender: mpsc::Sender<Next>) {
        let mut next = roots::channel(self.roots);
        while let Some(root) = next.recv().await {
            let position = match root {
                Ok(position) => position,
                Err(refused) => {
                    if sender.send(Ok(Err(refused))).await.is_err() {
                        return;
                    }
                    continue;
                }
            };
            for &play in self.solve.play.list() {
                // Reserve a slot before starting, so that an interrupt finds every started computation.
                let Ok(place) = sender.reserve().await else {
                    return;
                };
                let request = request(&position, play, &self.solve);
                let started = start(&self.client, &self.retry, request).await;
                place.send(started.map(Ok).map_err(Into::into));
            }
        }
    }
}

fn request(position: &str, play: Play, solve: &Solve) -> v1::StartRequest {
    let both = solve.play.list().len() > 1;
    v1::StartRequest {
        position: position.to_owned(),
        play: convert::play_field(play),
        nimber: solve.nimber && !(both && play == Play::Misere),
        deadline_ms: solve
            .deadline
            .map_or(0, |deadline| deadline.as_millis().max(1) as u64),
        priority: solve.priority,
    }
}

/// Starts or joins a computation. Idempotent.
pub(crate) async fn start(
    client: &Client,
    retry: &Retry,
    request: v1::StartRequest,
) -> Result<Started, tonic::Status> {
    let response = retry.call(|| client.start(request.clone())).await?;
    Ok(Started {
        id: ComputationId(response.computation),
        canonical: response.canonical,
        play: convert::play(request.play).unwrap_or(Play::Normal),
        request,
    })
}
