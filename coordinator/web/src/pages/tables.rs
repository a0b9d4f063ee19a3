//! The tables of start positions: rows of twelve, so that outcomes that repeat every six spots form columns.

use std::collections::{HashMap, HashSet};

use maud::{Markup, html};
use sproutnet_game::Sprouts;
use sproutnet_model::{Computation, Source, TableEntry};
use sproutnet_query::start_size;
use sproutnet_solver::play::{Outcome, Play};

use super::words::{self, when};
use crate::links;

/// The minimum number of starts in a table after the last one that is known or in progress.
const OPEN: u32 = 3;

/// The period of the conjectured outcomes, in spots.
const PERIOD: u32 = 6;

/// The number of starts in a row.
const ROW: u32 = 2 * PERIOD;

/// A start position under one convention.
#[derive(Debug)]
struct Start {
    spots: u32,
    play: Play,
    /// Its outcome, if known.
    known: Option<TableEntry>,
    /// Whether a computation of it is in progress.
    in_progress: bool,
}

/// The start positions under one convention, from no spots on.
pub(super) struct Outcomes {
    play: Play,
    starts: Vec<Start>,
}

/// The tables of both conventions: whole rows.
pub(super) fn of(entries: Vec<TableEntry>, computations: &[Computation]) -> [Outcomes; 2] {
    let running: HashSet<(u32, Play)> = computations
        .iter()
        .filter(|listed| !listed.progress.status.has_ended())
        .filter_map(|listed| Some((start_size("sprouts", &listed.position)?, listed.play)))
        .collect();
    let entries = entries.into_iter();
    let mut known: HashMap<(u32, Play), TableEntry> = entries
        .map(|entry| ((entry.size, entry.play), entry))
        .collect();
    Play::ALL.map(|play| {
        let listed = known.keys().chain(&running);
        let of_play = listed.filter(|(_, of)| *of == play);
        let last = of_play.map(|(spots, _)| *spots).max().unwrap_or(0);
        let end = (last + OPEN) / ROW * ROW + ROW;
        let starts = (0..end).map(|spots| Start {
            spots,
            play,
            known: known.remove(&(spots, play)),
            in_progress: running.contains(&(spots, play)),
        });
        let starts = starts.collect();
        Outcomes { play, starts }
    })
}

/// The conjectured outcome of a start: for normal play by Applegate, Jacobson and Sleator (1991), for misère
/// play by Lemoine and Viennot (2009), with the exceptions of one and four spots.
fn conjectured(play: Play, spots: u32) -> Outcome {
    let wins = match play {
        Play::Normal => [3, 4, 5],
        Play::Misere => [0, 4, 5],
    };
    Outcome::win_if(wins.contains(&(spots % PERIOD)))
}

impl Start {
    /// The text of the position.
    fn position(&self) -> String {
        Sprouts::start(self.spots)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.known.as_ref().map(|entry| entry.outcome)
    }

    /// Whether its known outcome contradicts the conjecture.
    fn is_exception(&self) -> bool {
        let expected = conjectured(self.play, self.spots);
        self.outcome().is_some_and(|outcome| outcome != expected)
    }

    /// Whether it was solved here.
    fn is_solved_here(&self) -> bool {
        let known = self.known.as_ref();
        known.is_some_and(|entry| entry.verified || entry.source.is_here())
    }

    /// The tooltip of its cell.
    fn label(&self) -> String {
        let known = match &self.known {
            Some(entry) => {
                let citation = entry.citation.as_deref().unwrap_or_default();
                let from = match self.is_solved_here() {
                    true => format!("solved here{}", when(entry.verified, ", verified")),
                    false if entry.source == Source::Atlas => citation.to_owned(),
                    false => format!("literature: {citation}"),
                };
                let exception = when(self.is_exception(), ", not as conjectured");
                let progress = when(self.in_progress, "; in progress");
                format!(
                    "{}, {from}{exception}{progress}",
                    words::outcome(entry.outcome)
                )
            }
            None if self.in_progress => "in progress".to_owned(),
            None => "open".to_owned(),
        };
        format!("{}, {}: {known}", self.position(), words::play(self.play))
    }

    /// The letter in its cell.
    fn letter(&self) -> &'static str {
        let unknown = when(self.in_progress, "…");
        self.outcome().map_or(unknown, words::letter)
    }

    /// The name of its cell for screen readers and for voice control: it begins with the visible text.
    fn name(&self) -> String {
        let seen = format!("{} {}", self.spots, self.letter());
        format!("{}, {}", seen.trim_end(), self.label())
    }

    /// The classes of its cell.
    fn classes(&self) -> String {
        let outcome = self.outcome().map_or("open", |outcome| outcome.name());
        let origin = match &self.known {
            Some(entry) if entry.verified => " here verified",
            Some(_) if self.is_solved_here() => " here",
            Some(entry) if entry.source == Source::Atlas => " atlas",
            Some(_) => " literature",
            None => "",
        };
        let exception = when(self.is_exception(), " exception");
        let busy = when(self.in_progress, " busy");
        format!("start {outcome}{origin}{exception}{busy}")
    }
}

