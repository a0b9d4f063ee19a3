//! A drawing as an SVG document.
//!
//! Colours are custom properties, `--sprouts-…`, which a page can set. A document by itself has its own,
//! for light and dark surroundings.

use std::fmt::{self, Display, Formatter, Write};

use crate::curves::Strand;
use crate::drawing::{Drawing, Panel};
use crate::embed::Embedding;
use crate::labels::{self, Labels};
use crate::number::Number;
use crate::picture::Path;
use crate::pips;
use crate::point::Point;

/// Options of an SVG document.
#[derive(Clone, Debug)]
pub struct SvgOptions {
    /// The labels of spots.
    pub labels: Labels,
    /// Whether the document contains the style sheet. A page with many pictures has it once:
    /// [`SvgOptions::STYLE`].
    pub style: bool,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self {
            labels: Labels::default(),
            style: true,
        }
    }
}

/// The number of colours for regions.
const TINTS: usize = 8;

impl SvgOptions {
    /// Options for small pictures: no labels and no style sheet.
    pub fn thumbnail() -> Self {
        Self {
            labels: Labels::None,
            style: false,
        }
    }

    /// The style sheet of drawings. A page can set each colour: `--sprouts-line`,
    /// `--sprouts-dead`, `--sprouts-paper`, `--sprouts-frame`, `--sprouts-name`, `--sprouts-ink`,
    /// `--sprouts-spot-1` to `-3`, `--sprouts-region-0` to `-7`.
    pub const STYLE: &'static str = include_str!("drawing.css");
}

