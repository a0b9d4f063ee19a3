//! Recorded matches, replayed on the drawing.
//!
//! A record says which spots a line joins and which it separates, not how the line runs. So a written move can have
//! several *readings*, and some are better than others: the best ones list exactly the spots that the line separates.
//! A match is replayed with all readings of all moves at once. Those of a move that make a later move impossible drop
//! out, and the best of the others count. Two readings of a match that differ in a position make it ambiguous.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sproutnet_notation::matches::{Move, Record};

use super::planar::{Curve, PlanarMap};
use super::{Position, Sprouts};

/// The maximum number of readings of a match that are followed at once.
const MOST_READINGS: usize = 1000;

/// How much worse than the best a reading of a match may be at any time.
const WORST: u32 = 4;

/// The maximum number of curves between two spots that are tried for a position.
const MOST_CURVES: usize = 5000;

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

/// Why a written move is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// New spots are numbered in order.
    #[error("the new spot has the number {0}")]
    NewSpot(u32),
    /// A spot does not exist.
    #[error("there is no spot {0}")]
    NoSpot(u32),
    /// A spot can take no line.
    #[error("spot {0} already has three lines")]
    Dead(u32),
    /// A spot can take only one line.
    #[error("spot {0} has lines already and cannot take two more")]
    Loop(u32),
    /// The spots have no region in common.
    #[error("spots {0} and {1} share no region")]
    Apart(u32, u32),
    /// No line separates the listed spots from others.
    #[error("no line from {0} to {1} has all the listed spots on one side")]
    Separated(u32, u32),
    /// There are fewer readings.
    #[error("it has fewer than {0} readings")]
    Reading(u32),
    /// The new spot cannot share a region with the spot after `@`.
    #[error("the new spot shares no region with spot {0}")]
    Beside(u32),
}

/// A reading of a move.
#[derive(Clone, Debug)]
struct Reading {
    map: PlanarMap,
    /// How badly the move describes it. 0 is an exact description.
    penalty: u32,
    /// What may matter for later moves: see [`drawn`].
    drawn: Drawn,
    /// All spots on one side of the line alone, for both sides.
    apart: Option<[Vec<usize>; 2]>,
}

/// The live spots on the boundaries of each region, up to mirroring regions one by one.
type Drawn = Vec<Vec<Vec<usize>>>;

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

/// The readings of a move, each drawing once, in the order of the drawings.
fn readings(map: &PlanarMap, made: &Move) -> Result<Vec<Reading>, Illegal> {
    let lives = map.lives_of_spots();
    let next = lives.len() as u32 + 1;
    if made.new != next {
        return Err(Illegal::NewSpot(next));
    }
    let named = made.separated.iter().chain(made.beside.as_ref());
    for &spot in [made.from, made.to].iter().chain(named) {
        if spot >= next {
            return Err(Illegal::NoSpot(spot));
        }
    }
    let ends = [index(made.from), index(made.to)];
    for (spot, end) in [made.from, made.to].into_iter().zip(ends) {
        match lives[end] {
            0 => return Err(Illegal::Dead(spot)),
            1 if made.from == made.to => return Err(Illegal::Loop(spot)),
            _ => {}
        }
    }
    let curves = map.curves_between(ends[0], ends[1]);
    if curves.is_empty() {
        return Err(Illegal::Apart(made.from, made.to));
    }
    let separated = made.separated.iter().map(|&spot| index(spot)).collect();
    let mut found: Vec<Reading> = curves
        .iter()
        .flat_map(|curve| readings_of(map, curve, ends, &separated, &lives))
        .collect();
    if found.is_empty() {
        return Err(Illegal::Separated(made.from, made.to));
    }
    match made.beside {
        Some(beside) => {
            let new = index(made.new);
            found.retain(|reading| {
                let mut regions = regions(&reading.map);
                regions.any(|region| region.contains(&new) && region.contains(&index(beside)))
            });
            if found.is_empty() {
                return Err(Illegal::Beside(beside));
            }
        }
        None => prefer_hidden(&mut found, index(made.new)),
    }
    let mut best: BTreeMap<Drawn, Reading> = BTreeMap::new();
    for reading in found {
        let known = best.get(&reading.drawn);
        if known.is_none_or(|known| reading.penalty < known.penalty) {
            best.insert(reading.drawn.clone(), reading);
        }
    }
    let mut found: Vec<Reading> = best.into_values().collect();
    if let Some(wanted) = made.reading {
        retain_best(&mut found);
        let wanted = (wanted as usize).checked_sub(1);
        let chosen = wanted.filter(|&wanted| wanted < found.len());
        let chosen = chosen.ok_or(Illegal::Reading(made.reading.unwrap_or_default()))?;
        found = vec![found.swap_remove(chosen)];
    }
    Ok(found)
}

/// Keeps the readings that a move describes best.
fn retain_best(readings: &mut Vec<Reading>) {
    let best = readings.iter().map(|reading| reading.penalty).min();
    readings.retain(|reading| Some(reading.penalty) == best);
}

