use std::sync::Arc;

use super::*;

#[test]
fn a_broken_connection_is_told_once_and_without_the_names_of_types() {
    let text = "lost http://desk:7350: error reading a body from connection: connection reset";
    let mut broken = Status::unknown("h2 protocol error: error reading a body from connection");
    broken.set_source(Arc::new(std::io::Error::other("connection reset")));
    let mut status = Status::unavailable(text);
    status.set_source(Arc::new(broken));
    assert_eq!(CallError::from(status).to_string(), text);
}
