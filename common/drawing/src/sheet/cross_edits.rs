//! Crosses in a freely made drawing.
//!
//! The first line at a free end is the arm of its cross: later ones are drawn from it. So a cross is known by its lines.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use super::crosses::{ARMS, Part};
use super::{Sheet, SheetGame};
use crate::paper::Line;
use crate::point::Point;
use sproutnet_game::Position;

/// The minimum length of the arms of a cross that is put on the sheet, and the minimum distance of their ends from lines.
const LEAST_ARM: f64 = 25.0;
const FROM_LINES: f64 = 12.0;

impl Sheet {
    /// The game whose position a free drawing is: that of the crosses and spots on it.
    pub fn drawn_game(&self) -> SheetGame {
        match self.crosses.len() {
            0 => SheetGame::Sprouts,
            parts if parts == self.spots.len() => SheetGame::Brussels,
            _ => SheetGame::Mixed,
        }
    }

    /// The position of a free drawing in that game, in canonical form.
    pub fn drawn_position(&self) -> Position {
        self.drawn_game().position(&self.map)
    }

    /// Whether the sheet has crosses.
    pub fn has_crosses(&self) -> bool {
        !self.crosses.is_empty()
    }

    /// Whether a spot is a free end of a cross, or was one.
    pub fn is_end(&self, spot: usize) -> bool {
        self.crosses.get(&spot) == Some(&Part::End)
    }

    /// Whether a line leads to the middle of a cross, which would be incomplete without it.
    pub fn is_at_middle(&self, line: usize) -> bool {
        self.lines[line].ends.iter().any(|&end| self.is_middle(end))
    }

    /// Whether a line is an arm of a cross.
    pub fn is_arm(&self, line: usize) -> bool {
        let ends = self.lines[line].ends.iter();
        self.is_at_middle(line) && ends.copied().any(|end| self.arm(end) == Some(line))
    }

    /// Whether every middle has all its lines, and every free end its arm.
    pub fn are_crosses_whole(&self) -> bool {
        self.crosses.iter().all(|(&spot, part)| match part {
            Part::Middle => self.lives(spot) == 0,
            Part::End => self.middle(spot).is_some(),
        })
    }

    /// Puts a cross on the sheet. Returns whether there is room for its arms.
    pub(super) fn add_cross(&mut self, at: Point) -> bool {
        let end = |arm: usize| {
            let way = Point::at_angle(TAU * arm as f64 / ARMS as f64);
            let end = self.end_of_arm(at, way)?;
            let is_apart = self
                .lines
                .iter()
                .all(|line| line.distance(end) >= FROM_LINES);
            (is_apart && at.distance(end) >= LEAST_ARM).then_some(end)
        };
        let Some(ends) = (0..ARMS).map(end).collect::<Option<Vec<Point>>>() else {
            return false;
        };
        let ends: Vec<usize> = ends
            .into_iter()
            .map(|end| self.add_part(end, Part::End))
            .collect();
        let middle = self.add_part(at, Part::Middle);
        for end in ends {
            self.add_arm(middle, end);
        }
        true
    }

    /// What is removed with a spot: all of its cross, and all crosses that would lose a line.
    pub(super) fn removed_with(&self, spot: usize) -> BTreeSet<usize> {
        let mut gone = self.cross_of(spot);
        loop {
            let stays = |line: &&Line| !line.ends.iter().any(|end| gone.contains(end));
            let ends = || self.lines.iter().filter(stays).flat_map(|line| line.ends);
            let is_broken = |spot: &usize| {
                let lines = ends().filter(|end| end == spot).count();
                self.is_middle(*spot) && !gone.contains(spot) && lines < ARMS
            };
            let Some(&broken) = self.crosses.keys().find(|&spot| is_broken(spot)) else {
                return gone;
            };
            gone.extend(self.cross_of(broken));
        }
    }

    /// Removes spots with their lines. The numbers of the others close the gaps.
    pub(super) fn remove_spots(&mut self, gone: &BTreeSet<usize>) {
        let number = |spot: usize| spot - gone.range(..spot).count();
        self.lines
            .retain(|line| !line.ends.iter().any(|end| gone.contains(end)));
        for end in self.lines.iter_mut().flat_map(|line| &mut line.ends) {
            *end = number(*end);
        }
        let parts: BTreeMap<usize, Part> = self
            .crosses
            .iter()
            .filter(|(spot, _)| !gone.contains(spot))
            .map(|(&spot, &part)| (number(spot), part))
            .collect();
        self.crosses = parts;
        let mut spots = 0..;
        self.spots
            .retain(|_| spots.next().is_some_and(|spot| !gone.contains(&spot)));
    }

    /// The parts of the cross of a spot; the spot alone if it belongs to none.
    fn cross_of(&self, spot: usize) -> BTreeSet<usize> {
        let middle = if self.is_middle(spot) {
            Some(spot)
        } else {
            self.middle(spot)
        };
        let Some(middle) = middle else {
            return BTreeSet::from([spot]);
        };
        let parts = self.crosses.keys().copied();
        let ends = parts.filter(|&end| self.middle(end) == Some(middle));
        ends.chain([middle]).collect()
    }

    /// The middle of the cross of a free end.
    fn middle(&self, end: usize) -> Option<usize> {
        let [one, other] = self.lines[self.arm(end)?].ends;
        let middle = if one == end { other } else { one };
        self.is_middle(middle).then_some(middle)
    }

    /// The arm of a free end.
    fn arm(&self, end: usize) -> Option<usize> {
        let of_end = |line: &Line| line.ends.contains(&end);
        self.lines
            .iter()
            .position(of_end)
            .filter(|_| self.is_end(end))
    }
}
