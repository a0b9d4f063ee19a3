//! Coordinator and workers as processes of their own, which are killed or have no room on their disks: one
//! file for each concern.

mod backup;
mod certificates;
mod command;
mod fleet_crash;
mod fleet_resume;
mod full_disk;
mod processes;
mod strangers;
