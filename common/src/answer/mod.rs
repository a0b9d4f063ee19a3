//! What a query returns.
