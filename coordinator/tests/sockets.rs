//! A coordinator behind real sockets: one file for each concern.
//!
//! One program for all, since each would link all of gRPC anew.

mod api;
mod bad_reports;
mod clients;
mod cluster;
mod contradictions;
mod fleet;
mod hostile;
mod jobs;
mod memory;
mod metrics;
mod pages;
mod pages_play;
mod pages_position;
mod records;
mod registration;
mod restarts;
mod signing_in;
mod waiting;
mod web;
mod withdrawals;
