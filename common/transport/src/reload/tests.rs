use std::fs;
use std::time::Duration;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use tempfile::TempDir;

use super::*;
use sproutnet_testkit::log::Log;

const OLD: &str = "old-old-old-old-old";
const NEW: &str = "new-new-new-new-new";

/// Writes a certificate that ends on the first of January of a year, and its key.
fn write_certificate(folder: &TempDir, year: i32) {
    let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(year, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    fs::write(folder.path().join("cert"), certificate.pem()).unwrap();
    fs::write(folder.path().join("key"), key.serialize_pem()).unwrap();
}

fn reloader(folder: &TempDir) -> Reloader {
    let file = |name| folder.path().join(name);
    fs::write(file("token"), OLD).unwrap();
    let protection = Protection {
        tokens: Some(Tokens::read(&file("token")).unwrap()),
        tls: Some(ServerTls::read(&file("cert"), &file("key"), None).unwrap()),
    };
    Reloader::new(protection, Some(&file("token")))
}

#[tokio::test]
async fn files_are_read_again_and_bad_ones_change_nothing() {
    let log = Log::default();
    let _listening = log.listen();
    let folder = tempfile::tempdir().unwrap();
    write_certificate(&folder, 2100);
    let mut reloader = reloader(&folder);
    // What the server uses.
    let Protection { tokens, tls } = reloader.protection.clone();
    let (tokens, tls) = (tokens.unwrap(), tls.unwrap());
    assert!(tokens.holder(OLD).is_some() && tokens.holder(NEW).is_none());
    let (of_2100, of_2200) = (4_102_444_800, 7_258_118_400);
    assert_eq!(tls.expires_at(), Some(of_2100));
    reloader.look();
    assert!(!log.take().contains("again"), "nothing has changed");

    write_certificate(&folder, 2200);
    let file = |name| folder.path().join(name);
    fs::write(
        file("token"),
        format!("anna admin {NEW}\nbert read {OLD}\n"),
    )
    .unwrap();
    reloader.look();
    assert_eq!(&*tokens.holder(NEW).unwrap().name, "anna");
    assert_eq!(&*tokens.holder(OLD).unwrap().name, "bert");
    assert_eq!(tls.expires_at(), Some(of_2200));
    let text = log.take();
    assert!(text.contains("anna (admin), bert (read)"), "{text}");
    assert!(
        text.contains("the TLS certificate was read again"),
        "{text}"
    );
    assert!(text.contains("2200-01-01T00:00:00Z"), "{text}");
    assert!(!text.contains(OLD) && !text.contains(NEW), "{text}");

    fs::write(file("token"), "short").unwrap();
    fs::write(file("cert"), "no certificate").unwrap();
    reloader.look();
    assert!(tokens.holder(NEW).is_some());
    assert_eq!(tls.expires_at(), Some(of_2200));
    let text = log.take();
    let path = |name| file(name).display().to_string();
    for (what, old, file) in [
        ("tokens", "ones stay", path("token")),
        ("TLS certificate", "one stays", path("cert")),
    ] {
        let why = format!("the {what} could not be read again, and the old {old} in use: {file}: ");
        assert!(text.contains(&why), "{text}");
    }
    reloader.look();
    assert_eq!(log.take(), "", "it is logged once");
}

#[tokio::test]
async fn the_end_of_a_certificate_is_warned_of_once_a_day() {
    let log = Log::default();
    let _listening = log.listen();
    let folder = tempfile::tempdir().unwrap();
    write_certificate(&folder, 2100);
    let mut reloader = reloader(&folder);
    log.take();
    let end = UNIX_EPOCH + Duration::from_secs(4_102_444_800);
    let day = Duration::from_secs(24 * 60 * 60);
    reloader.warn_of_expiry(end - day * 15);
    assert_eq!(log.take(), "");
    reloader.warn_of_expiry(end - day * 3);
    assert!(log.take().contains("expires soon days=3"));
    reloader.warn_of_expiry(end - day * 3);
    assert_eq!(log.take(), "");
    reloader.warned = None;
    reloader.warn_of_expiry(end + day * 2);
    assert!(log.take().contains("has expired; clients refuse it days=2"));
}
