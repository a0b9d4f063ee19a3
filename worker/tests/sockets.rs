//! A worker and a coordinator, real or told what to say: one file for each concern.
//!
//! One program for all, since each would link all of gRPC anew.

mod cluster;
mod deliveries;
mod fake;
mod faults;
mod leases;
mod liars;
mod lifecycle;
mod program;
mod proxy;
mod refusals;
mod signals;
mod simulated;
mod solves;
