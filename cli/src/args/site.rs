//! The arguments of `sproutnet site`.

use std::path::PathBuf;

/// Where a site is written, and what it has.
#[derive(Debug, clap::Args)]
pub(crate) struct Site {
    /// The folder to write: a new or empty one, or one with a site, which is replaced
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The WebAssembly module [default: nothing is checked or looked up in the browser]
    #[arg(long, value_name = "FILE")]
    pub(crate) wasm: Option<PathBuf>,
    /// The folder of the certificates, `atlas` in the repository, to be copied [default: the site only lists them]
    #[arg(long, value_name = "DIR")]
    pub(crate) atlas: Option<PathBuf>,
}
