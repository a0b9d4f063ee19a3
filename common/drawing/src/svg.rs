//! A drawing as an SVG document.
//!
//! Colours are custom properties, `--sprouts-…`, which a page can set. A document by itself has its own,
//! for light and dark surroundings.

use std::fmt::Write;

use super::embed::Corner;
use super::labels::{self, Labels};
use super::picture::{Path, frame};
use super::{Drawing, Panel, Point};

/// Options of an SVG document.
#[derive(Clone, Debug)]
pub struct SvgOptions {
    /// The text at spots.
    pub labels: Labels,
    /// Whether each spot with lives is a group, `<g class="spot" data-spot="…">`, with a larger,
    /// invisible circle to click on.
    pub clickable: bool,
    /// Whether the document contains the style sheet. A page with many pictures has it once:
    /// [`SvgOptions::STYLE`].
    pub style: bool,
    /// The title. The default is the canonical text.
    pub title: Option<String>,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self {
            labels: Labels::default(),
            clickable: false,
            style: true,
            title: None,
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
            clickable: false,
            style: false,
            title: None,
        }
    }

    /// The style sheet of drawings. A page can set each colour: `--sprouts-line`,
    /// `--sprouts-dead`, `--sprouts-paper`, `--sprouts-frame`, `--sprouts-name`, `--sprouts-ink`,
    /// `--sprouts-spot-1` to `-3`, `--sprouts-region-0` to `-7`.
    pub const STYLE: &'static str = include_str!("drawing.css");
}

pub(super) fn write(drawing: &Drawing, options: &SvgOptions) -> String {
    let mut out = Svg(String::new());
    let title = options.title.as_ref().unwrap_or(&drawing.text);
    out.add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sprouts\" role=\"img\" viewBox=\"0 0 {} {}\">\n",
        Number(drawing.width),
        Number(drawing.height)
    ));
    out.add(format_args!("<title>{}</title>\n", Escaped(title)));
    out.add(format_args!(
        "<desc>{}</desc>\n",
        Escaped(&description(drawing))
    ));
    if options.style {
        out.add(format_args!("<style>{}</style>\n", SvgOptions::STYLE));
    }
    let mut used = [0_usize; TINTS];
    for panel in &drawing.panels {
        out.add(format_args!("<g class=\"land\">\n"));
        out.faces(panel, &mut used);
        out.lines(panel);
        out.spots(panel, options);
        out.add(format_args!("</g>\n"));
    }
    if options.labels == Labels::Names {
        for name in labels::names(drawing) {
            out.add(format_args!(
                "<text class=\"name\" x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text>\n",
                Number(name.at.x),
                Number(name.at.y + 0.35 * labels::NAME),
                Number(labels::NAME),
                name.number
            ));
        }
    }
    out.add(format_args!("</svg>\n"));
    out.0
}

fn description(drawing: &Drawing) -> String {
    let count = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let spots = drawing.spots();
    let lives: u32 = spots.iter().map(|spot| spot.lives).sum();
    let regions: usize = drawing
        .panels
        .iter()
        .map(|panel| panel.picture.map.regions)
        .sum();
    format!(
        "A Sprouts position: {}, {}, {}, {}.",
        count(drawing.panels.len(), "land", "lands"),
        count(regions, "region", "regions"),
        count(spots.len(), "spot to play from", "spots to play from"),
        count(lives as usize, "life", "lives"),
    )
}

struct Svg(String);

