//! The frames of an export.
//!
//! | part      | bytes                                                            |
//! |-----------|------------------------------------------------------------------|
//! | file      | [`MAGIC`], the format as four bytes, then frames up to its end    |
//! | frame     | kind, one byte; length of its body, four bytes; body; checksum   |
//! | checksum  | xxh3-64 of the whole file before it, other checksums left out    |
//!
//! Numbers are little-endian.

use super::{FORMAT, TransferError};
use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
};
use xxhash_rust::xxh3::Xxh3;

/// The first bytes of an export.
pub(super) const MAGIC: [u8; 12] = *b"sproutnet\r\n\x1a";

/// The size of a frame without its body.
pub(super) const OVERHEAD: u64 = 13;

/// The maximum size of a body. A block of the longest keys fits.
const LONGEST: u32 = 32 << 20;

/// The kind of a frame. Kinds ascend through a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum FrameKind {
    /// The header.
    Header = 1,
    /// The document of a source.
    Source = 2,
    /// A block of records.
    Block = 3,
    /// The document of a result.
    Result = 4,
    /// The counts of everything before it.
    End = 5,
}

impl FrameKind {
    fn read(byte: u8) -> Option<Self> {
        let kinds = [
            Self::Header,
            Self::Source,
            Self::Block,
            Self::Result,
            Self::End,
        ];
        kinds.into_iter().find(|&kind| kind as u8 == byte)
    }
}

/// A frame.
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    /// The offset of the frame in the file.
    pub(super) offset: u64,
    pub(super) body: Vec<u8>,
}

/// The running checksum of a file, and the length it covers.
#[derive(Clone)]
pub(super) struct RunningChecksum {
    hash: Xxh3,
    pub(super) offset: u64,
}

impl RunningChecksum {
    /// The state after the first bytes of an export.
    pub(super) fn new() -> Self {
        let mut hash = Xxh3::new();
        hash.update(&opening());
        Self {
            hash,
            offset: opening().len() as u64,
        }
    }

    /// Adds a frame and returns its checksum.
    fn add(&mut self, kind: u8, body: &[u8]) -> u64 {
        self.hash.update(&[kind]);
        self.hash.update(&(body.len() as u32).to_le_bytes());
        self.hash.update(body);
        self.offset += OVERHEAD + body.len() as u64;
        self.checksum()
    }

    /// The checksum so far.
    pub(super) fn checksum(&self) -> u64 {
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
    pub(super) out: W,
    pub(super) running: RunningChecksum,
}

impl<W: Write> FrameWriter<W> {
    /// Begins a file.
    pub(super) fn begin(mut out: W) -> io::Result<Self> {
        out.write_all(&opening())?;
        Ok(Self::resume(out, RunningChecksum::new()))
    }

    /// Continues a file with that running checksum.
    pub(super) fn resume(out: W, running: RunningChecksum) -> Self {
        Self { out, running }
    }

    /// Adds a frame.
    pub(super) fn write(&mut self, kind: FrameKind, body: &[u8]) -> io::Result<()> {
        if body.len() > LONGEST as usize {
            let problem = format!("{} bytes are too many for a frame", body.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        let checksum = self.running.add(kind as u8, body);
        self.out.write_all(&[kind as u8])?;
        self.out.write_all(&(body.len() as u32).to_le_bytes())?;
        self.out.write_all(body)?;
        self.out.write_all(&checksum.to_le_bytes())
    }
}

/// Reads frames and checks their checksums.
pub(super) struct FrameReader {
    path: PathBuf,
    file: BufReader<File>,
    /// The length of the file.
    pub(super) length: u64,
    /// The running checksum of everything read.
    pub(super) running: RunningChecksum,
}

impl FrameReader {
    /// Opens a file and checks its first bytes.
    pub(super) fn open(path: &Path) -> Result<Self, TransferError> {
        let failed = TransferError::file(path);
        let file = File::open(path).map_err(&failed)?;
        let length = file.metadata().map_err(&failed)?.len();
        let mut reader = Self {
            path: path.into(),
            file: BufReader::with_capacity(1 << 18, file),
            length,
            running: RunningChecksum::new(),
        };
        let mut bytes = Vec::new();
        let opening = reader.file.by_ref().take(MAGIC.len() as u64 + 4);
        { opening }.read_to_end(&mut bytes).map_err(&failed)?;
        let magic = &bytes[..bytes.len().min(MAGIC.len())];
        if magic.is_empty() || !MAGIC.starts_with(magic) {
            return Err(TransferError::Foreign { path: path.into() });
        }
        let Some(format) = bytes
            .get(MAGIC.len()..)
            .and_then(|bytes| bytes.try_into().ok())
        else {
            return Err(reader.truncated(0));
        };
        match u32::from_le_bytes(format) {
            FORMAT => Ok(reader),
            found => Err(TransferError::Format {
                path: path.into(),
                found,
            }),
        }
    }

    /// The next frame; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, TransferError> {
        let offset = self.running.offset;
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
        let kind = FrameKind::read(byte);
        let kind = kind.ok_or_else(|| self.damaged(offset, "it is not a known kind of frame"))?;
        if length > LONGEST {
            return Err(self.damaged(offset, "the frame is too long"));
        }
        if left < OVERHEAD + u64::from(length) {
            return Err(self.truncated(offset));
        }
        let mut body = vec![0; length as usize];
        self.read(&mut body)?;
        let mut checksum = [0; 8];
        self.read(&mut checksum)?;
        if self.running.add(byte, &body) != u64::from_le_bytes(checksum) {
            return Err(self.damaged(offset, "the checksum does not match"));
        }
        Ok(Some(Frame { kind, offset, body }))
    }

    /// The error of an incomplete part at `offset`.
    pub(super) fn truncated(&self, offset: u64) -> TransferError {
        TransferError::Truncated {
            path: self.path.clone(),
            offset,
        }
    }

    /// The error of a damaged part at `offset`.
    pub(super) fn damaged(&self, offset: u64, problem: impl Into<String>) -> TransferError {
        TransferError::Damaged {
            path: self.path.clone(),
            offset,
            problem: problem.into(),
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), TransferError> {
        self.file
            .read_exact(bytes)
            .map_err(|source| match source.kind() {
                io::ErrorKind::UnexpectedEof => self.truncated(self.running.offset),
                _ => TransferError::file(&self.path)(source),
            })
    }
}
