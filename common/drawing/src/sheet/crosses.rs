//! Sheets with crosses. A cross is four lines that meet in its middle, each with a free end. In the games with crosses,
//! a move may put one on its line: a short line across, with a free end on either side.

use std::sync::Arc;

use super::{MOST_LINES, Sheet, StrokeError, circle};
use crate::paper::{CENTRE, Line, is_on_paper, snapped};
use crate::point::{Point, segments_cross};
use sproutnet_game::sprouts::planar::PlanarMap;
use sproutnet_game::{Crosses, Game, Position, Sprouts};

/// The maximum number of spots and crosses together at the start of a match with crosses.
pub const MOST_WITH_CROSSES: usize = 5;

/// The number of arms of a cross.
pub(super) const ARMS: usize = 4;

/// The length of the arms of a cross at the start, and the lengths that are tried for an arm of a new one.
const ARM: f64 = 60.0;
const SHORTER: [f64; 8] = [56.0, 44.0, 34.0, 26.0, 18.0, 12.0, 7.0, 4.0];

/// An arm keeps this share of its length as the distance from spots. Where there is less room, it is shorter.
const CLEAR: f64 = 0.4;

/// The radius of the circle of spots and crosses at the start, as a share of the side of the sheet.
const CIRCLE: f64 = 0.28;

/// The game that is played on a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SheetGame {
    /// Sprouts: a move puts a spot on its line.
    #[default]
    Sprouts,
    /// Brussels Sprouts: a move puts a cross on its line.
    Brussels,
    /// Mixed Sprouts: the player chooses.
    Mixed,
}

/// What a move puts on its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// A spot.
    #[default]
    Spot,
    /// A short line across.
    Cross,
}

/// The parts of crosses among the spots of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The point in which the arms meet. It is full from the start.
    Middle,
    /// The free end of an arm. It takes one line.
    End,
}

impl SheetGame {
    const ALL: [Self; 3] = [Self::Sprouts, Self::Brussels, Self::Mixed];

    /// The game whose rules have this name, such as `brussels`; `None` if it is not played on a sheet.
    pub fn named(rules: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|game| game.rules().name() == rules)
    }

    /// What a move can put on its line, the usual first.
    pub fn marks(self) -> &'static [Mark] {
        match self {
            Self::Sprouts => &[Mark::Spot],
            Self::Brussels => &[Mark::Cross],
            Self::Mixed => &[Mark::Spot, Mark::Cross],
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sprouts => "Sprouts",
            Self::Brussels => "Brussels Sprouts",
            Self::Mixed => "Mixed Sprouts",
        }
    }

    /// Its rules.
    pub fn rules(self) -> Arc<dyn Game> {
        match self {
            Self::Sprouts => Arc::new(Sprouts),
            Self::Brussels => Arc::new(Crosses::BRUSSELS),
            Self::Mixed => Arc::new(Crosses::MIXED),
        }
    }

    /// The position on a map.
    pub(super) fn position(self, map: &PlanarMap) -> Position {
        match self {
            Self::Sprouts => Sprouts::on_map(map),
            Self::Brussels => Crosses::BRUSSELS.on_map(map),
            Self::Mixed => Crosses::MIXED.on_map(map),
        }
    }
}

impl Sheet {
    /// A sheet with these numbers of spots and crosses, at most [`MOST_WITH_CROSSES`] together. The spots come first,
    /// then the ends of the crosses, four of each, and then their middles.
    ///
    /// # Panics
    /// If there are so many that crosses meet.
    pub fn start_with_crosses(game: SheetGame, spots: usize, crosses: usize) -> Self {
        let places = match spots + crosses {
            1 => vec![CENTRE],
            all => circle(all, CIRCLE),
        };
        let middles = &places[spots..];
        let mut sheet = Self::start(0);
        sheet.game = game;
        sheet.spots.extend(&places[..spots]);
        for &middle in middles {
            for arm in 0..ARMS {
                let turn = std::f64::consts::TAU * arm as f64 / ARMS as f64;
                sheet.add_part(snapped(middle + Point::at_angle(turn) * ARM), Part::End);
            }
        }
        for (cross, &at) in middles.iter().enumerate() {
            let middle = sheet.add_part(at, Part::Middle);
            for arm in 0..ARMS {
                sheet.add_arm(middle, spots + ARMS * cross + arm);
            }
        }
        let read = sheet.read_map();
        read.expect("crosses that are apart from each other are a map");
        sheet.begin_here();
        sheet
    }

