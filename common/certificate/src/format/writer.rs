//! Writes a certificate fact by fact.

use std::io::{self, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::reader::hex;
use super::{Claim, Fact, Header};

/// Writes facts in the order in which they arrive.
///
/// The header contains their number and checksum, so the facts are kept aside, in a temporary file or in memory,
/// until `finish`.
pub struct Writer<S> {
    aside: S,
    line: String,
    digest: Sha256,
    facts: u64,
}

impl<S: Read + Write + Seek> Writer<S> {
    /// A writer that keeps facts in `aside`, which must be empty.
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
    /// The fact cannot be written to `aside`.
    pub fn fact(&mut self, fact: &Fact) -> io::Result<()> {
        self.line.clear();
        self.line.push_str(&fact.to_string());
        self.line.push('\n');
        self.digest.update(self.line.as_bytes());
        self.facts += 1;
        self.aside.write_all(self.line.as_bytes())
    }

    /// The number of facts added.
    pub fn facts(&self) -> u64 {
        self.facts
    }

    /// Writes the whole certificate to `out`, and returns its header.
    ///
    /// # Errors
    /// `aside` cannot be read, or `out` cannot be written.
    pub fn finish(mut self, claim: Claim, out: impl Write) -> io::Result<Header> {
        let header = Header {
            claim,
            facts: self.facts,
            sha256: hex(self.digest),
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
