//! A terminal that a program has for itself: keys come at once and unseen, and the whole screen is drawn.

use std::io::{self, IsTerminal, Read, Write};

use console::{Term, truncate_str};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// Shows a second screen without a cursor; what was there before stays on the first.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";

/// Goes back to the first screen.
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// The terminal of standard input and output. When it is dropped, all is as it was before.
pub(crate) struct Canvas {
    terminal: Term,
    before: Termios,
}

impl Canvas {
    /// Whether there is a terminal to take: one that shows what it is told to, on standard input and output.
    pub(crate) fn is_possible() -> bool {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
    }

    /// Takes the terminal.
    pub(crate) fn take() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut now = before.clone();
        now.make_raw();
        tcsetattr(io::stdin(), OptionalActions::Drain, &now)?;
        let canvas = Self {
            terminal: Term::stdout(),
            before,
        };
        write(ENTER)?;
        Ok(canvas)
    }

    /// The number of columns and of rows.
    pub(crate) fn size(&self) -> (usize, usize) {
        let (rows, columns) = self.terminal.size();
        (usize::from(columns), usize::from(rows))
    }

    /// Draws lines from the top, cut to the screen's size so that nothing scrolls.
    pub(crate) fn draw(&self, lines: &[String]) -> io::Result<()> {
        let (columns, rows) = self.size();
        let lines = lines.iter().take(rows);
        let lines: Vec<String> = lines
            .map(|line| format!("{}\x1b[K", truncate_str(line, columns, "…")))
            .collect();
        write(&format!("\x1b[H{}\x1b[J", lines.join("\r\n")))
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        // If the terminal is gone, nothing is left to restore.
        let _ = write(LEAVE);
        let _ = tcsetattr(io::stdin(), OptionalActions::Drain, &self.before);
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Passes on what is typed, from a thread of its own, until nobody takes it. Nothing comes after the end.
pub(crate) fn typed(mut pass_on: impl FnMut(&[u8]) -> bool + Send + 'static) {
    std::thread::spawn(move || {
        let mut buffer = [0; 64];
        loop {
            let read = match io::stdin().lock().read(&mut buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            if !pass_on(&buffer[..read]) || read == 0 {
                return;
            }
        }
    });
}
