//! The screen of a walk: the position with its outcome, its picture, and its moves.

use console::{Alignment, measure_text_width, pad_str};
use sproutnet_drawing::Sketch;
use sproutnet_model::{Answer, Verdict};
use sproutnet_notation::Play;

use crate::commands::explore::walk::{Stop, Walk};
use crate::terminal::style::{Look, Tone};
use crate::terminal::text::{or_dash, plain};

/// The keys, the most important first, since the line may be cut.
const HELP: &str = "↑↓ select  → play  ← back  p play convention  q quit";

/// From so many columns on, the picture is beside the moves and not above them.
const WIDE: usize = 50;

/// The least rows for moves below a picture.
const LEAST_ROWS: usize = 6;

/// The width of a list of moves beside a picture.
const LIST: std::ops::RangeInclusive<usize> = 26..=40;

/// The space between columns.
const SPACE: usize = 2;

/// What is shown.
pub(super) struct Page<'a> {
    pub(super) walk: &'a Walk,
    /// The picture of the position, or why there is none; nothing until it is made.
    pub(super) picture: Option<&'a Result<Sketch, String>>,
    /// What goes on, or what went wrong.
    pub(super) notice: Option<&'a str>,
    pub(super) look: Look,
}

/// Who wins, in one line.
pub(super) fn verdict(answer: &Answer, play: Play) -> String {
    let value = match play {
        Play::Normal => answer.nimber.map(|nimber| format!(", nimber {nimber}")),
        Play::Misere => answer
            .genus
            .as_ref()
            .map(|genus| format!(", genus {genus}")),
    };
    let outcome = answer.standing(play).outcome;
    let value = value.unwrap_or_default();
    format!("{play} play: {outcome} for the player to move{value}")
}

