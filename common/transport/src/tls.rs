//! TLS, and mutual TLS, from PEM files. A file that would not work is refused when it is read.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustls::RootCertStore;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use tonic::transport::{Certificate, ClientTlsConfig, Identity, ServerTlsConfig};

use crate::file;

/// The greatest size of a PEM file, in bytes.
const LONGEST: usize = 1 << 20;

/// How long a client may take for its handshake.
const LONGEST_HANDSHAKE: Duration = Duration::from_secs(10);

/// A file that TLS cannot be made from.
#[derive(Debug, thiserror::Error)]
pub enum TlsFileError {
    /// The file cannot be read, or is too large.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: std::io::Error,
    },
    /// The file does not contain what it should.
    #[error("{}: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A certificate and a key that cannot be used together.
    #[error(
        "the key in {} cannot be used with the certificate in {}: {source}",
        key.display(),
        certificate.display()
    )]
    Pair {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
        /// What is wrong.
        source: rustls::Error,
    },
}

/// The server's side of TLS.
#[derive(Clone)]
pub struct ServerTls(ServerTlsConfig);

/// The client's side of TLS.
#[derive(Clone)]
pub struct ClientTls(ClientTlsConfig);

impl ServerTls {
    /// TLS with a certificate (and those it was issued by, if any) and its key. With `client_ca`,
    /// clients must present a certificate that was issued by one of those in that file.
    ///
    /// # Errors
    /// A file cannot be read or used. The error names it.
    pub fn read(
        certificate: &Path,
        key: &Path,
        client_ca: Option<&Path>,
    ) -> Result<Self, TlsFileError> {
        let identity = identity(certificate, key)?;
        let mut config = ServerTlsConfig::new()
            .identity(identity)
            .timeout(LONGEST_HANDSHAKE);
        if let Some(path) = client_ca {
            config = config.client_ca_root(authority(path)?);
        }
        Ok(Self(config))
    }

    pub(crate) fn config(&self) -> ServerTlsConfig {
        self.0.clone()
    }
}

impl ClientTls {
    /// TLS with a server whose certificate was issued by one of those in `ca`. `own` is the client's
    /// certificate and its key, for a server that asks for them.
    ///
    /// # Errors
    /// A file cannot be read or used. The error names it.
    pub fn read(ca: &Path, own: Option<(&Path, &Path)>) -> Result<Self, TlsFileError> {
        let mut config = ClientTlsConfig::new().ca_certificate(authority(ca)?);
        if let Some((certificate, key)) = own {
            config = config.identity(identity(certificate, key)?);
        }
        Ok(Self(config))
    }

    pub(crate) fn config(&self, longest_handshake: Duration) -> ClientTlsConfig {
        self.0.clone().timeout(longest_handshake)
    }
}

impl fmt::Debug for ServerTls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ServerTls(…)")
    }
}

impl fmt::Debug for ClientTls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ClientTls(…)")
    }
}

/// Certificates to trust. rustls leaves out what it cannot read, and one without any would fail only
/// when a connection is made; so each is tried here.
fn authority(path: &Path) -> Result<Certificate, TlsFileError> {
    let (bytes, certificates) = certificates(path)?;
    let mut roots = RootCertStore::empty();
    for (index, certificate) in certificates.into_iter().enumerate() {
        roots.add(certificate).map_err(|error| {
            content(
                path,
                format!("certificate {} is unusable: {error}", index + 1),
            )
        })?;
    }
    Ok(Certificate::from_pem(bytes))
}

/// A certificate and its key, known to belong together.
fn identity(certificate: &Path, key: &Path) -> Result<Identity, TlsFileError> {
    let (certificate_pem, chain) = certificates(certificate)?;
    let key_pem = read(key)?;
    file::warn_if_open_to_all(key);
    let private = PrivateKeyDer::from_pem_slice(&key_pem).map_err(|error| match error {
        pem::Error::NoItemsFound => content(key, "there is no private key in it".to_owned()),
        error => content(key, format!("not a PEM file: {error}")),
    })?;
    // rustls asks for a choice when several providers are linked in. It is an error only if it was
    // made before, by the program; then that choice holds.
    let _ = ring::default_provider().install_default();
    CertifiedKey::from_der(chain, private, &ring::default_provider()).map_err(|source| {
        TlsFileError::Pair {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            source,
        }
    })?;
    Ok(Identity::from_pem(certificate_pem, key_pem))
}

/// A file's bytes, and the certificates in it: one at least.
fn certificates(path: &Path) -> Result<(Vec<u8>, Vec<CertificateDer<'static>>), TlsFileError> {
    let bytes = read(path)?;
    let certificates = CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>();
    let certificates =
        certificates.map_err(|error| content(path, format!("not a PEM file: {error}")))?;
    if certificates.is_empty() {
        return Err(content(path, "there is no certificate in it".to_owned()));
    }
    Ok((bytes, certificates))
}

fn read(path: &Path) -> Result<Vec<u8>, TlsFileError> {
    file::read(path, LONGEST).map_err(|source| TlsFileError::Read {
        path: path.to_owned(),
        source,
    })
}

fn content(path: &Path, problem: String) -> TlsFileError {
    let path = path.to_owned();
    TlsFileError::Content { path, problem }
}
