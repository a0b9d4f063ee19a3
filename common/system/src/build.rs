//! Which build of the programs this is.

use std::sync::OnceLock;

/// The version of the programs.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit of the source, from the variable `SPROUTNET_COMMIT` at build time; `unknown` without it.
pub const COMMIT: &str = match option_env!("SPROUTNET_COMMIT") {
    Some(commit) if !commit.is_empty() => commit,
    _ => "unknown",
};

/// The version and, if it is known, the commit, as `--version` prints them.
pub fn version() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| match COMMIT {
        "unknown" => VERSION.to_owned(),
        commit => format!("{VERSION} ({commit})"),
    })
}
