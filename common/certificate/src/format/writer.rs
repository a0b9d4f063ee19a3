//! Writes a certificate fact by fact.

use std::io::{self, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::{Claim, Fact, Header};

/// Takes the facts in the order in which they shall stand.
///
/// The header tells their number and checksum, so they are kept aside, in a temporary file or in memory,
/// until all are there.
pub struct Writer<S> {
    aside: S,
    line: String,
    digest: Sha256,
    facts: u64,
}

impl<S: Read + Write + Seek> Writer<S> {
    /// A writer that keeps facts in `aside`, which is empty.
    pub fn new(aside: S) -> Self {
        Self {
            aside,
            line: String::new(),
            digest: Sha256::new(),
            facts: 0,
        }
    }

    /// Adds a fact.
    ///
    /// # Errors
    /// It cannot be kept.
    pub fn fact(&mut self, fact: &Fact) -> io::Result<()> {
        self.line.clear();
        self.line.push_str(&fact.to_string());
        self.line.push('\n');
        self.digest.update(self.line.as_bytes());
        self.facts += 1;
        self.aside.write_all(self.line.as_bytes())
    }

    /// How many facts were added.
    pub fn facts(&self) -> u64 {
        self.facts
    }

    /// Writes the whole certificate to `out`, and tells what its header says.
    ///
    /// # Errors
    /// The facts cannot be read again, or `out` cannot be written.
    pub fn finish(mut self, claim: Claim, out: impl Write) -> io::Result<Header> {
        let header = Header {
            claim,
            facts: self.facts,
            sha256: self.digest.finalize().into(),
        };
        let mut out = GzEncoder::new(out, Compression::best());
        out.write_all(header.to_string().as_bytes())?;
        self.aside.flush()?;
        self.aside.seek(SeekFrom::Start(0))?;
        io::copy(&mut self.aside, &mut out)?;
        out.finish()?.flush()?;
        Ok(header)
    }
}
