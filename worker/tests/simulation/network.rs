//! Connections over the simulated network, for both sides.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};

use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::{Connected, TcpConnectInfo};
use turmoil::net::{TcpListener, TcpStream};

/// The host and the port of the coordinator.
pub(crate) const COORDINATOR: &str = "coordinator";
const PORT: u16 = 7350;

/// An incoming connection.
pub(crate) struct Wire {
    stream: TcpStream,
    peer: SocketAddr,
}

impl Connected for Wire {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        TcpConnectInfo {
            local_addr: self.stream.local_addr().ok(),
            remote_addr: Some(self.peer),
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The incoming connections of the host on which this is called.
///
/// # Errors
/// The port is taken.
pub(crate) async fn listen() -> io::Result<ReceiverStream<io::Result<Wire>>> {
    let listener = TcpListener::bind((IpAddr::from([0, 0, 0, 0]), PORT)).await?;
    let (connections, incoming) = mpsc::channel(1);
    tokio::spawn(async move {
        loop {
            let accepted = listener.accept().await;
            let wire = accepted.map(|(stream, peer)| Wire { stream, peer });
            if connections.send(wire).await.is_err() {
                return;
            }
        }
    });
    Ok(ReceiverStream::new(incoming))
}

/// A connection to the coordinator from the host on which it is used.
pub(crate) fn connection() -> Connection {
    let url = format!("http://{COORDINATOR}:{PORT}");
    let endpoint = Endpoint::new(&url, &Credentials::default(), Patience::default());
    let connect = |_| TcpStream::connect((COORDINATOR, PORT));
    endpoint.expect("a URL").connect_lazy_over(connect)
}
