//! A coordinator on two ports.

use std::io;
use std::net::{self, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use sproutnet_coordinator::{Coordinator, Health, rpc};
use sproutnet_transport::listen::{ListenArgs, Listening};
use sproutnet_transport::reload::Reloader;
use sproutnet_transport::serve::{Limits, tcp};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::standard_services;

/// Why a server ended without an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was asked to end.
    Requested,
    /// A write failed on a full disk: the store has to be opened again, by a new process. The text names the failure.
    DiskFull(String),
}

/// The addresses that a server listens on, and its protection.
#[derive(Clone, Debug)]
pub struct Ports {
    listening: Listening,
    http: SocketAddr,
}

/// Two bound ports. Connections wait until a [`Server`] or [`Waiting`](crate::Waiting) serves them.
#[derive(Debug)]
pub struct Bound {
    pub(crate) listening: Listening,
    grpc: net::TcpListener,
    http: net::TcpListener,
}

/// A coordinator that listens on two ports: for gRPC of workers and clients, and for HTTP.
pub struct Server {
    coordinator: Arc<Coordinator>,
    bound: Bound,
}

impl Ports {
    /// The ports that options name: those of gRPC, and the address for HTTP.
    ///
    /// # Errors
    /// A file cannot be used, or the address is open to other machines without a token.
    pub fn new(listen: &ListenArgs, http: SocketAddr) -> anyhow::Result<Self> {
        let listening = listen.listening()?;
        let reachable = !http.ip().to_canonical().is_loopback();
        if reachable && listening.protection.tokens.is_none() && !listen.insecure {
            anyhow::bail!(
                "--http {http} can be reached from other machines; protect it with --token-file, \
                 or allow it without a token with --insecure"
            );
        }
        Ok(Self { listening, http })
    }

    /// Binds the ports. From now on, the files of the protection are read again after changes and, if given, at these
    /// signals.
    ///
    /// # Errors
    /// A port is in use, or an address is not this machine's.
    pub async fn bind(self, to_reload: Option<Signal>) -> anyhow::Result<Bound> {
        let Self { listening, http } = self;
        tokio::spawn(Reloader::of(&listening).run(to_reload));
        let grpc = listening.bind().await?.into_std()?;
        let bound = TcpListener::bind(http).await;
        let bound = bound.with_context(|| format!("cannot listen on {http}"))?;
        Ok(Bound {
            listening,
            grpc,
            http: bound.into_std()?,
        })
    }
}

impl Bound {
    /// The URL for gRPC.
    ///
    /// # Errors
    /// The system call fails.
    pub fn grpc_url(&self) -> io::Result<String> {
        let (scheme, address) = (self.listening.scheme(), self.grpc.local_addr()?);
        Ok(format!("{scheme}://{address}"))
    }

    /// The address for HTTP.
    ///
    /// # Errors
    /// The system call fails.
    pub fn http_address(&self) -> io::Result<SocketAddr> {
        self.http.local_addr()
    }

    /// The ports for gRPC and for HTTP once more. What arrives goes to either.
    pub(crate) fn shared(&self) -> io::Result<(net::TcpListener, net::TcpListener)> {
        Ok((self.grpc.try_clone()?, self.http.try_clone()?))
    }
}

impl Server {
    /// A coordinator on bound ports.
    pub fn on(bound: Bound, coordinator: Arc<Coordinator>) -> Self {
        Self { coordinator, bound }
    }

    /// The addresses.
    pub fn bound(&self) -> &Bound {
        &self.bound
    }

    /// Serves until an end is requested. Open calls then have `grace` to end, unless it is requested again.
    ///
    /// # Errors
    /// The store failed, or nothing can be served.
    pub async fn run(
        self,
        grace: Duration,
        mut end_requested: impl AsyncFnMut(),
    ) -> anyhow::Result<Ended> {
        let mut health = self.coordinator.health();
        let Bound {
            listening,
            grpc,
            http,
        } = self.bound;
        let (grpc, http) = (TcpListener::from_std(grpc)?, TcpListener::from_std(http)?);
        let protection = listening.protection;
        let stop = watch::Sender::new(false);
        let ends = || {
            let mut stop = stop.subscribe();
            async move {
                // The sender lives as long as this process serves.
                let _ = stop.wait_for(|&stop| stop).await;
            }
        };
        let pages = {
            let (coordinator, protection) = (Arc::clone(&self.coordinator), protection.clone());
            let ends = ends();
            tokio::spawn(
                async move { sproutnet_web::serve(coordinator, &protection, http, ends).await },
            )
        };
        let incoming = tcp(grpc, &Limits::default());
        let standard = standard_services::adding(self.coordinator.health()).await?;
        let serving = rpc::serve(self.coordinator, &protection, incoming, ends(), standard);
        let mut serving = std::pin::pin!(serving);
        tokio::select! {
            served = &mut serving => {
                served.context("serving")?;
                return Ok(Ended::Requested);
            }
            Ok(failed) = health.wait_for(|health| matches!(health, Health::StoreFailed { .. })) => {
                if failed.is_disk_full() {
                    return Ok(Ended::DiskFull(failed.to_string()));
                }
                anyhow::bail!("{}", *failed);
            }
            () = end_requested() => {}
        }
        stop.send_replace(true);
        pages.abort();
        tokio::select! {
            served = serving => served.context("serving")?,
            // All that was acknowledged is durable.
            () = tokio::time::sleep(grace) => tracing::warn!("open calls were cut off"),
            () = end_requested() => {}
        }
        Ok(Ended::Requested)
    }
}

/// The signals that request an end: SIGINT (Ctrl-C) and SIGTERM. While this exists, they do not end the process by
/// themselves.
pub struct EndRequests {
    interrupts: Signal,
    terminations: Signal,
}

impl EndRequests {
    /// Takes over the signals from now on.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            interrupts: signal(SignalKind::interrupt())?,
            terminations: signal(SignalKind::terminate())?,
        })
    }

    /// Resolves at the next signal.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupts.recv() => {}
            _ = self.terminations.recv() => {}
        }
    }
}
