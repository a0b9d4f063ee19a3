//! TLS and mutual TLS from PEM files. An unusable file is refused when it is read.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use rustls::RootCertStore;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use tonic::transport::{Certificate, ClientTlsConfig, Identity, ServerTlsConfig};

use crate::secrets::{self, SecretsError};

/// The maximum size of a PEM file, in bytes.
const LONGEST: usize = 1 << 20;

/// The time limit of a client's handshake.
const LONGEST_HANDSHAKE: Duration = Duration::from_secs(10);

/// The server's side of TLS.
#[derive(Clone, Debug)]
pub struct ServerTls(pub(crate) ServerTlsConfig);

/// The client's side of TLS.
#[derive(Clone)]
pub struct ClientTls(pub(crate) ClientTlsConfig);

impl ServerTls {
    /// TLS with a certificate chain and its key. With `client_ca`, clients must present a certificate
    /// that a CA in that file issued.
    ///
    /// # Errors
    /// A file cannot be read or used.
    pub fn read(
        certificate: &Path,
        key: &Path,
        client_ca: Option<&Path>,
    ) -> Result<Self, SecretsError> {
        let config = ServerTlsConfig::new()
            .identity(identity(certificate, key)?)
            .timeout(LONGEST_HANDSHAKE);
        Ok(Self(match client_ca {
            Some(path) => config.client_ca_root(authority(path)?),
            None => config,
        }))
    }
}

impl ClientTls {
    /// TLS with a server whose certificate was issued by a CA in the file `ca`, or without one by a CA that
    /// this machine trusts. `own` is the client's certificate and its key, for a server that asks for them.
    ///
    /// # Errors
    /// A file cannot be read or used.
    pub fn read(ca: Option<&Path>, own: Option<(&Path, &Path)>) -> Result<Self, SecretsError> {
        let config = match ca {
            Some(ca) => ClientTlsConfig::new().ca_certificate(authority(ca)?),
            None => Self::of_machine().0,
        };
        Ok(Self(match own {
            Some((certificate, key)) => config.identity(identity(certificate, key)?),
            None => config,
        }))
    }
}

impl ClientTls {
    /// TLS with a server whose certificate was issued by a CA that this machine trusts.
    pub(crate) fn of_machine() -> Self {
        Self(ClientTlsConfig::new().with_native_roots())
    }
}

// The derived output would contain the key.
impl fmt::Debug for ClientTls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ClientTls(…)")
    }
}

/// CA certificates to trust. rustls skips unreadable ones, so a file without any readable one would fail only when a
/// connection is made. Therefore each is tried here.
fn authority(path: &Path) -> Result<Certificate, SecretsError> {
    let (bytes, certificates) = certificates(path)?;
    let mut roots = RootCertStore::empty();
    for (certificate, number) in certificates.into_iter().zip(1..) {
        let unusable = |error| format!("certificate {number} is unusable: {error}");
        let added = roots.add(certificate).map_err(unusable);
        added.map_err(|problem| SecretsError::content(path, problem))?;
    }
    Ok(Certificate::from_pem(bytes))
}

/// A certificate and the key that fits it.
fn identity(certificate: &Path, key: &Path) -> Result<Identity, SecretsError> {
    let (certificate_pem, chain) = certificates(certificate)?;
    let key_pem = secrets::read(key, LONGEST)?;
    secrets::warn_if_world_readable(key);
    let private = PrivateKeyDer::from_pem_slice(&key_pem).map_err(|error| match error {
        pem::Error::NoItemsFound => SecretsError::content(key, "there is no private key in it"),
        error => not_pem(key, &error),
    })?;
    // rustls needs a default when several providers are linked. If the program has set one, it stays.
    let _ = ring::default_provider().install_default();
    CertifiedKey::from_der(chain, private, &ring::default_provider()).map_err(|source| {
        SecretsError::Pair {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            source,
        }
    })?;
    Ok(Identity::from_pem(certificate_pem, key_pem))
}

/// A file's bytes, and the certificates in it: at least one.
fn certificates(path: &Path) -> Result<(Vec<u8>, Vec<CertificateDer<'static>>), SecretsError> {
    let bytes = secrets::read(path, LONGEST)?;
    let certificates = CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>();
    let certificates = certificates.map_err(|error| not_pem(path, &error))?;
    if certificates.is_empty() {
        return Err(SecretsError::content(path, "there is no certificate in it"));
    }
    Ok((bytes, certificates))
}

fn not_pem(path: &Path, error: &pem::Error) -> SecretsError {
    SecretsError::content(path, format!("not a PEM file: {error}"))
}
