//! Computations as named on the command line: by id, or by what they are to solve.

use sproutnet_game as game;
use sproutnet_model::Computation;
use sproutnet_solver::play::Play;

use crate::args::Plays;
use crate::exit::{BadInput, bad_position};
use crate::id::Id;

/// What an argument names. A position that looks like an id is read as an id; with its game's name,
/// as in `sprouts:0`, it is a position.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// A computation.
    Id(Id),
    /// The canonical text of a position, and a convention if that matters.
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

    /// Finds the computation in a coordinator's list. Of those of a position, the one that is under
    /// way counts; if there is none, the last that ended.
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
                    let (id, play) = (Id(known.id), known.play);
                    problem = format!("{problem}\n  {id}  {play}{nimber}");
                }
                Err(BadInput(problem))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sproutnet_model::{Progress, Status};

    fn computation(id: u64, canonical: &str, play: Play, status: Status) -> Computation {
        Computation {
            id,
            position: canonical.to_owned(),
            play,
            nimber_wanted: false,
            priority: 0,
            started_at: 0,
            progress: Progress {
                status,
                ..Progress::default()
            },
        }
    }

    fn find(text: &str, play: Option<Plays>, list: &[Computation]) -> Result<u64, String> {
        let named = Named::read(text, play).map_err(|error| error.0)?;
        let found = named.find(list).map_err(|error| error.0)?;
        Ok(found.id)
    }

    #[test]
    fn by_id() {
        let list = [computation(7, "0*16", Play::Normal, Status::Cancelled)];
        assert_eq!(find("7", None, &list), Ok(7));
        let unknown = find("8", None, &list).expect_err("there is none");
        assert!(unknown.contains("computation 8 "), "{unknown}");
        let neither = find("7-7", None, &list).expect_err("neither");
        assert!(neither.starts_with("neither an id nor a position: "));
    }

    #[test]
    fn by_position_and_convention() {
        let list = [
            computation(1, "0*16", Play::Normal, Status::Paused),
            computation(2, "0*16", Play::Misere, Status::Running),
            computation(3, "kayles:5", Play::Normal, Status::Running),
        ];
        assert_eq!(find("0*16", Some(Plays::Normal), &list), Ok(1));
        assert_eq!(find("0*10.0*6", Some(Plays::Misere), &list), Ok(2));
        assert_eq!(find("kayles:5", None, &list), Ok(3));
        assert!(find("kayles:5", Some(Plays::Misere), &list).is_err());
        assert!(find("0*5", None, &list).is_err());
        for play in [None, Some(Plays::Both)] {
            let problem = find("0*16", play, &list).expect_err("two");
            assert!(problem.contains("1  normal"), "{problem}");
            assert!(problem.contains("2  misere"), "{problem}");
        }
    }

    #[test]
    fn one_under_way_counts_before_those_that_ended() {
        let ended = [
            computation(1, "0*16", Play::Normal, Status::Expired),
            computation(2, "0*16", Play::Normal, Status::Cancelled),
        ];
        assert_eq!(find("0*16", None, &ended), Ok(2));
        let running = computation(3, "0*16", Play::Misere, Status::Running);
        let all = [running, ended[0].clone(), ended[1].clone()];
        assert_eq!(find("0*16", None, &all), Ok(3));
    }
}
