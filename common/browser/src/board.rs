//! The pages of matches, for a site of files.

use serde::Serialize;
use sproutnet_board::sheets::Sheets;
use sproutnet_board::{Around, Host, Problem, Reply, open};

use crate::answer::with_knowledge;
use crate::opponent::Opponent;

thread_local! {
    /// The drawings of earlier pages.
    static SHEETS: Sheets = Sheets::default();
}

/// What an address of the board leads to.
#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Board {
    /// Another address.
    To {
        /// That address.
        to: String,
    },
    /// A page.
    Page {
        /// Its title.
        title: String,
        /// Its content as HTML, without what all pages of a site have.
        content: String,
    },
    /// Nothing.
    Problem {
        /// What is wrong, as the end of a sentence.
        problem: String,
        /// The place on the sheet that it is about: from the left, and from the top.
        #[serde(skip_serializing_if = "Option::is_none")]
        at: Option<[f64; 2]>,
    },
}

/// Opens the address of a page of the board, such as `/board/3?play=misere`. Small positions are searched, within a fixed
/// amount of work. The solver's random choices in a new match follow from `random`.
pub fn board(address: &str, random: u32) -> Board {
    let opened = SHEETS.with(|sheets| {
        with_knowledge(|knowledge| {
            let host = Host {
                sheets,
                solver: &Opponent::new(knowledge),
                around: Around::Files,
                random,
            };
            open(&host, address)
        })
    });
    match opened {
        Ok(Reply::To(to)) => Board::To { to },
        Ok(Reply::Page(page)) => Board::Page {
            title: page.title,
            content: page.content.into_string(),
        },
        Err(problem) => Board::Problem {
            at: match &problem {
                Problem::Refused { at, .. } => at.map(|at| [at.x, at.y]),
                _ => None,
            },
            problem: problem.to_string(),
        },
    }
}
