//! A coordinator's port with a service behind it for the tests.

pub(crate) mod certificates;
pub(crate) mod service;

use std::future::pending;
use std::net::SocketAddr;
use std::time::Duration;

use sproutnet_proto::LARGEST_MESSAGE;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_proto::v1::{QueryRequest, QueryResponse};
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::serve::{self, Limits};
use sproutnet_transport::token::Token;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tonic::Status;
use tonic::service::Routes;

use self::service::Service;

pub(crate) const TOKEN: &str = "correct-horse-battery-staple";

/// No call of a test takes longer, unless something is wrong.
pub(crate) const SOON: Duration = Duration::from_secs(5);

/// A server on a port of its own, which ends with the test.
pub(crate) struct Stand {
    pub(crate) address: SocketAddr,
    pub(crate) service: Service,
    serving: JoinHandle<()>,
}

impl Stand {
    pub(crate) async fn start(protection: Protection) -> Self {
        Self::with_limits(protection, Limits::default()).await
    }

    pub(crate) async fn with_limits(protection: Protection, limits: Limits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = Service::default();
        let routes = routes(service.clone());
        let serving = tokio::spawn(async move {
            let incoming = serve::tcp(listener, &limits);
            serve::serve(routes, &protection, &limits, incoming, pending())
                .await
                .unwrap();
        });
        Self {
            address,
            service,
            serving,
        }
    }

    /// A connection to it, without TLS.
    pub(crate) fn connect(&self, credentials: &Credentials) -> Connection {
        self.connect_with(credentials, Patience::default())
    }

    pub(crate) fn connect_with(&self, credentials: &Credentials, patience: Patience) -> Connection {
        let url = format!("http://{}", self.address);
        let endpoint = Endpoint::new(&url, credentials, patience).unwrap();
        endpoint.connect_lazy()
    }

    /// Asserts that it still serves.
    pub(crate) async fn assert_serves(&self, credentials: &Credentials) {
        let answer = query(self.connect(credentials), "0*2").await.unwrap();
        assert_eq!(answer.game, "0*2");
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// The test service, health and reflection.
pub(crate) fn routes(service: Service) -> Routes {
    let (_, health) = tonic_health::server::health_reporter();
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(sproutnet_proto::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .build_v1()
        .unwrap();
    Routes::new(service)
        .add_service(health)
        .add_service(reflection)
}

pub(crate) fn token() -> Token {
    Token::new(TOKEN).unwrap()
}

/// The requirements of the server.
pub(crate) fn asking() -> Protection {
    Protection {
        tokens: Some(token().into()),
        tls: None,
    }
}

/// The credentials of a client with the token.
pub(crate) fn knowing() -> Credentials {
    Credentials {
        token: Some(token()),
        tls: None,
    }
}

/// A unary call. The test service answers with the position as the game's name.
pub(crate) async fn query(connection: Connection, position: &str) -> Result<QueryResponse, Status> {
    let mut client = ClientServiceClient::new(connection)
        .max_encoding_message_size(2 * LARGEST_MESSAGE)
        .max_decoding_message_size(LARGEST_MESSAGE);
    let request = QueryRequest {
        position: position.to_owned(),
        ..QueryRequest::default()
    };
    let answer = tokio::time::timeout(SOON, client.query(request)).await;
    Ok(answer.expect("an answer in time")?.into_inner())
}
