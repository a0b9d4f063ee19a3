//! The figures, as tables.

/// The figures of a run, as `f64` for ratios and medians.
pub(crate) struct Row {
    pub(crate) outcome: &'static str,
    pub(crate) expansions: f64,
    /// Wall time.
    pub(crate) seconds: f64,
    /// Processor seconds of all workers.
    pub(crate) worker_seconds: f64,
    pub(crate) coordinator_seconds: f64,
    /// Calls for a job, reports, and blocks of the feed.
    pub(crate) messages: f64,
    /// To the coordinator.
    pub(crate) bytes_in: f64,
    /// From the coordinator.
    pub(crate) bytes_out: f64,
}

const COLUMNS: [&str; 9] = [
    "position",
    "workers x cores",
    "outcome",
    "expansions",
    "wall s",
    "workers' s",
    "messages/M",
    "MB in, out/M",
    "coordinator's s/M",
];

/// Prints the head of the table of all runs. `/M` means per million expansions.
pub(crate) fn print_head() {
    println!("| {} |", COLUMNS.join(" | "));
    println!("|{}", "--:|".repeat(COLUMNS.len()));
}

impl Row {
    /// Prints it.
    pub(crate) fn print(&self, position: &str, (workers, cores): (usize, usize)) {
        let millions = self.expansions / 1e6;
        let outcome = self.outcome.trim_start_matches("OUTCOME_").to_lowercase();
        println!(
            "| {position} | {workers}x{cores} | {outcome} | {:.0} | {:.1} | {:.1} | {:.0} | {:.1}, {:.1} | {:.2} |",
            self.expansions,
            self.seconds,
            self.worker_seconds,
            self.messages / millions,
            self.bytes_in / millions / 1e6,
            self.bytes_out / millions / 1e6,
            self.coordinator_seconds / millions,
        );
    }
}

/// Prints medians, relative to those of the first fleet.
pub(crate) fn print_comparison(fleets: &[(usize, usize)], rows: &[Vec<Row>]) {
    let of = |rows: &[Row], figure: fn(&Row) -> f64| {
        let mut all: Vec<f64> = rows.iter().map(figure).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let first = &rows[0];
    println!("\nmedians, relative to the first:");
    for ((workers, cores), rows) in fleets.iter().zip(rows) {
        let threads = (workers * cores) as f64;
        let relative = |figure| of(rows, figure) / of(first, figure);
        // Derived from processor time, so that other load on the machine does not count.
        let derived = threads / relative(|row| row.worker_seconds);
        println!(
            "{workers}x{cores}: expansions {:.2}, expansions per processor second {:.2}, speed-up by processor time \
             {derived:.2}, by wall time {:.2}",
            relative(|row| row.expansions),
            relative(|row| row.expansions / row.worker_seconds),
            1.0 / relative(|row| row.seconds),
        );
    }
}
