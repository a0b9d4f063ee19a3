//! Coordinator and workers as processes of their own, which are killed: one file for each concern.

mod command;
mod fleet_crash;
mod fleet_resume;
mod processes;
