//! The limits on callers, and the errors beyond them.

use std::time::Duration;

use crate::stand::service::{HANG, LARGE};
use crate::stand::{SOON, Stand, query};
use sproutnet_proto::LARGEST_MESSAGE;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_proto::v1::{QueryRequest, WatchRequest};
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::serve::Limits;
use tokio::time::timeout;
use tonic::{Code, Request};

const NOBODY: Credentials = Credentials {
    token: None,
    tls: None,
};

#[tokio::test]
async fn a_message_over_the_limit_is_refused() {
    let stand = Stand::start(Protection::default()).await;
    let over = "0".repeat(LARGEST_MESSAGE);
    let error = query(stand.connect(&NOBODY), &over).await.unwrap_err();
    assert_eq!(error.code(), Code::OutOfRange, "{error}");
    assert!(
        error.message().contains(&LARGEST_MESSAGE.to_string()),
        "{error}"
    );

    let error = query(stand.connect(&NOBODY), LARGE).await.unwrap_err();
    assert_eq!(error.code(), Code::OutOfRange, "{error}");
    assert!(
        error.message().contains(&LARGEST_MESSAGE.to_string()),
        "{error}"
    );

    let within = "0".repeat(LARGEST_MESSAGE / 2);
    let answer = query(stand.connect(&NOBODY), &within).await.unwrap();
    assert_eq!(answer.game.len(), within.len());
}

#[tokio::test]
async fn a_request_that_the_client_may_not_send_says_so() {
    let stand = Stand::start(Protection::default()).await;
    let mut client =
        ClientServiceClient::new(stand.connect(&NOBODY)).max_encoding_message_size(100);
    let request = QueryRequest {
        position: "0".repeat(200),
        ..QueryRequest::default()
    };
    let error = client.query(request).await.unwrap_err();
    assert_eq!(error.code(), Code::OutOfRange, "{error}");
}

#[tokio::test]
async fn headers_over_the_limit_are_refused() {
    let stand = Stand::start(Protection::default()).await;
    let connection = stand.connect(&NOBODY);
    let mut client = ClientServiceClient::new(connection.clone());
    let mut request = Request::new(QueryRequest::default());
    let value = "x".repeat(100 << 10).parse().unwrap();
    request.metadata_mut().insert("x-large", value);
    let refused = timeout(SOON, client.query(request)).await.unwrap();
    assert!(refused.is_err());
    query(connection, "0*2").await.unwrap();
}

#[tokio::test]
async fn calls_over_the_limit_are_refused() {
    let limits = Limits {
        calls: 3,
        ..Limits::default()
    };
    let stand = Stand::with_limits(Protection::default(), limits).await;
    let connection = stand.connect(&NOBODY);
    let mut hanging = Vec::new();
    for _ in 0..3 {
        let connection = connection.clone();
        hanging.push(tokio::spawn(query(connection, HANG)));
    }
    let open = || stand.service.open.load(std::sync::atomic::Ordering::SeqCst);
    while open() < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let error = query(connection.clone(), "0*2").await.unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted, "{error}");
    // Others are not concerned.
    stand.assert_serves(&NOBODY).await;
    for hanging in hanging {
        hanging.abort();
    }
    while open() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    query(connection, "0*2").await.unwrap();
}

#[tokio::test]
async fn the_time_for_a_call_is_not_for_streams() {
    let limits = Limits {
        call: Duration::from_millis(200),
        ..Limits::default()
    };
    let stand = Stand::with_limits(Protection::default(), limits).await;
    let mut client = ClientServiceClient::new(stand.connect(&NOBODY));
    let request = WatchRequest { computation: 50 };
    let mut stream = client.watch(request).await.unwrap().into_inner();
    let hanging = query(stand.connect(&NOBODY), HANG).await.unwrap_err();
    assert_eq!(hanging.message(), "Timeout expired");
    for _ in 0..10 {
        assert!(stream.message().await.unwrap().is_some());
    }
}

#[tokio::test]
async fn connections_over_the_limit_are_closed() {
    let limits = Limits {
        connections: 2,
        ..Limits::default()
    };
    let stand = Stand::with_limits(Protection::default(), limits).await;
    let (first, second) = (stand.connect(&NOBODY), stand.connect(&NOBODY));
    query(first.clone(), "0*2").await.unwrap();
    query(second.clone(), "0*2").await.unwrap();
    let third = stand.connect(&NOBODY);
    let error = query(third.clone(), "0*2").await.unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error}");
    assert!(error.message().contains("too many connections"), "{error}");
    query(first.clone(), "0*2").await.unwrap();
    drop(second);
    let mut served = false;
    for _ in 0..100 {
        served = query(third.clone(), "0*2").await.is_ok();
        if served {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(served);
}
