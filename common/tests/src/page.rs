//! Pages of the manual with parts that tests write.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut above = here.ancestors();
    let root = above.find(|folder| folder.join("Cargo.lock").is_file());
    root.expect("the root of the repository").to_owned()
}

/// Checks a part of a page: the text between `<!-- PART: begin -->` and `<!-- PART: end -->`. With `SPROUTNET_GENERATE`
/// set, writes it instead.
pub fn check(page: &str, part: &str, content: &str) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).expect("the page");
    let (begin, end) = (
        format!("<!-- {part}: begin -->\n"),
        format!("<!-- {part}: end -->\n"),
    );
    let (before, rest) = text.split_once(&begin).expect("the beginning of the part");
    let (old, after) = rest.split_once(&end).expect("the end of the part");
    if std::env::var_os("SPROUTNET_GENERATE").is_some() {
        let new = [before, &begin, content, &end, after].concat();
        fs::write(&path, new).expect("written");
    } else {
        assert!(
            old == content,
            "the part `{part}` of {page} is old: run `SPROUTNET_GENERATE=1 cargo test --workspace --release generated`"
        );
    }
}

/// Checks the options of a program in the page of options: the text of its `--help`.
pub fn check_help(name: &str, program: &str) {
    let mut command = Command::new(program);
    command.arg("--help").env_clear();
    let output = command.output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("a text");
    let lines = text.lines().map(str::trim_end);
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let block = format!("```text\n{text}```\n");
    check("docs/reference/configuration.md", name, &block);
}
