//! Where a coordinator listens, and what it asks of those who come.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use tokio::net::TcpListener;

use crate::secrets::{self, SecretsError};
use crate::tls::ServerTls;
use crate::token::Token;

/// Options of a program that listens.
#[derive(Clone, Debug, clap::Args)]
pub struct ListenArgs {
    /// The address to listen on
    #[arg(
        long,
        env = "SPROUTNET_LISTEN",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:7350"
    )]
    pub listen: SocketAddr,
    /// The file with a token that all callers must show: at least 16 visible ASCII characters
    #[arg(long, env = "SPROUTNET_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Speak TLS, with this certificate and those it was issued by (PEM); needs --tls-key
    #[arg(long, env = "SPROUTNET_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// The key (PEM) of --tls-cert
    #[arg(long, env = "SPROUTNET_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Callers must present a certificate issued by one of these (PEM); needs --tls-cert
    #[arg(long, env = "SPROUTNET_TLS_CLIENT_CA", value_name = "FILE")]
    pub tls_client_ca: Option<PathBuf>,
    /// Allow an address that other machines can reach although there is no token: whoever reaches
    /// it can use the coordinator
    #[arg(long, env = "SPROUTNET_INSECURE", value_parser = FalseyValueParser::new())]
    pub insecure: bool,
}

/// What a server asks of those who come. The default is nothing, which will do inside a process.
#[derive(Clone, Debug, Default)]
pub struct Protection {
    /// Asked for with each request, but those to the standard health service.
    pub token: Option<Token>,
    /// Spoken on each connection.
    pub tls: Option<ServerTls>,
}

/// An address to listen on, with protection that is fit for it.
#[derive(Clone, Debug)]
pub struct Listening {
    address: SocketAddr,
    protection: Protection,
}

/// Options that a program cannot listen by.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The token, or the certificate and its key.
    #[error(transparent)]
    Secrets(#[from] SecretsError),
    /// Clients' certificates are to be asked for, but there is no TLS.
    #[error("--tls-client-ca needs --tls-cert and --tls-key")]
    NoCertificate,
    /// Everybody could use the coordinator.
    #[error(
        "{0} can be reached from other machines; protect it with --token-file, \
         or allow it without a token with --insecure"
    )]
    Unprotected(
        /// The address.
        SocketAddr,
    ),
}

impl ListenArgs {
    /// Reads the files. Warns if the token would be readable on the way.
    ///
    /// # Errors
    /// A file cannot be read or used, the options do not go together, or other machines could use the
    /// coordinator without a token.
    pub fn listening(&self) -> Result<Listening, ListenError> {
        let address = self.listen;
        let pair = secrets::pair(self.tls_cert.as_deref(), self.tls_key.as_deref())?;
        let client_ca = self.tls_client_ca.as_deref();
        let tls = match pair {
            Some((certificate, key)) => {
                let tls = ServerTls::read(certificate, key, client_ca);
                Some(tls.map_err(SecretsError::from)?)
            }
            None if client_ca.is_some() => return Err(ListenError::NoCertificate),
            None => None,
        };
        let token = secrets::token(self.token_file.as_deref())?;
        let reachable = !address.ip().to_canonical().is_loopback();
        if reachable && token.is_none() && !self.insecure {
            return Err(ListenError::Unprotected(address));
        }
        if reachable && token.is_some() && tls.is_none() {
            tracing::warn!(
                "without TLS the token can be read by whoever sees the traffic to {address}"
            );
        }
        let protection = Protection { token, tls };
        Ok(Listening {
            address,
            protection,
        })
    }
}

impl Listening {
    /// The address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What is asked of those who come.
    pub fn protection(&self) -> &Protection {
        &self.protection
    }

    /// The beginning of the URL that clients are to use.
    pub fn scheme(&self) -> &'static str {
        match self.protection.tls {
            Some(_) => "https",
            None => "http",
        }
    }

    /// Takes the port. Port 0 is any that is free.
    ///
    /// # Errors
    /// The port is taken, or the address is not this machine's. The error names it.
    pub async fn bind(&self) -> io::Result<TcpListener> {
        TcpListener::bind(self.address).await.map_err(|error| {
            let problem = format!("cannot listen on {}: {error}", self.address);
            io::Error::new(error.kind(), problem)
        })
    }
}
