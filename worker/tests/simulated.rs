//! A whole worker on one thread, in simulated time, over connections in memory: no wait is real, and all waits use
//! tokio's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sproutnet_proto::v1::Play::Normal;
use sproutnet_system::options::Memory;
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use sproutnet_worker::{Config, Worker};
use tokio::io::DuplexStream;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Server;

use crate::fake::{Asked, Script, job, service};

const HOUR: Duration = Duration::from_secs(3600);

/// A connection whose other end goes to a receiver while the network is up.
fn connection(
    net: &Arc<AtomicBool>,
) -> (Connection, mpsc::Receiver<std::io::Result<DuplexStream>>) {
    let (connections, incoming) = mpsc::channel(1);
    let net = Arc::clone(net);
    let open = move |_| {
        let (connections, up) = (connections.clone(), net.load(Ordering::Relaxed));
        async move {
            if !up {
                return Err(std::io::Error::other("the net is down"));
            }
            let (here, there) = tokio::io::duplex(1 << 16);
            let gone = |_| std::io::Error::other("nobody is there");
            connections.send(Ok(there)).await.map_err(gone)?;
            Ok(here)
        }
    };
    let patience = Patience::default();
    let endpoint = Endpoint::new("http://coordinator", &Credentials::default(), patience);
    (
        endpoint.expect("an address").connect_lazy_over(open),
        incoming,
    )
}

#[tokio::test(start_paused = true)]
async fn a_worker_waits_for_hours_and_is_there_within_seconds() {
    fastrand::seed(1);
    let net = Arc::new(AtomicBool::new(false));
    let (connection, incoming) = connection(&net);
    let jobs = [(1, "0*9"), (2, "kayles:50+49")].map(|(n, text)| job(n, text, Normal, HOUR));
    let (service, _, mut asked) = service(Script::with_jobs(jobs));
    let server = Server::builder().add_service(service);
    tokio::spawn(server.serve_with_incoming(ReceiverStream::new(incoming)));
    let worker = Worker::new(Config {
        cores: 2,
        team: Some(1),
        memory: Memory::Bytes(2 << 30),
        ..Config::default()
    });
    let stop = watch::Sender::new(false);
    let worker = worker.expect("it can begin");
    let running = tokio::spawn(worker.run(connection, stop.subscribe()));

    tokio::time::sleep(5 * HOUR).await;
    assert!(asked.try_recv().is_err(), "nobody can be asked");
    net.store(true, Ordering::Relaxed);
    let up = Instant::now();
    let mut ended = Vec::new();
    while ended.len() < 2 {
        match asked.recv().await.expect("it serves") {
            Asked::Registered(_) => assert!(up.elapsed() <= Duration::from_secs(10)),
            Asked::Found(finding) => ended.push(finding.lease),
            _ => {}
        }
    }
    ended.sort_unstable();
    assert_eq!(ended, [1, 2]);
    // Searches take no simulated time.
    assert!(up.elapsed() < Duration::from_secs(20), "{:?}", up.elapsed());

    // Without jobs it keeps asking, and renews once a second.
    let (mut leases, mut renewals) = (0, 0);
    let until = Instant::now() + Duration::from_secs(60);
    while let Ok(asked) = tokio::time::timeout_at(until, asked.recv()).await {
        match asked.expect("it serves") {
            Asked::Leased(_) => leases += 1,
            Asked::Renewed(_) => renewals += 1,
            _ => {}
        }
    }
    assert!((20..=30).contains(&leases), "{leases}");
    assert!((58..=61).contains(&renewals), "{renewals}");
    stop.send_replace(true);
    let ended = running.await.expect("no panic");
    ended.expect("no error");
}
