//! The frames of an export.
//!
//! | part      | bytes                                                            |
//! |-----------|------------------------------------------------------------------|
//! | file      | [`MAGIC`], the format as four bytes, then frames up to its end    |
//! | frame     | kind, one byte; length of its body, four bytes; body; checksum   |
//! | checksum  | xxh3-64 of the whole file before it, other checksums left out    |
//!
//! Numbers are little-endian.

use super::FORMAT;
use crate::{StoreError, Unusable, database::sync_entries};
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use xxhash_rust::xxh3::Xxh3;

/// The first bytes of an export.
const MAGIC: [u8; 12] = *b"sproutnet\r\n\x1a";

/// The size of a frame without its body.
const OVERHEAD: u64 = 13;

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
    fn new() -> Self {
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

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Opens a file that only this process writes.
pub(super) fn open_to_write(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path).map_err(StoreError::file(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy { path: path.into() }),
        Err(TryLockError::Error(error)) => Err(StoreError::file(path)(error)),
    }
}

/// Writes frames.
pub(super) struct FrameWriter<W: Write> {
    /// What is written, for errors.
    path: PathBuf,
    out: W,
    pub(super) running: RunningChecksum,
}

impl FrameWriter<BufWriter<File>> {
    /// Begins a file, or continues it with the running checksum of the frames to keep.
    pub(super) fn new(
        path: PathBuf,
        file: File,
        kept: Option<RunningChecksum>,
    ) -> Result<Self, StoreError> {
        let begin = |mut file: &File| {
            file.set_len(kept.as_ref().map_or(0, |kept| kept.offset))?;
            file.seek(SeekFrom::End(0))?;
            match kept {
                Some(_) => Ok(()),
                None => file.write_all(&opening()),
            }
        };
        begin(&file).map_err(StoreError::file(&path))?;
        Ok(Self {
            path,
            out: BufWriter::new(file),
            running: kept.unwrap_or_else(RunningChecksum::new),
        })
    }

    /// Makes the file durable under its final name.
    pub(super) fn settle(mut self, path: &Path) -> Result<(), StoreError> {
        let mut settle = || {
            self.out.flush()?;
            self.out.get_ref().sync_all()?;
            fs::rename(&self.path, path)?;
            sync_entries(folder_of(path))
        };
        settle().map_err(StoreError::file(&self.path))
    }
}

impl<W: Write> FrameWriter<W> {
    /// Begins an export that goes to `out`, which errors call `path`.
    pub(super) fn begin(path: PathBuf, mut out: W) -> Result<Self, StoreError> {
        out.write_all(&opening()).map_err(StoreError::file(&path))?;
        Ok(Self {
            path,
            out,
            running: RunningChecksum::new(),
        })
    }

    /// Adds a frame.
    pub(super) fn write(&mut self, kind: FrameKind, body: &[u8]) -> Result<(), StoreError> {
        let written = self.try_write(kind, body);
        written.map_err(StoreError::file(&self.path))
    }

    fn try_write(&mut self, kind: FrameKind, body: &[u8]) -> io::Result<()> {
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

    /// Sends what is buffered.
    pub(super) fn flush(&mut self) -> Result<(), StoreError> {
        self.out.flush().map_err(StoreError::file(&self.path))
    }
}

/// Checks that an export may be written here: over nothing, an empty file, or an export.
///
/// # Errors
/// [`StoreError::Unusable`] if something else is here, which a rename would replace; [`StoreError::File`].
pub fn check_target(path: &Path) -> Result<(), StoreError> {
    let is_replaceable = || {
        let found = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            found => found?,
        };
        let mut first = Vec::new();
        if found.is_file() {
            let file = File::open(path)?;
            file.take(MAGIC.len() as u64).read_to_end(&mut first)?;
        }
        Ok(found.is_file() && (first.is_empty() || first == MAGIC))
    };
    if is_replaceable().map_err(StoreError::file(path))? {
        Ok(())
    } else {
        Err(StoreError::Unusable {
            path: path.into(),
            reason: Unusable::Kept,
        })
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
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = StoreError::file(path);
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
            return Err(reader.unusable(Unusable::Foreign));
        }
        let format = bytes.get(MAGIC.len()..).and_then(<[u8]>::first_chunk);
        match format.map(|format| u32::from_le_bytes(*format)) {
            Some(FORMAT) => Ok(reader),
            Some(found) => Err(reader.unusable(Unusable::Format(found))),
            None => Err(reader.truncated(0)),
        }
    }

    /// The next frame; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, StoreError> {
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
    pub(super) fn truncated(&self, offset: u64) -> StoreError {
        self.unusable(Unusable::Truncated(offset))
    }

    /// The error of a damaged part at `offset`.
    pub(super) fn damaged(&self, offset: u64, problem: impl Into<String>) -> StoreError {
        self.unusable(Unusable::Damaged(offset, problem.into()))
    }

    fn unusable(&self, reason: Unusable) -> StoreError {
        let path = self.path.clone();
        StoreError::Unusable { path, reason }
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), StoreError> {
        let read = self.file.read_exact(bytes);
        read.map_err(|source| match source.kind() {
            io::ErrorKind::UnexpectedEof => self.truncated(self.running.offset),
            _ => StoreError::file(&self.path)(source),
        })
    }
}
