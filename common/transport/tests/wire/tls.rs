//! TLS and mutual TLS, and the errors when the two sides do not agree.

use std::path::Path;

use crate::stand::certificates::{Authority, Pair};
use crate::stand::{SOON, Stand, asking, query, token};
use sproutnet_transport::connect::{
    Connection, Endpoint, EndpointError, Patience, is_refused_by_tls,
};
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::tls::{ClientTls, ServerTls};
use tonic::Code;

fn server(own: &Pair, client_ca: Option<&Path>) -> Protection {
    let tls = ServerTls::read(&own.certificate, &own.key, client_ca).unwrap();
    Protection {
        tokens: Some(token().into()),
        tls: Some(tls),
    }
}

fn client(ca: &Authority, own: Option<&Pair>) -> Credentials {
    let own = own.map(|own| (own.certificate.as_path(), own.key.as_path()));
    Credentials {
        token: Some(token()),
        tls: Some(ClientTls::read(Some(&ca.file()), own).unwrap()),
    }
}

fn connect(url: &str, credentials: &Credentials) -> Connection {
    let endpoint = Endpoint::new(url, credentials, Patience::default());
    endpoint.unwrap().connect_lazy()
}

#[tokio::test]
async fn a_server_is_known_by_its_authority() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let stand = Stand::start(server(&ours.server(), None)).await;
    let port = stand.address.port();
    for host in ["127.0.0.1", "localhost"] {
        let url = format!("https://{host}:{port}");
        let answer = query(connect(&url, &client(&ours, None)), "0*2").await;
        assert_eq!(answer.unwrap().game, "0*2");
    }
    let url = format!("https://127.0.0.1:{port}");
    let error = query(connect(&url, &client(&theirs, None)), "0*2")
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::Unavailable);
    assert!(error.message().contains(&url), "{error}");
    assert!(error.message().contains("UnknownIssuer"), "{error}");
    assert!(error.message().contains("--tls-ca names"), "{error}");

    // A certificate that is not for this name.
    let stand = Stand::start(server(&ours.client(), None)).await;
    let url = format!("https://127.0.0.1:{}", stand.address.port());
    let error = query(connect(&url, &client(&ours, None)), "0*2")
        .await
        .unwrap_err();
    assert!(error.message().contains("certificate"), "{error}");
}

#[tokio::test]
async fn the_token_is_asked_for_within_tls() {
    let ours = Authority::new();
    let stand = Stand::start(server(&ours.server(), None)).await;
    let url = format!("https://{}", stand.address);
    let mut credentials = client(&ours, None);
    credentials.token = None;
    let error = query(connect(&url, &credentials), "0*2").await.unwrap_err();
    assert_eq!(error.code(), Code::Unauthenticated);
}

#[tokio::test]
async fn one_side_without_tls_is_an_error_soon() {
    let ours = Authority::new();
    let stand = Stand::start(server(&ours.server(), None)).await;
    let url = format!("http://{}", stand.address);
    let plain = Credentials {
        token: Some(token()),
        tls: None,
    };
    let error = query(connect(&url, &plain), "0*2").await.unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error}");
    assert!(error.message().contains(&url), "{error}");
    // Which words come before depends on what the client meets first: the answer in TLS, or the closed connection.
    assert!(error.message().ends_with("write https://"), "{error}");

    let stand = Stand::start(asking()).await;
    let url = format!("https://{}", stand.address);
    let error = query(connect(&url, &client(&ours, None)), "0*2")
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error}");
    assert!(error.message().contains(&url), "{error}");
    assert!(
        error
            .message()
            .ends_with("speak TLS, or this is its HTTP port"),
        "{error}"
    );
    stand.assert_serves(&plain).await;
}

#[tokio::test]
async fn clients_are_known_by_their_authority() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let stand = Stand::start(server(&ours.server(), Some(&ours.file()))).await;
    let url = format!("https://{}", stand.address);

    let credentials = client(&ours, Some(&ours.client()));
    let answer = query(connect(&url, &credentials), "0*2").await;
    assert_eq!(answer.unwrap().game, "0*2");

    for own in [None, Some(theirs.client())] {
        let credentials = client(&ours, own.as_ref());
        let error = query(connect(&url, &credentials), "0*2").await.unwrap_err();
        assert_eq!(error.code(), Code::Unavailable, "{error}");
        assert!(error.message().contains(&url), "{error}");
        assert!(error.message().contains("--tls-cert"), "{error}");
    }
    let answer = query(connect(&url, &credentials), "0*2").await;
    assert_eq!(answer.unwrap().game, "0*2");
}

/// The alert of the server and the end of the connection arrive together, so the client may meet the end first.
#[tokio::test]
async fn an_expired_certificate_of_a_client_is_told_from_a_lost_connection() {
    let ours = Authority::new();
    let stand = Stand::start(server(&ours.server(), Some(&ours.file()))).await;
    let url = format!("https://{}", stand.address);
    let connection = connect(&url, &client(&ours, Some(&ours.expired_client())));
    let refused = async {
        loop {
            let error = query(connection.clone(), "0*2").await.unwrap_err();
            assert_eq!(error.code(), Code::Unavailable, "{error}");
            if is_refused_by_tls(&error) {
                return error;
            }
        }
    };
    let error = tokio::time::timeout(SOON, refused).await.expect("soon");
    assert!(error.message().contains("CertificateExpired"), "{error}");

    // The client refuses a server at once.
    let stranger = connect(&url, &client(&Authority::new(), None));
    let error = query(stranger, "0*2").await.unwrap_err();
    assert!(is_refused_by_tls(&error), "{error}");

    // A coordinator that is away refuses nobody.
    drop(stand);
    let away = connect(&url, &client(&ours, Some(&ours.client())));
    let error = query(away, "0*2").await.unwrap_err();
    assert!(!is_refused_by_tls(&error), "{error}");
}

