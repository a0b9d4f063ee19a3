//! `sproutnet man`.

use std::fs;
use std::io::Write;

use anyhow::Context;
use clap::CommandFactory;

use crate::args::{Args, Man};
use crate::exit::Exit;

/// Prints the manual page, or writes one for each command into a folder.
pub(crate) fn run(man: &Man) -> anyhow::Result<Exit> {
    // It would be named, and has no page.
    let command = Args::command().disable_help_subcommand(true);
    match &man.dir {
        Some(dir) => {
            let failed = || format!("cannot write manual pages to {}", dir.display());
            fs::create_dir_all(dir).with_context(failed)?;
            clap_mangen::generate_to(command, dir).with_context(failed)?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            std::io::stdout().write_all(&page)?;
        }
    }
    Ok(Exit::Fine)
}
