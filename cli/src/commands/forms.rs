//! `sproutnet genus` and `sproutnet canonical`: the value of a position in sums under misère play.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use sproutnet_game::{self as game, Game, Position};
use sproutnet_query::{is_small, misere_nimber_of_small, nimber_of_small};
use sproutnet_solver::play::misere::forms::{Form, Forms, Limits, Stopped};
use sproutnet_solver::play::misere::genus::Class;
use sproutnet_solver::play::misere::tree::Tree;
use sproutnet_solver::play::{Knowledge, Play};
use sproutnet_solver::theory::{self, quotient::Effort};

use crate::args::{Common, Forms as Asked};
use crate::commands::{answers, roots};
use crate::exit::Exit;
use crate::terminal::table::{Cell, Row, Rows, text};
use crate::terminal::text::{or_dash, print_json, print_lines};

/// The genus of a position.
#[derive(Serialize)]
struct Symbol {
    /// The position as the user wrote it.
    position: String,
    canonical: String,
    genus: Option<String>,
    nimber: Option<u32>,
    misere_nimber: Option<u32>,
    /// Whether the position is tame; `null` if that is unknown.
    tame: Option<bool>,
    /// Why the genus is unknown.
    reason: Option<String>,
}

/// The canonical form of a position.
#[derive(Serialize)]
struct Reduced {
    /// The position as the user wrote it.
    position: String,
    canonical: String,
    nimber: Option<u32>,
    form: Option<String>,
    /// The names in the form, and what they stand for.
    names: Vec<Name>,
    /// The number of moves in the longest play of the form.
    birthday: Option<u32>,
    /// The number of different forms that can be reached from the form, itself included.
    followers: Option<usize>,
    /// Why the form is unknown.
    reason: Option<String>,
}

#[derive(Serialize)]
struct Name {
    name: String,
    form: String,
}

/// Prints the genus of each position.
pub(crate) fn genus(asked: &Asked, common: &Common) -> anyhow::Result<Exit> {
    let longest = asked
        .positions
        .iter()
        .map(|position| position.chars().count())
        .max();
    let first = longest.unwrap_or(0).max(16);
    let mut rows = Rows::new(common.json, &[first, 8, 6, 12, 5]);
    each(asked, common, |values, question| {
        let genus = values.genus(question)?;
        rows.print(&genus)?;
        Ok(genus.reason.is_none())
    })
}

/// Prints the canonical form of each position.
pub(crate) fn canonical(asked: &Asked, common: &Common) -> anyhow::Result<Exit> {
    each(asked, common, |values, question| {
        let canonical = values.canonical(question);
        if common.json {
            print_json(&canonical)?;
        } else {
            print_lines(&canonical.lines())?;
        }
        Ok(canonical.reason.is_none())
    })
}

/// A position to be valued.
struct Question {
    text: String,
    game: Arc<dyn Game>,
    position: Position,
    began: Instant,
}

/// What is known of each game, and the limits of a question.
struct Values {
    knowledge: Knowledge,
    forms: HashMap<&'static str, Forms>,
    within: Duration,
    bytes: usize,
}

/// Answers a question for each position; `answer` returns whether there is an answer.
fn each(
    asked: &Asked,
    common: &Common,
    mut answer: impl FnMut(&mut Values, Question) -> anyhow::Result<bool>,
) -> anyhow::Result<Exit> {
    let mut values = Values {
        knowledge: Knowledge::default(),
        forms: HashMap::new(),
        within: asked.within.0,
        bytes: asked.memory.bytes().unwrap_or(usize::MAX),
    };
    answers::each(&asked.positions, common.json, |text| {
        let (game, position) = roots::parse(&text)?;
        let question = Question {
            text,
            game,
            position,
            began: Instant::now(),
        };
        answer(&mut values, question)
    })
}

impl Question {
    fn canonical(&self) -> String {
        game::qualified(&*self.game, &self.game.print(&self.position))
    }
}

/// The reason for a game that has no values in sums.
const PARTIZAN: &str =
    "the players have different moves, so the position has no value of this kind";

impl Values {
    fn genus(&mut self, question: Question) -> anyhow::Result<Symbol> {
        let found = self.class(&question);
        let (nimber, misere_nimber) = match &found {
            Ok(Class { genus, .. }) => (Some(genus.nimber()), Some(genus.misere_nimber(0))),
            Err(_) => self.nimbers(&question)?,
        };
        let (class, reason) = answer(found);
        Ok(Symbol {
            canonical: question.canonical(),
            position: question.text,
            genus: class.as_ref().map(|class| class.genus.to_string()),
            nimber,
            misere_nimber,
            tame: class.map(|class| class.is_tame),
            reason,
        })
    }

