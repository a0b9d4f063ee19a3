//! Authentication and authorization: each request must show a token whose role allows the call. It is checked before
//! the body is read.

use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;
use tonic::transport::server::TcpConnectInfo;
use tower::{BoxError, Layer, Service};

use crate::caller::{self, Caller, Role};
use crate::refusals::Refusals;
use crate::tokens::Tokens;

/// The path of the standard health service. It needs no token, since the probes of orchestrators cannot show one.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// Lets only requests with a token pass, and calls to the health service. Without tokens, all requests pass.
#[derive(Clone)]
pub(crate) struct Authentication {
    tokens: Option<Tokens>,
    refusals: Refusals,
}

/// A service behind [`Authentication`].
#[derive(Clone)]
pub(crate) struct Authenticated<S> {
    inner: S,
    authentication: Authentication,
}

/// The role that a call needs. Calls of unknown services need an admin.
pub(crate) fn needed(path: &str) -> Role {
    role_of(path).unwrap_or(Role::Admin)
}

/// `None` for unknown calls.
fn role_of(path: &str) -> Option<Role> {
    if path.starts_with("/grpc.reflection.") {
        return Some(Role::Read);
    }
    let (service, call) = path.strip_prefix("/sproutnet.v1.")?.split_once('/')?;
    match (service, call) {
        ("WorkerService", _) => Some(Role::Work),
        (
            "ClientService",
            "List" | "Watch" | "Explain" | "Query" | "Line" | "Table" | "Fleet" | "Sources"
            | "Records" | "Export",
        ) => Some(Role::Read),
        ("ClientService", "Start" | "Pause" | "Resume" | "SetWeight" | "Cancel") => {
            Some(Role::Solve)
        }
        ("ClientService", "Verify" | "Revoke" | "Backup" | "Import") => Some(Role::Admin),
        _ => None,
    }
}

impl Authentication {
    pub(crate) fn new(tokens: Option<Tokens>) -> Self {
        Self {
            tokens,
            refusals: Refusals::default(),
        }
    }

    /// The caller; `None` if the call needs no token.
    fn check<B>(&self, request: &Request<B>) -> Result<Option<Caller>, Status> {
        let path = request.uri().path();
        let Some(tokens) = self.tokens.as_ref().filter(|_| !path.starts_with(HEALTH)) else {
            return Ok(None);
        };
        let refused = match tokens.check(request.headers()) {
            Ok(caller) => match caller.needs(needed(path)) {
                Ok(()) => return Ok(Some(caller)),
                Err(denied) => Status::permission_denied(denied.to_string()),
            },
            Err(refused) => Status::unauthenticated(refused.to_string()),
        };
        let info = request.extensions().get::<TcpConnectInfo>();
        let peer = info.and_then(TcpConnectInfo::remote_addr);
        self.refusals.log(peer, path, refused.message());
        Err(refused)
    }
}

impl<S> Layer<S> for Authentication {
    type Service = Authenticated<S>;

    fn layer(&self, inner: S) -> Authenticated<S> {
        let authentication = self.clone();
        Authenticated {
            inner,
            authentication,
        }
    }
}

impl<S> Service<Request<Body>> for Authenticated<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match self.authentication.check(&request) {
            Ok(caller) => {
                let answer = caller::in_name_of(caller, self.inner.call(request));
                Box::pin(async { answer.await.map_err(Into::into) })
            }
            Err(refused) => Box::pin(async { Ok(refused.into_http()) }),
        }
    }
}

#[cfg(test)]
mod tests;
