//! What a client shows and trusts.

use std::path::PathBuf;

use crate::secrets::{self, SecretsError};
use crate::tls::ClientTls;
use crate::token::Token;

/// Options of every program that connects to a coordinator.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ConnectArgs {
    /// The file with the token that the coordinator asks for
    #[arg(long, global = true, env = "SPROUTNET_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// For https://: the certificates (PEM) by which the coordinator's own may be issued
    #[arg(long, global = true, env = "SPROUTNET_TLS_CA", value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// For a coordinator that asks for it: the certificate (PEM) to present; needs --tls-key
    #[arg(long, global = true, env = "SPROUTNET_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// The key (PEM) of --tls-cert
    #[arg(long, global = true, env = "SPROUTNET_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
}

/// What a client shows to a coordinator, and whom it trusts. The default is nothing, which will do for
/// a coordinator inside the process.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    /// Sent with each request.
    pub token: Option<Token>,
    /// For `https://`.
    pub tls: Option<ClientTls>,
}

/// Options that make no credentials.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    /// The token, or the certificate and its key.
    #[error(transparent)]
    Secrets(#[from] SecretsError),
    /// A client's certificate without a CA to know the server by.
    #[error("--tls-cert needs --tls-ca: the certificates by which the coordinator's may be issued")]
    NoCa,
}

impl ConnectArgs {
    /// Reads the files.
    ///
    /// # Errors
    /// A file cannot be read or used, or the options do not go together.
    pub fn credentials(&self) -> Result<Credentials, CredentialsError> {
        let own = secrets::pair(self.tls_cert.as_deref(), self.tls_key.as_deref())?;
        let tls = match (&self.tls_ca, own) {
            (Some(ca), own) => Some(ClientTls::read(ca, own).map_err(SecretsError::from)?),
            (None, Some(_)) => return Err(CredentialsError::NoCa),
            (None, None) => None,
        };
        let token = secrets::token(self.token_file.as_deref())?;
        Ok(Credentials { token, tls })
    }
}
