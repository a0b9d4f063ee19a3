//! Recorded matches, replayed on the drawing.
//!
//! A record says which spots a line joins and which it separates, not how the line runs. So a written move can have
//! several *readings*, and some are better than others: the best ones list exactly the spots that the line separates.
//! A match is replayed with all readings of all moves at once. Those of a move that make a later move impossible drop
//! out, and the best of the others count. Two readings of a match that differ in a position make it ambiguous.

//!
//! - here: matches; [`reading`]: the readings of one move; [`writing`]: moves written so that each has one meaning.

mod reading;
mod writing;

use std::collections::BTreeMap;
use std::rc::Rc;

use sproutnet_notation::matches::{Move, Record};

pub use self::reading::Illegal;
pub use self::writing::through;

use super::planar::PlanarMap;
use super::{Position, Sprouts};
use reading::{Drawn, readings};
use writing::written;

/// The maximum number of readings of a match that are followed at once.
const MOST_READINGS: usize = 1000;

/// How much worse than the best a reading of a match may be at any time.
const WORST: u32 = 4;

/// A replayed match: the drawing and the position before the first move and after each.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The drawings.
    pub maps: Vec<PlanarMap>,
    /// The positions.
    pub positions: Vec<Position>,
}

/// Why a match cannot be replayed. Moves are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// No reading of the earlier moves allows this move.
    #[error("move {number}, {made}: {why}")]
    Illegal {
        /// The number of the move.
        number: usize,
        /// The move.
        made: Move,
        /// The reason.
        why: Illegal,
    },
    /// The match has several readings, which differ first after this move.
    #[error("move {number}, {made}, is ambiguous")]
    Ambiguous {
        /// The number of the move.
        number: usize,
        /// The move.
        made: Move,
        /// The positions after the move, and a move that can only mean this position.
        readings: Vec<(Position, Move)>,
    },
    /// The match has too many readings.
    #[error("move {number}, {made}: the match has more than {MOST_READINGS} readings")]
    TooMany {
        /// The number of the move.
        number: usize,
        /// The move.
        made: Move,
    },
    /// No move leads to the position with this number, from 0 for the start.
    #[error("no move leads to position {0}")]
    NoMove(usize),
}

/// A reading of the moves so far.
struct Node {
    before: Option<Rc<Node>>,
    map: PlanarMap,
    position: Position,
    penalty: u32,
    /// A number for each sequence of positions.
    history: usize,
}

/// Replays a match.
///
/// # Errors
/// A move is illegal or ambiguous.
pub fn replay(record: &Record) -> Result<Replay, ReplayError> {
    let map = PlanarMap::start(record.spots as usize);
    let mut nodes = vec![Rc::new(Node {
        before: None,
        position: Sprouts::on_map(&map),
        map,
        penalty: 0,
        history: 0,
    })];
    for (number, made) in (1..).zip(&record.moves) {
        nodes = after(&nodes, number, made)?;
    }
    let best = nodes.iter().map(|node| node.penalty).min().unwrap_or(0);
    nodes.retain(|node| node.penalty == best);
    let mut replays: Vec<Replay> = nodes.iter().map(|node| node.replay()).collect();
    let differ = |index: &usize| {
        let mut positions = replays.iter().map(|replay| &replay.positions[*index]);
        let first = positions.next();
        positions.any(|position| Some(position) != first)
    };
    match (1..=record.moves.len()).find(differ) {
        Some(number) => Err(ambiguous(number, &record.moves[number - 1], &replays)),
        None => Ok(replays.swap_remove(0)),
    }
}

/// The readings of a match after one more move.
fn after(nodes: &[Rc<Node>], number: usize, made: &Move) -> Result<Vec<Rc<Node>>, ReplayError> {
    let mut why = None;
    let mut histories = BTreeMap::new();
    let mut next: BTreeMap<(Drawn, usize), Node> = BTreeMap::new();
    for node in nodes {
        let readings = readings(&node.map, made).unwrap_or_else(|illegal| {
            why.get_or_insert(illegal);
            Vec::new()
        });
        for reading in readings {
            let position = Sprouts::on_map(&reading.map);
            let count = histories.len();
            let history = histories.entry((node.history, position.clone()));
            let history = *history.or_insert(count);
            let penalty = node.penalty + reading.penalty;
            let known = next.get(&(reading.drawn.clone(), history));
            if known.is_none_or(|known| penalty < known.penalty) {
                let map = reading.map;
                let before = Some(Rc::clone(node));
                let node = Node {
                    before,
                    map,
                    position,
                    penalty,
                    history,
                };
                next.insert((reading.drawn, history), node);
            }
        }
    }
    let made = || made.clone();
    let Some(best) = next.values().map(|node| node.penalty).min() else {
        let why = why.expect("a move without readings is illegal");
        return Err(ReplayError::Illegal {
            number,
            made: made(),
            why,
        });
    };
    let mut next: Vec<Node> = next.into_values().collect();
    next.retain(|node| node.penalty <= best + WORST);
    next.sort_by_key(|node| node.penalty);
    if (next.get(MOST_READINGS)).is_some_and(|node| node.penalty == best) {
        return Err(ReplayError::TooMany {
            number,
            made: made(),
        });
    }
    next.truncate(MOST_READINGS);
    Ok(next.into_iter().map(Rc::new).collect())
}

impl Node {
    fn replay(&self) -> Replay {
        let nodes = std::iter::successors(Some(self), |node| node.before.as_deref());
        let (mut maps, mut positions): (Vec<_>, Vec<_>) = nodes
            .map(|node| (node.map.clone(), node.position.clone()))
            .unzip();
        maps.reverse();
        positions.reverse();
        Replay { maps, positions }
    }
}

/// The error for replays that differ first after a move.
fn ambiguous(number: usize, made: &Move, replays: &[Replay]) -> ReplayError {
    let mut readings: Vec<(Position, Move)> = Vec::new();
    for replay in replays {
        let position = &replay.positions[number];
        if readings.iter().all(|(known, _)| known != position) {
            let exact = written(&replay.maps[number - 1], &replay.maps[number], made);
            readings.push((position.clone(), exact));
        }
    }
    ReplayError::Ambiguous {
        number,
        made: made.clone(),
        readings,
    }
}

#[cfg(test)]
mod tests;
