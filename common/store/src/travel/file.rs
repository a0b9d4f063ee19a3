//! Reading an export, whatever its bytes are.

use super::{
    Header, RESULTS, TravelError,
    frames::{Frame, FrameReader, Part, Seal},
    header::Counts,
};
use crate::{Batch, SourceOfRecords, Sources, block};
use std::path::Path;

/// Reads an export frame by frame, and holds each to what came before it.
pub(super) struct Reading {
    frames: FrameReader,
    header: Header,
    last: Part,
    /// Where the last frame begins.
    last_offset: u64,
    counts: Counts,
    /// The last key.
    last_key: Option<Box<[u8]>>,
}

/// What a frame says.
pub(super) enum Said {
    /// A source and its number.
    Source(u32, SourceOfRecords),
    /// Records in ascending order of keys, all above those before.
    Records(Batch),
    /// A result: the name and the bytes of its document.
    Result(String, Vec<u8>),
    /// That was all.
    End,
}

impl Reading {
    /// Reads the header.
    pub(super) fn open(path: &Path) -> Result<Self, TravelError> {
        let mut frames = FrameReader::open(path)?;
        let start = frames.seal().offset;
        let Some(frame) = frames.next()? else {
            return Err(frames.truncated(start));
        };
        let header = match frame.part {
            Part::Header => serde_json::from_slice(&frame.body).map_err(|e| e.to_string()),
            other => Err(format!("{other:?} comes before the header")),
        };
        let header = header.map_err(|problem| frames.damaged(start, problem))?;
        Ok(Self {
            frames,
            header,
            last: Part::Header,
            last_offset: start,
            counts: Counts::default(),
            last_key: None,
        })
    }

    /// What the next frame says; `None` behind the end.
    pub(super) fn next(&mut self) -> Result<Option<Said>, TravelError> {
        let Some(frame) = self.frames.next()? else {
            return match self.is_complete() {
                true => Ok(None),
                false => Err(self.frames.truncated(self.frames.seal().offset)),
            };
        };
        let offset = frame.offset;
        self.last_offset = offset;
        let said = self.understand(frame);
        said.map(Some)
            .map_err(|problem| self.frames.damaged(offset, problem))
    }

    fn understand(&mut self, Frame { part, body, .. }: Frame) -> Result<Said, String> {
        if part < self.last || part == Part::Header || self.is_complete() {
            return Err(format!("{part:?} comes after {:?}", self.last));
        }
        self.last = part;
        match part {
            Part::Header => Err("there is a second header".to_owned()),
            Part::Source => {
                let (number, source) = serde_json::from_slice(&body).map_err(|e| e.to_string())?;
                self.counts.sources += 1;
                Ok(Said::Source(number, source))
            }
            Part::Block => self.records(&body).map(Said::Records),
            Part::Result => {
                let split = body.iter().position(|&byte| byte == b'\n');
                let (name, bytes) = body.split_at(split.ok_or("a result has no name")?);
                let name = String::from_utf8(name.to_vec()).map_err(|e| e.to_string())?;
                if !name.starts_with(RESULTS) {
                    return Err(format!("`{name}` is no result"));
                }
                self.counts.results += 1;
                Ok(Said::Result(name, bytes[1..].to_vec()))
            }
            Part::End => {
                let counts: Counts = serde_json::from_slice(&body).map_err(|e| e.to_string())?;
                match counts == self.counts {
                    true => Ok(Said::End),
                    false => Err(format!(
                        "{counts:?} were written, {:?} are there",
                        self.counts
                    )),
                }
            }
        }
    }

    fn records(&mut self, body: &[u8]) -> Result<Batch, String> {
        let mut batch = Batch::default();
        let pushed = batch.push_block(body, |source| source);
        pushed.map_err(|error: block::BlockError| error.to_string())?;
        let mut records = batch.iter();
        let first = records.next();
        if first.is_some_and(|first| {
            self.last_key
                .as_deref()
                .is_some_and(|last| first.key <= last)
        }) {
            return Err("its keys are not above those before".to_owned());
        }
        if let Some(last) = records.last().or(first) {
            self.last_key = Some(last.key.into());
        }
        self.counts.records += batch.len() as u64;
        Ok(batch)
    }

    /// Reads all of a file, and finds that it is sound and complete. Returns its checksum.
    pub(super) fn verify(
        path: &Path,
        mut step: impl FnMut(u64, u64) -> Result<(), TravelError>,
    ) -> Result<u64, TravelError> {
        let mut frames = FrameReader::open(path)?;
        let length = frames.length();
        let mut last = None;
        while let Some(frame) = frames.next()? {
            if last == Some(Part::End) {
                return Err(frames.damaged(frame.offset, "something follows the end"));
            }
            last = Some(frame.part);
            step(frames.seal().offset, length)?;
        }
        match last {
            Some(Part::End) => Ok(frames.seal().checksum()),
            _ => Err(frames.truncated(frames.seal().offset)),
        }
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// What was read.
    pub(super) fn seal(&self) -> &Seal {
        self.frames.seal()
    }

    /// How much was read.
    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// Where in the file the last frame begins that was read.
    pub(super) fn last_offset(&self) -> u64 {
        self.last_offset
    }

    /// The last key that was read.
    pub(super) fn last_key(&self) -> Option<&[u8]> {
        self.last_key.as_deref()
    }

    /// Whether the end was read.
    pub(super) fn is_complete(&self) -> bool {
        self.last == Part::End
    }

    /// The sources, and what comes after them.
    pub(super) fn sources(&mut self) -> Result<(Sources, Option<Said>), TravelError> {
        let mut sources = Sources::default();
        loop {
            match self.next()? {
                Some(Said::Source(number, source)) => sources.restore(number, source),
                other => return Ok((sources, other)),
            }
        }
    }
}
