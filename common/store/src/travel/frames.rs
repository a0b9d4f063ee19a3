//! The frames of an export.
//!
//! | part      | bytes                                                            |
//! |-----------|------------------------------------------------------------------|
//! | file      | [`MAGIC`], the format as four bytes, then frames up to its end    |
//! | frame     | part, one byte; length of its body, four bytes; body; checksum   |
//! | checksum  | xxh3-64 of the whole file before it, but for other checksums     |
//!
//! Numbers are little-endian.

use super::{FORMAT, TravelError};
use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
};
use xxhash_rust::xxh3::Xxh3;

/// The first bytes of an export.
pub(super) const MAGIC: [u8; 12] = *b"sproutnet\r\n\x1a";

/// What a frame takes beside its body.
pub(super) const OVERHEAD: u64 = 13;

/// The longest body: that of a block of the longest keys fits.
const LONGEST: u32 = 32 << 20;

/// What a frame holds. In a file they come in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Part {
    /// The header.
    Header = 1,
    /// The document of a source.
    Source = 2,
    /// A block of records.
    Block = 3,
    /// The document of a result.
    Result = 4,
    /// What came before, counted.
    End = 5,
}

impl Part {
    fn read(byte: u8) -> Option<Self> {
        let parts = [
            Self::Header,
            Self::Source,
            Self::Block,
            Self::Result,
            Self::End,
        ];
        parts.into_iter().find(|&part| part as u8 == byte)
    }
}

/// A frame that was read.
pub(super) struct Frame {
    pub(super) part: Part,
    /// Where in the file it begins.
    pub(super) offset: u64,
    pub(super) body: Vec<u8>,
}

/// The running checksum of a file, and how far it is.
#[derive(Clone)]
pub(super) struct Seal {
    hash: Xxh3,
    pub(super) offset: u64,
}

impl Seal {
    /// That of the first bytes of every export.
    pub(super) fn new() -> Self {
        let mut hash = Xxh3::new();
        hash.update(&opening());
        Self {
            hash,
            offset: opening().len() as u64,
        }
    }

    /// The checksum of a frame that comes next.
    fn add(&mut self, part: u8, body: &[u8]) -> u64 {
        self.hash.update(&[part]);
        self.hash.update(&(body.len() as u32).to_le_bytes());
        self.hash.update(body);
        self.offset += OVERHEAD + body.len() as u64;
        self.hash.digest()
    }
}

fn opening() -> [u8; MAGIC.len() + 4] {
    let mut bytes = [0; MAGIC.len() + 4];
    bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
    bytes[MAGIC.len()..].copy_from_slice(&FORMAT.to_le_bytes());
    bytes
}

/// Writes frames.
pub(super) struct FrameWriter<W> {
    out: W,
    seal: Seal,
}

impl<W: Write> FrameWriter<W> {
    /// Begins a file.
    pub(super) fn begin(mut out: W) -> io::Result<Self> {
        out.write_all(&opening())?;
        Ok(Self::go_on(out, Seal::new()))
    }

    /// Goes on behind what that seal is of.
    pub(super) fn go_on(out: W, seal: Seal) -> Self {
        Self { out, seal }
    }

    /// Adds a frame.
    pub(super) fn write(&mut self, part: Part, body: &[u8]) -> io::Result<()> {
        if body.len() > LONGEST as usize {
            let problem = format!("{} bytes are too many for a frame", body.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        let checksum = self.seal.add(part as u8, body);
        self.out.write_all(&[part as u8])?;
        self.out.write_all(&(body.len() as u32).to_le_bytes())?;
        self.out.write_all(body)?;
        self.out.write_all(&checksum.to_le_bytes())
    }

    /// The bytes of the file so far.
    pub(super) fn offset(&self) -> u64 {
        self.seal.offset
    }

    /// What was written to.
    pub(super) fn into_inner(self) -> W {
        self.out
    }
}

/// Reads frames, none of which is shown before its checksum was found right.
pub(super) struct FrameReader {
    path: PathBuf,
    file: BufReader<File>,
    length: u64,
    seal: Seal,
}

impl FrameReader {
    /// Reads the first bytes of a file.
    pub(super) fn open(path: &Path) -> Result<Self, TravelError> {
        let failed = |source| TravelError::File {
            path: path.into(),
            source,
        };
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut reader = Self {
            path: path.into(),
            file: BufReader::with_capacity(1 << 18, file),
            length,
            seal: Seal::new(),
        };
        let mut bytes = Vec::new();
        let opening = reader.file.by_ref().take(MAGIC.len() as u64 + 4);
        { opening }.read_to_end(&mut bytes).map_err(failed)?;
        let magic = &bytes[..bytes.len().min(MAGIC.len())];
        if magic.is_empty() || !MAGIC.starts_with(magic) {
            return Err(TravelError::Foreign { path: path.into() });
        }
        let Some(format) = bytes
            .get(MAGIC.len()..)
            .and_then(|bytes| bytes.try_into().ok())
        else {
            return Err(reader.truncated(0));
        };
        match u32::from_le_bytes(format) {
            FORMAT => Ok(reader),
            found => Err(TravelError::Format {
                path: path.into(),
                found,
            }),
        }
    }

    /// The next frame; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, TravelError> {
        let offset = self.seal.offset;
        let left = self.length.saturating_sub(offset);
        if left == 0 {
            return Ok(None);
        }
        if left < OVERHEAD {
            return Err(self.truncated(offset));
        }
        let mut head = [0; 5];
        self.read(&mut head)?;
        let [byte, length @ ..] = head;
        let length = u32::from_le_bytes(length);
        let part = Part::read(byte);
        let part = part.ok_or_else(|| self.damaged(offset, "nothing in an export is like that"))?;
        if length > LONGEST {
            return Err(self.damaged(offset, "what begins there is too long"));
        }
        if left < OVERHEAD + u64::from(length) {
            return Err(self.truncated(offset));
        }
        let mut body = vec![0; length as usize];
        self.read(&mut body)?;
        let mut checksum = [0; 8];
        self.read(&mut checksum)?;
        if self.seal.add(byte, &body) != u64::from_le_bytes(checksum) {
            return Err(self.damaged(offset, "the checksum does not match"));
        }
        Ok(Some(Frame { part, offset, body }))
    }

    /// The checksum of all that was read, and where that ends.
    pub(super) fn seal(&self) -> &Seal {
        &self.seal
    }

    /// The bytes of the file.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// The file ends inside what begins at `offset`.
    pub(super) fn truncated(&self, offset: u64) -> TravelError {
        TravelError::Truncated {
            path: self.path.clone(),
            offset,
        }
    }

    /// What begins at `offset` is wrong.
    pub(super) fn damaged(&self, offset: u64, problem: impl Into<String>) -> TravelError {
        TravelError::Damaged {
            path: self.path.clone(),
            offset,
            problem: problem.into(),
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), TravelError> {
        self.file
            .read_exact(bytes)
            .map_err(|source| match source.kind() {
                io::ErrorKind::UnexpectedEof => self.truncated(self.seal.offset),
                _ => TravelError::File {
                    path: self.path.clone(),
                    source,
                },
            })
    }
}

impl Seal {
    /// The checksum so far.
    pub(super) fn checksum(&self) -> u64 {
        self.hash.digest()
    }
}
