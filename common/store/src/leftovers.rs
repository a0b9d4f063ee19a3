//! Files that a crash or a full disk leaves in the folder of the database, and that keep sled from opening it. They are
//! removed or moved away first. sled rebuilds them from its log.
//!
//! - An unfinished or damaged snapshot of the page table. sled reads only the newest, and reports corruption if that
//!   one is bad.
//! - An incomplete file of parameters.
//!
//! sled itself ends its log where writing broke off, and removes large values that the log does not name.

use super::database::sync_entries;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The folder inside the store's for quarantined parts.
pub(super) const QUARANTINE: &str = "set-aside";

/// The beginning of the names of sled's snapshots, and the end of the name of an unfinished one.
pub(super) const SNAPSHOT: &str = "snap.";
const UNFINISHED: &str = ".generating";

/// sled's file of parameters, and its content before the checksum.
pub(super) const PARAMETERS: &str = "conf";
const PARAMETERS_TEXT: &[u8] = b"segment_size: 524288\nuse_compression: false\nversion: 0.34\n";
const PARAMETERS_SIZE: usize = PARAMETERS_TEXT.len() + size_of::<u32>();

/// Removes or moves away leftover files in the folder of a database that is not open.
pub(super) fn clear(dir: &Path) -> io::Result<()> {
    let mut is_changed = false;
    for path in snapshots(dir)? {
        let is_unfinished = path.to_string_lossy().ends_with(UNFINISHED);
        if is_unfinished {
            fs::remove_file(&path)?;
        } else if !is_sound(&fs::read(&path)?) {
            let name = path.file_name().unwrap_or_default();
            let aside = dir.join(QUARANTINE);
            fs::create_dir_all(&aside)?;
            fs::rename(&path, aside.join(name))?;
            tracing::warn!(snapshot = %path.display(), "moved a damaged snapshot away; the database rebuilds it from its log");
        } else {
            continue;
        }
        is_changed = true;
    }
    let parameters = dir.join(PARAMETERS);
    if fs::read(&parameters).is_ok_and(|bytes| is_partial(&bytes)) {
        fs::remove_file(&parameters)?;
        is_changed = true;
    }
    if is_changed {
        sync_entries(dir)
    } else {
        Ok(())
    }
}

/// The files of snapshots, finished or not.
pub(super) fn snapshots(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(SNAPSHOT) {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// Whether a snapshot is whole: its bytes, then their number in eight bytes, then their checksum.
fn is_sound(bytes: &[u8]) -> bool {
    let Some((rest, checksum)) = bytes.split_last_chunk() else {
        return false;
    };
    let Some((body, length)) = rest.split_last_chunk() else {
        return false;
    };
    !body.is_empty()
        && u64::from_le_bytes(*length) == body.len() as u64
        && u32::from_le_bytes(*checksum) == crc32fast::hash(body)
}

/// Whether these are the first bytes of the parameters, or only zeros, as after a power failure.
fn is_partial(bytes: &[u8]) -> bool {
    let text = &bytes[..bytes.len().min(PARAMETERS_TEXT.len())];
    let is_short = bytes.len() < PARAMETERS_SIZE && PARAMETERS_TEXT.starts_with(text);
    is_short || bytes.iter().all(|&byte| byte == 0)
}

#[cfg(test)]
mod tests;
