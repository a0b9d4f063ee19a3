//! Positions as text: as those of [Sprouts](sproutnet_notation::text), with `@` and a surface after a region.

use sproutnet_notation::ParseError;
use sproutnet_notation::raw::RawPosition;
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
    let mut regions: Vec<Region> = Vec::new();
    // The text as that of a position of Sprouts in which each boundary is a region, since a letter can be met on two
    // boundaries of one region here; and the column and the region of each. All spots stay in their columns.
    let mut plain = String::new();
    let mut boundaries = Vec::new();
    for (start, land) in pieces(text, '+', 1) {
        for (start, region) in pieces(land, '|', start) {
            let (spots, suffix) = region.split_once('@').unwrap_or((region, "0"));
            if region == land {
                check_number(spots, &region[spots.len()..], start)?;
            }
            for (column, boundary) in pieces(spots, '.', start) {
                match text::parse(boundary).map_or(1, |raw| raw.regions()) {
                    // Dead spots alone.
                    0 => {}
                    1 => boundaries.push((column, regions.len())),
                    _ => {
                        return Err(error(
                            column,
                            "expected a boundary, found an older mark in it",
                        ));
                    }
                }
            }
            let surface = suffix.trim().parse().ok().map(Surface);
            let surface =
                surface.filter(|&Surface(n)| (-Surface::MOST..=Surface::MOST).contains(&n));
            let expected = || {
                let most = Surface::MOST;
                let problem = format!(
                    "expected the number of handles after `@`, up to {most}, or of crosscaps after `@-`; found `{suffix}`"
                );
                error(start + spots.chars().count() + 1, problem)
            };
            let blanks = region[spots.len()..].chars().map(|_| ' ');
            plain.extend(spots.replace('.', "|").chars().chain(blanks).chain(['|']));
            regions.push(Region {
                surface: surface.ok_or_else(expected)?,
                boundaries: Vec::new(),
            });
        }
        plain.pop();
        plain.push('+');
    }
    plain.pop();
    let raw = text::parse(&plain)?;
    let mut copies = vec![0; raw.letters()];
    let spots = (0..raw.regions()).flat_map(|part| raw.boundaries(part).flatten());
    spots
        .filter_map(|spot| spot.number())
        .for_each(|number| copies[number] += 1);
    for (part, (column, region)) in boundaries.into_iter().enumerate() {
        for boundary in raw.boundaries(part) {
            let mut numbers = boundary.iter().filter_map(|spot| spot.number());
            if numbers.any(|number| copies[number] == 1) {
                let problem = "a letter of this boundary occurs once, but letters come in pairs; `2` is a spot met once";
                return Err(error(column, problem));
            }
            regions[region].boundaries.push(boundary.to_vec());
        }
    }
    match lives_of(&regions) <= MOST_LIVES {
        true => Ok(regions),
        false => Err(error(
            1,
            format!("the position has more than {MOST_LIVES} lives, which is the limit"),
        )),
    }
}

/// The pieces of a text between separators, and their columns.
fn pieces(text: &str, separator: char, start: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut next = start;
    text.split(separator).map(move |piece| {
        let column = next;
        next += piece.chars().count() + 1;
        (column, piece)
    })
}

/// Refuses a land that is a number, with or without a surface.
fn check_number(spots: &str, surface: &str, column: usize) -> Result<(), ParseError> {
    let number = spots.trim();
    if !is_number(number) {
        return Ok(());
    }
    let start = if number == "0" { "1" } else { number };
    let problem = format!(
        "a number alone can be misread: `0*{start}{surface}` is a start position, `{number}}}{surface}` a boundary"
    );
    Err(error(column, problem))
}

fn error(column: usize, problem: impl Into<String>) -> ParseError {
    let problem = problem.into();
    ParseError { column, problem }
}
