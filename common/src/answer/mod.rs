//! What a query returns: one type for the command line, JSON and gRPC alike.

mod literature;
mod result;
mod table;
mod verdict;

pub use literature::{Published, published};
pub use result::{Solved, Source};
pub use table::{TableEntry, table};
pub use verdict::{Answer, Verdict, answer};