    fn canonical(&mut self, question: Question) -> Reduced {
        let until = question.began + self.within;
        let found = self.form(&question, until);
        let forms = self.forms(&question.game);
        let of = |&tree: &Tree| {
            let limits = Limits {
                until,
                bytes: usize::MAX,
            };
            let class = forms.class(tree, limits).ok();
            let nimber = class.map(|class| class.genus.nimber());
            let (depth, followers) = (forms.trees().depth(tree), forms.trees().followers(tree));
            (nimber, forms.trees().form(tree), depth, followers)
        };
        let (tree, reason) = answer(found);
        let (nimber, form, birthday, followers) = match tree.as_ref().map(of) {
            Some((nimber, form, depth, followers)) => {
                (nimber, Some(form), Some(depth), Some(followers))
            }
            None => (None, None, None, None),
        };
        let Form { text, names } = form.unwrap_or_default();
        let names = names.into_iter().map(|(name, form)| Name { name, form });
        Reduced {
            canonical: question.canonical(),
            position: question.text,
            nimber,
            form: reason.is_none().then_some(text),
            names: names.collect(),
            birthday,
            followers,
            reason,
        }
    }

    /// The genus, and whether the position is tame. A part of the time is left for the nimbers alone.
    fn class(&mut self, question: &Question) -> Result<Class, Reason> {
        let until = question.began + self.within / 2;
        let form = self.form(question, until)?;
        let limits = Limits {
            until,
            bytes: usize::MAX,
        };
        Ok(self.forms(&question.game).class(form, limits)?)
    }

    fn form(&mut self, question: &Question, until: Instant) -> Result<Tree, Reason> {
        if question.game.is_partizan() {
            return Err(Reason(PARTIZAN.to_owned()));
        }
        let bytes = self.bytes;
        let found = self
            .forms(&question.game)
            .of(&question.position, Limits { until, bytes });
        if found == Err(Stopped::Memory) {
            // The next position begins with empty tables.
            self.forms.remove(question.game.name());
        }
        Ok(found?)
    }

    fn forms(&mut self, game: &Arc<dyn Game>) -> &mut Forms {
        let forms = self.forms.entry(game.name());
        forms.or_insert_with(|| Forms::new(Arc::clone(game)))
    }

    /// The nimber and the misère nimber, by theory or by search.
    fn nimbers(&self, question: &Question) -> anyhow::Result<(Option<u32>, Option<u32>)> {
        let Question { game, position, .. } = question;
        let known = self.knowledge.game(game.name());
        let Some(known) = known.filter(|_| !game.is_partizan()) else {
            return Ok((None, None));
        };
        let told = theory::told(&**game, position, Play::Normal, Effort::Look);
        let nimber = told.and_then(|told| told.nimber);
        let until = question.began + self.within;
        if !is_small(known, position) {
            return Ok((nimber, None));
        }
        let nimber = match nimber {
            None => nimber_of_small(known, position, until)?,
            told => told,
        };
        Ok((nimber, misere_nimber_of_small(known, position, until)?))
    }
}

/// Why there is no value, for people.
struct Reason(String);

impl From<Stopped> for Reason {
    fn from(stopped: Stopped) -> Self {
        let hint = match stopped {
            Stopped::Time => "; --within gives it more",
            Stopped::Memory => "; --memory gives it more",
            Stopped::Moves => "",
        };
        Self(format!("{stopped}{hint}"))
    }
}

/// The answer, or the reason why there is none.
fn answer<T>(found: Result<T, Reason>) -> (Option<T>, Option<String>) {
    match found {
        Ok(found) => (Some(found), None),
        Err(Reason(reason)) => (None, Some(reason)),
    }
}

impl Row for Symbol {
    fn cells(&self) -> Vec<Cell> {
        let class = self.tame.map(|tame| if tame { "tame" } else { "wild" });
        vec![
            text("position", &self.position),
            text("genus", or_dash(self.genus.as_ref())),
            text("nimber", or_dash(self.nimber)),
            text("misere nimber", or_dash(self.misere_nimber)),
            text("class", or_dash(class)),
            text("why not", or_dash(self.reason.as_ref())),
        ]
    }
}

impl Reduced {
    fn lines(&self) -> Vec<String> {
        let position = &self.canonical;
        let (Some(form), Some(birthday), Some(followers)) =
            (&self.form, self.birthday, self.followers)
        else {
            let reason = self.reason.as_deref().unwrap_or_default();
            return vec![format!("{position}: not found, because {reason}")];
        };
        let nimber = match self.nimber {
            Some(0) => "0".to_owned(),
            Some(nimber) => format!("*{nimber}"),
            None => "unknown".to_owned(),
        };
        let mut lines = vec![
            format!("{position}: {nimber} under normal play; under misère play"),
            format!("  {form}"),
        ];
        lines.extend(
            self.names
                .iter()
                .map(|Name { name, form }| format!("  {name} = {form}")),
        );
        let s = if followers == 1 { "" } else { "s" };
        lines.push(format!("  birthday {birthday}, {followers} form{s}"));
        lines
    }
}
