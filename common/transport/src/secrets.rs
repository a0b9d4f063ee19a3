//! Files with secrets: the token, and a certificate with its key.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Unusable files or options of a token, certificate or key.
#[derive(Debug, thiserror::Error)]
pub enum SecretsError {
    /// The file cannot be read, or is too large.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The content of the file is unusable.
    #[error("{}: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// The key does not fit the certificate.
    #[error("the key in {} does not fit the certificate in {}: {source}", key.display(), certificate.display())]
    Pair {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
        /// The problem.
        source: rustls::Error,
    },
    /// A certificate without its key, or a key without its certificate. It names the missing option.
    #[error("--tls-cert and --tls-key go together; {0} is missing")]
    Half(&'static str),
}

impl SecretsError {
    pub(crate) fn content(path: &Path, problem: impl Into<String>) -> Self {
        let (path, problem) = (path.to_owned(), problem.into());
        Self::Content { path, problem }
    }
}

/// A whole file of at most `longest` bytes. Larger files are read only up to this limit.
pub(crate) fn read(path: &Path, longest: usize) -> Result<Vec<u8>, SecretsError> {
    let mut bytes = Vec::new();
    let read = File::open(path)
        .and_then(|file| file.take(longest as u64 + 1).read_to_end(&mut bytes))
        .and_then(|length| {
            if length > longest {
                Err(io::Error::other(format!("longer than {longest} bytes")))
            } else {
                Ok(bytes)
            }
        });
    read.map_err(|source| SecretsError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Warns if every user of the machine can read the file.
pub(crate) fn warn_if_world_readable(path: &Path) {
    if is_world_readable(path).unwrap_or(false) {
        let path = path.display();
        tracing::warn!("{path} holds a secret, and every user of this machine can read it");
    }
}

/// Whether every user of the machine can read the file: its mode allows it, and so do those of all folders above.
fn is_world_readable(path: &Path) -> io::Result<bool> {
    const READ: u32 = 0o004;
    const SEARCH: u32 = 0o001;
    let path = path.canonicalize()?;
    let mode = |path: &Path| Ok::<_, io::Error>(path.metadata()?.permissions().mode());
    if !path.is_file() || mode(&path)? & READ == 0 {
        return Ok(false);
    }
    for folder in path.ancestors().skip(1) {
        if mode(folder)? & SEARCH == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The files with a certificate and its key: both or neither.
pub(crate) fn pair<'a>(
    certificate: Option<&'a Path>,
    key: Option<&'a Path>,
) -> Result<Option<(&'a Path, &'a Path)>, SecretsError> {
    match (certificate, key) {
        (None, Some(_)) => Err(SecretsError::Half("--tls-cert")),
        (Some(_), None) => Err(SecretsError::Half("--tls-key")),
        _ => Ok(certificate.zip(key)),
    }
}

#[cfg(test)]
mod tests;
