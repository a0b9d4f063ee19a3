//! The gRPC services of Sproutnet, generated from `proto/sproutnet/v1/*.proto`. Those files are the
//! reference: every field is documented there.

/// The version of the protocol. Workers of another are refused.
pub const PROTOCOL: u32 = 1;

/// The largest message that either side takes, in bytes.
pub const LARGEST_MESSAGE: usize = 16 << 20;

/// The messages and services of version 1.
pub mod v1 {
    // Generated code follows its own style.
    #![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

    tonic::include_proto!("sproutnet.v1");
}
