//! How long work is watched, and stopped.

use std::ops::ControlFlow;

/// How far work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is being done.
    pub what: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do, in the same unit.
    pub of: u64,
}

/// Whoever watches is told of each step; a break stops the work where it can go on from later.
pub type Watch<'a> = &'a mut dyn FnMut(Step) -> ControlFlow<()>;
