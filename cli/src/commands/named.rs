//! Computations named on the command line by id or position.

use sproutnet_game as game;
use sproutnet_model::Computation;
use sproutnet_notation::ComputationId;
use sproutnet_solver::play::Play;

use crate::args::Plays;
use crate::exit::{BadInput, bad_position};

/// The meaning of an argument. Digits alone are an id; with the name of the game, as in `sprouts:0`, they are
/// a position.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// A computation.
    Id(ComputationId),
    /// The canonical text of a position, and a convention if given.
    Position(String, Option<Play>),
}

impl Named {
    /// Reads an argument. Both conventions mean any.
    pub(crate) fn read(text: &str, play: Option<Plays>) -> Result<Self, BadInput> {
        if let Ok(id) = text.parse() {
            return Ok(Self::Id(id));
        }
        let (game, position) = game::parse(text).map_err(|error| {
            let BadInput(error) = bad_position(text, &error);
            BadInput(format!("neither an id nor a position: {error}"))
        })?;
        let canonical = game::qualified(game.as_ref(), &game.print(&position));
        let play = play.and_then(|play| match play.list() {
            &[play] => Some(play),
            _ => None,
        });
        Ok(Self::Position(canonical, play))
    }

    /// Finds the computation in a coordinator's list. A running computation of a position precedes the last ended
    /// one.
    pub(crate) fn find(&self, list: &[Computation]) -> Result<Computation, BadInput> {
        let (position, play) = match self {
            Self::Id(id) => {
                let found = list.iter().find(|known| known.id == id.0);
                let unknown = || {
                    BadInput(format!(
                        "no computation {id} here; `sproutnet list` shows all"
                    ))
                };
                return found.cloned().ok_or_else(unknown);
            }
            Self::Position(position, play) => (position, *play),
        };
        let named: Vec<&Computation> = list
            .iter()
            .filter(|known| known.position == *position)
            .filter(|known| play.is_none_or(|play| known.play == play))
            .collect();
        let under_way: Vec<&Computation> = named
            .iter()
            .copied()
            .filter(|known| !known.progress.status.has_ended())
            .collect();
        match (&under_way[..], &named[..]) {
            (&[one], _) | (&[], &[.., one]) => Ok(one.clone()),
            (&[], &[]) => Err(BadInput(format!(
                "no computation of {position} here; `sproutnet list` shows all"
            ))),
            (several, _) => {
                let mut problem = format!("several computations of {position}; name one:");
                for known in several {
                    let nimber = if known.nimber_wanted { ", nimber" } else { "" };
                    let (id, play) = (ComputationId(known.id), known.play);
                    problem = format!("{problem}\n  {id}  {play}{nimber}");
                }
                Err(BadInput(problem))
            }
        }
    }
}

#[cfg(test)]
#[path = "named_tests.rs"]
mod tests;
