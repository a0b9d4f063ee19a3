//! The display of progress: a block of lines that is redrawn in place on a terminal, or a status line.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use console::{Term, truncate_str};

use crate::terminal::status_line::StatusLine;

/// The number of terminal rows that stay free: one for the cursor, one for a notice.
const KEPT_FREE: usize = 2;

/// A block of lines on standard output, cut to the terminal's size so that it never scrolls. Clones share the block.
#[derive(Clone)]
pub(crate) struct Screen(Arc<Mutex<Block>>);

struct Block {
    /// Buffered until the flush, so that nothing flickers.
    terminal: Term,
    lines: Vec<String>,
    /// The number of rows of the last drawing, and the width of the terminal at that time.
    drawn: usize,
    width: usize,
}

impl Screen {
    /// A block, if standard output is a terminal.
    pub(crate) fn new() -> Option<Self> {
        let terminal = Term::buffered_stdout();
        terminal.is_term().then(|| {
            Self(Arc::new(Mutex::new(Block {
                terminal,
                lines: Vec::new(),
                drawn: 0,
                width: 0,
            })))
        })
    }

    /// Replaces the drawn lines.
    pub(crate) fn show(&self, lines: Vec<String>) -> io::Result<()> {
        let mut block = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        block.lines = lines;
        block.draw(None)
    }

    /// Shows a notice under the lines, until the next drawing.
    pub(crate) fn notify(&self, notice: &str) -> io::Result<()> {
        let mut block = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        block.draw(Some(notice))
    }
}

impl Block {
    fn draw(&mut self, notice: Option<&str>) -> io::Result<()> {
        let (height, width) = self.terminal.size();
        let (height, width) = (usize::from(height), usize::from(width));
        let room = height.saturating_sub(KEPT_FREE).max(1);
        let is_long = self.lines.len() > room;
        let shown = if is_long { room - 1 } else { self.lines.len() };
        let more = format!("… and {} more lines", self.lines.len() - shown);
        let lines = self.lines[..shown].iter().map(String::as_str);
        let lines = lines.chain(is_long.then_some(&*more)).chain(notice);
        if self.drawn > 0 && self.width != width {
            // The width has changed: the terminal may have wrapped the lines anew, so their rows are unknown.
            self.terminal.clear_screen()?;
        } else {
            self.terminal.move_cursor_up(self.drawn)?;
        }
        self.drawn = 0;
        self.width = width;
        for line in lines {
            self.terminal.clear_line()?;
            self.terminal.write_line(&truncate_str(line, width, "…"))?;
            self.drawn += 1;
        }
        self.terminal.clear_to_end_of_screen()?;
        self.terminal.flush()
    }
}

/// The display of progress. Clones share it.
#[derive(Clone)]
pub(crate) enum Display {
    /// On standard output, which is a terminal.
    Screen(Screen),
    /// On standard error, which may be no terminal.
    Line(StatusLine),
}

impl Display {
    /// A screen if standard output is a terminal, else a line. With JSON, neither is drawn.
    pub(crate) fn new(json: bool) -> Self {
        match Screen::new().filter(|_| !json) {
            Some(screen) => Self::Screen(screen),
            None => Self::Line(StatusLine::new(!json)),
        }
    }

    /// Shows a notice beside the progress.
    pub(crate) fn notify(&self, notice: &str) {
        match self {
            Self::Screen(screen) => {
                // If the terminal is gone, standard error may still be a log.
                if screen.notify(notice).is_err() {
                    eprintln!("{notice}");
                }
            }
            Self::Line(line) => line.notify(notice),
        }
    }

    /// Removes the progress.
    pub(crate) fn clear(&self) {
        match self {
            // If the terminal is gone, nothing is left to remove.
            Self::Screen(screen) => _ = screen.show(Vec::new()),
            Self::Line(line) => line.clear(),
        }
    }
}
