//! The readings of a written move.

use std::collections::{BTreeMap, BTreeSet};

use sproutnet_notation::matches::Move;

use super::super::planar::{Corner, Curve, PlanarMap};

/// A reading of a move.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) map: PlanarMap,
    /// How badly the move describes it. 0 is an exact description.
    pub(super) penalty: u32,
    /// What may matter for later moves: see [`drawn`].
    pub(super) drawn: Drawn,
    /// All spots on one side of the line alone, for both sides.
    pub(super) apart: Option<[Vec<usize>; 2]>,
}

/// The live spots on the boundaries of each region, up to mirroring regions one by one.
pub(super) type Drawn = Vec<Vec<Vec<usize>>>;

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

/// The readings of a move, each drawing once, in the order of the drawings.
pub(super) fn readings(map: &PlanarMap, made: &Move) -> Result<Vec<Reading>, Illegal> {
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
pub(super) fn retain_best(readings: &mut Vec<Reading>) {
    let best = readings.iter().map(|reading| reading.penalty).min();
    readings.retain(|reading| Some(reading.penalty) == best);
}

/// The index of a spot in the map.
pub(super) fn index(spot: u32) -> usize {
    spot as usize - 1
}

/// The number of a spot in records.
pub(super) fn number(spot: usize) -> u32 {
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
pub(super) fn regions(map: &PlanarMap) -> impl Iterator<Item = BTreeSet<usize>> {
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
pub(super) fn drawn(map: &PlanarMap) -> Drawn {
    let lives = map.lives_of_spots();
    let region = |boundaries: &[Corner]| {
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
