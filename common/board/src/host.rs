//! What the pages of a match need of the site that shows them.

use std::fmt::Write as _;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::links::{self, encoded};
use crate::sheets::Sheets;
use crate::solver::Solver;

/// A site with a board.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    /// The drawings that it keeps.
    pub sheets: &'a Sheets,
    /// The opponent, who also gives hints.
    pub solver: &'a dyn Solver,
    /// The pages around the board.
    pub around: Around,
    /// A random number, from which the random choices of a new match follow.
    pub random: u32,
}

/// The pages and files of a site around its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// Those of a coordinator: pages of positions, pictures as files, the editor, matches between two devices.
    Server,
    /// Those of a site of files: one page that looks up positions.
    Files,
}

impl Around {
    /// Whether the site has all that needs a server.
    pub fn has_server(self) -> bool {
        self == Self::Server
    }

    /// The address of the page of a position.
    pub(crate) fn position(self, text: &str) -> String {
        match self {
            Self::Server => links::position(text),
            Self::Files => format!("look-up.html#{}", encoded(text)),
        }
    }

    /// The address of a picture: that of its file, or one that contains it. Where there is no picture, that is empty.
    pub(crate) fn picture(
        self,
        file: impl FnOnce() -> String,
        svg: impl FnOnce() -> Option<String>,
    ) -> String {
        if self.has_server() {
            return file();
        }
        let mut address = "data:image/svg+xml,".to_owned();
        let svg = svg().unwrap_or_default();
        let _ = write!(address, "{}", utf8_percent_encode(&svg, NON_ALPHANUMERIC));
        address
    }
}