/// Both tables, and a legend.
pub(super) fn picture(tables: &[Outcomes; 2]) -> Markup {
    html! {
        section #tables data-live aria-labelledby="tables-title" {
            div.title-row {
                h2 #tables-title { "Start positions" }
                a.skip-on href="#after-tables" { "Skip the tables" }
            }
            p.lead {
                "Each cell is a start with that many spots. It shows the outcome for the player to move, if \
                 both players play perfectly."
            }
            (legend())
            div.pictures {
                @for table in tables { (shown(table, &table.tally(), &links::position)) }
            }
            p.note { (NOTE) }
            div #after-tables tabindex="-1" {}
        }
    }
}

/// What the tables mark.
const NOTE: &str = "The head of a column shows the number of spots modulo six, and the outcome conjectured for the column \
    (normal play: Applegate, Jacobson and Sleator; misère play: Lemoine and Viennot). Cells marked ≠ are known exceptions.";

/// Both tables for pages without a coordinator. `page` is the address of the page of a start, given its text.
pub(super) fn without_progress(tables: &[Outcomes; 2], page: &dyn Fn(&str) -> String) -> Markup {
    let tally = |table: &Outcomes| {
        let of = |source| {
            let known = table.starts.iter().filter_map(|start| start.known.as_ref());
            known.filter(|entry| entry.source == source).count()
        };
        let (proved, published) = (of(Source::Atlas), of(Source::Literature));
        format!("{proved} with a certificate, {published} published only")
    };
    html! {
        ul.legend aria-label="Legend" {
            (sample("atlas win", "W", "win"))
            (sample("atlas loss", "L", "loss, both proved by a certificate"))
            (sample("literature loss", "L", "published, without a certificate"))
            (sample("open", "", "open"))
        }
        div.pictures {
            @for table in tables { (shown(table, &tally(table), page)) }
        }
        p.note { (NOTE) }
    }
}

impl Outcomes {
    /// How much is known, in words.
    fn tally(&self) -> String {
        let known = self.starts.iter().filter(|start| start.known.is_some());
        let here = self.starts.iter().filter(|start| start.is_solved_here());
        let in_progress = self.starts.iter().filter(|start| start.in_progress);
        let (known, here, in_progress) = (known.count(), here.count(), in_progress.count());
        format!("{known} known, {here} solved here, {in_progress} in progress")
    }
}

/// A table with its tally. `page` is the address of the page of a start, given its text.
fn shown(table: &Outcomes, tally: &str, page: &dyn Fn(&str) -> String) -> Markup {
    let id = format!("outcomes-{}", table.play);
    let (name, rule) = match table.play {
        Play::Normal => ("Normal play", "the player who makes the last move wins"),
        Play::Misere => ("Misère play", "the player who makes the last move loses"),
    };
    html! {
        table.outcomes id=(id) {
            caption {
                strong { (name) }
                span { ": " (rule) }
                span.tally { (tally) }
            }
            thead {
                tr {
                    th scope="col" { span.unseen { "spots" } }
                    @for column in 0..ROW {
                        @let outcome = conjectured(table.play, column);
                        th.guess.(outcome.name()) scope="col" {
                            span.modulo { (column % PERIOD) }
                            abbr title=(format!("conjectured: {}", words::outcome(outcome))) {
                                (words::letter(outcome))
                            }
                        }
                    }
                }
            }
            tbody {
                @for row in table.starts.chunks(ROW as usize) {
                    tr {
                        th scope="row" { (row[0].spots) }
                        @for start in row { (cell(start, page)) }
                    }
                }
            }
        }
    }
}

fn cell(start: &Start, page: &dyn Fn(&str) -> String) -> Markup {
    html! {
        td {
            a class=(start.classes()) href=(page(&start.position())) title=(start.label())
                aria-label=(start.name()) {
                span.spots { (start.spots) } " "
                b { (start.letter()) }
            }
        }
    }
}

/// An entry of a legend.
fn sample(classes: &str, letter: &str, text: &str) -> Markup {
    html! { li { span class=(format!("start sample {classes}")) { b { (letter) } } (text) } }
}

fn legend() -> Markup {
    html! {
        ul.legend aria-label="Legend" {
            li {
                span.start.sample.here.win { b { "W" } }
                span.start.sample.here.loss { b { "L" } }
                "solved here: win, loss"
            }
            (sample("here loss verified", "L", "solved and verified"))
            li {
                span.start.sample.literature.win { b { "W" } }
                span.start.sample.literature.loss { b { "L" } }
                "literature"
            }
            (sample("atlas loss", "L", "proved by Sproutnet elsewhere: the atlas has a certificate"))
            (sample("open busy", "…", "in progress"))
            (sample("open", "", "open"))
        }
    }
}

#[cfg(test)]
mod tests;
