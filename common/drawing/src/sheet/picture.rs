//! A sheet as SVG.

use std::fmt::Write;

use super::discs::{RADIUS, Size};
use super::{Sheet, SheetGame, Stroke, StrokeError};
use crate::curves::{Strand, smooth};
use crate::paper::{CORNER, Line, SIDE, off_paper, on_paper};
use crate::pips;
use crate::point::Point;
use crate::svg::{SvgOptions, strand_path};

/// Options of a picture of a sheet.
#[derive(Clone, Copy, Debug, Default)]
pub struct SheetPicture {
    /// The number of latest moves that are marked. Two are marked as `mine` and `reply`.
    pub marked: usize,
    /// Whether the document contains the style sheet.
    pub style: bool,
    /// Whether the moves are drawn one after the other.
    pub animated: bool,
    /// The size at which the picture is shown.
    pub size: Size,
}

impl SheetPicture {
    /// The style of sheets, beside [`SvgOptions::STYLE`].
    pub const STYLE: &'static str = include_str!("../sheet.css");
}

/// The height of a number as a share of the radius of its spot, and in a spot that can take no line any more.
const IN_SPOT: f64 = 1.27;
const IN_DEAD_SPOT: f64 = 1.42;

/// The least height of a number in a small picture. Smaller ones could not be read.
const LEAST_NUMBER: f64 = 30.0;

/// The time from move to move of an animated picture, in seconds.
const BEAT: f64 = 1.2;

impl Sheet {
    /// The sheet as an SVG document.
    pub fn svg(&self, options: SheetPicture) -> String {
        let small = if options.size == Size::Small {
            " small"
        } else {
            ""
        };
        let mut out = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="sprouts sheet{small}" role="img" viewBox="0 0 {SIDE} {SIDE}">"#
        );
        let moves = self.moves();
        let plural = if moves == 1 { "" } else { "s" };
        let _ = write!(
            out,
            "<title>{} after {moves} move{plural}</title>",
            self.name()
        );
        if options.style {
            let _ = write!(
                out,
                "<style>{}{}</style>",
                SvgOptions::STYLE,
                SheetPicture::STYLE
            );
        }
        if !options.animated {
            for face in self.dead_outlines() {
                let outline: String = face.iter().map(|points| closed_path(points)).collect();
                let _ = write!(out, r#"<path class="dead" d="{outline}"/>"#);
            }
        }
        for (i, path) in self.paths().iter().enumerate() {
            // The move that drew the line; `None` for a line of the start.
            let made_by = self.made_by(|[_, lines]| lines, i);
            let class = match (made_by.map(|made_by| moves - made_by), options.marked) {
                (Some(1), 2) => "line reply",
                (Some(2), 2) | (Some(1), 1) => "line mine",
                _ => "line",
            };
            let points = self.lines[i].points.iter();
            let points: Vec<String> = points
                .map(|at| format!("{:.1},{:.1}", at.x, at.y))
                .collect();
            let [from, to] = self.lines[i].ends;
            let _ = write!(
                out,
                r#"<path class="{class}" d="{path}" pathLength="1" data-ends="{from} {to}" data-points="{}""#,
                points.join(" ")
            );
            if let (true, Some(made_by)) = (options.animated, made_by) {
                let half = (i - self.made[made_by][1]).min(1);
                let begin = BEAT * (made_by as f64 + 0.5 * half as f64);
                let _ = write!(
                    out,
                    r#" stroke-dasharray="1" stroke-dashoffset="1"><animate attributeName="stroke-dashoffset" from="1" to="0" begin="{begin}s" dur="0.5s" fill="freeze"/></path>"#
                );
            } else {
                out += "/>";
            }
        }
        for (i, at) in self.spots.iter().enumerate() {
            if !self.is_middle(i) {
                self.spot(i, *at, options, &mut out);
            }
        }
        out + "</svg>"
    }

    /// The game and its start, in words.
    pub fn name(&self) -> String {
        let spots = match self.spots_at_start() {
            1 => "1 spot".to_owned(),
            spots => format!("{spots} spots"),
        };
        let crosses = match self.crosses_at_start() {
            1 => "1 cross".to_owned(),
            crosses => format!("{crosses} crosses"),
        };
        let game = match self.game {
            SheetGame::Sprouts => self.drawn_game(),
            game => game,
        };
        let start = match game {
            SheetGame::Sprouts => spots,
            SheetGame::Brussels => crosses,
            SheetGame::Mixed => format!("{spots} and {crosses}"),
        };
        format!("{} with {start}", game.name())
    }

    /// The index of the move that drew a spot or a line, by the number of these before each move. `None` if it was there
    /// at the start.
    fn made_by(&self, before: fn([usize; 2]) -> usize, index: usize) -> Option<usize> {
        let made = self.made.partition_point(|of| before(*of) <= index);
        made.checked_sub(1)
    }

