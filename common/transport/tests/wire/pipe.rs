//! The same protection over a pipe inside the process, with and without TLS.

use std::io;
use std::time::{Duration, Instant};

use crate::stand::certificates::Authority;
use crate::stand::service::Service;
use crate::stand::{SOON, asking, knowing, query, routes, token};
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::incoming::Bounded;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::serve::{self, Limits};
use sproutnet_transport::tls::{ClientTls, ServerTls};
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Code;

/// A server at the far ends of pipes.
struct Pipes {
    far: mpsc::Sender<io::Result<DuplexStream>>,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<Result<(), tonic::transport::Error>>,
}

impl Pipes {
    fn start(protection: Protection) -> Self {
        let (far, incoming) = mpsc::channel(1);
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(async move {
            let incoming = ReceiverStream::new(incoming);
            let stopped = async move { drop(stopped.await) };
            let limits = Limits::default();
            serve::serve(
                routes(Service::default()),
                &protection,
                &limits,
                incoming,
                stopped,
            )
            .await
        });
        Self { far, stop, serving }
    }

    fn connect(&self, url: &str, credentials: &Credentials) -> Connection {
        let far = self.far.clone();
        let endpoint = Endpoint::new(url, credentials, Patience::default()).unwrap();
        endpoint.connect_lazy_over(move |_| {
            let far = far.clone();
            async move {
                let (here, there) = tokio::io::duplex(1 << 16);
                let gone = |_| io::Error::other("the server is gone");
                far.send(Ok(there)).await.map_err(gone)?;
                Ok(here)
            }
        })
    }
}

#[tokio::test]
async fn a_pipe_is_guarded_as_a_port_is() {
    let pipes = Pipes::start(asking());
    let url = "http://sproutnet.internal";
    let answer = query(pipes.connect(url, &knowing()), "0*2").await;
    assert_eq!(answer.unwrap().game, "0*2");
    let refused = query(pipes.connect(url, &Credentials::default()), "0*2").await;
    assert_eq!(refused.unwrap_err().code(), Code::Unauthenticated);
}

#[tokio::test]
async fn tls_is_spoken_over_a_pipe() {
    let ours = Authority::new();
    let own = ours.server();
    let pipes = Pipes::start(Protection {
        tokens: Some(token().into()),
        tls: Some(ServerTls::read(&own.certificate, &own.key, None).unwrap()),
    });
    let credentials = Credentials {
        token: Some(token()),
        tls: Some(ClientTls::read(Some(&ours.file()), None).unwrap()),
    };
    let answer = query(pipes.connect("https://localhost", &credentials), "0*2").await;
    assert_eq!(answer.unwrap().game, "0*2");
}

#[tokio::test]
async fn the_server_ends_when_it_is_told() {
    let pipes = Pipes::start(asking());
    let connection = pipes.connect("http://sproutnet.internal", &knowing());
    query(connection.clone(), "0*2").await.unwrap();
    pipes.stop.send(()).unwrap();
    timeout(SOON, pipes.serving)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    let error = query(connection, "0*2").await.unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error}");
}

#[tokio::test]
async fn silent_connections_do_not_hold_up_the_end() {
    let pipes = Pipes::start(asking());
    let (_silent, there) = tokio::io::duplex(1 << 16);
    pipes.far.send(Ok(there)).await.unwrap();
    let (mut shy, there) = tokio::io::duplex(1 << 16);
    pipes.far.send(Ok(there)).await.unwrap();
    shy.write_all(b"PRI * HTTP").await.unwrap();
    let connection = pipes.connect("http://sproutnet.internal", &knowing());
    query(connection, "0*2").await.unwrap();
    pipes.stop.send(()).unwrap();
    let ended = timeout(SOON, pipes.serving).await;
    ended.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn a_failure_to_accept_is_followed_by_a_pause() {
    let (sender, incoming) = mpsc::channel::<io::Result<DuplexStream>>(4);
    for _ in 0..3 {
        sender
            .send(Err(io::Error::other("too many open files")))
            .await
            .unwrap();
    }
    let (_here, there) = tokio::io::duplex(64);
    sender.send(Ok(there)).await.unwrap();
    let incoming = ReceiverStream::new(incoming);
    let ending = watch::Sender::new(false);
    let heard = ending.subscribe();
    let mut incoming = Bounded::new(incoming, 1, Duration::from_secs(60), heard);
    let begun = Instant::now();
    assert!(timeout(SOON, incoming.next()).await.unwrap().is_some());
    assert!(begun.elapsed() >= Duration::from_millis(300));
}
