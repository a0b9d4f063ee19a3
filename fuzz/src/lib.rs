//! Laws of external input, one function for each kind. A function takes arbitrary bytes, and panics if a law does not
//! hold for them. To refuse input is never a fault.
//!
//! - [`notation`]: positions as text, and lands as bytes.
//! - [`block`]: blocks of solved records.
//! - [`wire`]: wire messages, and the domain types that they become.
//! - [`calls`]: sequences of calls of workers and clients.
//! - [`certificate`]: certificates of outcomes.
//! - [`import`]: exports of a store's records, and their import.
//! - [`query`]: requests over HTTP.
//!
//! `targets/` passes these functions to libFuzzer, and the test `corpus` runs them on all inputs in `corpus/` and
//! `regressions/`.

mod block;
mod calls;
mod certificate;
mod import;
mod notation;
mod query;
mod respelling;
mod truth;
mod wire;

pub use block::block;
pub use calls::calls;
pub use certificate::certificate;
pub use import::import;
pub use notation::notation;
pub use query::query;
pub use wire::wire;

/// The laws of one kind of input.
pub type Law = fn(&[u8]);

/// All laws, by the names of their targets.
pub const LAWS: [(&str, Law); 7] = [
    ("block", block),
    ("calls", calls),
    ("certificate", certificate),
    ("import", import),
    ("notation", notation),
    ("query", query),
    ("wire", wire),
];
