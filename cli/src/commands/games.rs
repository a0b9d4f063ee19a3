//! `sproutnet games`.

use serde::Serialize;
use sproutnet_certificate::format::Ruleset;
use sproutnet_game::{self as game, Game};

use crate::args::Common;
use crate::exit::{BadInput, Exit};
use crate::terminal::text::{Show, print, print_lines};

/// The maximum length of a line.
const WIDTH: usize = 80;

/// Before each line but the name.
const INDENT: &str = "    ";

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

/// Shows all games, or one game.
pub(crate) fn run(name: Option<&str>, common: &Common) -> anyhow::Result<Exit> {
    let games: Vec<Listed> = match name {
        None => game::all().iter().map(|game| listed(&**game)).collect(),
        Some(name) => {
            let (game, _) = game::split_game(&format!("{name}:"))
                .map_err(|error| BadInput(error.to_string()))?;
            vec![listed(&*game)]
        }
    };
    for game in &games {
        print(common.json, game)?;
    }
    if name.is_none() && !common.json {
        print_lines(&[
            "`draw` makes pictures of all games.".to_owned(),
            format!(
                "`prove` and `verify` have certificates for {}.",
                names(&games, |game| game.proved)
            ),
            "`sequence` and `quotient` are for games of heaps.".to_owned(),
            "Matches against the solver (/board) are for sprouts alone.".to_owned(),
        ])?;
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

impl Show for Listed {
    /// The name, then what there is to say, indented.
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.game.to_owned()];
        let mut say = |what: &str, text: &str| {
            lines.extend(wrapped(&format!("{what}{text}")));
        };
        say("", self.rules);
        say("written ", self.notation);
        say("for example ", &self.examples.join(" "));
        for other in &self.other_names {
            say("", &format!("{} is {}", other.name, other.means));
        }
        lines.push(String::new());
        lines
    }
}

/// A text in lines of at most [`WIDTH`] characters, indented. Words that are longer have lines of their own.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{INDENT}{word}")),
        }
    }
    lines
}
