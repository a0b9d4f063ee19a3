//! `sproutnet games`.

use sproutnet_model::Game;
use sproutnet_query as query;

use crate::args::Common;
use crate::exit::{BadInput, Exit};
use crate::terminal::text::{Show, print, print_lines};

/// The maximum length of a line.
const WIDTH: usize = 80;

/// Before each line but the name.
const INDENT: &str = "    ";

/// Shows all games, or one game.
pub(crate) fn run(name: Option<&str>, common: &Common) -> anyhow::Result<Exit> {
    let games = match name {
        None => query::games(),
        Some(name) => {
            vec![query::game(name).map_err(|error| BadInput(error.to_string()))?]
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
fn names(games: &[Game], which: impl Fn(&Game) -> bool) -> String {
    let some = games.iter().filter(|game| which(game));
    let names: Vec<&str> = some.map(|game| game.game).collect();
    names.join(" and ")
}

impl Show for Game {
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
