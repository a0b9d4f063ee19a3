//! A coordinator behind real sockets: one file for each concern.
//!
//! One program for all, since each would link all of gRPC anew.

mod bad_reports;
mod beside;
mod certificates;
mod clients;
mod cluster;
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
mod waiting;
