//! A relay between workers and the coordinator that counts bytes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The bytes sent to the coordinator and received from it.
#[derive(Debug, Default)]
pub(crate) struct Bytes {
    to: AtomicU64,
    from: AtomicU64,
}

impl Bytes {
    /// To the coordinator.
    pub(crate) fn to(&self) -> u64 {
        self.to.load(Ordering::Relaxed)
    }

    /// From the coordinator.
    pub(crate) fn from(&self) -> u64 {
        self.from.load(Ordering::Relaxed)
    }
}

/// Relays connections to the coordinator until the runtime ends; returns the address of the relay.
pub(crate) async fn begin(
    coordinator: SocketAddr,
    bytes: Arc<Bytes>,
) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((worker, _)) = listener.accept().await {
            let Ok(coordinator) = TcpStream::connect(coordinator).await else {
                continue;
            };
            // Small messages are not held back.
            let (_, _) = (worker.set_nodelay(true), coordinator.set_nodelay(true));
            let (from_worker, to_worker) = worker.into_split();
            let (from_coordinator, to_coordinator) = coordinator.into_split();
            let (up, down) = (Arc::clone(&bytes), Arc::clone(&bytes));
            tokio::spawn(async move { pass(from_worker, to_coordinator, &up.to).await });
            tokio::spawn(async move { pass(from_coordinator, to_worker, &down.from).await });
        }
    });
    Ok(address)
}

/// Copies bytes in one direction until either side ends.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    count: &AtomicU64,
) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(length) = from.read(&mut buffer).await
        && length > 0
        && to.write_all(&buffer[..length]).await.is_ok()
    {
        count.fetch_add(length as u64, Ordering::Relaxed);
    }
}
