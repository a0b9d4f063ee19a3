//! Output for terminals: tables, colours, status lines and screens that update.

pub(crate) mod formats;
pub(crate) mod history;
pub(crate) mod live;
pub(crate) mod panel;
pub(crate) mod screen;
pub(crate) mod status_line;
pub(crate) mod style;
pub(crate) mod table;
pub(crate) mod text;
