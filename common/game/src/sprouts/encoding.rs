//! Canonical lands as bytes, version 2.
//!
//! A land is a sequence of symbols: region after region, each closed by `1`; in a region boundary
//! after boundary, each closed by `0`. Isolated spots come first in their region, as the symbol
//! `2` and their count. Elsewhere `3` is a spot with one line, `4` one with two lines met once;
//! `5 + 2k` is the k-th letter with both copies on the boundary, `6 + 2k` the k-th of those that
//! join boundaries of the land, both counted from 0 in the order in which they are met, the builder
//! anew on every boundary. A symbol below `0xf0` is one byte; a larger one, at most `0xfff`, is
//! `0xf0 + (symbol >> 8)` and the low byte. Which bytes may be read is told by
//! [`grammar`](super::grammar).

use crate::EncodingError;
use sproutnet_notation::raw::{RawPosition, Spot};

pub(super) const END_OF_BOUNDARY: u16 = 0;
pub(super) const END_OF_REGION: u16 = 1;
pub(super) const ISOLATED: u16 = 2;
pub(super) const END: u16 = 3;
pub(super) const MID: u16 = 4;
const FIRST_LETTER: u16 = 5;
const LARGEST_SYMBOL: u16 = 0xfff;

/// Links of lower rank are written as one byte.
pub(super) const SHORT_LINKS: u8 = (TWO_BYTES - FIRST_LETTER as u8) / 2;

/// What is written for a link of that rank, if it is one of the [`SHORT_LINKS`].
pub(super) fn short_link(rank: u8) -> u8 {
    debug_assert!(rank < SHORT_LINKS);
    FIRST_LETTER as u8 + 1 + 2 * rank
}

/// From this symbol on two bytes are needed, and the first of them is at least that.
const TWO_BYTES: u8 = 0xf0;

/// The land `1`, in which exactly one move is left.
pub(super) const ONE_MOVE: [u8; 3] = [END as u8, END_OF_BOUNDARY as u8, END_OF_REGION as u8];

/// Writes the encoding of a land, in the order of its calls.
#[derive(Default)]
pub(super) struct Writer(Vec<u8>);

/// Whether a byte is the first of the two of a symbol, at a place where a symbol starts.
pub(super) fn is_long(byte: u8) -> bool {
    byte >= TWO_BYTES
}

/// The rank if a byte that is a symbol is one of the [`SHORT_LINKS`].
pub(super) fn as_short_link(byte: u8) -> Option<u8> {
    let is_link = byte > FIRST_LETTER as u8 && byte.is_multiple_of(2);
    is_link.then(|| (byte - FIRST_LETTER as u8) / 2)
}

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

    /// How many bytes are written.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The whole encoding.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn symbol(&mut self, symbol: u16) {
        debug_assert!(symbol <= LARGEST_SYMBOL);
        if symbol < u16::from(TWO_BYTES) {
            self.0.push(symbol as u8);
        } else {
            self.0.push(TWO_BYTES + (symbol >> 8) as u8);
            self.0.push(symbol as u8);
        }
    }
}

/// The raw position that well-formed bytes describe. It need not be canonical.
pub(super) fn read(bytes: &[u8]) -> RawPosition {
    let mut raw = RawPosition::default();
    let mut links: Vec<Spot> = Vec::new();
    let mut pairs: Vec<Spot> = Vec::new();
    let mut symbols = Symbols::new(bytes);
    let mut next = || symbols.next().expect("the symbols are checked");
    while let Some(symbol) = next() {
        match symbol {
            END_OF_BOUNDARY => {
                raw.end_boundary();
                pairs.clear();
            }
            END_OF_REGION => raw.end_region(),
            ISOLATED => {
                for _ in 0..next().expect("a count follows") {
                    raw.push_boundary(&[Spot::ISOLATED]);
                }
            }
            END => raw.push(Spot::END),
            MID => raw.push(Spot::MID),
            letter => {
                let (is_link, number) = letter_of(letter);
                let names = if is_link { &mut links } else { &mut pairs };
                if number == names.len() {
                    names.push(raw.new_letter());
                }
                raw.push(names[number]);
            }
        }
    }
    raw
}

/// Whether a symbol above [`MID`] is a link, and its number among the letters of its kind.
pub(super) fn letter_of(symbol: u16) -> (bool, usize) {
    let k = usize::from(symbol - FIRST_LETTER);
    (!k.is_multiple_of(2), k / 2)
}

/// The symbols of an encoding, one after the other.
pub(super) struct Symbols<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Symbols<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    /// The next symbol; `None` at the end.
    ///
    /// # Errors
    /// It is cut off, or longer than it need be.
    pub(super) fn next(&mut self) -> Result<Option<u16>, EncodingError> {
        let Some(&byte) = self.bytes.get(self.offset) else {
            return Ok(None);
        };
        self.offset += 1;
        if byte < TWO_BYTES {
            return Ok(Some(u16::from(byte)));
        }
        let Some(&low) = self.bytes.get(self.offset) else {
            return Err(self.error("the last symbol is cut off"));
        };
        self.offset += 1;
        let symbol = u16::from(byte - TWO_BYTES) << 8 | u16::from(low);
        if symbol < u16::from(TWO_BYTES) {
            return Err(self.error("a symbol of one byte is written as two"));
        }
        Ok(Some(symbol))
    }

    /// That something is wrong with the symbol read last.
    pub(super) fn error(&self, problem: &'static str) -> EncodingError {
        EncodingError {
            offset: self.offset.saturating_sub(1),
            problem,
        }
    }
}
