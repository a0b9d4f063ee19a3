//! The ports of a coordinator whose store is not open yet.

use std::io;
use std::sync::Arc;

use sproutnet_transport::serve::{self, Limits, tcp};
use sproutnet_web::Unopened;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::{Bound, standard_services};

/// Answers on the ports of a coordinator whose store is not open yet, until it is dropped: health and metrics as they
/// are, and all other calls with the reason.
#[derive(Debug)]
pub struct Waiting {
    /// Ends with all connections, so that none outlives the wait. `None` only while this is dropped.
    runtime: Option<Runtime>,
}

impl Waiting {
    /// Begins to answer.
    ///
    /// # Errors
    /// The system gives no thread or file.
    pub fn start(bound: &Bound, unopened: Unopened) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("waiting")
            .enable_all()
            .build()?;
        let (grpc, http) = bound.shared()?;
        let protection = Arc::new(bound.listening.protection.clone());
        let why = unopened.why();
        runtime.spawn({
            let protection = Arc::clone(&protection);
            async move {
                let limits = Limits::default();
                let incoming = tcp(TcpListener::from_std(grpc)?, &limits);
                let routes = standard_services::waiting(why).await;
                let for_ever = std::future::pending();
                let served = serve::serve(routes, &protection, &limits, incoming, for_ever);
                served.await.map_err(io::Error::other)
            }
        });
        runtime.spawn(async move {
            let listener = TcpListener::from_std(http)?;
            sproutnet_web::serve_unopened(&unopened, &protection, listener).await
        });
        let runtime = Some(runtime);
        Ok(Self { runtime })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // This thread may belong to another runtime, and must not block.
            runtime.shutdown_background();
        }
    }
}
