//! The audit log.

use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use tonic::{Code, Request};

use crate::program::{Program, soon, until};

#[tokio::test]
async fn each_change_is_logged_with_the_name_of_the_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let (anna, bert) = ("anna-anna-anna-anna", "bert-bert-bert-bert");
    let file = folder.path().join("tokens");
    std::fs::write(&file, format!("anna solve {anna}\nbert read {bert}\n")).expect("written");
    let (data, option) = (folder.path().join("data"), file.display().to_string());
    let program = Program::start_with(folder, &data, &["--token-file", &option]);
    program.wait_until_open();
    let with_token = |token: &'static str| {
        move |mut request: Request<()>| {
            let value = format!("Bearer {token}").parse().expect("a header");
            request.metadata_mut().insert("authorization", value);
            Ok::<_, tonic::Status>(request)
        }
    };
    let channel = program.channel().await;
    let mut client = ClientServiceClient::with_interceptor(channel.clone(), with_token(anna));
    let to_start = |priority| v1::StartRequest {
        position: "0*40".to_owned(),
        play: v1::Play::Normal.into(),
        priority,
        ..v1::StartRequest::default()
    };
    let started = soon(client.start(to_start(None))).await.expect("started");
    let computation = started.into_inner().computation;
    soon(client.start(to_start(None))).await.expect("joined");
    soon(client.start(to_start(Some(3)))).await.expect("joined");
    let pause = v1::PauseRequest { computation };
    soon(client.pause(pause)).await.expect("paused");
    // It changes nothing.
    soon(client.pause(pause)).await.expect("paused");
    let resume = v1::ResumeRequest { computation };
    soon(client.resume(resume)).await.expect("resumed");
    for weight in [7, 7] {
        let request = v1::SetWeightRequest {
            computation,
            weight,
        };
        soon(client.set_weight(request)).await.expect("changed");
    }
    let mut reader = ClientServiceClient::with_interceptor(channel, with_token(bert));
    let cancel = v1::CancelRequest { computation };
    let denied = soon(reader.cancel(cancel)).await.expect_err("denied");
    assert_eq!(denied.code(), Code::PermissionDenied);
    // Over HTTP, too.
    let path = format!("/api/v1/computations/{computation}/cancel");
    let header = format!("authorization: Bearer {anna}\r\ncontent-length: 0\r\n");
    let page = program.request("POST", &path, &header);
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");

    let log = until(|| {
        let log = program.log();
        log.contains("cancelled").then_some(log)
    });
    let lines = log.lines().filter(|line| line.contains(" audit: "));
    let events: Vec<&str> = lines
        .map(|line| {
            assert!(line.contains("by=\"anna\""), "{line}");
            assert!(
                line.contains(&format!("computation={computation} ")),
                "{line}"
            );
            assert!(line.contains("position=\"0*40\" play=\"normal\""), "{line}");
            let (_, event) = line.split_once("event=\"").expect("an event");
            event.split('"').next().expect("a name")
        })
        .collect();
    let expected = [
        "started",
        "joined",
        "joined",
        "paused",
        "resumed",
        // Once, although it was set twice.
        "reweighted",
        "cancelled",
    ];
    assert_eq!(events, expected, "{log}");
}
