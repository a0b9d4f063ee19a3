//! Asks each request for the token, before anything of its body is read.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;
use tonic::transport::server::TcpConnectInfo;
use tower::{Layer, Service};

use crate::seldom::Seldom;
use crate::token::Token;

/// Calls that need no token: the standard health service, which only says whether there is
/// service. The probes of orchestrators cannot show a token.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// Refusals are logged that often for one peer.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Refusals are logged for so many peers at a time.
const PEERS: usize = 256;

/// Puts a [`Guarded`] before a service, and so before all services of a port. Requests without the
/// token are answered with UNAUTHENTICATED. Only the standard health service, `grpc.health.v1.Health`,
/// needs none, so that Kubernetes' own gRPC probes work; they speak no TLS, so that a port with TLS is to
/// be probed otherwise. Without a token all requests pass.
#[derive(Clone)]
pub struct GuardLayer(Option<Arc<Guard>>);

struct Guard {
    token: Token,
    refusals: Mutex<Seldom<Option<IpAddr>>>,
}

/// A service that is reached with the token only.
#[derive(Clone)]
pub struct Guarded<S> {
    inner: S,
    guard: Option<Arc<Guard>>,
}

impl GuardLayer {
    /// Asks for `token`, if there is one.
    pub fn new(token: Option<Token>) -> Self {
        Self(token.map(|token| {
            let refusals = Mutex::new(Seldom::new(LOG_EVERY, PEERS));
            Arc::new(Guard { token, refusals })
        }))
    }
}

impl<S> Layer<S> for GuardLayer {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        let guard = self.0.clone();
        Guarded { inner, guard }
    }
}

impl Guard {
    fn check<B>(&self, request: &Request<B>) -> Result<(), Status> {
        let path = request.uri().path();
        if path.starts_with(HEALTH) {
            return Ok(());
        }
        let Err(refused) = self.token.check(request.headers()) else {
            return Ok(());
        };
        let peer = request.extensions().get::<TcpConnectInfo>();
        let peer = peer.and_then(TcpConnectInfo::remote_addr);
        // A port is new with each connection.
        let machine = peer.map(|peer| peer.ip().to_canonical());
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        let said = refusals.say(machine, Instant::now());
        drop(refusals);
        if let Some(silent) = said {
            let peer = peer.map_or_else(|| "a pipe".to_owned(), |peer| peer.to_string());
            tracing::warn!(peer, path, silent, "a call is refused: {refused}");
        }
        Err(Status::unauthenticated(refused.to_string()))
    }
}

impl<S, B> Service<Request<B>> for Guarded<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let checked = self
            .guard
            .as_ref()
            .map_or(Ok(()), |guard| guard.check(&request));
        match checked {
            Ok(()) => Box::pin(self.inner.call(request)),
            Err(status) => Box::pin(std::future::ready(Ok(status.into_http()))),
        }
    }
}
