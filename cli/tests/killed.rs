//! Coordinator and workers as processes of their own, which meet with faults: one file for each concern.

mod backup;
mod certificates;
mod command;
mod fleet_crash;
mod fleet_games;
mod fleet_resume;
mod full_disk;
mod matches_crash;
mod processes;
mod soak;
mod store_budget;
mod strangers;
