//! Clients that look up positions over HTTP while the workers work.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use sproutnet_game::Sprouts;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};

use crate::worker::{Load, spawn};

/// The number of open connections, each with one query at a time.
const CONNECTIONS: u32 = 32;

/// Starts `rate` queries per second. Each is timed from when it was due, so that the wait for an earlier answer counts.
pub(crate) fn begin(load: &Arc<Load>, address: SocketAddr, rate: u32) {
    let period = Duration::from_secs(1) * CONNECTIONS / rate;
    let begin = Instant::now();
    for number in 0..CONNECTIONS {
        let first = begin + period * number / CONNECTIONS;
        spawn(load, ask(Arc::clone(load), address, number, first, period));
    }
}

async fn ask(
    load: Arc<Load>,
    address: SocketAddr,
    number: u32,
    first: Instant,
    period: Duration,
) -> anyhow::Result<()> {
    let mut connection = BufReader::new(TcpStream::connect(address).await?);
    connection.get_ref().set_nodelay(true)?;
    let mut random = fastrand::Rng::with_seed(number.into());
    let mut due = first;
    loop {
        sleep_until(due).await;
        let position = match random.u8(0..10) {
            // Start positions, some with published outcomes.
            0 => Sprouts::start(random.u32(0..=110)),
            _ => random
                .choice(load.positions())
                .context("no positions")?
                .clone(),
        };
        let path = position.replace('|', "%7C");
        let request =
            format!("GET /api/v1/positions/{path}?within_ms=0 HTTP/1.1\r\nHost: {address}\r\n\r\n");
        connection.write_all(request.as_bytes()).await?;
        let answer = read_answer(&mut connection).await?;
        anyhow::ensure!(answer.contains("\"canonical\""), "{position}: {answer}");
        load.measures().queries.add(due.elapsed());
        due += period;
    }
}

/// The body of an answer with a length.
async fn read_answer(connection: &mut BufReader<TcpStream>) -> anyhow::Result<String> {
    let mut length = None;
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).await?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length: ") {
            length = Some(value.parse()?);
        }
    }
    let mut body = vec![0; length.context("an answer without a length")?];
    connection.read_exact(&mut body).await?;
    Ok(String::from_utf8(body)?)
}
