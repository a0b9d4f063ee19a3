//! Canonical lands as bytes, version 1.
//!
//! A land is a sequence of symbols: region after region, each closed by `1`; in a region boundary
//! after boundary, each closed by `0`. Isolated spots come first in their region, as the symbol
//! `2` and their count. Elsewhere `3` is a spot with one line, `4` one with two lines met once;
//! `5 + 2k` is the k-th letter with both copies on the boundary, `6 + 2k` the k-th of those that
//! join boundaries of the land, both counted from 0 in the order in which they are met, the former
//! anew on every boundary. A symbol below `0xf0` is one byte; a larger one, at most `0xfff`, is
//! `0xf0 + (symbol >> 8)` and the low byte.

use super::sketch::{MAX_LIVES, Sketch, Spot};
use crate::game::{EncodingError, Land};

const END_OF_BOUNDARY: u16 = 0;
const END_OF_REGION: u16 = 1;
const ISOLATED: u16 = 2;
const END: u16 = 3;
const MID: u16 = 4;
const FIRST_LETTER: u16 = 5;
const LARGEST_SYMBOL: u16 = 0xfff;

/// The land `1`, in which exactly one move is left.
pub(super) const ONE_MOVE: [u8; 3] = [END as u8, END_OF_BOUNDARY as u8, END_OF_REGION as u8];

/// Writes the encoding of a land, in the order of its calls.
#[derive(Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    /// The isolated spots of a region, before its other boundaries.
    pub(super) fn isolated(&mut self, count: u16) {
        if count > 0 {
            self.symbol(ISOLATED);
            self.symbol(count);
        }
    }

    /// A spot with one line.
    pub(super) fn end(&mut self) {
        self.symbol(END);
    }

    /// A spot with two lines, met once.
    pub(super) fn mid(&mut self) {
        self.symbol(MID);
    }

    /// The letter of that number among those with both copies on the boundary.
    pub(super) fn pair(&mut self, number: u16) {
        self.symbol(FIRST_LETTER + 2 * number);
    }

    /// The letter of that number among those that join boundaries of the land.
    pub(super) fn link(&mut self, number: u16) {
        self.symbol(FIRST_LETTER + 1 + 2 * number);
    }

    /// Ends the boundary.
    pub(super) fn end_boundary(&mut self) {
        self.symbol(END_OF_BOUNDARY);
    }

    /// Ends the region.
    pub(super) fn end_region(&mut self) {
        self.symbol(END_OF_REGION);
    }

    /// The whole encoding.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn symbol(&mut self, symbol: u16) {
        debug_assert!(symbol <= LARGEST_SYMBOL);
        if symbol < 0xf0 {
            self.0.push(symbol as u8);
        } else {
            self.0.push(0xf0 + (symbol >> 8) as u8);
            self.0.push(symbol as u8);
        }
    }
}

/// The sketch of a canonical land.
pub(super) fn sketch(land: &Land) -> Sketch {
    decode(land.as_bytes()).expect("a land holds bytes that this module wrote or checked")
}

/// Reads a sketch. What it returns need not be canonical.
///
/// # Errors
/// The bytes are not symbols in a sensible order, or the land has more than [`MAX_LIVES`] lives.
pub(super) fn decode(bytes: &[u8]) -> Result<Sketch, EncodingError> {
    let mut sketch = Sketch::default();
    let mut links: Vec<Option<Spot>> = Vec::new();
    let mut pairs: Vec<Option<Spot>> = Vec::new();
    let mut symbols = Symbols { bytes, offset: 0 };
    while let Some(symbol) = symbols.next()? {
        match symbol {
            END_OF_BOUNDARY => {
                sketch.end_boundary();
                pairs.clear();
            }
            END_OF_REGION => {
                if !sketch.open_boundary().is_empty() {
                    return Err(symbols.error("a region ends inside a boundary"));
                }
                sketch.end_region();
            }
            ISOLATED => {
                let count = symbols.next()?;
                let count = count.filter(|&count| u32::from(count) <= MAX_LIVES / 3);
                let Some(count) = count.filter(|_| sketch.open_boundary().is_empty()) else {
                    return Err(symbols.error("isolated spots are a count before a boundary"));
                };
                for _ in 0..count {
                    sketch.push_boundary(&[Spot::ISOLATED]);
                }
            }
            END => sketch.push(Spot::END),
            MID => sketch.push(Spot::MID),
            letter => {
                let k = usize::from(letter - FIRST_LETTER);
                let names = if k.is_multiple_of(2) {
                    &mut pairs
                } else {
                    &mut links
                };
                if k / 2 > names.len() {
                    return Err(symbols.error("letters are numbered as they are met"));
                }
                if k / 2 == names.len() {
                    names.push(None);
                }
                let name = *names[k / 2].get_or_insert_with(|| sketch.new_letter());
                sketch.push(name);
            }
        }
        if sketch.letters() > MAX_LIVES as usize {
            return Err(symbols.error("too many letters"));
        }
    }
    if !sketch.open_region().is_empty() {
        return Err(symbols.error("the last region has no end"));
    }
    if sketch.lives() > MAX_LIVES {
        return Err(symbols.error("too many lives"));
    }
    check_copies(&sketch).map_err(|problem| symbols.error(problem))?;
    Ok(sketch)
}

/// A letter is met twice in all.
fn check_copies(sketch: &Sketch) -> Result<(), &'static str> {
    let mut copies = vec![0u8; sketch.letters()];
    for region in 0..sketch.regions() {
        for number in sketch
            .boundaries(region)
            .flatten()
            .filter_map(|s| s.number())
        {
            copies[number] += 1;
            if copies[number] > 2 {
                return Err("a letter is met more than twice");
            }
        }
    }
    Ok(())
}

struct Symbols<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl Symbols<'_> {
    fn next(&mut self) -> Result<Option<u16>, EncodingError> {
        let Some(&byte) = self.bytes.get(self.offset) else {
            return Ok(None);
        };
        self.offset += 1;
        if byte < 0xf0 {
            return Ok(Some(u16::from(byte)));
        }
        let Some(&low) = self.bytes.get(self.offset) else {
            return Err(self.error("the last symbol is cut off"));
        };
        self.offset += 1;
        Ok(Some(u16::from(byte - 0xf0) << 8 | u16::from(low)))
    }

    fn error(&self, problem: &'static str) -> EncodingError {
        EncodingError {
            offset: self.offset.saturating_sub(1),
            problem,
        }
    }
}
