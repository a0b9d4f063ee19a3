//! `sproutnet completions`.

use std::io::Write;

use clap::CommandFactory;

use crate::args::{Args, Completions};
use crate::exit::Exit;

/// Prints a script by which a shell completes commands and options.
pub(crate) fn run(completions: &Completions) -> anyhow::Result<Exit> {
    let mut command = Args::command();
    let name = command.get_name().to_owned();
    // Not at once to standard output, where a reader that leaves would be taken for a fault.
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut command, name, &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Exit::Fine)
}
