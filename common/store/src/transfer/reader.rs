//! Reads an export. Its bytes are not trusted.

use super::{
    Counts, Header, RESULTS,
    frames::{Frame, FrameKind, FrameReader, RunningChecksum},
};
use crate::{Batch, SourceOfRecords, Sources, StoreError, Watch, walk::proceed};
use std::path::Path;

/// Reads an export frame by frame, and checks each against those before it. After an error, everything
/// describes the file up to the last sound frame.
pub(super) struct ExportReader {
    frames: FrameReader,
    pub(super) header: Header,
    last: FrameKind,
    /// The offset of the last frame.
    pub(super) last_offset: u64,
    /// The counts of everything read.
    pub(super) counts: Counts,
    /// The last key.
    pub(super) last_key: Option<Box<[u8]>>,
}

/// The content of a frame.
pub(super) enum Item {
    /// A source and its number.
    Source(u32, SourceOfRecords),
    /// Records in ascending order of keys, all above earlier ones.
    Records(Batch),
    /// A result: the name and the bytes of its document.
    Result(String, Vec<u8>),
    /// The end.
    End,
}

/// Reads all of an export and checks that it is sound and complete. Returns its checksum.
pub(crate) fn verify(path: &Path, watch: Watch<'_>) -> Result<u64, StoreError> {
    let mut reader = ExportReader::open(path)?;
    while reader.next()?.is_some() {
        let (done, of) = (reader.running().offset, reader.frames.length);
        proceed(watch, "checking", done, of)?;
    }
    Ok(reader.running().checksum())
}

impl ExportReader {
    /// Reads the header.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let mut frames = FrameReader::open(path)?;
        let start = frames.running.offset;
        let Some(frame) = frames.next()? else {
            return Err(frames.truncated(start));
        };
        let header = match frame.kind {
            FrameKind::Header => serde_json::from_slice(&frame.body).map_err(|e| e.to_string()),
            other => Err(format!("{other:?} comes before the header")),
        };
        let header = header.map_err(|problem| frames.damaged(start, problem))?;
        Ok(Self {
            frames,
            header,
            last: FrameKind::Header,
            last_offset: start,
            counts: Counts::default(),
            last_key: None,
        })
    }

    /// The content of the next frame; `None` after the end.
    pub(super) fn next(&mut self) -> Result<Option<Item>, StoreError> {
        let sound = self.frames.running.clone();
        let item = self.read();
        if item.is_err() {
            self.frames.running = sound;
        }
        item
    }

    fn read(&mut self) -> Result<Option<Item>, StoreError> {
        let Some(frame) = self.frames.next()? else {
            return if self.is_complete() {
                Ok(None)
            } else {
                Err(self.frames.truncated(self.frames.running.offset))
            };
        };
        let (kind, offset) = (frame.kind, frame.offset);
        let item = self.parse(frame);
        let item = item.map_err(|problem| self.frames.damaged(offset, problem))?;
        (self.last, self.last_offset) = (kind, offset);
        Ok(Some(item))
    }

    fn parse(&mut self, Frame { kind, body, .. }: Frame) -> Result<Item, String> {
        if kind < self.last || self.is_complete() {
            return Err(format!("{kind:?} comes after {:?}", self.last));
        }
        match kind {
            FrameKind::Header => Err("there is a second header".to_owned()),
            FrameKind::Source => {
                let (number, source) = serde_json::from_slice(&body).map_err(|e| e.to_string())?;
                self.counts.sources += 1;
                Ok(Item::Source(number, source))
            }
            FrameKind::Block => self.records(&body).map(Item::Records),
            FrameKind::Result => {
                let split = body.iter().position(|&byte| byte == b'\n');
                let (name, bytes) = body.split_at(split.ok_or("a result has no name")?);
                let name = String::from_utf8(name.to_vec()).map_err(|e| e.to_string())?;
                if !name.starts_with(RESULTS) {
                    return Err(format!("`{name}` is not the name of a result"));
                }
                self.counts.results += 1;
                Ok(Item::Result(name, bytes[1..].to_vec()))
            }
            FrameKind::End => {
                let counts: Counts = serde_json::from_slice(&body).map_err(|e| e.to_string())?;
                if counts == self.counts {
                    Ok(Item::End)
                } else {
                    Err(format!("it counts {counts:?}, there are {:?}", self.counts))
                }
            }
        }
    }

    fn records(&mut self, body: &[u8]) -> Result<Batch, String> {
        let mut batch = Batch::default();
        let pushed = batch.push_block(body, |source| source);
        pushed.map_err(|error| error.to_string())?;
        if let (Some(first), Some(last)) = (batch.iter().next(), batch.iter().last()) {
            let previous = self.last_key.as_deref();
            if previous.is_some_and(|previous| first.key <= previous) {
                return Err("its keys are not above earlier ones".to_owned());
            }
            self.last_key = Some(last.key.into());
        }
        self.counts.records += batch.len() as u64;
        Ok(batch)
    }

    /// The running checksum of everything read.
    pub(super) fn running(&self) -> &RunningChecksum {
        &self.frames.running
    }

    /// Whether the end has been read.
    pub(super) fn is_complete(&self) -> bool {
        self.last == FrameKind::End
    }

    /// All sources, and the item after them.
    pub(super) fn sources(&mut self) -> Result<(Sources, Option<Item>), StoreError> {
        let mut sources = Sources::default();
        loop {
            match self.next()? {
                Some(Item::Source(number, source)) => sources.restore(number, source),
                other => return Ok((sources, other)),
            }
        }
    }
}
