//! Small files named on the command line.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A whole file of at most `longest` bytes; reads no more than that of a larger one.
pub(crate) fn read(path: &Path, longest: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let bound = u64::try_from(longest).unwrap_or(u64::MAX);
    File::open(path)?
        .take(bound.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() > longest {
        let problem = format!("longer than {longest} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// Warns if a secret lies in a file that every user of the machine can read.
pub(crate) fn warn_if_open_to_all(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let all_may_read =
            |found: std::fs::Metadata| found.is_file() && found.permissions().mode() & 0o004 != 0;
        if path.metadata().is_ok_and(all_may_read) {
            let path = path.display();
            tracing::warn!("{path} holds a secret, and every user of this machine can read it");
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}
