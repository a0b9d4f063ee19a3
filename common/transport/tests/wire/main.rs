//! Connections to the services over real sockets, and their failures.

mod arguments;
mod deadline;
mod garbage;
mod keep_alive;
mod limits;
mod pipe;
mod reflection;
mod roles;
mod stand;
mod tls;
mod token;
