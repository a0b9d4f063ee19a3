//! Writes a certificate.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::reader::hex;
use super::{Claim, Fact, Header};

/// Writes a certificate of a claim to `out`, with the facts in this order, and returns its header.
///
/// # Errors
/// `out` cannot be written.
pub fn write<'a>(
    claim: Claim,
    facts: impl IntoIterator<Item = &'a Fact>,
    out: impl Write,
) -> io::Result<Header> {
    let lines: Vec<String> = facts.into_iter().map(|fact| format!("{fact}\n")).collect();
    let text = lines.concat();
    let header = Header {
        claim,
        facts: lines.len() as u64,
        sha256: hex(Sha256::new_with_prefix(&text)),
    };
    let mut out = GzEncoder::new(out, Compression::best());
    out.write_all(header.to_string().as_bytes())?;
    out.write_all(text.as_bytes())?;
    out.finish()?.flush()?;
    Ok(header)
}
