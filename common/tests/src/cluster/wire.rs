//! The wire values of statuses and outcomes.

#![expect(missing_docs, reason = "the names say it")]

use sproutnet_proto::v1::{Outcome, Play, Status};

pub const RUNNING: i32 = Status::Running as i32;
pub const PAUSED: i32 = Status::Paused as i32;
pub const SOLVED: i32 = Status::Solved as i32;
pub const CANCELLED: i32 = Status::Cancelled as i32;
pub const EXPIRED: i32 = Status::Expired as i32;
pub const FAILED: i32 = Status::Failed as i32;

pub const UNKNOWN: i32 = Outcome::Unspecified as i32;
pub const WIN: i32 = Outcome::Win as i32;
pub const LOSS: i32 = Outcome::Loss as i32;

pub const NORMAL: i32 = Play::Normal as i32;
