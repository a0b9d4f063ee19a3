//! Computations named on the command line by id or position.

use sproutnet_game as game;
use sproutnet_model::Computation;
use sproutnet_notation::{ComputationId, Play};
use sproutnet_store::Store;

use crate::args::{Common, Plays};
use crate::commands::roots;
use crate::exit::BadInput;

/// The meaning of an argument. Digits alone are an id; with the name of the game, as in `sprouts:0`, they are
/// a position.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// The id of a computation.
    Id(ComputationId),
    /// The canonical text of a position, and a convention if given.
    Position(String, Option<Play>),
}

impl Named {
    /// Reads an argument. With both conventions, it matches either.
    pub(crate) fn read(text: &str, play: Option<Plays>) -> Result<Self, BadInput> {
        if let Ok(id) = text.parse() {
            return Ok(Self::Id(id));
        }
        let meant = game::typed(text);
        let (game, position) = roots::parse(&meant).map_err(|BadInput(error)| {
            BadInput(format!("neither an id nor a position: {error}"))
        })?;
        let canonical = game::qualified(game.as_ref(), &game.print(&position));
        let play = play.and_then(|play| match play.list() {
            &[play] => Some(play),
            _ => None,
        });
        Ok(Self::Position(canonical, play))
    }

    /// Refuses the argument if it can only name a computation in a store that does not exist: to open it would create it.
    pub(crate) fn check(&self, common: &Common) -> Result<(), BadInput> {
        if common.coordinator.is_none() && !Store::is_in(&common.data) {
            self.find(&[])?;
        }
        Ok(())
    }

    /// Finds the computation in a coordinator's list. A position means its computation under way; without one, its last
    /// ended computation.
    pub(crate) fn find(&self, list: &[Computation]) -> Result<Computation, BadInput> {
        let (position, play) = match self {
            Self::Id(id) => {
                let found = list.iter().find(|known| known.id == id.0);
                let start = game::typed(&id.to_string()).into_owned();
                let of_start = list.iter().find(|known| known.position == start);
                return match (found, of_start) {
                    (Some(found), _) => Ok(found.clone()),
                    (None, Some(_)) => Err(BadInput(format!(
                        "no computation has the id {id}; the start position is {start}"
                    ))),
                    (None, None) => Err(unknown(&id.to_string())),
                };
            }
            Self::Position(position, play) => (position, *play),
        };
        let (ended, under_way): (Vec<_>, Vec<_>) = list
            .iter()
            .filter(|known| known.position == *position)
            .filter(|known| play.is_none_or(|play| known.play == play))
            .partition(|known| known.progress.status.has_ended());
        match (&under_way[..], &ended[..]) {
            (&[one], _) | (&[], &[.., one]) => Ok(one.clone()),
            (&[], &[]) => Err(unknown(&format!("of {position}"))),
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

fn unknown(named: &str) -> BadInput {
    BadInput(format!(
        "no computation {named} here; `sproutnet list` shows all"
    ))
}

#[cfg(test)]
#[path = "named_tests.rs"]
mod tests;
