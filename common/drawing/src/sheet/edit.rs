//! A drawing that is made freely: spots and lines are added and removed. A line gets no spot by itself.
//!
//! All edits are kept: they can be undone, and they are the address of the drawing.

use std::sync::Arc;

use super::crosses::{ARMS, Part};
use super::given::MOST_DRAWN;
use super::stroke::{coarse, middle};
use super::{MOST_LINES, MOST_SPOTS, Sheet, Stroke, StrokeError};
use crate::paper::{GRAIN, Line, is_on_paper};
use crate::point::Point;

/// The minimum distance of a new spot from other spots, and from lines.
pub(super) const FROM_SPOTS: f64 = 36.0;
pub(super) const FROM_LINES: f64 = 18.0;

/// The maximum number of lives of a drawing without crosses with which a match begins: that of the largest start.
pub const MOST_LIVES: usize = MOST_LINES * MOST_SPOTS;

/// The maximum number of moves of a match that begins with crosses: that from five crosses.
pub const MOST_MOVES_WITH_CROSSES: u32 = 23;

/// A change to a drawing. Spots and lines are counted from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// A spot is put on the sheet.
    Spot(Point),
    /// A line is drawn between two spots, through these points.
    Line([usize; 2], Vec<Point>),
    /// The drawing is evened out.
    Even,
    /// A spot is removed with its lines, or the whole cross that it belongs to. The numbers of other spots close the gap.
    RemoveSpot(usize),
    /// A line is removed.
    RemoveLine(usize),
    /// A spot is put in the middle of a line.
    Divide(usize),
    /// A cross is put on the sheet.
    Cross(Point),
    /// A short line is put across the middle of a line.
    Bar(usize),
    /// A free end of a cross is put on the sheet. Its arm follows as a line.
    End(Point),
    /// The middle of a cross is put on the sheet. Its arms follow as lines.
    Middle(Point),
    /// All edits before this one are one step. All crosses are complete.
    Given,
}

/// Why an edit cannot be made. Spots are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// There is no such spot or line.
    #[error("there is no such spot or line")]
    Missing,
    /// There is too little room beside a spot.
    #[error("there is no room for a spot: it would touch spot {0}")]
    NearSpot(usize),
    /// There is too little room beside the line between two spots.
    #[error("there is no room for a spot: it would touch the line between spot {0} and spot {1}")]
    NearLine(usize, usize),
    /// There is too little room beside a cross.
    #[error("there is no room for a spot: it would touch a cross")]
    NearCross,
    /// There is too little room for the arms of a cross.
    #[error("there is no room for a cross")]
    NoRoom,
    /// The line is a part of a cross.
    #[error("this line is a part of a cross")]
    OfCross,
    /// A cross lacks a part.
    #[error("a cross is incomplete")]
    Incomplete,
    /// The place is not on the sheet.
    #[error("the spot is not on the sheet")]
    Outside,
    /// The drawing already has the maximum number of spots.
    #[error("a drawing has at most {MOST_DRAWN} spots here")]
    TooMany,
    /// The line cannot be drawn.
    #[error(transparent)]
    Line(#[from] StrokeError),
}

impl Edit {
    /// A line as a hand or a [route](Sheet::route) drew it, without the new spot.
    pub fn line(stroke: Stroke) -> Self {
        Self::Line(stroke.ends, stroke.points)
    }

    /// Takes back the last step.
    pub fn undo(edits: &mut Vec<Self>) {
        match edits.pop() {
            Some(Self::Given) => edits.clear(),
            // A line led by the sheet is evened out in the same step.
            Some(Self::Even) if matches!(edits.last(), Some(Self::Line(..))) => drop(edits.pop()),
            _ => {}
        }
    }
}

impl Sheet {
    /// An edit that puts a spot near a place, where there is room for it.
    ///
    /// # Errors
    /// A spot or a line is too near.
    pub fn put(&self, place: Point) -> Result<Edit, EditError> {
        self.free_place(place).map(Edit::Spot)
    }

    /// An edit that puts a cross near a place, where there is room for it.
    ///
    /// # Errors
    /// A spot or a line is too near.
    pub fn put_cross(&self, place: Point) -> Result<Edit, EditError> {
        let put = self.free_place(place).map(Edit::Cross)?;
        self.edited(&put)?;
        Ok(put)
    }

    /// A place nearby that keeps away from spots and lines.
    fn free_place(&self, place: Point) -> Result<Point, EditError> {
        let at = coarse(place);
        let spots = self.spots.iter().enumerate();
        let spots = spots.map(|(i, spot)| (i, spot.distance(at)));
        if let Some((near, away)) = spots.min_by(|a, b| a.1.total_cmp(&b.1))
            && away < FROM_SPOTS
        {
            return Err(self.near_spot(near));
        }
        if let Some(near) = self
            .lines
            .iter()
            .find(|line| line.distance(at) < FROM_LINES)
        {
            return Err(self.near_line(near));
        }
        Ok(at)
    }

    fn near_spot(&self, spot: usize) -> EditError {
        if self.is_middle(spot) {
            EditError::NearCross
        } else {
            EditError::NearSpot(spot + 1)
        }
    }

    fn near_line(&self, line: &Line) -> EditError {
        if line.ends.iter().any(|&end| self.is_middle(end)) {
            return EditError::NearCross;
        }
        let [one, other] = line.ends.map(|end| end + 1);
        EditError::NearLine(one, other)
    }

