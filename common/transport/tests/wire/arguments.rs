//! The results of the programs' options.

use std::path::Path;

use crate::stand::certificates::Authority;
use crate::stand::{Stand, TOKEN, query};
use clap::{Parser, Subcommand};
use sproutnet_transport::connect::{Endpoint, Patience};
use sproutnet_transport::credentials::{ConnectArgs, Credentials};
use sproutnet_transport::listen::{ListenArgs, ListenError, Listening};
use sproutnet_transport::secrets::SecretsError;

#[derive(Debug, Parser)]
struct Client {
    #[command(flatten)]
    connect: ConnectArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Query,
}

#[derive(Debug, Parser)]
struct Server {
    #[command(flatten)]
    listen: ListenArgs,
}

fn client(arguments: &[&str]) -> Result<Credentials, SecretsError> {
    let arguments = [&["client"], arguments].concat();
    Client::try_parse_from(arguments)
        .unwrap()
        .connect
        .credentials()
}

fn server(arguments: &[&str]) -> Result<Listening, ListenError> {
    let arguments = [&["server"], arguments].concat();
    Server::try_parse_from(arguments)
        .unwrap()
        .listen
        .listening()
}

fn token_file(folder: &Path) -> String {
    let path = folder.join("token");
    std::fs::write(&path, format!("{TOKEN}\n")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_command_lines_are_well_formed() {
    use clap::CommandFactory;
    Client::command().debug_assert();
    Server::command().debug_assert();
}

#[test]
fn options_are_taken_before_and_after_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let token = token_file(folder.path());
    for arguments in [
        &["--token-file", &token][..],
        &["--token-file", &token, "query"],
        &["query", "--token-file", &token],
    ] {
        assert!(client(arguments).unwrap().token.is_some(), "{arguments:?}");
    }
    let none = client(&["query"]).unwrap();
    assert!(none.token.is_none() && none.tls.is_none());
}

#[test]
fn client_options_that_do_not_go_together_are_refused() {
    let ours = Authority::new();
    let own = ours.client();
    let ca = ours.file();
    let [ca, certificate, key] =
        [&ca, &own.certificate, &own.key].map(|path| path.to_str().unwrap());
    let all = ["--tls-ca", ca, "--tls-cert", certificate, "--tls-key", key];
    assert!(client(&all).unwrap().tls.is_some());
    assert!(client(&all[..2]).unwrap().tls.is_some());
    let error = client(&all[..4]).unwrap_err().to_string();
    assert!(error.contains("--tls-key is missing"), "{error}");
    let error = client(&["--tls-key", key]).unwrap_err().to_string();
    assert!(error.contains("--tls-cert is missing"), "{error}");
    // The CA is then one that the machine trusts.
    assert!(client(&all[2..]).unwrap().tls.is_some());
    let error = client(&["--token-file", "/no/such/file"])
        .unwrap_err()
        .to_string();
    assert!(error.contains("/no/such/file"), "{error}");
}

#[test]
fn server_options_that_do_not_go_together_are_refused() {
    let ours = Authority::new();
    let own = ours.server();
    let ca = ours.file();
    let [ca, certificate, key] =
        [&ca, &own.certificate, &own.key].map(|path| path.to_str().unwrap());
    let all = [
        "--tls-client-ca",
        ca,
        "--tls-cert",
        certificate,
        "--tls-key",
        key,
    ];
    let listening = server(&all).unwrap();
    assert_eq!(listening.scheme(), "https");
    assert!(listening.protection.tls.is_some());
    assert!(matches!(server(&all[..2]), Err(ListenError::NoCertificate)));
    assert!(matches!(
        server(&all[..4]),
        Err(ListenError::Secrets(SecretsError::Half("--tls-key")))
    ));
    assert!(matches!(
        server(&all[4..]),
        Err(ListenError::Secrets(SecretsError::Half("--tls-cert")))
    ));
}

#[test]
fn other_machines_need_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let token = token_file(folder.path());
    let loopback = [
        "127.0.0.1:0",
        "127.9.9.9:0",
        "[::1]:0",
        "[::ffff:127.0.0.1]:0",
    ];
    for address in loopback {
        assert!(server(&["--listen", address]).is_ok(), "{address}");
    }
    for address in [
        "0.0.0.0:0",
        "[::]:0",
        "192.0.2.1:7350",
        "[::ffff:192.0.2.1]:7350",
    ] {
        let error = server(&["--listen", address]).unwrap_err();
        assert!(matches!(error, ListenError::Unprotected(_)), "{error}");
        assert!(server(&["--listen", address, "--insecure"]).is_ok());
        assert!(server(&["--listen", address, "--token-file", &token]).is_ok());
    }
    let default = server(&[]).unwrap();
    assert_eq!(default.address.to_string(), "127.0.0.1:7350");
    assert_eq!(default.scheme(), "http");
}

#[tokio::test]
async fn a_port_that_is_taken_is_named() {
    let listening = server(&["--listen", "127.0.0.1:0"]).unwrap();
    let taken = listening.bind().await.unwrap().local_addr().unwrap();
    let holding = tokio::net::TcpListener::bind(taken).await.unwrap();
    let listening = server(&["--listen", &taken.to_string()]).unwrap();
    let error = listening.bind().await.unwrap_err();
    assert!(error.to_string().contains(&taken.to_string()), "{error}");
    drop(holding);
}

#[test]
fn what_is_no_url_of_a_coordinator() {
    let none = Credentials::default();
    for url in [
        "",
        "localhost",
        "localhost:7350",
        "ftp://host",
        "unix:/run/sock",
        "http://",
        "http://:80",
        "http://host:0",
        "http://host:65536",
        "http://host:",
        "http://host:x",
        "http://me@host",
        "http://host/path",
        "http://host/?query",
        "http://ho st",
        "http://host\n",
    ] {
        let error = Endpoint::new(url, &none, Patience::default()).unwrap_err();
        assert!(error.to_string().contains(&format!("`{url}`")), "{error}");
    }
    for url in [
        "http://host",
        "http://host/",
        "http://127.0.0.1:7350",
        "http://[::1]:7350",
    ] {
        assert!(
            Endpoint::new(url, &none, Patience::default()).is_ok(),
            "{url}"
        );
    }
}

#[tokio::test]
async fn both_sides_agree_by_their_options() {
    let folder = tempfile::tempdir().unwrap();
    let token = token_file(folder.path());
    let listening = server(&["--listen", "127.0.0.1:0", "--token-file", &token]).unwrap();
    let stand = Stand::start(listening.protection.clone()).await;
    let credentials = client(&["--token-file", &token]).unwrap();
    let answer = query(stand.connect(&credentials), "0*2").await;
    assert_eq!(answer.unwrap().game, "0*2");
}

#[test]
fn names_of_addresses_are_resolved() {
    let listening = server(&["--listen", "localhost:7350"]).unwrap();
    assert_eq!(listening.address.to_string(), "127.0.0.1:7350");
    for (bad, why) in [
        ("7350", "expected HOST:PORT"),
        ("localhost", "expected HOST:PORT"),
        ("localhost:70000", "expected HOST:PORT"),
        ("no-such-name.invalid:7350", "no address"),
    ] {
        let error = Server::try_parse_from(["server", "--listen", bad]).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}
