//! The positions that are measured: fixed suites, or the positions given.

use std::sync::Arc;

use clap::ValueEnum;
use serde::Serialize;
use sproutnet_game::{self as game, Game, Position};
use sproutnet_notation::Play;

use crate::args::{Bench, Plays};
use crate::commands::roots;
use crate::exit::BadInput;
use crate::terminal::text::Show;

/// A fixed choice of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Suite {
    /// Start positions of 8 to 13 spots under normal play, some seconds
    Quick,
    /// Start positions of 12, 14, 16, 17, 18 and 20 spots under normal play, with SPOTS's times
    Normal,
    /// Start positions of 6 to 14 spots under misère play
    Misere,
    /// The rules alone: all options of lands that a search of 0*20 meets
    Engine,
}

/// Processor seconds of SPOTS, the program of arXiv 2511.10339v2, for start positions under normal play: depth-first
/// proof-number search on one core, cold, with its heuristics and a table of two million entries.
const SPOTS_SECONDS: [(u32, f64); 6] = [
    (12, 10.9),
    (14, 58.6),
    (16, 10.7),
    (17, 5.6),
    (18, 136.9),
    (20, 93.0),
];

/// A description of the times of [`SPOTS_SECONDS`].
const SPOTS: &str = "SPOTS in processor time (the program of arXiv 2511.10339v2, with its heuristics, one core, \
                     cold, measured on an AMD EPYC)";

impl Suite {
    /// The name as written on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Normal => "normal",
            Self::Misere => "misere",
            Self::Engine => "engine",
        }
    }

    /// The convention and the numbers of spots of the suite.
    fn starts(self) -> (Play, Vec<u32>) {
        match self {
            Self::Quick => (Play::Normal, (8..=13).collect()),
            Self::Normal => (Play::Normal, SPOTS_SECONDS.map(|(spots, _)| spots).into()),
            Self::Misere => (Play::Misere, (6..=14).collect()),
            Self::Engine => (Play::Normal, Vec::new()),
        }
    }
}

/// A position to be solved.
pub(super) struct Subject {
    /// The position as the user wrote it.
    pub(super) text: String,
    pub(super) game: Arc<dyn Game>,
    pub(super) position: Position,
    pub(super) play: Play,
}

/// The chosen suite; `None` if positions are given.
pub(super) fn chosen(bench: &Bench) -> Result<Option<Suite>, BadInput> {
    let refused = |problem: &str| Err(BadInput(problem.to_owned()));
    match (bench.suite, bench.roots.is_empty()) {
        (Some(_), false) => refused("--suite names the positions; give one or the other"),
        (_, true) if bench.play.is_some() => {
            refused("--play goes with positions; a suite has its own convention")
        }
        (Some(Suite::Engine), _) if bench.warm || bench.deadline.is_some() => {
            refused("--suite engine solves nothing: --warm and --deadline do not go with it")
        }
        (None, false) => Ok(None),
        (suite, true) => Ok(Some(suite.unwrap_or(Suite::Quick))),
    }
}

/// The positions of the suite, or the positions given.
pub(super) fn subjects(suite: Option<Suite>, bench: &Bench) -> Result<Vec<Subject>, BadInput> {
    if let Some(suite) = suite {
        let (play, spots) = suite.starts();
        let text = |spots| game::Sprouts::start(spots);
        return spots
            .into_iter()
            .map(|spots| subject(text(spots), play))
            .collect();
    }
    let mut subjects = Vec::new();
    for text in roots::read(&bench.roots)? {
        let text = text.map_err(|refused| refused.problem)?.text;
        for &play in bench.play.unwrap_or(Plays::Normal).list() {
            subjects.push(subject(text.clone(), play)?);
        }
    }
    Ok(subjects)
}

pub(super) fn subject(text: String, play: Play) -> Result<Subject, BadInput> {
    let (game, position) = roots::parse(&text)?;
    Ok(Subject {
        text,
        game,
        position,
        play,
    })
}

/// The time of SPOTS for a position, divided by the `seconds` of processor time of Sproutnet.
pub(super) fn compared(suite: Option<Suite>, subject: &Subject, seconds: f64) -> Option<f64> {
    (suite == Some(Suite::Normal)).then_some(())?;
    let is_it = |&&(spots, _): &&(u32, f64)| game::Sprouts::start(spots) == subject.text;
    let (_, spots_seconds) = SPOTS_SECONDS.iter().find(is_it)?;
    Some(spots_seconds / seconds.max(f64::MIN_POSITIVE))
}

/// A comparison of the times of a suite with those of another program.
#[derive(Serialize)]
pub(super) struct Comparison {
    /// The other program, and the conditions of its times.
    pub(super) with: &'static str,
    /// The geometric mean of the other program's time divided by ours.
    pub(super) speedup: f64,
    /// The number of positions.
    pub(super) positions: usize,
}

impl Show for Comparison {
    fn lines(&self) -> Vec<String> {
        vec![
            String::new(),
            format!("{:.1} times as fast as {},", self.speedup, self.with),
            format!("the geometric mean of {} positions", self.positions),
        ]
    }
}

/// The geometric mean of the ratios from [`compared`]. `None` if there are none.
pub(super) fn comparison(ratios: &[f64]) -> Option<Comparison> {
    let positions = ratios.len();
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (positions > 0).then(|| Comparison {
        with: SPOTS,
        speedup: (logarithms / positions as f64).exp(),
        positions,
    })
}

#[cfg(test)]
#[path = "suites_tests.rs"]
mod tests;
