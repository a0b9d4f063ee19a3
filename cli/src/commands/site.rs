//! `sproutnet site`: pages for any web server.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use sproutnet_model::proofs;
use sproutnet_web::{StaticSite, is_static_site};

use crate::args::Site;
use crate::exit::{BadInput, Exit};

/// The first bytes of a WebAssembly module.
const MODULE: &[u8] = b"\0asm";

/// The first page, by which a site is recognised.
const FIRST: &str = "index.html";

/// The folder of the certificates in a site.
const CERTIFICATES: &str = "certificates";

/// Files that not every site has.
const OPTIONAL: [&str; 5] = [
    "look-up.html",
    "play.html",
    "engine.js",
    "site.js",
    "play.js",
];

/// Writes a site.
pub(crate) fn run(asked: &Site) -> anyhow::Result<Exit> {
    let folder = &asked.folder;
    let engine = asked.wasm.as_deref().map(module).transpose()?;
    let certificates = asked
        .atlas
        .as_deref()
        .map_or(Ok(Vec::new()), certificates)?;
    check_target(folder)?;
    let site = StaticSite {
        engine: engine.as_deref(),
        has_certificates: asked.atlas.is_some(),
    };
    let files = site.files();
    // The first page comes first, so that a site that was written in part is known as one.
    for (path, content) in &files {
        write(&folder.join(path), content)?;
    }
    for path in OPTIONAL {
        if !files.iter().any(|(written, _)| written == path) {
            remove(&folder.join(path))?;
        }
    }
    for proof in proofs() {
        let target = folder.join(CERTIFICATES).join(proof.file());
        match certificates
            .iter()
            .find(|file| file.ends_with(proof.file()))
        {
            Some(file) => copy(file, &target)?,
            None => remove(&target)?,
        }
    }
    let pages = folder.join(FIRST);
    println!("{}", pages.display());
    Ok(Exit::Fine)
}

/// The WebAssembly module in a file.
fn module(file: &Path) -> anyhow::Result<Vec<u8>> {
    let module = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    if module.starts_with(MODULE) {
        Ok(module)
    } else {
        Err(BadInput(format!(
            "{}: this is not a WebAssembly module",
            file.display()
        ))
        .into())
    }
}

/// The files of all certificates of the atlas in a folder.
fn certificates(atlas: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let files = proofs().iter().map(|proof| atlas.join(proof.file()));
    let files: Vec<PathBuf> = files.collect();
    match files.iter().find(|file| !file.is_file()) {
        Some(file) => {
            let problem = "there is no such file; --atlas names the folder of the certificates";
            Err(BadInput(format!("{}: {problem}", file.display())).into())
        }
        None => Ok(files),
    }
}

/// Refuses a folder with files of others in it.
fn check_target(folder: &Path) -> anyhow::Result<()> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| folder.display().to_string()),
    };
    let is_site = || {
        let page = fs::read_to_string(folder.join(FIRST));
        page.is_ok_and(|page| is_static_site(&page))
    };
    if entries.next().is_some() && !is_site() {
        let problem = "the folder is not empty, and what is in it is not a site of this command";
        return Err(BadInput(format!("{}: {problem}", folder.display())).into());
    }
    Ok(())
}

/// Writes a file, and makes its folder.
fn write(file: &Path, content: &[u8]) -> anyhow::Result<()> {
    make_folder_of(file)?;
    fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))
}

/// Copies a file, and makes its folder.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    make_folder_of(to)?;
    let copied = fs::copy(from, to);
    copied.with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

fn make_folder_of(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// Removes a file of an earlier site.
fn remove(file: &Path) -> anyhow::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", file.display()))
        }
        _ => Ok(()),
    }
}