impl Svg {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        self.0
            .write_fmt(text)
            .expect("a string takes all that is written");
    }

    fn faces(&mut self, panel: &Panel, used: &mut [usize; TINTS]) {
        let picture = &panel.picture;
        let tints = tints(panel, used);
        for (face, boundaries) in picture.map.faces.iter().enumerate() {
            let class = match tints.get(face) {
                Some(tint) => format!("region region-{tint}"),
                None => "dead".to_owned(),
            };
            self.add(format_args!("<path class=\"{class}\" d=\""));
            if face == picture.outer {
                self.frame(panel);
            }
            for &corner in boundaries {
                for (i, path) in picture.boundary(corner).iter().enumerate() {
                    self.path(&path.placed(panel.centre, 1.0), i == 0);
                }
            }
            self.add(format_args!("\"/>\n"));
        }
        self.add(format_args!("<path class=\"frame\" d=\""));
        self.frame(panel);
        self.add(format_args!("\"/>\n"));
    }

    fn frame(&mut self, panel: &Panel) {
        for (i, point) in frame(panel.picture.half).into_iter().enumerate() {
            let letter = if i == 0 { 'M' } else { 'L' };
            self.add(format_args!("{letter}{}", At(panel.centre + point)));
        }
        self.add(format_args!("Z"));
    }

    fn lines(&mut self, panel: &Panel) {
        for line in &panel.picture.lines {
            self.add(format_args!("<path class=\"line\" d=\""));
            self.path(&line.placed(panel.centre, 1.0), true);
            self.add(format_args!("\"/>\n"));
        }
    }

    fn path(&mut self, path: &Path, is_first: bool) {
        if is_first {
            self.add(format_args!("M{}", At(path.start)));
        }
        let mut here = At(path.start).to_string();
        for &[from, by, to] in &path.parts {
            let start = At(from).to_string();
            if start != here {
                self.add(format_args!("L{start}"));
            }
            here = At(to).to_string();
            self.add(format_args!("Q{} {here}", At(by)));
        }
        let end = At(path.end).to_string();
        if end != here {
            self.add(format_args!("L{end}"));
        }
    }

    fn spots(&mut self, panel: &Panel, options: &SvgOptions) {
        let map = &panel.picture.map;
        for (i, &spot) in panel.picture.spots.iter().enumerate() {
            let at = panel.centre + spot;
            let (radius, lives) = (panel.radii[i], map.lives[i]);
            let place = format!("cx=\"{}\" cy=\"{}\"", Number(at.x), Number(at.y));
            if lives == 0 {
                self.add(format_args!(
                    "<circle class=\"dead-spot\" {place} r=\"{}\"/>\n",
                    Number(radius)
                ));
                continue;
            }
            if options.clickable {
                let number = panel.first + i;
                self.add(format_args!(
                    "<g class=\"spot\" data-spot=\"{number}\" data-lives=\"{lives}\" tabindex=\"0\" role=\"button\" aria-label=\"spot {number}, {lives} lives\">"
                ));
                let reach = radius * 1.9;
                self.add(format_args!(
                    "<circle class=\"target\" {place} r=\"{}\"/>",
                    Number(reach)
                ));
            }
            self.add(format_args!(
                "<circle class=\"live lives-{lives}\" {place} r=\"{}\"/>",
                Number(radius)
            ));
            if options.labels != Labels::None {
                self.add(format_args!(
                    "<text class=\"lives\" x=\"{}\" y=\"{}\" font-size=\"{}\">{lives}</text>",
                    Number(at.x),
                    Number(at.y + 0.46 * radius),
                    Number(1.3 * radius)
                ));
            }
            self.add(format_args!(
                "{}\n",
                if options.clickable { "</g>" } else { "" }
            ));
        }
    }
}

/// A colour for each region of a land. Regions that share a spot get different colours.
fn tints(panel: &Panel, used: &mut [usize; TINTS]) -> Vec<usize> {
    let map = &panel.picture.map;
    let mut regions_of = vec![Vec::new(); map.lives.len()];
    let mut tints = Vec::new();
    for region in 0..map.regions {
        let mut taken = [false; TINTS];
        let corners = map.faces[region].iter();
        let darts = corners.filter_map(|&corner| match corner {
            Corner::Isolated(_) => None,
            Corner::Before(dart) => Some(dart),
        });
        let met = darts
            .flat_map(|dart| map.cycle(dart))
            .map(|dart| map.origin[dart]);
        let met: Vec<usize> = met.collect();
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

/// A coordinate with at most two decimals.
struct Number(f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.2}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

struct At(Point);

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", Number(self.0.x), Number(self.0.y))
    }
}

struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
