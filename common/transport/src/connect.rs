//! The client's side: the address of a coordinator, and calls to it.

mod body;
mod error;
mod url;

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use http::uri::{Scheme, Uri};
use http::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, timeout, timeout_at};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tower::Service;

use self::body::{AnswerBody, watch};
use self::error::causes;
pub use self::error::is_refused_by_tls;
use crate::credentials::Credentials;
use crate::deadline;
use crate::tls::ClientTls;
use crate::token::Token;

/// The maximum number of bytes of a stream, such as a feed of records, on their way to a client. The answer to a call
/// comes after these: within two seconds at 1 Mbit/s.
const STREAM_WINDOW: u32 = 256 << 10;

/// The time limits of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For a connection, and for the TLS handshake on it.
    pub connect: Duration,
    /// For the answer to a unary call that has no deadline of its own.
    pub call: Duration,
    /// Between pings, even while there are no calls.
    pub ping_every: Duration,
    /// For the answer to a ping. Without one, the connection is closed and its calls fail.
    pub ping_answer: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            call: Duration::from_secs(30),
            ping_every: Duration::from_secs(20),
            ping_answer: Duration::from_secs(10),
        }
    }
}

/// The address of a coordinator, and the means to call it.
#[derive(Clone, Debug)]
pub struct Endpoint {
    transport: tonic::transport::Endpoint,
    patience: Patience,
    call: Arc<Call>,
}

/// The data for each call.
#[derive(Debug)]
struct Call {
    /// The coordinator's URL, as given.
    url: String,
    token: RwLock<Option<Token>>,
    limit: Duration,
    /// Whether any call was answered.
    answered: AtomicBool,
}

/// A connection to a coordinator, for generated clients. It is made on first use, and made again when lost. Clones
/// share it.
///
/// Each call shows the token. Its file is read again when the coordinator refuses it or cannot be reached. Unary calls
/// have a [deadline]. Errors of the transport name the URL and the cause.
#[derive(Clone, Debug)]
pub struct Connection {
    channel: Channel,
    call: Arc<Call>,
}

/// An unusable URL.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// It is not the URL of a coordinator, or TLS cannot be used with the host's name or the files.
    #[error("`{url}`: {problem}")]
    Invalid {
        /// The given URL.
        url: String,
        /// The problem.
        problem: String,
    },
    /// A CA without TLS.
    #[error("`{0}`: http:// is not protected by TLS; write https://, or leave out --tls-ca")]
    Plain(String),
}

impl Endpoint {
    /// A coordinator at `http://HOST:PORT` or, with TLS, `https://HOST:PORT`. Nothing is sent yet.
    ///
    /// # Errors
    /// The URL has another form, or does not suit the credentials.
    pub fn new(
        url: &str,
        credentials: &Credentials,
        patience: Patience,
    ) -> Result<Self, EndpointError> {
        let invalid = |problem| EndpointError::Invalid {
            url: url.to_owned(),
            problem,
        };
        let expected = "expected http://HOST:PORT or https://HOST:PORT";
        let uri = url::parse(url).map_err(|problem| invalid(format!("{problem}; {expected}")))?;
        let secure = uri.scheme() == Some(&Scheme::HTTPS);
        let mut transport = tonic::transport::Endpoint::from(uri)
            .connect_timeout(patience.connect)
            .tcp_nodelay(true)
            .initial_stream_window_size(STREAM_WINDOW)
            .tcp_keepalive(Some(patience.ping_every))
            .http2_keep_alive_interval(patience.ping_every)
            .keep_alive_timeout(patience.ping_answer)
            .keep_alive_while_idle(true);
        if secure {
            let tls = credentials
                .tls
                .clone()
                .unwrap_or_else(ClientTls::of_machine);
            let secured = transport.tls_config(tls.0.timeout(patience.connect));
            transport = secured.map_err(|error| {
                let hint = match credentials.tls {
                    Some(_) => "",
                    None => "; name the coordinator's CA with --tls-ca",
                };
                invalid(format!("TLS: {}{hint}", causes(&error)))
            })?;
        } else if credentials.tls.is_some() {
            return Err(EndpointError::Plain(url.to_owned()));
        }
        let call = Arc::new(Call {
            url: url.to_owned(),
            token: RwLock::new(credentials.token.clone()),
            limit: patience.call,
            answered: AtomicBool::new(false),
        });
        Ok(Self {
            transport,
            patience,
            call,
        })
    }

