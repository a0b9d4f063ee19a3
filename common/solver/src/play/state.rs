//! Search states, and their portable bytes.

use smallvec::SmallVec;

use super::{Play, Rules, record};
use sproutnet_game::{EncodingError, LandId, Lands};
use sproutnet_record::varint;

/// A sum: sorted lands without values, and the value of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State<V> {
    /// The lands not valued.
    pub lands: SmallVec<[LandId; 4]>,
    /// The sum of the valued lands.
    pub value: V,
}

impl<V> State<V> {
    /// One land and a value.
    pub fn single(land: LandId, value: V) -> Self {
        Self {
            lands: SmallVec::from_slice(&[land]),
            value,
        }
    }
}

/// Why bytes are not a state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The bytes end too early, or do not end where they should.
    #[error("the encoding of a state has the wrong length")]
    Length,
    /// Its lands are not sorted.
    #[error("the lands of a state are not sorted by their bytes")]
    Order,
    /// A land in it is malformed.
    #[error(transparent)]
    Land(#[from] EncodingError),
    /// Its value is malformed.
    #[error("the value of a state: {0}")]
    Value(String),
}

/// The bytes of the lands of an encoded state, in order.
pub type EncodedLands<'a> = SmallVec<[&'a [u8]; 8]>;

/// An encoded state taken apart.
pub(super) struct Encoded<'a> {
    /// Not yet checked.
    pub(super) lands: EncodedLands<'a>,
    /// The bytes of the value, not yet checked.
    pub(super) value: &'a [u8],
}

impl<'a> Encoded<'a> {
    /// The inverse of [`State::encode`], except for the content of lands and value.
    ///
    /// # Errors
    /// The lengths do not fit, or the lands are not in order.
    pub(super) fn split(bytes: &'a [u8]) -> Result<Self, StateError> {
        let mut rest = bytes;
        let count = varint::read(&mut rest).ok_or(StateError::Length)?;
        let mut lands = SmallVec::new();
        let mut last: &[u8] = &[];
        for _ in 0..count {
            let length = varint::read(&mut rest).and_then(|length| usize::try_from(length).ok());
            let split = length.and_then(|length| rest.split_at_checked(length));
            let (land, after) = split.ok_or(StateError::Length)?;
            if land < last {
                return Err(StateError::Order);
            }
            last = land;
            lands.push(land);
            rest = after;
        }
        Ok(Self { lands, value: rest })
    }
}

/// A hash of unvalued lands and a value, different for every game and convention, and the same in every
/// process. `mark` stands for the value: a small number, or a hash that is the same in every process.
pub(super) fn key(lands: &Lands, play: Play, ids: &[LandId], mark: u128) -> u128 {
    let [game, play] = record::prefix(lands.game().code(), play);
    let start = mark.rotate_left(16) ^ (u128::from(game) << 8 | u128::from(play));
    // The order of the ids is the order in which the lands were met: a sum does not depend on it. It does depend on
    // multiplicities, whereas an exclusive or would drop pairs.
    let hashes = ids.iter().map(|&id| lands.hash(id));
    let sum = hashes.fold(0, u128::wrapping_add);
    mix(mix(start) ^ sum)
}

/// Spreads every bit over all higher bits, and the highest over the lowest.
fn mix(word: u128) -> u128 {
    let spread = word.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    spread ^ spread >> 64
}

impl<V: Copy> State<V> {
    /// Portable bytes: the number of lands, each land's length and bytes in the order of the bytes,
    /// then the value. Equal states have equal bytes in every process. `None` if the value cannot be encoded.
    pub fn encode<C: Rules<Value = V>>(&self, convention: &C) -> Option<Vec<u8>> {
        let value = convention.encode_value(self.value)?;
        let lands = convention.lands();
        let bytes_of = |&id: &LandId| lands.encoding(id);
        let mut sorted: Vec<&[u8]> = self.lands.iter().map(bytes_of).collect();
        sorted.sort_unstable();
        let mut bytes = Vec::new();
        varint::write(&mut bytes, sorted.len() as u64);
        for land in sorted {
            varint::write(&mut bytes, land.len() as u64);
            bytes.extend_from_slice(land);
        }
        bytes.extend(value);
        Some(bytes)
    }

    /// The inverse of [`Self::encode`].
    ///
    /// # Errors
    /// The bytes are not those of a state of this convention and its game.
    pub fn decode<C: Rules<Value = V>>(bytes: &[u8], convention: &C) -> Result<Self, StateError> {
        let encoded = Encoded::split(bytes)?;
        let ids = encoded.lands.iter();
        let ids: Result<SmallVec<_>, _> = ids.map(|land| convention.lands().read(land)).collect();
        let mut lands = ids?;
        lands.sort_unstable();
        Ok(Self {
            lands,
            value: convention.decode_value(encoded.value)?,
        })
    }
}
