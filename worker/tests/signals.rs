//! The program: signals, options, the bound on memory.

use std::time::{Duration, Instant};

use sproutnet_proto::v1;
use sproutnet_system::build;
use v1::Play::Misere;

use crate::fake::{Asked, Fake, Script, job};
use crate::program::Program;
use sproutnet_testkit::cluster::soon;

const MINUTE: Duration = Duration::from_secs(60);

/// The time between SIGTERM and SIGKILL in all deployments.
const NOTICE: Duration = Duration::from_secs(25);

async fn held(fake: &mut Fake) {
    let held = |asked| match asked {
        Asked::Renewed(renewal) => (!renewal.leases.is_empty()).then_some(()),
        _ => None,
    };
    fake.until(held).await;
}

#[tokio::test]
async fn a_worker_that_uses_too_much_memory_resets_and_goes_on() {
    let slice = Duration::from_secs(1);
    let jobs = (1..=500).map(|lease| job(lease, &format!("0*{}", 12 + lease % 20), Misere, slice));
    let mut fake = Fake::serve(Script::with_jobs(jobs)).await;
    let folder = tempfile::tempdir().expect("a folder");
    let worker = Program::start(fake.address, folder.path(), &["--memory", "16MiB"]);
    let mut begun = 0;
    fake.until(|asked| {
        begun += usize::from(asked == Asked::Fed(0));
        (begun == 2).then_some(())
    })
    .await;
    fake.finding().await;
    worker.signal("TERM");
    let (status, log) = soon(worker.end()).await;
    assert!(status.success(), "{log}");
    assert!(log.contains("drained"), "{log}");
}

#[tokio::test]
async fn the_first_signal_hands_back_the_job_and_the_log_is_json_if_asked() {
    let mut fake = Fake::serve(Script::with_jobs([job(1, "0*24", Misere, MINUTE)])).await;
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["--log-format", "json", "--name", "mill", "--memory", "256M"];
    let worker = Program::start(fake.address, folder.path(), &options);
    let name = |asked| match asked {
        Asked::Registered(request) => Some((request.name, request.cores, request.version)),
        _ => None,
    };
    let expected = ("mill".to_owned(), 2, build::version().to_owned());
    assert_eq!(fake.until(name).await, expected);
    held(&mut fake).await;
    let asked = Instant::now();
    worker.signal("TERM");
    let ended = |asked| match asked {
        Asked::Found(finding) => Some(finding.lease),
        Asked::Released(lease) => Some(lease),
        _ => None,
    };
    assert_eq!(fake.until(ended).await, 1);
    let (status, log) = soon(worker.end()).await;
    assert!(status.success(), "{log}");
    assert!(asked.elapsed() < NOTICE, "{log}");
    let lines: Vec<&str> = log.lines().collect();
    let is_json = |line: &&str| line.starts_with(r#"{"timestamp""#) && line.ends_with('}');
    assert!(lines.iter().all(is_json) && !lines.is_empty(), "{log}");
    assert!(log.contains("registered"), "{log}");
}

#[test]
fn all_deployments_give_a_worker_time_to_end_cleanly() {
    let (grace, notice) = (20, NOTICE.as_secs());
    for (file, text, grace, notice) in [
        (
            "compose.yaml",
            include_str!("../../deploy/compose.yaml"),
            format!("SPROUTNET_GRACE: {grace}s"),
            format!("stop_grace_period: {notice}s"),
        ),
        (
            "swarm.yaml",
            include_str!("../../deploy/swarm.yaml"),
            format!("SPROUTNET_GRACE: {grace}s"),
            format!("stop_grace_period: {notice}s"),
        ),
        (
            "kubernetes/worker.yaml",
            include_str!("../../deploy/kubernetes/worker.yaml"),
            format!("{{name: SPROUTNET_GRACE, value: {grace}s}}"),
            format!("terminationGracePeriodSeconds: {notice}\n"),
        ),
        (
            "systemd/sproutnet-worker@.service",
            include_str!("../../deploy/systemd/sproutnet-worker@.service"),
            format!("SPROUTNET_GRACE={grace}s"),
            format!("TimeoutStopSec={notice}\n"),
        ),
    ] {
        for setting in [grace, notice] {
            assert!(text.contains(&setting), "{file} does not say {setting}");
        }
    }
}

#[tokio::test]
async fn the_second_signal_ends_at_once() {
    let script = Script::with_jobs([job(1, "0*24", Misere, MINUTE)]);
    let lost = tonic::Status::unavailable("for ever");
    script.answer(100_000, None, &lost);
    let mut fake = Fake::serve(script).await;
    let folder = tempfile::tempdir().expect("a folder");
    let worker = Program::start(fake.address, folder.path(), &["--grace", "5m"]);
    held(&mut fake).await;
    worker.signal("INT");
    tokio::time::sleep(Duration::from_millis(500)).await;
    let asked = Instant::now();
    worker.signal("INT");
    let (status, log) = soon(worker.end()).await;
    assert!(asked.elapsed() < Duration::from_secs(2), "{log}");
    assert!(status.success(), "{log}");
}

#[tokio::test]
async fn options_that_make_no_sense_are_refused_by_name() {
    let any = std::net::SocketAddr::from(([127, 0, 0, 1], 1));
    let folder = tempfile::tempdir().expect("a folder");
    for (option, value) in [
        ("--memory", "lots"),
        ("--grace", "soon"),
        ("--log-format", "xml"),
        ("--name", ""),
    ] {
        let worker = Program::start(any, folder.path(), &[option, value]);
        let (status, log) = soon(worker.end()).await;
        assert_eq!(status.code(), Some(2), "{log}");
        assert!(log.contains(option), "{log}");
    }
}
