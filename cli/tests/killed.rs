//! Faults of a coordinator and workers that are separate processes: one file for each topic.

mod backup;
mod certificates;
mod command;
mod expired;
mod fleet_crash;
mod fleet_games;
mod fleet_resume;
mod full_disk;
mod matches_crash;
mod processes;
mod rotation;
mod soak;
mod store_budget;
mod strangers;
