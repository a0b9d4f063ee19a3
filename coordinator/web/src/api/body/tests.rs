use axum::http::HeaderValue;
use serde::Deserialize;

use super::*;

const KIND: &str = "application/json";

fn request(body: Body) -> Request {
    let mut request = Request::new(body);
    let headers = request.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(KIND));
    request
}

/// A body of which this arrives, and no more.
fn stalled(begin: &'static [u8]) -> Body {
    let begin = tokio_stream::once(Ok::<_, std::io::Error>(begin));
    Body::from_stream(begin.chain(tokio_stream::pending()))
}

async fn refused(bodies: &Bodies, request: Request) -> StatusCode {
    let read = bodies.read(request, KIND, 1024).await;
    read.map(|_| ()).expect_err("a refusal").status
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stalls_is_refused_and_keeps_nobody_out() {
    let bodies = Arc::new(Bodies::default());
    let began = tokio::time::Instant::now();
    let mut waiting = Vec::new();
    for _ in 0..20 {
        let bodies = Arc::clone(&bodies);
        let request = request(stalled(b"{\"position\""));
        waiting.push(tokio::spawn(async move { refused(&bodies, request).await }));
    }
    tokio::task::yield_now().await;
    let whole = bodies.read(request("{}".into()), KIND, 1024).await;
    assert_eq!(whole.expect("room").bytes, "{}");
    assert!(began.elapsed() < ARRIVAL);
    for refused in waiting {
        assert_eq!(
            refused.await.expect("no panic"),
            StatusCode::REQUEST_TIMEOUT
        );
    }
    assert_eq!(began.elapsed().as_secs(), ARRIVAL.as_secs());
    assert_eq!(bodies.0.available_permits(), ROOM, "the room is free again");
}

#[tokio::test]
async fn all_bodies_together_take_limited_memory() {
    let bodies = Bodies::default();
    let most = 4 * 1024 * 1024;
    let mut held = Vec::new();
    while let Ok(whole) = bodies
        .read(request(vec![b' '; most].into()), KIND, most)
        .await
    {
        held.push(whole);
    }
    assert_eq!(held.len(), ROOM * 1024 / most);
    let refusal = refused(&bodies, request("{}".into())).await;
    assert_eq!(refusal, StatusCode::SERVICE_UNAVAILABLE);
    held.pop();
    assert!(bodies.read(request("{}".into()), KIND, most).await.is_ok());
}

#[tokio::test]
async fn only_bodies_of_the_type_as_they_are_and_of_the_size_are_read() {
    let bodies = Bodies::default();
    let large = request(" ".repeat(1025).into());
    assert_eq!(refused(&bodies, large).await, StatusCode::PAYLOAD_TOO_LARGE);
    for (name, value) in [
        (header::CONTENT_TYPE, "text/plain"),
        (header::CONTENT_ENCODING, "gzip"),
    ] {
        let mut encoded = request("{}".into());
        encoded
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
        let status = refused(&bodies, encoded).await;
        assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{value}");
    }
    let mut plain = request("{}".into());
    let headers = plain.headers_mut();
    headers.insert(
        header::CONTENT_ENCODING,
        HeaderValue::from_static("identity"),
    );
    let kind = HeaderValue::from_static("Application/JSON; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, kind);
    assert!(bodies.read(plain, KIND, 1024).await.is_ok());
}

#[test]
fn what_is_wrong_with_json_is_said_in_plain_words() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Asked {
        position: String,
        play: Option<sproutnet_solver::play::Play>,
        limit: Option<u64>,
    }
    for (json, told) in [
        ("", "is invalid at column 1: it is empty"),
        ("{", "is invalid at column 1: it ends too early"),
        ("{a", "is invalid at column 2: it is not JSON"),
        (
            "0*8",
            "is invalid at column 1: an object with `position` is expected",
        ),
        (
            "[\"0*8\", null, null]",
            "is invalid: an object with `position` is expected",
        ),
        (
            "{\"position\":5}",
            "is invalid at column 13: a text is expected, not `5`",
        ),
        (
            "{\"position\":\"0*8\",\n\"limit\":-1}",
            "is invalid at line 2, column 10: a whole number is expected, not `-1`",
        ),
        (
            "{\"position\":\"0*8\",\"play\":5}",
            "is invalid at column 26: another value is expected here",
        ),
    ] {
        let problem = parse::<Asked>(json.as_bytes(), "line").expect_err("a refusal");
        assert_eq!(problem.text, format!("the line {told}"), "{json}");
    }
    let problem = parse::<Asked>(b"{\"position\":\"\xff\"}", "line").expect_err("a refusal");
    let told = "the line is invalid at column 14: the text is not UTF-8";
    assert_eq!(problem.text, told);
}
