//! Requests over HTTP, in their textual form:
//!
//! ```text
//! GET /api/v1/positions/0*8?within_ms=5 HTTP/1.1
//! accept: text/html
//!
//! a body
//! ```

use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::BodyExt;
use serde_json::Value;
use sproutnet_coordinator::{Config, Coordinator, Introduction, Start};
use sproutnet_solver::play::Play;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::token::Token;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// The token of the protected site.
const TOKEN: &str = "a-token-of-some-length";

/// The time limit for searches of small positions.
const ON_THE_SPOT: Duration = Duration::from_millis(5);

/// The maximum number of queries to one coordinator, since its knowledge grows with each.
const MOST_QUESTIONS: usize = 500;

/// A tag that only the input of a request could bring into a page.
const INTRUDER: &str = "<fuzz>";

/// Every request gets an answer: a result, a refusal with a reason, or an overload error, but never an internal error.
/// Answers under `/api/v1` are valid JSON. No answer redirects to another site, and no tag from a request gets into a
/// page.
///
/// All requests meet the same coordinator; it is replaced after a request that may have changed it.
pub fn query(bytes: &[u8]) {
    let Some(request) = request(bytes) else {
        return;
    };
    thread_local!(static SITE: RefCell<Option<Site>> = const { RefCell::new(None) });
    SITE.with_borrow_mut(|site| {
        let is_safe = request.method().is_safe();
        let here = site.get_or_insert_with(Site::new);
        here.ask(request, bytes);
        here.asked += 1;
        if !is_safe || here.asked >= MOST_QUESTIONS {
            *site = None;
        }
    });
}

/// The request in the bytes, if a server would accept them.
fn request(bytes: &[u8]) -> Option<Request<Body>> {
    let (line, mut rest) = split_line(bytes);
    let mut words = line.split(|&byte| byte == b' ');
    let method = Method::from_bytes(words.next()?).ok()?;
    let uri = Uri::try_from(words.next()?).ok()?;
    let mut request = Request::new(Body::empty());
    loop {
        let (line, after) = split_line(rest);
        rest = after;
        if line.is_empty() {
            break;
        }
        let colon = line.iter().position(|&byte| byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
        request.headers_mut().append(name, value);
    }
    let local = HeaderValue::from_static("localhost");
    request.headers_mut().entry(header::HOST).or_insert(local);
    *request.method_mut() = method;
    *request.uri_mut() = uri;
    *request.body_mut() = Body::from(rest.to_vec());
    Some(request)
}

/// The first line, and the rest.
fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else {
        return (bytes, &[]);
    };
    (bytes[..end].trim_ascii_end(), &bytes[end + 1..])
}

/// A coordinator with content.
struct Site {
    runtime: Runtime,
    /// The pages without a token.
    open: Router,
    /// The pages with a token.
    kept: Router,
    asked: usize,
    _data: TempDir,
}

impl Site {
    fn new() -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let config = Config {
            memory: 64 << 20,
            on_the_spot: ON_THE_SPOT,
            ..Config::default()
        };
        let now = Instant::now();
        let coordinator = Coordinator::open(data.path(), config, now).expect("a coordinator");
        let texts = [
            ("0*9", Play::Normal),
            ("0*2.AB|0*3.AB", Play::Misere),
            ("1}", Play::Normal),
        ];
        for (position, play) in texts {
            let start = Start {
                position,
                play,
                nimber: false,
                deadline: None,
                priority: None,
                weight: None,
                owner: "",
                label: "",
            };
            coordinator
                .computations
                .start(&start, now)
                .expect("a computation");
        }
        coordinator
            .computations
            .pause(2.into(), now)
            .expect("it is under way");
        let who = Introduction {
            name: "a worker".to_owned(),
            cores: 2,
            identity: 7,
            ..Introduction::default()
        };
        coordinator.jobs.register(who, now).expect("a worker");
        let coordinator = Arc::new(coordinator);
        let here = IpAddr::from(Ipv4Addr::LOCALHOST);
        let kept = Protection {
            tokens: Some(Token::new(TOKEN).expect("a token").into()),
            tls: None,
        };
        Self {
            runtime: Builder::new_current_thread()
                .enable_time()
                .max_blocking_threads(1)
                .build()
                .expect("a runtime"),
            open: sproutnet_web::router(Arc::clone(&coordinator), &Protection::default(), here),
            kept: sproutnet_web::router(coordinator, &kept, here),
            asked: 0,
            _data: data,
        }
    }

    fn ask(&self, request: Request<Body>, bytes: &[u8]) {
        let path = request.uri().path().to_owned();
        let shows = |name| request.headers().contains_key(name);
        let is_kept = shows(header::AUTHORIZATION)
            || shows(header::COOKIE)
            || matches!(&*path, "/login" | "/logout");
        let router = if is_kept { &self.kept } else { &self.open };
        let answered = async {
            let Ok(response) = router.clone().oneshot(request).await;
            let (head, mut body) = response.into_parts();
            let kind = head.headers.get(header::CONTENT_TYPE);
            let is_endless = kind.is_some_and(|kind| kind == "text/event-stream");
            let body = if is_endless {
                body.frame().await.map(|frame| {
                    let frame = frame.expect("an event");
                    frame.into_data().expect("data").to_vec()
                })
            } else {
                Some(body.collect().await.expect("a body").to_bytes().to_vec())
            };
            (head, body.unwrap_or_default())
        };
        let (head, body) = self.runtime.block_on(answered);
        check(&path, &head, &body, bytes);
    }
}

fn check(path: &str, head: &http::response::Parts, body: &[u8], asked: &[u8]) {
    let asked = String::from_utf8_lossy(asked);
    let (status, headers) = (head.status, &head.headers);
    assert!(
        !status.is_server_error() || status == StatusCode::SERVICE_UNAVAILABLE,
        "{status}: {} for {asked}",
        String::from_utf8_lossy(body)
    );
    assert!(
        headers.contains_key(header::CONTENT_SECURITY_POLICY),
        "{asked}"
    );
    if let Some(location) = headers.get(header::LOCATION) {
        let location = location.to_str().expect("a location is visible");
        assert!(
            location.starts_with('/') && !location.starts_with("//"),
            "to {location}"
        );
        assert!(!location.contains('\\'), "to {location}");
    }
    let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let kind = String::from_utf8_lossy(kind.unwrap_or_default());
    if kind.starts_with("text/html") || kind.starts_with("image/svg") {
        let text = std::str::from_utf8(body).expect("pages are UTF-8");
        assert!(!text.contains(INTRUDER), "{asked}");
    }
    if kind == "application/json" && !body.is_empty() {
        let told: Value = serde_json::from_slice(body).expect("JSON");
        let is_refusal = status.is_client_error() || status.is_server_error();
        assert_eq!(is_refusal, told["error"].is_string(), "{told} for {asked}");
    } else if path.starts_with("/api/v1/") && !body.is_empty() {
        let is_events = kind == "text/event-stream";
        // An unauthorized request is refused before it is examined.
        let is_turned_away = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        assert!(is_events || is_turned_away, "{kind} for {asked}");
    }
}
