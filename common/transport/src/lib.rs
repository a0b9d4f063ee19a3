//! Making and protecting connections between the programs of Sproutnet.
//!
//! - [`connect`]: the client's side, with its [`credentials`], its [`deadline`] for each call, and its [`backoff`]
//!   between retries.
//! - [`listen`]: the server's options. [`serve`] applies them: [`incoming`] bounds connections, [`permits`]
//!   their number, [`handshake`] makes them speak TLS, and [`auth`] checks the token of each request.
//! - [`token`], [`tls`]: the two protections, read from the files of [`secrets`]. [`tokens`]: those that a server
//!   accepts, and [`caller`]: whose they are. [`reload`] reads the files again.
//! - [`telemetry`]: the log of a program, and its traces.
//!
//! Protection and transport are separate. The same functions serve TCP, a pipe inside the process, and
//! a simulated network.

mod auth;
pub mod backoff;
pub mod caller;
pub mod connect;
pub mod credentials;
mod deadline;
pub mod handshake;
pub mod incoming;
pub mod listen;
pub mod log_limiter;
pub mod permits;
pub mod refusals;
pub mod reload;
pub mod secrets;
pub mod serve;
pub mod telemetry;
pub mod tls;
pub mod token;
pub mod tokens;
