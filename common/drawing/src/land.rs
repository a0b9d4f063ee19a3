//! A land drawn on a sheet of paper of its own.

use std::cmp::Reverse;

use crate::embed::{Corner, Embedding};
use crate::error::DrawingError;
use crate::layout::{layout, post};
use crate::mesh::Mesh;
use crate::paper::{Line, SIDE, on_paper, snapped};
use crate::point::Point;
use crate::relax::Relaxation;

/// The drawn side of the square that a spot without lives takes.
const ROOM: f64 = 34.0;

/// The distance between isolated spots in a land without lines.
const ISOLATED: f64 = 52.0;

/// The golden angle between successive seeds of a sunflower.
const GOLDEN: f64 = 2.399_963_229_728_653;

/// The distances in a picture, as multiples of those on the sheet of a match.
const SCALE: f64 = 0.7;

/// The number of corners of the fence around a land.
const POSTS: usize = 48;

/// A land on paper. Its spots and lines have the numbers of its map.
pub(super) struct Drawn {
    pub(super) spots: Vec<Point>,
    pub(super) lines: Vec<Line>,
    /// The index of the face around everything.
    pub(super) outer: usize,
}

impl Drawn {
    /// Draws a land. The region with the most boundaries is the outermost.
    ///
    /// # Errors
    /// The land is too large.
    pub(super) fn of(map: &Embedding) -> Result<Self, DrawingError> {
        if map.lines() == 0 {
            return Ok(Self::of_isolated(map));
        }
        let most = |&region: &usize| (map.faces[region].len(), Reverse(region));
        let outer = (0..map.regions).max_by_key(most).unwrap_or(0);
        let fence = (0..POSTS).map(|i| snapped(post(i, POSTS)));
        let fence: Vec<Point> = fence.collect();
        let mesh = Mesh::of(map, outer);
        let laid = layout(&mesh, map.lives.len(), &fence);
        let (spots, lines) = laid.ok_or(DrawingError::TooLarge)?;
        let mut drawn = Self {
            spots,
            lines,
            outer,
        };
        let dart = |face: &Vec<Corner>| match face[0] {
            Corner::Before(dart) => Some(dart),
            Corner::Isolated(_) => None,
        };
        let mut relaxation = Relaxation {
            spots: &mut drawn.spots,
            lines: &mut drawn.lines,
            live: map.live().len(),
            dead: map.faces[map.regions..].iter().filter_map(dart).collect(),
            unit: SCALE * SIDE / (2.0 * half(map)),
            fence,
            leash: f64::INFINITY,
            only_last: false,
        };
        // It fails if rounding has moved a point across a line.
        let is_drawn = relaxation.run();
        is_drawn.then_some(drawn).ok_or(DrawingError::TooLarge)
    }

    /// A land of isolated spots: a regular polygon or, if there are many, the seeds of a sunflower.
    fn of_isolated(map: &Embedding) -> Self {
        let count = map.lives.len();
        let spot = |i: usize| match count {
            1 => Point::default(),
            // With one spot at the top.
            2..8 => {
                Point::at_angle(std::f64::consts::TAU * (i as f64 / count as f64 - 0.25)) * 0.52
            }
            _ => {
                let far = ((i as f64 + 0.5) / count as f64).sqrt();
                Point::at_angle(GOLDEN * i as f64) * (far * (1.0 - 0.55 * ISOLATED / half(map)))
            }
        };
        Self {
            spots: (0..count).map(|i| snapped(on_paper(spot(i)))).collect(),
            lines: Vec::new(),
            outer: 0,
        }
    }
}

/// Half the side of the picture of a land.
pub(super) fn half(map: &Embedding) -> f64 {
    if map.lines() == 0 {
        return (0.5 * (map.lives.len() as f64).sqrt() + 0.75) * ISOLATED;
    }
    // In squares of this unit: a spot takes its size squared, and a line three squares.
    let size_of = |&lives: &u32| match lives {
        1 => 1.2_f64,
        2 => 1.5,
        3 => 1.9,
        _ => 1.0,
    };
    let spots = map.lives.iter().map(|lives| size_of(lives).powi(2));
    let wanted = spots.sum::<f64>() + 3.0 * map.lines() as f64;
    ROOM / (4.0 / (wanted + 6.0)).sqrt()
}
