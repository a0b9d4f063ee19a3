//! A part of a list.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::problem::Problem;

/// The maximum number of entries of a page.
const MOST: usize = 1000;

/// The default number of entries of a page.
const USUAL: usize = 200;

/// The greatest integer that JavaScript reads exactly.
pub(super) const GREATEST: u64 = (1 << 53) - 1;

/// Which part of a list is wanted.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// The number of the first entry, counted from 0.
    #[param(maximum = 9_007_199_254_740_991_i64, default = 0)]
    offset: Option<usize>,
    /// The maximum number of entries.
    #[param(minimum = 1, maximum = 1000, default = 200)]
    limit: Option<usize>,
}

/// A part of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Page<T> {
    /// The number of entries in the whole list.
    total: usize,
    /// The number of the first entry on this page, counted from 0.
    offset: usize,
    /// Where the next page begins; null on the last.
    next: Option<usize>,
    /// The entries.
    items: Vec<T>,
}

impl Wanted {
    /// The part of the list that is wanted.
    ///
    /// # Errors
    /// A number is out of bounds.
    pub(super) fn of<T>(self, list: Vec<T>) -> Result<Page<T>, Problem> {
        let limit = self.limit.unwrap_or(USUAL);
        if !(1..=MOST).contains(&limit) {
            let error = format!("limit: a number from 1 to {MOST} is expected");
            return Err(Problem::of_parameter(error));
        }
        let (total, offset) = (list.len(), self.offset.unwrap_or(0));
        if offset as u64 > GREATEST {
            let error = format!("offset: a number up to {GREATEST} is expected");
            return Err(Problem::of_parameter(error));
        }
        let end = offset.saturating_add(limit);
        Ok(Page {
            total,
            offset,
            next: (end < total).then_some(end),
            items: list.into_iter().skip(offset).take(limit).collect(),
        })
    }
}

#[cfg(test)]
mod tests;
