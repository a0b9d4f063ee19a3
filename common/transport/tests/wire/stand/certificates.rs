//! Certificates made for a test, in a folder of its own.

use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose, date_time_ymd,
};
use tempfile::TempDir;

/// An issuer of certificates.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

/// A certificate and its key.
pub(crate) struct Pair {
    pub(crate) certificate: PathBuf,
    pub(crate) key: PathBuf,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let folder = tempfile::tempdir().unwrap();
        // Authorities are told apart by their names.
        let name = folder.path().display().to_string();
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let issuer = CertifiedIssuer::self_signed(params, key).unwrap();
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        Self { issuer, folder }
    }

    /// The file with its certificate.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Issues a certificate for a server on loopback.
    pub(crate) fn server(&self) -> Pair {
        let names = ["127.0.0.1".to_owned(), "localhost".to_owned()];
        let params = CertificateParams::new(names).unwrap();
        self.issue("server", params, ExtendedKeyUsagePurpose::ServerAuth)
    }

    /// Issues a certificate for a client.
    pub(crate) fn client(&self) -> Pair {
        let params = CertificateParams::new(Vec::new()).unwrap();
        self.issue("client", params, ExtendedKeyUsagePurpose::ClientAuth)
    }

    /// Issues a certificate for a client that expired long ago.
    pub(crate) fn expired_client(&self) -> Pair {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        (params.not_before, params.not_after) =
            (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1));
        self.issue("expired", params, ExtendedKeyUsagePurpose::ClientAuth)
    }

    fn issue(
        &self,
        name: &str,
        mut params: CertificateParams,
        purpose: ExtendedKeyUsagePurpose,
    ) -> Pair {
        let key = KeyPair::generate().unwrap();
        params.extended_key_usages = vec![purpose];
        let issued = params.signed_by(&key, &self.issuer).unwrap();
        let file = |end: &str| self.folder.path().join(format!("{name}.{end}"));
        let pair = Pair {
            certificate: file("pem"),
            key: file("key"),
        };
        std::fs::write(&pair.certificate, issued.pem()).unwrap();
        std::fs::write(&pair.key, key.serialize_pem()).unwrap();
        pair
    }
}
