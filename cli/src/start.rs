//! Asks for the computations that `sproutnet solve` names, ahead of their answers.

use sproutnet_proto::{convert, v1};
use sproutnet_solver::play::Play;
use tokio::sync::mpsc;

use crate::args::Solve;
use crate::client::Client;
use crate::exit::BadInput;
use crate::id::Id;
use crate::retry::Retry;
use crate::roots::{self, Roots};

/// Computations asked for ahead of the one whose answer is printed next.
const AHEAD: usize = 64;

/// A computation that was started.
pub(crate) struct Started {
    pub(crate) id: Id,
    /// The canonical text.
    pub(crate) canonical: String,
    pub(crate) play: Play,
    /// What was asked for, to ask again if need be.
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
    /// Begins. It ends with the positions, or when nobody receives any more.
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
                // What is started has its place, so that an interrupt finds all of it.
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

/// Starts a computation, or joins it. To ask twice changes nothing.
pub(crate) async fn start(
    client: &Client,
    retry: &Retry,
    request: v1::StartRequest,
) -> Result<Started, tonic::Status> {
    let response = retry.call(|| client.start(request.clone())).await?;
    Ok(Started {
        id: Id(response.computation),
        canonical: response.canonical,
        play: convert::play(request.play).unwrap_or(Play::Normal),
        request,
    })
}
