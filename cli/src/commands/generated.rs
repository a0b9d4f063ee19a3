//! `sproutnet completions` and `man`, generated from the definition of the command line.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap_complete::Shell;

use crate::args;
use crate::exit::Exit;

/// Prints a completion script for a shell.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut program = args::program();
    let name = program.get_name().to_owned();
    // Buffered, because clap panics if the reader closes the pipe early.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, name, &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Fine)
}

/// Prints the manual page, or writes one page for each command into a folder.
pub(crate) fn man(dir: Option<&Path>) -> anyhow::Result<Exit> {
    // Otherwise the page would name `help`, which has no page.
    let program = args::program().disable_help_subcommand(true);
    match dir {
        Some(dir) => {
            let failed = || format!("cannot write manual pages to {}", dir.display());
            fs::create_dir_all(dir).with_context(failed)?;
            clap_mangen::generate_to(program, dir).with_context(failed)?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(program).render(&mut page)?;
            io::stdout().write_all(&page)?;
        }
    }
    Ok(Exit::Fine)
}
