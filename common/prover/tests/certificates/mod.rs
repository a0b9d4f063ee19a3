//! Certificates of any size, made with the rules of the search.

pub(crate) mod misere;
pub(crate) mod normal;

use std::io::{Read, Write};
use std::sync::{Arc, LazyLock};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use sproutnet_certificate::format::{Claim, Fact, write};
use sproutnet_certificate::{Options, Verified, VerifyError, verify};
use sproutnet_game::{Game, Land, Lands, Position, Sprouts};

/// Lands with cached options.
static LANDS: LazyLock<Lands> = LazyLock::new(|| Lands::new(Arc::new(Sprouts)));

/// All options of a land, sorted.
pub(crate) fn options(land: &Land) -> Vec<Position> {
    let options = LANDS.options(LANDS.intern(land), &|| false);
    let options = options.expect("the search is never stopped").iter();
    let mut options: Vec<Position> = options.map(|lands| LANDS.position(lands)).collect();
    options.sort_unstable();
    options
}

/// The lives of a land's spots.
pub(crate) fn lives(land: &Land) -> u32 {
    Sprouts.max_moves(land) + 1
}

pub(crate) fn text(lands: &[Land]) -> String {
    Sprouts.print(&Position::new(lands.to_vec()))
}

/// A certificate of these facts, each with its rank.
pub(crate) fn file(claim: Claim, mut facts: Vec<(u32, Fact)>) -> Vec<u8> {
    facts.sort_by_key(|&(rank, _)| rank);
    let mut file = Vec::new();
    let facts = facts.iter().map(|(_, fact)| fact);
    write(claim, facts, &mut file).expect("memory");
    file
}

/// The text of a certificate.
pub(crate) fn unzipped(file: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    GzDecoder::new(file).read_to_end(&mut text).expect("gzip");
    text
}

/// The certificate with this text. If it has a header, its count and checksum are updated.
pub(crate) fn sealed(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    let end = text.windows(2).position(|pair| pair == b"\n\n");
    if let Some(end) = end {
        let facts = &text[end + 2..];
        let count = facts.split(|&byte| byte == b'\n').count() - 1;
        let digest: String = Sha256::digest(facts)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let head = text[..end].split(|&byte| byte == b'\n');
        let mut sealed = Vec::new();
        for line in head {
            if line.starts_with(b"facts: ") {
                sealed.extend(format!("facts: {count}").bytes());
            } else if line.starts_with(b"sha256: ") {
                sealed.extend(format!("sha256: {digest}").bytes());
            } else {
                sealed.extend(line);
            }
            sealed.push(b'\n');
        }
        sealed.push(b'\n');
        sealed.extend(facts);
        text = sealed;
    }
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&text).expect("memory");
    gzip.finish().expect("memory")
}

/// Checks a certificate.
pub(crate) fn check(file: &[u8], cores: usize) -> Result<Verified, VerifyError> {
    let options = Options {
        cores,
        memory: 256 << 20,
    };
    verify(file, &options)
}
