//! Files with secrets: the token, and a certificate with its key.

use std::path::Path;

use crate::tls::TlsFileError;
use crate::token::{Token, TokenFileError};

/// Options that name no usable token, or no usable certificate and key.
#[derive(Debug, thiserror::Error)]
pub enum SecretsError {
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
}

/// The token in a file, if there is one.
pub(crate) fn token(file: Option<&Path>) -> Result<Option<Token>, SecretsError> {
    Ok(file.map(Token::read).transpose()?)
}

/// The files with a certificate and its key: both or none.
pub(crate) fn pair<'a>(
    certificate: Option<&'a Path>,
    key: Option<&'a Path>,
) -> Result<Option<(&'a Path, &'a Path)>, SecretsError> {
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some((certificate, key))),
        (None, None) => Ok(None),
        (None, Some(_)) => Err(SecretsError::Half("--tls-cert")),
        (Some(_), None) => Err(SecretsError::Half("--tls-key")),
    }
}
