//! Positions as text: as those of [Sprouts](sproutnet_notation::text), with `@` and a surface after a region.

use sproutnet_notation::ParseError;
use sproutnet_notation::raw::{RawPosition, Spot};
use sproutnet_notation::text::{self, is_number, mark_numbers};

use super::encoding::MOST_LIVES;
use super::region::{Region, Surface, letters, lives_of};

/// The text of a land.
pub(super) fn write(land: &[Region]) -> String {
    let mut raw = RawPosition::default();
    raw.reserve_letters(letters(land));
    for region in land {
        for boundary in &region.boundaries {
            raw.push_boundary(boundary);
        }
        raw.end_region();
    }
    let text = mark_numbers(&text::print_land(&raw));
    let regions = text.split('|').zip(land);
    let regions = regions.map(|(text, region)| match region.surface {
        Surface::SPHERE => text.to_owned(),
        Surface(number) => format!("{text}@{number}"),
    });
    regions.collect::<Vec<_>>().join("|")
}

/// Reads the regions of a position.
///
/// # Errors
/// The text is not in the notation, a letter occurs once, a land is a number, or there are too many lives.
pub(super) fn read(text: &str) -> Result<Vec<Region>, ParseError> {
    if text.trim() == "!" {
        return Ok(Vec::new());
    }
    let mut parts = Parts::default();
    for (at, land) in text.split('+').enumerate() {
        for (part, region) in land.split('|').enumerate() {
            let separator = match (at, part) {
                (0, 0) => None,
                (_, 0) => Some('+'),
                _ => Some('|'),
            };
            parts.plain.extend(separator);
            parts.region(region, land.contains('|'))?;
        }
    }
    let raw = text::parse(&parts.plain)?;
    let mut copies = vec![0; raw.letters()];
    let spots = (0..raw.regions()).flat_map(|part| raw.boundaries(part).flatten());
    for number in spots.filter_map(|spot| spot.number()) {
        copies[number] += 1;
    }
    let Parts {
        mut regions,
        boundaries,
        ..
    } = parts;
    for (part, (column, region)) in boundaries.into_iter().enumerate() {
        for boundary in raw.boundaries(part) {
            let is_single = |spot: &Spot| spot.number().is_some_and(|number| copies[number] == 1);
            if boundary.iter().any(is_single) {
                let problem = "a letter of this boundary occurs once, but letters come in pairs; `2` is a spot met once";
                return Err(ParseError {
                    column,
                    problem: problem.to_owned(),
                });
            }
            regions[region].boundaries.push(boundary.to_vec());
        }
    }
    if lives_of(&regions) > MOST_LIVES {
        let problem = format!("the position has more than {MOST_LIVES} lives, which is the limit");
        return Err(ParseError { column: 1, problem });
    }
    Ok(regions)
}

/// A text, taken apart.
#[derive(Default)]
struct Parts {
    /// The text as that of a position of Sprouts in which each boundary is a region, since a letter can be met on two
    /// boundaries of one region here. Each spot has its column.
    plain: String,
    /// The regions, without their boundaries.
    regions: Vec<Region>,
    /// The column and the region of each boundary that is a region in `plain`.
    boundaries: Vec<(usize, usize)>,
}

impl Parts {
    /// Adds the text of a region. `is_one_of_several` tells that its land has others.
    fn region(&mut self, text: &str, is_one_of_several: bool) -> Result<(), ParseError> {
        let start = self.plain.chars().count() + 1;
        let (spots, suffix) = text.split_once('@').unzip();
        let spots = spots.unwrap_or(text);
        let number = spots.trim();
        if is_number(number) && !is_one_of_several {
            let surface = &text[spots.len()..];
            return Err(ParseError {
                column: start,
                problem: format!(
                    "a number alone can be misread: `0*{number}{surface}` has {number} spots, `{number}}}{surface}` a boundary"
                ),
            });
        }
        let marks = number.strip_suffix('}').filter(|_| !is_one_of_several);
        if let Some(at) = marks.unwrap_or(number).find(['}', ']', '!']) {
            let blanks = spots.len() - spots.trim_start().len();
            return Err(ParseError {
                column: start + spots[..blanks + at].chars().count(),
                problem: "expected a spot or a separator: older marks are not read here".to_owned(),
            });
        }
        let mut column = start;
        for boundary in spots.split('.') {
            // Dead spots alone are no region.
            if text::parse(boundary).is_ok_and(|raw| raw.regions() > 0) {
                self.boundaries.push((column, self.regions.len()));
            }
            column += boundary.chars().count() + 1;
        }
        let number = suffix.map_or(Some(0), |suffix| suffix.trim().parse().ok());
        let surface =
            number.filter(|number: &i8| (-Surface::MOST..=Surface::MOST).contains(number));
        let Some(surface) = surface.map(Surface) else {
            return Err(ParseError {
                column,
                problem: format!(
                    "expected a surface after `@`: the number of handles up to {most}, or of crosscaps with `-`; found `{}`",
                    suffix.unwrap_or_default(),
                    most = Surface::MOST,
                ),
            });
        };
        self.plain.push_str(&spots.replace('.', "|"));
        self.plain.extend(text[spots.len()..].chars().map(|_| ' '));
        self.regions.push(Region {
            surface,
            boundaries: Vec::new(),
        });
        Ok(())
    }
}
