//! Progress of long work, and a way to stop it.

use std::ops::ControlFlow;

/// The progress of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is being done.
    pub what: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do, in the same unit.
    pub of: u64,
}

/// A function that is called at each step. A break stops the work where it can resume later.
pub type Watch<'a> = &'a mut dyn FnMut(Step) -> ControlFlow<()>;

/// Reports a step and returns whether the work is to stop.
pub(crate) fn is_stopped(watch: Watch<'_>, what: &'static str, done: u64, of: u64) -> bool {
    watch(Step { what, done, of }).is_break()
}
