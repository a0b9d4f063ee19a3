//! TLS and mutual TLS from PEM files. An unusable file is refused when it is read.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::{ParsedCertificate, WebPkiClientVerifier};
use rustls::sign::CertifiedKey;
use rustls::{CertificateError, RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use crate::secrets::{self, SecretsError};

/// The maximum size of a PEM file, in bytes.
const LONGEST: usize = 1 << 20;

/// The protocol that both sides speak within TLS: HTTP/2.
const PROTOCOL: &[u8] = b"h2";

/// The server's side of TLS. Clones share it, so that [`reload`](Self::reload) applies to all.
#[derive(Clone)]
pub struct ServerTls(Arc<Shared>);

struct Shared {
    files: Files,
    loaded: RwLock<Loaded>,
    refused: AtomicU64,
}

/// The files of a server.
#[derive(Clone)]
pub(crate) struct Files {
    pub(crate) certificate: PathBuf,
    pub(crate) key: PathBuf,
    pub(crate) client_ca: Option<PathBuf>,
}

/// The content of the files.
struct Loaded {
    config: Arc<ServerConfig>,
    expires_at: Option<u64>,
}

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
        let files = Files {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            client_ca: client_ca.map(Path::to_owned),
        };
        let loaded = files.load()?;
        secrets::warn_if_world_readable(key);
        Ok(Self(Arc::new(Shared {
            files,
            loaded: RwLock::new(loaded),
            refused: AtomicU64::new(0),
        })))
    }

    /// Reads the files again, for connections from now on.
    ///
    /// # Errors
    /// A file cannot be read or used. What was read before stays in use.
    pub fn reload(&self) -> Result<(), SecretsError> {
        let loaded = self.0.files.load()?;
        *self
            .0
            .loaded
            .write()
            .unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(())
    }

    /// The first end of validity in the server's certificate chain, in seconds since 1970. `None` if it cannot be read.
    pub fn expires_at(&self) -> Option<u64> {
        let loaded = self.0.loaded.read();
        loaded.unwrap_or_else(PoisonError::into_inner).expires_at
    }

    /// The number of handshakes that were refused, by this side or the other.
    pub fn refused(&self) -> u64 {
        self.0.refused.load(Ordering::Relaxed)
    }

    pub(crate) fn count_refusal(&self) {
        self.0.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let loaded = self.0.loaded.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(Arc::clone(&loaded.config))
    }

    pub(crate) fn files(&self) -> &Files {
        &self.0.files
    }
}

// The derived output would contain the key.
impl fmt::Debug for ServerTls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ServerTls(…)")
    }
}

impl Files {
    fn load(&self) -> Result<Loaded, SecretsError> {
        let Self {
            certificate, key, ..
        } = self;
        let Pair { chain, private, .. } = pair(certificate, key)?;
        let expires_at = chain.iter().filter_map(expires_at).min();
        let provider = Arc::new(ring::default_provider());
        let config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| SecretsError::content(certificate, error.to_string()))?;
        let config = match &self.client_ca {
            None => config.with_no_client_auth(),
            Some(path) => {
                let (_, roots) = authority(path)?;
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                let verifier = verifier
                    .build()
                    .map_err(|error| SecretsError::content(path, error.to_string()))?;
                config.with_client_cert_verifier(verifier)
            }
        };
        let config = config.with_single_cert(chain, private);
        let mut config = config.map_err(|source| SecretsError::Pair {
            certificate: certificate.clone(),
            key: key.clone(),
            source,
        })?;
        config.alpn_protocols.push(PROTOCOL.into());
        Ok(Loaded {
            config: Arc::new(config),
            expires_at,
        })
    }
}

/// The end of a certificate's validity, in seconds since 1970. rustls does not show it, but names it when it refuses the
/// certificate at a later time.
fn expires_at(certificate: &CertificateDer<'_>) -> Option<u64> {
    let end_of_time = UnixTime::since_unix_epoch(Duration::from_secs(u64::MAX));
    let refused = verify_server_cert_signed_by_trust_anchor(
        &ParsedCertificate::try_from(certificate).ok()?,
        &RootCertStore::empty(),
        &[],
        end_of_time,
        ring::default_provider()
            .signature_verification_algorithms
            .all,
    );
    match refused {
        Err(rustls::Error::InvalidCertificate(CertificateError::ExpiredContext {
            not_after,
            ..
        })) => Some(not_after.as_secs()),
        _ => None,
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
            Some(ca) => ClientTlsConfig::new().ca_certificate(authority(ca)?.0),
            None => Self::of_machine().0,
        };
        Ok(Self(match own {
            Some((certificate, key)) => {
                let pair = pair(certificate, key)?;
                secrets::warn_if_world_readable(key);
                config.identity(Identity::from_pem(pair.certificate_pem, pair.key_pem))
            }
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
fn authority(path: &Path) -> Result<(Certificate, RootCertStore), SecretsError> {
    let (bytes, certificates) = certificates(path)?;
    let mut roots = RootCertStore::empty();
    for (certificate, number) in certificates.into_iter().zip(1..) {
        let unusable = |error| format!("certificate {number} is unusable: {error}");
        let added = roots.add(certificate).map_err(unusable);
        added.map_err(|problem| SecretsError::content(path, problem))?;
    }
    Ok((Certificate::from_pem(bytes), roots))
}

/// A certificate and the key that fits it.
struct Pair {
    certificate_pem: Vec<u8>,
    key_pem: Vec<u8>,
    chain: Vec<CertificateDer<'static>>,
    private: PrivateKeyDer<'static>,
}

fn pair(certificate: &Path, key: &Path) -> Result<Pair, SecretsError> {
    let (certificate_pem, chain) = certificates(certificate)?;
    let key_pem = secrets::read(key, LONGEST)?;
    let private = PrivateKeyDer::from_pem_slice(&key_pem).map_err(|error| match error {
        pem::Error::NoItemsFound => SecretsError::content(key, "there is no private key in it"),
        error => not_pem(key, &error),
    })?;
    let provider = ring::default_provider();
    let fits = CertifiedKey::from_der(chain.clone(), private.clone_key(), &provider);
    fits.map_err(|source| SecretsError::Pair {
        certificate: certificate.to_owned(),
        key: key.to_owned(),
        source,
    })?;
    // rustls needs a default when several providers are linked. If the program has set one, it stays.
    let _ = provider.install_default();
    Ok(Pair {
        certificate_pem,
        key_pem,
        chain,
        private,
    })
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
