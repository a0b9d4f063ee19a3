//! The picture of a land: the places of its spots, its curves, and the outlines of its faces.

use std::sync::{Arc, LazyLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use sproutnet_game::sprouts::Mid;
use sproutnet_game::{Game, Land};

use crate::curves::{Quad, Strand, on, smooth};
use crate::embed::{Corner, Embedding};
use crate::error::DrawingError;
use crate::land::{Drawn, half};
use crate::layout::on_frame;
use crate::paper::{Line, off_paper};
use crate::point::Point;

/// The maximum number of spots and lines of a land that is drawn.
const MOST_THINGS: usize = 1500;

/// The maximum number of spots and lines in all cached pictures together, at some 500 bytes each.
const MOST_KEPT: u64 = 20_000;

/// The name of a game, and a land of it.
type Key = (&'static str, Land);

/// A cache of pictures. A move changes one land of a sum, so the others need not be drawn again. A picture depends on
/// nothing but its key.
static KEPT: LazyLock<Cache<Key, Arc<Picture>, Things>> =
    // With this estimate the cache is not divided into parts, so the largest land fits.
    LazyLock::new(|| Cache::with_weighter(32, MOST_KEPT, Things));

/// Counts the spots and lines of a picture.
#[derive(Clone)]
struct Things;

impl Weighter<Key, Arc<Picture>> for Things {
    fn weight(&self, _: &Key, picture: &Arc<Picture>) -> u64 {
        (picture.map.lives.len() + picture.map.lines()) as u64
    }
}

/// A curve: straight to the start of each part, along the part, and straight to the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub(super) start: Point,
    pub(super) parts: Vec<Quad>,
    pub(super) end: Point,
}

/// The picture of a land, in a square around the origin until it is placed.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) map: Embedding,
    pub(super) outer: usize,
    pub(super) half: f64,
    /// The outline of the square.
    pub(super) frame: Vec<Point>,
    pub(super) spots: Vec<Point>,
    /// The curve of each line, from the start of its even dart.
    pub(super) lines: Vec<Path>,
}

impl Path {
    /// Converts the curve of a line to the direction of one of its darts, and back.
    fn along(&self, dart: usize) -> Self {
        if dart.is_multiple_of(2) {
            return self.clone();
        }
        let parts = self.parts.iter().rev().map(|&[a, b, c]| [c, b, a]);
        Self {
            start: self.end,
            parts: parts.collect(),
            end: self.start,
        }
    }

    fn all_points(&mut self) -> impl Iterator<Item = &mut Point> {
        let ends = [&mut self.start, &mut self.end].into_iter();
        ends.chain(self.parts.iter_mut().flatten())
    }

    /// The ends of the curve, and `each` + 1 points on each part.
    pub(super) fn points(&self, each: usize) -> Vec<Point> {
        let mut points = vec![self.start];
        for part in &self.parts {
            points.extend((0..=each).map(|i| on(part, i as f64 / each as f64)));
        }
        points.push(self.end);
        points
    }
}

impl Picture {
    /// The picture of a land, from the cache or newly drawn, in a square around the origin.
    ///
    /// # Errors
    /// The land cannot be drawn in the plane, or is too large.
    pub(super) fn kept(game: &dyn Game, mid: Mid, land: &Land) -> Result<Arc<Self>, DrawingError> {
        let key = (game.name(), land.clone());
        KEPT.get_or_insert_with(&key, || {
            Embedding::of(game, mid, land)
                .and_then(Self::of)
                .map(Arc::new)
        })
    }

    /// Whether the picture of a land is in the cache.
    pub(super) fn is_kept(game: &dyn Game, land: &Land) -> bool {
        KEPT.contains_key(&(game.name(), land.clone()))
    }

    fn of(map: Embedding) -> Result<Self, DrawingError> {
        if map.lives.len() + map.lines() > MOST_THINGS {
            return Err(DrawingError::TooLarge);
        }
        let drawn = Drawn::of(&map)?;
        let half = half(&map);
        let mut picture = Self {
            outer: drawn.outer,
            half,
            frame: frame(1.0),
            spots: drawn.spots.into_iter().map(off_paper).collect(),
            lines: Vec::new(),
            map,
        };
        picture.draw_lines(&drawn.lines);
        picture.place(Point::default(), half);
        Ok(picture)
    }

    /// Scales and moves the picture.
    pub(super) fn place(&mut self, centre: Point, scale: f64) {
        let lines = self.lines.iter_mut().flat_map(Path::all_points);
        for point in self.spots.iter_mut().chain(&mut self.frame).chain(lines) {
            *point = centre + *point * scale;
        }
    }

