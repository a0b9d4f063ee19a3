//! A coordinator behind real sockets: one file for each concern.
//!
//! They are one program, since each would have to link all of gRPC.

mod bad_reports;
mod certificates;
mod clients;
mod contradictions;
mod fleet;
mod full_disk;
mod hostile;
mod jobs;
mod matches;
mod memory;
mod records;
mod registration;
mod restarts;
mod revocations;
mod rolled_back;
mod waiting;
