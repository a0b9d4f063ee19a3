//! Options of the program.

use std::path::Path;
use std::process::{Command, Output};

fn run(options: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sproutnet-coordinator"))
        .args(options)
        .current_dir(folder)
        .env_clear()
        .output()
        .expect("it runs")
}

#[test]
fn wrong_options_end_the_program_before_it_makes_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    for (options, reason) in [
        (["--memory", "lots"], "--memory"),
        (["--http", "0.0.0.0:0"], "--insecure"),
        (["--listen", "0.0.0.0:0"], "--insecure"),
        (["--token-file", "missing"], "cannot read missing"),
        (["--tls-cert", "missing"], "--tls-key is missing"),
        (["--tls-client-ca", "missing"], "--tls-client-ca needs"),
    ] {
        let Output { status, stderr, .. } = run(&options, folder.path());
        let stderr = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(reason), "{stderr}");
        let left = std::fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(left.count(), 0, "{options:?}");
    }
}

#[test]
fn the_version_has_the_name_of_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let Output { stdout, .. } = run(&["--version"], folder.path());
    let text = String::from_utf8_lossy(&stdout);
    let expected = concat!("sproutnet-coordinator ", env!("CARGO_PKG_VERSION"));
    assert!(text.starts_with(expected), "{text}");
}
