//! The coordinator's log.

/// The log setting under which [`Report`]s are logged.
pub(crate) const LOG: &str = "sproutnet_coordinator=debug";

/// What the coordinator logs when it has taken in what came of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    /// Records that said something new, durable by now.
    pub(crate) added: u64,
    /// Records that were known.
    pub(crate) repeated: u64,
}

impl Report {
    /// Reads a line of the log, if it is of that kind.
    pub(crate) fn read(line: &str) -> Option<Self> {
        line.contains(": report ").then_some(())?;
        Some(Self {
            added: logged(line, "added")?,
            repeated: logged(line, "repeated")?,
        })
    }
}

/// A number in a line of the log.
pub(crate) fn logged(line: &str, field: &str) -> Option<u64> {
    let mut fields = line
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    fields.find(|(name, _)| *name == field)?.1.parse().ok()
}
