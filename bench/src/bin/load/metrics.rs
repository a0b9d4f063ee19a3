//! The coordinator's metrics over HTTP.

use std::net::SocketAddr;

use anyhow::Context;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The metrics at one time, as text.
pub(crate) struct Metrics(String);

impl Metrics {
    /// Fetches the metrics.
    pub(crate) async fn read(address: SocketAddr) -> anyhow::Result<Self> {
        let mut connection = TcpStream::connect(address).await?;
        let request =
            format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        connection.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await?;
        let status = answer.lines().next().unwrap_or_default();
        anyhow::ensure!(status.contains(" 200 "), "no metrics: {status}");
        Ok(Self(answer))
    }

    /// The metric with this name, without labels.
    pub(crate) fn get(&self, name: &str) -> anyhow::Result<f64> {
        let mut lines = self.0.lines();
        let value = lines.find_map(|line| {
            let value = line.strip_prefix(name)?.strip_prefix(' ')?;
            value.trim().parse().ok()
        });
        value.with_context(|| format!("there is no metric {name}"))
    }
}
