//! Lands as bytes, version 1. A region is a byte for its surface, its boundaries, and `1`.
//!
//! - The surface is [`SPHERE`] plus the number of handles, or minus that of crosscaps.
//! - A boundary is its spots, and `0`. `2`, `3`, `4`: a spot with no, one or two lines that is met once. `5 + k`: the k-th
//!   letter of the land, in the order of occurrence.

use sproutnet_notation::raw::Spot;

use super::region::{Boundary, Region, Surface};
use crate::EncodingError;

const END_OF_BOUNDARY: u8 = 0;
const END_OF_REGION: u8 = 1;
const FIRST_LETTER: u8 = 5;
const SPHERE: u8 = 128;

/// The most lives of a position, so that each letter is one byte.
pub(super) const MOST_LIVES: u32 = 249;

/// The land `1`, which has exactly one move.
pub(super) const ONE_MOVE: [u8; 4] = [SPHERE, 3, END_OF_BOUNDARY, END_OF_REGION];

/// The bytes of regions whose letters are numbered in the order of occurrence.
pub(super) fn write(regions: &[Region]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for region in regions {
        bytes.push(SPHERE.wrapping_add_signed(region.surface.0));
        for boundary in &region.boundaries {
            bytes.extend(boundary.iter().map(|spot| match *spot {
                Spot::ISOLATED => 2,
                Spot::END => 3,
                Spot::MID => 4,
                letter => FIRST_LETTER + letter.number().unwrap_or(0) as u8,
            }));
            bytes.push(END_OF_BOUNDARY);
        }
        bytes.push(END_OF_REGION);
    }
    bytes
}

/// The regions that checked bytes describe.
pub(super) fn read(bytes: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut left = bytes.iter();
    while let Some(surface) = left.next() {
        let surface = Surface(surface.wrapping_sub(SPHERE) as i8);
        let mut boundaries = Vec::new();
        let mut boundary = Boundary::new();
        for &byte in left.by_ref().take_while(|&&byte| byte != END_OF_REGION) {
            match spot(byte) {
                Some(spot) => boundary.push(spot),
                None => boundaries.push(std::mem::take(&mut boundary)),
            }
        }
        regions.push(Region {
            surface,
            boundaries,
        });
    }
    regions
}

/// The spot of a byte; `None` if the byte is a mark.
fn spot(byte: u8) -> Option<Spot> {
    Some(match byte {
        END_OF_BOUNDARY | END_OF_REGION => return None,
        2 => Spot::ISOLATED,
        3 => Spot::END,
        4 => Spot::MID,
        letter => Spot::letter(usize::from(letter - FIRST_LETTER)),
    })
}

/// Checks bytes that may be wrong, and returns the lives of their land: 2 to [`MOST_LIVES`].
///
/// # Errors
/// The bytes are no sequence of regions as above, a letter does not occur twice, or the lives are too few or too many.
pub(super) fn lives(bytes: &[u8]) -> Result<u32, EncodingError> {
    let surfaces =
        SPHERE.wrapping_add_signed(-Surface::MOST)..=SPHERE.wrapping_add_signed(Surface::MOST);
    let mut copies = [0u8; 256];
    let (mut lives, mut letters, mut single) = (0, 0, 0);
    // What came before: nothing of a region, its surface, a boundary that is open, or one that has ended.
    let mut before = None;
    for (offset, &byte) in bytes.iter().enumerate() {
        let error = |problem| Err(EncodingError { offset, problem });
        let spot = spot(byte);
        match (before, spot) {
            (None, _) if !surfaces.contains(&byte) => return error("this is no surface"),
            (None, _) => {
                before = Some(SPHERE);
                continue;
            }
            (Some(END_OF_BOUNDARY), None) if byte == END_OF_REGION => {
                before = None;
                continue;
            }
            (Some(SPHERE | END_OF_BOUNDARY), None) => {
                return error("a region or a boundary is empty");
            }
            (Some(_), None) if byte == END_OF_REGION => return error("a boundary has no end"),
            (Some(2), Some(_)) => return error("an isolated spot is alone on its boundary"),
            (Some(3..SPHERE), Some(Spot::ISOLATED)) => {
                return error("an isolated spot is alone on its boundary");
            }
            _ => {}
        }
        before = Some(byte.min(SPHERE - 1));
        let Some(spot) = spot else { continue };
        if let Some(number) = spot.number() {
            match copies[number] {
                0 if number == letters => letters += 1,
                0 => return error("letters are numbered as they are met"),
                1 => {}
                _ => return error("a letter is met more than twice"),
            }
            copies[number] += 1;
            if copies[number] == 2 {
                single -= 1;
                continue;
            }
            single += 1;
        }
        lives += spot.lives();
        if lives > MOST_LIVES {
            return error("too many lives");
        }
    }
    let problem = match (before, single) {
        (Some(_), _) => "the last region has no end",
        (_, 1..) => "a letter is met only once",
        _ if lives < 2 => "a land has at least two lives",
        _ => return Ok(lives),
    };
    Err(EncodingError {
        offset: bytes.len().saturating_sub(1),
        problem,
    })
}
