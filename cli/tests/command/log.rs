//! The coordinator's log.

/// The value of `RUST_LOG` with which [`Report`]s are logged.
pub(crate) const LOG: &str = "sproutnet_coordinator=debug";

/// The coordinator's log line about a worker's report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    /// The number of records with new facts. They are durable.
    pub(crate) added: u64,
    /// The number of records that were known.
    pub(crate) repeated: u64,
}

impl Report {
    /// Reads a line of the log; `None` if it is about something else.
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
