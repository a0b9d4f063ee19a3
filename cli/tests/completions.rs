//! `sproutnet completions`: scripts for shells.

use std::process::Command;

use crate::command::{LONG, Running, bare};
use tempfile::tempdir;

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "elvish", "powershell"];

fn script(shell: &str) -> String {
    let ended = Running::start(bare(&["completions", shell])).end(LONG);
    ended.with_code(0).stdout
}

#[test]
fn a_script_for_each_shell() {
    for shell in SHELLS {
        let script = script(shell);
        for word in ["solve", "moves", "completions", "deadline"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let refused = Running::start(bare(&["completions", "tcl"])).end(LONG);
    assert!(refused.with_code(2).stderr.contains("powershell"));
}

/// Bash's completions of an incomplete last word of a line.
fn completed(line: &str) -> Vec<String> {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("sproutnet.bash");
    std::fs::write(&path, script("bash")).expect("it can be written");
    let asked = r#"
        source "$1"
        read -ra COMP_WORDS <<<"$2"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _sproutnet sproutnet "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", asked, "bash"])
        .arg(&path)
        .arg(line);
    let ended = Running::start(bash).end(LONG).with_code(0);
    ended.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let has_bash = Command::new("bash").arg("--version").output().is_ok();
    if !has_bash {
        return;
    }
    assert_eq!(completed("sproutnet so"), ["solve"]);
    assert_eq!(completed("sproutnet solve --dead"), ["--deadline"]);
    assert_eq!(completed("sproutnet solve --play mis"), ["misere"]);
    assert_eq!(completed("sproutnet completions z"), ["zsh"]);
}
