//! The version of the protocol stands in texts as well.

use std::path::Path;

use sproutnet_proto::PROTOCOL;

#[test]
fn all_texts_state_the_version_of_the_protocol() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (file, said) in [
        (
            "docs/reference/protocol.md",
            format!("The version of the protocol is {PROTOCOL}. "),
        ),
        (
            "docs/reference/limits.md",
            format!("[protocol](protocol.md) {PROTOCOL} |"),
        ),
        (
            "proto/sproutnet/v1/worker.proto",
            format!("that the worker speaks: {PROTOCOL}. "),
        ),
        (
            "worker/examples/python/worker.py",
            format!("protocol={PROTOCOL},"),
        ),
    ] {
        let text = std::fs::read_to_string(root.join(file)).expect("a text");
        assert!(text.contains(&said), "{file} does not say `{said}`");
    }
}