impl Page<'_> {
    /// The lines that fill a screen of this size.
    pub(super) fn lines(&self, columns: usize, rows: usize) -> Vec<String> {
        let here = self.walk.here();
        let mut head = vec![
            self.look.paint(Tone::Heading, &plain(&here.position)),
            self.state(here),
        ];
        let body = rows.saturating_sub(head.len() + 2);
        if body > 0 {
            // The list may cut its text.
            let selected = here
                .view
                .as_ref()
                .and_then(|view| view.moves.get(here.selected));
            let selected = selected.map(|of| format!("→ {}", of.canonical));
            head.push(self.look.paint(Tone::Dim, &selected.unwrap_or_default()));
            let body_lines = match columns >= WIDE {
                true => self.beside(here, columns, body),
                false => self.below(here, columns, body),
            };
            head.extend(body_lines);
            head.resize(rows.saturating_sub(1), String::new());
        }
        head.push(self.look.paint(Tone::Dim, HELP));
        head
    }

    /// The outcome, how far the walk is, and what goes on.
    fn state(&self, here: &Stop) -> String {
        let mut parts = Vec::new();
        match &here.view {
            Some(view) => {
                let outcome = view.answer.standing(self.walk.play).outcome;
                let verdict = verdict(&view.answer, self.walk.play);
                parts.push(self.look.paint(Tone::of(outcome.name()), &verdict));
            }
            None => parts.push(format!("{} play", self.walk.play)),
        }
        match self.walk.steps() {
            0 => {}
            steps => parts.push(format!("step {steps}")),
        }
        if let Some(notice) = self.notice {
            parts.push(self.look.paint(Tone::Busy, &plain(notice)));
        }
        parts.join("; ")
    }

    fn beside(&self, here: &Stop, columns: usize, rows: usize) -> Vec<String> {
        let width = self.wanted_width(here).clamp(*LIST.start(), *LIST.end());
        let width = width.min(columns / 2);
        let list = self.list(here, width, rows);
        let picture = self.picture(columns - width - SPACE, rows);
        let line = |row: usize| {
            let [left, right] =
                [&list, &picture].map(|lines| lines.get(row).map_or("", |line| line));
            let left = pad_str(left, width + SPACE, Alignment::Left, None);
            format!("{left}{right}").trim_end().to_owned()
        };
        (0..rows).map(line).collect()
    }

    fn below(&self, here: &Stop, columns: usize, rows: usize) -> Vec<String> {
        let mut lines = match rows.checked_sub(LEAST_ROWS) {
            Some(room) if room > 2 => self.picture(columns, room.min(rows / 2)),
            _ => Vec::new(),
        };
        let left = rows - lines.len();
        lines.extend(self.list(here, columns, left));
        lines
    }

    fn picture(&self, columns: usize, rows: usize) -> Vec<String> {
        match self.picture {
            Some(Ok(sketch)) => sketch.lines(columns, rows),
            Some(Err(problem)) => vec![self.look.paint(Tone::Dim, problem)],
            None => Vec::new(),
        }
    }

    /// The width at which no move is cut.
    fn wanted_width(&self, here: &Stop) -> usize {
        let moves = here.view.iter().flat_map(|view| &view.moves);
        let texts = moves.map(|of| of.canonical.len()).max().unwrap_or(0);
        let others: usize = columns_of(self.walk.play)
            .iter()
            .map(|name| name.width() + SPACE)
            .sum();
        texts + 2 + others
    }

    /// The moves around the selected one, under a heading.
    fn list(&self, here: &Stop, width: usize, rows: usize) -> Vec<String> {
        let Some(view) = &here.view else {
            return Vec::new();
        };
        if view.moves.is_empty() {
            return vec!["no moves: the game is over".to_owned()];
        }
        let play = self.walk.play;
        let heading = columns_of(play).map(Column::name);
        let count = format!("  {} of {}", here.selected + 1, view.moves.len());
        let mut lines = vec![self.row(&count, heading, width, Tone::Heading)];
        let shown = rows.saturating_sub(1).min(view.moves.len());
        let first = here.selected.saturating_sub(shown / 2);
        let first = first.min(view.moves.len() - shown);
        for (place, of) in view.moves.iter().enumerate().skip(first).take(shown) {
            let mark = match place == here.selected {
                true => "> ",
                false => "  ",
            };
            let text = format!("{mark}{}", of.canonical);
            let values = columns_of(play).map(|column| column.value(of));
            let values = [&*values[0], &*values[1]];
            let tone = match place == here.selected {
                true => Tone::Heading,
                false => Tone::of(of.outcome(play).name()),
            };
            lines.push(self.row(&text, values, width, tone));
        }
        lines
    }

    /// A row of the list: a text that is cut if it must be, and values that are not.
    fn row(&self, text: &str, values: [&str; 2], width: usize, tone: Tone) -> String {
        let columns = columns_of(self.walk.play);
        let values = values.iter().zip(columns);
        let values = values.map(|(value, column)| {
            let value = pad_str(value, column.width(), Alignment::Left, None);
            format!("{:SPACE$}{value}", "")
        });
        let values: String = values.collect();
        let room = width.saturating_sub(measure_text_width(&values));
        let text = pad_str(text, room, Alignment::Left, Some("…"));
        let line = format!("{text}{values}");
        self.look.paint(tone, line.trim_end())
    }
}

/// A column of the list of moves.
#[derive(Clone, Copy)]
enum Column {
    Outcome(Play),
    Nimber,
    Genus,
}

fn columns_of(play: Play) -> [Column; 2] {
    match play {
        Play::Normal => [Column::Outcome(play), Column::Nimber],
        Play::Misere => [Column::Outcome(play), Column::Genus],
    }
}

impl Column {
    fn name(self) -> &'static str {
        match self {
            Self::Outcome(play) => play.name(),
            Self::Nimber => "nimber",
            Self::Genus => "genus",
        }
    }

    fn width(self) -> usize {
        match self {
            Self::Outcome(_) => "unknown".len(),
            Self::Nimber => self.name().len(),
            Self::Genus => 8,
        }
    }

    fn value(self, of: &Verdict) -> String {
        match self {
            Self::Outcome(play) => of.outcome(play).name().to_owned(),
            Self::Nimber => or_dash(of.nimber),
            Self::Genus => or_dash(of.genus.as_ref()),
        }
    }
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
