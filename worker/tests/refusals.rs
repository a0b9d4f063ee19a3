//! Workers that the coordinator refuses, and jobs that a worker cannot search.

use std::process::{Command, Output};
use std::time::Duration;

use sproutnet_proto::v1;
use sproutnet_worker::WorkerError;
use tonic::Status;
use v1::Play::{Misere, Normal};

use crate::fake::{Asked, Fake, Script, job};
use crate::program::Program;
use sproutnet_testkit::cluster::{Running, soon};

fn refusing(refusal: Status) -> Script {
    Script {
        refusal: Some(refusal),
        ..Script::default()
    }
}

#[tokio::test]
async fn a_refused_worker_says_why_and_ends() {
    for refusal in [
        Status::failed_precondition("it is too old"),
        Status::unauthenticated("no token"),
        Status::permission_denied("not that token"),
    ] {
        let reason = refusal.message().to_owned();
        let fake = Fake::serve(refusing(refusal)).await;
        let worker = Running::at(fake.address, 1);
        match soon(worker.task).await.expect("no panic") {
            Err(WorkerError::Refused(given)) => assert_eq!(given, reason),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_worker_whose_token_is_taken_away_ends() {
    let script = Script::with_jobs([job(1, "kayles:9", Normal, Duration::from_secs(1))]);
    let expired = Status::unauthenticated("the token is not valid any more");
    script.answer(1, None, &expired);
    let fake = Fake::serve(script).await;
    let worker = Running::at(fake.address, 1);
    let ended = soon(worker.task).await.expect("no panic");
    assert!(matches!(ended, Err(WorkerError::Refused(_))), "{ended:?}");
}

#[tokio::test]
async fn the_program_fails_with_the_reason_when_it_is_refused() {
    let too_old = "the worker speaks protocol 1, this coordinator speaks 2: update the worker";
    let fake = Fake::serve(refusing(Status::failed_precondition(too_old))).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Command::new(env!("CARGO_BIN_EXE_sproutnet-worker"));
    program
        .args(["--cores", "1", "--memory", "64M", "--data"])
        .arg(folder.path())
        .args(["--coordinator", &format!("http://{}", fake.address)]);
    let run = tokio::task::spawn_blocking(move || program.output());
    let Output { status, stderr, .. } = soon(run).await.expect("no panic").expect("it runs");
    let stderr = String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(1), "{stderr}");
    assert!(stderr.contains(too_old), "{stderr}");
}

#[test]
fn a_program_with_wrong_options_ends_before_it_makes_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let tokens = folder.path().join("tokens");
    let of_all = "anna admin anna-anna-anna-anna\nmill work mill-mill-mill-mill\n";
    std::fs::write(&tokens, of_all).expect("written");
    let tokens = tokens.display().to_string();
    for (options, reason) in [
        (["--token-file", &*tokens], "it holds 2 tokens"),
        (["--token-file", "missing"], "cannot read missing"),
        (["--coordinator", "ftp://here"], "ftp:// is not supported"),
        (["--tls-cert", "missing"], "--tls-key is missing"),
        (["--memory", "900000T"], "no memory"),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_sproutnet-worker"));
        let program = program.env_clear().args(options).arg("--data").arg(&data);
        let Output { status, stderr, .. } = program.output().expect("it runs");
        let stderr = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(reason), "{stderr}");
        assert!(!data.exists(), "{options:?}");
    }
}

/// A worker gets unreadable jobs, then a good one. Asserts that it returns the former and goes on.
async fn expect_all_handed_back(unreadable: Vec<v1::Job>) {
    let good = job(9, "kayles:9", Normal, Duration::from_secs(1));
    let leases: Vec<u64> = unreadable.iter().map(|job| job.lease).collect();
    let mut fake = Fake::serve(Script::with_jobs(unreadable.into_iter().chain([good]))).await;
    let worker = Running::at(fake.address, 1);
    let mut released = Vec::new();
    let reported = fake
        .until(|asked| match asked {
            Asked::Released(lease) => {
                released.push(lease);
                None
            }
            Asked::Found(finding) => Some(finding.lease),
            _ => None,
        })
        .await;
    assert_eq!((released, reported), (leases, 9));
    worker.stop().await;
}

#[tokio::test]
async fn jobs_that_cannot_be_read_are_handed_back() {
    let with = |lease, game: &str, play: v1::Play, state: &[u8]| v1::Job {
        game: game.to_owned(),
        play: play.into(),
        state: state.to_vec(),
        ..job(lease, "kayles:9", Normal, Duration::from_secs(1))
    };
    let unreadable = vec![
        with(1, "chess", Normal, b"\0\0\0\0\0"),
        with(2, "sprouts", Normal, b""),
        with(3, "sprouts", Misere, &[0xff; 40]),
        with(4, "kayles", v1::Play::Unspecified, b"\0\0\0\0\0"),
    ];
    expect_all_handed_back(unreadable).await;
}

#[tokio::test]
async fn a_worker_that_never_found_its_coordinator_waits_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = nobody.local_addr().expect("an address");
    drop(nobody);
    let options = ["--memory", "64M", "--grace", "1s"];
    let program = Program::start(address, folder.path(), &options);
    tokio::time::sleep(Duration::from_secs(2)).await;
    program.signal("TERM");
    let (_, log) = soon(program.end()).await;
    let waits = format!("waiting for the coordinator at http://{address}");
    assert!(log.contains(&waits) && log.contains("refused"), "{log}");
    assert!(!log.contains("lost"), "{log}");
}
