//! Relaying the feed: a worker gets blocks from another worker, and passes them on to others.
//!
//! [`window`] holds the newest blocks that passed the check; [`service`] sends them to children. How a
//! child checks them is in [`feed`](crate::feed).

mod service;
mod window;

use std::sync::Arc;

use sproutnet_transport::connect::{Connection, Endpoint, EndpointError, Patience};
use sproutnet_transport::credentials::Credentials;
use tonic::service::Routes;

pub(crate) use window::Window;

/// Connects to another worker by its URL.
type Connect = dyn Fn(&str) -> Result<Connection, EndpointError> + Send + Sync;

/// How a worker takes part in relaying the feed. Clones share what is relayed.
#[derive(Clone)]
pub struct Relaying {
    connect: Arc<Connect>,
    url: Option<Arc<str>>,
    pub(crate) window: Arc<Window>,
}

/// A relay that a worker does not use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RelayError {
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The token would be readable on the way.
    #[error("`{0}` has no TLS, but the coordinator has")]
    Unprotected(String),
}

impl Relaying {
    /// A worker that gets blocks from others, with the credentials that it shows to the coordinator.
    pub fn following(credentials: Credentials) -> Self {
        Self::following_over(move |url| {
            let endpoint = Endpoint::new(url, &credentials, Patience::default())?;
            Ok(endpoint.connect_lazy())
        })
    }

    /// The same over connections that `connect` makes.
    pub fn following_over(
        connect: impl Fn(&str) -> Result<Connection, EndpointError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            connect: Arc::new(connect),
            url: None,
            window: Arc::default(),
        }
    }

    /// The same worker as a relay that others reach at a URL. The hosts 0.0.0.0 and `[::]` stand for the
    /// address from which it calls the coordinator. [`Self::routes`] has to be served there.
    #[must_use]
    pub fn at(self, url: &str) -> Self {
        let url = Some(url.into());
        Self { url, ..self }
    }

    /// The service for children.
    pub fn routes(&self) -> Routes {
        service::routes(&self.window)
    }

    /// Where the worker relays blocks; empty if it does not.
    pub(crate) fn url(&self) -> &str {
        self.url.as_deref().unwrap_or_default()
    }

    /// A connection to a relay. None without TLS if the coordinator's has TLS.
    pub(crate) fn connect(&self, url: &str, coordinator: &str) -> Result<Connection, RelayError> {
        let is_secure = |url: &str| url.starts_with("https://");
        if is_secure(coordinator) && !is_secure(url) {
            return Err(RelayError::Unprotected(url.to_owned()));
        }
        Ok((self.connect)(url)?)
    }
}
