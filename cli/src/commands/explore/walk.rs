//! The positions of a walk, and what is known about each.

use std::mem;
use std::time::Duration;

use sproutnet_model::{Answer, Verdict};
use sproutnet_notation::Play;
use sproutnet_proto::{convert, v1};
use tonic::Status;

use crate::commands::query;
use crate::remote::client::Client;
use crate::remote::retry::Retry;

/// Positions, each one move after the one before, or named by the user.
pub(super) struct Walk {
    /// The convention.
    pub(super) play: Play,
    stops: Vec<Stop>,
}

/// A position on the way.
pub(super) struct Stop {
    /// Its canonical text.
    pub(super) position: String,
    /// The moves, once they are known.
    pub(super) view: Option<View>,
    /// Whether nothing more is asked about it.
    pub(super) is_settled: bool,
    /// The number of the selected move, from 0.
    pub(super) selected: usize,
}

/// What is known about a position and its moves.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) answer: Answer,
    /// Winning moves first.
    pub(super) moves: Vec<Verdict>,
    /// Whether outcomes are unknown.
    pub(super) is_open: bool,
}

impl Walk {
    /// A walk that begins at the position with this canonical text.
    pub(super) fn from(position: String, play: Play) -> Self {
        Self {
            play,
            stops: vec![Stop::at(position)],
        }
    }

    /// The position where it is now.
    pub(super) fn here(&self) -> &Stop {
        self.stops.last().expect("it begins somewhere")
    }

    /// The same, to be changed.
    pub(super) fn here_mut(&mut self) -> &mut Stop {
        self.stops.last_mut().expect("it begins somewhere")
    }

    /// The number of steps so far.
    pub(super) fn steps(&self) -> usize {
        self.stops.len() - 1
    }

    /// Goes to a position.
    pub(super) fn go(&mut self, position: String) {
        self.stops.push(Stop::at(position));
    }

    /// Plays a move, by its number from 0. Tells whether there is one.
    pub(super) fn play_move(&mut self, number: usize) -> bool {
        let view = self.here().view.as_ref();
        let chosen = view.and_then(|view| view.moves.get(number));
        let Some(position) = chosen.map(|chosen| chosen.canonical.clone()) else {
            return false;
        };
        self.here_mut().selected = number;
        self.go(position);
        true
    }

    /// Takes the last step back. Tells whether there was one.
    pub(super) fn back(&mut self) -> bool {
        let may = self.steps() > 0;
        if may {
            self.stops.pop();
        }
        may
    }

    /// Changes the convention. The moves are listed in another order then.
    pub(super) fn switch(&mut self, play: Play) {
        if play != self.play {
            self.play = play;
            for stop in &mut self.stops {
                *stop = Stop::at(mem::take(&mut stop.position));
            }
        }
    }
}

impl Stop {
    fn at(position: String) -> Self {
        Self {
            position,
            view: None,
            is_settled: false,
            selected: 0,
        }
    }

    /// Takes what is known now. The selected move stays selected wherever it is listed; the first place stays the first.
    pub(super) fn learn(&mut self, view: View) {
        let before = self
            .view
            .as_ref()
            .and_then(|old| old.moves.get(self.selected));
        let place = before.filter(|_| self.selected > 0).and_then(|before| {
            let mut moves = view.moves.iter();
            moves.position(|of| of.canonical == before.canonical)
        });
        self.selected = place
            .unwrap_or(self.selected)
            .min(view.moves.len().saturating_sub(1));
        self.view = Some(view);
    }
}

/// Asks the coordinator about a position and its moves; it searches small positions for so long.
pub(super) async fn look(
    client: &Client,
    retry: &Retry,
    position: &str,
    play: Play,
    within: Duration,
) -> Result<View, Status> {
    let request = v1::QueryRequest {
        position: position.to_owned(),
        moves: true,
        play: convert::play_field(play),
        within_ms: query::milliseconds(within),
    };
    let (answer, moves) = retry.call(|| client.query(request.clone())).await?;
    let outcome_of_moves = moves.iter().map(|of| of.outcome(play));
    let mut outcomes = outcome_of_moves.chain([answer.standing(play).outcome]);
    let is_open = outcomes.any(|known| known.outcome().is_none());
    Ok(View {
        answer,
        moves,
        is_open,
    })
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
