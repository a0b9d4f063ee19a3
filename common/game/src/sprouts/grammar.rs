//! Checks whether bytes describe a land, canonical or not, in one pass without allocation.

use super::encoding::{
    END, END_OF_BOUNDARY, END_OF_REGION, FIRST_SURFACE, ISOLATED, MID, Symbols, as_surface,
    letter_of,
};
use super::rules::Rules;
use crate::EncodingError;
use sproutnet_notation::raw::{MAX_LIVES, Spot};

/// The lives of the land in `bytes`: 2 to [`MAX_LIVES`].
///
/// # Errors
/// The symbols are in a wrong order, a letter does not occur twice, or the lives are too few or too many. In games
/// without surfaces also: there is a surface, or a letter occurs twice in one region but on different boundaries.
pub(super) fn lives(bytes: &[u8], rules: Rules) -> Result<u32, EncodingError> {
    let mut symbols = Symbols::new(bytes);
    let mut lives = 0;
    let mut links = Letters::default();
    let mut pairs = Letters::default();
    let mut in_boundary = false;
    let mut in_region = false;
    let mut has_surface = false;
    while let Some(symbol) = symbols.next()? {
        let is_surface = symbol >= FIRST_SURFACE;
        let is_spot = !matches!(symbol, END_OF_BOUNDARY | END_OF_REGION | ISOLATED) && !is_surface;
        let problem = match symbol {
            END_OF_BOUNDARY if !in_boundary => Some("a boundary is empty"),
            END_OF_BOUNDARY => pairs.end(),
            END_OF_REGION if in_boundary => Some("a region ends inside a boundary"),
            END_OF_REGION if !in_region => Some("a region is empty"),
            END_OF_REGION => {
                links.leave();
                None
            }
            ISOLATED => match symbols.next()? {
                Some(count) if count > 0 && !in_region => {
                    lives += 3 * u32::from(count);
                    None
                }
                _ => Some("isolated spots are a count at the start of a region"),
            },
            END => {
                lives += 2;
                None
            }
            MID => {
                lives += 1;
                None
            }
            FIRST_SURFACE.. => {
                let is_first = rules.has_surfaces && !in_region && !has_surface;
                let surface = as_surface(symbol).filter(|_| is_first);
                surface.map_or(Some("this is no surface"), |_| None)
            }
            letter => {
                let (is_link, number) = letter_of(letter);
                let letters = if is_link { &mut links } else { &mut pairs };
                // The copies of a letter have one life together.
                lives += u32::from(letters.is_new(number));
                if is_link && letters.is_here(number) && !rules.has_surfaces {
                    Some("both copies of a letter in one region are on one boundary")
                } else {
                    letters.meet(number)
                }
            }
        };
        if let Some(problem) = problem {
            return Err(symbols.error(problem));
        }
        if lives > MAX_LIVES {
            return Err(symbols.error("too many lives"));
        }
        in_boundary = is_spot;
        has_surface = is_surface || has_surface && symbol != END_OF_REGION;
        in_region = symbol != END_OF_REGION && !is_surface;
    }
    let problem = if in_region || has_surface {
        Some("the last region has no end")
    } else if lives < 2 {
        Some("a land has at least two lives")
    } else {
        links.end()
    };
    problem.map_or(Ok(lives), |problem| Err(symbols.error(problem)))
}

/// The maximum number of moves in the land of well-formed bytes, under these rules.
pub(super) fn max_moves(bytes: &[u8], rules: Rules) -> u32 {
    let mut symbols = Symbols::new(bytes);
    let (mut weight, mut spots, mut boundaries) = (0, 0, 0);
    let mut next = || symbols.next().ok().flatten();
    while let Some(symbol) = next() {
        let spot = match symbol {
            END_OF_BOUNDARY => {
                boundaries += 1;
                continue;
            }
            END_OF_REGION => {
                weight += rules.weight(spots, boundaries);
                (spots, boundaries) = (0, 0);
                continue;
            }
            ISOLATED => {
                let count = next().map_or(0, u32::from);
                boundaries += count;
                spots += count * rules.weight_of_spot(Spot::ISOLATED);
                continue;
            }
            END => Spot::END,
            MID => Spot::MID,
            FIRST_SURFACE.. => continue,
            _ => Spot::letter(0),
        };
        spots += rules.weight_of_spot(spot);
    }
    rules.max_moves(weight)
}

/// The letters of one kind met so far: at most [`MAX_LIVES`], since each has a life.
#[derive(Default)]
struct Letters {
    met: usize,
    met_once: usize,
    met_twice: Set,
    /// The letters first met in this region.
    here: Set,
}

/// A bit for each letter.
type Set = [u64; MAX_LIVES as usize / 64 + 1];

impl Letters {
    fn is_new(&self, number: usize) -> bool {
        number == self.met
    }

    /// Whether a letter was first met in this region.
    fn is_here(&self, number: usize) -> bool {
        number < self.met && self.here[number / 64] >> (number % 64) & 1 == 1
    }

    fn leave(&mut self) {
        self.here[..self.met.div_ceil(64)].fill(0);
    }

    /// Counts a copy of a letter. Returns the problem with it, if there is one.
    fn meet(&mut self, number: usize) -> Option<&'static str> {
        if number > self.met {
            return Some("letters are numbered as they are met");
        }
        let bit = 1 << (number % 64);
        if self.is_new(number) {
            self.met += 1;
            self.met_once += 1;
            self.here[number / 64] |= bit;
            return None;
        }
        let word = &mut self.met_twice[number / 64];
        if *word & bit != 0 {
            return Some("a letter is met more than twice");
        }
        *word |= bit;
        self.met_once -= 1;
        None
    }

    /// Restarts the numbering. Returns the problem if a letter was met only once.
    fn end(&mut self) -> Option<&'static str> {
        self.met_twice[..self.met.div_ceil(64)].fill(0);
        self.met = 0;
        (std::mem::take(&mut self.met_once) > 0).then_some("a letter is met only once")
    }
}
