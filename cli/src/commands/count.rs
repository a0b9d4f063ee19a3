//! `sproutnet count`.

use std::time::Instant;

use serde::Serialize;
use sproutnet_game::{self as game, Lands};
use sproutnet_query::{self as query, Count, CountLimits, Lost};

use crate::args::{Common, Count as Asked};
use crate::commands::{answers, roots};
use crate::exit::Exit;
use crate::terminal::style::Look;
use crate::terminal::table::{Cell, number, table};
use crate::terminal::text::{Show, count, counted, or_dash, print};

/// A position with the count of the positions that can be reached from it.
#[derive(Serialize)]
struct Counted {
    /// The position as the user wrote it.
    position: String,
    canonical: String,
    #[serde(flatten)]
    count: Count,
}

/// Counts the positions below each position.
pub(crate) fn run(asked: &Asked, common: &Common) -> anyhow::Result<Exit> {
    answers::each(&asked.positions, common.json, |text| {
        let found = Counted::of(text, asked)?;
        print(common.json, &found)?;
        Ok(found.count.is_complete)
    })
}

impl Counted {
    fn of(text: String, asked: &Asked) -> anyhow::Result<Self> {
        let (game, position) = roots::parse(&text)?;
        let canonical = game::qualified(&*game, &game.print(&position));
        let limits = CountLimits {
            positions: asked.most as usize,
            until: Instant::now() + asked.within.0,
        };
        Ok(Self {
            position: text,
            canonical,
            count: query::count(&Lands::new(game), &position, limits),
        })
    }

    /// What the numbers say of the whole.
    fn summary(&self) -> Vec<String> {
        let count = &self.count;
        let at_least = if count.is_complete { "" } else { "at least " };
        let mut summary = vec![format!(
            "{at_least}{}",
            counted(count.positions, "position")
        )];
        summary.extend(count.options.map(|options| counted(options, "option")));
        let (shortest, longest) = (count.shortest.map(u64::from), u64::from(count.longest));
        summary.extend(
            shortest.map(|moves| format!("the shortest play has {}", counted(moves, "move"))),
        );
        let longest = counted(longest, "move");
        summary.push(format!("the longest play has {at_least}{longest}"));
        summary
    }
}

fn cells(moves: impl ToString, positions: u64, lost: Option<Lost>) -> Vec<Cell> {
    vec![
        number("moves", moves),
        number("positions", count(positions)),
        number("lost normal", or_dash(lost.map(|lost| count(lost.normal)))),
        number("lost misere", or_dash(lost.map(|lost| count(lost.misere)))),
    ]
}

impl Show for Counted {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{}: {}", self.canonical, self.summary().join(", "))];
        let found = &self.count;
        let plies = found.plies.iter().enumerate();
        let rows = plies.map(|(moves, ply)| cells(moves, ply.positions, ply.lost));
        let all = cells("all", found.positions, found.lost);
        lines.extend(table(rows.chain([all]), Look::of_stdout()));
        if !found.is_complete {
            lines.push("a limit was reached: --most and --within raise it".to_owned());
        }
        lines
    }
}
