//! What is shown on a terminal: tables, colours, status lines and screens that update.

pub(crate) mod live;
pub(crate) mod panel;
pub(crate) mod rate;
pub(crate) mod rows;
pub(crate) mod screen;
pub(crate) mod spark;
pub(crate) mod status_line;
pub(crate) mod style;
pub(crate) mod text;
