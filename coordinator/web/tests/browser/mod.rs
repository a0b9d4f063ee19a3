//! Requests over HTTP, as a browser or Prometheus makes them.

pub(crate) mod html;
pub(crate) mod openmetrics;

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An answer over HTTP.
pub(crate) struct Page {
    pub(crate) status: u16,
    /// The headers, in lower case.
    pub(crate) headers: String,
    /// The address to which it leads, in its original case.
    pub(crate) location: Option<String>,
    pub(crate) text: String,
}

impl Page {
    /// The value of a header, in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self
            .headers
            .lines()
            .filter_map(|line| line.split_once(": "));
        headers
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }

    /// The entity tag, which is a weak one.
    pub(crate) fn tag(&self) -> Option<String> {
        Some(self.header("etag")?.replacen("w/", "W/", 1))
    }

    /// The text as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"));
        serde_json::from_str(&self.text).expect("JSON")
    }
}

/// Asks for a path, with a token if one is given.
pub(crate) async fn get(address: SocketAddr, path: &str, token: Option<&str>) -> Page {
    let token = token.map(|token| format!("Bearer {token}"));
    let headers: Vec<_> = token
        .iter()
        .map(|token| ("Authorization", &**token))
        .collect();
    ask(address, "GET", path, &headers, "").await
}

/// Sends a form as a page of the same site does.
pub(crate) async fn post(address: SocketAddr, path: &str, form: &str) -> Page {
    ask(
        address,
        "POST",
        path,
        &[("Sec-Fetch-Site", "same-origin")],
        form,
    )
    .await
}

/// Sends JSON to a path, as programs do.
pub(crate) async fn post_json(address: SocketAddr, path: &str, json: &str) -> Page {
    let headers = [("Content-Type", "application/json")];
    ask(address, "POST", path, &headers, json).await
}

/// Asks for a file that is no text. Returns the headers in lower case, and the file.
pub(crate) async fn get_bytes(address: SocketAddr, path: &str) -> (String, Vec<u8>) {
    let mut answer = exchange(address, "GET", path, &[], "").await;
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n");
    let file = answer.split_off(end.expect("headers end") + 4);
    (
        String::from_utf8(answer).expect("headers").to_lowercase(),
        file,
    )
}

/// Asks for anything, with headers beside those that are always needed.
pub(crate) async fn ask(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    form: &str,
) -> Page {
    let answer = exchange(address, method, path, headers, form).await;
    let answer = String::from_utf8(answer).expect("text");
    let (head, text) = answer.split_once("\r\n\r\n").expect("headers end");
    let status = head.split(' ').nth(1).expect("a status");
    let location = head
        .lines()
        .find_map(|line| line.strip_prefix("location: "));
    Page {
        location: location.map(str::to_owned),
        status: status.parse().expect("a number"),
        headers: head.to_lowercase(),
        text: text.to_owned(),
    }
}

/// Sends a request. Returns the whole answer.
async fn exchange(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    form: &str,
) -> Vec<u8> {
    let has_host = headers.iter().any(|(name, _)| *name == "Host");
    let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !has_host {
        head.push_str(&format!("Host: {address}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if method == "POST" {
        let length = form.len();
        if !headers.iter().any(|(name, _)| *name == "Content-Type") {
            head.push_str("Content-Type: application/x-www-form-urlencoded\r\n");
        }
        head.push_str(&format!("Content-Length: {length}\r\n"));
    }
    let request = format!("{head}\r\n{form}");
    let mut connection = TcpStream::connect(address).await.expect("a connection");
    // A request that is too long is answered, and the connection closed, before all of it is read.
    let _ = connection.write_all(request.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = connection.read_to_end(&mut answer).await;
    answer
}
