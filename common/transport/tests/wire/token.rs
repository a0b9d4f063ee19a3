//! Callers with the token are served; others are refused.

use std::sync::atomic::Ordering;

use crate::stand::{Stand, TOKEN, asking, knowing, query};
use http::HeaderMap;
use sproutnet_proto::LARGEST_MESSAGE;
use sproutnet_proto::v1::WatchRequest;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_testkit::log::Log;
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::token::{NoToken, Refused, Token};
use sproutnet_transport::tokens::Tokens;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;

const ABSENT: &str = "this coordinator asks for a token; give it with --token-file";

fn showing(text: &str) -> Credentials {
    let token = Some(Token::new(text).unwrap());
    Credentials { token, tls: None }
}

#[tokio::test]
async fn the_right_token_is_served() {
    let stand = Stand::start(asking()).await;
    let answer = query(stand.connect(&knowing()), "0*2").await.unwrap();
    assert_eq!(answer.game, "0*2");
    let mut client = ClientServiceClient::new(stand.connect(&knowing()));
    let mut stream = client
        .watch(WatchRequest::default())
        .await
        .unwrap()
        .into_inner();
    assert!(stream.message().await.unwrap().is_some());
}

#[tokio::test]
async fn no_token_and_wrong_tokens_are_refused() {
    let stand = Stand::start(asking()).await;
    let refused = query(stand.connect(&Credentials::default()), "0*2").await;
    let refused = refused.unwrap_err();
    assert_eq!(
        (refused.code(), refused.message()),
        (Code::Unauthenticated, ABSENT)
    );

    let longer = format!("{TOKEN}x");
    let other_case = TOKEN.to_uppercase();
    for wrong in ["not-the-token-at-all", &TOKEN[..20], &longer, &other_case] {
        let refused = query(stand.connect(&showing(wrong)), "0*2")
            .await
            .unwrap_err();
        let told = (refused.code(), refused.message());
        assert_eq!(told, (Code::Unauthenticated, "wrong token"), "{wrong}");
    }
    let mut client = ClientServiceClient::new(stand.connect(&Credentials::default()));
    let refused = client.watch(WatchRequest::default()).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
    assert_eq!(stand.service.decoded.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_server_that_asks_for_none_takes_any() {
    let stand = Stand::start(Protection::default()).await;
    stand.assert_serves(&Credentials::default()).await;
    stand.assert_serves(&knowing()).await;
}

#[tokio::test]
async fn a_large_request_is_refused_before_it_is_read() {
    let stand = Stand::start(asking()).await;
    let large = "0".repeat(LARGEST_MESSAGE - 100);
    for _ in 0..3 {
        let connection = stand.connect(&Credentials::default());
        let refused = query(connection, &large).await.unwrap_err();
        assert_eq!(
            (refused.code(), refused.message()),
            (Code::Unauthenticated, ABSENT)
        );
    }
    assert_eq!(stand.service.decoded.load(Ordering::SeqCst), 0);
    stand.assert_serves(&knowing()).await;
}

#[tokio::test]
async fn only_health_needs_no_token() {
    let stand = Stand::start(asking()).await;
    let mut health = HealthClient::new(stand.connect(&Credentials::default()));
    let answer = health.check(HealthCheckRequest::default()).await.unwrap();
    assert_eq!(answer.into_inner().status, 1, "SERVING");

    let ask = || tokio_stream::once(ServerReflectionRequest::default());
    let mut reflection = ServerReflectionClient::new(stand.connect(&Credentials::default()));
    let refused = reflection.server_reflection_info(ask()).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
    let mut reflection = ServerReflectionClient::new(stand.connect(&knowing()));
    assert!(reflection.server_reflection_info(ask()).await.is_ok());
}

#[test]
fn the_header_is_taken_as_the_standard_says() {
    let tokens = Tokens::from(Token::new(TOKEN).unwrap());
    let check = |values: &[&str]| {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("authorization", value.parse().unwrap());
        }
        tokens.check(&headers).map(|_| ())
    };
    let right = format!("Bearer {TOKEN}");
    assert_eq!(check(&[&right]), Ok(()));
    assert_eq!(check(&[&format!("bearer {TOKEN}")]), Ok(()));
    for absent in ["", "Bearer", TOKEN, "Basic Zm9vOmJhcg=="] {
        assert_eq!(check(&[absent]), Err(Refused::Absent), "{absent}");
    }
    assert_eq!(check(&[]), Err(Refused::Absent));
    assert_eq!(check(&["Bearer "]), Err(Refused::Wrong));
    assert_eq!(check(&["Bearer x"]), Err(Refused::Wrong));
    assert_eq!(check(&[&right, &right]), Err(Refused::Wrong));
    assert_eq!(check(&["Bearer x", &right]), Err(Refused::Wrong));
    assert_eq!(check(&[&format!("Bearer  {TOKEN}")]), Err(Refused::Wrong));
}

#[test]
fn a_token_is_never_shown() {
    let shown = format!(
        "{:?} {:?} {:?}",
        knowing(),
        asking(),
        knowing().token.unwrap().header()
    );
    assert!(!shown.contains(TOKEN), "{shown}");
}

#[test]
fn what_can_be_a_token() {
    assert!(Token::new(" \t0123456789abcdef\r\n").is_ok());
    assert_eq!(Token::new(" \n").unwrap_err(), NoToken::Empty);
    assert_eq!(Token::new("0123456789abcde").unwrap_err(), NoToken::Short);
    assert_eq!(
        Token::new(" two words of a token").unwrap_err(),
        NoToken::Character(3)
    );
    assert_eq!(
        Token::new("fünfzehn-und-mehr").unwrap_err(),
        NoToken::Character(1)
    );
    assert_eq!(Token::new(&"x".repeat(4097)).unwrap_err(), NoToken::Long);
    assert!(Token::new(&"x".repeat(4096)).is_ok());
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let error = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        let text = Token::read(&file).unwrap_err().to_string();
        assert!(text.contains(file.to_str().unwrap()), "{text}");
        text
    };
    assert!(error(b"").ends_with("it is empty"));
    assert!(error(b"short\n").ends_with("at least 16 characters"));
    assert!(error(&[b'x'; 5000]).ends_with("a token has at most 4096 bytes"));
    assert!(error(b"0123456789\xff0123456789").contains("byte 10 is not"));
    assert!(error(b"0123456789\x000123456789").contains("byte 10 is not"));
    std::fs::remove_file(&file).unwrap();
    let text = Token::read(&file).unwrap_err().to_string();
    assert!(text.contains(file.to_str().unwrap()), "{text}");
    assert!(Token::read(folder.path()).is_err());
}

#[tokio::test]
async fn refusals_are_logged_once_a_second() {
    let log = Log::default();
    let _listening = log.listen();
    let stand = Stand::start(asking()).await;
    let begun = std::time::Instant::now();
    for _ in 0..20 {
        let wrong = showing("not-the-token-at-all");
        query(stand.connect(&wrong), "0*2").await.unwrap_err();
    }
    let most = 1 + begun.elapsed().as_secs() as usize;
    let text = log.take();
    let lines = text
        .lines()
        .filter(|line| line.contains("a call is refused: wrong token"));
    assert!((1..=most).contains(&lines.count()), "{text}");
    assert!(text.contains("127.0.0.1:"), "{text}");
    assert!(!text.contains("not-the-token"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_file_open_to_all_is_warned_of() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, TOKEN).unwrap();
    for (mode, warned) in [(0o600, false), (0o640, false), (0o644, true)] {
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
        let log = Log::default();
        let _listening = log.listen();
        Token::read(&file).unwrap();
        assert_eq!(
            log.take().contains(file.to_str().unwrap()),
            warned,
            "{mode:o}"
        );
    }
}
