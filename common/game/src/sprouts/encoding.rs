//! Canonical lands as bytes, version 2.
//!
//! A land is a sequence of symbols. [`grammar`](super::grammar) checks them.
//!
//! - `0` ends a boundary, `1` ends a region.
//! - `2` and a count: the isolated spots of a region, before its other boundaries.
//! - `3`: a spot with one line. `4`: a spot with two lines that occurs once.
//! - `5 + 2k`: a *pair*, the k-th letter with both copies on this boundary.
//! - `6 + 2k`: a *link*, the k-th letter of the land that joins two boundaries.
//! - `0xf00` and a number, before all else in a region: its surface, if it is not the sphere. The number is twice the
//!   number of handles, or 1 less than twice the number of crosscaps.
//!
//! `k` counts from 0 in the order of occurrence; pairs start again on every boundary. A symbol below
//! `0xf0` is one byte. A larger one, at most `0xfff`, is `0xf0 + (symbol >> 8)` and the low byte.

use crate::EncodingError;
use sproutnet_notation::plane::Boundaries;
use sproutnet_notation::raw::{RawPosition, Spot};
use sproutnet_notation::surface::Surface;

pub(super) const END_OF_BOUNDARY: u16 = 0;
pub(super) const END_OF_REGION: u16 = 1;
pub(super) const ISOLATED: u16 = 2;
pub(super) const END: u16 = 3;
pub(super) const MID: u16 = 4;
const FIRST_LETTER: u16 = 5;
/// The first symbol of a surface. Those of letters are below.
pub(super) const FIRST_SURFACE: u16 = 0xf00;
const LARGEST_SYMBOL: u16 = 0xfff;

pub(super) fn pair(number: u16) -> u16 {
    FIRST_LETTER + 2 * number
}

pub(super) fn link(number: u16) -> u16 {
    pair(number) + 1
}

/// The surface of a symbol from [`FIRST_SURFACE`] on. The sphere has none.
pub(super) fn as_surface(symbol: u16) -> Option<Surface> {
    let half = i8::try_from(symbol.checked_sub(FIRST_SURFACE)?.div_ceil(2)).ok()?;
    let surface = Surface::new(if symbol.is_multiple_of(2) {
        half
    } else {
        -half
    });
    surface.filter(|&surface| surface != Surface::SPHERE)
}

/// The number of ranks of links in one byte.
pub(super) const SHORT_LINKS: u8 = (TWO_BYTES - FIRST_LETTER as u8) / 2;

/// The byte of a link with a rank below [`SHORT_LINKS`].
pub(super) fn short_link(rank: u8) -> u8 {
    debug_assert!(rank < SHORT_LINKS);
    FIRST_LETTER as u8 + 1 + 2 * rank
}

/// The first symbol of two bytes, and the least first byte of such a symbol.
const TWO_BYTES: u8 = 0xf0;

/// The land `1`, which has exactly one move.
pub(super) const ONE_MOVE: [u8; 3] = [END as u8, END_OF_BOUNDARY as u8, END_OF_REGION as u8];

#[derive(Default)]
pub(super) struct Writer(Vec<u8>);

/// Whether the first byte of a symbol is followed by a second one.
pub(super) fn is_long(byte: u8) -> bool {
    byte >= TWO_BYTES
}

/// The rank of a link of one byte; `None` for other symbols.
pub(super) fn as_short_link(byte: u8) -> Option<u8> {
    let is_link = byte > FIRST_LETTER as u8 && byte.is_multiple_of(2);
    is_link.then(|| (byte - FIRST_LETTER as u8) / 2)
}

impl Writer {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Begins a region on a surface.
    pub(super) fn surface(&mut self, surface: Surface) {
        let twice = 2 * u16::from(surface.handles().unsigned_abs());
        match surface {
            Surface::SPHERE => {}
            _ => self.symbol(FIRST_SURFACE + twice - u16::from(!surface.is_orientable())),
        }
    }

    pub(super) fn symbol(&mut self, symbol: u16) {
        debug_assert!(symbol <= LARGEST_SYMBOL);
        if symbol < u16::from(TWO_BYTES) {
            self.0.push(symbol as u8);
        } else {
            self.0.push(TWO_BYTES + (symbol >> 8) as u8);
            self.0.push(symbol as u8);
        }
    }
}

/// The raw position of well-formed bytes. They need not be canonical.
pub(super) fn read(bytes: &[u8]) -> RawPosition {
    let mut raw = RawPosition::with_capacity(bytes.len());
    let mut links: Vec<Spot> = Vec::with_capacity(bytes.len() / 2);
    let mut pairs: Vec<Spot> = Vec::new();
    let mut surface = Surface::SPHERE;
    let mut symbols = Symbols::new(bytes);
    let mut next = || symbols.next().expect("the symbols are checked");
    while let Some(symbol) = next() {
        match symbol {
            END_OF_BOUNDARY => {
                raw.end_boundary();
                pairs.clear();
            }
            END_OF_REGION => raw.end_region_on(std::mem::take(&mut surface)),
            ISOLATED => {
                for _ in 0..next().expect("a count follows") {
                    raw.push_boundary(&[Spot::ISOLATED]);
                }
            }
            END => raw.push(Spot::END),
            MID => raw.push(Spot::MID),
            FIRST_SURFACE.. => surface = as_surface(symbol).unwrap_or_default(),
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

/// Reads the letters of well-formed bytes. Other spots do not matter for drawing a land.
pub(super) fn read_letters(bytes: &[u8], boundaries: &mut Boundaries) {
    boundaries.clear();
    // Links have odd numbers, pairs even ones. The pairs of a boundary follow those of the boundaries before.
    let (mut pairs_before, mut pairs) = (0, 0);
    let mut symbols = Symbols::new(bytes);
    while let Ok(Some(symbol)) = symbols.next() {
        match symbol {
            END_OF_BOUNDARY => {
                boundaries.end_boundary();
                pairs_before += std::mem::take(&mut pairs);
            }
            END_OF_REGION => boundaries.end_region(),
            ISOLATED => drop(symbols.next()),
            END | MID | FIRST_SURFACE.. => {}
            letter => match letter_of(letter) {
                (true, number) => boundaries.push(2 * number + 1),
                (false, number) => {
                    boundaries.push(2 * (pairs_before + number));
                    pairs = pairs.max(number + 1);
                }
            },
        }
    }
}

/// Whether the spots of well-formed bytes all have two lines and occur once.
pub(super) fn has_mids_alone(bytes: &[u8]) -> bool {
    let (none, mid) = ([END_OF_BOUNDARY as u8, END_OF_REGION as u8], MID as u8);
    bytes.iter().all(|byte| *byte == mid || none.contains(byte))
}

/// Whether a symbol above [`MID`] is a link, and its `k`.
pub(super) fn letter_of(symbol: u16) -> (bool, usize) {
    let k = usize::from(symbol - FIRST_LETTER);
    (!k.is_multiple_of(2), k / 2)
}

/// Reads the symbols of an encoding.
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
    /// The symbol is cut off, or longer than necessary.
    #[inline]
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

    /// An error at the last symbol.
    pub(super) fn error(&self, problem: &'static str) -> EncodingError {
        EncodingError {
            offset: self.offset.saturating_sub(1),
            problem,
        }
    }
}
