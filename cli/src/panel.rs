//! A computation under way on several lines, as `watch` shows it on a terminal.

use sproutnet_model::Progress;

use crate::rate::Rate;
use crate::spark::Spark;
use crate::style::{Look, Tone};
use crate::text;

/// What is shown of one computation, and what is kept from one time to the next.
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

    /// How far it is, a line for each thing to tell.
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