    fn spot(&self, i: usize, at: Point, options: SheetPicture, out: &mut String) {
        let (number, lives) = (i + 1, self.lives(i));
        let class = match lives {
            0 => "dead-spot".to_owned(),
            lives => format!("live lives-{lives}"),
        };
        let made_by = self.made_by(|[spots, _]| spots, i);
        let is_new = !options.animated
            && made_by.is_some_and(|made_by| made_by + options.marked >= self.moves());
        let new = if is_new { " new" } else { "" };
        let (x, y) = (at.x, at.y);
        let _ = write!(
            out,
            r#"<g class="dot{new}" data-spot="{number}" data-lives="{lives}" data-x="{x:.1}" data-y="{y:.1}""#
        );
        if let (true, Some(made_by)) = (options.animated, made_by) {
            let begin = BEAT * made_by as f64 + 0.4;
            let _ = write!(
                out,
                r#" opacity="0"><animate attributeName="opacity" to="1" begin="{begin}s" dur="0.2s" fill="freeze"/"#
            );
        }
        let radius = self.disc(i, options.size);
        let size = radius * if lives == 0 { IN_DEAD_SPOT } else { IN_SPOT };
        let _ = write!(
            out,
            r#"><circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.2}"/>"#
        );
        if options.size != Size::Small || size > LEAST_NUMBER {
            let _ = write!(
                out,
                r#"<text class="number" x="{x:.1}" y="{y:.1}" dy="0.35em" font-size="{size:.1}">{number}</text>"#
            );
        }
        if lives > 0 {
            let scale = radius / RADIUS;
            let rim = pips::on_rim(RADIUS, lives, self.directions(i));
            // A style may scale the pips again.
            let _ = write!(
                out,
                r#"<g transform="translate({x:.1} {y:.1})"><path class="rim" d="{rim}" transform="scale({scale:.2})"/></g>"#
            );
        }
        *out += "</g>";
    }

    /// The directions in which lines leave a spot.
    fn directions(&self, spot: usize) -> Vec<f64> {
        let leaves = |line: &Line| {
            let [.., before, last] = &line.points[..] else {
                return Vec::new();
            };
            let [from, to] = line.ends;
            let ways = [
                (from, line.points[1] - line.points[0]),
                (to, *before - *last),
            ];
            let of_spot = ways.into_iter().filter(|(end, _)| *end == spot);
            of_spot.map(|(_, way)| way.y.atan2(way.x)).collect()
        };
        self.lines.iter().flat_map(leaves).collect()
    }

    /// The lines as smooth paths.
    pub fn paths(&self) -> Vec<String> {
        let path =
            |(strand, line): (&Strand, &Line)| strand_path(strand, line.points.len(), on_paper);
        self.strands().iter().zip(&self.lines).map(path).collect()
    }

    /// The lines as smooth curves in the square from -1 to 1, within which curves are compared.
    fn strands(&self) -> Vec<Strand> {
        let strands = self.lines.iter().map(|line| {
            let points = line.points.iter().map(|&at| off_paper(at));
            Strand::near(points.collect(), CORNER * 2.0 / SIDE)
        });
        let mut strands: Vec<Strand> = strands.collect();
        smooth(&mut strands);
        strands
    }

    /// A line as a smooth path.
    ///
    /// # Errors
    /// The line cannot be drawn.
    pub fn outline(&self, stroke: &Stroke) -> Result<String, StrokeError> {
        let paths = self.drawn(stroke)?.paths();
        Ok(paths[self.lines.len()..].join(" "))
    }

    /// The lines as smooth curves, each as the points of short segments.
    pub fn curves(&self) -> Vec<Vec<Point>> {
        let curve = |strand: &Strand| strand.flat().into_iter().map(on_paper).collect();
        self.strands().iter().map(curve).collect()
    }

    /// The faces in which nothing more can be drawn: each as its closed boundaries, to be filled by the even-odd rule.
    pub fn dead_outlines(&self) -> Vec<Vec<Vec<Point>>> {
        let curves = self.curves();
        let along = |dart: usize| {
            let mut points = curves[dart / 2].clone();
            if !dart.is_multiple_of(2) {
                points.reverse();
            }
            points.pop();
            points
        };
        let outline = |darts: Vec<usize>| darts.into_iter().flat_map(along).collect();
        let faces = self.dead_faces().into_iter();
        faces
            .map(|boundaries| boundaries.into_iter().map(outline).collect())
            .collect()
    }
}

/// A closed polygon as the data of a path.
fn closed_path(points: &[Point]) -> String {
    let mut path = String::new();
    for (i, at) in points.iter().enumerate() {
        let letter = if i == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{:.1} {:.1}", at.x, at.y);
    }
    path + "Z"
}