    /// The sheet after an edit, as a start without moves.
    ///
    /// # Errors
    /// The edit cannot be made.
    pub fn edited(&self, edit: &Edit) -> Result<Self, EditError> {
        let mut sheet = self.clone();
        match edit {
            Edit::Spot(at) => sheet.add_spot(*at)?,
            Edit::Line(ends, points) => sheet.add_line(*ends, points)?,
            Edit::Even => sheet.tidy(),
            Edit::RemoveSpot(spot) => sheet.remove_spot(*spot)?,
            Edit::RemoveLine(line) => {
                if *line < sheet.lines.len() && sheet.is_at_middle(*line) {
                    return Err(EditError::OfCross);
                }
                drop(sheet.remove_line(*line)?);
            }
            Edit::Divide(line) => sheet.divide(*line)?,
            Edit::Cross(at) => {
                sheet.has_room_for_spots(ARMS + 1)?;
                sheet.check_place(*at)?;
                if !sheet.add_cross(*at) {
                    return Err(EditError::NoRoom);
                }
            }
            Edit::Bar(line) => {
                sheet.has_room_for_spots(3)?;
                let middle = sheet.spots.len();
                sheet.divide(*line)?;
                sheet.add_bar(middle)?;
            }
            Edit::End(at) | Edit::Middle(at) => {
                let part = match edit {
                    Edit::Middle(_) => Part::Middle,
                    _ => Part::End,
                };
                sheet.crosses.insert(sheet.spots.len(), part);
                sheet.add_spot(*at)?;
            }
            Edit::Given if !sheet.are_crosses_whole() => return Err(EditError::Incomplete),
            Edit::Given => {}
        }
        sheet.read_map()?;
        sheet.begin_here();
        Ok(sheet)
    }

    /// Makes the present drawing the start.
    pub(super) fn begin_here(&mut self) {
        self.start = self.spots.len();
        self.made.clear();
    }

    /// The edits that make this drawing from nothing, as one step.
    pub fn edits(&self) -> Vec<Edit> {
        let spots = self.spots.iter().enumerate().map(|(i, spot)| {
            let put = match self.crosses.get(&i) {
                None => Edit::Spot,
                Some(Part::End) => Edit::End,
                Some(Part::Middle) => Edit::Middle,
            };
            put(*spot)
        });
        let line = |line: &Line| Edit::Line(line.ends, line.inner().to_vec());
        let lines = self.lines.iter().map(line);
        spots.chain(lines).chain([Edit::Given]).collect()
    }

    /// The lives of all spots together.
    pub fn all_lives(&self) -> usize {
        (0..self.spots.len()).map(|spot| self.lives(spot)).sum()
    }

    /// Whether a match can begin with this drawing. Without crosses, each move takes one life and adds one spot, so that a
    /// limit of lives bounds the size of the drawing. A cross on a line takes no life and adds three spots, so that with
    /// crosses the number of moves is limited instead.
    pub fn fits_a_match(&self) -> bool {
        if !self.has_crosses() {
            return self.all_lives() <= MOST_LIVES;
        }
        let rules = self.drawn_game().rules();
        rules.max_moves_of(&self.drawn_position()) <= MOST_MOVES_WITH_CROSSES
    }

    /// The drawing as the start of a match, in the game that its spots and crosses determine.
    #[must_use]
    pub fn as_start(self: &Arc<Self>) -> Arc<Self> {
        let game = self.drawn_game();
        if self.game == game {
            return Arc::clone(self);
        }
        Arc::new(Self {
            game,
            ..Self::clone(self)
        })
    }

    pub(super) fn has_room_for_spots(&self, more: usize) -> Result<(), EditError> {
        let fits = self.spots.len() + more <= MOST_DRAWN;
        fits.then_some(()).ok_or(EditError::TooMany)
    }

    fn add_spot(&mut self, at: Point) -> Result<(), EditError> {
        self.has_room_for_spots(1)?;
        self.check_place(at)?;
        self.spots.push(at);
        Ok(())
    }

    /// Checks that a spot can be at a place.
    fn check_place(&self, at: Point) -> Result<(), EditError> {
        if !is_on_paper(at) {
            return Err(EditError::Outside);
        }
        if let Some(same) = self.spots.iter().position(|spot| *spot == at) {
            return Err(self.near_spot(same));
        }
        let near = self.lines.iter().find(|line| line.distance(at) < GRAIN);
        near.map_or(Ok(()), |line| Err(self.near_line(line)))
    }

    /// Puts a spot in the middle of a line that is not an arm of a cross.
    fn divide(&mut self, line: usize) -> Result<(), EditError> {
        if line < self.lines.len() && self.is_arm(line) {
            return Err(EditError::OfCross);
        }
        let line = self.remove_line(line)?;
        self.has_room_for_spots(1)?;
        let [from, to] = line.ends.map(|end| self.spots[end]);
        let index = middle(from, line.inner(), to);
        self.add_divided(line.ends, &line.points, 1 + index);
        Ok(())
    }

    fn add_line(&mut self, ends: [usize; 2], points: &[Point]) -> Result<(), EditError> {
        self.check_line(ends, points)?;
        let [from, to] = ends.map(|end| self.spots[end]);
        let points = [&[from][..], points, &[to]].concat();
        self.lines.push(Line { ends, points });
        Ok(())
    }

    fn remove_spot(&mut self, spot: usize) -> Result<(), EditError> {
        if spot >= self.spots.len() {
            return Err(EditError::Missing);
        }
        let gone = self.removed_with(spot);
        self.remove_spots(&gone);
        Ok(())
    }

    fn remove_line(&mut self, line: usize) -> Result<Line, EditError> {
        if line < self.lines.len() {
            Ok(self.lines.remove(line))
        } else {
            Err(EditError::Missing)
        }
    }
}
