//! tmp
/// tmp
pub struct Board;
/// tmp
pub struct Join;
/// tmp
pub struct Way;