/// The index of a spot in the map.
fn index(spot: u32) -> usize {
    spot as usize - 1
}

/// The number of a spot in records.
fn number(spot: usize) -> u32 {
    spot as u32 + 1
}

/// The readings of a move along a curve: with the listed spots on one side, or on the other.
fn readings_of(
    map: &PlanarMap,
    curve: &Curve,
    ends: [usize; 2],
    separated: &BTreeSet<usize>,
    lives: &[usize],
) -> Vec<Reading> {
    let Some(sides) = curve.sides() else {
        let reading = || Reading::new(curve.draw(map, &[]), 0, None);
        return separated.is_empty().then(reading).into_iter().collect();
    };
    let others = curve.others();
    // A boundary is on the side of its listed spots.
    let is_listed: Vec<bool> = others
        .iter()
        .map(|spots| spots.iter().any(|spot| separated.contains(spot)))
        .collect();
    let listed_others = || others.iter().zip(&is_listed).filter(|&(_, &listed)| listed);
    let mut readings = Vec::new();
    for side in 0..2 {
        let with_others = |side: usize, is_listed_side: bool| -> BTreeSet<usize> {
            let others = others.iter().zip(&is_listed);
            let others = others.filter(|&(_, &listed)| listed == is_listed_side);
            let others = others.flat_map(|(spots, _)| spots);
            sides[side].iter().chain(others).copied().collect()
        };
        let (here, there) = (with_others(side, true), with_others(1 - side, false));
        if !separated.is_subset(&here) {
            continue;
        }
        let missing = here
            .difference(&there)
            .filter(|&spot| lives[*spot] > 0 && !ends.contains(spot) && !separated.contains(spot));
        // Spots that the line leads past anyway are often not listed.
        let penalty = missing.map(|spot| {
            let is_of_other = listed_others().any(|(spots, _)| spots.contains(spot));
            if is_of_other { 2 } else { 1 }
        });
        let penalty = penalty.max().unwrap_or(0);
        let is_first: Vec<bool> = is_listed
            .iter()
            .map(|&listed| listed == (side == 0))
            .collect();
        let apart = [here.difference(&there), there.difference(&here)];
        let apart = apart.map(|spots| spots.copied().collect());
        let drawn = curve.draw(map, &is_first);
        readings.push(Reading::new(drawn, penalty, Some(apart)));
    }
    readings
}

/// Without `@`, the new spot is in the region where it has no other live spot beside it, if there is such a choice.
fn prefer_hidden(readings: &mut [Reading], new: usize) {
    let beside = |reading: &Reading| -> BTreeSet<usize> {
        let lives = reading.map.lives_of_spots();
        let regions = regions(&reading.map).filter(|region| region.contains(&new));
        regions.flatten().filter(|&spot| lives[spot] > 0).collect()
    };
    let beside: Vec<BTreeSet<usize>> = readings.iter().map(beside).collect();
    for (reading, own) in readings.iter_mut().zip(&beside) {
        let hidden = |other: &&BTreeSet<usize>| other.is_subset(own) && *other != own;
        reading.penalty += u32::from(beside.iter().any(|other| hidden(&other)));
    }
}

/// The spots of each region.
fn regions(map: &PlanarMap) -> impl Iterator<Item = BTreeSet<usize>> {
    map.faces().map(|boundaries| {
        let corners = boundaries.iter().flat_map(|&named| map.corners(named));
        corners.map(|corner| map.spot(corner)).collect()
    })
}

impl Reading {
    fn new(map: PlanarMap, penalty: u32, apart: Option<[Vec<usize>; 2]>) -> Self {
        Self {
            drawn: drawn(&map),
            map,
            penalty,
            apart,
        }
    }
}

/// The live spots on the boundaries of each region. Regions may be mirrored one by one: what can be played later stays
/// the same.
fn drawn(map: &PlanarMap) -> Drawn {
    let lives = map.lives_of_spots();
    let region = |boundaries: &[super::planar::Corner]| {
        let met = boundaries.iter().map(|&named| {
            let corners = map.corners(named).into_iter();
            let spots = corners.map(|corner| map.spot(corner));
            spots.filter(|&spot| lives[spot] > 0).collect::<Vec<_>>()
        });
        let met: Vec<Vec<usize>> = met.filter(|met| !met.is_empty()).collect();
        let mirrored = met.iter().map(|met| met.iter().rev().copied().collect());
        let mirrored: Vec<Vec<usize>> = mirrored.collect();
        let [one, other] = [met, mirrored].map(|boundaries| {
            let mut boundaries: Vec<_> = boundaries.iter().map(|met| least_rotation(met)).collect();
            boundaries.sort_unstable();
            boundaries
        });
        one.min(other)
    };
    let mut regions: Drawn = map.faces().map(region).collect();
    regions.retain(|region| !region.is_empty());
    regions.sort_unstable();
    regions
}

fn least_rotation(cycle: &[usize]) -> Vec<usize> {
    let rotations = (0..cycle.len()).map(|i| [&cycle[i..], &cycle[..i]].concat());
    rotations.min().unwrap_or_default()
}

