//! The credentials of a client, and its trust.

use std::path::{Path, PathBuf};

use crate::secrets::{self, SecretsError};
use crate::tls::ClientTls;
use crate::token::Token;

/// Options of every program that connects to a coordinator.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ConnectArgs {
    /// The file with the token that the coordinator requires
    #[arg(long, global = true, env = "SPROUTNET_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// For https://: the CA certificates (PEM) that may have issued the coordinator's [default: those
    /// that this machine trusts]
    #[arg(long, global = true, env = "SPROUTNET_TLS_CA", value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// If the coordinator requires one: the certificate (PEM) to present; needs --tls-key
    #[arg(long, global = true, env = "SPROUTNET_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// The key (PEM) of --tls-cert
    #[arg(long, global = true, env = "SPROUTNET_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
}

/// The credentials of a client, and its trust. The default is nothing, which suffices for a coordinator in the same
/// process.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    /// Sent with each request.
    pub token: Option<Token>,
    /// For `https://`. Without it, the CAs that this machine trusts.
    pub tls: Option<ClientTls>,
}

impl ConnectArgs {
    /// Reads the files. Of several tokens in a file, the first one counts: that of an operator who uses the coordinator's
    /// file.
    ///
    /// # Errors
    /// A file cannot be read or used, or the options contradict each other.
    pub fn credentials(&self) -> Result<Credentials, SecretsError> {
        self.read(Token::read)
    }

    /// Reads the files of a program that has a token of its own, such as a worker.
    ///
    /// # Errors
    /// Those of [`credentials`](Self::credentials), and there are several tokens in the file.
    pub fn own_credentials(&self) -> Result<Credentials, SecretsError> {
        self.read(Token::read_single)
    }

    fn read(
        &self,
        token: fn(&Path) -> Result<Token, SecretsError>,
    ) -> Result<Credentials, SecretsError> {
        let own = secrets::pair(self.tls_cert.as_deref(), self.tls_key.as_deref())?;
        let tls = match (self.tls_ca.as_deref(), own) {
            (None, None) => None,
            (ca, own) => Some(ClientTls::read(ca, own)?),
        };
        let token = self.token_file.as_deref().map(token).transpose()?;
        Ok(Credentials { token, tls })
    }
}
