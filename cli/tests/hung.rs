//! A coordinator that accepts connections and never answers: every command ends with an error.

use std::net::TcpListener;
use std::time::Duration;

use crate::command::{LONG, Running, bare};

/// The time limit of a command: the deadline of a call, and some time for the rest.
const IN_TIME: Duration = Duration::from_secs(45);

#[test]
fn an_error_in_place_of_waiting() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let commands = [
        &["solve", "0*3"][..],
        &["solve", "0*3", "--detach"],
        &["watch", "0*3"],
        &["list"],
        &["pause", "0*3"],
        &["fleet"],
        &["fleet", "--watch"],
        &["query", "0*3"],
        &["table"],
    ];
    let running =
        commands.map(|command| Running::start(bare(&[command, &["--coordinator", &url]].concat())));
    for running in running {
        let ended = running.end(LONG).with_code(1);
        assert!(
            ended.stderr.contains("no answer from the coordinator"),
            "{ended:?}"
        );
        assert!(ended.took < IN_TIME, "{:?}", ended.took);
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    }
}
