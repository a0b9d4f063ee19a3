//! The wire values of statuses and outcomes.

use sproutnet_proto::v1::{Outcome, Play, Status};

pub(crate) const RUNNING: i32 = Status::Running as i32;
pub(crate) const PAUSED: i32 = Status::Paused as i32;
pub(crate) const SOLVED: i32 = Status::Solved as i32;
pub(crate) const CANCELLED: i32 = Status::Cancelled as i32;
pub(crate) const EXPIRED: i32 = Status::Expired as i32;
pub(crate) const FAILED: i32 = Status::Failed as i32;

pub(crate) const UNKNOWN: i32 = Outcome::Unspecified as i32;
pub(crate) const WIN: i32 = Outcome::Win as i32;
pub(crate) const LOSS: i32 = Outcome::Loss as i32;

pub(crate) const NORMAL: i32 = Play::Normal as i32;
