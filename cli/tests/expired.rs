//! The coordinator refuses the certificate of a client that has expired.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::command::{Running, bare};
use crate::processes::Fleet;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, KeyUsagePurpose,
    date_time_ymd,
};
use tempfile::tempdir;

/// Much less than the five minutes for which a command retries.
const SOON: Duration = Duration::from_mins(1);

type Authority = CertifiedIssuer<'static, KeyPair>;

fn text(path: &Path) -> &str {
    path.to_str().expect("a text")
}

fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).expect("no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let key = KeyPair::generate().expect("a key");
    CertifiedIssuer::self_signed(params, key).expect("signed")
}

/// Writes a certificate and its key.
fn issue(
    issuer: &Authority,
    params: &CertificateParams,
    folder: &Path,
    name: &str,
) -> (PathBuf, PathBuf) {
    let key = KeyPair::generate().expect("a key");
    let certificate = params.signed_by(&key, issuer).expect("signed");
    let [pem, private] = ["pem", "key"].map(|end| folder.join(format!("{name}.{end}")));
    fs::write(&pem, certificate.pem()).expect("written");
    fs::write(&private, key.serialize_pem()).expect("written");
    (pem, private)
}

#[test]
fn a_backup_with_an_expired_certificate_ends_with_the_reason() {
    let folder = tempdir().expect("a folder");
    let issuer = authority();
    let ca = folder.path().join("ca.pem");
    fs::write(&ca, issuer.pem()).expect("written");
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("an address");
    let (own, own_key) = issue(&issuer, &params, folder.path(), "coordinator");
    let mut params = CertificateParams::new(Vec::new()).expect("no names");
    (params.not_before, params.not_after) = (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1));
    let (expired, expired_key) = issue(&issuer, &params, folder.path(), "expired");
    let options = [
        "--tls-cert",
        text(&own),
        "--tls-key",
        text(&own_key),
        "--tls-client-ca",
        text(&ca),
    ];
    let fleet = Fleet::start_on(folder.path(), &options, 0);

    let mut command = bare(&["backup", text(&folder.path().join("backup"))]);
    let url = fleet.url().replace("http://", "https://");
    command.args(["--coordinator", &url, "--tls-ca", text(&ca)]);
    command.args([
        "--tls-cert",
        text(&expired),
        "--tls-key",
        text(&expired_key),
    ]);
    command.arg("--token-file").arg(fleet.token_file());
    let ended = Running::start(command).end(SOON).with_code(1);
    let last = ended.stderr.lines().last();
    assert!(
        last.is_some_and(|line| line.contains("CertificateExpired")),
        "{ended:?}"
    );
}
