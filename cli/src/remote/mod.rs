//! The connection to a coordinator: calls, retries and streams that survive a restart.

pub(crate) mod client;
pub(crate) mod cluster;
pub(crate) mod follow;
pub(crate) mod retry;
pub(crate) mod upload;
