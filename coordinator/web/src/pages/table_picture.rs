//! The tables as a picture: all starts in rows of twelve, so that what repeats every six spots stands
//! in columns.

use maud::{Markup, html};
use sproutnet_solver::play::{Outcome, Play};

use super::conjecture::{self, PERIOD};
use super::outcomes::{Origin, Outcomes, Start};
use super::words;
use crate::links;

/// So many starts stand in a row.
pub(super) const ROW: u32 = 2 * PERIOD;

/// Both tables, and what their marks mean.
pub(super) fn picture(tables: &[Outcomes; 2]) -> Markup {
    html! {
        section #tables data-live aria-labelledby="tables-title" {
            div.title-row {
                h2 #tables-title { "Start positions" }
                a.skip-on href="#after-tables" { "Skip the tables" }
            }
            p.lead {
                "Every cell is a start with that many spots. The outcome is that of the player to move, if \
                 both play as well as one can."
            }
            (legend())
            div.pictures {
                @for table in tables { (of(table)) }
            }
            p.note {
                "Heads of columns: the number of spots modulo six, and the outcome conjectured for all \
                 of the column (normal play: Applegate, Jacobson and Sleator; misère play: Lemoine and \
                 Viennot). Cells marked ≠ are known exceptions."
            }
            div #after-tables tabindex="-1" {}
        }
    }
}

fn of(table: &Outcomes) -> Markup {
    let id = format!("outcomes-{}", table.play);
    let (name, rule) = match table.play {
        Play::Normal => ("Normal play", "the player who makes the last move wins"),
        Play::Misere => ("Misère play", "the player who makes the last move loses"),
    };
    let known = table.starts.iter().filter(|start| start.known.is_some());
    let here = table.starts.iter().filter(|start| start.is_solved_here());
    let in_progress = table.starts.iter().filter(|start| start.in_progress);
    html! {
        table.outcomes id=(id) {
            caption {
                strong { (name) }
                span { ": " (rule) }
                span.tally {
                    (known.count()) " known, " (here.count()) " solved here, "
                    (in_progress.count()) " in progress"
                }
            }
            thead {
                tr {
                    th scope="col" { span.unseen { "spots" } }
                    @for column in 0..ROW {
                        @let outcome = conjecture::outcome(table.play, column);
                        th.guess.(class_of(outcome)) scope="col" {
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
                        @for start in row { (cell(start)) }
                    }
                }
            }
        }
    }
}

fn cell(start: &Start) -> Markup {
    let label = label(start);
    let classes = classes(start);
    let letter = match (&start.known, start.in_progress) {
        (Some((outcome, _)), _) => words::letter(*outcome),
        (None, true) => "…",
        (None, false) => "",
    };
    html! {
        td {
            a class=(classes) href=(links::position(&start.position())) title=(label)
                aria-label=(label) {
                span.spots { (start.spots) }
                b { (letter) }
            }
        }
    }
}

/// What a cell says to those who point at it, or hear it read.
fn label(start: &Start) -> String {
    let mut label = format!("{}, {}: ", start.position(), words::play(start.play));
    match &start.known {
        Some((outcome, origin)) => {
            label.push_str(words::outcome(*outcome));
            match origin {
                Origin::Here => label.push_str(", solved here"),
                Origin::Verified => label.push_str(", solved here, verified"),
                Origin::Literature(citation) => {
                    label.push_str(", literature: ");
                    label.push_str(citation);
                }
            }
        }
        None if start.in_progress => return label + "in progress",
        None => return label + "open",
    }
    if start.is_exception() {
        label.push_str(", not as conjectured");
    }
    if start.in_progress {
        label.push_str("; in progress");
    }
    label
}

fn classes(start: &Start) -> String {
    let mut classes = vec!["start"];
    match &start.known {
        Some((outcome, origin)) => {
            classes.push(class_of(*outcome));
            classes.push(match origin {
                Origin::Here => "here",
                Origin::Verified => "here verified",
                Origin::Literature(_) => "literature",
            });
        }
        None => classes.push("open"),
    }
    if start.is_exception() {
        classes.push("exception");
    }
    if start.in_progress {
        classes.push("busy");
    }
    classes.join(" ")
}

/// The class of an outcome in the style.
fn class_of(outcome: Outcome) -> &'static str {
    outcome.name()
}

fn legend() -> Markup {
    let sample = |classes: &str, letter: &str, text: &str| {
        html! { li { span class=(format!("start sample {classes}")) { b { (letter) } } (text) } }
    };
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
            (sample("open busy", "…", "in progress"))
            (sample("open", "", "open"))
        }
    }
}

#[cfg(test)]
mod tests;