/// The beginning of a document of this size, with its title and its description. It is shown as large as there is room,
/// or at `scale`.
pub(super) fn head(
    [width, height]: [f64; 2],
    scale: Option<f64>,
    title: &str,
    description: &str,
    options: &SvgOptions,
) -> String {
    let shown = scale.map(|scale| format!(r#" width="{}""#, Number(scale * width)));
    let shown = shown.unwrap_or_default();
    let [width, height] = [width, height].map(Number);
    let title = Escaped(title);
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="sprouts" role="img" viewBox="0 0 {width} {height}"{shown}>"#
    );
    out += &format!("\n<title>{title}</title>\n<desc>{description}</desc>\n");
    if options.style {
        out += &format!("<style>{}</style>\n", SvgOptions::STYLE);
    }
    out
}

/// Writes a drawing as a document.
pub(super) fn write(drawing: &Drawing, options: &SvgOptions) -> String {
    let size = [drawing.width, drawing.height];
    let mut out = head(size, None, &drawing.text, &description(drawing), options);
    let mut used = [0_usize; TINTS];
    for panel in &drawing.panels {
        out += "<g class=\"land\">\n";
        faces(panel, &mut used, &mut out);
        for line in &panel.picture.lines {
            out += &format!("<path class=\"line\" d=\"{}\"/>\n", path(line, true));
        }
        spots(panel, options, &mut out);
        out += "</g>\n";
    }
    if options.labels == Labels::Names {
        for (number, at) in labels::names(drawing) {
            let size = labels::NAME;
            out += &text("name", at.x, at.y + 0.35 * size, size, number);
            out += "\n";
        }
    }
    out + "</svg>\n"
}

fn description(drawing: &Drawing) -> String {
    let count = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let maps = drawing.panels.iter().map(|panel| &panel.picture.map);
    let spots: Vec<u32> = maps.clone().flat_map(Embedding::live).copied().collect();
    let regions: usize = maps.map(|map| map.regions).sum();
    format!(
        "A Sprouts position: {}, {}, {}, {}.",
        count(drawing.panels.len(), "land", "lands"),
        count(regions, "region", "regions"),
        count(spots.len(), "spot to play from", "spots to play from"),
        count(spots.iter().sum::<u32>() as usize, "life", "lives"),
    )
}

fn faces(panel: &Panel, used: &mut [usize; TINTS], out: &mut String) {
    let picture = &panel.picture;
    let corners = picture.frame.iter().enumerate();
    let corners =
        corners.map(|(i, &corner)| format!("{}{}", if i == 0 { 'M' } else { 'L' }, At(corner)));
    let frame = corners.collect::<String>() + "Z";
    let tints = tints(panel, used);
    for (face, boundaries) in picture.map.faces.iter().enumerate() {
        let class = match tints.get(face) {
            Some(tint) => format!("region region-{tint}"),
            None => "dead".to_owned(),
        };
        *out += &format!("<path class=\"{class}\" d=\"");
        if face == picture.outer {
            *out += &frame;
        }
        for &corner in boundaries {
            for (i, line) in picture.boundary(corner).iter().enumerate() {
                *out += &path(line, i == 0);
            }
        }
        *out += "\"/>\n";
    }
    *out += &format!("<path class=\"frame\" d=\"{frame}\"/>\n");
}

/// A smooth strand with this number of points as a path. `place` maps each point to the document.
pub(super) fn strand_path(
    strand: &Strand,
    points: usize,
    place: impl Fn(Point) -> Point,
) -> String {
    let quads = (0..points).filter_map(|corner| strand.quad(corner));
    let path_of = Path {
        start: place(strand.at(0)),
        parts: quads.map(|quad| quad.map(&place)).collect(),
        end: place(strand.at(points - 1)),
    };
    // Lines of a sheet may be as near to each other as its coordinates allow.
    path_as(&path_of, true, |at| format!("{:.5} {:.5}", at.x, at.y))
}

fn path(path: &Path, is_first: bool) -> String {
    path_as(path, is_first, |at| At(at).to_string())
}

/// A path whose points are written by `text`.
fn path_as(path: &Path, is_first: bool, text: impl Fn(Point) -> String) -> String {
    let mut here = text(path.start);
    let mut out = if is_first {
        format!("M{here}")
    } else {
        String::new()
    };
    for &[from, by, to] in &path.parts {
        let start = text(from);
        if start != here {
            out += &format!("L{start}");
        }
        here = text(to);
        out += &format!("Q{} {here}", text(by));
    }
    let end = text(path.end);
    if end != here {
        out += &format!("L{end}");
    }
    out
}

fn spots(panel: &Panel, options: &SvgOptions, out: &mut String) {
    let picture = &panel.picture;
    let mut pips = pips::Inside::default();
    for (i, &at) in picture.spots.iter().enumerate() {
        let (radius, lives) = (panel.radii[i], picture.map.lives[i]);
        if lives == 0 {
            *out += &circle("dead-spot", at, radius);
        } else {
            *out += &circle(&format!("live lives-{lives}"), at, radius);
            if options.labels != Labels::None {
                pips.add(at, radius, lives);
            }
        }
        *out += "\n";
    }
    *out += &pips.paths();
}

pub(super) fn circle(class: &str, at: Point, radius: f64) -> String {
    let [x, y, radius] = [at.x, at.y, radius].map(Number);
    format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#)
}

fn text(class: &str, x: f64, y: f64, size: f64, text: impl Display) -> String {
    let [x, y, size] = [x, y, size].map(Number);
    format!(r#"<text class="{class}" x="{x}" y="{y}" font-size="{size}">{text}</text>"#)
}

/// A colour for each region of a land. Regions that share a spot get different colours.
fn tints(panel: &Panel, used: &mut [usize; TINTS]) -> Vec<usize> {
    let map = &panel.picture.map;
    let mut regions_of = vec![Vec::new(); map.lives.len()];
    let mut tints = Vec::new();
    for region in 0..map.regions {
        let mut taken = [false; TINTS];
        let corners = map.faces[region].iter();
        let darts = corners.flat_map(|&corner| map.darts(corner));
        let met: Vec<usize> = darts.map(|dart| map.origin[dart]).collect();
        for &other in met.iter().flat_map(|&spot| &regions_of[spot]) {
            let tint: usize = tints[other];
            taken[tint] = true;
        }
        for spot in met {
            regions_of[spot].push(region);
        }
        let free = (0..TINTS).filter(|&tint| !taken[tint] || taken.iter().all(|&taken| taken));
        let tint = free.min_by_key(|&tint| (used[tint], tint)).unwrap_or(0);
        used[tint] += 1;
        tints.push(tint);
    }
    tints
}

struct At(Point);

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Number(self.0.x), Number(self.0.y))
    }
}

pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for symbol in self.0.chars() {
            match symbol {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                _ => f.write_char(symbol)?,
            }
        }
        Ok(())
    }
}
