//! Colours of words on a terminal. A colour never carries information alone.

use std::env;
use std::ffi::OsString;

use console::{Style, Term};

/// The role of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Ordinary text.
    Plain,
    /// A heading.
    Heading,
    /// The name of a value, or a missing value.
    Dim,
    /// Good news.
    Win,
    /// Bad news.
    Loss,
    /// Work in progress.
    Busy,
}

impl Tone {
    /// The tone of a word: an outcome, the status of a computation, or a missing value.
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "win" => Self::Win,
            "loss" | "failed" => Self::Loss,
            "running" | "waiting" | "paused" => Self::Busy,
            "unknown" | "-" | "cancelled" | "expired" => Self::Dim,
            _ => Self::Plain,
        }
    }
}

/// The capabilities of an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether colours are shown.
    pub(crate) is_coloured: bool,
    /// The number of columns of a terminal. `None` elsewhere: nothing is cut.
    pub(crate) width: Option<usize>,
}

impl Look {
    /// The look of standard output.
    pub(crate) fn of_stdout() -> Self {
        let terminal = Term::stdout();
        let is_terminal = terminal.is_term();
        Self {
            is_coloured: wants_colours(|name| env::var_os(name), is_terminal),
            width: is_terminal.then(|| usize::from(terminal.size().1)),
        }
    }

    /// The text in the colour of the tone, or unchanged without colours.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        if !self.is_coloured || text.trim().is_empty() {
            return text.to_owned();
        }
        let style = Style::new().force_styling(true);
        let style = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Heading => style.bold(),
            Tone::Dim => style.dim(),
            Tone::Win => style.green(),
            Tone::Loss => style.red(),
            Tone::Busy => style.yellow(),
        };
        style.apply_to(text).to_string()
    }
}

/// Whether the user wants colours, as in <https://no-color.org> and <https://bixense.com/clicolors>: `NO_COLOR` comes
/// first, then `CLICOLOR_FORCE`, then what the output can do.
fn wants_colours(variable: impl Fn(&str) -> Option<OsString>, is_terminal: bool) -> bool {
    let is = |name, value: &str| variable(name).is_some_and(|set| set == value);
    let is_set = |name| variable(name).is_some() && !is(name, "");
    if is_set("NO_COLOR") {
        return false;
    }
    if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") {
        return true;
    }
    is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb")
}

#[cfg(test)]
#[path = "style_tests.rs"]
mod tests;
