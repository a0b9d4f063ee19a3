//! The gRPC services of Sproutnet, generated from `proto/sproutnet/v1/*.proto`, and the one place that
//! says how connections to them are made and protected. The `.proto` files are the reference: every
//! field is documented there.
//!
//! - [`v1`]: messages and services. [`convert`] maps them to and from `sproutnet_model`.
//! - [`connect`]: the client's side. [`credentials`] is what it shows, [`deadline`] how long it waits.
//! - [`listen`]: what the server is told to do. [`serve`] does it: [`incoming`] bounds connections and
//!   [`guard`] asks each request for the token.
//! - [`token`], [`tls`]: the two protections, read from the files of [`secrets`].
//! - [`telemetry`]: the log of a program that does either, and its traces.
//!
//! Protection and transport are separate. The same functions serve TCP, a pipe inside the process, and
//! a simulated network.

pub mod connect;
pub mod convert;
pub mod credentials;
pub mod deadline;
mod file;
pub mod guard;
pub mod incoming;
pub mod listen;
pub mod secrets;
mod seldom;
pub mod serve;
pub mod telemetry;
pub mod tls;
pub mod token;

/// The version of the protocol. Workers of another are refused.
pub const PROTOCOL: u32 = 1;

/// The largest message that either side takes, in bytes.
pub const LARGEST_MESSAGE: usize = 16 << 20;

/// The services' descriptors, an encoded `google.protobuf.FileDescriptorSet`, for the reflection
/// service.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The messages and services of version 1.
pub mod v1 {
    // Generated code follows its own style.
    #![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

    tonic::include_proto!("sproutnet.v1");
}

impl From<(&str, u32)> for v1::Encoding {
    /// A game by its name, and the version of its canonical encoding.
    fn from((game, version): (&str, u32)) -> Self {
        Self {
            game: game.to_owned(),
            version,
        }
    }
}