    /// A connection over TCP that is made with the first call.
    pub fn connect_lazy(&self) -> Connection {
        self.over(self.transport.connect_lazy())
    }

    /// A connection over TCP, made now.
    ///
    /// # Errors
    /// The connection was not made in time. The status is UNAVAILABLE and names the reason.
    pub async fn connect(&self) -> Result<Connection, Status> {
        let limit = self.patience.connect;
        match timeout(limit, self.transport.connect()).await {
            Ok(Ok(channel)) => Ok(self.over(channel)),
            Ok(Err(error)) => Err(self.call.broken(error)),
            Err(_) => Err(Status::unavailable(format!(
                "cannot reach {}: no connection within {limit:?}",
                self.call.url
            ))),
        }
    }

    /// A connection that is made with the first call, over the result of `open`: a pipe inside the process or a
    /// simulated network. With `https://`, it speaks TLS.
    pub fn connect_lazy_over<F, Opening, C>(&self, mut open: F) -> Connection
    where
        F: FnMut(Uri) -> Opening + Send + 'static,
        Opening: Future<Output = io::Result<C>> + Send + 'static,
        C: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let connector = tower::service_fn(move |uri| {
            let opening = open(uri);
            async move { opening.await.map(TokioIo::new) }
        });
        self.over(self.transport.connect_with_connector_lazy(connector))
    }

    fn over(&self, channel: Channel) -> Connection {
        let call = Arc::clone(&self.call);
        Connection { channel, call }
    }
}

impl Call {
    /// The header that shows the token.
    fn token(&self) -> Option<HeaderValue> {
        let token = self.token.read().unwrap_or_else(PoisonError::into_inner);
        token.as_ref().map(Token::header)
    }

    /// Reads the file of the token again, if there is one. Returns the header that shows the token from now on.
    fn read_token_again(&self) -> Option<HeaderValue> {
        let mut token = self.token.write().unwrap_or_else(PoisonError::into_inner);
        // While the file is bad, the old token stays in use.
        if let Some(now) = token.as_ref().and_then(Token::read_again) {
            *token = Some(now);
        }
        token.as_ref().map(Token::header)
    }
}

/// Whether an answer is that the token, or its role, does not suffice.
fn is_refused(headers: &HeaderMap) -> bool {
    let code = headers.get("grpc-status").map(HeaderValue::as_bytes);
    let refusals = [Code::Unauthenticated, Code::PermissionDenied];
    code.is_some_and(|code| refusals.contains(&Code::from_bytes(code)))
}

impl Connection {
    /// The URL given to [`Endpoint::new`].
    pub fn url(&self) -> &str {
        &self.call.url
    }
}

impl Service<Request<Body>> for Connection {
    type Response = Response<Body>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Status>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let ready = self.channel.poll_ready(context);
        ready.map_err(|error| self.call.broken(error))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let call = Arc::clone(&self.call);
        let shown = call.token();
        if let Some(token) = &shown {
            request.headers_mut().insert(AUTHORIZATION, token.clone());
        }
        let path = request.uri().path().to_owned();
        let limit = deadline::of_call(&path, request.headers_mut(), call.limit);
        // A deadline too far away for the clock means none.
        let until = limit.and_then(|limit| Some((limit, Instant::now().checked_add(limit)?)));
        let (request, unsent) = watch(request);
        let answer = self.channel.call(request);
        Box::pin(async move {
            let answer = match until {
                None => answer.await,
                Some((limit, until)) => timeout_at(until, answer)
                    .await
                    .map_err(|_| deadline::passed(limit))?,
            };
            if let Some((limit, until)) = until
                && Instant::now() >= until
                && deadline::given_up(&answer)
            {
                return Err(deadline::passed(limit));
            }
            if let (Err(_), Some(status)) = (&answer, unsent.get()) {
                return Err(status.clone());
            }
            let answer = answer.map_err(|error| {
                // The coordinator may return with other tokens.
                call.read_token_again();
                call.broken(error)
            })?;
            if is_refused(answer.headers()) && call.read_token_again() != shown {
                let text = "the coordinator refused the token, and the file has another by now";
                return Err(Status::unavailable(text));
            }
            call.answered.store(true, Ordering::Relaxed);
            Ok(answer.map(|body| Body::new(AnswerBody::new(body, call, until))))
        })
    }
}
