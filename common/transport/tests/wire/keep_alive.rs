//! A peer that vanishes without a word is noticed, on either side.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::stand::{SOON, Stand, query};
use sproutnet_proto::v1::WatchRequest;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::serve::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tonic::Code;

const PING_EVERY: Duration = Duration::from_millis(200);
const PING_ANSWER: Duration = Duration::from_millis(200);

/// The maximum time until a loss is noticed, with a wide margin.
const NOTICED: Duration = Duration::from_secs(3);

const NOBODY: Credentials = Credentials {
    token: None,
    tls: None,
};

fn patience() -> Patience {
    Patience {
        ping_every: PING_EVERY,
        ping_answer: PING_ANSWER,
        ..Patience::default()
    }
}

/// A cable between client and server that can be cut: what comes then is lost, and nothing is closed.
struct Cable {
    address: SocketAddr,
    cut: watch::Sender<bool>,
    /// Connections that the client has closed.
    closed: Arc<AtomicUsize>,
}

impl Cable {
    async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let cut = watch::Sender::new(false);
        let cutting = cut.clone();
        let closed = Arc::new(AtomicUsize::new(0));
        let closing = Arc::clone(&closed);
        tokio::spawn(async move {
            loop {
                let (near, _) = listener.accept().await.unwrap();
                let far = TcpStream::connect(server).await.unwrap();
                let ((from_near, to_near), (from_far, to_far)) =
                    (near.into_split(), far.into_split());
                let (passing, closed) = (cutting.subscribe(), Arc::clone(&closing));
                tokio::spawn(async move {
                    pass(from_near, to_far, passing).await;
                    closed.fetch_add(1, Ordering::SeqCst);
                });
                tokio::spawn(pass(from_far, to_near, cutting.subscribe()));
            }
        });
        Self {
            address,
            cut,
            closed,
        }
    }

    fn connect(&self, patience: Patience) -> Connection {
        let url = format!("http://{}", self.address);
        let endpoint = Endpoint::new(&url, &NOBODY, patience).unwrap();
        endpoint.connect_lazy()
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, cut: watch::Receiver<bool>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        if !*cut.borrow() && to.write_all(&buffer[..read]).await.is_err() {
            break;
        }
    }
}

#[tokio::test]
async fn a_client_notices_that_the_server_is_gone() {
    let stand = Stand::start(Protection::default()).await;
    let cable = Cable::to(stand.address).await;
    let connection = cable.connect(patience());
    let mut client = ClientServiceClient::new(connection.clone());
    let request = WatchRequest { computation: 20 };
    let mut stream = client.watch(request).await.unwrap().into_inner();
    // The stream outlives several pings.
    let begun = Instant::now();
    while begun.elapsed() < 3 * (PING_EVERY + PING_ANSWER) {
        assert!(stream.message().await.unwrap().is_some());
    }
    cable.cut.send_replace(true);
    let begun = Instant::now();
    let lost = loop {
        match timeout(SOON, stream.message()).await.unwrap() {
            Ok(answer) => assert!(answer.is_some()),
            Err(error) => break error,
        }
    };
    assert!(begun.elapsed() < NOTICED, "{:?}", begun.elapsed());
    assert_eq!(lost.code(), Code::Unavailable, "{lost}");
    assert!(
        lost.message().contains(&cable.address.to_string()),
        "{lost}"
    );

    // The same connection is made again when the cable is whole.
    cable.cut.send_replace(false);
    assert_eq!(query(connection, "0*2").await.unwrap().game, "0*2");
}

#[tokio::test]
async fn an_idle_client_notices_too() {
    let stand = Stand::start(Protection::default()).await;
    let cable = Cable::to(stand.address).await;
    let connection = cable.connect(patience());
    query(connection.clone(), "0*2").await.unwrap();
    cable.cut.send_replace(true);
    let begun = Instant::now();
    while cable.closed.load(Ordering::SeqCst) == 0 {
        assert!(begun.elapsed() < NOTICED);
        sleep(Duration::from_millis(20)).await;
    }
    cable.cut.send_replace(false);
    assert_eq!(query(connection, "0*2").await.unwrap().game, "0*2");
}

#[tokio::test]
async fn a_server_notices_that_the_client_is_gone() {
    let limits = Limits {
        connections: 1,
        ping_every: PING_EVERY,
        ping_answer: PING_ANSWER,
        ..Limits::default()
    };
    let stand = Stand::with_limits(Protection::default(), limits).await;
    let cable = Cable::to(stand.address).await;
    let connection = cable.connect(Patience::default());
    query(connection.clone(), "0*2").await.unwrap();
    // While the peer answers pings, it keeps its place.
    sleep(3 * (PING_EVERY + PING_ANSWER)).await;
    query(connection.clone(), "0*2").await.unwrap();
    assert!(query(stand.connect(&NOBODY), "0*2").await.is_err());

    cable.cut.send_replace(true);
    let begun = Instant::now();
    while query(stand.connect(&NOBODY), "0*2").await.is_err() {
        assert!(begun.elapsed() < NOTICED);
        sleep(Duration::from_millis(20)).await;
    }
}