impl Replay {
    /// The moves, written so that each has one meaning.
    pub fn moves(&self, record: &Record) -> Vec<Move> {
        let maps = self.maps.windows(2).zip(&record.moves);
        maps.map(|(maps, made)| written(&maps[0], &maps[1], made))
            .collect()
    }
}

/// A move from one drawing to another that can only mean this. It joins the same spots as `made`, which leads there.
fn written(before: &PlanarMap, after: &PlanarMap, made: &Move) -> Move {
    let plain = Move {
        marks: [false; 3],
        reading: None,
        ..made.clone()
    };
    let drawn = drawn(after);
    let is_it = |reading: &Reading| reading.drawn == drawn;
    let readings_of = |made: &Move| {
        let mut readings = readings(before, made).unwrap_or_default();
        retain_best(&mut readings);
        readings.retain(|reading| reading.penalty == 0);
        readings
    };
    let (lists, beside) = described(before, after, &plain, &drawn);
    let written = |list: &Vec<usize>, beside: Option<usize>| Move {
        separated: list.iter().copied().map(number).collect(),
        beside: beside.map(number),
        ..plain.clone()
    };
    let beside = std::iter::once(None).chain(beside.into_iter().map(Some));
    let choices = beside.flat_map(|beside| lists.iter().map(move |list| (list, beside)));
    let choices: Vec<Move> = choices
        .map(|(list, beside)| written(list, beside))
        .collect();
    let has_one_meaning = |choice: &&Move| matches!(&readings_of(choice)[..], [one] if is_it(one));
    if let Some(choice) = choices.iter().find(has_one_meaning) {
        return choice.clone();
    }
    let numbered = choices.into_iter().find_map(|choice| {
        let reading = readings_of(&choice).iter().position(is_it)?;
        Some(Move {
            reading: Some(reading as u32 + 1),
            ..choice
        })
    });
    numbered.expect("the list of the spots on one side describes a line exactly")
}

/// What can be written to describe a line: lists of spots on one side, and spots in a region with the new one.
fn described(
    before: &PlanarMap,
    after: &PlanarMap,
    made: &Move,
    drawn: &Drawn,
) -> (Vec<Vec<usize>>, BTreeSet<usize>) {
    let lives = before.lives_of_spots();
    let ends = [index(made.from), index(made.to)];
    let readings = readings(before, made).unwrap_or_default();
    let reading = readings.iter().find(|reading| reading.drawn == *drawn);
    let mut lists = vec![Vec::new()];
    if let Some(apart) = reading.and_then(|reading| reading.apart.as_ref()) {
        let live = apart.clone().map(|mut spots| {
            spots.retain(|spot| lives[*spot] > 0 && !ends.contains(spot));
            spots
        });
        lists = live.into_iter().chain(apart.clone()).collect();
        lists[..2].sort_by_key(Vec::len);
        lists[2..].sort_by_key(Vec::len);
    }
    let new = index(made.new);
    let beside = regions(after).filter(|region| region.contains(&new));
    let beside = beside.flatten().filter(|&spot| spot != new);
    (lists, beside.collect())
}

/// A match through these positions, the first of which is the start with `spots` spots: its moves.
///
/// # Errors
/// No move leads from one position to the next.
pub fn through(spots: u32, positions: &[Position]) -> Result<Vec<Move>, ReplayError> {
    let mut map = PlanarMap::start(spots as usize);
    if positions
        .first()
        .is_some_and(|first| *first != Sprouts::on_map(&map))
    {
        return Err(ReplayError::NoMove(0));
    }
    let mut moves = Vec::new();
    for (number, position) in (0..).zip(positions).skip(1) {
        let (made, after) = step(&map, position).ok_or(ReplayError::NoMove(number))?;
        map = after;
        moves.push(made);
    }
    Ok(moves)
}

/// A move from a drawing to a position, and the drawing after it. A move with one meaning comes first.
fn step(map: &PlanarMap, position: &Position) -> Option<(Move, PlanarMap)> {
    let lives = map.lives_of_spots();
    let spots: Vec<usize> = (0..lives.len()).filter(|&spot| lives[spot] > 0).collect();
    let pairs = (spots.iter()).flat_map(|&from| spots.iter().map(move |&to| (from, to)));
    pairs
        .filter(|(from, to)| from <= to)
        .find_map(|(from, to)| {
            let joins = map.joins(from, to, MOST_CURVES)?;
            joins.into_iter().find_map(|joined| {
                if Sprouts::on_map(&joined.map) != *position {
                    return None;
                }
                let separated = joined.sides.map_or_else(Vec::new, |[one, other]| {
                    let apart = one.into_iter().filter(|spot| !other.contains(spot));
                    apart.map(number).collect()
                });
                let made = Move {
                    from: number(from),
                    new: number(lives.len()),
                    to: number(to),
                    separated,
                    ..Move::default()
                };
                let made = written(map, &joined.map, &made);
                Some((made, joined.map))
            })
        })
}

#[cfg(test)]
mod tests;
