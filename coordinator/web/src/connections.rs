//! The connections to the HTTP port, and their limits.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::{self, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use sproutnet_transport::log_limiter::LogLimiter;
use sproutnet_transport::permits::Permits;
use sproutnet_transport::serve::open_files;
use tokio::net::TcpListener;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use crate::problem::Problem;

/// The maximum number of simultaneous connections, and at most a quarter of the files that may be open. Further
/// connections are closed at once.
const CONNECTIONS: usize = 1024;

/// The time limit for the head of the next request on a connection.
const REQUEST: Duration = Duration::from_secs(30);

/// The time limit for the answer to a request, from its head on.
const ANSWER: Duration = Duration::from_secs(120);

/// The time limit for a client to take more of an answer that waits for it.
const STALL: Duration = Duration::from_secs(30);

/// The interval of pings on a connection over HTTP/2, and the time limit for the answer to a ping.
const PING: Duration = Duration::from_secs(20);

/// The maximum number of simultaneous calls on a connection over HTTP/2. Only clients that mistake this port for the
/// gRPC port use it.
const STREAMS: u32 = 16;

/// The wait after a failure to accept a connection. The likely cause is too many open files.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// The minimum time between two log messages about the same problem.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Serves until `shutdown` resolves, and then until open requests are answered.
pub(super) async fn serve(
    router: Router,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) {
    let server = server();
    let open = GracefulShutdown::new();
    let permits = Permits::new(CONNECTIONS.min(open_files() / 4).max(1));
    let mut limiter = LogLimiter::new(LOG_EVERY, 2);
    let mut warn = |problem: &'static str, cause: String| {
        if let Some(suppressed) = limiter.allow(problem, Instant::now()) {
            tracing::warn!(suppressed, "{problem}{cause}");
        }
    };
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let Some(permit) = permits.take(Some(peer.ip())) else {
                    warn(
                        "refused a connection over HTTP: too many are open",
                        String::new(),
                    );
                    continue;
                };
                let mut stream = TimeoutStream::new(stream);
                stream.set_write_timeout(Some(STALL));
                let begun = Arc::new(AtomicBool::new(false));
                let begins = Arc::clone(&begun);
                let service = router
                    .clone()
                    .map_request(move |mut request: http::Request<_>| {
                        begins.store(true, Ordering::Relaxed);
                        request.extensions_mut().insert(ConnectInfo(peer));
                        request
                    });
                let service = TowerToHyperService::new(service);
                let connection = server.serve_connection(TokioIo::new(Box::pin(stream)), service);
                let connection = open.watch(connection.into_owned());
                tokio::spawn(async move {
                    let mut connection = pin!(connection);
                    // Errors of a connection concern only the client. Without a time limit, hyper would wait forever
                    // for the bytes that show the version of HTTP.
                    let first = tokio::time::timeout(REQUEST, &mut connection).await;
                    if first.is_err() && begun.load(Ordering::Relaxed) {
                        let _ = connection.await;
                    }
                    drop(permit);
                });
            }
            Err(error) => {
                warn("cannot accept a connection over HTTP: ", error.to_string());
                tokio::time::sleep(AFTER_FAILURE).await;
            }
        }
    }
    drop(listener);
    open.shutdown().await;
}

/// Ends a request whose answer takes too long to begin.
pub(super) async fn in_time(request: Request, next: Next) -> Result<Response, Problem> {
    let answered = tokio::time::timeout(ANSWER, next.run(request)).await;
    answered.map_err(|_| Problem::new(StatusCode::REQUEST_TIMEOUT, "this took too long"))
}

fn server() -> Builder<TokioExecutor> {
    let mut server = Builder::new(TokioExecutor::new());
    server
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST);
    server
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING)
        .keep_alive_timeout(PING)
        .max_concurrent_streams(STREAMS);
    server
}
