//! A network between programs on one machine, which tests can break like a real network.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The interval at which connections check the state of the network.
const PAUSE: Duration = Duration::from_millis(20);

/// The delay of a slow network.
const DELAY: Duration = Duration::from_millis(300);

/// The state of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Network {
    /// Everything passes.
    Sound,
    /// Everything passes after [`DELAY`].
    Slow,
    /// Connections stay open, but nothing passes.
    Silent,
    /// Nothing passes from the server to its clients.
    Deaf,
    /// Connections are reset, and new ones fail.
    Cut,
    /// The client's side of each connection is closed, the server's side stays open.
    HalfClosed,
}

impl Network {
    /// All states but [`Self::Sound`].
    pub(crate) const BROKEN: [Self; 5] = [
        Self::Slow,
        Self::Silent,
        Self::Deaf,
        Self::Cut,
        Self::HalfClosed,
    ];
}

/// A network between clients and one server.
pub(crate) struct Proxy {
    address: SocketAddr,
    network: Arc<Mutex<Network>>,
}

/// The direction of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    ToServer,
    ToClient,
}

impl Proxy {
    /// A sound network to a server.
    pub(crate) fn start(server: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("it is bound");
        let network = Arc::new(Mutex::new(Network::Sound));
        let shared = Arc::clone(&network);
        // The thread lives as long as the tests, because nothing ends a waiting listener.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let now = *shared.lock().expect("no panic");
                let server = match now {
                    Network::Cut => None,
                    _ => TcpStream::connect(server).ok(),
                };
                if let Some(server) = server {
                    connect(client, server, &shared);
                }
            }
        });
        Self { address, network }
    }

    /// The address for clients.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the state of the network, for open and new connections.
    pub(crate) fn set(&self, network: Network) {
        *self.network.lock().expect("no panic") = network;
    }
}

fn connect(client: TcpStream, server: TcpStream, network: &Arc<Mutex<Network>>) {
    let (client, server) = (Arc::new(client), Arc::new(server));
    for stream in [&client, &server] {
        let set = stream.set_nodelay(true);
        set.and_then(|()| stream.set_read_timeout(Some(PAUSE)))
            .expect("a socket");
    }
    for (from, to, way) in [
        (&client, &server, Way::ToServer),
        (&server, &client, Way::ToClient),
    ] {
        let (from, to) = (Arc::clone(from), Arc::clone(to));
        let network = Arc::clone(network);
        thread::spawn(move || pass(&from, &to, way, &network));
    }
}

/// Passes bytes on until the connection ends.
fn pass(mut from: &TcpStream, mut to: &TcpStream, way: Way, network: &Mutex<Network>) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let now = *network.lock().expect("no panic");
        match (now, way) {
            (Network::Cut, _) => {
                for stream in [from, to] {
                    // With a linger time of zero, closing resets the connection.
                    let _ = rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO));
                }
                return;
            }
            (Network::Silent, _) | (Network::Deaf, Way::ToClient) => {
                thread::sleep(PAUSE);
                continue;
            }
            (Network::HalfClosed, Way::ToServer) => {
                let _ = to.shutdown(Shutdown::Write);
                return;
            }
            _ => {}
        }
        match from.read(&mut buffer) {
            Ok(0) => {
                let _ = to.shutdown(Shutdown::Write);
                return;
            }
            Ok(length) => {
                if now == Network::Slow {
                    thread::sleep(DELAY);
                }
                if to.write_all(&buffer[..length]).is_err() {
                    break;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    for stream in [from, to] {
        let _ = stream.shutdown(Shutdown::Both);
    }
}
