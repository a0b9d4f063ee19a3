//! The origins of a block's records: each once, and for each record its place among them.

use super::BlockError;
use sproutnet_record::{Worth, varint};

/// The source and the worth of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    pub(super) source: u32,
    pub(super) worth: Worth,
}

/// The number of low bits that hold the worth in the number of an origin.
const WORTH_BITS: u32 = 6;

impl Origin {
    /// The number of this origin in a block.
    fn number(self) -> u64 {
        u64::from(self.source) << WORTH_BITS | u64::from(self.worth.log2())
    }

    /// The inverse of [`Self::number`]. In blocks of [the former format](super::FORMER_FORMAT) the number is the
    /// source.
    fn of(number: u64, has_worth: bool) -> Option<Self> {
        let (source, log2) = if has_worth {
            (number >> WORTH_BITS, number as u8 & ((1 << WORTH_BITS) - 1))
        } else {
            (number, 0)
        };
        Some(Self {
            source: source.try_into().ok()?,
            worth: Worth::from_log2(log2)?,
        })
    }
}

/// The origins as encoded in a block.
#[derive(Clone, Copy)]
pub(super) struct Origins<'a> {
    /// The number of distinct origins.
    distinct: usize,
    /// Their numbers in ascending order: the first, then differences.
    steps: &'a [u8],
    /// For each record the place of its origin, `width` bits each, lowest first.
    places: &'a [u8],
    width: usize,
    /// Whether the numbers include a worth.
    has_worth: bool,
}

/// The bits of a place among `distinct` origins: none for one.
fn width(distinct: usize) -> usize {
    (usize::BITS - distinct.saturating_sub(1).leading_zeros()) as usize
}

/// Appends the origins of a block's records, given in the order of the records.
pub(super) fn write(out: &mut Vec<u8>, origins: &[Origin]) {
    let mut distinct = origins.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    varint::write(out, distinct.len() as u64);
    let mut previous = 0;
    for number in distinct.iter().map(|origin| origin.number()) {
        varint::write(out, number - previous);
        previous = number;
    }
    let width = width(distinct.len());
    if width == 0 {
        return;
    }
    let (mut bits, mut filled) = (0u32, 0);
    for origin in origins {
        let place = distinct.partition_point(|other| other < origin);
        bits |= (place as u32) << filled;
        filled += width;
        if filled >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        out.push(bits as u8);
    }
}

impl<'a> Origins<'a> {
    /// Takes the origins of `records` records from the front of `bytes`. Checks only lengths.
    pub(super) fn read(
        bytes: &mut &'a [u8],
        records: usize,
        has_worth: bool,
    ) -> Result<Self, BlockError> {
        let distinct = varint::read(bytes).ok_or(BlockError::Origins)?;
        if distinct > records as u64 || (distinct == 0) != (records == 0) {
            return Err(BlockError::Origins);
        }
        let distinct = distinct as usize;
        let steps = *bytes;
        for _ in 0..distinct {
            varint::read(bytes).ok_or(BlockError::Origins)?;
        }
        let steps = &steps[..steps.len() - bytes.len()];
        let width = width(distinct);
        let (places, rest) = bytes
            .split_at_checked((records * width).div_ceil(8))
            .ok_or(BlockError::Origins)?;
        *bytes = rest;
        Ok(Self {
            distinct,
            steps,
            places,
            width,
            has_worth,
        })
    }

    /// The place of the origin of the record at that position.
    pub(super) fn place(&self, position: usize) -> usize {
        if self.width == 0 {
            return 0;
        }
        let bit = position * self.width;
        let byte = |at: usize| u32::from(self.places.get(at).copied().unwrap_or_default());
        let bits = byte(bit / 8) | byte(bit / 8 + 1) << 8;
        (bits >> (bit % 8)) as usize & ((1 << self.width) - 1)
    }

    /// The origin at a place.
    pub(super) fn at(&self, place: usize) -> Result<Origin, BlockError> {
        let mut origins = self.list();
        for _ in 0..place {
            origins.next().ok_or(BlockError::Origins)??;
        }
        origins.next().ok_or(BlockError::Origins)?
    }

    /// All distinct origins, after checking that everything is exactly what [`write`] would write.
    pub(super) fn check(&self, records: usize) -> Result<Vec<Origin>, BlockError> {
        let origins = self.list().collect::<Result<Vec<Origin>, _>>()?;
        if self.width == 0 {
            return Ok(origins);
        }
        let mut used = vec![false; self.distinct];
        for position in 0..records {
            *used
                .get_mut(self.place(position))
                .ok_or(BlockError::Origins)? = true;
        }
        let padding = match records * self.width % 8 {
            0 => 0,
            filled => self.places.last().map_or(0, |last| last >> filled),
        };
        if used.contains(&false) || padding != 0 {
            Err(BlockError::Origins)
        } else {
            Ok(origins)
        }
    }

    fn list(&self) -> impl Iterator<Item = Result<Origin, BlockError>> + 'a {
        let (mut steps, has_worth) = (self.steps, self.has_worth);
        let mut last: Option<u64> = None;
        (0..self.distinct).map(move |_| {
            let step = varint::read(&mut steps).ok_or(BlockError::Origins)?;
            let next = match last {
                None => Some(step),
                Some(_) if step == 0 => None,
                Some(previous) => step.checked_add(previous),
            };
            last = next;
            let origin = next.and_then(|number| Origin::of(number, has_worth));
            origin.ok_or(BlockError::Origins)
        })
    }
}
