//! The address of a coordinator, and its requirements of callers.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};

use clap::builder::FalseyValueParser;
use tokio::net::TcpListener;

use crate::secrets::{self, SecretsError};
use crate::tls::ServerTls;
use crate::tokens::Tokens;

/// Options of a program that listens.
#[derive(Clone, Debug, clap::Args)]
pub struct ListenArgs {
    /// The address to listen on, such as 127.0.0.1:7350 or localhost:7350
    #[arg(long, env = "SPROUTNET_LISTEN", value_name = "ADDRESS", value_parser = address)]
    #[arg(default_value = "127.0.0.1:7350")]
    pub listen: SocketAddr,
    /// The file with the tokens that callers must show: one on each line, as `name role token`. The roles are read,
    /// solve, work and admin. A file with one token alone, of at least 16 visible ASCII characters, holds an admin's
    #[arg(long, env = "SPROUTNET_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Speak TLS with this certificate chain (PEM); needs --tls-key
    #[arg(long, env = "SPROUTNET_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// The key (PEM) of --tls-cert
    #[arg(long, env = "SPROUTNET_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Callers must present a certificate that one of these CAs (PEM) issued; needs --tls-cert
    #[arg(long, env = "SPROUTNET_TLS_CLIENT_CA", value_name = "FILE")]
    pub tls_client_ca: Option<PathBuf>,
    /// Allow an address that other machines can reach, without a token: anyone who reaches it can
    /// use the coordinator
    #[arg(long, env = "SPROUTNET_INSECURE", value_parser = FalseyValueParser::new())]
    pub insecure: bool,
}

/// The requirements of a server. The default is nothing, which suffices inside a process.
#[derive(Clone, Debug, Default)]
pub struct Protection {
    /// One is required with each request, except those to the standard health service.
    pub tokens: Option<Tokens>,
    /// Spoken on each connection.
    pub tls: Option<ServerTls>,
}

/// An address to listen on, and protection that suits it.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The address.
    pub address: SocketAddr,
    /// The requirements of callers.
    pub protection: Protection,
    /// The file with the tokens.
    token_file: Option<PathBuf>,
}

/// Options that do not let a program listen.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The token, or the certificate and its key.
    #[error(transparent)]
    Secrets(#[from] SecretsError),
    /// Clients are to present certificates, but there is no TLS.
    #[error("--tls-client-ca needs --tls-cert and --tls-key")]
    NoCertificate,
    /// The address is open to other machines without a token.
    #[error(
        "other machines can reach {0}; protect it with --token-file, or allow it without a token \
         with --insecure"
    )]
    Unprotected(SocketAddr),
}

/// Reads `HOST:PORT`. A name stands for the first of its IPv4 addresses, or else of all.
///
/// # Errors
/// The text has another form, or the name has no address. The error says so.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => {
            "expected HOST:PORT, such as 127.0.0.1:7350 or localhost:7350".to_owned()
        }
        _ => format!("there is no address of that name: {error}"),
    })?;
    let found: Vec<SocketAddr> = found.collect();
    let first = found
        .iter()
        .find(|address| address.is_ipv4())
        .or(found.first());
    first
        .copied()
        .ok_or_else(|| "there is no address of that name".to_owned())
}

impl ListenArgs {
    /// Reads the files. Warns if the token would travel unencrypted.
    ///
    /// # Errors
    /// A file cannot be read or used, the options contradict each other, or other machines could use
    /// the coordinator without a token.
    pub fn listening(&self) -> Result<Listening, ListenError> {
        let address = self.listen;
        let pair = secrets::pair(self.tls_cert.as_deref(), self.tls_key.as_deref())?;
        let client_ca = self.tls_client_ca.as_deref();
        let tls = match pair {
            Some((certificate, key)) => Some(ServerTls::read(certificate, key, client_ca)?),
            None if client_ca.is_some() => return Err(ListenError::NoCertificate),
            None => None,
        };
        let tokens = self.token_file.as_deref().map(Tokens::read).transpose()?;
        let reachable = !address.ip().to_canonical().is_loopback();
        if reachable && tokens.is_none() && !self.insecure {
            return Err(ListenError::Unprotected(address));
        }
        if reachable && tokens.is_some() && tls.is_none() {
            tracing::warn!(
                "without TLS, anyone who sees the traffic to {address} can read the token"
            );
        }
        let protection = Protection { tokens, tls };
        Ok(Listening {
            address,
            protection,
            token_file: self.token_file.clone(),
        })
    }
}

impl Listening {
    /// The scheme of the URL for clients.
    pub fn scheme(&self) -> &'static str {
        match self.protection.tls {
            Some(_) => "https",
            None => "http",
        }
    }

    /// The file with the tokens.
    pub fn token_file(&self) -> Option<&Path> {
        self.token_file.as_deref()
    }

    /// Binds the port. Port 0 means any free one.
    ///
    /// # Errors
    /// The port is in use, or the address is not this machine's.
    pub async fn bind(&self) -> io::Result<TcpListener> {
        TcpListener::bind(self.address).await.map_err(|error| {
            let problem = format!("cannot listen on {}: {error}", self.address);
            io::Error::new(error.kind(), problem)
        })
    }
}
