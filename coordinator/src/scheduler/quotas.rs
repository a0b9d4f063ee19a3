//! Limits on the share of an owner, however many computations they start.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::shares::Weight;

/// The name that stands for all owners without a quota of their own.
const OTHERS: &str = "*";

/// The quota of one owner: all their computations together get at most the machine time of one computation of this
/// weight, as long as others want it too. As text, `OWNER=WEIGHT`; the owner `*` is every owner without a quota of
/// their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quota {
    owner: String,
    weight: Weight,
}

/// The quotas of all owners.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quotas(BTreeMap<String, Weight>);

/// A text that is not a quota.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a quota is OWNER=WEIGHT, such as anna=3 or *=1; a weight is from 1 to {}",
    Weight::GREATEST
)]
pub struct NoQuota;

impl FromStr for Quota {
    type Err = NoQuota;

    fn from_str(text: &str) -> Result<Self, NoQuota> {
        let (owner, weight) = text.rsplit_once('=').ok_or(NoQuota)?;
        let owner = owner.trim();
        if owner.is_empty() || owner.contains(';') {
            return Err(NoQuota);
        }
        let weight = weight.trim().parse().ok().and_then(Weight::new);
        Ok(Self {
            owner: owner.to_owned(),
            weight: weight.ok_or(NoQuota)?,
        })
    }
}

impl FromIterator<Quota> for Quotas {
    /// The last one of each owner counts.
    fn from_iter<I: IntoIterator<Item = Quota>>(quotas: I) -> Self {
        let quotas = quotas.into_iter();
        Self(quotas.map(|quota| (quota.owner, quota.weight)).collect())
    }
}

impl fmt::Display for Quotas {
    /// As they are given, separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (owner, weight)) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{owner}={}", weight.get())?;
        }
        Ok(())
    }
}

impl Quotas {
    /// Whether no owner has a quota.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The quota of an owner, if there is one.
    pub fn of(&self, owner: &str) -> Option<Weight> {
        self.0.get(owner).or_else(|| self.0.get(OTHERS)).copied()
    }
}

#[cfg(test)]
mod tests;
