//! The checker of certificates and the solver of small positions, as a WebAssembly module for pages and programs without
//! a server.
//!
//! - [`look_up`](fn@look_up): the outcomes of a position under both conventions, its picture and its moves, for a page.
//! - [`query`](fn@query), [`moves`]: the knowledge about a position, and its moves, in the form of the HTTP API, for
//!   programs.
//! - [`board`](fn@board): the pages of matches, with `opponent` as the solver.
//! - `answer`: the searches for all of these.
//! - [`check`](fn@check): the check of a certificate.
//! - `exports`: the functions of the module. Input and output are bytes in its memory; output is JSON.
//!
//! A module has no clock and no threads: all work is counted, and done by the thread that calls.

mod answer;
mod board;
mod check;
#[cfg(target_family = "wasm")]
mod exports;
mod look_up;
mod opponent;
mod query;

pub use board::{Board, board};
pub use check::{Checked, Verdict, check};
pub use look_up::{LookedUp, look_up};
pub use query::{Problem, Queried, moves, query};
