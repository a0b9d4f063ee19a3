//! Garbage on an open port does no harm.

use std::time::{Duration, Instant};

use crate::stand::certificates::Authority;
use crate::stand::{SOON, Stand, asking, knowing};
use sproutnet_transport::listen::Protection;
use sproutnet_transport::serve::Limits;
use sproutnet_transport::tls::ServerTls;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A limit that ends silent connections while a test waits.
fn impatient() -> Limits {
    Limits {
        ping_every: Duration::from_millis(200),
        ping_answer: Duration::from_millis(200),
        ..Limits::default()
    }
}

/// Bytes without a pattern, the same each time.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| byte()).collect()
}

/// Sends bytes, and reads the answer until the server closes.
async fn send(stand: &Stand, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(stand.address).await.unwrap();
    // The server may have closed already.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let read = timeout(SOON, stream.read_to_end(&mut answer)).await;
    let _ = read.expect("the server closes the connection");
    answer
}

#[tokio::test]
async fn noise_is_closed() {
    let stand = Stand::with_limits(asking(), impatient()).await;
    for seed in 0..50 {
        send(&stand, &noise(seed, 1 + 97 * seed as usize)).await;
        // After the preface, noise is taken for frames.
        send(&stand, &[PREFACE, &noise(seed, 500)].concat()).await;
    }
    stand.assert_serves(&knowing()).await;
}

#[tokio::test]
async fn frames_that_make_no_sense_are_closed() {
    let stand = Stand::with_limits(asking(), impatient()).await;
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    for kind in 0..=u8::MAX {
        let frame = [&[0, 0, 8, kind, kind, 0, 0, 0, kind % 4][..], &noise(1, 8)].concat();
        let bytes = [PREFACE, &settings, &frame].concat();
        let mut stream = TcpStream::connect(stand.address).await.unwrap();
        stream.write_all(&bytes).await.unwrap();
    }
    // A frame of 16 MiB that does not come.
    send(
        &stand,
        &[PREFACE, &settings, &[255, 255, 255, 0, 0, 0, 0, 0, 1]].concat(),
    )
    .await;
    stand.assert_serves(&knowing()).await;
}

#[tokio::test]
async fn http_1_is_closed() {
    let stand = Stand::start(asking()).await;
    let request = b"GET / HTTP/1.1\r\nHost: sproutnet\r\n\r\n";
    let answer = send(&stand, request).await;
    assert!(!answer.starts_with(b"HTTP/1.1 2"), "{answer:?}");
    stand.assert_serves(&knowing()).await;
}

#[tokio::test]
async fn who_says_nothing_is_closed() {
    let stand = Stand::with_limits(asking(), impatient()).await;
    let begun = Instant::now();
    send(&stand, b"").await;
    send(&stand, &PREFACE[..10]).await;
    // A client that is silent after the preface does not answer pings.
    send(&stand, PREFACE).await;
    assert!(begun.elapsed() >= impatient().silence());
    // Half open: this side says no more, and still reads.
    let mut stream = TcpStream::connect(stand.address).await.unwrap();
    stream.write_all(PREFACE).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = Vec::new();
    let read = timeout(SOON, stream.read_to_end(&mut answer)).await;
    assert!(read.is_ok());
    stand.assert_serves(&knowing()).await;
}

#[tokio::test]
async fn who_says_nothing_within_tls_is_closed() {
    let ours = Authority::new();
    let own = ours.server();
    let protection = Protection {
        tls: Some(ServerTls::read(&own.certificate, &own.key, None).unwrap()),
        ..asking()
    };
    let stand = Stand::with_limits(protection, impatient()).await;
    send(&stand, b"").await;
    // The beginning of a handshake.
    send(&stand, &[22, 3, 1, 2, 0, 1]).await;
    send(&stand, &noise(7, 300)).await;
}

#[tokio::test]
async fn a_thousand_idle_connections_do_not_matter() {
    // Both ends of each are open files of this process.
    let open_files = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let most = open_files
        .current
        .map_or(1000, |files| files as usize / 4)
        .min(1000);
    let limits = Limits {
        connections: most / 2,
        ..impatient()
    };
    let stand = Stand::with_limits(asking(), limits).await;
    let mut idle = Vec::new();
    for _ in 0..most {
        idle.push(TcpStream::connect(stand.address).await.unwrap());
    }
    // There is room again when the silent ones are closed.
    let begun = Instant::now();
    while crate::stand::query(stand.connect(&knowing()), "0*2")
        .await
        .is_err()
    {
        assert!(begun.elapsed() < SOON);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for mut stream in idle {
        let read = timeout(SOON, stream.read_to_end(&mut Vec::new())).await;
        assert!(read.is_ok(), "no connection stays");
    }
    stand.assert_serves(&knowing()).await;
}
