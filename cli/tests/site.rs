//! Static sites.

use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::command::run;

const ATLAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../atlas");

#[test]
fn a_site_is_written_and_replaced_by_another() {
    let data = tempdir().expect("a folder");
    let module = data.path().join("module.wasm");
    fs::write(&module, b"\0asm\x01\0\0\0").expect("a module");
    let site = data.path().join("new/site");
    let name = site.to_string_lossy();
    let module = module.to_string_lossy();
    let whole = ["site", &*name, "--wasm", &*module, "--atlas", ATLAS];
    let written = run(data.path(), &whole).with_code(0);
    assert_eq!(
        written.stdout.trim(),
        site.join("index.html").to_string_lossy()
    );
    let has = |file: &str| site.join(file).exists();
    let optional = [
        "look-up.html",
        "site.js",
        "engine.js",
        "certificates/misere-21.sprout",
        "play.html",
        "play.js",
    ];
    for file in optional
        .iter()
        .chain(&["index.html", "style.css", "starts/44.html"])
    {
        assert!(has(file), "{file}");
    }
    let copied = fs::read(site.join(optional[3])).expect("a file");
    let original = fs::read(Path::new(ATLAS).join("misere-21.sprout")).expect("a file");
    assert!(copied == original);

    // Files of others in a site stay; those of the earlier site that the new one lacks do not.
    fs::write(site.join("CNAME"), "sprouts.example").expect("a file");
    run(data.path(), &["site", &name]).with_code(0);
    assert!(has("index.html") && has("CNAME"));
    for file in optional {
        assert!(!has(file), "{file}");
    }
    // No store was made.
    assert_eq!(fs::read_dir(data.path()).expect("a folder").count(), 2);
}

#[test]
fn a_folder_of_others_and_wrong_files_are_refused() {
    let data = tempdir().expect("a folder");
    let folder = data.path().join("mine");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("index.html"), "<title>mine</title>").expect("a file");
    let name = folder.to_string_lossy();
    let refused = run(data.path(), &["site", &name]).with_code(2);
    assert!(refused.stderr.contains("not empty"), "{}", refused.stderr);
    let site = data.path().join("site");
    let site = site.to_string_lossy();
    let page = folder.join("index.html");
    let wrong = ["site", &*site, "--wasm", &*page.to_string_lossy()];
    let refused = run(data.path(), &wrong).with_code(2);
    assert!(
        refused.stderr.contains("not a WebAssembly"),
        "{}",
        refused.stderr
    );
    let refused = run(data.path(), &["site", &site, "--atlas", &name]).with_code(2);
    assert!(refused.stderr.contains("--atlas"), "{}", refused.stderr);
    // Nothing was written.
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
    assert!(!Path::new(&*site).exists());
}
