//! `sproutnet count`.

use std::time::Instant;

use serde::Serialize;
use sproutnet_game::{self as game, Lands};
use sproutnet_query::{self as query, CountLimits, Lost};

use crate::args::{Common, Count as Asked};
use crate::commands::{answers, roots};
use crate::exit::Exit;
use crate::terminal::style::Look;
use crate::terminal::table::{Cell, number, table};
use crate::terminal::text::{Show, count, or_dash, print};

/// A count of the positions that can be reached from a position.
#[derive(Serialize)]
struct Count {
    /// The position as the user wrote it.
    position: String,
    canonical: String,
    /// Whether all positions were met. If not, the numbers are lower bounds.
    complete: bool,
    positions: u64,
    options: Option<u64>,
    shortest: Option<u32>,
    longest: u32,
    normal_losses: Option<u64>,
    misere_losses: Option<u64>,
    plies: Vec<Ply>,
}

/// The positions after a number of moves.
#[derive(Serialize)]
struct Ply {
    moves: usize,
    positions: u64,
    normal_losses: Option<u64>,
    misere_losses: Option<u64>,
}

/// Counts the positions below each position.
pub(crate) fn run(asked: &Asked, common: &Common) -> anyhow::Result<Exit> {
    answers::each(&asked.positions, common.json, |text| {
        let count = Count::of(text, asked)?;
        print(common.json, &count)?;
        Ok(count.complete)
    })
}

impl Count {
    fn of(text: String, asked: &Asked) -> anyhow::Result<Self> {
        let (game, position) = roots::parse(&text)?;
        let canonical = game::qualified(&*game, &game.print(&position));
        let limits = CountLimits {
            positions: asked.most as usize,
            until: Instant::now() + asked.within.0,
        };
        let found = query::count(&Lands::new(game), &position, limits);
        let normal = |lost: Option<Lost>| lost.map(|lost| lost.normal);
        let misere = |lost: Option<Lost>| lost.map(|lost| lost.misere);
        let plies = found.plies.iter().enumerate();
        Ok(Self {
            position: text,
            canonical,
            complete: found.is_complete,
            positions: found.positions,
            options: found.options,
            shortest: found.shortest,
            longest: found.longest,
            normal_losses: normal(found.lost),
            misere_losses: misere(found.lost),
            plies: plies
                .map(|(moves, ply)| Ply {
                    moves,
                    positions: ply.positions,
                    normal_losses: normal(ply.lost),
                    misere_losses: misere(ply.lost),
                })
                .collect(),
        })
    }

    /// What the numbers say of the whole.
    fn summary(&self) -> Vec<String> {
        let at_least = if self.complete { "" } else { "at least " };
        let mut summary = vec![format!("{at_least}{}", plural(self.positions, "position"))];
        summary.extend(self.options.map(|options| plural(options, "option")));
        let (shortest, longest) = (self.shortest.map(u64::from), u64::from(self.longest));
        summary.extend(
            shortest.map(|moves| format!("the shortest play has {}", plural(moves, "move"))),
        );
        let longest = plural(longest, "move");
        summary.push(format!("the longest play has {at_least}{longest}"));
        summary
    }
}

/// A number and what it counts.
fn plural(number: u64, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(number))
}

fn cells(moves: impl ToString, ply: &Ply) -> Vec<Cell> {
    vec![
        number("moves", moves),
        number("positions", count(ply.positions)),
        number("lost normal", or_dash(ply.normal_losses.map(count))),
        number("lost misere", or_dash(ply.misere_losses.map(count))),
    ]
}

impl Show for Count {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{}: {}", self.canonical, self.summary().join(", "))];
        let rows = self.plies.iter().map(|ply| cells(ply.moves, ply));
        let all = Ply {
            moves: 0,
            positions: self.positions,
            normal_losses: self.normal_losses,
            misere_losses: self.misere_losses,
        };
        lines.extend(table(rows.chain([cells("all", &all)]), Look::of_stdout()));
        if !self.complete {
            lines.push("a limit was reached: --most and --within move it".to_owned());
        }
        lines
    }
}
