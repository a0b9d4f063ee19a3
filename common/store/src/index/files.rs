//! The files of the index, in the folder `index` beside the database.
//!
//! A run is believed if
//!
//! - its footer, starts and filter have their checksum; each bucket is checked when it is read;
//! - it begins where the run before ends;
//! - it has the *numbering* of the database: a random number that changes when blocks get other numbers,
//!   by [compacting](fn@crate::compact) or a repair;
//! - the last block that it covers is in the database, with the same checksum. Blocks are merged or revoked from the
//!   last on, so all earlier blocks are unchanged, too;
//! - some of its entries, spread over all of it, name existing blocks that hold a key with that hash. This detects a
//!   database that has lost a large part of its blocks.
//!
//! Any other file is removed and rebuilt.

use super::{
    Entry, Extent, Frozen, Index, KeyHash, Run, RunError,
    run::{Footer, LEAST_BITS},
    seal,
    writer::Writer,
    written,
};
use crate::{StoreError, block};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// The name of the folder.
pub(crate) const FOLDER: &str = "index";

/// The suffix of the names of unfinished files.
const UNFINISHED: &str = ".new";

/// The number of entries of a run that are compared with the database.
const SAMPLES: u64 = 32;

/// The folder of the files of an index.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    dir: PathBuf,
    numbering: Arc<AtomicU64>,
}

impl Files {
    /// The files beside the database in `dir` with this numbering.
    pub(crate) fn of(dir: &Path, numbering: u64) -> Self {
        let dir = dir.join(FOLDER);
        let numbering = Arc::new(AtomicU64::new(numbering));
        Self { dir, numbering }
    }

    pub(crate) fn numbering(&self) -> u64 {
        self.numbering.load(Ordering::Acquire)
    }

    /// Files are written with this numbering from now on, and only such files are believed.
    pub(crate) fn renumber(&self, numbering: u64) {
        self.numbering.store(numbering, Ordering::Release);
    }

    /// The index of the believed runs up to block `last`, and their extent. Removes all other files.
    pub(crate) fn open(&self, blocks: &sled::Tree, last: u64) -> (Index, Extent) {
        let mut found = self.list();
        // Of the runs that begin at a block, the longest first.
        found.sort_unstable_by_key(|&(after, upto, _)| (after, std::cmp::Reverse(upto)));
        let mut runs: Vec<Arc<Run>> = Vec::new();
        for (after, upto, path) in found {
            let at = written(&runs).cursor;
            if after == at && upto <= last && upto > at {
                match self.open_run(&path, at, upto, blocks) {
                    Ok(run) => {
                        runs.push(Arc::new(run));
                        continue;
                    }
                    Err(problem) => {
                        let path = path.display();
                        tracing::warn!(%path, problem, "a file of the index is made anew");
                    }
                }
            }
            remove(&path);
        }
        let extent = written(&runs);
        (Index::of(runs), extent)
    }

    /// Removes all files.
    pub(crate) fn clear(&self) {
        for (_, _, path) in self.list() {
            remove(&path);
        }
    }

