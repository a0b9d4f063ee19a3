//! A drawing that is made freely: spots and lines are added and removed. A line gets no spot by itself.
//!
//! All edits are kept: they can be undone, and they are the address of the drawing.

use super::given::MOST_DRAWN;
use super::stroke::{coarse, middle};
use super::{MOST_LINES, MOST_SPOTS, Sheet, Stroke, StrokeError};
use crate::paper::{GRAIN, Line, is_on_paper};
use crate::point::Point;

/// The minimum distance of a new spot from other spots, and from lines.
pub(super) const FROM_SPOTS: f64 = 36.0;
pub(super) const FROM_LINES: f64 = 18.0;

/// The maximum number of lives of a drawing with which a match begins: that of the largest start.
pub const MOST_LIVES: usize = MOST_LINES * MOST_SPOTS;

/// A change to a drawing. Spots and lines are counted from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// A spot is put on the sheet.
    Spot(Point),
    /// A line is drawn between two spots, through these points.
    Line([usize; 2], Vec<Point>),
    /// The drawing is evened out.
    Even,
    /// A spot is removed, with its lines. The numbers of the spots after it decrease by one.
    RemoveSpot(usize),
    /// A line is removed.
    RemoveLine(usize),
    /// A spot is put in the middle of a line.
    Divide(usize),
    /// All edits before this one are one step.
    Given,
}

/// Why an edit cannot be made. Spots are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
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
        let at = coarse(place);
        let spots = self.spots.iter().enumerate();
        let spots = spots.map(|(i, spot)| (i, spot.distance(at)));
        if let Some((near, away)) = spots.min_by(|a, b| a.1.total_cmp(&b.1))
            && away < FROM_SPOTS
        {
            return Err(EditError::NearSpot(near + 1));
        }
        if let Some(near) = self
            .lines
            .iter()
            .find(|line| line.distance(at) < FROM_LINES)
        {
            let [one, other] = near.ends.map(|end| end + 1);
            return Err(EditError::NearLine(one, other));
        }
        Ok(Edit::Spot(at))
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
            Edit::RemoveLine(line) => drop(sheet.remove_line(*line)?),
            Edit::Divide(line) => {
                let line = sheet.remove_line(*line)?;
                sheet.has_room_for_spots(1)?;
                let [from, to] = line.ends.map(|end| sheet.spots[end]);
                let index = middle(from, line.inner(), to);
                sheet.add_divided(line.ends, &line.points, 1 + index);
            }
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
        let spots = self.spots.iter().map(|spot| Edit::Spot(*spot));
        let line = |line: &Line| Edit::Line(line.ends, line.inner().to_vec());
        let lines = self.lines.iter().map(line);
        spots.chain(lines).chain([Edit::Given]).collect()
    }

    /// The lives of all spots together.
    pub fn all_lives(&self) -> usize {
        (0..self.spots.len()).map(|spot| self.lives(spot)).sum()
    }

    /// Whether a match can begin with this drawing. Each move takes one life and adds one spot.
    pub fn fits_a_match(&self) -> bool {
        self.all_lives() <= MOST_LIVES
    }

    pub(super) fn has_room_for_spots(&self, more: usize) -> Result<(), EditError> {
        let fits = self.spots.len() + more <= MOST_DRAWN;
        fits.then_some(()).ok_or(EditError::TooMany)
    }

    fn add_spot(&mut self, at: Point) -> Result<(), EditError> {
        self.has_room_for_spots(1)?;
        if !is_on_paper(at) {
            return Err(EditError::Outside);
        }
        if let Some(same) = self.spots.iter().position(|spot| *spot == at) {
            return Err(EditError::NearSpot(same + 1));
        }
        if let Some(line) = self.lines.iter().find(|line| line.distance(at) < GRAIN) {
            let [one, other] = line.ends.map(|end| end + 1);
            return Err(EditError::NearLine(one, other));
        }
        self.spots.push(at);
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
        self.spots.remove(spot);
        self.lines.retain(|line| !line.ends.contains(&spot));
        for end in self.lines.iter_mut().flat_map(|line| &mut line.ends) {
            *end -= usize::from(*end > spot);
        }
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
