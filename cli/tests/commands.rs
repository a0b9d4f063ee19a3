//! The command `sproutnet` as people run it: one file for each concern.
//!
//! One program for all, since each would link all of gRPC anew.

mod bench;
mod command;
mod computations;
mod crash;
mod deadline;
mod draw;
mod errors;
mod fake;
mod fleet;
mod hung;
mod interrupt;
mod lookups;
mod solve;
mod terminal;
mod watching;
