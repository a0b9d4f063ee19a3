//! The sources of a block: each source once, and for each record its place among them.

use super::BlockError;
use sproutnet_record::varint;

/// The sources as encoded in a block.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    /// How many distinct sources there are.
    distinct: usize,
    /// The sources in ascending order: the first, then differences.
    steps: &'a [u8],
    /// For each record the place of its source, `width` bits each, lowest first.
    places: &'a [u8],
    width: usize,
}

/// The bits of a place among `distinct` sources: none for one source.
fn width(distinct: usize) -> usize {
    (usize::BITS - distinct.saturating_sub(1).leading_zeros()) as usize
}

/// Appends the sources of a block's records, given in the order of the records.
pub(super) fn write(out: &mut Vec<u8>, sources: &[u32]) {
    let mut distinct = sources.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    varint::write(out, distinct.len() as u64);
    let mut previous = 0;
    for &source in &distinct {
        varint::write(out, u64::from(source - previous));
        previous = source;
    }
    let width = width(distinct.len());
    if width == 0 {
        return;
    }
    let (mut bits, mut filled) = (0u32, 0);
    for source in sources {
        let place = distinct.partition_point(|other| other < source);
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

impl<'a> Sources<'a> {
    /// Takes the sources of that many records from the front of `bytes`. Checks only lengths.
    pub(super) fn read(bytes: &mut &'a [u8], records: usize) -> Result<Self, BlockError> {
        let distinct = varint::read(bytes).ok_or(BlockError::Sources)?;
        if distinct > records as u64 || (distinct == 0) != (records == 0) {
            return Err(BlockError::Sources);
        }
        let distinct = distinct as usize;
        let steps = *bytes;
        for _ in 0..distinct {
            varint::read(bytes).ok_or(BlockError::Sources)?;
        }
        let steps = &steps[..steps.len() - bytes.len()];
        let width = width(distinct);
        let (places, rest) = bytes
            .split_at_checked((records * width).div_ceil(8))
            .ok_or(BlockError::Sources)?;
        *bytes = rest;
        Ok(Self {
            distinct,
            steps,
            places,
            width,
        })
    }

    /// The place of the source of the record at that position.
    pub(super) fn place(&self, position: usize) -> usize {
        if self.width == 0 {
            return 0;
        }
        let bit = position * self.width;
        let byte = |at: usize| u32::from(self.places.get(at).copied().unwrap_or_default());
        let bits = byte(bit / 8) | byte(bit / 8 + 1) << 8;
        (bits >> (bit % 8)) as usize & ((1 << self.width) - 1)
    }

    /// The source at a place.
    pub(super) fn at(&self, place: usize) -> Result<u32, BlockError> {
        let mut sources = self.list();
        for _ in 0..place {
            sources.next().ok_or(BlockError::Sources)??;
        }
        sources.next().ok_or(BlockError::Sources)?
    }

    /// All distinct sources, after checking that everything is exactly what [`write`] would write.
    pub(super) fn check(&self, records: usize) -> Result<Vec<u32>, BlockError> {
        let sources = self.list().collect::<Result<Vec<u32>, _>>()?;
        if self.width == 0 {
            return Ok(sources);
        }
        let mut used = vec![false; self.distinct];
        for position in 0..records {
            *used
                .get_mut(self.place(position))
                .ok_or(BlockError::Sources)? = true;
        }
        let padding = match records * self.width % 8 {
            0 => 0,
            filled => self.places.last().map_or(0, |last| last >> filled),
        };
        match used.contains(&false) || padding != 0 {
            true => Err(BlockError::Sources),
            false => Ok(sources),
        }
    }

    fn list(&self) -> impl Iterator<Item = Result<u32, BlockError>> + 'a {
        let mut steps = self.steps;
        let mut source = None;
        (0..self.distinct).map(move |_| {
            let step = varint::read(&mut steps).ok_or(BlockError::Sources)?;
            let next = match source {
                None => Some(step),
                Some(_) if step == 0 => None,
                Some(previous) => step.checked_add(u64::from(previous)),
            };
            let next = next.and_then(|next| u32::try_from(next).ok());
            source = next;
            next.ok_or(BlockError::Sources)
        })
    }
}
