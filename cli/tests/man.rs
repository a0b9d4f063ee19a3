//! `sproutnet man`: manual pages.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{LONG, Running, bare};
use tempfile::tempdir;

/// A page as `groff` renders it; its source if there is no `groff`.
fn rendered(page: &str) -> String {
    let mut groff = Command::new("groff");
    groff.args(["-man", "-Kutf8", "-Tutf8", "-ww", "-P-cbou"]);
    if Command::new("groff").arg("--version").output().is_err() {
        return page.to_owned();
    }
    let mut groff = Running::start(groff);
    groff.write(page);
    let ended = groff.end(LONG).with_code(0);
    assert_eq!(ended.stderr, "", "{page}");
    ended.stdout
}

#[test]
fn the_page_of_the_program() {
    let page = Running::start(bare(&["man"])).end(LONG).with_code(0).stdout;
    assert!(page.contains(".TH sproutnet 1"), "{page}");
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"] {
        assert!(page.contains(&format!(".SH {section}")), "{section}");
    }
    let text = rendered(&page);
    for word in ["NAME", "solve", "query", "SPROUTNET_DATA"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn a_page_for_each_command() {
    let folder = tempdir().expect("a folder");
    let pages = folder.path().join("share/man1");
    let path = pages.to_str().expect("a text");
    let ended = Running::start(bare(&["man", path])).end(LONG).with_code(0);
    assert_eq!(ended.stdout, "");
    let read = |name: &str| fs::read_to_string(pages.join(name)).expect("a page");
    assert!(read("sproutnet.1").contains("sproutnet"));
    let commands = [
        "solve", "watch", "list", "pause", "resume", "cancel", "fleet", "query", "moves", "table",
        "bench", "man",
    ];
    for command in commands {
        let page = read(&format!("sproutnet-{command}.1"));
        assert!(page.contains(".SH NAME"), "{page}");
    }
    assert!(rendered(&read("sproutnet-solve.1")).contains("--deadline"));
}

#[test]
fn a_folder_that_cannot_be() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let path: &Path = file.path();
    let path = path.to_str().expect("a text");
    let ended = Running::start(bare(&["man", path])).end(LONG).with_code(1);
    assert!(ended.stderr.contains(path), "{ended:?}");
}
