//! Everything in Sproutnet that knows games, searches them and keeps what was proved.
//!
//! The modules are layers; each uses only those above it:
//!
//! - [`game`]: the rules. [`game::Game`] is what a game must offer; Sprouts and Kayles do.
//! - [`drawing`]: Sprouts positions as pictures, and as boards to play on.
//! - [`play`]: the play conventions, normal and misère, behind [`play::Convention`].
//! - [`search`]: proof-number search over the states of a convention.
//! - [`store`]: solved records on disk.
//! - [`proof`]: certificates of outcomes, and the checker that trusts nothing but the rules.
//! - [`answer`]: what a query returns.
//!
//! Beside them, for all programs: [`options`] as people write them, and [`machine`], what the machine
//! tells of itself, and [`figures`] as people read them.
//!
//! Nothing here knows the network or an async runtime.

pub mod answer;
pub mod drawing;
pub mod figures;
pub mod game;
pub mod machine;
pub mod options;
pub mod play;
pub mod proof;
pub mod search;
mod slots;
pub mod store;
mod varint;
