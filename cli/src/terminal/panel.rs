//! A running computation on several lines, as shown by `watch` on a terminal.

use sproutnet_model::Progress;

use crate::terminal::rate::Rate;
use crate::terminal::spark::Spark;
use crate::terminal::style::{Look, Tone};
use crate::terminal::text;

/// The view of one computation, with the history of its rate.
pub(crate) struct Panel {
    title: String,
    rate: Rate,
    spark: Spark,
}

impl Panel {
    /// Of the computation of that name.
    pub(crate) fn new(title: &str) -> Self {
        Self {
            title: text::plain(title),
            rate: Rate::default(),
            spark: Spark::default(),
        }
    }

    /// The progress, a line for each value.
    pub(crate) fn lines(&mut self, progress: &Progress, look: Look) -> Vec<String> {
        let rate = self.rate.at(progress.seconds, progress.expansions);
        self.spark.add(progress.seconds, progress.expansions);
        let status = progress.status.name();
        let expansions = format!(
            "{}, {}/s  {}",
            text::count(progress.expansions),
            text::count(rate as u64),
            self.spark.bars()
        );
        let root = format!(
            "proof {}, disproof {}",
            text::number(progress.root.proof),
            text::number(progress.root.disproof)
        );
        let values = [
            ("status", look.paint(Tone::of(status), status)),
            ("elapsed", text::time(progress.seconds)),
            ("expansions", expansions.trim_end().to_owned()),
            ("records", text::count(progress.records)),
            ("root", root),
            ("jobs out", progress.jobs.to_string()),
            ("nodes", text::count(progress.nodes)),
        ];
        let mut lines = vec![look.paint(Tone::Heading, &self.title)];
        lines.extend(text::named_values(values, look));
        lines
    }
}
