//! What a browser or Prometheus would see.

pub(crate) mod openmetrics;

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An answer over HTTP.
pub(crate) struct Page {
    pub(crate) status: u16,
    /// The headers, in lower case.
    pub(crate) headers: String,
    pub(crate) text: String,
}

/// Asks for a path, with a token if one is given.
pub(crate) async fn get(address: SocketAddr, path: &str, token: Option<&str>) -> Page {
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{}\r\n",
        token.unwrap_or_default()
    );
    let mut connection = TcpStream::connect(address).await.expect("a connection");
    connection
        .write_all(request.as_bytes())
        .await
        .expect("sent");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.expect("text");
    let (head, text) = answer.split_once("\r\n\r\n").expect("headers end");
    let status = head.split(' ').nth(1).expect("a status");
    Page {
        status: status.parse().expect("a number"),
        headers: head.to_lowercase(),
        text: text.to_owned(),
    }
}
