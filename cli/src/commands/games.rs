//! `sproutnet games`.

use serde::Serialize;
use sproutnet_certificate::format::Ruleset;
use sproutnet_game::{self as game, Game};

use crate::args::Common;
use crate::exit::Exit;
use crate::terminal::table::{Cell, Row, print_rows, text};

/// A game with its features.
#[derive(Serialize)]
struct Listed {
    game: &'static str,
    rules: &'static str,
    notation: &'static str,
    examples: Vec<String>,
    other_names: Vec<OtherName>,
    /// Whether a number alone names a start position.
    starts: bool,
    /// Whether positions can be drawn.
    drawn: bool,
    /// Whether certificates can be made.
    proved: bool,
}

/// Another name for a game with certain parameters.
#[derive(Serialize)]
struct OtherName {
    name: &'static str,
    means: String,
}

/// Lists all games.
pub(crate) fn run(common: &Common) -> anyhow::Result<Exit> {
    let games: Vec<Listed> = game::all().iter().map(|game| listed(&**game)).collect();
    print_rows(common.json, &games, "no games")?;
    if !common.json {
        println!(
            "Pictures (`draw`) are for {}; certificates (`prove`, `verify`) for {}; matches (/board) for \
             sprouts alone; `sequence` for games of single heaps.",
            if games.iter().all(|game| game.drawn) {
                "all games".to_owned()
            } else {
                names(&games, |game| game.drawn)
            },
            names(&games, |game| game.proved),
        );
    }
    Ok(Exit::Fine)
}

/// The names of the games that satisfy `which`.
fn names(games: &[Listed], which: impl Fn(&Listed) -> bool) -> String {
    let some = games.iter().filter(|game| which(game));
    let names: Vec<&str> = some.map(|game| game.game).collect();
    names.join(" and ")
}

fn listed(game: &dyn Game) -> Listed {
    let examples = game.info().examples.iter();
    let other_name = |&(name, parameters): &(&'static str, &str)| OtherName {
        name,
        means: format!("{}{parameters}", game.name()),
    };
    Listed {
        game: game.name(),
        rules: game.info().rules,
        notation: game.info().notation,
        examples: examples.map(|text| game::qualified(game, text)).collect(),
        other_names: game.other_names().iter().map(other_name).collect(),
        starts: game.start_text(0).is_some(),
        drawn: sproutnet_drawing::has_pictures(game),
        proved: Ruleset::named(game.name()).is_some(),
    }
}

impl Row for Listed {
    fn cells(&self) -> Vec<Cell> {
        let names = self.other_names.iter();
        let names: Vec<_> = names
            .map(|other| format!("{} = {}", other.name, other.means))
            .collect();
        let rules = if names.is_empty() {
            self.rules.to_owned()
        } else {
            format!("{} ({})", self.rules, names.join(", "))
        };
        vec![
            text("game", self.game),
            text("notation", self.notation),
            text("example", &self.examples[0]),
            text("rules", rules),
        ]
    }
}
