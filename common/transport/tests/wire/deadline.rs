//! Unary calls end in time, whatever the server does; streams continue.

use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::stand::service::HANG;
use crate::stand::{SOON, Stand, query};
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_proto::v1::{QueryRequest, WatchRequest};
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tonic::{Code, Request};

const SHORT: Patience = Patience {
    connect: Duration::from_secs(60),
    call: Duration::from_millis(200),
    ping_every: Duration::from_secs(60),
    ping_answer: Duration::from_secs(60),
};

fn connect(stand: &Stand) -> Connection {
    stand.connect_with(&Credentials::default(), SHORT)
}

#[tokio::test]
async fn a_hanging_server_is_given_up_by_both_sides() {
    let stand = Stand::start(Protection::default()).await;
    let begun = Instant::now();
    let error = query(connect(&stand), HANG).await.unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
    assert!(begun.elapsed() >= SHORT.call);
    while stand.service.open.load(Ordering::SeqCst) > 0 {
        assert!(begun.elapsed() < SOON);
        sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn the_server_is_told_the_deadline() {
    let stand = Stand::start(Protection::default()).await;
    // A client that does not watch the time itself.
    let url = format!("http://{}", stand.address);
    let channel = tonic::transport::Endpoint::from_shared(url)
        .unwrap()
        .connect_lazy();
    let mut client = ClientServiceClient::with_interceptor(channel, |mut request: Request<()>| {
        request
            .metadata_mut()
            .insert("grpc-timeout", "100m".parse().unwrap());
        Ok(request)
    });
    let request = QueryRequest {
        position: HANG.to_owned(),
        ..QueryRequest::default()
    };
    let error = timeout(SOON, client.query(request))
        .await
        .unwrap()
        .unwrap_err();
    assert_eq!(error.message(), "Timeout expired");
}

#[tokio::test]
async fn a_callers_own_time_comes_first() {
    let stand = Stand::start(Protection::default()).await;
    let mut client = ClientServiceClient::new(connect(&stand));
    let mut request = Request::new(QueryRequest {
        position: HANG.to_owned(),
        ..QueryRequest::default()
    });
    request.set_timeout(Duration::from_millis(600));
    let begun = Instant::now();
    let error = client.query(request).await.unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
    assert!(begun.elapsed() >= Duration::from_millis(600));

    let mut request = Request::new(WatchRequest { computation: 20 });
    request.set_timeout(Duration::from_millis(300));
    let mut stream = client.watch(request).await.unwrap().into_inner();
    let ended = loop {
        match timeout(SOON, stream.message()).await.unwrap() {
            Ok(answer) => assert!(answer.is_some()),
            Err(error) => break error,
        }
    };
    assert_eq!(ended.code(), Code::DeadlineExceeded, "{ended}");
}

#[tokio::test]
async fn streams_have_no_deadline() {
    let stand = Stand::start(Protection::default()).await;
    let mut client = ClientServiceClient::new(connect(&stand));
    let request = WatchRequest { computation: 100 };
    let mut stream = client.watch(request).await.unwrap().into_inner();
    let begun = Instant::now();
    while begun.elapsed() < 3 * SHORT.call {
        assert!(stream.message().await.unwrap().is_some());
    }
}

/// A port whose connections are taken and never answered.
async fn silent() -> (TcpListener, Connection) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let endpoint = Endpoint::new(&url, &Credentials::default(), SHORT).unwrap();
    (listener, endpoint.connect_lazy())
}

#[tokio::test]
async fn a_port_without_a_server_is_given_up() {
    let (_listener, connection) = silent().await;
    let error = query(connection, "0*2").await.unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
}

#[tokio::test]
async fn waiting_for_a_connection_counts() {
    let endpoint = Endpoint::new("http://nowhere", &Credentials::default(), SHORT).unwrap();
    let connection =
        endpoint.connect_lazy_over(|_| std::future::pending::<io::Result<TcpStream>>());
    for _ in 0..3 {
        let error = query(connection.clone(), "0*2").await.unwrap_err();
        assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
    }
}

#[tokio::test]
async fn a_closed_port_is_an_error_at_once() {
    let (listener, connection) = silent().await;
    let address = listener.local_addr().unwrap();
    drop(listener);
    let error = query(connection, "0*2").await.unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error}");
    assert!(error.message().contains(&address.to_string()), "{error}");
    assert!(error.message().contains("refused"), "{error}");

    let url = format!("http://{address}");
    let endpoint = Endpoint::new(&url, &Credentials::default(), SHORT).unwrap();
    let error = endpoint.connect().await.unwrap_err();
    assert_eq!(error.code(), Code::Unavailable);
    assert!(error.message().contains("refused"), "{error}");
}
