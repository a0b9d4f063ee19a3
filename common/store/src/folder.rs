//! The names in the folder of a store.

use super::{
    database::{BLOBS, FILE, LOCK},
    high_water_mark,
    index::files::FOLDER,
    leftovers::{PARAMETERS, QUARANTINE, SNAPSHOT},
    revoked, swap,
};
use std::ffi::OsStr;

/// Whether a file or folder of this name belongs to the folder of a store.
pub(super) fn is_own(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    let name = name.strip_suffix(".new").unwrap_or(name);
    let single = [
        LOCK,
        FILE,
        BLOBS,
        PARAMETERS,
        QUARANTINE,
        FOLDER,
        high_water_mark::FILE,
        revoked::FILE,
    ];
    single.contains(&name) || swap::FOLDERS.contains(&name) || name.starts_with(SNAPSHOT)
}
