//! Folders as a whole.

use std::fs;
use std::path::Path;

/// Copies a folder, and all that is in it, into another one, which is created if it is missing.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a copy");
        }
    }
}

/// Puts a copy of a folder in the place of another one.
pub fn put_back(copied: &Path, folder: &Path) {
    fs::remove_dir_all(folder).expect("it is removed");
    copy(copied, folder);
}
