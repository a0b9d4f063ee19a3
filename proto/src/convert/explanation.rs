//! Why a computation is not finished.

use sproutnet_model::{Branch, Branches, Computation, Effort, Explanation, Pace};
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

twins!(Explanation, ExplainResponse {;
    computation: |computation: Computation| Some(computation.into()), part;
    branches: optional, optional;
    effort: |effort: Effort| Some(effort.into()), part;
    paces: list, list;
});
