//! What the role of a token allows, and tokens that change while the server runs.

use crate::stand::{Stand, query};
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_proto::v1::{CancelRequest, LeaseRequest, RevokeRequest};
use sproutnet_transport::caller::Role;
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::token::{NoToken, Token};
use sproutnet_transport::tokens::{NoTokens, Tokens};
use tonic::{Code, Status};

const ROLES: [&str; 4] = ["read", "solve", "work", "admin"];

fn tokens(text: &str) -> Tokens {
    Tokens::parse(text.as_bytes()).unwrap()
}

fn requiring(tokens: Tokens) -> Protection {
    Protection {
        tokens: Some(tokens),
        tls: None,
    }
}

fn showing(token: &str) -> Credentials {
    Credentials {
        token: Some(Token::new(token).unwrap()),
        tls: None,
    }
}

fn token_of(role: &str) -> String {
    format!("the-token-of-{role}-{role}")
}

#[tokio::test]
async fn each_role_allows_its_calls_and_the_refusal_names_the_one_that_is_needed() {
    let lines = ROLES.map(|role| format!("{role}-1 {role} {}\n", token_of(role)));
    let stand = Stand::start(requiring(tokens(&lines.concat()))).await;
    for role in ROLES {
        let connection = stand.connect(&showing(&token_of(role)));
        query(connection.clone(), "0*2").await.expect(role);
        let mut clients = ClientServiceClient::new(connection.clone());
        let mut workers = WorkerServiceClient::new(connection);
        // The service of the tests has none of these calls, so an allowed one is unimplemented.
        let answers: [(&str, Status); 3] = [
            (
                "solve",
                clients.cancel(CancelRequest::default()).await.unwrap_err(),
            ),
            (
                "work",
                workers.lease(LeaseRequest::default()).await.unwrap_err(),
            ),
            (
                "admin",
                clients.revoke(RevokeRequest::default()).await.unwrap_err(),
            ),
        ];
        for (needed, status) in answers {
            if role == needed || role == "admin" {
                assert_eq!(status.code(), Code::Unimplemented, "{role} {needed}");
                continue;
            }
            let text = format!(
                "this needs a token with the role {needed}; `{role}-1` has the role {role}"
            );
            assert_eq!(
                (status.code(), status.message()),
                (Code::PermissionDenied, &*text)
            );
        }
    }
}

#[tokio::test]
async fn a_client_reads_its_file_again_when_its_token_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let (old, new) = ("old-old-old-old-old", "new-new-new-new-new");
    std::fs::write(&file, old).unwrap();
    let accepted = tokens(old);
    let stand = Stand::start(requiring(accepted.clone())).await;
    let credentials = Credentials {
        token: Some(Token::read(&file).unwrap()),
        tls: None,
    };
    let connection = stand.connect(&credentials);
    query(connection.clone(), "0*2").await.unwrap();

    accepted.replace(&tokens(new));
    let refused = query(connection.clone(), "0*2").await.unwrap_err();
    assert_eq!(
        refused.code(),
        Code::Unauthenticated,
        "the file is as it was"
    );
    std::fs::write(&file, new).unwrap();
    let changed = query(connection.clone(), "0*2").await.unwrap_err();
    // A caller that repeats calls repeats this one.
    assert_eq!(changed.code(), Code::Unavailable, "{changed}");
    query(connection.clone(), "0*2").await.unwrap();

    // A bad file changes nothing.
    std::fs::write(&file, "short").unwrap();
    accepted.replace(&tokens(old));
    let refused = query(connection.clone(), "0*2").await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
    accepted.replace(&tokens(new));
    query(connection, "0*2").await.unwrap();
}

#[test]
fn files_with_tokens() {
    let text = "# people\nanna admin 0123456789abcdef\n\n  bert\tread  fedcba9876543210 \r\n";
    let both = tokens(text);
    let callers = both.callers();
    let callers: Vec<(&str, Role)> = callers
        .iter()
        .map(|caller| (&*caller.name, caller.role))
        .collect();
    assert_eq!(callers, [("anna", Role::Admin), ("bert", Role::Read)]);
    assert_eq!(&*both.holder("fedcba9876543210").unwrap().name, "bert");
    assert_eq!(both.holder("0123456789abcdeF"), None);
    let alone = tokens("\n 0123456789abcdef \n").callers();
    assert_eq!((&*alone[0].name, alone[0].role), ("token", Role::Admin));
    // A token alone may look like a comment, and may have one.
    for text in ["#0123456789abcdef\n", "# mine\n#0123456789abcdef"] {
        let alone = Tokens::parse(text.as_bytes());
        assert_eq!(alone.is_ok(), !text.contains("mine"), "{text}");
    }
    assert!(
        tokens("# mine\n0123456789abcdef")
            .holder("0123456789abcdef")
            .is_some()
    );

    let error = |text: &str| Tokens::parse(text.as_bytes()).unwrap_err();
    assert_eq!(error(""), NoTokens::Alone(NoToken::Empty));
    assert_eq!(error("# nothing\n"), NoTokens::Alone(NoToken::Empty));
    assert_eq!(error("short"), NoTokens::Alone(NoToken::Short));
    assert_eq!(
        error("anna admin short"),
        NoTokens::Token(1, NoToken::Short)
    );
    let first = "anna admin 0123456789abcdef\n";
    for line in [
        "bert 0123456789abcdee",
        "bert king 0123456789abcdee",
        "bert read 0123456789abcdee more",
    ] {
        assert_eq!(
            error(&format!("{first}{line}")),
            NoTokens::Line(2),
            "{line}"
        );
    }
    assert_eq!(
        error(&format!("{first}b\u{e9}rt read 0123456789abcdee")),
        NoTokens::Name(2)
    );
    assert_eq!(
        error(&format!("{first}anna read 0123456789abcdee")),
        NoTokens::Repeated(2, "name")
    );
    assert_eq!(
        error(&format!("{first}bert read 0123456789abcdef")),
        NoTokens::Repeated(2, "token")
    );
    // A client shows the first.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    std::fs::write(&file, text).unwrap();
    let header = Token::read(&file).unwrap().header();
    assert_eq!(header, "Bearer 0123456789abcdef");
    // A program with a token of its own takes no other's.
    let refused = Token::read_single(&file).unwrap_err().to_string();
    assert!(
        refused.contains("tokens: it holds 2 tokens with names") && refused.contains("a single"),
        "{refused}"
    );
    for single in ["anna work 0123456789abcdef\n", "0123456789abcdef"] {
        std::fs::write(&file, single).unwrap();
        assert_eq!(Token::read_single(&file).unwrap().header(), header);
    }
}
