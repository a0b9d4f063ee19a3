//! What a client shows and trusts.

use std::path::PathBuf;

use crate::tls::{ClientTls, TlsFileError};
use crate::token::{Token, TokenFileError};

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
    /// The file with the token.
    #[error("--token-file: {0}")]
    Token(#[from] TokenFileError),
    /// A PEM file.
    #[error("TLS: {0}")]
    Tls(#[from] TlsFileError),
    /// A certificate without its key, or a key without its certificate.
    #[error("--tls-cert and --tls-key go together; {0} is missing")]
    Half(
        /// The option that is missing.
        &'static str,
    ),
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
        let own = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => Some((certificate.as_path(), key.as_path())),
            (None, None) => None,
            (None, Some(_)) => return Err(CredentialsError::Half("--tls-cert")),
            (Some(_), None) => return Err(CredentialsError::Half("--tls-key")),
        };
        let tls = match (&self.tls_ca, own) {
            (Some(ca), own) => Some(ClientTls::read(ca, own)?),
            (None, Some(_)) => return Err(CredentialsError::NoCa),
            (None, None) => None,
        };
        let token = self.token_file.as_deref().map(Token::read).transpose()?;
        Ok(Credentials { token, tls })
    }
}
