//! Moves, written so that each has one meaning.

use std::collections::BTreeSet;

use sproutnet_notation::matches::{Move, Record};

use super::super::planar::PlanarMap;
use super::super::{Position, Sprouts};
use super::reading::{Drawn, Reading, drawn, index, number, readings, regions, retain_best};
use super::{Replay, ReplayError};

/// The maximum number of curves between two spots that are tried for a position.
const MOST_CURVES: usize = 5000;

impl Replay {
    /// The moves, written so that each has one meaning.
    pub fn moves(&self, record: &Record) -> Vec<Move> {
        let maps = self.maps.windows(2).zip(&record.moves);
        maps.map(|(maps, made)| written(&maps[0], &maps[1], made))
            .collect()
    }
}

/// A move from one drawing to another that can only mean this. It joins the same spots as `made`, which leads there.
pub(super) fn written(before: &PlanarMap, after: &PlanarMap, made: &Move) -> Move {
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
