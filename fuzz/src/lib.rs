//! Laws of all that comes from outside, one function for each door. A function takes any bytes, and
//! panics if a law does not hold for them: that something is refused is never a fault.
//!
//! - [`notation`]: positions as text, and lands as bytes.
//! - [`block`]: blocks of solved records.
//! - [`wire`]: messages as they become what is worked with inside.
//! - [`calls`]: calls of workers and people, one after the other.
//! - [`certificate`]: certificates of outcomes.
//! - [`import`]: records that travel from store to store.
//! - [`query`]: requests over HTTP.
//!
//! `targets/` hands these functions to libFuzzer, and the test `corpus` hands them all that was kept in `corpus/` and
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

/// The laws of one door.
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
