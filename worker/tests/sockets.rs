//! A worker and a coordinator, real or scripted: one file for each concern.
//!
//! They are one program, since each would have to link all of gRPC.

mod budget;
mod deliveries;
mod fake;
mod faults;
mod feeds;
mod leases;
mod liars;
mod lifecycle;
mod program;
mod proxy;
mod refusals;
mod rolled_back;
mod signals;
mod simulated;
mod solves;
