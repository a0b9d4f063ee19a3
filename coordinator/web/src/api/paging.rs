//! A part of a list.

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::refusal::Refusal;

/// The most entries of a page.
const MOST: usize = 1000;

/// How many entries a page has unless more or fewer are asked for.
const USUAL: usize = 200;

/// The greatest number that all programs read as it is written: JavaScript's numbers go no farther.
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
    /// So many entries cannot be had at a time, or from there.
    pub(super) fn of<T>(self, list: Vec<T>) -> Result<Page<T>, Refusal> {
        let limit = self.limit.unwrap_or(USUAL);
        if !(1..=MOST).contains(&limit) {
            let error = format!("limit: a number from 1 to {MOST} is expected");
            return Err(Refusal::bad(error));
        }
        let (total, offset) = (list.len(), self.offset.unwrap_or(0));
        if offset as u64 > GREATEST {
            let error = format!("offset: a number up to {GREATEST} is expected");
            return Err(Refusal::bad(error));
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

/// What the query of a request says.
///
/// # Errors
/// It cannot be understood.
pub(super) fn query<T>(query: Result<Query<T>, QueryRejection>) -> Result<T, Refusal> {
    match query {
        Ok(Query(asked)) => Ok(asked),
        Err(error) => Err(Refusal::bad(error.body_text())),
    }
}

#[cfg(test)]
mod tests;
