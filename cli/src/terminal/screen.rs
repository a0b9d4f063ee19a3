//! A block of lines on a terminal that is drawn again in place.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use console::{Term, truncate_str};

/// Rows that are kept free: one for the cursor, one for a notice.
const KEPT_FREE: usize = 2;

/// A block of lines on standard output, cut to the terminal's size so that it never scrolls.
/// Clones are the same block.
#[derive(Clone)]
pub(crate) struct Screen(Arc<Mutex<Block>>);

struct Block {
    /// Nothing is written before it is flushed, so that nothing flickers.
    terminal: Term,
    lines: Vec<String>,
    /// How many rows were drawn last, on a terminal of which width.
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

    /// Draws lines in place of those before.
    pub(crate) fn show(&self, lines: Vec<String>) -> io::Result<()> {
        let mut block = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        block.lines = lines;
        block.draw(None)
    }

    /// Shows a notice under the lines until the next are drawn.
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
            // The terminal may have broken the lines anew, so that their rows are not known.
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
