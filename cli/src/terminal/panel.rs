//! The display of a running computation, in one line or in several.

use sproutnet_model::{Progress, Status};

use crate::terminal::history::History;
use crate::terminal::style::{Look, Tone};
use crate::terminal::text::{self, count, proof_number, time};

/// The view of one computation, with the history of its rate.
pub(crate) struct Panel {
    title: String,
    history: History,
}

impl Panel {
    /// A view of a computation under this title.
    pub(crate) fn new(title: &str) -> Self {
        Self {
            title: text::plain(title),
            history: History::default(),
        }
    }

    /// Adds progress to the history.
    pub(crate) fn add(&mut self, progress: &Progress) {
        self.history.add(progress.seconds, progress.expansions);
    }

    /// The progress in one line. The most important values come first, because narrow terminals cut the rest.
    pub(crate) fn line(&self, progress: &Progress) -> String {
        let status = match progress.status {
            Status::Running => String::new(),
            other => format!("{}, ", other.name()),
        };
        let estimate = progress.estimate.map(text::estimated);
        let estimate = estimate.map_or_else(String::new, |time| format!(" (estimate {time})"));
        format!(
            "{}: {status}{}{estimate}, proof {} disproof {}, {} expansions ({}/s), {} records, {} jobs, {} nodes",
            self.title,
            time(progress.seconds),
            proof_number(progress.root.proof),
            proof_number(progress.root.disproof),
            count(progress.expansions),
            count(self.history.rate() as u64),
            count(progress.records),
            progress.jobs,
            count(progress.nodes),
        )
    }

    /// The progress under a heading, one line for each value.
    pub(crate) fn lines(&self, id: u64, progress: &Progress) -> Vec<String> {
        let look = Look::of_stdout();
        let status = progress.status.name();
        let expansions = format!(
            "{}, {}/s  {}",
            count(progress.expansions),
            count(self.history.rate() as u64),
            self.history.bars()
        );
        let root = format!(
            "proof {}, disproof {}",
            proof_number(progress.root.proof),
            proof_number(progress.root.disproof)
        );
        let heading = format!("{}, computation {id}", self.title);
        let mut lines = vec![look.paint(Tone::Heading, &heading)];
        let mut values = vec![
            ("status", look.paint(Tone::of(status), status)),
            ("elapsed", time(progress.seconds)),
        ];
        values.extend(
            progress
                .estimate
                .map(|of| ("estimate", text::estimated(of))),
        );
        values.extend([
            ("expansions", expansions.trim_end().to_owned()),
            ("records", count(progress.records)),
            ("root", root),
            ("jobs out", progress.jobs.to_string()),
            ("nodes", count(progress.nodes)),
        ]);
        lines.extend(text::named_values(values));
        lines
    }
}