/// Waits until this many handshakes are refused: the client may know that first.
async fn counted(tls: &ServerTls, refusals: u64) {
    let counted = async {
        while tls.refused() < refusals {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(SOON, counted).await.expect("counted");
}

#[tokio::test]
async fn refused_handshakes_are_counted_and_a_new_certificate_is_used() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let own = ours.server();
    let protection = server(&own, Some(&ours.file()));
    let tls = protection.tls.clone().unwrap();
    let stand = Stand::start(protection).await;
    let url = format!("https://{}", stand.address);
    let with = client(&ours, Some(&ours.client()));
    query(connect(&url, &with), "0*2").await.unwrap();
    // A probe that only connects is no refusal.
    drop(tokio::net::TcpStream::connect(stand.address).await.unwrap());
    query(connect(&url, &with), "0*2").await.unwrap();
    assert_eq!(tls.refused(), 0);
    for (own, refusals) in [(None, 1), (Some(theirs.client()), 2)] {
        let credentials = client(&ours, own.as_ref());
        query(connect(&url, &credentials), "0*2").await.unwrap_err();
        counted(&tls, refusals).await;
    }
    // By the client, which does not know the server's authority.
    let before = tls.refused();
    let stranger = client(&theirs, Some(&ours.client()));
    query(connect(&url, &stranger), "0*2").await.unwrap_err();
    counted(&tls, before + 1).await;

    // From now on, the server has a certificate of the other authority.
    let other = theirs.server();
    std::fs::copy(&other.certificate, &own.certificate).unwrap();
    tls.reload().unwrap_err();
    query(connect(&url, &with), "0*2").await.unwrap();
    std::fs::copy(&other.key, &own.key).unwrap();
    tls.reload().unwrap();
    query(connect(&url, &stranger), "0*2").await.unwrap();
    query(connect(&url, &with), "0*2").await.unwrap_err();
}

/// The variables for trusted CAs can be set for another process only, so the test runs itself.
#[tokio::test]
async fn without_an_authority_those_of_the_machine_are_trusted() {
    const URL: &str = "SPROUTNET_TEST_URL";
    if let Ok(url) = std::env::var(URL) {
        let credentials = Credentials {
            token: Some(token()),
            tls: None,
        };
        let answer = query(connect(&url, &credentials), "0*2").await;
        assert_eq!(answer.expect("it is trusted").game, "0*2");
        return;
    }
    let (ours, theirs) = (Authority::new(), Authority::new());
    let stand = Stand::start(server(&ours.server(), None)).await;
    let ask = |trusted: &Authority| {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.arg("without_an_authority_those_of_the_machine_are_trusted");
        again.env(URL, format!("https://localhost:{}", stand.address.port()));
        again
            .env("SSL_CERT_FILE", trusted.file())
            .env_remove("SSL_CERT_DIR");
        tokio::task::spawn_blocking(move || again.output().unwrap())
    };
    let trusting = ask(&ours).await.unwrap();
    assert!(trusting.status.success(), "{trusting:?}");
    let other = ask(&theirs).await.unwrap();
    let text = String::from_utf8_lossy(&other.stdout).into_owned();
    assert!(
        !other.status.success() && text.contains("UnknownIssuer"),
        "{other:?}"
    );
}

#[test]
fn url_and_credentials_must_agree() {
    let ours = Authority::new();
    let with = client(&ours, None);
    let without = Credentials::default();
    let new = |url, credentials| Endpoint::new(url, credentials, Patience::default());
    assert!(new("https://localhost:7350", &with).is_ok());
    assert!(new("http://localhost:7350", &without).is_ok());
    let error = new("http://localhost:7350", &with).unwrap_err();
    assert!(matches!(error, EndpointError::Plain(_)), "{error}");
    let error = new("https://no_host!:7350", &with).unwrap_err();
    assert!(error.to_string().contains("no_host!"), "{error}");
}

#[test]
fn errors_name_the_file() {
    let ours = Authority::new();
    let pair = ours.server();
    let (certificate, key) = (&pair.certificate, &pair.key);
    let missing = ours.folder().join("missing");
    let bad = |name: &str, text: &str| {
        let path = ours.folder().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let empty = bad("empty", "");
    let text = bad("text", "this is no PEM file\n");
    let begin = "-----BEGIN CERTIFICATE-----\n";
    let cut = bad("cut", begin);
    let junk = bad("junk", &format!("{begin}AAAA\n-----END CERTIFICATE-----\n"));
    let huge = bad("huge", &"x".repeat(2 << 20));

    for file in [&missing, &empty, &text, &cut, &junk, &huge, key] {
        let named = |error: String| assert!(error.contains(file.to_str().unwrap()), "{error}");
        named(ClientTls::read(Some(file), None).unwrap_err().to_string());
        named(ServerTls::read(file, key, None).unwrap_err().to_string());
        let error = ServerTls::read(certificate, key, Some(file)).unwrap_err();
        named(error.to_string());
    }
    for file in [&missing, &empty, &text, &cut, &huge, certificate] {
        let error = ServerTls::read(certificate, file, None).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(file.to_str().unwrap()), "{error}");
    }
    let ca = ours.file();
    let error = ClientTls::read(Some(&ca), Some((certificate, &missing))).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");

    let foreign = ours.folder().join("foreign.key");
    let theirs = Authority::new();
    std::fs::copy(theirs.server().key, &foreign).unwrap();
    let error = ServerTls::read(certificate, &foreign, None)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("foreign.key") && error.contains("server.pem"),
        "{error}"
    );
}
