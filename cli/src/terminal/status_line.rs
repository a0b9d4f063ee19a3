//! A status line for running work, shown only on a terminal, and notices.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// One line at the bottom of the terminal that updates itself. Clones share it.
#[derive(Clone)]
pub(crate) struct StatusLine(ProgressBar);

impl StatusLine {
    /// A line on standard error, if that is a terminal and `is_wanted`.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let target = if is_wanted && std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        // Cut at the terminal's width.
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Whether the line is hidden.
    pub(crate) fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    /// Changes the text of the line.
    pub(crate) fn set(&self, text: String) {
        self.0.set_message(text);
    }

    /// Prints a notice on standard error, above the line.
    pub(crate) fn notify(&self, notice: &str) {
        self.0.suspend(|| eprintln!("{notice}"));
    }

    /// Hides the line while `write` writes to the terminal.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}