    /// The first and last number and the path of each file. Removes files that are not runs.
    fn list(&self) -> Vec<(u64, u64, PathBuf)> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().into_string().unwrap_or_default();
            let numbers = name.split_once('-').and_then(|(after, upto)| {
                let number = |text| u64::from_str_radix(text, 16).ok();
                Some((number(after)?, number(upto)?))
            });
            match numbers {
                Some((after, upto)) => found.push((after, upto, path)),
                None => remove(&path),
            }
        }
        found
    }

    /// Opens a run if it is to be believed; otherwise returns the reason.
    fn open_run(
        &self,
        path: &Path,
        after: u64,
        upto: u64,
        blocks: &sled::Tree,
    ) -> Result<Run, String> {
        let run = Run::open(path).map_err(|error| error.to_string())?;
        let Footer {
            extent, numbering, ..
        } = run.footer;
        if (run.footer.after, extent.cursor, numbering) != (after, upto, self.numbering()) {
            return Err("it is of another database".to_owned());
        }
        let bytes = |number: u64| match blocks.get(number.to_be_bytes()) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(format!("block {number} is missing")),
            Err(error) => Err(error.to_string()),
        };
        if seal(&bytes(upto)?) != extent.seal {
            return Err(format!("block {upto} is another one"));
        }
        for sample in 0..SAMPLES {
            let hash = KeyHash(sample * (u64::MAX / SAMPLES));
            let entry = run.sample(hash).map_err(|error| error.to_string())?;
            if let Some(entry) = entry
                && !holds(&bytes(entry.block)?, entry.hash)
            {
                let Entry { block, .. } = entry;
                return Err(format!("block {block} does not hold what it should"));
            }
        }
        Ok(run)
    }

    /// Writes a frozen part as a run.
    pub(super) fn write(&self, frozen: &Frozen) -> Result<Run, RunError> {
        let mut writer = self.begin(frozen.footer)?;
        for entry in frozen.young.sorted() {
            writer.push(entry)?;
        }
        writer.finish(&self.path(&frozen.footer))
    }

    /// Merges neighbouring runs to one. `None` if `stop` becomes true.
    pub(super) fn merge(
        &self,
        runs: &[Arc<Run>],
        stop: &AtomicBool,
    ) -> Result<Option<Run>, RunError> {
        let footer = Footer {
            after: runs[0].footer.after,
            extent: written(runs),
            numbering: self.numbering(),
            entries: runs.iter().map(|run| run.len()).sum(),
            bits: 0,
        };
        let mut writer = self.begin(footer)?;
        let mut entries = Vec::new();
        for part in 0..1 << LEAST_BITS {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            entries.clear();
            for run in runs {
                run.part(part, |entry| entries.push(entry))?;
            }
            // The sort is fast on a few ascending sequences.
            entries.sort();
            for &entry in &entries {
                writer.push(entry)?;
            }
        }
        writer.finish(&self.path(&footer)).map(Some)
    }

    /// Writes the young part of an index as a run, and merges runs. No other thread may see the index.
    pub(crate) fn settle(&self, index: &mut Index, extent: Extent) -> Result<(), RunError> {
        if index.frozen.is_none() {
            index.freeze(extent, self.numbering());
        }
        if let Some(frozen) = index.frozen.clone() {
            index.put_frozen(self.write(&frozen)?);
        }
        while let Some(runs) = index.to_merge() {
            if let Some(run) = self.merge(&runs, &AtomicBool::new(false))? {
                index.put_merged(&runs, run);
                remove_all(&runs);
            }
        }
        Ok(())
    }

    fn begin(&self, footer: Footer) -> Result<Writer, RunError> {
        let made = fs::create_dir_all(&self.dir);
        let path = self.path(&footer);
        made.map_err(|source| RunError::File {
            path: path.clone(),
            source,
        })?;
        let mut unfinished = path.into_os_string();
        unfinished.push(UNFINISHED);
        Writer::begin(unfinished.as_ref(), footer)
    }

    fn path(&self, footer: &Footer) -> PathBuf {
        let (after, upto) = (footer.after, footer.extent.cursor);
        self.dir.join(format!("{after:016x}-{upto:016x}"))
    }
}

/// Whether a block holds a key with that hash.
fn holds(bytes: &[u8], hash: KeyHash) -> bool {
    let Ok(mut reader) = block::Reader::new(bytes) else {
        return false;
    };
    while let Ok(Some(record)) = reader.next_record() {
        if KeyHash::of(record.key) == hash {
            return true;
        }
    }
    false
}

/// Removes the files of runs.
pub(super) fn remove_all(runs: &[Arc<Run>]) {
    for run in runs {
        remove(&run.path);
    }
}

fn remove(path: &Path) {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(path = %path.display(), %error, "a file of the index stays");
        }
        _ => {}
    }
}

impl From<RunError> for StoreError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::File { path, source } => Self::File { path, source },
            RunError::Damaged { path } => Self::Index { path },
        }
    }
}