    /// The drawing of a position with which a game with crosses can start; `None` for other positions.
    pub fn start_of(game: SheetGame, position: &Position) -> Option<Self> {
        let all = (1..=MOST_WITH_CROSSES).flat_map(|all| (0..=all).map(move |spots| (spots, all)));
        let mut starts = all
            .filter(|&(spots, _)| game == SheetGame::Mixed || spots == 0)
            .map(|(spots, all)| Self::start_with_crosses(game, spots, all - spots));
        starts.find(|sheet| sheet.position() == *position)
    }

    /// The game that is played on the sheet.
    pub fn game(&self) -> SheetGame {
        self.game
    }

    /// Whether a spot is the middle of a cross, which is no spot to see.
    pub fn is_middle(&self, spot: usize) -> bool {
        self.crosses.get(&spot) == Some(&Part::Middle)
    }

    /// The number of crosses at the start.
    pub fn crosses_at_start(&self) -> usize {
        (0..self.start).filter(|&spot| self.is_middle(spot)).count()
    }

    /// Whether a spot is a part of a cross.
    pub(super) fn is_of_cross(&self, spot: usize) -> bool {
        self.crosses.contains_key(&spot)
    }

    /// The maximum number of lines at a spot.
    pub(super) fn most_lines(&self, spot: usize) -> usize {
        match self.crosses.get(&spot) {
            None => MOST_LINES,
            Some(Part::Middle) => ARMS,
            // That of its arm, and one more.
            Some(Part::End) => 2,
        }
    }

    /// Puts a short line across at the spot that divides the last line.
    ///
    /// # Errors
    /// There is no room for it.
    pub(super) fn add_bar(&mut self, middle: usize) -> Result<(), StrokeError> {
        let [.., one, other] = &self.lines[..] else {
            return Err(StrokeError::NoRoom);
        };
        let at = self.spots[middle];
        let toward = |next: Point| {
            let way = next - at;
            way * (1.0 / way.length())
        };
        // Where the line bends, the arms divide its two angles.
        let along = toward(other.points[1]) - toward(one.points[one.points.len() - 2]);
        let across = Point::new(-along.y, along.x) * (1.0 / along.length());
        let ends = [across, across * -1.0].map(|way| self.end_of_arm(at, way));
        self.crosses.insert(middle, Part::Middle);
        for end in ends {
            let end = self.add_part(end.ok_or(StrokeError::NoRoom)?, Part::End);
            self.add_arm(middle, end);
        }
        Ok(())
    }

    /// The end of the longest arm that has room in a direction.
    pub(super) fn end_of_arm(&self, at: Point, way: Point) -> Option<Point> {
        let has_room = |&(long, end): &(f64, Point)| {
            let crosses = |step: &[Point]| {
                segments_cross([at, end], [step[0], step[1]]) || step.contains(&end)
            };
            let near = |spot: &Point| spot.distance_to_segment(at, end) < CLEAR * long;
            let mut spots = self.spots.iter().filter(|spot| **spot != at);
            is_on_paper(end)
                && !self
                    .lines
                    .iter()
                    .any(|line| line.points.windows(2).any(crosses))
                && !spots.any(near)
        };
        let mut ends = SHORTER.iter().map(|&long| (long, snapped(at + way * long)));
        ends.find(has_room).map(|(_, end)| end)
    }

    pub(super) fn add_part(&mut self, at: Point, part: Part) -> usize {
        let spot = self.spots.len();
        self.spots.push(at);
        self.crosses.insert(spot, part);
        spot
    }

    /// Draws a straight line between two spots.
    pub(super) fn add_arm(&mut self, from: usize, to: usize) {
        let [one, other] = [from, to].map(|spot| self.spots[spot]);
        self.lines.push(Line {
            ends: [from, to],
            points: vec![one, snapped(one.toward(other, 0.5)), other],
        });
    }
}
