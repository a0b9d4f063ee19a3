//! Lands as bytes, version 1.
//!
//! A region is a byte for its surface, its boundaries, and `1`. The surface is [`SPHERE`] plus the number of handles, or
//! minus that of crosscaps. A boundary is its spots, and `0`. `2`, `3`, `4`: a spot with no, one or two lines that is met
//! once. `5 + k`: the k-th letter of the land, in the order of occurrence.

use sproutnet_notation::raw::Spot;

use super::region::{Boundary, Region, Surface};
use crate::EncodingError;

pub(super) const END_OF_BOUNDARY: u8 = 0;
pub(super) const END_OF_REGION: u8 = 1;
pub(super) const ISOLATED: u8 = 2;
pub(super) const END: u8 = 3;
pub(super) const MID: u8 = 4;
pub(super) const FIRST_LETTER: u8 = 5;
const SPHERE: u8 = 128;
/// What stands for the byte of a surface where only the next byte matters. It is no letter.
const SURFACE: u8 = 255;

/// The most lives of a position, so that each letter is one byte.
pub(super) const MOST_LIVES: u32 = 249;

/// The land `1`, which has exactly one move.
pub(super) const ONE_MOVE: [u8; 4] = [SPHERE, END, END_OF_BOUNDARY, END_OF_REGION];

/// The byte of a surface.
pub(super) fn surface(surface: Surface) -> u8 {
    SPHERE.wrapping_add_signed(surface.0)
}

/// The spot of a byte.
fn spot(byte: u8) -> Spot {
    match byte {
        ISOLATED => Spot::ISOLATED,
        END => Spot::END,
        MID => Spot::MID,
        letter => Spot::letter(usize::from(letter - FIRST_LETTER)),
    }
}

/// The regions that checked bytes describe.
pub(super) fn read(bytes: &[u8]) -> Vec<Region> {
    // A byte of a surface is no end of a region.
    let regions = bytes.split(|&byte| byte == END_OF_REGION);
    let regions = regions.filter_map(|region| region.split_first());
    let regions = regions.map(|(&surface, boundaries)| {
        let boundaries = boundaries.split(|&byte| byte == END_OF_BOUNDARY);
        let boundaries = boundaries.filter(|boundary| !boundary.is_empty());
        let spots = |boundary: &[u8]| {
            boundary
                .iter()
                .map(|&byte| spot(byte))
                .collect::<Boundary>()
        };
        Region {
            surface: Surface(surface.wrapping_sub(SPHERE).cast_signed()),
            boundaries: boundaries.map(spots).collect(),
        }
    });
    regions.collect()
}

/// Checks bytes that may be wrong, and returns the lives of their land: 2 to [`MOST_LIVES`].
///
/// # Errors
/// The bytes are no sequence of regions as above, a letter does not occur twice, or the lives are too few or too many.
pub(super) fn lives(bytes: &[u8]) -> Result<u32, EncodingError> {
    let surfaces = surface(Surface(-Surface::MOST))..=surface(Surface(Surface::MOST));
    let mut copies = [0u8; 256];
    let (mut lives, mut letters, mut twice) = (0, 0, 0);
    let mut before = END_OF_REGION;
    for (offset, &byte) in bytes.iter().enumerate() {
        let error = |problem| Err(EncodingError { offset, problem });
        match (before, byte) {
            (END_OF_REGION, _) if !surfaces.contains(&byte) => return error("this is no surface"),
            (END_OF_REGION, _) => {
                before = SURFACE;
                continue;
            }
            (SURFACE, END_OF_REGION) => return error("a region is empty"),
            (SURFACE | END_OF_BOUNDARY, END_OF_BOUNDARY) => return error("a boundary is empty"),
            (SURFACE | END_OF_BOUNDARY, _) => {}
            (_, END_OF_REGION) => return error("a boundary has no end"),
            (ISOLATED, ISOLATED..) | (_, ISOLATED) => {
                return error("an isolated spot is alone on its boundary");
            }
            _ => {}
        }
        before = byte;
        if byte <= END_OF_REGION {
            continue;
        }
        if byte >= FIRST_LETTER {
            let copies = &mut copies[usize::from(byte)];
            *copies += 1;
            match *copies {
                1 if byte == FIRST_LETTER + letters => letters += 1,
                2 => twice += 1,
                1 => return error("letters are numbered as they are met"),
                _ => return error("a letter is met more than twice"),
            }
            if *copies == 2 {
                continue;
            }
        }
        lives += spot(byte).lives();
        if lives > MOST_LIVES {
            return error("too many lives");
        }
    }
    let problem = match before {
        END_OF_REGION if lives < 2 => "a land has at least two lives",
        END_OF_REGION if twice < letters => "a letter is met only once",
        END_OF_REGION => return Ok(lives),
        _ => "the last region has no end",
    };
    Err(EncodingError {
        offset: bytes.len(),
        problem,
    })
}
