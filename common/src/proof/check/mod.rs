//! The checker.

pub(in crate::proof) mod sprouts;
