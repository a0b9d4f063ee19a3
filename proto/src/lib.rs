//! The gRPC services of Sproutnet, generated from `proto/sproutnet/v1/*.proto`. Those files are the
//! reference: every field is documented there.

/// Version 1 of the protocol.
pub mod v1 {
    // Generated code follows its own style.
    #![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

    tonic::include_proto!("sproutnet.v1");
}
