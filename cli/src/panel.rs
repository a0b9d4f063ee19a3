//! A computation under way on several lines, as `watch` shows it on a terminal.

use sproutnet_proto::v1::{self, Progress};

use crate::rate::Rate;
use crate::spark::Spark;
use crate::style::{Look, Tone};
use crate::text;
use crate::wire;

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
        let v1::Numbers { proof, disproof } = progress.root.unwrap_or_default();
        let rate = self.rate.at(progress.seconds, progress.expansions);
        self.spark.add(progress.seconds, progress.expansions);
        let status = wire::status(progress.status());
        let expansions = format!(
            "{}, {}/s  {}",
            text::count(progress.expansions),
            text::count(rate as u64),
            self.spark.bars()
        );
        let root = format!(
            "proof {}, disproof {}",
            text::number(proof),
            text::number(disproof)
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
