//! Why a computation is not finished.

use sproutnet_model::{Branch, Branches, Effort, Explanation, Pace};
use sproutnet_notation::Numbers;

use super::{list, optional, part, text, text_field};
use crate::v1;

twins!(Branch, Branch {
    position, jobs;
    value: text_field, text;
    numbers: |numbers: Numbers| Some(numbers.into()), part;
});

twins!(Branches, Branches {
    more, are_parts;
    open: list, list;
});

twins!(
    Effort,
    Effort {
        expansions,
        unwanted_expansions,
        new_records,
        repeated_records
    }
);

twins!(Pace, Pace {
    seconds, expansions, records;
    before: |before: Numbers| Some(before.into()), part;
});

impl From<Explanation> for v1::ExplainResponse {
    fn from(explanation: Explanation) -> Self {
        Self {
            computation: Some(explanation.computation.into()),
            branches: optional(explanation.branches),
            effort: Some(explanation.effort.into()),
            paces: list(explanation.paces),
        }
    }
}

impl From<v1::ExplainResponse> for Explanation {
    fn from(response: v1::ExplainResponse) -> Self {
        Self {
            computation: part(response.computation),
            branches: optional(response.branches),
            effort: part(response.effort),
            paces: list(response.paces),
        }
    }
}
