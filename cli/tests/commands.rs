//! The command `sproutnet`, run as a process: one file for each topic.
//!
//! All files are one test program, because each program would link all of gRPC again.

mod architecture;
mod atlas;
mod bench;
mod clock;
mod colours;
mod command;
mod completions;
mod computations;
mod crash;
mod deadline;
mod draw;
mod errors;
mod fake;
mod fleet;
mod games;
mod hung;
mod interrupt;
mod lookups;
mod man;
mod manual;
mod mark;
mod matches;
mod overview;
mod prove;
mod read_only;
mod readme;
mod records;
mod serve;
mod site;
mod solve;
mod stream;
mod sums;
mod tables;
mod terminal;
mod theory;
mod transfer;
mod transfer_crash;
mod values;
mod verify;
mod watching;
