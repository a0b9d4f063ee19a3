//! The gRPC services of Sproutnet. The files `proto/sproutnet/v1/*.proto` are the reference: every field is documented
//! there. The code in `src/generated` is made from them by
//! `SPROUTNET_GENERATE=1 cargo test -p sproutnet-proto --test generated`. Run it before [`convert`] uses new fields: the
//! command builds this crate.
//!
//! [`v1`] holds messages and services. [`convert`] maps them to and from `sproutnet_model`.

pub mod convert;

/// The version of the protocol. Workers of another version are refused with a message that names both versions.
pub const PROTOCOL: u32 = 3;

/// The largest message that either side takes, in bytes.
pub const LARGEST_MESSAGE: usize = 16 << 20;

/// The services' descriptors, an encoded `google.protobuf.FileDescriptorSet`, for the reflection
/// service.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!("generated/descriptors.bin");

/// The paths of all calls with one request and one response.
pub const UNARY: &[&str] = include!("generated/unary.in");

/// The messages and services.
pub mod v1 {
    // Generated code follows its own style.
    #![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

    include!("generated/sproutnet.v1.in");
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

macro_rules! contents_of_reports {
    ($($message:ident),*) => {$(
        impl From<v1::$message> for v1::report_request::Content {
            fn from(content: v1::$message) -> Self {
                Self::$message(content)
            }
        }
    )*};
}

contents_of_reports!(Delivery, Finding, Fault);