    fn draw_lines(&mut self, lines: &[Line]) {
        let chains = chains(&self.map);
        let strands = chains.iter().map(|chain| strand(&self.map, chain, lines));
        let mut strands: Vec<Strand> = strands.collect();
        smooth(&mut strands);
        self.lines = vec![Path::default(); self.map.lines()];
        for (strand, chain) in strands.iter().zip(&chains) {
            let mut from = 0;
            for &dart in chain {
                let to = from + lines[dart / 2].points.len() - 1;
                let mut path = Path {
                    start: strand.at(from),
                    parts: (from + 1..to).filter_map(|i| strand.quad(i)).collect(),
                    end: strand.at(to),
                };
                // Where the curve continues through a spot, each line has one half of the part there.
                if let Some(part) = strand.quad(from) {
                    let [_, half] = halves(&part);
                    path.start = half[0];
                    path.parts.insert(0, half);
                }
                if let Some(part) = strand.quad(to) {
                    let [half, _] = halves(&part);
                    path.end = half[2];
                    path.parts.push(half);
                }
                self.spots[self.map.origin[dart]] = path.start;
                self.spots[self.map.origin[dart ^ 1]] = path.end;
                self.lines[dart / 2] = path.along(dart);
                from = to;
            }
        }
    }

    /// The curves along a boundary, with the face on the left. An isolated spot has none.
    pub(super) fn boundary(&self, corner: Corner) -> Vec<Path> {
        let darts = self.map.darts(corner);
        darts.map(|dart| self.lines[dart / 2].along(dart)).collect()
    }

    /// The smallest distance of each spot from other spots, from lines (times 1.4) and from the frame (times 2).
    pub(super) fn clearances(&self) -> Vec<f64> {
        let flat: Vec<Vec<Point>> = self.lines.iter().map(|line| line.points(3)).collect();
        let clearance = |spot: usize| {
            let here = self.spots[spot];
            let others = self
                .spots
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != spot);
            let spots = others.map(|(_, other)| here.distance(*other));
            let lines = flat.iter().enumerate().filter(|&(line, _)| {
                self.map.origin[2 * line] != spot && self.map.origin[2 * line + 1] != spot
            });
            let lines = lines.flat_map(|(_, points)| points.windows(2));
            let lines = lines.map(|step| 1.4 * here.distance_to_segment(step[0], step[1]));
            let frame = self.half - here.x.abs().max(here.y.abs());
            spots.chain(lines).fold(2.0 * frame, f64::min)
        };
        (0..self.spots.len()).map(clearance).collect()
    }
}

fn frame(half: f64) -> Vec<Point> {
    (0..96)
        .map(|i| on_frame(f64::from(i) / 96.0) * half)
        .collect()
}

fn halves(&[a, b, c]: &Quad) -> [Quad; 2] {
    let (ab, bc) = (a.toward(b, 0.5), b.toward(c, 0.5));
    let middle = ab.toward(bc, 0.5);
    [[a, ab, middle], [middle, bc, c]]
}

/// The lines as chains of darts that continue through spots with two lines.
fn chains(map: &Embedding) -> Vec<Vec<usize>> {
    let passes = |dart: usize| map.degree(map.origin[dart]) == 2;
    let mut drawn = vec![false; map.lines()];
    let mut chains = Vec::new();
    // First the chains that begin in a junction. The rest are closed.
    let darts = 0..map.origin.len();
    let starts = darts.clone().filter(|&dart| !passes(dart)).chain(darts);
    for start in starts {
        let mut chain = Vec::new();
        let mut dart = start;
        while !std::mem::replace(&mut drawn[dart / 2], true) {
            chain.push(dart);
            if !passes(dart ^ 1) {
                break;
            }
            // The other one of the two lines there.
            dart = map.next[dart];
        }
        if !chain.is_empty() {
            chains.push(chain);
        }
    }
    chains
}

fn strand(map: &Embedding, chain: &[usize], lines: &[Line]) -> Strand {
    let along = |&dart: &usize| lines[dart / 2].along(dart);
    let mut points: Vec<Point> = chain.iter().flat_map(along).collect();
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    let end = map.origin[last ^ 1];
    let closed = end == map.origin[first] && map.degree(end) == 2;
    if !closed {
        points.extend(lines[last / 2].along(last ^ 1).first());
    }
    Strand::new(points.into_iter().map(off_paper).collect(), closed)
}
