//! Signals to the program.

use rustix::process::Signal;

use crate::program::{Program, until};

#[tokio::test]
async fn a_hangup_reads_the_tokens_again_and_ends_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (old, new) = ("old-old-old-old-old", "new-new-new-new-new");
    let file = folder.path().join("tokens");
    std::fs::write(&file, old).expect("it is written");
    let data = folder.path().join("data");
    let option = file.display().to_string();
    let mut program = Program::start_with(folder, &data, &["--token-file", &option]);
    program.wait_until_open();
    let is_accepted = |program: &Program, token: &str| {
        let header = format!("authorization: Bearer {token}\r\n");
        let page = program.get("/api/v1/fleet", &header);
        page.starts_with("HTTP/1.1 200")
    };
    assert!(is_accepted(&program, old) && !is_accepted(&program, new));

    std::fs::write(&file, format!("anna admin {new}\n")).expect("it is written");
    program.signal(Signal::HUP);
    until(|| program.log().contains("anna (admin)").then_some(()));
    assert!(is_accepted(&program, new) && !is_accepted(&program, old));

    std::fs::write(&file, "anna emperor nothing\n").expect("it is written");
    program.signal(Signal::HUP);
    let why = "tokens: line 1: expected `name role token`";
    until(|| program.log().contains(why).then_some(()));
    assert!(is_accepted(&program, new));
    assert_eq!(program.ended(), None);
}
