//! Authentication: each request must show the token. It is checked before the body is read.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::Request;
use tonic::Status;
use tonic::body::Body;
use tonic::transport::server::TcpConnectInfo;

use crate::log_limiter::LogLimiter;
use crate::token::Token;

/// The path of the standard health service. It needs no token, since the probes of orchestrators cannot show one.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// The time between two logged refusals of one peer.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// The maximum number of peers whose refused requests are logged at a time.
const PEERS: usize = 256;

/// A predicate for [`tower::filter`] that passes only requests with the token, and calls to the health
/// service. Without a token, all requests pass.
pub(crate) fn require(
    token: Option<Token>,
) -> impl FnMut(Request<Body>) -> Result<Request<Body>, Status> + Clone {
    let limiter = Arc::new(Mutex::new(LogLimiter::new(LOG_EVERY, PEERS)));
    move |request| {
        let path = request.uri().path();
        let Some(token) = token.as_ref().filter(|_| !path.starts_with(HEALTH)) else {
            return Ok(request);
        };
        let Err(refused) = token.check(request.headers()) else {
            return Ok(request);
        };
        let info = request.extensions().get::<TcpConnectInfo>();
        let peer = info.and_then(TcpConnectInfo::remote_addr);
        // Each connection has a new port, so the address alone identifies a peer.
        let machine = peer.map(|peer| peer.ip().to_canonical());
        let mut limiter = limiter.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(suppressed) = limiter.allow(machine, Instant::now()) {
            let peer = peer.map_or_else(|| "a pipe".to_owned(), |peer| peer.to_string());
            tracing::warn!(peer, path, suppressed, "a call is refused: {refused}");
        }
        Err(Status::unauthenticated(refused.to_string()))
    }
}
