//! The real program as a process: one file for each concern.

mod audit_log;
mod options;
#[path = "../program/mod.rs"]
mod program;
mod signals;
mod waiting;
